"""A whole round on traffic full of secrets, and then every byte that it leaves.

The traffic itself is the user's: it lies where they gave it, outside the workspace, and
is only read. All that a round writes, in the workspace and at Prefect's server, must
hold no planted secret: tables, report, MLflow's store, logs, the journal, DVC's cache
and remote, git's objects. Only the key of the pseudonyms is a secret that is kept, in
a file of its own in `state/`.
"""

import json
import random
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from flows.cli import main
from flows.doctor import Finding, examine
from flows.server import drain
from skillbank.tables import MISFITS, RUNS
from tasks.tables import read_table, table_path
from tasks.workspace import Workspace, copy_shipped
from tests.artefacts import found_in
from tests.skillbank.traffic.corpus import values
from tests.skillbank.traffic.corpus.cases import KINDS, planted
from tests.traced import bank, traces_workspace
from tests.workspaces import play_round, small_workspace

N_RUNS, N_BRIEFS = 14, 6


class Plants:
    """Secrets of each kind in turn, each remembered."""

    def __init__(self) -> None:
        self.secrets: list[str] = []
        self._cases = {
            kind: (one for one in planted(kind, 20_000, 77) if one.place == "English")
            for kind in KINDS
        }
        self._turn = 0

    def text(self) -> str:
        """A text that holds one."""
        kind = KINDS[self._turn % len(KINDS)]
        self._turn += 1
        case = next(self._cases[kind])
        self.secrets.append(case.needle)
        return case.text

    def hidden(self) -> str:
        """A text that holds one in base64."""
        return f"data: {b64encode(self.text().encode()).decode()}"


def _line(number: int, plants: Plants) -> str:
    """A run with a secret in each of its texts."""
    text = plants.text
    run = {
        "run_id": f"theirs-{number}",
        "brief": {
            "id": f"ticket-{number}",
            "text": f'Banner for our winter sale, the button says "Go". {text()}',
            "cohort": "print",
            "facts": {"client": {"note": text()}},
        },
        "session": f"session {number}: {text()}",
        "user": text(),
        "tenant": text(),
        "started": "2026-03-02T10:00:00Z",
        "steps": [
            {
                "subtask": "headline",
                "tool": "place_text",
                "arguments": {
                    "text": text(),
                    text(): "12",
                    "json": json.dumps([text()]),
                },
                "result": plants.hidden(),
                "error": f"OSError: cannot open it\n{text()}",
            }
        ],
        "recalls": [
            {
                "subtask": "headline",
                "skill": "main-headline",
                "version": 1,
                "relevance": 0.8,
                "reason": text(),
            }
        ],
        "uncovered": [{"name": "map", "phrase": f"draw a map of {text()}"}],
        "output": json.dumps({"text": text(), "more": json.dumps({"deep": text()})}),
        "reason": text(),
        "followups": [text(), plants.hidden()],
        "ratings": [{"name": "stars", "value": 2, "text": text()}],
        "skills": [{"skill": "main-headline", "how": "opened", "error": text()}],
        "score": 0.2 if number % 3 else 0.9,
        "provenance": "human",
        "their_own_field": text(),
    }
    return json.dumps(run, ensure_ascii=number % 2 == 0)


def _quarantined(plants: Plants) -> Iterator[str]:
    yield f'{{"run_id": "broken", "brief": {plants.text()}'
    yield json.dumps(
        {"run_id": "x1", "brief": {"id": "b", "text": 7}, "a": plants.text()}
    )
    yield json.dumps({"brief": {"id": plants.text(), "text": plants.text()}})
    yield json.dumps(
        {"run_id": "x2", "brief": {"id": "b", "text": "A"}, "score": plants.text()}
    )
    yield json.dumps({plants.text(): plants.hidden()})
    yield plants.text()


@dataclass(frozen=True)
class Played:
    workspace: Workspace
    traffic: Path
    secrets: list[str]
    given: str
    """Name of a file whose path somebody gave, which is kept so that it is found."""


def _week(folder: Path, plants: Plants) -> Path:
    """A week of runs, a run twice, lines that are none, and a file that is none."""
    folder.mkdir(parents=True)
    lines = [_line(number, plants) for number in range(N_RUNS)]
    name = values.email(random.Random(3))
    (folder / f"export of {name}.jsonl").write_text(
        "\n".join([*lines, lines[0], *_quarantined(plants)]) + "\n"
    )
    (folder / f"{name}.bin").write_bytes(b"\x00\x01 " + plants.text().encode())
    plants.secrets.append(name)
    return folder


def _wishes(folder: Path, plants: Plants) -> Path:
    """Briefs in plain words, and a line that is none."""
    folder.mkdir(parents=True)
    lines = [
        {
            "id": plants.text(),
            "text": f'Banner for our winter sale, it says "Go". {plants.text()}',
            "must_say": ["Go", plants.text()],
            "cohort": plants.text(),
        }
        for _ in range(N_BRIEFS)
    ]
    name = values.email(random.Random(4))
    path = folder / f"wishes of {name}.jsonl"
    bad = json.dumps({"text": 7, "note": plants.text()})
    path.write_text("\n".join([*map(json.dumps, lines), bad, plants.text()]) + "\n")
    return path


