"""What an engine thinks of every action of a match, after the match.

Where nothing is hidden, the value of an action is the value of the position after it. One search per position then
gives both the best action there and the value of the action before. With hidden hands that would judge a player by
what they could not know: there the engine sees only the seat's own view, and the value of an action is what the engine
expected of it in that view.

A verdict is worth as much as the search behind it. So every position gets a number of nodes, whatever the machine does
meanwhile, and a verdict that is not proven must be confirmed by a deeper search: see `ReviewSearches`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

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
from ludoteca.players.pool import Pool
from ludoteca.protocols import Action, Decision, Game, Limit, Seat
from ludoteca.reports.chance import chance_to_win, percent
from ludoteca.reports.explain import evaluation_graph
from ludoteca.reports.text_table import TextTable

TURNING = 0.3
"""A turning point lost at least so much of the expected return, which lies between -1 and 1."""
MISTAKE = TURNING / 2
"""A mistake lost at least so much."""
CLOSE = 0.05
"""A loss so near to a threshold is searched again, even if it is below."""
DEEPER = 4
"""How many times as deep a position is searched when it is searched again."""
READINGS = 3
"""How often a verdict is read at most: at first, and after each of two deeper searches."""
NODES = {"dominoes": 200_000, "hex": 16, "horses": 100_000, "kittens": 50_000}
"""The least nodes for a position by the engine of a game: 0.1 to 0.3 seconds on one core of a small server. A node of
Hex is an evaluation by its network."""
SIMULATIONS = 20_000
"""The same for searches without a network in other games, and in Hex."""
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
    player: Seat
    """The seat in which its player sits at the end; another one than `seat` if the players swapped sides since."""
    best_chance: float | None = None
    """The chance to win with what the engine would have played; None where the engine's values have no map."""
    chance: float | None = None
    """The chance to win after the action, likewise."""
    hidden_information: bool = False
    """Whether the seat saw only a part of the position. Then chance decides too, and less to expect is a mistake."""
    sure: bool = True
    """Whether the verdict is proven, or a deeper search has confirmed it. What is not sure gets no mark."""

    @property
    def lost(self) -> float | None:
        """How much of the expected return the action lost; None where it is not known."""
        if self.action == self.best.action:
            return 0.0
        if self.value is None or self.best.value is None:
            return None
        return max(0.0, self.best.value - self.value)

    @property
    def points_lost(self) -> float | None:
        """What the action lost in points of 100, where a win is 100 and a draw 50; None where it is not known."""
        if self.action != self.best.action and self.chance is not None and self.best_chance is not None:
            return 100 * max(0.0, self.best_chance - self.chance)
        return None if self.lost is None else 50 * self.lost

    @property
    def changes_result(self) -> bool:
        """Whether another result is to be expected after the action: not for a side that stays ahead, or behind.

        Where everything is seen, best play decides: an estimate that falls from +0.9 to +0.6 has lost nothing.
        """
        if self.hidden_information or self.value is None or self.best.value is None:
            return True
        return self.best.value > 0 >= self.value or self.best.value >= 0 > self.value

    @property
    def is_turning_point(self) -> bool:
        """Whether it lost so much that it may have decided the match."""
        return self.is_mistake and (self.lost or 0.0) >= TURNING

    @property
    def is_mistake(self) -> bool:
        """Whether it lost enough to deserve a second look."""
        return self.sure and (self.lost or 0.0) >= MISTAKE and self.changes_result

    @property
    def is_only_move(self) -> bool:
        """Whether it was best and every other action would have been a turning point."""
        others = [score for action, score in self.best.scores.items() if action != self.best.action]
        if not self.sure or self.action != self.best.action or not others or not _scores_are_values(self.best):
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

    def points_lost(self, player: Seat) -> float | None:
        """What the player who sits in the seat `player` at the end lost per action; see `mean_points_lost`."""
        return mean_points_lost(self.actions, player)

    def table(self, language: Language = SOURCE) -> TextTable:
        """A row for each action: the chance to win before it, the points of 100 it lost, and what was better."""
        speaker, game = Speaker(language), game_of(self.record.game)
        headings = [
            # Translators: columns: the chance to win, how much of it the move lost, and the better move
            say_as("column", "move"), say("side"), say("played"), say("to win"), say("lost"), say("better"),
            # Translators: a column: the moves that would have followed
            say("line"),
        ]  # fmt: skip
        rows = [_row(each, game, speaker) for each in self.actions]
        words = frozenset([headings[1], headings[2], *headings[5:]])
        return TextTable("", headings, rows, words=words, name="played")

    def __repr__(self) -> str:
        return f"<Review by {self.agent}: {len(self.actions)} actions, turning points: {len(self.turning_points)}>"

    def _repr_html_(self) -> str:
        """For a notebook: the evaluation graph and the table."""
        values = [each.best.value if each.seat == 0 or each.best.value is None else -each.best.value
                  for each in self.actions]  # fmt: skip
        marks = [place for place, each in enumerate(self.actions) if each.is_turning_point]
        colours = details_of(game_of(self.record.game)).seat_colours
        return f"{evaluation_graph(values, marks, colours)}{self.table().html()}"


