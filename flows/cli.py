"""The command `skillbank`: thin, over the flows and the library.

Vendors are imported inside the commands that need them, so that `skillbank bank list`
answers at once. Every command takes `--json`; an error is printed as one paragraph with
the command that mends it, and the exit status is 2. For machines it is an object with
the key `error`. Rounds whose judge fell below its bar end with status 3.
"""

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from flows.cli_bank import bank_app
from flows.cli_gate import gate_app
from flows.cli_ingest import ingest
from flows.history import seconds_by_round
from flows.printing import emit, evolve_table, plain, progress, refuse
from flows.seeding import left_out, seed_skills
from skillbank.errors import ServiceError, SkillbankError
from skillbank.params import WorldName
from skillbank.summary import RoundSummary
from tasks.workspace import (
    Given,
    Scale,
    copy_for_traces,
    copy_shipped,
    find_workspace,
)

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Improve an agent's bank of skills, behind a gate that can say no.",
)
app.add_typer(bank_app, name="bank")
app.add_typer(gate_app, name="gate")
app.command("ingest")(ingest)

Folder = Annotated[
    Path, typer.Option("--workspace", "-w", help="Folder with params.yaml and data/.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
HERE = Path(".")
JUDGE = 3
"""Exit status of rounds whose judge may not gate: they ran, and let nothing in."""
_ENDED: Mapping[object, Mapping[str, str]] = {
    2: {
        "kind": "usage",
        "place": "command line",
        "seen": "options or arguments that the command does not take",
        "expected": "those that its help lists",
        "remedy": "run the command with --help",
    },
    130: {
        "kind": "interrupted",
        "place": "command line",
        "seen": "an interrupt",
        "expected": "time to end",
        "remedy": "run the command again: a round goes on where it stood",
    },
}
"""What machines are told by exit status, where no error of ours says more."""


@app.command()
def init(
    folder: Annotated[Path, typer.Argument()],
    scale: Annotated[
        Scale,
        typer.Option(help="full: 1,406 briefs in five rounds, 200 + 100 fixed ones."),
    ] = "small",
    world: Annotated[
        WorldName, typer.Option(help="traces: no agent, traffic is read alone.")
    ] = "studio",
    bank: Annotated[
        Path | None, typer.Option(help="Folder of skill folders to begin with.")
    ] = None,
    leave_out: Annotated[
        bool, typer.Option("--leave-out", help="Skills of --bank that do not fit.")
    ] = False,
    json: Json = False,
) -> None:
    """Make FOLDER into a workspace: the embedded world, or a bank of your own.

    With `--world traces --bank SKILLS` it is for traffic of an agent that is not at
    hand: rounds read it, propose changes and leave them undecided.
    """
    from tasks.versions import init_workspace

    told: dict[str, object] = {}
    if (world == "traces") != (bank is not None):
        raise typer.BadParameter("--world traces and --bank SKILLS go together")
    if bank is None:
        workspace = copy_shipped(folder, scale)
    else:
        skills = seed_skills(bank, leave_out=leave_out)
        workspace = copy_for_traces(folder, skills)
        told = {"skills": len(skills.skills)}
        if odd := left_out(skills):
            told["left_out"] = odd
    init_workspace(workspace.root)
    emit({"workspace": str(workspace.root), **told}, json=json)


@app.command()
def doctor(workspace: Folder = HERE, json: Json = False) -> None:
    """Say what is there, what is missing, and what to do about it."""
    from flows.doctor import examine

    findings = examine(workspace)
    emit(findings, json=json)
    if not all(finding.ok for finding in findings):
        raise typer.Exit(1)


@app.command()
def evolve(
    workspace: Folder = HERE,
    rounds: Annotated[int | None, typer.Option(min=1)] = None,
    briefs: Annotated[int | None, typer.Option(min=1)] = None,
    json: Json = False,
) -> None:
    """Run several rounds in a row on simulated traffic, and print what came of it.

    Ends with status 3 if in any of them the judge fell below its bar.
    """
    from flows.evolve import run_evolve

    found = find_workspace(workspace)
    began = time.monotonic()
    with progress(quiet=json):
        table = run_evolve(found, rounds=rounds, briefs=briefs)
    took = time.monotonic() - began
    by_round = seconds_by_round(found)
    emit(table, json=json, people=evolve_table(table, took, by_round))
    _alarm(table)


@app.command("round")
def one_round(
    workspace: Folder = HERE,
    id: Annotated[
        str | None, typer.Option(help="Resume this round, such as r0002.")
    ] = None,
    briefs: Annotated[
        Path | None, typer.Option(help="Briefs that the agent is to attempt.")
    ] = None,
    traffic: Annotated[Path | None, typer.Option(help="Trace files to read.")] = None,
    json: Json = False,
) -> None:
    """Run one round: on simulated traffic, on trace files, or on somebody's briefs.

    Ends with status 3 if the judge fell below its bar, so that nothing was let in.
    """
    from flows.evolve import run_round

    found = find_workspace(workspace)
    if briefs and traffic:
        raise typer.BadParameter("give --briefs or --traffic, not both")
    given: Given = "briefs" if briefs else "traffic" if traffic else "simulated"
    began = time.monotonic()
    with progress(quiet=json):
        table = run_round(found, id, given, briefs or traffic)
    took = time.monotonic() - began
    by_round = seconds_by_round(found)
    emit(table, json=json, people=evolve_table(table, took, by_round))
    _alarm(table)


@app.command()
def benchmark(
    workspace: Folder = HERE,
    bank: Annotated[
        int | None, typer.Option(help="Bank version; default: HEAD.")
    ] = None,
    json: Json = False,
) -> None:
    """Measure a bank version on the fixed benchmark, beside no skills and the seed."""
    from flows.benchmark import run_benchmark

    with progress(quiet=json):
        table = run_benchmark(find_workspace(workspace), bank)
    emit(table, json=json)


@app.command()
def rounds(workspace: Folder = HERE, json: Json = False) -> None:
    """List the finished rounds: proposed, committed, refused, bank and benchmark."""
    from flows.history import round_table

    emit(round_table(find_workspace(workspace)), json=json)


@app.command()
def report(
    round: Annotated[str | None, typer.Argument(help="Default: the newest.")] = None,
    workspace: Folder = HERE,
    json: Json = False,
) -> None:
    """Write a round's report again and say where it is."""
    from flows.history import rewrite_report

    emit({"report": str(rewrite_report(find_workspace(workspace), round))}, json=json)


@app.command()
def serve(
    workspace: Folder = HERE,
    port: Annotated[int, typer.Option(min=1, max=65535)] = 4200,
    cron: Annotated[str, typer.Option(help="When, in UTC.")] = "0 6 * * 1",
    json: Json = False,
) -> None:
    """Run a Prefect server with the weekly deployment, until interrupted."""
    from flows.serve import serve as serve_flow
    from flows.weekly_round import weekly_round

    root = find_workspace(workspace).root
    serve_flow(
        weekly_round,
        root,
        port=port,
        cron=cron,
        parameters={"form": {"workspace": str(root)}},
        ready=(lambda page: emit({"deployments": page}, json=True)) if json else None,
    )


def _alarm(rounds: Sequence[RoundSummary]) -> None:
    """End with a status of its own where a judge may not gate: the round decided none.

    All that was asked for is done and written; what it was done for did not happen.
    """
    if any(one.judge_faults for one in rounds):
        raise typer.Exit(JUDGE)


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point: a problem that the reader can solve ends without a traceback.

    Args:
        arguments: Of the command line; None: those that the process was given.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    json = "--json" in given
    try:
        app(given, prog_name="skillbank")
    except SkillbankError as error:
        refuse(error, json=json)
        raise SystemExit(2) from None
    except OSError as error:  # no right, no room, no such place
        refuse(_of_the_system(error), json=json)
        raise SystemExit(2) from None
    except SystemExit as ended:
        if json and ended.code in _ENDED:  # people see why, or know
            told = {**_ENDED[ended.code], **_misuse(ended.__context__)}
            emit({"error": told}, json=True)
        raise
    except Exception as error:
        if json:  # machines are told too; the traceback is for a report of the fault
            emit(
                {"error": {"kind": type(error).__name__, "seen": str(error)}}, json=True
            )
        raise


def _misuse(error: BaseException | None) -> Mapping[str, str]:
    """What the parser of the command line said to people: it names the option.

    Typer ends the process while it handles the error, whose class has no public name in
    all versions that we take.
    """
    said = getattr(error, "format_message", None)
    if said is None:
        return {}
    command = getattr(getattr(error, "ctx", None), "command_path", "skillbank")
    return {"place": command, "seen": plain(said()), "remedy": f"{command} --help"}


def _of_the_system(error: OSError) -> ServiceError:
    return ServiceError(
        str(error.filename or "the system"),
        seen=error.strerror or str(error) or type(error).__name__,
        expected="a place that can be read and written, with room left",
        remedy="see to rights and space there, then run the command again",
    )


if __name__ == "__main__":
    main()
