"""`ludoteca.analyze`: an agent's opinion of a position, improving until the caller stops or the limit is reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludoteca.errors import BrokenAgent, InvalidPosition
from ludoteca.players.build_check import check_build
from ludoteca.players.faults import Fault
from ludoteca.players.pool import Pool
from ludoteca.protocols import Decision, Limit, View

MAX_SECONDS = 1_000_000.0
"""Seconds after which an analysis without a limit ends."""


def analyze(
    view: View, agent: str = "engine", limit: Limit | None = None, *, seed: int = 0, seen: Sequence[View] = ()
) -> Iterator[Decision]:
    """Decisions for the seat on turn, each better than the one before; an agent that is no Thinker gives one.

    The iterator ends at the limit, when the position is solved, or when you close it. seen: the views that this seat
    decided on before, for agents with memory. An agent that is not ours runs in its own process. Raises
    InvalidPosition when this seat is not on turn, InvalidAgent, InvalidOption, and BrokenAgent when the agent fails.

    >>> import ludoteca
    >>> view = ludoteca.game("hex:size=3").deal(seed=1).view(0)
    >>> [decision.action for decision in ludoteca.analyze(view, "astar:depth=1")][-1]
    4
    """
    if view.turn != view.seat:
        raise InvalidPosition("seat {seat} is not on turn, so there is nothing to decide", seat=view.seat)
    return _decisions(view, agent, Limit() if limit is None else limit, seed, seen)


def _decisions(view: View, agent: str, limit: Limit, seed: int, seen: Sequence[View]) -> Iterator[Decision]:
    with Pool() as pool:
        identity = check_build(pool, view.game, agent)
        try:
            with pool.seated(view.game, identity, view.seat, seed, seen) as player:
                yield from player.think(view, limit, MAX_SECONDS)
        except Fault as fault:
            raise BrokenAgent("{agent} gave no opinion: {reason}", agent=agent, reason=fault.message) from None
