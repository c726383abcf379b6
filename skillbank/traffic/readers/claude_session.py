"""One conversation of Claude Code, put together from its records."""

import re
from dataclasses import replace

from skillbank.agents.agent import Ending
from skillbank.codec import Json, digest
from skillbank.traffic.readers.calls import Calls
from skillbank.traffic.readers.claude_said import (
    INTERRUPTED,
    Said,
    command_of,
    followups,
    is_injected,
    skill_told,
    without_asides,
)
from skillbank.traffic.readers.claude_turns import Turns, parent_of
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.readers.skill_use import used, version_of
from skillbank.traffic.readers.values import (
    amount_of,
    arguments_of,
    as_dict,
    as_list,
    as_text,
    brief_of,
    count_of,
    each_once,
    error_line,
    id_of,
    iso_of,
    recalls_of,
    seconds_between,
    skill_name,
    text_of,
    total,
    written,
)
from skillbank.traffic.run import Misfit, Reply, Run, SkillUse, Spent, TracedStep

_SYNTHETIC = "<synthetic>"  # model of the messages that the program itself wrote
_LISTED = re.compile(r"^- ([\w:.-]{1,100}):", re.MULTILINE)


class Session:
    """Takes the records of a conversation in order; `run` tells what it was."""

    def __init__(self, name: str, parent: str) -> None:
        """Args: name: of the file. parent: session of a sub-agent's file, if known."""
        self._name = name
        self._parent = id_of(parent)
        self._session = ""
        self._line = 0
        self._said: list[Said] = []
        self._command: Said | None = None  # until it turns out to be a built-in one
        self._turns = Turns()
        self._turn = ""  # of the record at hand
        self._calls = Calls()
        self._called: list[str] = []  # the turn of each call
        self._replies: dict[str, Reply] = {}
        self._uses: list[tuple[str, SkillUse]] = []  # each with its turn
        self._roots: dict[str, str] = {}  # uuid in a side chain to where that begins
        self._answers: dict[tuple[str, str], str] = {}  # last of a chain in a turn
        self._models: dict[str, str] = {}
        self._version = ""
        self._main = False
        self._trouble: tuple[Ending, str] = ("ok", "")
        self._times = ("", "")
        self._usd: float | None = None
        self._seconds: float | None = None
        self._summed: dict[str, Json] = {}
        self._result = ""

    def take(self, line: int, record: dict[str, Json], session: str) -> None:
        """Learn what a record says."""
        self._line = self._line or line
        self._session = id_of(session) or self._session
        version = record.get("version") or record.get("claude_code_version")
        self._version = as_text(version) or self._version
        self._turn = self._turns.of(as_text(record.get("uuid")), parent_of(record))
        kind = record.get("type")
        if kind in ("user", "assistant"):
            chain = self._chain(record)
            self._main = self._main or not chain
            time = iso_of(record.get("timestamp"))
            self._times = (self._times[0] or time, time or self._times[1])
            message = as_dict(record.get("message"))
            if kind == "user":
                self._user(line, record, message, chain)
            else:
                self._assistant(line, record, message, chain)
        elif kind == "attachment":
            self._attachment(as_dict(record.get("attachment")))
        elif kind == "system" and record.get("subtype") == "init":
            self._offer(record.get("skills"))
        elif kind == "result":
            self._ended(record)

    def _chain(self, record: dict[str, Json]) -> str:
        """Which sub-agent a message belongs to; empty: none."""
        if tool := as_text(record.get("parent_tool_use_id")):
            return tool
        if record.get("isSidechain") is not True:
            return ""
        uuid = as_text(record.get("uuid"))
        before = parent_of(record)
        root = as_text(record.get("agentId")) or self._roots.get(before) or uuid
        self._roots[uuid] = root or "sidechain"
        return self._roots[uuid]

    # --- what the user's side says --------------------------------------------------

    def _user(
        self,
        line: int,
        record: dict[str, Json],
        message: dict[str, Json],
        chain: str,
    ) -> None:
        content = message.get("content")
        texts = []
        for block in as_list(content) or [content]:
            if as_dict(block).get("type") == "tool_result":
                self._answer(record, as_dict(block))
            else:
                texts.append(without_asides(text_of(block)))
        uuid = as_text(record.get("uuid"))
        for text in texts:
            self._mark(text, chain)
        if record.get("isMeta") is True or record.get("isCompactSummary") is True:
            return
        said = Said(
            text="\n".join(t for t in texts if t and not is_injected(t)),
            chain=chain,
            line=line,
            turn=self._turn if chain else uuid,
            uuid=uuid,
            started=iso_of(record.get("timestamp")),
        )
        n_said = len(self._said)
        for text in texts:
            self._echo(text, said)
        if said.text:
            self._said.append(said)
            if not chain:
                self._trouble = ("ok", "")
        if len(self._said) > n_said and not chain:
            self._turns.begin(uuid, parent_of(record))

    def _answer(self, record: dict[str, Json], block: dict[str, Json]) -> None:
        content = block.get("content")
        text = text_of(content)
        if not text and content and isinstance(content, dict):
            text = written(content)
        error = ""
        if block.get("is_error") is True:
            error = text.removeprefix("<tool_use_error>") or "the tool says it failed"
        elif (told := as_text(record.get("toolUseResult"))).startswith("Error:"):
            error = told
        self._calls.answer(as_text(block.get("tool_use_id")), text, error)

    def _mark(self, text: str, chain: str) -> None:
        """Learn from a text that the program put in the user's place."""
        if use := skill_told(text):
            self._uses.append((self._turn, use))
        elif text.startswith(INTERRUPTED) and not chain:
            self._trouble = ("broken", "interrupted by the user")

    def _echo(self, text: str, said: Said) -> None:
        """A command with words after it asks something, unless it is a built-in one."""
        if text.startswith("<local-command-std"):
            if self._said and self._said[-1] is self._command:
                self._said.pop()
        elif command := command_of(text):
            self._command = replace(said, text=command)
            self._said.append(self._command)

    # --- what the model's side says -------------------------------------------------

    def _assistant(
        self,
        line: int,
        record: dict[str, Json],
        message: dict[str, Json],
        chain: str,
    ) -> None:
        model = as_text(message.get("model"))
        text = text_of(message.get("content")).strip()
        if record.get("isApiErrorMessage") is True or model == _SYNTHETIC:
            if not chain and (record.get("isApiErrorMessage") or "API Error" in text):
                self._trouble = ("fault", error_line(text) or "API error")
            return
        self._models[chain] = model or self._models.get(chain, "")
        self._spend(line, record, message, chain)
        for block in map(as_dict, as_list(message.get("content"))):
            if block.get("type") == "tool_use":
                self._calls.add(
                    as_text(block.get("name")) or "unnamed",
                    arguments_of(block.get("input")),
                    as_text(block.get("id")),
                    iso_of(record.get("timestamp")),
                    chain,
                )
        self._called += [self._turn] * (len(self._calls) - len(self._called))
        if text:
            self._answers.pop((chain, self._turn), None)  # the last comes last
            self._answers[chain, self._turn] = text
        if not chain:
            refused = message.get("stop_reason") == "refusal"
            self._trouble = (
                ("broken", "refused by the model") if refused else ("ok", "")
            )

    def _spend(
        self, line: int, record: dict[str, Json], message: dict[str, Json], chain: str
    ) -> None:
        """Count a message once, however many lines it is split over.

        Lines of one message repeat its usage, and an early one may have less of it.
        """
        known = (message.get("id"), record.get("requestId"), record.get("uuid"))
        told = [as_text(id) for id in known if as_text(id)]
        id = told[0] if told else f"{self._session}/{chain}#{line}"
        usage = as_dict(message.get("usage"))
        before = self._replies.get(id, Reply(id=id))
        cached = count_of(usage.get("cache_read_input_tokens"))
        made = count_of(usage.get("cache_creation_input_tokens"))
        plain = count_of(usage.get("input_tokens"))
        self._replies[id] = Reply(
            id=id,
            input_tokens=_most(before.input_tokens, total(plain, made, cached)),
            cached_tokens=_most(before.cached_tokens, cached),
            output_tokens=_most(
                before.output_tokens, count_of(usage.get("output_tokens"))
            ),
        )

    # --- what the program says ------------------------------------------------------

    def _attachment(self, attachment: dict[str, Json]) -> None:
        kind = attachment.get("type")
        if kind == "skill_listing":
            listed = _LISTED.findall(as_text(attachment.get("content"))[:100_000])
            self._offer(attachment.get("names") or listed)
        elif kind == "dynamic_skill":
            self._offer(attachment.get("skillNames"))
        elif kind == "invoked_skills":
            for skill in map(as_dict, as_list(attachment.get("skills"))):
                if name := skill_name(as_text(skill.get("name"))):
                    version = version_of(as_text(skill.get("path")))
                    use = SkillUse(skill=name, how="applied", version=version)
                    self._uses.append((self._turn, use))
        elif kind == "queued_command" and attachment.get("commandMode") == "prompt":
            text = without_asides(text_of(attachment.get("prompt")))
            if text and not is_injected(text):
                said = Said(text=text, chain="queued", line=0, turn=self._turn)
                self._said.append(said)

    def _offer(self, names: Json) -> None:
        for value in as_list(names):
            name = skill_name(as_text(value) or as_text(as_dict(value).get("name")))
            if name:
                self._uses.append(("", SkillUse(skill=name, how="offered")))

    def _ended(self, record: dict[str, Json]) -> None:
        """The last record of `claude -p`; its cost counts the whole session so far."""
        if (usd := amount_of(record.get("total_cost_usd"))) is not None:
            self._usd = max(usd, self._usd or 0.0)
        if (ms := amount_of(record.get("duration_ms"))) is not None:
            self._seconds = (self._seconds or 0.0) + ms / 1000
        self._summed = as_dict(record.get("usage")) or self._summed
        result, subtype = as_text(record.get("result")), as_text(record.get("subtype"))
        if record.get("is_error") is True or subtype.startswith("error"):
            why = subtype if subtype.startswith("error") else error_line(result)
            if self._trouble[0] != "fault":
                self._trouble = ("broken", why or "the program says it failed")
        elif result:
            self._result = result
            self._trouble = ("ok", "")

    # --- what it was ----------------------------------------------------------------

    def run(self) -> Run | Misfit:
        """The conversation as a run; a misfit if nobody asked anything."""
        own, lost = self._own(), self._turns.lost()
        said = [
            one
            for one in self._said
            if one.chain in (own, "queued") and one.turn not in lost
        ]
        while said and said[0].chain == "queued":
            said.pop(0)
        brief = brief_of(said[0].text) if said else None
        if brief is None:
            source = f"{self._name}:{self._line}"
            return misfit(source, "no text", "expected a message that a user wrote")
        steps = tuple(
            replace(step, agent="") if step.agent == own else step
            for step, turn in zip(self._calls.steps(), self._called, strict=True)
            if turn not in lost
        )
        told = (use for turn, use in self._uses if turn not in lost)
        uses = each_once([*told, *used(steps)])
        started = said[0].started or self._times[0]
        run_id, parent = self._ids(own, brief.text, steps)
        ending, reason = self._trouble
        return Run(
            run_id=run_id,
            brief=brief,
            session=parent or self._session,
            started=started,
            steps=steps,
            skills=uses,
            recalls=recalls_of(uses),
            output=self._result or self._answered(lost).get(own, ""),
            ending=ending,
            reason=reason,
            usage=self._spent(started),
            source=f"{self._name}:{said[0].line}",
            followups=followups(said),
            model=self._models.get(own, "") or self._models.get("", ""),
            agent=f"claude-code {self._version}".strip(),
            parent=parent,
            origin=next(one.uuid for one in self._said if one.chain == own),
            replies=tuple(self._replies.values()),
        )

    def lost(self) -> Misfit | None:
        """A note on what the user took back: paid for, and no part of the run."""
        lost = self._turns.lost()
        lines = [one.line for one in self._said if one.turn in lost and one.line]
        if not lines:
            return None
        n_calls = sum(turn in lost for turn in self._called)
        problem = (
            f"{len(lines)} message(s) with {n_calls} call(s) that the user took back; "
            "their cost counts, what they did does not"
        )
        made = misfit(f"{self._name}:{lines[0]}", "taken back", problem)
        return replace(made, kept=True)

    def _answered(self, lost: frozenset[str] = frozenset()) -> dict[str, str]:
        """The last text of each chain."""
        return {
            chain: text
            for (chain, turn), text in self._answers.items()
            if turn not in lost
        }

    def _own(self) -> str:
        """The chain that the run is about: the main one, unless it asks nothing."""
        chains = [one.chain for one in self._said if one.chain != "queued"]
        return "" if "" in chains or not chains else chains[0]

    def _ids(
        self, own: str, text: str, steps: tuple[TracedStep, ...]
    ) -> tuple[str, str]:
        """The run's id, and its parent's if a sub-agent has this file for itself."""
        if own and not self._main:
            alone = self._session in ("", own, f"agent-{own}")
            parent = self._parent if alone else self._session
            return id_of(f"{parent or self._session or 'agent'}/{own}"), parent
        made = digest(text, [said.text for said in self._said], steps, self._answered())
        return self._session or f"claude-code-{made[:16]}", ""

    def _spent(self, started: str) -> Spent:
        replies = self._replies.values()
        told = [reply for reply in replies if reply.output_tokens is not None]
        summed = self._summed if not told else {}
        cached = count_of(summed.get("cache_read_input_tokens"))
        made = count_of(summed.get("cache_creation_input_tokens"))
        seconds = self._seconds
        if seconds is None:
            seconds = seconds_between(started, self._times[1])
        return Spent(
            turns=len(replies) or None,
            input_tokens=total(
                count_of(summed.get("input_tokens")),
                made,
                cached,
                *(reply.input_tokens for reply in replies),
            ),
            cached_tokens=total(cached, *(reply.cached_tokens for reply in replies)),
            output_tokens=total(
                count_of(summed.get("output_tokens")),
                *(reply.output_tokens for reply in replies),
            ),
            usd=self._usd,
            seconds=seconds,
        )


def _most(one: int | None, other: int | None) -> int | None:
    told = [count for count in (one, other) if count is not None]
    return max(told, default=None)
