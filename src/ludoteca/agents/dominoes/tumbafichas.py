"""The minimax of the seed document dominoes-tumbafichas: it counts tiles over hidden hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from ludoteca import _core
from ludoteca.agents.dominoes.forced import forced
from ludoteca.agents.search_agent import Searcher, Thought
from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.messages import Message, joined, say, say_count
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View
from ludoteca.spec import Label, one_of, within

__all__ = ["TumbaFichas", "growing_depth"]

DEEPEST = 64
WIN = 1000.0


def growing_depth(table: _core.DominoesView) -> int:
    """Plies to look ahead as the seed's program does: the more tiles are known, the more; 7 before the first tile.

    In the program's double-six it is 24 less the unseen tiles, which is 4 or more; in a larger set it stays at 4 until
    as few tiles are unseen.
    """
    return 7 if table.ends is None else max(4, 24 - len(table.unseen))


class TumbaFichas(Searcher):
    """Looks ahead knowing its own hand, and of the other's only how many tiles it has.

    On the other's turn every unseen tile that fits is a possible reply; where this seat cannot play, every unseen tile
    that fits is a possible draw, laid at once. Its scores are exact for the depth: 1000 for going out, −1000 when the
    other does, 0 where no tile fits, and where the depth ends 10 · (the other's tiles − own tiles) · probability, that
    of the tile revealed last (see core/dominoes/minimax.hpp). They are no expected returns, so a decision has no value.
    Of equal actions it takes the first. Under a limit that stops it early, it decides by the deepest finished look.

    ``variant=program`` is the program behind the document, whole: it takes the mean of the replies, counts each of them
    once more as if the other had drawn first, and expects a number of draws (see core/dominoes/expectimax.hpp).
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
                say("the other's reply"),
                say("of the other's possible replies count the worst, or the mean of all"),
                {"min": say("the worst"), "mean": say("the mean of all")},
            ),
        ] = "min",
        variant: Annotated[
            Literal["document", "program"],
            Label(
                say("variant"),
                say("document: as it is written; program: as the code behind it, where the other may draw first"),
                {"document": say("as it is written"), "program": say("as the code behind it")},
            ),
        ] = "document",
    ) -> None:
        self._depth = within("tumbafichas", "depth", depth, 0, DEEPEST)
        self._mean = one_of("tumbafichas", "opponent", opponent, ("min", "mean")) == "mean"
        self._program = one_of("tumbafichas", "variant", variant, ("document", "program")) == "program"
        if not self._program:
            return
        if self._mean:
            raise InvalidOption(say("tumbafichas: variant=program takes a mean of its own; leave opponent out"))
        if isinstance(game, Dominoes) and game.variant == "block":
            raise InvalidOption(say("tumbafichas: variant=program plays only with drawing, not {game}", game=game.spec))

    def _thought(self, view: View, limit: Limit) -> Thought | Decision:
        table = expect(view, _core.DominoesView)
        if (only := forced(table)) is not None:
            return only
        depth = self._depth or growing_depth(table)
        if self._program:
            search = _core.dominoes_expectimax(table, depth, limit.nodes, limit.seconds)
        else:
            search = _core.dominoes_minimax(table, depth, self._mean, limit.nodes, limit.seconds)
        return Thought(search, lambda found: self._decision(table, found, depth))

    def _decision(self, table: _core.DominoesView, found: _core.Choice, depth: int) -> Decision:
        if not found.depth:
            return Decision(found.action, note=say("no time to look ahead: the first legal action"), nodes=found.nodes)
        return Decision(
            found.action,
            scores=dict(found.scores),
            line=found.line,
            note=self._note(table, found, depth),
            nodes=found.nodes,
            depth=found.depth,
        )

    def _note(self, table: _core.DominoesView, found: _core.Choice, depth: int) -> Message:
        seen = say_count("{count} ply ahead", "{count} plies ahead", found.depth)
        if found.exhaustive:
            seen = say("seen to the end")
        parts = [joined([seen, self._outcome(table, found)], ": ")]
        game = table.game
        equal = [each for each, score in found.scores if score == found.value and each != found.action]
        if equal:
            parts.append(say("as good: {names}", names=[game.action_name(each) for each in equal]))
        if found.depth < depth and not found.exhaustive:
            parts.append(
                say_count("the limit left no time for {count} ply", "the limit left no time for {count} plies", depth)
            )
        return joined(parts, "; ")

    def _outcome(self, table: _core.DominoesView, found: _core.Choice) -> Message:
        """What the expected line comes to."""
        value = found.value
        rounded = round(value, 1)
        if self._mean or self._program:
            return say("{value:+zg} on average over all replies", value=rounded)
        if abs(value) == WIN:
            return say("goes out first against every reply") if value > 0 else say("the other may go out first")
        own, theirs = _tiles_left(table, found.line)
        if found.exhaustive or (value == 0 and own != theirs):
            outcome = say("at worst nothing fits any more")
        else:
            outcome = say_count(
                "at worst {count} tile against {theirs}", "at worst {count} tiles against {theirs}", own, theirs=theirs
            )
        return joined([outcome, say("value {value:+zg}", value=rounded)]) if value else outcome


def _tiles_left(table: _core.DominoesView, line: Sequence[Action]) -> tuple[int, int]:
    """The own tiles and the other's after a line; what this seat draws there, it lays at once."""
    draw = table.game.draw_action
    counts = [table.counts[table.seat], table.counts[1 - table.seat]]
    who = 0
    for action in line:
        counts[who] += (action == draw) - (action < draw)
        if action != draw:
            who = 1 - who
    return counts[0], counts[1]
