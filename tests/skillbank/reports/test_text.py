from skillbank.reports.text import diff, shown


def test_a_text_is_bounded_and_says_how_long_it_was():
    assert shown("x" * 5000, 10) == "xxxxxxxxxx… (5,000 characters)"


def test_characters_that_nobody_sees_are_written_out():
    turned = "no\u202eerasure\x00\u200b"

    assert shown(turned) == "no\\u202eerasure\\u0000\\u200b"


def test_line_ends_and_letters_of_any_script_stay():
    assert shown("größer\n\tpäck 大 😀") == "größer\n\tpäck 大 😀"


def test_a_diff_tells_what_was_added_removed_and_left_out_in_between():
    old = "\n".join(str(n) for n in range(40))
    new = old.replace("\n5\n", "\nfive\n").replace("\n30\n", "\n30\nand a half\n")

    found = diff(old, new)

    assert (found.added, found.removed) == (2, 1)
    assert [line.text for line in found.lines if line.kind == "removed"] == ["5"]
    assert [line.kind for line in found.lines].count("gap") == 1


def test_a_removed_line_that_looks_like_a_diff_header_is_not_lost():
    found = diff("-- a\nb", "b")

    assert [line.text for line in found.lines if line.kind == "removed"] == ["-- a"]


def test_a_mint_is_all_new():
    found = diff("", "one\ntwo")

    assert [(line.kind, line.text) for line in found.lines] == [
        ("added", "one"),
        ("added", "two"),
    ]


def test_a_diff_of_a_huge_text_is_bounded():
    found = diff("a\n" * 3, "\n".join(f"line {n}" for n in range(100_000)))

    assert len(found.lines) == 240
    assert found.left_out > 0
    assert found.cut
