"""The main path: one round, from last week's traffic to the next bank version.

Read this file first. Each line below is one step of the same name in `tasks/`; a step
reads the tables before it, calls pure functions of `skillbank/` and writes its own. A
round that was killed is resumed by starting it again with its id.
"""

import time

from prefect import flow

from flows.forms import RoundForm
from skillbank.summary import RoundSummary
from tasks.attempt import attempt
from tasks.attribute import attribute
from tasks.benchmark import benchmark
from tasks.commit import commit, write_candidate
from tasks.grade import grade
from tasks.ingest import ingest
from tasks.play import play
from tasks.propose import propose
from tasks.record import read_summary, record, track
from tasks.replay import replay
from tasks.report import report
from tasks.screen import screen
from tasks.vary import vary


@flow(name="weekly-round", flow_run_name="{form.label}")
def weekly_round(form: RoundForm) -> RoundSummary:
    """Improve the bank once: propose changes, and let in only what the gate lets in.

    Every change is replayed under both banks on the same frozen contexts. The bank as a
    whole is then measured on fixed briefs, and what did harm is taken out again.
    """
    began = time.monotonic()
    setting = form.open()
    if setting.ended:  # all of it is remembered: a second run changes nothing
        return read_summary(setting)
    with setting.alone():
        play(setting)  # the embedded world's customers; real traffic is there already
        ingest(setting)
        vary(setting)
        attempt(setting)
        grade(setting)
        attribute(setting)
        propose(setting)
        screen(setting)
        replay(setting)  # one Prefect task for each proposal
        write_candidate(setting)
        benchmark(setting)
        commit(setting)  # from here on HEAD is the new bank
        summary = record(setting)
        report(setting, summary)
        track(setting, summary, time.monotonic() - began)
    return summary
