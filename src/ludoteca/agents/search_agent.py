"""Agents whose search runs in the core: how they decide at once, and how they stream their decisions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ludoteca import _core
from ludoteca.agents.reasons import proof_of, with_reasons
from ludoteca.messages import Message, say_count
from ludoteca.protocols import Decision, Limit, View

TICK = 0.002
"""Seconds between two decisions of a thinker that finds nothing better; a Thinker promises 4 ms."""


@dataclass(frozen=True)
class SearchTask:
    """A search that has not run yet, and what turns its choice into a decision."""

    view: View
    search: _core.Search
    to_decision: Callable[[_core.Choice], Decision]

    def run(self) -> Decision:
        """Search to the end or the limit, on this thread."""
        return with_reasons(self.view, self.to_decision(self.search.run()))

    def stream(self) -> Iterator[Decision]:
        """Search on another thread; yield the decision so far whenever it improves, and every 2 ms."""
        shown: tuple[float, ...] | None = None
        self.search.start()
        try:
            ended = False
            while not ended:
                ended = self.search.wait(TICK)
                choice = self.search.choice()
                now = (choice.action, choice.depth, len(choice.scores), round(choice.value, 2))
                if shown != now or ended:
                    decision, shown = with_reasons(self.view, self.to_decision(choice)), now
                yield decision
        finally:
            self.search.stop()


class SearchAgent:
    """An agent whose decisions come from a search of the core. A subclass says which search."""

    unlimited: int | None = None
    """Nodes for a decision without a limit; None: as many as the search takes."""

    @abstractmethod
    def _task(self, view: View, limit: Limit) -> SearchTask | Decision:
        """The search for this view; or the decision itself, where there is nothing to search."""

    def act(self, view: View, limit: Limit) -> Decision:
        """What the search finds within the limit."""
        task = self._task(view, Limit(nodes=self.unlimited) if limit == Limit() else limit)
        return with_reasons(view, task) if isinstance(task, Decision) else task.run()

    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        """The same as a stream; see `Thinker.think`."""
        task = self._task(view, limit)
        if isinstance(task, Decision):
            yield with_reasons(view, task)
        else:
            yield from task.stream()


def decision_of_simulations(found: _core.Choice) -> Decision:
    """The choice of a search by simulations, whose values are returns, with a note. It has simulated at least once."""
    note: Message | str = ""
    if not found.exhaustive:
        note = say_count(
            "{count} simulation, up to {depth} moves ahead",
            "{count} simulations, up to {depth} moves ahead",
            found.nodes, depth=found.depth,
        )  # fmt: skip
    return Decision(
        found.action, found.value, dict(found.scores), found.line, note, found.nodes, found.depth, found.exhaustive,
        reasons=(proof_of(found.value),) if found.exhaustive else (),
    )  # fmt: skip
