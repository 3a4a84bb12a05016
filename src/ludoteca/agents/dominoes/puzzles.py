"""Makes and proves puzzles of Dominoes; see `ludoteca.agents.puzzles.makers.PuzzleMaker`.

The worlds of a position are all hands of the other seat with which the same actions lead to the same view. With drawing
the order of the boneyard would matter too, so there the boneyard must be empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from random import Random
from typing import Final

from ludoteca import _core, games
from ludoteca.agents.dominoes.engine import DominoesEngine
from ludoteca.agents.engine_options import EngineOptions
from ludoteca.agents.puzzles.makers import begun, reached, self_played
from ludoteca.agents.puzzles.proofs import ActionVerdict, World, prove_actions
from ludoteca.errors import LudotecaError
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.dominoes.tiles import numbers, tile_name, tile_of
from ludoteca.games.lesson import Position
from ludoteca.games.start_notation import read_start
from ludoteca.protocols import Action

GAMES: Final = (
    ("dominoes:pips=3,variant=block,start=seat", 3), ("dominoes:pips=4,variant=block,start=seat", 4),
    ("dominoes:pips=5,variant=block,start=seat", 5), ("dominoes:variant=block,start=seat", 6),
    ("dominoes:variant=block,start=seat", 7), ("dominoes:pips=4,start=seat", 7), ("dominoes:pips=4,start=seat", 7),
    ("dominoes:pips=5,start=seat", 9), ("dominoes:start=seat", 12),
)  # fmt: skip
"""Games, and the tiles that each seat is dealt; with drawing these are nearly all tiles."""
MEMORY: Final = 16
"""Megabytes of the players."""
MOST_WORLDS: Final = 400
MOST_POSITIONS: Final = 60_000
"""For the proof of one action."""


def candidates(chance: Random) -> Iterator[Position]:
    """The later positions of a round between two levels of the engine."""
    spec, count = chance.choice(GAMES)
    game = expect(games.game(spec), Dominoes)
    tiles = [numbers(tile) for tile in chance.sample(range(game.num_tiles), 2 * count)]
    start = game.start(hands=(tiles[:count], tiles[count:]), turn=chance.randint(0, 1))
    players = [
        DominoesEngine(game, seat, chance.randrange(2**31), EngineOptions(chance.randint(1, 4), MEMORY, 1))
        for seat in (0, 1)
    ]
    positions = list(self_played(game, players, seed=0, start=start))
    yield from reversed(positions[2:])


def verdicts(position: Position) -> Mapping[Action, ActionVerdict] | None:
    """What is proven of each action over all hands that the other may have."""
    found = worlds(position)
    return prove_actions(found, MOST_POSITIONS) if found else None


def certain(position: Position) -> tuple[Sequence[int], Sequence[int]] | None:
    """The tiles that the other may hold, and those that are in all its possible hands."""
    found = worlds(position)
    if not found:
        return None
    state = found[0][1]
    assert state.turn is not None
    view = expect(state.view(state.turn), _core.DominoesView)
    hands = [set(expect(each.view(1 - state.turn), _core.DominoesView).hand) for _, each in found]
    return view.unseen, sorted(set.intersection(*hands))


def unseen(position: Position) -> Sequence[int]:
    """The tiles of the other hand and of the boneyard."""
    state = reached(position)
    return expect(state.view(state.turn or 0), _core.DominoesView).unseen


def piece_name(piece: int) -> str:
    """The tile."""
    return tile_name(piece)


def same(position: Position) -> str:
    """The line, the hand and what the other may hold, seen from the seat on turn."""
    state = reached(position)
    assert state.turn is not None
    view = expect(state.view(state.turn), _core.DominoesView)
    return f"{position.game} {view.ends} {sorted(view.hand)} {sorted(view.unseen)} {view.counts[1 - view.seat]}"


@lru_cache(maxsize=4)
def worlds(position: Position) -> Sequence[World] | None:
    """All worlds that the seat on turn cannot tell apart; None if they are too many or depend on the boneyard."""
    game = expect(games.game(position.game), Dominoes)
    state = reached(position)
    if state.turn is None or not position.start:
        return None
    view = expect(state.view(state.turn), _core.DominoesView)
    other = 1 - view.seat
    if (view.boneyard and game.variant == "draw") or comb(len(view.unseen), view.counts[other]) > MOST_WORLDS:
        return None
    parts = read_start(position.start, ("line", "0", "1", "turn"))
    line = [_pair(word) for word in parts.get("line", [])]
    mine = [_pair(word) for word in parts[str(view.seat)]]
    laid = [numbers(tile) for tile, seat, _ in view.line if seat == other]
    found = []
    for hand in combinations(view.unseen, view.counts[other]):
        theirs = [*laid, *(numbers(tile) for tile in hand)]
        hands = (mine, theirs) if view.seat == 0 else (theirs, mine)
        start = game.start(line=line, hands=hands, turn=int(parts["turn"][0]))
        world = begun(game, start, position.seed)
        try:
            for name in position.actions:
                world.apply(game.parse_action(name))
        except LudotecaError:
            continue
        if bytes(world.view(view.seat)) == bytes(view):
            found.append((start, world))
    return found


def _pair(word: str) -> tuple[int, int]:
    high, low = word.split("-")
    return numbers(tile_of(int(high), int(low)))
