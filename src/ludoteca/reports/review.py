"""What an engine thinks of every action of a match, after the match.

Where nothing is hidden, the value of an action is the value of the position after it. One search per position then
gives both the best action there and the value of the action before. With hidden hands that would judge a player by
what they could not know: there the engine sees only the seat's own view, and the value of an action is what the engine
expected of it in that view.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ludoteca.catalogues import SOURCE, Language
from ludoteca.errors import BrokenAgent
from ludoteca.games import game as game_of
from ludoteca.games.details import details_of
from ludoteca.games.side_names import side
from ludoteca.messages import Speaker, say, say_as
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.players.build_check import check_build
from ludoteca.players.faults import Fault
from ludoteca.players.player import Player
from ludoteca.players.pool import Pool
from ludoteca.protocols import Action, Decision, Game, Limit, Seat
from ludoteca.reports.explain import evaluation_graph
from ludoteca.reports.text_table import TextTable

__all__ = ["Review", "ReviewedAction", "judged", "mean_points_lost", "review"]

TURNING = 0.3
"""A turning point lost at least so much of the expected return, which lies between -1 and 1."""
MISTAKE = TURNING / 2
"""A mistake lost at least so much."""
SAME = 1e-6
LONGEST = 3600.0
"""The most seconds for one position."""


@dataclass(frozen=True)
class ReviewedAction:
    """One action of a match with the engine's judgement. Values are for the seat that played it."""

    ply: int
    seat: Seat
    action: Action
    best: Decision
    """What the engine would have played there."""
    value: float | None
    """The value of the action; None where it is not known."""

    @property
    def lost(self) -> float | None:
        """How much of the expected return the action lost; None where it is not known."""
        if self.action == self.best.action:
            return 0.0
        if self.value is None or self.best.value is None:
            return None
        return max(0.0, self.best.value - self.value)

    @property
    def is_turning_point(self) -> bool:
        """Whether it lost so much that it may have decided the match."""
        return (self.lost or 0.0) >= TURNING

    @property
    def is_mistake(self) -> bool:
        """Whether it lost enough to deserve a second look."""
        return (self.lost or 0.0) >= MISTAKE

    @property
    def is_only_move(self) -> bool:
        """Whether it was best and every other action would have been a turning point."""
        others = [score for action, score in self.best.scores.items() if action != self.best.action]
        if self.action != self.best.action or not others or not _scores_are_values(self.best):
            return False
        assert self.best.value is not None
        return self.best.value - max(others) >= TURNING

    @property
    def mark(self) -> str:
        """The sign that chess books use: ``??`` turning point, ``?`` mistake, ``!`` only move; else empty."""
        return "??" if self.is_turning_point else "?" if self.is_mistake else "!" if self.is_only_move else ""


@dataclass(frozen=True)
class Review:
    """A match with the engine's judgement of every action after the opening."""

    record: Record
    agent: str
    actions: tuple[ReviewedAction, ...]

    @property
    def turning_points(self) -> list[ReviewedAction]:
        """The turning points, in the order of play."""
        return [each for each in self.actions if each.is_turning_point]

    def points_lost(self, seat: Seat) -> float | None:
        """What a seat lost per action; see `mean_points_lost`."""
        return mean_points_lost(self.actions, seat)

    def table(self, language: Language = SOURCE) -> TextTable:
        """A row for each action: the value of the position, what the action lost, and what was better."""
        speaker, game = Speaker(language), game_of(self.record.game)
        headings = [
            say_as("column", "move"), say("side"), say("played"), say("value"), say("lost"), say("better"), say("line"),
        ]  # fmt: skip
        rows = [_row(each, game, speaker) for each in self.actions]
        words = frozenset([headings[1], headings[2], *headings[5:]])
        return TextTable("", headings, rows, words=words, name="played", spare=("line",))

    def _repr_html_(self) -> str:
        """For a notebook: the evaluation graph and the table."""
        values = [each.best.value if each.seat == 0 or each.best.value is None else -each.best.value
                  for each in self.actions]  # fmt: skip
        marks = [place for place, each in enumerate(self.actions) if each.is_turning_point]
        colours = details_of(game_of(self.record.game)).seat_colours
        return f"{evaluation_graph(values, marks, colours)}{self.table().html()}"


def mean_points_lost(actions: Sequence[ReviewedAction], seat: Seat) -> float | None:
    """What a seat lost per action in points of 100, where a win is 100 and a draw 50; None if nothing is known."""
    known = [each.lost for each in actions if each.seat == seat and each.lost is not None]
    return 50 * sum(known) / len(known) if known else None


def _row(each: ReviewedAction, game: Game, speaker: Speaker) -> list[str]:
    def name(action: int) -> str:
        return speaker.translate(game.action_name(action))

    best = each.best
    differs = each.action != best.action
    proven = "*" if best.proven else ""
    return [
        str(each.ply + 1),
        speaker.translate(side(game, each.seat)),
        f"{name(each.action)} {each.mark}".rstrip(),
        "" if best.value is None else f"{best.value:+z.2f}{proven}",
        f"{each.lost:.2f}" if each.lost else "",
        name(best.action) if differs else "",
        " ".join(name(action) for action in best.line[:6]) if differs else "",
    ]


def _scores_are_values(decision: Decision) -> bool:
    """Whether the scores of a decision are expected returns, as its value is."""
    best = decision.scores.get(decision.action)
    return best is not None and decision.value is not None and abs(best - decision.value) < SAME


def review(
    record: Record,
    agent: str,
    limit: Limit,
    *,
    pool: Pool | None = None,
    watch: Callable[[int, int], None] = lambda done, total: None,
) -> Review:
    """Judge every action of a match by `agent`, which searches each position within `limit`.

    watch: called with the number of positions searched, and of all. Raises InvalidAgent, InvalidOption, and BrokenAgent
    when the agent fails.

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
        raise BrokenAgent(
            say("{agent} could not review the match: {reason}", agent=agent, reason=fault.message)
        ) from None
    return Review(record, agent, judged(match, opinions))


def judged(match: Match, opinions: Sequence[Decision]) -> tuple[ReviewedAction, ...]:
    """The judged actions of a match after its opening, as many as there are opinions.

    opinions: for each position in order, what the agent would play there, given the view of the seat on turn. A caller
    may pass the first few only; the value of the last action may then become known with the next opinion.
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
    """What the agent would play in each position, knowing only what the seat on turn saw."""
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
    """The value of each action by the position after it; of the last one by the result."""
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
    """What the agent itself expected of each action, where its scores are expected returns."""
    return [
        opinion.scores.get(action) if _scores_are_values(opinion) else None
        for action, opinion in zip(match.actions[match.opening :], opinions, strict=False)
    ]
