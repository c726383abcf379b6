import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from skillbank.briefs.benchmark import read_benchmark
from skillbank.codec import dump
from skillbank.errors import BankError, ServiceError, TableError, TrafficError
from skillbank.params import Params
from tasks.versions import snapshot
from tasks.workspace import Opening, Workspace, copy_shipped, find_workspace
from tests.workspaces import small_workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return small_workspace(tmp_path / "ours")


def end(workspace: Workspace, round: str) -> None:
    """Bring an opened round to its end: finished and remembered."""
    (workspace.round_dir(round) / "summary.json").write_text("{}")
    snapshot(workspace.root, round)


def test_a_folder_is_a_workspace_with_params_and_data(tmp_path: Path):
    with pytest.raises(ServiceError, match="skillbank init"):
        find_workspace(tmp_path)
    with pytest.raises(ServiceError, match="skillbank init"):
        find_workspace(tmp_path / "gone")

    copy_shipped(tmp_path)

    assert find_workspace(tmp_path).root == tmp_path.resolve()


def test_what_is_there_is_kept_when_the_shipped_world_is_copied(tmp_path: Path):
    (tmp_path / "params.yaml").write_text("world: studio\n")

    workspace = copy_shipped(tmp_path)

    assert (tmp_path / "params.yaml").read_text() == "world: studio\n"
    assert workspace.benchmark("sealed").exists()


def test_the_full_scale_plays_1406_briefs_in_five_rounds_and_measures_300(
    tmp_path: Path,
):
    workspace = copy_shipped(tmp_path / "full", "full")

    params = workspace.params
    played = [params.evolve.briefs_of(number) for number in range(1, 6)]
    fixed = [len(read_benchmark(path)) for path in workspace.fixed]
    assert sum(played) == 1406
    assert max(played) - min(played) <= 1
    assert fixed == [200, 100]
    same = {"briefs": Params().evolve.briefs}
    assert (
        params.model_copy(update={"evolve": params.evolve.model_copy(update=same)})
        == Params()
    )
    assert copy_shipped(tmp_path / "full", "full") == workspace


def test_a_workspace_of_the_usual_scale_is_not_taken_for_a_full_one(tmp_path: Path):
    copy_shipped(tmp_path)

    with pytest.raises(ServiceError, match="another benchmark"):
        copy_shipped(tmp_path, "full")


def test_the_seed_becomes_the_first_bank_once(workspace: Workspace):
    first = workspace.ready_bank()
    again = workspace.ready_bank()

    assert first.numbers() == again.numbers() == (1,)
    assert again.head() == 1


def test_rounds_are_numbered_from_one_on(workspace: Workspace):
    assert workspace.next_round() == "r0001"

    opening = workspace.open_round(None, briefs=20)

    assert opening == Opening(round="r0001", number=1, bank=1, briefs=20)
    assert workspace.round_ids() == ("r0001",)
    assert workspace.next_round() == "r0002"


def test_a_round_that_is_resumed_is_what_it_was_when_it_was_opened(
    workspace: Workspace,
):
    first = workspace.open_round("r0001", briefs=20)

    again = workspace.open_round("r0001", briefs=99, given="traffic", source="x")

    assert again == first


def test_a_round_waits_until_the_one_before_has_ended(workspace: Workspace):
    workspace.open_round(None, briefs=20)

    assert workspace.unfinished() == ("r0001",)
    with pytest.raises(ServiceError, match=r"--id r0001"):
        workspace.open_round(None, briefs=20)
    (workspace.round_dir("r0001") / "summary.json").write_text("{}")
    with pytest.raises(ServiceError, match=r"--id r0001"):
        workspace.open_round(None, briefs=20)
    end(workspace, "r0001")
    assert workspace.unfinished() == ()
    assert workspace.open_round(None, briefs=20).round == "r0002"


