"""A SKILL.md goes in and out without loss, and what is odd is said."""

import os
import pickle
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skillbank.errors import SkillError
from skillbank.skills.skill import Skill, name_problem, problems

BODY = """# Headline

## Steps
1. Measure the board,
   then place the text.
   - nested detail
2. Check the contrast.

## Pitfalls
* Long words overflow.

## Checks
- The text is inside the margins.

```calls
place_text(role="headline", x=0.08*W)

# a comment
export(format="png")
```
"""


def skill_text(
    name: str = "headline", description: str = "Use when a poster needs a headline"
) -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\n{BODY}"


def test_the_sections_of_a_card_are_read_as_lists():
    skill = Skill.parse(skill_text())

    assert skill.steps == (
        "Measure the board, then place the text. nested detail",
        "Check the contrast.",
    )
    assert skill.pitfalls == ("Long words overflow.",)
    assert skill.checks == ("The text is inside the margins.",)
    assert skill.calls == (
        'place_text(role="headline", x=0.08*W)',
        'export(format="png")',
    )


def test_a_heading_inside_a_code_block_is_no_section():
    skill = Skill.parse(skill_text() + "\n```\n## Steps\n- not a step\n```\n")

    assert len(skill.steps) == 2


def test_headings_differ_in_level_case_and_colon_and_still_count():
    skill = Skill.parse(
        "---\nname: a\n---\n# STEPS:\n- one\n### more\n- two\n# End\n- x"
    )

    assert skill.steps == ("one", "two")


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf---\nname: a\ndescription: b\n---\nbody",
        b"---\r\nname: a\r\ndescription: b\r\n---\r\nbody\r\n",
        b"---\r\nname: a\ndescription: b\r\n---\nbody\r\nmore\n",
        b"--- \t\nname: a\ndescription: b\n---  \nbody  \n\n\n",
        b"---\nname: a\ndescription: b\n---\n---\nname: c\n---\nrule\n\n---\n\nend",
        b"---\n# note\nname: a   # why\nx-unknown: [1,  2]\ndescription: b\n---\n",
        b"---\nname: a\ndescription: Covers: many things: all\n---\nbody",
        b"---\rname: a\rdescription: b\r---\rbody\r",
        b"<!-- from elsewhere -->\n---\nname: a\ndescription: b\n---\nbody",
    ],
    ids=[
        "bom",
        "crlf",
        "mixed",
        "blanks",
        "rules",
        "comments",
        "colon",
        "cr",
        "before",
    ],
)
def test_bytes_come_back_as_they_went_in(data, tmp_path):
    skill = Skill.parse(data)

    skill.write(tmp_path / "a")
    assert skill.name == "a"
    assert skill.description in ("b", "Covers: many things: all")
    assert skill.to_bytes() == data
    assert skill.text.encode() == data
    assert (tmp_path / "a" / "SKILL.md").read_bytes() == data
    assert Skill.read(tmp_path / "a") == skill


def test_the_body_starts_after_the_second_fence_whatever_follows():
    skill = Skill.parse("---\nname: a\n---\n---\nname: b\n---\ntext\n\n---\n")

    assert skill.name == "a"
    assert skill.body == "---\nname: b\n---\ntext\n\n---\n"


def test_values_stay_as_they_are_written_and_never_become_other_types():
    skill = Skill.parse(
        "---\nname: yes\nversion: 1.10\nadded: 2026-02-27\nlicense: 0x10\n"
        "metadata:\n  on: off\n  octal: 010\n---\n",
    )

    assert skill.name == "yes"
    assert skill.front["version"] == "1.10"
    assert skill.front["added"] == "2026-02-27"
    assert skill.license == "0x10"
    assert skill.metadata == {"on": "off", "octal": "010"}


def test_a_description_with_an_unquoted_colon_is_recovered_and_noted():
    skill = Skill.parse(
        "---\nname: a\ndescription: Use when: a poster\n  goes on\n"
        "allowed-tools: *\nmetadata:\n  k: v\n---\n"
    )

    assert skill.description == "Use when: a poster goes on"
    assert skill.allowed_tools == ("*",)
    assert skill.metadata == {"k": "v"}
    assert any("no YAML" in problem for problem in problems(skill))


@pytest.mark.parametrize(
    "line",
    [
        "allowed-tools: Read, Grep Bash(git add:*)",
        "allowed_tools: [Read, Grep, 'Bash(git add:*)']",
        "tools:\n- Read\n- Grep\n- Bash(git add:*)",
    ],
)
def test_allowed_tools_are_found_under_every_spelling(line):
    skill = Skill.parse(f"---\nname: a\n{line}\n---\n")

    assert skill.allowed_tools == ("Read", "Grep", "Bash(git add:*)")


