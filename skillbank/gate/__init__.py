"""The matched replay gate: what lets a change in, and can say no."""

from skillbank.gate.case import (
    CaseVerdict,
    Count,
    Rule,
    open_verdicts,
    score_case,
    smallest_band,
)
from skillbank.gate.controls import (
    Control,
    Tally,
    choose_controls,
    control,
    current_against_current,
    n_controls,
    tally,
)
from skillbank.gate.judge_stats import (
    JudgeHealth,
    SwapCounts,
    judge_health,
    swap_counts,
)
from skillbank.gate.kinds import Shape
from skillbank.gate.limits import STUDY, Limits
from skillbank.gate.neighbours import DryRun, dry_run
from skillbank.gate.operating import operating, p_ship, warnings
from skillbank.gate.plan import Case, Plan, Role
from skillbank.gate.planner import Outlay, Prices, plan_gate
from skillbank.gate.policy import Evidence
from skillbank.gate.published import Decision, ship
from skillbank.gate.replay import (
    Arena,
    Pair,
    Place,
    Replay,
    Scene,
    replay,
    replay_all,
    running,
)
from skillbank.gate.score import Scored, certify_votes, gate_votes, score_votes
from skillbank.gate.settle import Settled, settle
from skillbank.gate.trial import Trial
from skillbank.gate.verdict import CaseState, Verdict
from skillbank.gate.votes import Arm, Outcome, Vote, Votes
from skillbank.skills.shelf import Risk

__all__ = [
    "STUDY",
    "Arena",
    "Arm",
    "Case",
    "CaseState",
    "CaseVerdict",
    "Control",
    "Count",
    "Decision",
    "DryRun",
    "Evidence",
    "JudgeHealth",
    "Limits",
    "Outcome",
    "Outlay",
    "Pair",
    "Place",
    "Plan",
    "Prices",
    "Replay",
    "Risk",
    "Role",
    "Rule",
    "Scene",
    "Scored",
    "Settled",
    "Shape",
    "SwapCounts",
    "Tally",
    "Trial",
    "Verdict",
    "Vote",
    "Votes",
    "certify_votes",
    "choose_controls",
    "control",
    "current_against_current",
    "dry_run",
    "gate_votes",
    "judge_health",
    "n_controls",
    "open_verdicts",
    "operating",
    "p_ship",
    "plan_gate",
    "replay",
    "replay_all",
    "running",
    "score_case",
    "score_votes",
    "settle",
    "ship",
    "smallest_band",
    "swap_counts",
    "tally",
    "warnings",
]
