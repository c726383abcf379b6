"""A workspace: a folder with params.yaml, data/ and what belongs to its rounds."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes
from typing import Literal

from skillbank.codec import dump, load
from skillbank.errors import ServiceError, TrafficError
from skillbank.params import Params, read_params
from skillbank.roundid import is_round_id, round_id, round_number
from skillbank.skills.importing import Found
from skillbank.skills.store import BankStore
from skillbank.summary import RoundSummary
from tasks.locks import held
from tasks.values import read_value, write_value
from tasks.versions import remembered

_SHIPPED = Path(__file__).resolve().parents[1]
"""The repository's root, which is a workspace itself: new ones are copied from it."""
_COPIED = ("params.yaml", "data/benchmark", "data/bank/seed")
_FULL = "data/benchmark-full"
_FULL_BRIEFS = "281.2"

Scale = Literal["small", "full"]
"""How much is played and measured: of traffic 80 briefs a round, or 1,406 in five; of
fixed briefs 80 and 40 sealed ones, or 200 and 100."""
_SECRET = 32  # bytes
Given = Literal["simulated", "traffic", "briefs"]
"""Where a week's work comes from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What a round started from; written first, so that a resumed round agrees."""

    round: str
    number: int
    bank: int
    """Bank version that was HEAD when the round began."""
    briefs: int
    """Briefs of simulated traffic."""
    source: str = ""
    """Traffic or briefs that somebody supplied, from the workspace: DVC shares this
    file, and no home folder need be in it. Empty: simulated."""
    given: Given = "simulated"


