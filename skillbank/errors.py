"""Every error that skillbank raises on purpose.

SkillbankError
├── ParamsError      params.yaml does not say what it must
├── SkillError       a SKILL.md cannot be read or written
├── BankError        a bank, a bank version or its manifest is not sound
├── TrafficError     traffic cannot be read at all (bad lines are values: `Misfit`)
├── BriefError       a brief or a file of briefs does not fit
├── GateError        a plan, a context or a vote that the gate cannot take
├── ModelError       a language model did not answer, or not in the asked shape
│   └── BudgetError  the next call might cost more than is left
├── WorldError       the agent's world lacks something, such as its font
├── TableError       a table does not fit its schema
├── AccountingError  a round's counts do not add up
└── ServiceError     a server, a port, git or DVC did not do its part

An error says where, what was seen, what was expected and what to do. The command
line prints it without a traceback and exits with status 2.
"""

_LIMIT = 400  # characters of a part: a whole file pasted into an error helps nobody


class SkillbankError(Exception):
    """A problem that its reader can solve.

    Args:
        place: File, key, line or command that the problem is in.
        seen: What was there.
        expected: What would have been right.
        remedy: What to do, a command where there is one.
    """

    def __init__(self, place: str, *, seen: str, expected: str, remedy: str) -> None:
        self.place = _bounded(place)
        self.seen = _bounded(seen)
        self.expected = _bounded(expected)
        self.remedy = _bounded(remedy)
        super().__init__(place, seen, expected, remedy)

    def __str__(self) -> str:
        """One paragraph: place, seen, expected, remedy."""
        problem = f"{self.place}: {self.seen}; expected {self.expected}"
        return f"{problem}. To mend: {self.remedy}"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle with keyword arguments: errors cross process borders."""
        return _rebuild, (type(self), self.place, self.seen, self.expected, self.remedy)


def _rebuild(
    kind: type[SkillbankError], place: str, seen: str, expected: str, remedy: str
) -> SkillbankError:
    return kind(place, seen=seen, expected=expected, remedy=remedy)


def _bounded(text: str) -> str:
    return text if len(text) <= _LIMIT else f"{text[:_LIMIT]}… ({len(text)} characters)"


class ParamsError(SkillbankError):
    """Raised when params.yaml has an unknown key, a wrong type or a bad value."""


class SkillError(SkillbankError):
    """Raised when a SKILL.md cannot be parsed or would not survive a round trip."""


class BankError(SkillbankError):
    """Raised when a bank version is missing, edited by hand or not consistent."""


class TrafficError(SkillbankError):
    """Raised when no run at all could be read from a traffic folder or file."""


class BriefError(SkillbankError):
    """Raised when a brief has no text or its requirements make no sense."""


class GateError(SkillbankError):
    """Raised when a plan or a vote breaks the rules of the gate."""


class ModelError(SkillbankError):
    """Raised when a language model cannot be reached or answers out of shape."""


class BudgetError(ModelError):
    """Raised before a call that might cost more than is left: asking on is no use."""


class WorldError(SkillbankError):
    """Raised when the world cannot work: no font, unknown tool, unknown world."""


class TableError(SkillbankError):
    """Raised when a table does not fit its schema or its key is not unique."""


class AccountingError(SkillbankError):
    """Raised when what was proposed, decided and committed does not add up."""


class ServiceError(SkillbankError):
    """Raised when a server, a port, git, DVC or MLflow is not usable."""
