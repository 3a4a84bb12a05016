"""The strongest player of Dominoes here: perfect where the round is small, else exact in many worlds."""

from __future__ import annotations

from typing import Final

from ludoteca import _core
from ludoteca.agents.dominoes.forced import forced
from ludoteca.agents.search_agent import Searcher, Thought
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.messages import Message, joined, say, say_count
from ludoteca.protocols import Decision, Game, Limit, Seat, View
from ludoteca.spec import within

__all__ = ["LEVELS", "DominoesEngine"]

WORLDS: Final = {"block": 200, "draw": 100}
"""How many it looks at, by variant, without a level or a limit."""
MOST_WORLDS: Final = 2000
"""With a limit; more are hardly stronger."""
PLIES: Final = {"block": 55, "draw": 10}
"""In a world it looks at every choice until so many tiles are laid; in block, to the end."""
MISTAKES: Final = 0.5
"""The share of its next choices in which the other, who does not see all tiles either, is taken to play anything."""
LEVELS: Final = {
    1: (1, 1.5),
    2: (1, 0.7),
    3: (2, 0.3),
    4: (2, 0.1),
    5: (4, 0.1),
    6: (8, 0.05),
    7: (16, 0.02),
    8: (48, 0.0),
}
"""By level: how many worlds it looks at, and how much worse than the best an action may look to be chosen too."""
LOOKS: Final = 64
"""At the whole round, where it is small enough; 64 leave a best response some 0.001 to gain in double-three."""
TREMBLE: Final = 0.001
"""How often both are taken to slip, so that it knows what to do after the other's mistakes too."""
STRIDE: Final = 0x9E3779B97F4A7C15
"""Between the seeds of two decisions of one match."""


class DominoesEngine(Searcher):
    """Looks at the worlds that it may be in, and at what each action comes to there when both see all tiles.

    The worlds are all hands that the other can have if they are few, else a sample in which each is as likely as it has
    deals; they weigh as much as the way in which the other has played speaks for them. Its scores are expected returns.

    Where all that may have been dealt fits in its memory, as in double-three, it goes on to perfect play by regret
    minimisation from the beginning of the round, and goes on with that at its next turn. Perfect play mixes actions:
    its seed decides. With a level it does not do that. Several threads share the worlds, but where nodes are counted.
    """

    games = frozenset({"dominoes"})

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        level: int = 0,
        memory: int = 256,
        threads: int = 1,
    ) -> None:
        self._level = within("engine", "level", level, 0, len(LEVELS))
        self._threads = within("engine", "threads", threads, 1, 64)
        self._seed = seed
        self._solution = _core.DominoesEquilibrium(expect(game, Dominoes), memory, TREMBLE)

    def _thought(self, view: View, limit: Limit) -> Thought | Decision:
        table = expect(view, _core.DominoesView)
        if (only := forced(table)) is not None:
            return only
        usual = WORLDS[table.game.variant] if limit == Limit() else MOST_WORLDS
        worlds, margin = LEVELS.get(self._level, (usual, 0.0))
        seed = (self._seed + len(table.log) * STRIDE) % 2**64
        looks = 0 if self._level else LOOKS
        search = _core.dominoes_engine(
            table,
            self._solution,
            worlds,
            MISTAKES,
            PLIES[table.game.variant],
            margin,
            looks,
            self._threads,
            seed,
            limit.nodes,
            limit.seconds,
        )
        return Thought(search, lambda found: self._decision(table, found))

    def _decision(self, table: _core.DominoesView, found: _core.Choice) -> Decision:
        if not found.depth:
            return Decision(found.action, note=say("no time to look ahead: the heaviest tile"), nodes=found.nodes)
        return Decision(
            found.action,
            value=found.value,
            scores=dict(found.scores),
            line=found.line,
            note=_note(table, found),
            nodes=found.nodes,
            depth=found.depth,
            proven=found.complete and found.exhaustive and not table.boneyard,
        )


def _note(table: _core.DominoesView, found: _core.Choice) -> Message:
    """How much it has seen, and what looks as good."""
    if found.exhaustive and not table.boneyard:
        parts = [say("all tiles are known: {value:+zg}", value=found.value)]
    elif found.exhaustive:
        parts = [say("the whole round weighed: {value:+z.2f} expected", value=found.value)]
    else:
        parts = [
            say_count(
                "{count} world searched to its end: {value:+z.2f} expected",
                "{count} worlds searched to their end: {value:+z.2f} expected",
                found.worlds,
                value=found.value,
            )
        ]
    equal = [each for each, score in found.scores if score == found.value and each != found.action]
    if equal:
        parts.append(say("as good: {names}", names=[table.game.action_name(each) for each in equal]))
    return joined(parts, "; ")
