"""`skillbank gate`: the rule on votes made elsewhere, and one proposal again."""

from pathlib import Path
from typing import Annotated

import typer

from flows.gate_options import band_of, gate_params, naming
from flows.printing import emit
from skillbank.codec import fields_of
from skillbank.gate import Prices, gate_votes, plan_gate
from skillbank.gate.foresight import RULES, foresee
from skillbank.gate.noise import Noise
from skillbank.gate.planner import PROPOSALS
from skillbank.gate.settle import Asked
from tasks.votes import read_votes
from tasks.workspace import find_workspace

gate_app = typer.Typer(no_args_is_help=True, help="Ask the gate by hand.")

Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


@gate_app.command()
def score(
    file: Annotated[Path, typer.Argument(help="Votes: .json, .csv or .parquet.")],
    workspace: Annotated[
        Path | None,
        typer.Option("--workspace", "-w", help="Whose params.yaml; default: here."),
    ] = None,
    mode: Annotated[
        Asked | None, typer.Option(help="Which rule; default: as configured.")
    ] = None,
    band: Annotated[
        str | None, typer.Option(help="Half-width of the published tie band.")
    ] = None,
    cases: Annotated[
        int | None, typer.Option(min=1, help="Cases that the published rule requires.")
    ] = None,
    json: Json = False,
) -> None:
    """Apply the configured rule to votes made elsewhere; print verdict and cases.

    Columns: case, context, order (candidate_first or current_first) and vote
    (candidate, current, same or invalid). The certified rule, and auto, take all cases
    to be held out: none that the writer of the change saw.
    """
    source, params = gate_params(workspace)
    given = {"mode": mode, "band": band_of(band), "cases": cases}
    given = {name: value for name, value in given.items() if value is not None}
    params = params.model_copy(update=given)
    if params.mode == "certified" and (band or cases):
        text = "--band and --cases are of the published rule"
        raise typer.BadParameter(f"{text}; leave them out, or pass --mode published")
    found = gate_votes(read_votes(file), params)
    told = {
        "mode": found.mode,
        "asked": params.mode,
        "params": source,
        "numbers": fields_of(found.numbers),
    }
    emit({**told, **fields_of(found.verdict)}, json=json)
    if not json:
        emit(found.verdict.cases, json=False, title="cases")


@gate_app.command("plan")
def plan_(
    workspace: Annotated[Path, typer.Option("--workspace", "-w")] = Path("."),
    mode: Annotated[
        Asked | None, typer.Option(help="Which rule; default: as configured.")
    ] = None,
    ties: Annotated[
        float | None,
        typer.Option(help="Tie share of A/A contexts; default: as rounds measured it."),
    ] = None,
    proposals: Annotated[int, typer.Option(min=1, help="Of a round.")] = 1,
    prices: Annotated[
        tuple[float, float], typer.Option(help="Dollars of a run and of a judge call.")
    ] = (0.0, 0.0),
    json: Json = False,
) -> None:
    """Say what the configured gate lets in and what it costs, before any replay."""
    from flows.planning import forbidden, plan_rows, plan_value, when
    from tasks.planning import measured

    found = find_workspace(workspace)
    params = found.params.gate.model_copy(update={"mode": mode} if mode else {})
    with naming("--prices"):
        cost = Prices(run_usd=prices[0], call_usd=prices[1])
    if ties is not None:
        with naming("--ties"):
            Noise.of_ties(ties)
    with naming("--proposals", PROPOSALS):
        if ties is None:
            seen = measured(found)
            source = seen.source
            outlays = foresee(params, seen, prices=cost, proposals=proposals)
        else:
            source = "as given"
            outlays = tuple(
                plan_gate(params, rule, ties=ties, prices=cost, proposals=proposals)
                for rule in RULES[params.mode]
            )
    if json:
        values = [plan_value(outlay) for outlay in outlays]
        emit(values if params.mode == "auto" else values[0], json=True)
        return
    for outlay in outlays:
        where = when(params.mode, outlay.mode, params.certified.least)
        title = f"{outlay.mode}{where}, {outlay.ties:.2f} ties ({source})"
        emit(plan_rows(outlay), json=False, title=title)
        for text in outlay.warnings:
            emit(f"note: {text}", json=False)
    emit(f"note: {forbidden(found)}", json=False)


@gate_app.command()
def replay(
    proposal: Annotated[str, typer.Argument(help="Id, as the report shows it.")],
    workspace: Annotated[Path, typer.Option("--workspace", "-w")] = Path("."),
    times: Annotated[int, typer.Option(min=1, help="How often.")] = 1,
    json: Json = False,
) -> None:
    """Replay one proposal again with fresh seeds; its recorded verdict stands."""
    from flows.replay_one import replay_again

    emit(replay_again(find_workspace(workspace), proposal, times), json=json)
