"""A round as its tables would hold it: proposals of every fate, with good defaults."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from io import BytesIO

from PIL import Image, ImageDraw

from skillbank.agents.agent import Attempt, Ending
from skillbank.briefs.brief import Brief, Check, Outcome, Requirement
from skillbank.gate.case import Count
from skillbank.gate.ceilings import weigh
from skillbank.gate.cohorts import CohortGain
from skillbank.gate.declared import declare
from skillbank.gate.guards import Ceiling, Guards
from skillbank.gate.neighbours import Reach
from skillbank.gate.plan import Case, Plan
from skillbank.gate.reliability import reliability
from skillbank.gate.replay import Pair
from skillbank.gate.strata import Strata
from skillbank.gate.verdict import CaseState, Verdict
from skillbank.gate.votes import Cost, Vote, Votes
from skillbank.proposals.proposal import Kind, Proposal
from skillbank.proposals.propose import Skipped
from skillbank.records import (
    Arm,
    BankTest,
    BriefSet,
    CoPrimary,
    CurvePoint,
    Decision,
    Fate,
    Grade,
    Health,
    Measured,
    SidedRun,
    Standing,
    Suspect,
)
from skillbank.reports.build import Material
from skillbank.reports.proposals import Heard
from skillbank.rounds.replay import GateRecord
from skillbank.skills.bank import Bank
from skillbank.skills.entry import Change
from skillbank.skills.screen import Screening
from skillbank.skills.skill import Skill
from skillbank.summary import Figure, Gain, RoundSummary, TriggerCounts, axis_counts
from skillbank.traffic.run import Misfit, Reason, Run

BODY = """# {title}

## Steps

1. Place the {name} with `place_text` in the upper third.
2. Give it a colour that stands out from what lies below.

## Pitfalls

- A pale colour on a pale picture is not read.

## Checks

- It is read at arm's length.