def mean_points_lost(actions: Sequence[ReviewedAction], player: Seat) -> float | None:
    """What a player lost per action in points of 100, where a win is 100 and a draw 50; None if nothing is known.

    player: the seat in which the player sits at the end. Actions count for who played them, wherever they sat then.
    """
    known = [each.points_lost for each in actions if each.player == player and each.points_lost is not None]
    return sum(known) / len(known) if known else None


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
        "" if each.best_chance is None else f"{percent(each.best_chance)}%{proven}",
        "" if not each.points_lost else f"{each.points_lost:.0f}" if each.sure else speaker.say("not sure"),
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
    limit: Limit | None = None,
    *,
    pool: Pool | None = None,
    watch: Callable[[int, int], None] = lambda done, total: None,
) -> Review:
    """Judge every action of a match by `agent`.

    limit: of the first search of each position, by default `review_limit`; where the verdict is not sure, deeper
    searches follow. watch: called with the number of positions searched, and of all that are known to need a search.
    Raises InvalidAgent, InvalidOption, and BrokenAgent
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
    searches = ReviewSearches(match, review_limit(match.game, agent) if limit is None else limit, agent)
    try:
        with pool.seated(match.game, identity, 0, 0) as first, pool.seated(match.game, identity, 1, 0) as second:
            again = match.before(match.opening)
            while not searches.each_searched:
                watch(len(searches.decisions), searches.total)
                seat = match.movers[len(again.actions)]
                searches.add((first, second)[seat].decide(again.view(seat), searches.limit, LONGEST))
                again.play(match.actions[len(again.actions)])
        while (deeper := searches.deeper()) is not None:
            watch(searches.searched, searches.searched + 1)
            seat, here = match.movers[deeper.ply], match.before(deeper.ply)
            with pool.seated(match.game, identity, seat, 0, here.views_seen(seat)) as player:
                searches.add_deeper(deeper, player.decide(here.view(seat), deeper.limit, LONGEST))
        watch(searches.searched, searches.searched)
    except Fault as fault:
        raise BrokenAgent("{agent} could not review the match: {reason}", agent=agent, reason=fault.message) from None
    return Review(record, agent, searches.actions)


def review_limit(game: Game, agent: str) -> Limit:
    """The least search that a position gets in a review: nodes, since seconds are worth less on a busy machine."""
    is_engine = agent.partition(":")[0] == "engine" and "network=none" not in agent
    return Limit(nodes=NODES.get(game.name, SIMULATIONS) if is_engine else SIMULATIONS)


@dataclass(frozen=True)
class DeeperSearch:
    """A position that is to be searched again: before the action at `ply`."""

    ply: int
    depth: int
    limit: Limit


class ReviewSearches:
    """The searches of a review: which position is next and how deep, and what is known of the actions by now.

    At first each position is searched once, in the order of play. Then those are searched again, `DEEPER` times as
    deep, on which an unproven verdict rests that would print a mark or is close to it. If the deeper search says the
    same, the verdict is sure. If not, or if it is still close, there is one more, and its verdict counts if it agrees
    with the one before.
    """

    def __init__(self, match: Match, limit: Limit, agent: str = "") -> None:
        """limit: of the first searches. Without any limit nothing can be deeper, and every verdict stands.

        agent: the spec of the reviewer, which says what its values mean as chances to win.
        """
        self.match, self.limit, self.agent = match, limit, agent
        self.total = len(match.actions) - match.opening
        """How many positions there are."""
        self.decisions: list[Decision] = []
        """For each position in order what the agent would play there, by the deepest search."""
        self.searched = 0
        """How many searches there were."""
        self._depths: list[int] = []
        self._readings: list[list[str]] = [[] for _ in range(self.total)]
        """For each action the marks that it would have got, by depth."""
        self._hidden = details_of(match.game).hidden_information
        self._unlimited = limit == Limit()

    @property
    def each_searched(self) -> bool:
        """Whether each position was searched once."""
        return len(self.decisions) == self.total

    def add(self, decision: Decision) -> None:
        """The first search of the next position."""
        self.decisions.append(decision)
        self._depths.append(0)
        self.searched += 1

    def add_deeper(self, search: DeeperSearch, decision: Decision) -> None:
        """The result of a deeper search."""
        place = search.ply - self.match.opening
        self.decisions[place], self._depths[place] = decision, search.depth
        self.searched += 1

    def deeper(self) -> DeeperSearch | None:
        """The next deeper search; None when there is nothing left to do. Each position must have been searched."""
        actions = self._judged()
        for place in reversed(range(self.total)):  # backwards, since a verdict rests on the position after the action
            readings = self._readings[place]
            while self._is_open(actions[place]):
                depth = len(readings)
                for each in self._rests_on(place):
                    if self._depths[each] < depth and not self.decisions[each].proven:
                        times = DEEPER**depth
                        seconds, nodes = self.limit.seconds, self.limit.nodes
                        limit = Limit(seconds and seconds * times, nodes and nodes * times)
                        return DeeperSearch(each + self.match.opening, depth, limit)
                readings.append(actions[place].mark)
        return None

    @property
    def actions(self) -> tuple[ReviewedAction, ...]:
        """The actions after the opening, judged as far as the positions were searched.

        The value of the last one may become known with the next position.
        """
        return tuple(each if self._is_sure(each) else replace(each, sure=False) for each in self._judged())

    def _judged(self) -> list[ReviewedAction]:
        """The actions with the verdicts of the deepest searches, sure or not."""
        match, opinions = self.match, self.decisions
        values = _expected(match, opinions) if self._hidden else _seen_later(match, opinions)
        return [
            self._with_chances(
                ReviewedAction(
                    ply,
                    match.movers[ply],
                    match.actions[ply],
                    opinion,
                    value,
                    match.final_seat(ply),
                    hidden_information=self._hidden,
                )
            )
            for ply, (opinion, value) in enumerate(zip(opinions, values, strict=True), start=match.opening)
        ]

    def _with_chances(self, each: ReviewedAction) -> ReviewedAction:
        """The action with its chances to win, as far as the reviewer's values have a map."""
        game, agent, value = self.match.game, self.agent, each.value
        before, after = chance_to_win(game, agent, each.best), None
        if value is not None and abs(value) == 1:  # proven, or the result of the match
            after = (1 + value) / 2
        elif value is not None and self._hidden:
            after = chance_to_win(game, agent, Decision(each.action, value))
        elif value is not None:  # it is what the reviewer said of the other seat, turned round
            others = chance_to_win(game, agent, Decision(each.action, -value))
            after = None if others is None else 1 - others
        return replace(each, best_chance=before, chance=after)

    def _rests_on(self, place: int) -> tuple[int, ...]:
        """The positions whose values make the verdict on an action."""
        alone = (
            self._hidden
            or place + 1 == self.total
            or self.match.actions[place + self.match.opening] == (self.decisions[place].action)
        )
        return (place,) if alone else (place, place + 1)

    def _stands(self, each: ReviewedAction) -> bool:
        """Whether no deeper search could say anything else."""
        positions = self._rests_on(each.ply - self.match.opening)
        return self._unlimited or all(
            place < len(self.decisions) and self.decisions[place].proven for place in positions
        )

    def _is_open(self, each: ReviewedAction) -> bool:
        """Whether the verdict needs another reading."""
        readings = self._readings[each.ply - self.match.opening]
        if self._stands(each) or len(readings) >= READINGS:
            return False
        if not readings:
            return True
        if len(readings) == 1:
            return bool(readings[0] or each.mark) or _is_close(each)
        return readings[-1] != readings[-2] or _is_close(each)

    def _is_sure(self, each: ReviewedAction) -> bool:
        """Whether the verdict, or the lack of one, can be shown."""
        readings = self._readings[each.ply - self.match.opening]
        if self._stands(each):
            return True
        return not each.mark if len(readings) < 2 else each.mark == readings[-1] == readings[-2]


def _is_close(each: ReviewedAction) -> bool:
    """Whether a little more search could change the verdict."""
    lost = each.lost or 0.0
    return min(abs(lost - MISTAKE), abs(lost - TURNING)) < CLOSE


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
