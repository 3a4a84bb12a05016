"""What an engine thinks of every action of a match, afterwards.

Where nothing is hidden, an action is worth what the position after it is worth, seen by whoever is on turn there: one
look at each position tells both what was best and what the action before it was worth. Where something is, that would
judge by the truth instead of by what the seat could know; there an action is worth what the engine, shown the seat's
view and nothing else, expected of it beside the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ludoteca.errors import BrokenAgent
from ludoteca.games.details import details_of
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.players.build_check import check_build
from ludoteca.players.faults import Fault
from ludoteca.players.player import Player
from ludoteca.players.pool import Pool
from ludoteca.protocols import Action, Decision, Limit, Seat

__all__ = ["Review", "ReviewedAction", "judged", "review"]

TURNING = 0.3
"""What an action must have lost of the expected result, which lies from -1 to 1, to be a turning point."""
SAME = 1e-6
LONGEST = 3600.0
"""Seconds that one look may take at most."""


@dataclass(frozen=True)
class ReviewedAction:
    """One action of a match, and what the engine thinks of it. Values are for the seat that played it."""

    ply: int
    seat: Seat
    action: Action
    best: Decision
    """What the engine would have played there."""
    value: float | None
    """What the action was worth, where that is known."""

    @property
    def lost(self) -> float | None:
        """How much of the expected result the action gave away; None where that is not known."""
        if self.action == self.best.action:
            return 0.0
        if self.value is None or self.best.value is None:
            return None
        return max(0.0, self.best.value - self.value)

    @property
    def is_turning_point(self) -> bool:
        """Whether it gave away so much that the match might have gone another way."""
        return (self.lost or 0.0) >= TURNING


@dataclass(frozen=True)
class Review:
    """A match with the engine's opinion of each of its actions, but for those of an opening."""

    record: Record
    agent: str
    actions: tuple[ReviewedAction, ...]

    @property
    def turning_points(self) -> list[ReviewedAction]:
        """The actions that gave most away, in the order in which they were played."""
        return [each for each in self.actions if each.is_turning_point]

    def _repr_html_(self) -> str:
        """For a notebook: how the match stood, and what every action gave away."""
        from ludoteca.reports.explanation import curve_svg
        from ludoteca.reports.review_table import review_table  # which shows reviews, and so cannot be above

        values = [each.best.value if each.seat == 0 or each.best.value is None else -each.best.value
                  for each in self.actions]  # fmt: skip
        marks = [place for place, each in enumerate(self.actions) if each.is_turning_point]
        return f"{curve_svg(values, marks)}{review_table(self).html()}"

    def mean_lost(self, seat: Seat) -> float | None:
        """What the actions of a seat gave away on average; None where nothing is known of any."""
        known = [each.lost for each in self.actions if each.seat == seat and each.lost is not None]
        return sum(known) / len(known) if known else None


def review(
    record: Record,
    agent: str,
    limit: Limit,
    *,
    pool: Pool | None = None,
    watch: Callable[[int, int], None] = lambda done, total: None,
) -> Review:
    """What `agent` thinks of every action of a match, looking at each position for as long as `limit` says.

    watch: called with how many positions are looked at already, and how many there are. Raises InvalidAgent,
    InvalidOption, and BrokenAgent when the agent fails.

    >>> import ludoteca
    >>> result = ludoteca.series("horses:size=5", "random", "random", 2, seed=1, store=":memory:", workers=1)
    >>> found = ludoteca.review(result.records[0], "minimax:depth=2", ludoteca.Limit(nodes=500))
    >>> len(found.actions) == len(result.records[0].actions)
    True
    """
    if pool is None:
        with Pool() as own:
            return review(record, agent, limit, pool=own, watch=watch)
    match = Match.of_record(record)
    identity = check_build(pool, match.game, agent)
    try:
        with pool.seated(match.game, identity, 0, 0) as first, pool.seated(match.game, identity, 1, 0) as second:
            opinions = _opinions(match, (first, second), limit, watch)
    except Fault as fault:
        raise BrokenAgent(say("{agent} gave no opinion: {reason}", agent=agent, reason=fault.message)) from None
    return Review(record, agent, judged(match, opinions))


def judged(match: Match, opinions: Sequence[Decision]) -> tuple[ReviewedAction, ...]:
    """The actions of a match after its opening, as far as there are opinions of the positions before them.

    opinions: of each such position in order what the agent would play there, shown the view of the seat on turn. For
    whoever asks the agent in their own time: what the last of these actions was worth may become known with the next.
    """
    hidden = details_of(match.game).hidden_information
    values = _expected(match, opinions) if hidden else _seen_later(match, opinions)
    return tuple(
        ReviewedAction(ply, match.movers[ply], match.actions[ply], opinion, value)
        for ply, (opinion, value) in enumerate(zip(opinions, values, strict=True), start=match.opening)
    )


def _opinions(
    match: Match, players: tuple[Player, Player], limit: Limit, watch: Callable[[int, int], None]
) -> list[Decision]:
    """What the agent would play wherever the match came by, each seat knowing only what it saw."""
    again, opinions = match.before(0), []
    for ply, action in enumerate(match.actions):
        if ply >= match.opening:
            watch(ply - match.opening, len(match.actions) - match.opening)
            seat = match.movers[ply]
            opinions.append(players[seat].decide(again.view(seat), limit, LONGEST))
        again.play(action)
    watch(len(opinions), len(opinions))
    return opinions


def _seen_later(match: Match, opinions: Sequence[Decision]) -> list[float | None]:
    """What each action was worth by the next position; the last one by the result."""
    values: list[float | None] = []
    movers = match.movers[match.opening :]
    for place, mover in enumerate(movers[: len(opinions)]):
        if place + 1 == len(movers):
            values.append(match.returns()[mover] if match.view(mover).turn is None else None)
            continue
        if place + 1 == len(opinions):
            values.append(None)
            continue
        later = opinions[place + 1].value
        values.append(None if later is None else later if movers[place + 1] == mover else -later)
    return values


def _expected(match: Match, opinions: Sequence[Decision]) -> list[float | None]:
    """What the agent itself expected of each action, where its scores are expected results."""
    values: list[float | None] = []
    for action, opinion in zip(match.actions[match.opening :], opinions, strict=False):
        best = opinion.scores.get(opinion.action)
        same_unit = best is not None and opinion.value is not None and abs(best - opinion.value) < SAME
        values.append(opinion.scores.get(action) if same_unit else None)
    return values
