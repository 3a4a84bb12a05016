"""`ludoteca.analyze`: what an agent thinks of a position, better and better, for as long as somebody listens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludoteca.errors import BrokenAgent, InvalidPosition
from ludoteca.messages import say
from ludoteca.players.build_check import admit
from ludoteca.players.faults import Fault
from ludoteca.players.pool import Pool
from ludoteca.protocols import Decision, Limit, View

__all__ = ["analyze"]

LONGEST = 1_000_000.0
"""Seconds after which an analysis without a limit ends by itself."""


def analyze(
    view: View, agent: str = "engine", limit: Limit | None = None, *, seed: int = 0, seen: Sequence[View] = ()
) -> Iterator[Decision]:
    """Decisions for the seat on turn, each better than the last; an agent that cannot think aloud gives one.

    Ends with the limit, when nothing is left to find out, or when it is closed. seen: the views about which the seat
    was asked before, for agents that remember. An agent that is not ours runs in a process of its own. Raises
    InvalidPosition when this seat is not on turn, InvalidAgent, InvalidOption, and BrokenAgent when the agent fails.

    >>> import ludoteca
    >>> view = ludoteca.game("hex:size=3").deal(seed=1).view(0)
    >>> [decision.action for decision in ludoteca.analyze(view, "astar:depth=1")][-1]
    4
    """
    if view.turn != view.seat:
        raise InvalidPosition(say("seat {seat} is not on turn, so there is nothing to decide", seat=view.seat))
    return _thoughts(view, agent, Limit() if limit is None else limit, seed, seen)


def _thoughts(view: View, agent: str, limit: Limit, seed: int, seen: Sequence[View]) -> Iterator[Decision]:
    with Pool() as pool:
        player = pool.player(view.game, admit(pool, view.game, agent))
        try:
            player.prepare(view.seat, seed, seen)
            yield from player.think(view, limit, LONGEST)
        except Fault as fault:
            raise BrokenAgent(say("{agent} gave no opinion: {reason}", agent=agent, reason=fault.message)) from None
        finally:
            player.close()
