"""Makes and proves puzzles of Hex; see `ludoteca.agents.puzzles.makers.PuzzleMaker`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from ludoteca import _core, games
from ludoteca.agents.engine_options import EngineOptions
from ludoteca.agents.hex.engine import hex_engine
from ludoteca.agents.puzzles.makers import reached, self_played
from ludoteca.agents.puzzles.proofs import ActionVerdict
from ludoteca.games.core_game import expect
from ludoteca.games.hex.game import Hex
from ludoteca.games.lesson import Position
from ludoteca.protocols import Action

SIZES: Final = (6, 6, 7, 7, 7, 8)
MEMORY: Final = 16
"""Megabytes of the players."""
MOST_NODES: Final = 6_000
"""For the proof of all moves of a position."""
MEGABYTES: Final = 16
BEHIND: Final = 2
"""Stones more than the other side needs: with one move in hand, one stone more is an even race."""


def candidates(chance: Random) -> Iterator[Position]:
    """Positions with one winning move of a match between two levels of the engine that begins with random stones.

    Half of the matches begin with two stones; the others with more, which the network has not seen in its own play.
    """
    size = chance.choice(SIZES)
    game = expect(games.game(f"hex:size={size}"), Hex)
    stones = chance.choice((2, chance.randint(size, 2 * size - 2)))  # too few to connect
    opening = [game.action_name(action) for action in chance.sample(range(size * size), stones)]
    players = [
        hex_engine(game, seat, chance.randrange(2**31), EngineOptions(chance.randint(2, 6), MEMORY, 1))
        for seat in (0, 1)
    ]
    for position in self_played(game, players, seed=0, opening=opening):
        if len(position.actions) >= size - 1 and _one_wins(position):  # earlier ones are rarely proven
            yield position


def _one_wins(position: Position) -> bool:
    """Whether exactly one move wins. Most positions have several, so that looking for a second one ends soon."""
    state = reached(position)
    assert state.turn is not None
    game = expect(state.view(0).game, Hex)
    proofs, won = _core.HexProofs(game, MEGABYTES), 0
    first = _core.hex_solver(expect(state.view(state.turn), _core.HexView), nodes=MOST_NODES, proofs=proofs).run()
    if not first.complete or first.value < 0:
        return False
    centre = game.size // 2 * (game.size + 1)
    order = sorted(state.legal(), key=lambda move: (move != first.action, _distance(game, move, first.action, centre)))
    for move in order:
        after = state.copy()
        after.apply(move)
        if after.turn is None:
            won += 1
        else:
            view = expect(after.view(after.turn), _core.HexView)
            reply = _core.hex_solver(view, nodes=MOST_NODES, proofs=proofs).run()
            if not reply.complete:
                return False
            won += reply.value < 0
        if won > 1:
            return False
    return won == 1


def _distance(game: Hex, move: Action, winner: Action, centre: int) -> float:
    """Small for moves near the winning one or the centre, of which others may win too."""
    if move >= game.size * game.size:
        return 0.0
    (x, y), nearest = game.centre(move), (game.centre(winner), game.centre(centre))
    return min((x - a) ** 2 + (y - b) ** 2 for a, b in nearest)


def verdicts(position: Position) -> Mapping[Action, ActionVerdict] | None:
    """Whether each move wins, by the solver, and what refutes those that lose."""
    state = reached(position)
    assert state.turn is not None
    game = expect(state.view(0).game, Hex)
    proofs = _core.HexProofs(game, MEGABYTES)
    view = expect(state.view(state.turn), _core.HexView)
    found = _core.hex_solver(view, all_moves=True, nodes=MOST_NODES, proofs=proofs).run()
    if not found.complete:
        return None
    out = {}
    for action, value in found.scores:
        if value > 0:
            out[action] = ActionVerdict(1)
            continue
        after = state.copy()
        after.apply(action)
        reply = _core.hex_solver(
            expect(after.view(1 - state.turn), _core.HexView), nodes=MOST_NODES, proofs=proofs
        ).run()
        if not reply.complete or reply.value < 0:
            return None
        out[action] = ActionVerdict(-1, reply.action)
    return out


def is_behind(position: Position) -> bool:
    """Whether the other side needs at least two stones fewer to connect than the seat on turn."""
    state = reached(position)
    assert state.turn is not None
    view = expect(state.view(state.turn), _core.HexView)
    own, other = (_core.hex_distance(view, seat) for seat in (state.turn, 1 - state.turn))
    return other is not None and (own is None or own - other >= BEHIND)


def same(position: Position) -> str:
    """The least of the stones as they are, after half a turn, and mirrored with the colours exchanged."""
    state = reached(position)
    game = expect(state.view(0).game, Hex)
    stones = [(divmod(game.parse_action(name), game.size), ply % 2) for ply, name in enumerate(position.actions)]
    last, forms = game.size - 1, []
    for turned in (False, True):
        for mirrored in (False, True):
            cells = []
            for (row, column), seat in stones:
                if turned:
                    row, column = last - row, last - column
                cells.append((column, row, 1 - seat) if mirrored else (row, column, seat))
            forms.append(sorted(cells))
    return f"{game.spec} {min(forms)}"
