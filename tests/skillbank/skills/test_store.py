"""Bank versions are whole or not there, and say when somebody touched them."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skillbank.errors import BankError, SkillError
from skillbank.proposals.proposal import Proposal
from skillbank.skills.bank import Bank, Change
from skillbank.skills.skill import Skill
from skillbank.skills.store import BankStore

BODY = "## Steps\n- one\n- two\n\n## Checks\n- seen\n"


def skill(name: str = "headline", body: str = BODY) -> Skill:
    made = Skill.compose(name, f"Use when a poster needs a {name}", body)
    return Skill.parse(made.data, files={"scripts/a.sh": b"echo\r\n"})


def seeds(folder: Path, *names: str) -> Path:
    for name in names or ("headline", "logo"):
        skill(name).write(folder / name)
    return folder


def store(tmp_path: Path, *names: str) -> BankStore:
    made = BankStore(tmp_path / "bank")
    made.seed(seeds(tmp_path / "seed", *names), "operator")
    return made


def revised(bank: Bank, round: str, body: str = "more\n") -> Bank:
    card = bank.card("headline")
    new = card.skill.revise(body=card.skill.body + body)
    change = Change(kind="edit", skill=new, base=card.version)
    return bank.with_commits([change], round)


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_a_bank_reads_back_equal(tmp_path):
    made = store(tmp_path)
    new = revised(made.current(), "r0001")

    number = made.write(new)
    back = made.read(number)

    assert number == 2
    assert back.digest == new.digest
    assert back.entries == new.entries
    assert (back.number, back.parent, back.round) == (2, 1, "r0001")


def test_verified_cards_lie_in_a_folder_that_any_agent_can_read(tmp_path):
    made = store(tmp_path)
    number = made.write(revised(made.current(), "r0001"))

    folder = made.folder(number)

    assert sorted(p.name for p in folder.iterdir()) == ["headline", "logo"]
    for path in folder.iterdir():
        assert Skill.read(path) == made.read(number).card(path.name).skill
    archived = folder.parent / "archive" / "headline@1" / "SKILL.md"
    assert archived.read_bytes() == skill().to_bytes()


def test_a_new_version_is_not_in_use_before_head_moves(tmp_path):
    made = store(tmp_path)

    number = made.write(revised(made.current(), "r0001"))

    assert made.head() == 1
    made.set_head(number)
    assert made.head() == 2
    assert (tmp_path / "bank" / "HEAD").read_text() == "2\n"


def test_writing_the_same_bank_again_gives_the_number_that_it_has(tmp_path):
    made = store(tmp_path)
    new = revised(made.current(), "r0001")

    numbers = [made.write(new) for _ in range(3)]
    other_round = made.write(revised(made.current(), "r0002"))

    assert numbers == [2, 2, 2]
    assert other_round == 3


def test_equal_banks_are_equal_byte_for_byte_wherever_they_are_written(tmp_path):
    one, two = store(tmp_path / "one"), store(tmp_path / "two", "logo", "headline")
    for made in (one, two):
        made.set_head(made.write(revised(made.current(), "r0001")))

    assert files(one.root) == files(two.root)
    manifest = files(one.root)["versions/0002/manifest.json"].decode()
    assert str(tmp_path) not in manifest
    assert list(json.loads(manifest)) == sorted(json.loads(manifest))


def test_after_a_rollback_the_next_version_is_one_above_the_highest(tmp_path):
    made = store(tmp_path)
    made.set_head(made.write(revised(made.current(), "r0001")))
    made.set_head(made.write(revised(made.current(), "r0002")))

    number = made.rollback(1)
    after = made.current()
    next_number = made.write(revised(after, "r0003"))

    assert (number, made.head()) == (4, 4)
    assert after.verified() == made.read(1).verified()
    assert after.diff(made.read(1)).is_empty
    assert files(made.folder(number)) == files(made.folder(1))
    assert (after.parent, after.note) == (1, "rolled back from version 3")
    assert (next_number, made.read(next_number).parent) == (5, 4)
    assert made.numbers() == (1, 2, 3, 4, 5)


def test_after_a_rollback_no_version_of_a_card_names_two_texts(tmp_path):
    made = store(tmp_path)
    made.set_head(made.write(revised(made.current(), "r0001", "bad\n")))
    mint = Change(kind="mint", skill=skill("price"))
    made.set_head(made.write(made.current().with_commits([mint], "r0002")))

    made.rollback(1)
    again = revised(made.current(), "r0003", "good\n")

    assert made.current().names() == {"headline", "logo"}
    assert again.card("headline").version == 3
    bad = again.find("headline", 2)
    assert bad is not None
    assert (bad.status, bad.reason) == ("deprecated", "rolled back from version 3")
    assert "price" in again.taken()
    assert [m.status for m in made.history("price")] == ["verified", "deprecated"]


def test_a_rollback_to_what_is_in_use_does_nothing(tmp_path):
    made = store(tmp_path)
    made.set_head(made.write(revised(made.current(), "r0001")))

    assert made.rollback(2) == 2
    assert [made.rollback(1), made.rollback(1)] == [3, 3]
    assert made.numbers() == (1, 2, 3)


def test_a_rollback_mends_a_lost_head_and_a_damaged_version(tmp_path):
    made = store(tmp_path)
    made.set_head(made.write(revised(made.current(), "r0001")))
    (made.folder(2) / "headline" / "SKILL.md").write_text("edited")
    assert made.rollback(1) == 3
    assert made.current().digest == made.read(1).digest

    (made.root / "HEAD").unlink()
    (made.root / "versions" / "0003" / "manifest.json").write_text("{")
    assert made.rollback(1) == 4
    assert made.head() == 4


def test_a_version_that_is_half_written_is_invisible_and_cleared_away(tmp_path):
    made = store(tmp_path)
    left = made.root / "versions" / "0002.writing" / "skills" / "headline"
    left.mkdir(parents=True)
    (left / "SKILL.md").write_bytes(b"hal")
    (made.root / "HEAD.writing").write_bytes(b"")

    assert made.numbers() == (1,)
    assert made.head() == 1
    assert made.write(revised(made.current(), "r0001")) == 2
    assert made.read(2).names() == {"headline", "logo"}
    assert not list((made.root / "versions").glob("*.writing"))


WRITER = """
import sys
from pathlib import Path
from skillbank.skills.bank import Change
from skillbank.skills.store import BankStore
store = BankStore(Path(sys.argv[1]))
print("ready", flush=True)
for n in range(10_000):
    bank = store.current()
    card = bank.card("headline")
    new = card.skill.revise(body=card.skill.body + "more\\n")
    change = Change(kind="edit", skill=new, base=card.version)
    store.set_head(store.write(bank.with_commits([change], f"r{n}")))