@pytest.mark.parametrize(
    ("data", "seen"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b"# Title\n\ntext\n", "no front matter"),
        (b"---\nname: a\ntext", "does not end"),
        (b"---\n---\nbody", "without keys"),
        (b"---\njust words\n---\nbody", "without keys"),
        (b"---\ndescription: b\n---\nbody", "no name"),
        (b"---\nname: a\n---\n\xff", "not UTF-8"),
        (b"---\nname: a\0\n---\n", "NUL"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_says_why(data, seen):
    with pytest.raises(SkillError) as caught:
        Skill.parse(data)

    assert seen in str(caught.value)
    assert caught.value.remedy


def test_a_half_pair_of_unicode_is_an_error_not_a_crash():
    with pytest.raises(SkillError, match="UTF-8"):
        Skill.parse("---\nname: a\n---\n\ud800")


def test_deep_nesting_and_odd_directives_do_not_crash_the_reader():
    for front in ("x: " + "[" * 5000, "%YAML 9.9", "a: &a [*a, *a]", "? {a: b}\n: c"):
        skill = Skill.parse(f"---\nname: a\n{front}\n---\nbody")
        assert skill.name == "a"


def test_a_missing_name_is_lent_by_the_folder_and_noted():
    skill = Skill.parse("---\ndescription: b\n---\nbody", folder="my-skill")

    assert skill.name == "my-skill"
    assert any("no name" in problem for problem in problems(skill))


@pytest.mark.parametrize(
    ("name", "ruly"),
    [
        ("a", True),
        ("headline-2", True),
        ("a" * 64, True),
        ("a" * 65, False),
        ("Headline", False),
        ("a_b", False),
        ("-a", False),
        ("a--b", False),
        ("../etc", False),
        ("a/b", False),
        ("a\n", False),
        ("é", False),
        ("٣", False),
        ("", False),
    ],
)
def test_a_name_is_lower_case_letters_digits_and_single_hyphens(name, ruly):
    assert (name_problem(name) == "") is ruly


def test_problems_name_every_broken_rule():
    text = skill_text("Bad_Name", "d" * 1025)

    found = " ".join(problems(Skill.parse(text, folder="other")))

    assert "lower-case" in found
    assert "1025 characters" in found
    assert "differs from the folder 'other'" in found


def test_a_card_that_keeps_the_rules_has_no_problems():
    assert problems(Skill.parse(skill_text(), folder="headline")) == ()


def test_a_new_description_keeps_every_other_byte():
    data = (
        b"\xef\xbb\xbf---\r\n# why\r\nname: a\r\ndescription: >-\r\n  folded\r\n  text"
        b"\r\n\r\nx-mine: {a: 1}  # kept\r\nversion: 1.10\r\n---\r\nbody\r\n---\r\n"
    )
    old = Skill.parse(data)

    new = old.revise(description="Use when: it is # hard")

    head, _, tail = data.partition(b">-\r\n  folded\r\n  text")
    assert old.description == "folded text"
    assert new.description == "Use when: it is # hard"
    assert new.to_bytes() == head + b'"Use when: it is # hard"' + tail


def test_a_new_body_keeps_the_front_matter_byte_for_byte():
    data = "---\r\nname:   a\r\nk: v # c\r\n---"

    new = Skill.parse(data).revise(body="## Steps\n- x\n")

    assert new.text == data + "\r\n## Steps\n- x\n"


def test_revising_nothing_gives_the_same_skill():
    skill = Skill.parse(skill_text())

    assert skill.revise() is skill
    assert skill.revise(description=skill.description, body=skill.body) is skill


@pytest.mark.parametrize(
    "front",
    [
        "name: a",
        "name: a\ndescription:",
        "name: a\ndescription: #1 of all",
        "name: a\n",
    ],
)
def test_a_description_can_be_given_to_a_card_without_one(front):
    skill = Skill.parse(f"---\n{front}\n---\nbody").revise(description="Use when new")

    assert skill.description == "Use when new"
    assert skill.body == "body"


def test_a_description_that_others_depend_on_is_refused_not_broken():
    skill = Skill.parse("---\nname: &n abc\ndescription: *n\n---\nbody")

    with pytest.raises(SkillError, match="depends on another"):
        skill.revise(description="Use when new")


def test_other_files_are_kept_byte_for_byte(tmp_path):
    files = {"scripts/run.sh": b"#!/bin/sh\r\n", "assets/a.bin": bytes(range(256))}
    skill = Skill.parse(skill_text(), files=files)

    skill.write(tmp_path / "headline")
    back = Skill.read(tmp_path / "headline")

    assert back == skill
    assert back.extra_files == files
    assert back.digest == skill.digest != Skill.parse(skill_text()).digest


@pytest.mark.parametrize(
    "path",
    ["../x", "/etc/x", "a/../../x", "a//b", "c:\\x", "a\\b", "Skill.MD", "", "."],
)
def test_a_file_cannot_leave_its_folder(path):
    with pytest.raises(SkillError):
        Skill.parse(skill_text(), files={path: b""})


def test_symbolic_links_are_refused_wherever_they_are(tmp_path):
    real = tmp_path / "headline"
    Skill.parse(skill_text()).write(real)
    (tmp_path / "link").symlink_to(real)
    with pytest.raises(SkillError, match="symbolic link"):
        Skill.read(tmp_path / "link")

    (real / "more").symlink_to(tmp_path)
    with pytest.raises(SkillError, match="symbolic link"):
        Skill.read(real)

    (real / "more").unlink()
    (real / "SKILL.md").unlink()
    (real / "SKILL.md").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SkillError, match="symbolic link"):
        Skill.read(real)
    with pytest.raises(SkillError, match="symbolic link"):
        Skill.parse(skill_text()).write(real)
    assert not (tmp_path / "elsewhere").exists()


def test_a_pipe_in_the_folder_is_refused_and_not_waited_for(tmp_path):
    Skill.parse(skill_text()).write(tmp_path / "headline")
    os.mkfifo(tmp_path / "headline" / "pipe")

    with pytest.raises(SkillError, match="no file"):
        Skill.read(tmp_path / "headline")


def test_a_file_called_skill_in_lower_case_is_read_and_noted(tmp_path):
    folder = tmp_path / "headline"
    folder.mkdir()
    (folder / "skill.md").write_text(skill_text(), encoding="utf-8")

    skill = Skill.read(folder)

    assert any("skill.md" in problem for problem in problems(skill))
    assert not skill.extra_files


def test_the_normalised_text_ignores_blanks_and_line_ends_only():
    one = Skill.parse(skill_text())
    two = Skill.parse("\ufeff" + skill_text().replace("\n", "  \r\n"))
    other = Skill.parse(skill_text().replace("0.08", "0.09"))

    assert one.normalised == two.normalised != other.normalised


def test_a_skill_crosses_process_borders_and_has_a_hash():
    skill = Skill.parse(skill_text(), files={"a": b"b"})

    assert pickle.loads(pickle.dumps(skill)) == skill
    assert hash(skill) == hash(Skill.parse(skill_text(), files={"a": b"b"}))


_plain = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60)


