"""The interface of every player: an agent in a seat, for one match, in whatever process it runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from ludoteca.protocols import Decision, Limit, Seat, View


class Player(Protocol):
    """An agent in a seat, for one match.

    Every method except `stop` and `close` may raise Fault, or ForkServerKilled, which is not the agent's fault;
    discard the player afterwards. One thread uses a player; `stop` and `close` are safe from any other.
    """

    def prepare(self, seat: Seat, seed: int, seen: Sequence[View] = ()) -> None:
        """Builds the agent with its own seed. Call this first.

        Called again between decisions, it builds another agent in the same process, with the same confinement. What
        the first one left in modules remains there, so it must not have seen anything that the next may not know.

        When a match is resumed, the agent is shown the views that it has decided on before, `seen`, each with
        ``Limit(nodes=1)``; its answers to these are discarded.
        """

    def decide(self, view: View, limit: Limit, timeout: float) -> Decision:
        """The agent's decision. Its form is checked (see `decisions`), its legality is not.

        Raises Fault, with ending timeout when there is no decision after `timeout` seconds.
        """

    def think(self, view: View, limit: Limit, timeout: float) -> Iterator[Decision]:
        """Like `decide`, as a stream: each decision is better than the one before, and the last one counts.

        Closing the iterator stops the agent.
        """

    def stop(self) -> None:
        """Ends the current decision soon, with the best so far; does nothing between decisions.

        If the agent has nothing to show by then, the waiting caller gets a Fault with ending timeout.
        """

    def close(self) -> None:
        """Ends the player and its process. Safe to call twice."""
