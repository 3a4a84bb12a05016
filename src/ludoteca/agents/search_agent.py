"""How an agent that searches in the core decides at once, or thinks aloud: both follow from one search."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ludoteca import _core
from ludoteca.messages import joined, say, say_count
from ludoteca.protocols import Decision, Limit, View

__all__ = ["Searcher", "Thought", "simulated"]

TICK = 0.002
"""Seconds between two decisions of a thinker that finds nothing better; a Thinker promises 4 ms."""


@dataclass(frozen=True)
class Thought:
    """A search that is about to run, and how what it chooses becomes a decision."""

    search: _core.Search
    tell: Callable[[_core.Choice], Decision]

    def decide(self) -> Decision:
        """Searches to the end or the limit, on this thread."""
        return self.tell(self.search.run())

    def watch(self) -> Iterator[Decision]:
        """Searches on a thread of its own and tells what it has chosen: when that is better, and every 2 ms."""
        told: tuple[float, ...] | None = None
        self.search.start()
        try:
            ended = False
            while not ended:
                ended = self.search.wait(TICK)
                choice = self.search.choice()
                now = (choice.action, choice.depth, len(choice.scores), round(choice.value, 2))
                if told != now or ended:
                    decision, told = self.tell(choice), now
                yield decision
        finally:
            self.search.stop()


class Searcher:
    """An agent whose decisions come from a search of the core: a subclass says which one."""

    @abstractmethod
    def _thought(self, view: View, limit: Limit) -> Thought | Decision:
        """The search that answers this view; or the answer itself, where nothing has to be searched."""

    def act(self, view: View, limit: Limit) -> Decision:
        """What the search finds within the limit."""
        thought = self._thought(view, limit)
        return thought if isinstance(thought, Decision) else thought.decide()

    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        """The same as a stream; see `Thinker.think`."""
        thought = self._thought(view, limit)
        if isinstance(thought, Decision):
            yield thought
        else:
            yield from thought.watch()


def simulated(found: _core.Choice) -> Decision:
    """What a search by simulations has chosen, whose values are returns, in words. It has looked at something."""
    note = say_count(
        "{count} simulation, at most {depth} plies into the tree",
        "{count} simulations, at most {depth} plies into the tree",
        found.nodes, depth=found.depth,
    )  # fmt: skip
    if found.exhaustive:
        note = joined([say("a win for certain") if found.value > 0 else say("a loss for certain"), note], "; ")
    return Decision(
        found.action, found.value, dict(found.scores), found.line, note, found.nodes, found.depth, found.exhaustive
    )