"""


def test_a_writer_that_is_killed_leaves_only_whole_versions(tmp_path):
    made = store(tmp_path)
    for wait in (0.02, 0.05, 0.11):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(made.root)],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[3],
        ) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
            time.sleep(wait)
            writer.kill()

        assert made.head() in made.numbers()
        assert [made.read(n).number for n in made.numbers()] == list(made.numbers())
    number = made.write(revised(made.current(), "r9999"))
    assert number == max(made.numbers())


@pytest.mark.parametrize(
    ("damage", "place"),
    [
        (lambda v: (v / "skills/headline/SKILL.md").write_text("x"), "SKILL.md"),
        (lambda v: (v / "skills/headline/SKILL.md").unlink(), "SKILL.md"),
        (lambda v: (v / "skills/headline/scripts/a.sh").write_text("x"), "a.sh"),
        (lambda v: (v / "skills/headline/new.md").write_text("x"), "new.md"),
        (lambda v: (v / "manifest.json").unlink(), "manifest.json"),
        (lambda v: (v / "manifest.json").write_text("{}"), "manifest.json"),
        (lambda v: _edit(v, '"low"', '"high"'), "manifest.json"),
        (lambda v: _edit(v, '"round": "r0001"', '"round": "r0002"'), "manifest.json"),
        (lambda v: (v / "skills/more").symlink_to("/"), "more"),
    ],
)
def test_a_version_that_somebody_touched_is_an_error_with_its_way_out(
    tmp_path, damage, place
):
    made = store(tmp_path)
    made.set_head(made.write(revised(made.current(), "r0001")))

    damage(made.root / "versions" / "0002")

    with pytest.raises(BankError) as caught:
        made.current()
    assert place in caught.value.place
    assert caught.value.remedy == "skillbank bank rollback 1"
    assert caught.value.seen
    assert made.read(1).names() == {"headline", "logo"}


def _edit(version: Path, old: str, new: str) -> None:
    path = version / "manifest.json"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_version_in_the_place_of_another_is_noticed(tmp_path):
    made = store(tmp_path)
    versions = made.root / "versions"
    (versions / "0001").rename(versions / "0007")

    with pytest.raises(BankError, match="manifest of version 1"):
        made.read(7)


@pytest.mark.parametrize("line", ["", "9", "x", "-1", "1 2"])
def test_a_head_that_names_no_version_is_an_error(tmp_path, line):
    made = store(tmp_path)
    (made.root / "HEAD").write_text(line)

    with pytest.raises(BankError) as caught:
        made.head()
    assert caught.value.remedy == "skillbank bank rollback 1"


def test_an_empty_store_has_no_head_and_says_how_to_get_one(tmp_path):
    made = BankStore(tmp_path / "bank")

    assert made.numbers() == ()
    with pytest.raises(BankError, match="init"):
        made.head()
    with pytest.raises(BankError):
        made.read(1)
    with pytest.raises(BankError):
        made.set_head(1)
    assert made.write(Bank()) == 1
    assert made.read(1).entries == ()


def test_a_parent_that_is_not_in_the_store_is_refused(tmp_path):
    made = store(tmp_path)

    with pytest.raises(BankError, match="parent 9"):
        made.write(Bank(parent=9))


def test_seeding_is_done_once_however_often_it_is_asked_for(tmp_path):
    made = store(tmp_path)
    made.set_head(made.write(revised(made.current(), "r0001")))

    assert made.seed(tmp_path / "seed", "operator") == 1
    assert made.head() == 2
    with pytest.raises(BankError, match="empty bank"):
        made.seed(seeds(tmp_path / "other", "else"), "operator")


def test_seeds_are_verified_by_their_author(tmp_path):
    entries = store(tmp_path).current().entries

    assert {(e.name, e.version, e.status, e.author) for e in entries} == {
        ("headline", 1, "verified", "operator"),
        ("logo", 1, "verified", "operator"),
    }


def test_a_seed_that_breaks_the_rules_is_refused_by_name(tmp_path):
    folder = seeds(tmp_path / "seed")
    skill("other").write(folder / "wrong")

    with pytest.raises(SkillError, match="wrong"):
        BankStore(tmp_path / "bank").seed(folder, "operator")
    with pytest.raises(SkillError, match="no skills"):
        BankStore(tmp_path / "bank").seed(tmp_path / "nowhere", "operator")


def test_the_history_of_a_card_tells_when_and_why(tmp_path):
    made = store(tmp_path)
    made.set_head(made.write(revised(made.current(), "r0001")))
    made.set_head(made.write(made.current().with_status("logo", "suspended", "unused")))

    told = made.history("headline")

    assert [(m.bank, m.version, m.status) for m in told] == [
        (1, 1, "verified"),
        (2, 1, "deprecated"),
        (2, 2, "verified"),
    ]
    assert [(m.bank, m.status, m.reason) for m in made.history("logo")][-1] == (
        3,
        "suspended",
        "unused",
    )
    with pytest.raises(BankError, match="no such card"):
        made.history("nobody")


def test_quarantined_texts_are_kept_outside_the_agents_folder(tmp_path):
    made = store(tmp_path)
    texts = [skill(body=f"{BODY}{n}").text for n in range(2)]
    bank = made.current()
    for text in texts:
        proposal = Proposal(
            round="r0001",
            axis="deepening",
            kind="edit",
            skill="headline",
            base=1,
            text=text,
        )
        bank = bank.with_kept(proposal, "quarantined", "a regression")

    number = made.write(bank)

    back = made.read(number)
    assert back.entries == bank.entries
    assert {e.skill.text for e in back.entries if e.status == "quarantined"} == set(
        texts
    )
    assert len(list(made.folder(number).iterdir())) == 2


@pytest.mark.parametrize("data", [b"\xff\xfe1\n", b"", b"1" * 9999, b"\x00"])
def test_a_head_that_is_no_number_is_named_and_mended_by_a_rollback(tmp_path, data):
    made = store(tmp_path)
    (made.root / "HEAD").write_bytes(data)

    with pytest.raises(BankError, match=r"HEAD.*rollback 1"):
        made.head()

    assert made.rollback(1) == made.head()


def test_a_head_that_cannot_be_read_is_named(tmp_path):
    made = store(tmp_path)
    (made.root / "HEAD").unlink()
    (made.root / "HEAD").mkdir()

    with pytest.raises(BankError, match=r"HEAD.*directory"):
        made.head()
