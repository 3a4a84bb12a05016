"""The promise of every player: an agent in a seat, for one match, wherever it lives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from ludoteca.protocols import Decision, Limit, Seat, View

__all__ = ["Player"]


class Player(Protocol):
    """An agent in a seat, for one match. All but `stop` and `close` may raise Fault; then it is of no more use.

    One thread asks; `stop` and `close` may be called from any other at any moment.
    """

    def prepare(self, seat: Seat, seed: int, seen: Sequence[View] = ()) -> None:
        """Builds the agent with its own seed, before anything else is asked of it.

        An agent that takes a match up again is shown the views that it has been asked about before, `seen`, each with
        ``Limit(nodes=1)``; what it answers to those is thrown away.
        """

    def decide(self, view: View, limit: Limit, timeout: float) -> Decision:
        """What it plays, checked in its form (see `answers`) but not against the rules.

        Raises Fault, of kind timeout when nothing came within `timeout` seconds.
        """

    def think(self, view: View, limit: Limit, timeout: float) -> Iterator[Decision]:
        """The same as a stream, each decision better than the one before; the last one counts.

        Closing the iterator stops the agent.
        """

    def stop(self) -> None:
        """Ends the decision in progress soon, with the best so far; nothing happens if none is in progress.

        Where an agent has nothing to show by then, whoever waits for its decision gets a Fault of kind timeout.
        """

    def close(self) -> None:
        """Ends the player; nothing of it survives. Safe to call twice."""