@pytest.mark.parametrize("round", ["r0002", "r0000", "../r0001", "1", ""])
def test_only_the_next_round_or_one_that_was_opened_has_an_id(
    workspace: Workspace, round: str
):
    with pytest.raises(ServiceError, match="or r0001"):
        workspace.open_round(round, briefs=20)

    assert workspace.round_ids() == ()


def test_rounds_are_in_the_order_of_their_numbers(tmp_path: Path):
    workspace = Workspace(tmp_path)
    for number in (9999, 10000, 2):
        folder = workspace.round_dir(f"r{number:04d}")
        folder.mkdir(parents=True)
        (folder / "opening.json").write_text(dump({}))
        (folder / "summary.json").write_text("{}")

    assert workspace.round_ids() == ("r0002", "r9999", "r10000")
    assert workspace.before("r10000") == ("r0002", "r9999")
    assert workspace.next_round() == "r10001"


def test_a_folder_among_the_rounds_that_is_none_is_no_round(tmp_path: Path):
    (tmp_path / "data/rounds/notes").mkdir(parents=True)

    assert Workspace(tmp_path).round_ids() == ()


@pytest.mark.parametrize("text", ["", "[]", '{"round": 3}'])
@pytest.mark.parametrize("file", ["opening.json", "summary.json"])
def test_a_damaged_file_of_a_round_is_named_with_the_way_back(
    workspace: Workspace, file: str, text: str
):
    workspace.open_round(None, briefs=20)
    (workspace.round_dir("r0001") / file).write_text(text)

    read: dict[str, Callable[[str], object]] = {
        "opening.json": workspace.open_round,
        "summary.json": workspace.read_summary,
    }

    with pytest.raises(TableError, match=rf"r0001/{file}.*dvc checkout"):
        read[file]("r0001")


def test_a_damaged_clock_is_named(workspace: Workspace):
    path = workspace.clock("r0001")
    path.parent.mkdir(parents=True)
    path.write_text("soon")

    with pytest.raises(TableError, match=r"r0001\.json.*delete"):
        workspace.clocked("r0001")


def test_a_folder_that_is_no_round_is_left_alone(workspace: Workspace):
    workspace.open_round(None, briefs=20)
    other = workspace.data / "rounds" / "notes"
    other.mkdir()
    (other / "opening.json").write_text("{}")

    assert workspace.round_ids() == ("r0001",)


def test_a_first_bank_that_was_killed_before_it_was_in_use_is_put_in_use(
    workspace: Workspace,
):
    store = workspace.ready_bank()
    (store.root / "HEAD").unlink()

    assert workspace.ready_bank().head() == 1


def test_a_head_that_was_lost_later_is_not_made_up(workspace: Workspace):
    store = workspace.ready_bank()
    name = min(store.current().names())
    store.set_head(store.write(store.current().with_status(name, "suspended", "x")))
    (store.root / "HEAD").unlink()

    with pytest.raises(BankError, match="rollback 2"):
        workspace.ready_bank().head()


def test_a_round_that_git_remembers_is_never_begun_anew(workspace: Workspace):
    workspace.open_round(None, briefs=20)
    end(workspace, "r0001")
    shutil.rmtree(workspace.round_dir("r0001"))

    assert workspace.next_round() == "r0002"
    with pytest.raises(ServiceError, match="no such round"):
        workspace.check_round("r0001")


def test_the_secret_stays_one_is_private_and_differs_between_workspaces(tmp_path: Path):
    one, other = (Workspace(tmp_path / name) for name in ("one", "other"))

    assert one.secret() == one.secret() != other.secret()
    assert one.secret_path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("left", [b"", b"short"])
def test_a_damaged_secret_is_an_error_and_not_a_weaker_one(tmp_path: Path, left: bytes):
    workspace = Workspace(tmp_path)
    workspace.secret()
    workspace.secret_path.write_bytes(left)

    with pytest.raises(TrafficError, match=r"pseudonyms\.key"):
        workspace.secret()
