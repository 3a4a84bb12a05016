"""Makes and proves puzzles of Horses; see `ludoteca.agents.puzzles.makers.PuzzleMaker`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from ludoteca import _core, games
from ludoteca.agents.engine_options import EngineOptions
from ludoteca.agents.horses.engine import HorsesEngine
from ludoteca.agents.puzzles.makers import reached, self_played
from ludoteca.agents.puzzles.proofs import ActionVerdict
from ludoteca.games.core_game import expect
from ludoteca.games.lesson import Position
from ludoteca.protocols import Action

GAMES: Final = ("horses:size=5", "horses:size=6", "horses:size=6,penalty=every", "horses:size=7", "horses")
MEMORY: Final = 16
"""Megabytes of the players."""
MOST_NODES: Final = 400_000
"""For the proof of one action."""
SEEDS: Final = 1_000_000


def candidates(chance: Random) -> Iterator[Position]:
    """The later positions of a match between two levels of the engine."""
    game = games.game(chance.choice(GAMES))
    players = [
        HorsesEngine(game, seat, chance.randrange(2**31), EngineOptions(chance.randint(2, 8), MEMORY, 1))
        for seat in (0, 1)
    ]
    positions = list(self_played(game, players, seed=chance.randrange(SEEDS)))
    yield from reversed(positions[len(positions) // 4 : -2])


def verdicts(position: Position) -> Mapping[Action, ActionVerdict] | None:
    """The result after each move, by the solver."""
    state = reached(position)
    assert state.turn is not None
    found = {}
    for action in state.legal():
        after = state.copy()
        after.apply(action)
        if after.turn is None:
            result = after.returns()[state.turn]
            found[action] = ActionVerdict((result > 0) - (result < 0))
            continue
        view = expect(after.view(after.turn), _core.HorsesView)
        choice = _core.horses_engine(view, nodes=MOST_NODES, memory=16).run()
        if not choice.exhaustive and abs(choice.value) < _core.HORSES_PROVEN_WIN:
            return None
        value = (choice.value > 0) - (choice.value < 0)
        mine = after.turn == state.turn
        found[action] = ActionVerdict(value if mine else -value, None if mine else choice.action)
    return found


def same(position: Position) -> str:
    """The position itself: the starts are random, so no two are alike."""
    return f"{position.game} {position.seed} {' '.join(position.actions)}"