@given(description=_plain, body=_plain)
@example(description="yes", body="---\n")
@example(description="1.10", body="")
@example(description=" - x: y # z\n'\"\\", body="\ufeff---\r---")
@settings(max_examples=150, deadline=None)
def test_any_description_and_body_survive_composing_and_revising(description, body):
    made = Skill.compose("a", description, body)
    revised = Skill.compose("a", "first", "first").revise(description, body)

    assert (made.description, made.body) == (description, body)
    assert revised.front == made.front
    assert (revised.description, revised.body) == (description, body)
    assert Skill.parse(made.to_bytes()) == made


@given(st.binary(max_size=80), st.sampled_from(["\n", "\r\n", "\r"]))
@settings(max_examples=150, deadline=None)
def test_any_bytes_are_read_without_loss_or_refused(data, end):
    fence = f"---{end}".encode()
    for whole in (data, fence + b"name: a" + end.encode() + data + fence + data):
        try:
            skill = Skill.parse(whole, folder="a")
        except SkillError:
            continue
        assert skill.to_bytes() == whole


def test_damaged_front_matter_never_raises_anything_but_a_skill_error():
    draw = random.Random(5)
    bits = [
        "---\n",
        ": ",
        "*a",
        "&a ",
        "[",
        "}",
        "|\n",
        "\r",
        "'",
        '"',
        "#",
        "!!x ",
        "%",
    ]
    for _ in range(400):
        text = list(skill_text()[:120])
        for _ in range(draw.randint(1, 6)):
            text.insert(draw.randrange(len(text)), draw.choice(bits))
        try:
            skill = Skill.parse("".join(text), folder="a")
            problems(skill)
            skill.revise(description="Use when: new", body="new")
        except SkillError:
            continue
