"""Texts that reach for more authority than a skill has.

A skill is read by an agent with the weight of a procedure, so a text that tells it to
weaken a control, or that sets its own standing, is an attack or looks like one.
Patterns know phrases, not meanings: they catch the plain ones and near paraphrases.
What an agent may do must be enforced by its host, whatever a skill says.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping

from skillbank.skills.skill import Skill

_OWN = (
    r"status|state|risk|author|provenance|trials|passes|success|verified|verification"
    r"|approved|approval|trust|trusted"
)
_OWN_KEY = re.compile(rf"(?:{_OWN})(?:[ _-]?(?:class|level|by|rate|count))?")
_OWN_NESTED = re.compile(rf"""(?:^|[\s{{,"'])({_OWN_KEY.pattern})["']?\s*:""")
_PLAIN_KEYS = ("name", "description", "license", "compatibility")

_CONTROL = (
    r"(?:guard ?-?rails?|safet\w+|safeguards?|(?:content )?filters?|moderation"
    r"|sandbox\w*|permissions?|polic(?:y|ies)|(?:access control|controls)"
    r"|protections?|restrictions?|limits?"
    r"|validat\w+|verification|audit\w*|logging|monitor\w*|approvals?|approval gates?"
    r"|gates?|reviews?|confirmations?|access checks?|security\w*)"
)
_CONSENT = (
    r"(?:approvals?|permissions?|confirmations?|consent|sign-?offs?|authori[sz]ations?"
    r"|clearance)"
)
_RULES = (
    r"(?:instructions?|rules?|polic(?:y|ies)|guard ?-?rails?|guidelines?"
    r"|system prompts?|prompts?|constraints?|directives?|safeguards?"
    r"|safety \w+|orders?)"
)
_GUARD = (
    r"(?:guard ?-?rails?|safet\w+|safeguards?|moderation|sandbox\w*|restrictions?"
    r"|polic(?:y|ies)|protections|audit\w*|monitor(?:s|ing)?|access controls?"
    r"|security \w+|approval \w+|confirmation \w+)"
)
"""Controls that nobody removes for looks, as one might a limit or a filter."""
_PERSON = r"(?:user|operator|human|host|owner|reviewer|auditor)"
_WEAKENED = (
    r"(?:skipped|omitted|disabled|bypassed|ignored|waived|removed|suppressed|overridden"
    r"|dropped|avoided|lifted|relaxed|left (?:out|off)|(?:turned|switched|shut) off)"
)
_WHOSE = (
    r"(?:(?:all|any|every|the|your|these|those|its|of|other|previous|prior"
    r"|above|earlier"
    r"|preceding|system|safety|existing|original|developer|operator'?s?"
    r"|user'?s?|host'?s?"
    r"|company|security)\s+){1,4}"
)
_OFF = (
    r"(?:disabl\w+|turn(?:ing)? off|switch(?:ing)? off|deactivat\w+|circumvent\w*"
    r"|evad\w+|bypass\w*|suppress\w*|sidestep\w*|(?:get|work)(?:ting|ing)? around"
    r"|shut(?:ting)? (?:off|down)|defeat\w*|undermin\w+|loosen\w*|weaken\w*|forgo\w*"
    r"|neutrali[sz]\w+)"
)
_AWAY = (
    r"(?:silenc\w+|mut(?:e|es|ing)|relax\w*|lift\w*|remov\w+|drop(?:s|ping)?|strip\w*"
    r"|get\w* rid of|do(?:ing)? away with)"
)
_WEAKENING = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:ignor\w+|disregard\w*|forget\w*|overrid\w+|overrul\w+|bypass\w*"
        rf"|pay no attention to)\s+{_WHOSE}(?:\w+\s+)?{_RULES}",
        rf"{_OFF}\s+(?:[\w-]+\s+){{0,4}}?{_CONTROL}",
        rf"{_AWAY}\s+(?:(?:all|any|every|the|your|its|these|those)\s+){{0,2}}"
        rf"(?:{_GUARD}|limits)(?!\s+(?:area|zone|margin|distance))\b",
        rf"(?:{_CONTROL}|{_CONSENT})\s+(?:(?!not\b|never\b)[\w-]+\s+){{0,2}}?"
        r"(?:can|may|might|could|should|must|needs? to|ha(?:s|ve) to|(?:is|are) to)\s+"
        rf"(?:(?!not\b|never\b)\w+\s+){{0,1}}?be\s+{_WEAKENED}",
        r"(?:turn|switch|shut)\s+(?:[\w-]+\s+){1,3}?(?:guard ?-?rails?|safet\w+"
        r"|filters?|moderation|logging|monitoring|sandbox\w*)\s+off",
        rf"(?:skip\w*|omit\w*|forgo\w*|waiv\w+|dispens\w+ with|avoid\w*|go\w* without"
        rf"|do\w* without)\s+(?:[\w-]+\s+){{0,3}}?{_CONSENT}",
        r"(?:skip\w*|omit\w*|forgo\w*|waiv\w+)\s+(?:the\s+|any\s+|all\s+)?(?:human|manual|safety|security|operator)"
        r"\s+(?:check|review|gate)s?",
        rf"without\s+(?:(?:any|the|prior|further|first|explicit|user|human|operator|their"
        rf"|waiting for|asking for|seeking|getting|requiring)\s+){{0,3}}{_CONSENT}",
        r"without\s+(?:asking|telling|informing|notifying)\s+(?:the\s+|a\s+|any)?"
        r"(?:user|operator|human|host|owner|one)",
        rf"(?:{_CONSENT}|review)\s+(?:\w+\s+)?(?:is|are)\s+(?:not\s+(?:needed|required"
        rf"|necessary)|unnecessary|optional|implied|already given|assumed)",
        rf"(?:assum\w+|presum\w+)\s+(?:[\w-]+\s+){{0,3}}?{_CONSENT}",
        r"(?:assum\w+|consider\w*|treat\w*|presum\w+)\s+(?!whether|if)"
        r"(?:[\w-]+\s+){0,4}?(?:pre-?)?(?:approved|authori[sz]ed)\b",
        rf"\bno\s+(?:further\s+|prior\s+|user\s+|human\s+)?{_CONSENT}\s+"
        r"(?:(?:is|are)\s+)?(?:needed|required|necessary)",
        rf"stop\w*\s+(?:asking|checking|waiting)\s+for\s+(?:\w+\s+){{0,2}}?{_CONSENT}",
        r"as (?:if|though)\s+(?:[\w-]+\s+){1,4}?"
        r"(?:signed off|approved|agreed|consented|authori[sz]ed)\b",
        r"(?:answer|confirm|approve|accept|agree|consent|authori[sz]e|say|reply)\w*\s+"
        r"(?:[\w'\"-]+\s+){0,4}?on\s+(?:behalf of\s+(?:the\s+|a\s+)?"
        rf"{_PERSON}|(?:the\s+|their\s+)?{_PERSON}'?s\s+behalf)",
        r"\bapproved\s*[:=]\s*(?:true|yes|1)\b",
        r"without\s+asking\b(?!\s+(?:for|about|questions|anything|which|what|how))",
        rf"(?:keep|kept|hide|conceal)\w*\s+(?:[\w-]+\s+){{0,3}}?(?:hidden|secret)\s+from"
        rf"\s+(?:the\s+|any\s+|every\s+)?{_PERSON}",
        r"(?:nobody|no ?one)\s+(?:needs?|has|have)\s+to\s+(?:know|see|review|check)"
        r"|let\s+(?:nobody|no ?one)\s+(?:know|see|review|check)",
        r"\bunrestricted (?:mode|agent|assistant|ai|model)\b|god mode",
        r"(?:auto|self)-?\s?approv(?:e|es|ed|al|als|ing)\b|\bapprove\s+(?:it|this|itself|yourself)\b",
        r"grant\s+(?:yourself|itself|this skill|the agent)\b",
        r"mark\w*\s+(?:this|itself|the)\s*(?:skill|card|proposal|change)?\s+(?:as\s+)?"
        r"(?:verified|approved|trusted|safe|low[- ]risk)",
        r"(?:rules|guard ?-?rails|safeguards|restrictions|policies|limits)\s+"
        r"(?:\w+\s+)?(?:do\s+not|don't|no longer)\s+apply",
        r"dangerously-?skip-?permissions|--no-verify|--yolo|bypass ?permissions"
        r"|jailbreak|developer mode",
        r"you are (?:now|no longer)\b|new system prompt|reveal\w*\s+(?:\w+\s+){0,2}?"
        r"system prompt",
    )
)
_GRANTED = re.compile(
    rf"{_CONSENT}\s+(?:has|have)\s+(?:already\s+)?been\s+(?:already\s+)?"
    r"(?:given|granted|obtained|received)"
)
_CONDITION = re.compile(r"\b(?:once|after|when|if|until|unless|whether|before|that)\b")
# These are attacks because of their negation: "do not wait for approval".
_REFUSING = r"(?:do not|don't|never|no need to|need not|needn't|not necessary to)\s+"
_NEGATED = tuple(
    re.compile(_REFUSING + pattern)
    for pattern in (
        rf"(?:\w+\s+)?(?:ask\w*|wait\w*|seek\w*|request\w*|requir\w+|obtain\w*|need\w*"
        rf"|get\w*|check\w*)\s+(?:[\w-]+\s+){{0,4}}?{_CONSENT}",
        r"(?:\w+\s+)?(?:tell\w*|inform\w*|notify\w*|report\w*|mention\w*|reveal\w*"
        r"|disclos\w+|alert\w*|log\w*)\s+(?:[\w-]+\s+){0,4}?"
        r"(?:user|operator|human|host|reviewer|auditor|owner|anyone|anybody)s?\b",
        r"(?:log|record|audit)\s+(?:this|that|these|those|the|any)\s+"
        r"(?:action|step|call|change|deletion|decision)s?\b",
        rf"(?:follow\w*|obey\w*|respect\w*|appl\w+|enforc\w+|compl\w+ with)\s+{_WHOSE}"
        rf"(?:\w+\s+)?{_RULES}",
    )
)
_NEGATION = re.compile(
    r"\b(?:not|never|n't|cannot|avoid|refuse to|no|nor|forbidden|must not|instead of)\b"
    r"|n't\b"
)
_EAGER = re.compile(r"\b(?:do not|don't|never) (?:hesitate|be afraid|fear|forget) to\b")
_BREAK = re.compile(r"\n(?=\s*(?:[-*+>#|]|\d+[.)]|```|~~~|\n))")
_CLAUSE = re.compile(r"[.;:!?\n,()]+(?=\s|$)|\s[-–—]+\s")  # noqa: RUF001
_HIDDEN = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_MARKUP = re.compile(r"[*_`~]+")
_SPACED = re.compile(r"(?<!\w)\w(?: \w){4,}(?!\w)")
_FOLDED = str.maketrans(
    "\u2019\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b"
    "\u03bf\u03b1\u03c1\u03bd\u03b9\u03ba\u03c4",
    "'aeopcyxijshdqoapvikt",
)
"""Letters of other scripts that look like Latin ones, folded to those."""
_LATIN = re.compile(r"[a-z]", re.IGNORECASE)
_ALIKE = re.compile(
    r"[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u03bf]",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_UNSEEN: Mapping[str, re.Pattern[str]] = {
    "characters that turn the reading order": re.compile(
        r"[\u202a-\u202e\u2066-\u2069]"
    ),
    "characters that nobody sees": re.compile(
        r"[\U000e0000-\U000e01ef]|(?<=\w)[\u00ad\u200b\u2060-\u2064\ufeff](?=\w)"
    ),
}


def weakenings(text: str) -> frozenset[str]:
    """Phrases of a text that tell an agent to weaken a control, in a plain form.

    A clause that forbids the same ("never skip the approval") is none of them.
    """
    return frozenset(hit for clause in _clauses(text) for hit in _hits(clause))


def own_standing(skill: Skill) -> dict[str, str]:
    """Keys, at the top or in maps, by which a skill sets its own standing.

    Status, risk, author, provenance and trials are the host's to say.
    """
    found = {
        key: value
        for key, value in (*skill.front.items(), *skill.metadata.items())
        if _OWN_KEY.fullmatch(key.strip().casefold())
    }
    for key, value in skill.front.items():
        if key not in _PLAIN_KEYS:
            for hit in _OWN_NESTED.finditer(value.casefold()):
                found.setdefault(f"{key}.{hit.group(1)}", value)
    return found


def disguises(text: str) -> frozenset[str]:
    """Ways in which a text shows a reader something else than an agent reads.

    Characters that turn the reading order, that carry unseen text, or that split words,
    and words in letters of two scripts that look alike.
    """
    found = {name for name, sign in _UNSEEN.items() if sign.search(text)}
    if any(_LATIN.search(w) and _ALIKE.search(w) for w in _LETTERS.findall(text)):
        found.add("words in letters of two scripts")
    return frozenset(found)


def _hits(clause: str) -> Iterator[str]:
    for pattern in _WEAKENING:
        for hit in pattern.finditer(clause):
            if not _NEGATION.search(clause, 0, hit.start()):
                yield " ".join(hit.group().split())
    for hit in _GRANTED.finditer(clause):
        if not _CONDITION.search(clause, 0, hit.start()):
            yield " ".join(hit.group().split())
    for pattern in _NEGATED:
        yield from (" ".join(hit.group().split()) for hit in pattern.finditer(clause))


def _clauses(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_FOLDED)
    folded = _MARKUP.sub(" ", _HIDDEN.sub("", folded.replace("\r\n", "\n")))
    folded = _SPACED.sub(lambda hit: hit[0].replace(" ", ""), folded)
    for block in _BREAK.split(folded):
        for clause in _CLAUSE.split(_EAGER.sub(" ", block.replace("\n", " "))):
            yield " ".join(clause.split())