@pytest.fixture(scope="module", params=["studio", "briefs", "traces"])
def played(
    request: pytest.FixtureRequest,
    prefect_server: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Played:
    """A round on a week in the studio, on briefs, and on a week without an agent."""
    base, plants = tmp_path_factory.mktemp("private"), Plants()
    if request.param == "briefs":
        given, source = "briefs", _wishes(base / "week", plants)
    else:
        given, source = "traffic", _week(base / "week", plants)
    if request.param == "traces":
        workspace = traces_workspace(base / "ours", bank(base / "skills"))
    else:
        workspace = small_workspace(
            base / "ours", fixed=4, sealed=2, evolve={"workers": 1}
        )
    play_round(workspace, given=given, source=source)  # type: ignore[arg-type]
    drain()
    given_name = source.name if source.is_file() else ""
    return Played(workspace, base / "week", plants.secrets, given_name)


def test_what_was_planted_is_in_the_traffic(played: Played):
    found = found_in(played.traffic, played.secrets)

    assert len(set(played.secrets)) > (20 if played.given else 250)
    assert set(found) == set(played.secrets)


def test_the_runs_were_read_and_have_pseudonyms(played: Played):
    folder = played.workspace.round_dir("r0001")
    runs = read_table(table_path(folder, RUNS), RUNS)
    misfits = read_table(table_path(folder, MISFITS), MISFITS)
    found = {kind for kind in KINDS if f"<{kind}:" in str(runs)}

    if played.given:  # briefs hold less, and what is none is only told
        assert len(runs) == N_BRIEFS
        assert len(found) >= 4
        return
    assert len(runs) >= N_RUNS
    assert len(misfits) >= 5
    assert found == set(KINDS)


def test_nothing_that_a_round_writes_holds_a_planted_secret(played: Played):
    found = found_in(played.workspace.root, played.secrets)

    assert found == {}


def test_a_path_that_was_given_is_kept_only_where_a_round_goes_on_from(
    played: Played,
):
    named = [played.given] if played.given else []

    found = found_in(played.workspace.root, named)

    opening = played.workspace.round_dir("r0001") / "opening.json"
    copies = {
        path.relative_to(played.workspace.root).as_posix()
        for path in played.workspace.root.rglob("*")
        if path.is_file() and path.read_bytes() == opening.read_bytes()
    }
    assert set().union(*found.values()) == (copies if named else set())


def test_what_a_round_keeps_of_a_path_is_the_way_from_the_workspace(played: Played):
    opening = played.workspace.open_round("r0001")

    assert not Path(opening.source).is_absolute()
    assert (played.workspace.root / opening.source).exists()


def test_no_log_and_no_record_of_prefect_holds_a_planted_secret(
    played: Played, tmp_path_factory: pytest.TempPathFactory
):
    base = tmp_path_factory.getbasetemp()
    homes = [one for one in (base / "prefect", base.parent / "prefect") if one.is_dir()]

    assert homes
    for home in homes:
        assert found_in(home, played.secrets) == {}


def test_doctor_names_a_key_that_others_may_read_and_one_that_is_lost(played: Played):
    def found() -> Finding:
        of = {one.what: one for one in examine(played.workspace.root)}
        return of["pseudonyms"]

    path = played.workspace.secret_path
    key = path.read_bytes()
    well = found()
    path.chmod(0o644)
    open_to_all = found()
    path.unlink()
    lost = found()
    path.write_bytes(key)
    path.chmod(0o600)

    assert well.ok
    assert "mode 644" in open_to_all.seen
    assert "chmod 600" in open_to_all.remedy
    assert "1 round(s)" in lost.seen
    assert not lost.ok


@pytest.mark.parametrize("how", ["people", "machines"])
def test_neither_a_dataset_nor_what_is_printed_of_it_holds_a_planted_secret(
    how: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    plants = Plants()
    traffic = _week(tmp_path / "week", plants)
    workspace = copy_shipped(tmp_path / "ours").root
    arguments = ["ingest", str(traffic), "-w", str(workspace), "--workers", "2"]

    with pytest.raises(SystemExit) as ended:
        main(
            [*arguments, "--out", str(tmp_path / "made" / "runs")]
            + (["--json"] if how == "machines" else [])
        )

    printed = tmp_path / "printed"
    printed.mkdir()
    (printed / "all").write_text("".join(capfd.readouterr()))
    assert ended.value.code == 3
    assert list((tmp_path / "made" / "runs.quarantine").rglob("*.parquet"))
    assert found_in(tmp_path / "made", plants.secrets) == {}
    assert found_in(workspace, plants.secrets) == {}
    # but the paths that were given, as they were given
    in_paths = {one for one in plants.secrets if one in str(sorted(traffic.iterdir()))}
    assert set(found_in(printed, plants.secrets)) <= in_paths
