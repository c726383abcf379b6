"""Money: reserved before a call, settled after it.

Knows nothing of prices or models. A reservation is the most that a call can cost, so
what was spent never passes the limit, however many threads ask at once.
"""

from collections.abc import Callable
from threading import Lock

from skillbank.errors import BudgetError


class Budget:
    """What a round may spend on model calls; safe to share between threads.

    Args:
        limit_usd: Most that may be spent in all.
        spent_usd: What was spent before, for instance by the part of the round that
            ran before it was killed.
        book: Is told what to add to what is remembered for the next start: before a
            call the most that it can cost, after it the rest, which is below 0. A call
            that was in flight when the round was killed so counts at its most.
    """

    def __init__(
        self,
        limit_usd: float,
        spent_usd: float = 0.0,
        book: Callable[[float], None] | None = None,
    ) -> None:
        self.limit_usd = limit_usd
        self._spent = spent_usd
        self._book = book
        self._held = 0.0
        self._lock = Lock()

    @property
    def spent_usd(self) -> float:
        """What settled calls cost so far."""
        return self._spent

    @property
    def left_usd(self) -> float:
        """What a new call could still reserve; never below 0."""
        with self._lock:
            return max(0.0, self.limit_usd - self._spent - self._held)

    def reserve(self, most_usd: float) -> float:
        """Hold the most that a call can cost, and return it.

        Each reservation is to be settled once, whatever became of the call.

        Raises:
            BudgetError: If less than that is left; nothing is held then.
        """
        with self._lock:
            left = self.limit_usd - self._spent - self._held
            held = most_usd <= left
            if held:
                self._held += most_usd
        if held:
            self._remember(most_usd)
            return most_usd
        raise BudgetError(
            "params.yaml: models.max_usd",
            seen=f"{max(0.0, left):.4f} of {self.limit_usd:.2f} USD left",
            expected=f"{most_usd:.4f} USD, the most that the next call can cost",
            remedy="raise models.max_usd, or ask a cheaper model for fewer answers",
        )

    def settle(self, reserved_usd: float, cost_usd: float) -> None:
        """Give a reservation back and book what the call cost."""
        with self._lock:
            self._held -= reserved_usd
            self._spent += cost_usd
        if self._book is not None and cost_usd != reserved_usd:
            self._book(cost_usd - reserved_usd)

    def _remember(self, usd: float) -> None:
        """Book a reservation; what could not be remembered is not held."""
        try:
            if self._book is not None and usd:
                self._book(usd)
        except BaseException:
            with self._lock:
                self._held -= usd
            raise
