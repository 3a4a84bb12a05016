"""The minimax of the seed document dominoes-tumbafichas: it searches without knowing the opponent's tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from ludoteca import _core
from ludoteca.agents.dominoes.forced import forced
from ludoteca.agents.search_agent import SearchAgent, SearchTask
from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.messages import Message, joined, say, say_count
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View
from ludoteca.spec import Label, one_of, within

MAX_DEPTH = 64
MOST_NODES = 100_000_000
"""Nodes of a decision of ``variant=program`` without a limit: ten to twenty seconds. None that we know needs them."""
WIN = 1000.0


def growing_depth(table: _core.DominoesView) -> int:
    """The search depth of the seed's program: the more tiles are known, the deeper; 7 before the first tile.

    In the program's double-six it is 24 minus the unseen tiles, which is at least 4. In a larger set it is never below
    4.
    """
    return 7 if table.ends is None else max(4, 24 - len(table.unseen))


class TumbaFichas(SearchAgent):
    """Looks ahead knowing its own hand, and only the size of the opponent's.

    On the opponent's turn every unseen tile that fits is a possible reply. If this seat cannot play, every unseen tile
    that fits is a possible draw, laid at once. Its scores are exact for the depth: 1000 for going out, −1000 when the
    opponent does, 0 if no tile fits, and at the depth 10 · (opponent's tiles − own tiles) · probability of the tile
    revealed last (see core/dominoes/minimax.hpp). They are no expected returns, so a decision has no value. Of equal
    actions it takes the first. If a limit stops it, it decides by the deepest finished iteration.

    ``variant=program`` is the program behind the document: it takes the mean of the replies, counts each of them once
    more as if the opponent had drawn first, and expects a number of draws (see core/dominoes/expectimax.hpp).
    """

    games = frozenset({"dominoes"})

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        depth: Annotated[
            int,
            Label(say("plies ahead"), say("plies to look ahead, 1 to 64; 0: from 4 on, growing as tiles become known")),
        ] = 0,
        opponent: Annotated[
            Literal["min", "mean"],
            Label(
                say("opponent's reply"),
                say("count the worst of the opponent's possible replies, or the mean of all"),
                {"min": say("the worst"), "mean": say("the mean of all")},
            ),
        ] = "min",
        variant: Annotated[
            Literal["document", "program"],
            Label(
                say("variant"),
                say("document: as it is written; program: as its code does it, where the opponent may draw first"),
                {"document": say("as it is written"), "program": say("as its code does it")},
            ),
        ] = "document",
    ) -> None:
        self._depth = within("tumbafichas", "depth", depth, 0, MAX_DEPTH)
        self._mean = one_of("tumbafichas", "opponent", opponent, ("min", "mean")) == "mean"
        self._program = one_of("tumbafichas", "variant", variant, ("document", "program")) == "program"
        if not self._program:
            return
        if self._mean:
            raise InvalidOption(say("tumbafichas: variant=program always takes the mean; leave opponent out"))
        if isinstance(game, Dominoes) and game.variant == "block":
            raise InvalidOption("tumbafichas: variant=program plays only with drawing, not {game}", game=game.spec)

    def _task(self, view: View, limit: Limit) -> SearchTask | Decision:
        table = expect(view, _core.DominoesView)
        if (only := forced(table)) is not None:
            return only
        depth = self._depth or growing_depth(table)
        if self._program:
            search = _core.dominoes_expectimax(table, depth, MOST_NODES, limit.nodes, limit.seconds)
        else:
            search = _core.dominoes_minimax(table, depth, self._mean, limit.nodes, limit.seconds)
        return SearchTask(table, search, lambda found: self._decision(table, found, depth, limit))

    def _decision(self, table: _core.DominoesView, found: _core.Choice, depth: int, limit: Limit) -> Decision:
        if not found.depth:
            return Decision(found.action, note=say("no time to look ahead: the first legal action"), nodes=found.nodes)
        scores, note = dict(found.scores), self._note(table, found, depth, limit)
        return Decision(found.action, None, scores, found.line, note, found.nodes, found.depth)

    def _note(self, table: _core.DominoesView, found: _core.Choice, depth: int, limit: Limit) -> Message:
        seen = say_count("{count} ply ahead", "{count} plies ahead", found.depth)
        if found.exhaustive:
            seen = say("seen to the end")
        parts = [joined([seen, self._outcome(table, found)], ": ")]
        game = table.game
        equal = [each for each, score in found.scores if score == found.value and each != found.action]
        if equal:
            parts.append(say("as good: {names}", names=[game.action_name(each) for each in equal]))
        cut = found.depth < depth and not found.exhaustive
        if cut and self._program and limit == Limit() and found.nodes >= MOST_NODES:
            parts.append(
                say(
                    "it gave up looking {depth} plies ahead after {count:,} nodes, its bound without a limit",
                    depth=depth,
                    count=MOST_NODES,
                )
            )
        elif cut:
            parts.append(
                say_count("the limit left no time for {count} ply", "the limit left no time for {count} plies", depth)
            )
        return joined(parts, "; ")

    def _outcome(self, table: _core.DominoesView, found: _core.Choice) -> Message:
        """What the expected line leads to."""
        value = found.value
        rounded = round(value, 1)
        if self._mean or self._program:
            return say("{value:+zg} on average over all replies", value=rounded)
        if abs(value) == WIN:
            return say("goes out first against every reply") if value > 0 else say("the opponent may go out first")
        own, theirs = _tiles_left(table, found.line)
        if found.exhaustive or (value == 0 and own != theirs):
            outcome = say("at worst nothing fits any more")
        else:
            outcome = say_count(
                "at worst {count} tile against {theirs}", "at worst {count} tiles against {theirs}", own, theirs=theirs
            )
        return joined([outcome, say("value {value:+zg}", value=rounded)]) if value else outcome


def _tiles_left(table: _core.DominoesView, line: Sequence[Action]) -> tuple[int, int]:
    """Own tiles and the opponent's after a line; this seat lays a drawn tile at once."""
    draw = table.game.draw_action
    counts = [table.counts[table.seat], table.counts[1 - table.seat]]
    who = 0
    for action in line:
        counts[who] += (action == draw) - (action < draw)
        if action != draw:
            who = 1 - who
    return counts[0], counts[1]