@dataclass(frozen=True, slots=True)
class Workspace:
    """Where everything of one bank lies; a value, cheap to pass to tasks."""

    root: Path

    @property
    def params(self) -> Params:
        """params.yaml, read anew.

        Raises:
            ParamsError: If it does not say what it must.
        """
        return read_params(self.root / "params.yaml")

    @property
    def data(self) -> Path:
        """What rounds read and write."""
        return self.root / "data"

    @property
    def state(self) -> Path:
        """What servers and stores keep: not versioned, may be deleted when idle."""
        return self.root / "state"

    @property
    def bank(self) -> BankStore:
        """The bank's versions and HEAD."""
        return BankStore(self.data / "bank")

    def ready_bank(self) -> BankStore:
        """The bank; where it has no version yet, the seed becomes the first."""
        store = self.bank
        begun = store.numbers() == (1,) and not store.has_head  # killed before HEAD
        if begun or not store.numbers():
            store.seed(self.data / "bank" / "seed", author="operator")
        return store

    @property
    def journal(self) -> Path:
        """The journal's file."""
        return self.data / "journal" / "journal.sqlite"

    @property
    def golden(self) -> Path:
        """The replay set's table."""
        return self.data / "replay" / "golden.parquet"

    @property
    def secret_path(self) -> Path:
        """Where the secret behind pseudonyms lies; not versioned."""
        return self.state / "pseudonyms.key"

    def secret(self) -> bytes:
        """The secret behind pseudonyms; made when it is first asked for.

        Raises:
            TrafficError: If it is damaged: whoever knows a part could test guesses.
        """
        path = self.secret_path
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = path.with_name(f".{path.name}.{os.getpid()}")
            fresh.touch(mode=0o600)
            fresh.write_bytes(token_bytes(_SECRET))
            with suppress(FileExistsError):  # the first one stays, and is never half
                os.link(fresh, path)
            fresh.unlink()
        secret = path.read_bytes()
        if len(secret) != _SECRET:
            raise TrafficError(
                str(path),
                seen=f"{len(secret)} bytes",
                expected=f"the {_SECRET} bytes that it was made with",
                remedy="bring it back from a backup, or delete it: pseudonyms of later "
                "rounds then differ from those of earlier ones",
            )
        return secret

    def benchmark(self, name: str) -> Path:
        """The fixed briefs `benchmark` or `sealed`."""
        return self.data / "benchmark" / f"{name}.jsonl"

    @property
    def fixed(self) -> tuple[Path, ...]:
        """The files of all fixed briefs; none where nothing is ever replayed."""
        both = (self.benchmark(name) for name in ("benchmark", "sealed"))
        return tuple(path for path in both if path.exists())

    def traffic(self, round_id: str) -> Path:
        """Where the simulated traffic of a round is written."""
        return self.data / "traffic" / f"{round_id}.jsonl"

    def clock(self, round_id: str) -> Path:
        """Where the durations of a round are kept, in seconds by name."""
        return self.state / "rounds" / f"{round_id}.json"

    def clocked(self, round_id: str) -> dict[str, float]:
        """The durations of a round that were kept so far, in seconds by name.

        Raises:
            TableError: If their file is damaged.
        """
        path = self.clock(round_id)
        if not path.exists():
            return {}
        kept: dict[str, float] = read_value(path, dict[str, float], f"delete {path}")
        return kept

    def summary(self, round_id: str) -> Path:
        """Where a round says what it came to: with it, it has ended."""
        return self.round_dir(round_id) / "summary.json"

    def read_summary(self, round_id: str) -> RoundSummary:
        """What a finished round came to.

        Raises:
            TableError: If its file is damaged.
        """
        path = self.summary(round_id)
        summary: RoundSummary = read_value(path, RoundSummary, _back(self, path))
        return summary

    def round_dir(self, round_id: str) -> Path:
        """Where a round keeps its tables and its report."""
        return self.data / "rounds" / round_id

    def round_ids(self) -> tuple[str, ...]:
        """Every round that was opened, oldest first."""
        found = (path.parent.name for path in self.data.glob("rounds/*/opening.json"))
        return tuple(sorted(filter(is_round_id, found), key=round_number))

    def finished(self) -> tuple[str, ...]:
        """Every round that moved HEAD or decided not to, oldest first."""
        return tuple(
            round_id for round_id in self.round_ids() if self.summary(round_id).exists()
        )

    def unfinished(self) -> tuple[str, ...]:
        """Every round that was opened and not yet remembered whole, oldest first."""
        done = remembered(self.root)
        return tuple(id for id in self.round_ids() if id not in done)

    def before(self, round: str) -> tuple[str, ...]:
        """The finished rounds before this one, oldest first."""
        number = round_number(round)
        return tuple(id for id in self.finished() if round_number(id) < number)

    def next_round(self) -> str:
        """The id of the round after all that were opened, here or in git's memory."""
        known = {*self.round_ids(), *filter(is_round_id, remembered(self.root))}
        return round_id(max(map(round_number, known), default=0) + 1)

    def check_round(self, round: str | None) -> None:
        """See that this round may begin, or be resumed.

        Args:
            round: Its id; None: the next one.

        Raises:
            ServiceError: If no round can have this id now, or another has to be ended
                first: two at once would each move HEAD from the same bank.
        """
        known, fresh = self.round_ids(), self.next_round()
        if round in known:
            return
        if round not in (None, fresh):
            raise ServiceError(
                f"round {round!r}",
                seen="no such round",
                expected=f"one of {', '.join(known[-8:]) or 'none yet'}, or {fresh}",
                remedy="leave the id out to start the next round",
            )
        if left := self.unfinished():
            raise ServiceError(
                f"round {fresh}",
                seen=f"round {left[0]} was begun and has not ended",
                expected="one round at a time",
                remedy=f"skillbank round --id {left[0]}; to give it up delete "
                f"{self.round_dir(left[0])}",
            )

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the workspace while a round runs; a killed process holds nothing.

        Raises:
            ServiceError: If another one runs a round here.
        """
        self.state.mkdir(parents=True, exist_ok=True)
        busy = ServiceError(
            str(self.root),
            seen="another process runs a round here",
            expected="one round at a time",
            remedy="wait until it has ended (or end it), then run this again",
        )
        with held(self.state / "round.lock", busy):
            yield

    def open_round(self, round: str | None, **given: object) -> Opening:
        """Open a new round, or the one of this id as it was opened.

        Raises:
            ServiceError: If the round may not begin.
        """
        self.check_round(round)
        round = round or self.next_round()
        path = self.round_dir(round) / "opening.json"
        if path.exists():
            opening: Opening = read_value(path, Opening, _back(self, path))
            return opening
        started = {
            "round": round,
            "number": round_number(round),
            "bank": self.ready_bank().head(),
        }
        opening = load(Opening, dump({**started, **given}))
        write_value(path, opening)
        return opening


def _back(workspace: Workspace, path: Path) -> str:
    """How a damaged file of a round is mended."""
    return (
        f"if the round has ended, `dvc checkout` in {workspace.root} brings the file "
        f"back; else delete {path.parent} to give the round up"
    )


def find_workspace(folder: Path) -> Workspace:
    """The workspace that a folder is.

    Raises:
        ServiceError: If the folder is none.
    """
    if not (folder / "params.yaml").is_file() or not (folder / "data").is_dir():
        raise ServiceError(
            str(folder),
            seen="no params.yaml and data/ here",
            expected="a workspace",
            remedy="run `skillbank init FOLDER`, or pass --workspace FOLDER",
        )
    return Workspace(folder.resolve())


def copy_shipped(folder: Path, scale: Scale = "small") -> Workspace:
    """Make a folder into a workspace with the shipped world, bank and benchmark.

    What is there already is kept: only what is missing is copied.

    Raises:
        ServiceError: If a workspace of another scale is there.
    """
    if scale == "full":
        _check_full(folder)
    for name in _COPIED:
        full = scale == "full" and name == "data/benchmark"
        source, target = _SHIPPED / (_FULL if full else name), folder / name
        if target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copyfile(source, target)
            if scale == "full":
                _enlarge(target)
    return Workspace(folder.resolve())


def copy_for_traces(folder: Path, skills: Found) -> Workspace:
    """Make a folder into a workspace for traffic of an agent that is not at hand.

    What is there already is kept: only what is missing is written.

    Args:
        folder: The workspace.
        skills: The bank to begin with; what is odd or refused in it is left out.

    Raises:
        ServiceError: If a workspace of another world is there.
    """
    target = folder / "params.yaml"
    if target.exists() and read_params(target).world != "traces":
        raise ServiceError(
            str(folder),
            seen="a workspace of another world",
            expected="an empty folder, or a workspace for traces",
            remedy="skillbank init --world traces --bank SKILLS ANOTHER_FOLDER",
        )
    seed = folder / "data/bank/seed"
    if not seed.exists():
        seed.parent.mkdir(parents=True, exist_ok=True)
        making = seed.with_name(".seed.making")
        shutil.rmtree(making, ignore_errors=True)
        for skill in skills.skills:
            skill.write(making / skill.name)
        making.rename(seed)
    if not target.exists():
        text = (_SHIPPED / "params.yaml").read_text(encoding="utf-8")
        target.write_text(
            text.replace("world: studio", "world: traces"), encoding="utf-8"
        )
    return Workspace(folder.resolve())


def _check_full(folder: Path) -> None:
    fixed = folder / "data/benchmark/benchmark.jsonl"
    shipped = _SHIPPED / _FULL / fixed.name
    if fixed.exists() and fixed.read_bytes() != shipped.read_bytes():
        raise ServiceError(
            str(folder),
            seen="a workspace with another benchmark",
            expected="an empty folder, or a workspace of full scale",
            remedy="skillbank init --scale full ANOTHER_FOLDER",
        )


def _enlarge(params: Path) -> None:
    """Write the full scale's briefs of a round into a params.yaml that was copied."""
    text = params.read_text(encoding="utf-8")
    larger, n = re.subn(
        r"(?m)^  briefs: \d+$", f"  briefs: {_FULL_BRIEFS}", text, count=1
    )
    if not n:
        raise ServiceError(
            str(params),
            seen="no line `  briefs: N`",
            expected="params.yaml as it is shipped",
            remedy="set evolve.briefs by hand",
        )
    params.write_text(larger, encoding="utf-8")