```calls
place_text(role='{name}', text=brief.headline, x=0.08 * W, y=0.1 * H, size=0.06 * H)
```
"""
REVISED = BODY.replace("size=0.06 * H)", "size=0.09 * H, colour=contrast_of(board))")
ASKED = (
    "Northgate Cycles asks for a poster: the spring sale. Say “Time for the spring "
    "sale” large at the top, “-30 %” in a badge, and keep the legal line."
)


def skill(name: str, body: str = BODY) -> Skill:
    title = name.replace("-", " ").capitalize()
    return Skill.compose(
        name, f"Use when a {name} is asked for.", body.format(title=title, name=name)
    )


def bank(*names: str) -> Bank:
    made = [Change(kind="mint", skill=skill(name)) for name in names]
    return replace(Bank().with_commits(made, "r0000"), number=3)


def proposal(
    skill_name: str = "headline", kind: Kind = "edit", **more: object
) -> Proposal:
    body = BODY if kind == "mint" else REVISED
    values: dict[str, object] = {
        "round": "r0003",
        "axis": "widening" if kind == "mint" else "deepening",
        "kind": kind,
        "skill": skill_name,
        "base": None if kind == "mint" else 1,
        "text": skill(skill_name, body).text,
        "label": "badge for a price" if kind == "mint" else "",
        "note": "six failures have the same cause: the type is small and pale",
    }
    return Proposal(**(values | more))  # type: ignore[arg-type]


def attempt(brief: str, seed: int, ending: Ending = "ok", output: str = "") -> Attempt:
    return Attempt(
        brief=brief,
        context=f"c{seed}",
        seed=seed,
        ending=ending,
        reason="" if ending == "ok" else "seven calls were refused",
        output=(output or f"drawing {seed}") if ending == "ok" else "",
    )


VOTES: dict[str, tuple[Vote, Vote]] = {
    "w": ("candidate", "candidate"),
    "l": ("current", "current"),
    "t": ("candidate", "current"),
    "s": ("candidate", "same"),
}
STATES = {"w": "win", "t": "tie", "l": "regress", "o": "open"}


@dataclass
class Outputs:
    """Deals drawings out, one after the other."""

    texts: Sequence[str] = ()
    dealt: int = 0

    def deal(self) -> str:
        self.dealt += 1
        if not self.texts:
            return f"drawing {self.dealt}"
        return self.texts[self.dealt % len(self.texts)]


def pair(
    proposal_id: str,
    case: str,
    context: str,
    how: str,
    outputs: Outputs,
    brief: str = "b",
) -> Pair:
    """`how`: w, l, t, s (leaning), b (candidate broken), v (void)."""
    if how == "v":
        votes = Votes(void="candidate: the server went away")
    elif how == "b":
        votes = Votes(broken=frozenset({"candidate"}))
    else:
        votes = Votes(
            *VOTES[how],
            forbidden={"candidate": 1} if how == "l" else {},
            costs={"current": Cost(turns=9), "candidate": Cost(turns=14)},
        )
    ended: Ending = {"b": "broken", "v": "fault"}.get(how, "ok")  # type: ignore[assignment]
    scores = {"w": (0.52, 0.81), "l": (0.74, 0.43)}.get(how, (0.61, 0.61))
    new = attempt(brief, 2, ended, outputs.deal())
    if how == "l":
        new = replace(new, forbidden=("delete the legal line",))
    return Pair(
        proposal=proposal_id,
        case=case,
        context=context,
        current=attempt(brief, 1, output=outputs.deal()),
        candidate=new,
        votes=votes,
        outcome=votes.outcome,
        first_arm="current",
        judge_calls=2 if votes.first else 0,
        current_score=scores[0],
        candidate_score=None if how in "bv" else scores[1],
    )


CEILINGS = (Ceiling(what="turns", ratio=Fraction(3, 2)),)
REACH = Reach(
    looked=tuple(f"near-{n}" for n in range(20)),
    firing=("near-3", "near-7"),
    needed=("need-1", "need-2", "need-3"),
    met=("need-1", "need-3"),
)


@dataclass
class Tried:
    """A proposal with its trial."""

    proposal: Proposal
    fate: Fate
    record: GateRecord | None = None
    pairs: tuple[Pair, ...] = ()
    reason: str = ""


def tried(
    made: Proposal,
    fate: Fate,
    outcomes: Sequence[str] = (),
    outputs: Outputs | None = None,
) -> Tried:
    """A trial from a string a case, such as `ww` or `tlv`; empty: not replayed."""
    outputs = outputs or Outputs()
    if fate == "screened out":
        return Tried(made, fate, reason="1 step, at least 2 are asked")
    cases, states, pairs = [], [], []
    for number, hows in enumerate(outcomes, start=1):
        id = f"{made.id}-{number}"
        names = tuple(f"{id}-c{k}" for k in range(1, 5))
        cases.append(
            Case(
                id=id,
                brief=f"brief-{number}",
                stratum="retail" if number <= 2 else "culture",
                origin=number <= 2,
                contexts=names[:3],
                spares=names[3:],
            )
        )
        made_here = [
            pair(made.id, id, names[k], how, outputs, f"brief-{number}")
            for k, how in enumerate(hows)
        ]
        pairs += made_here
        states.append(_state(id, hows))
    decision, code, reason = _RULED[fate]
    plan = Plan(proposal=made.id, cases=tuple(cases), guards=Guards(ceilings=CEILINGS))
    counts = [Count(one.wins, one.ties, one.losses) for one in states]
    verdict = Verdict(
        proposal=made.id,
        plan=plan.hash,
        decision=decision,  # type: ignore[arg-type]
        code=code,  # type: ignore[arg-type]
        reason=reason,
        cases=tuple(states),
        planned=plan.planned,
        spent=len(pairs),
        forbidden={"candidate": sum(hows.count("l") for hows in outcomes)},
        strata=Strata(plan).states(counts),
        ceilings=weigh(CEILINGS, [one.votes for one in pairs]),
    )
    record = GateRecord(
        plan=plan,
        verdict=verdict,
        declared=declare(plan),
        passes=reliability(pairs, success_at=0.6, most=3),
        reach=REACH if made.kind == "mint" else None,
    )
    return Tried(made, fate, record, tuple(pairs), reason)


def _state(case: str, hows: str) -> CaseState:
    wins, losses = hows.count("w"), hows.count("l") + hows.count("b")
    ties = hows.count("t") + hows.count("s")
    verdict = "open"
    if len(hows) >= 2:
        verdict = "win" if wins > losses else "regress" if losses > wins else "tie"
    return CaseState(
        case=case,
        wins=wins,
        ties=ties,
        losses=losses,
        voids=hows.count("v"),
        leaning=hows.count("s"),
        verdict=verdict,  # type: ignore[arg-type]
    )


_RULED: dict[Fate, tuple[str, str, str]] = {
    "committed": ("commit", "commit", "no case regresses and 2 of 4 won"),
    "refused": ("refuse", "refuse:regressed", "1 of 4 cases regressed"),
    "undecided": (
        "undecided",
        "undecided:inconclusive",
        "1 of 4 cases have too few valid contexts and none regressed",
    ),
    "dropped": ("commit", "commit", "no case regresses and 1 of 4 won"),
    "screened out": ("", "", ""),
}


def decision(one: Tried) -> Decision:
    made = one.proposal
    harm = "replayed without: 9 losses, 1 wins"
    return Decision(
        proposal=made.id,
        round=made.round,
        axis=made.axis,
        kind=made.kind,
        skill=made.skill,
        base=made.base,
        fate=one.fate,
        reason=harm if one.fate == "dropped" else one.reason,
        drops=made.drops,
        version=(made.base or 0) + 1 if one.fate == "committed" else None,
    )


def figure(set: BriefSet, arm: Arm, completeness: float, success: float) -> Figure:
    return Figure(
        set=set,
        arm=arm,
        briefs=80 if set == "benchmark" else 40,
        missing=0,
        completeness=completeness,
        success=success,
        quality=0.78 if success else None,
    )


def gain(set: BriefSet, over: Arm, what: str, mean: float, half: float = 0.06) -> Gain:
    return Gain(
        set=set,
        over=over,
        what=what,
        briefs=80 if set == "benchmark" else 40,
        mean=mean,
        low=mean - half,
        high=mean + half,
    )


HEALTH = (
    Health(name="judge flip_rate", value=0.264, n=148),
    Health(name="judge consistency", value=0.736, n=148),
    Health(name="judge net_first_bias", value=0.155, n=148),
    Health(name="judge first_share", value=0.578, n=148),
    Health(name="judge bias_p", value=0.0002, n=148),
    Health(name="judge candidate_rate", value=0.541, n=148),
    Health(name="judge bias", value=0.42, n=148),
    Health(name="judge quality", value=0.13, n=148),
    Health(name="judge repeatability", value=0.71, n=148),
    Health(name="placebos let in", value=0.25, low=0.046, high=0.699, n=4),
    Health(name="paraphrases let in", value=0.5, low=0.095, high=0.905, n=2),
    Health(name="irrelevant cards let in", value=0.0, low=0.0, high=0.658, n=2),
    Health(name="degraded lost", value=0.99, low=0.945, high=0.998, n=100),
    Health(name="degraded lost this round", value=1.0, low=0.862, high=1.0, n=24),
    Health(name="A/A wins", value=16.0, n=42),
    Health(name="A/A losses", value=13.0, n=42),
    Health(name="A/A ties", value=13.0, n=42),
    Health(name="A/A harness p", value=0.711, n=42),
    Health(name="false accept rate", value=0.1342, low=0.118, high=0.139, n=42),
)


SETS: tuple[BriefSet, ...] = ("benchmark", "sealed")
UNMEASURED: tuple[BriefSet, Arm] = ("sealed", "previous")


def cohort_gain(
    cohort: str, mean: float, *, briefs: int = 100, adjusted: float = 0.34
) -> CohortGain:
    known = briefs > 1
    return CohortGain(
        cohort=cohort,
        briefs=briefs,
        current=briefs // 2,
        candidate=briefs // 2 + (1 if mean > 0 else -1),
        mean=mean,
        low=mean - 0.02 if known else None,
        high=mean + 0.02 if known else None,
        wins=briefs // 4,
        losses=briefs // 5,
        p=adjusted / 2,
        adjusted=adjusted,
    )


def summary(
    decisions: Sequence[Decision] = (), number: int = 3, **more: object
) -> RoundSummary:
    at = 0.40 + 0.045 * number
    levels: dict[Arm, float] = {
        "kept": at,
        "previous": at - 0.03,
        "seed": 0.41,
        "none": 0.22,
    }
    measured: list[tuple[BriefSet, Arm]] = [
        (set, arm) for set in SETS for arm in levels if (set, arm) != UNMEASURED
    ]
    values: dict[str, object] = {
        "round": f"r{number:04d}",
        "number": number,
        "bank_before": number,
        "bank_after": number + 1,
        "skills_before": 19 + number,
        "skills_after": 20 + number,
        "axes": (
            axis_counts("deepening", decisions),
            axis_counts("widening", decisions),
        ),
        "figures": tuple(
            figure(set, arm, levels[arm], levels[arm] - 0.1) for set, arm in measured
        ),
        "gains": tuple(
            gain(set, arm, what, at - levels[arm], 0.05 if set == "benchmark" else 0.07)
            for set, arm in measured
            if arm != "kept"
            for what in ("completeness", "success")
        ),
        "runs_planned": 1464,
        "runs_spent": 802,
        "control_runs": 84,
        "traffic": 83,
        "quarantined": 4,
        "health": HEALTH,
        "cohorts": {
            "benchmark": (
                cohort_gain("culture", -0.021, adjusted=0.041),
                cohort_gain("retail", 0.034),
            ),
            "golden": (cohort_gain("retail", 0.05, briefs=1),),
        },
        "triggers": TriggerCounts(proposals=3, fired=21, should=18, hit=16),
        "test": bank_test(),
    }
    return RoundSummary(**(values | more))  # type: ignore[arg-type]


def bank_test(standing: Standing = "non-inferior", *, held: bool = False) -> BankTest:
    """Eighty briefs, better by four points or worse by nine."""
    better = standing != "regressed"
    after = (80, 79, 76, 70, 61, 48, 30, 17, 8, 2)
    before = (80, 78, 74, 66, 55, 41, 26, 15, 7, 2)
    if not better:
        before, after = after, (77, 72, 66, 57, 46, 33, 21, 11, 5, 1)
    return BankTest(
        standing=standing,
        briefs=80,
        missing=1,
        margin=0.05,
        level=0.05,
        held=held,
        tests=(
            CoPrimary(
                name="catastrophes",
                p=0.81 if better else 0.004,
                estimate=0.025 if better else -0.125,
                low=-0.012 if better else -0.2,
                high=0.07 if better else -0.06,
                gained=3 if better else 1,
                lost=1 if better else 11,
            ),
            CoPrimary(
                name="mean",
                p=0.98 if better else 0.0001,
                estimate=0.041 if better else -0.088,
                low=0.012 if better else -0.117,
                high=0.069 if better else -0.058,
                gained=45 if better else 21,
                lost=29 if better else 54,
            ),
        ),
        curve=tuple(
            CurvePoint(
                at=(i + 1) / 10,
                before=old,
                after=new,
                gained=max(new - old, 0) + 2,
                lost=max(old - new, 0) + 2,
                adjusted_p=0.021 if abs(new - old) > 7 else 0.3,
            )
            for i, (old, new) in enumerate(zip(before, after, strict=True))
        ),
    )


def sided(number: int, *, cohort: str = "retail", broken: bool = False) -> SidedRun:
    asked = Brief(
        id=f"t{number}",
        text=ASKED,
        cohort=cohort,
        requirements=(
            Requirement(id="r1", kind="min contrast", text="the headline stands out"),
            Requirement(id="r2", kind="legal line", text="the legal line is there"),
        ),
    )
    run = Run(
        run_id=f"t{number}",
        brief=asked,
        cohort=cohort,
        output="" if broken else "drawing",
        ending="broken" if broken else "ok",
    )
    return SidedRun(run=run, side="teach")


def grade(run: SidedRun, first: Outcome, second: Outcome = "met") -> Grade:
    outcomes = {"r1": first, "r2": second}
    met = [outcome == "met" for outcome in outcomes.values()]
    return Grade(
        id=run.run.run_id,
        brief=run.run.brief.id,
        checks=tuple(
            Check(requirement=id, outcome=outcome, why="as seen")
            for id, outcome in outcomes.items()
        ),
        score=sum(met) / 2,
        completeness=sum(met) / 2,
        provenance="check",
    )


def trials(outputs: Outputs | None = None) -> list[Tried]:
    """Proposals of every fate."""
    outputs = outputs or Outputs()
    merge = proposal("offer", "overhaul", drops=("price-badge",))
    mint = proposal("price-ribbon", "mint")
    unheard = proposal("footer")
    return [
        tried(proposal("headline"), "committed", ["ww", "tww", "ts", "t"], outputs),
        tried(mint, "committed", ["ww", "wtw", "ww", "tt"], outputs),
        tried(merge, "refused", ["wt", "ll", "", ""], outputs),
        tried(proposal("logo"), "refused", ["tb", "tl", "t", ""], outputs),
        tried(proposal("quote"), "undecided", ["wvv", "t", "w", ""], outputs),
        tried(proposal("photo"), "dropped", ["ww", "wt", "tt", "st"], outputs),
        tried(unheard, "screened out"),
    ]


MISFITS: tuple[tuple[int, Reason], ...] = (
    (17, "truncated"),
    (40, "truncated"),
    (44, "not JSON"),
)


def measured(set: BriefSet, arm: Arm, briefs: int = 4) -> tuple[Measured, ...]:
    return tuple(
        Measured(
            set=set,
            arm=arm,
            brief=f"m{number}",
            attempt=f"{arm}-{number}",
            score=0.7,
            completeness=0.6,
            success=True,
            forbidden=int(number == 0 and arm == "none"),
        )
        for number in range(briefs)
    )


def material(
    made: Sequence[Tried] | None = None, outputs: Outputs | None = None, **more: object
) -> Material:
    """A round of these trials; by default one of every fate."""
    outputs = outputs or Outputs()
    made = trials(outputs) if made is None else made
    decisions = [decision(one) for one in made]
    mints = [one for one in made if one.proposal.kind == "mint"]
    beside = [
        pair(f"bank-{one.proposal.id}", f"{one.proposal.id}-1", f"c{k}", how, outputs)
        for one in mints
        for k, how in enumerate("wttl")
    ]
    runs = [sided(n, cohort="retail" if n % 3 else "culture") for n in range(12)]
    runs.append(sided(99, broken=True))
    values: dict[str, object] = {
        "summary": summary(decisions),
        "heard": heard(made, decisions, beside),
        "suspects": tuple(_suspects(made)),
        "skipped": (
            Skipped(
                axis="deepening",
                subject="sponsors-row",
                reason="its evidence is no longer held",
            ),
            Skipped(
                axis="widening",
                subject="map of the way",
                reason="the same text was turned down before, and nothing new speaks "
                "for it",
            ),
        ),
        "measured": (
            *measured("benchmark", "candidate"),
            *measured("benchmark", "none"),
            *measured("golden", "candidate"),
            *measured("golden", "previous"),
        ),
        "runs": runs,
        "grades": [
            grade(run, ("not", "partly", "met")[n % 3]) for n, run in enumerate(runs)
        ],
        "misfits": [
            Misfit(
                source=f"r0003.jsonl:{line}",
                reason=reason,
                problem="the line ends in the middle of a string",
                sample='{"run_id": "t7", "brief": {"id": "b-7", "text": "Please ma',
            )
            for line, reason in MISFITS
        ],
    }
    return Material(**(values | more))  # type: ignore[arg-type]


def heard(
    made: Sequence[Tried], decisions: Sequence[Decision], beside: Sequence[Pair] = ()
) -> Heard:
    names = {one.proposal.skill for one in made if one.proposal.kind != "mint"}
    return Heard(
        bank=bank(*sorted(names)),
        proposals=[one.proposal for one in made],
        decisions=decisions,
        screenings=[
            Screening(
                proposal=one.proposal.id,
                passed=one.fate != "screened out",
                reasons=(one.reason,) if one.fate == "screened out" else (),
            )
            for one in made
        ],
        records=[one.record for one in made if one.record],
        pairs=[*(pair for one in made for pair in one.pairs), *beside],
        briefs={f"brief-{n}": Brief(id=f"brief-{n}", text=ASKED) for n in range(1, 5)},
    )


def _suspects(made: Sequence[Tried]) -> list[Suspect]:
    return [
        Suspect(
            proposal=one.proposal.id,
            skill=one.proposal.skill,
            briefs=5,
            wins=1 if one.fate == "dropped" else 4,
            losses=9 if one.fate == "dropped" else 5,
            p=0.011 if one.fate == "dropped" else 0.5,
            dropped=one.fate == "dropped",
            coefficient=-0.124 if one.fate == "dropped" else -0.031,
            error=0.042,
        )
        for one in made
        if one.fate in ("committed", "dropped")
    ]


def draw(output: str) -> bytes:
    """A small poster that differs from output to output."""
    hue = sum(output.encode()) % 200
    picture = Image.new("RGB", (96, 128), (hue, 120, 220 - hue))
    pen = ImageDraw.Draw(picture)
    pen.rectangle((10, 14, 30 + hue // 4, 26), fill="white")
    pen.rectangle((10, 90, 60, 112), fill=(250, 220, 90))
    out = BytesIO()
    picture.save(out, format="PNG")
    return out.getvalue()
