"""The engine of Hex without a network, against play to the end and against positions whose answer is known."""

from __future__ import annotations

import random
from itertools import cycle, product
from typing import cast

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.agents.engine_options import EngineOptions
from ludoteca.agents.hex.classical import HexClassicalEngine
from ludoteca.errors import InvalidOption
from ludoteca.games.hex.game import Hex
from ludoteca.protocols import Decision, Limit
from ludoteca.testing import random_actions
from tests.agents.hex.hex_positions import LAYOUTS, ORIENTATIONS, named, position, random_position
from tests.strength import match_score

GAMES = [
    *(f"hex:size=3,layout={layout},orientation={side}" for layout in LAYOUTS for side in ORIENTATIONS),
    "hex:size=3,swap=true",
    "hex:size=3,swap=true,orientation=standard",
]


def make(spec: str) -> Hex:
    return cast(Hex, ludoteca.game(spec))


def ask(game: Hex, view: _core.HexView, nodes: int, seed: int = 1, level: int = 0) -> Decision:
    """What a new engine decides."""
    return HexClassicalEngine(game, view.seat, seed, EngineOptions(level)).act(view, Limit(nodes=nodes))


class Brute:
    """Plays every line to its end."""

    def __init__(self) -> None:
        self._known: dict[object, bool] = {}

    def wins(self, state: _core.HexState) -> bool:
        """Whether the seat on turn wins."""
        assert state.turn is not None
        key = (tuple(state.view(0).stones), state.turn, len(state.legal()))
        if key not in self._known:
            self._known[key] = any(self.good(state, action) for action in state.legal())
        return self._known[key]

    def good(self, state: _core.HexState, action: int) -> bool:
        """Whether this action of the seat on turn wins."""
        after = state.copy()
        after.apply(action)
        return after.turn is None or not self.wins(after)


def check(game: Hex, state: _core.HexState, brute: Brute, nodes: int) -> None:
    """The engine proves what is true, and plays a winning action where there is one."""
    assert state.turn is not None
    found = ask(game, state.view(state.turn), nodes)
    wins = brute.wins(state)
    if len(state.legal()) > 1:
        assert found.proven
        assert found.value == (1 if wins else -1)
    assert brute.good(state, found.action) == wins


@pytest.mark.parametrize("spec", GAMES)
def test_on_a_small_board_every_verdict_is_right(spec: str) -> None:
    game, brute = make(spec), Brute()
    for seed in range(25):
        state = game.deal(0)
        check(game, state, brute, 5000)
        for action in random_actions(game, seed)[:-1]:
            state.apply(action)
            check(game, state, brute, 5000)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("size", [4, 5, 6])
def test_with_ten_cells_left_every_verdict_is_right(size: int, layout: str) -> None:
    game = make(f"hex:size={size},layout={layout},orientation={ORIENTATIONS[size % 2]}")
    for seed in range(12):
        state = game.deal(0)
        for action in random_actions(game, seed)[: size * size - 10]:
            state.apply(action)
        if state.turn is not None:
            check(game, state, Brute(), 5000)


def test_first_moves_that_win_are_known_to_win() -> None:
    """The table of 4×4, from the rules."""
    game = make("hex:size=4,orientation=standard")
    wins = {game.parse_action(name) for name in ("d1", "c2", "b3", "a4")}
    for first in range(16):
        found = ask(game, position(game, [first]).view, 20_000)
        assert found.proven
        assert found.value == (-1 if first in wins else 1)


SMALL, LARGE = range(1, 10), (10, 11, 13, 16, 19)


@pytest.mark.parametrize(("size", "layout"), [*product(SMALL, LAYOUTS), *zip(LARGE, cycle(LAYOUTS), strict=False)])
def test_it_plays_legally_to_the_end(size: int, layout: str) -> None:
    game = make(f"hex:size={size},layout={layout}")
    state, agent, chance = game.deal(0), HexClassicalEngine(game, size % 2, 3), random.Random(size)
    while state.turn is not None:
        if state.turn == size % 2:
            state.apply(agent.act(state.view(state.turn), Limit(nodes=8)).action)
        else:
            state.apply(chance.choice(state.legal()))
    assert size < 5 or state.returns()[size % 2] == 1


def test_the_same_seed_and_nodes_give_the_same_decision_whatever_was_searched_before() -> None:
    game = make("hex:size=7")
    first, second = named(game, "d4").view, named(game, "d4 c5 e3").view
    fresh = ask(game, second, 700)
    agent = HexClassicalEngine(game, 1, 1, EngineOptions(threads=2))
    agent.act(first, Limit(nodes=500))
    assert agent.act(second, Limit(nodes=700)) == fresh
    assert ask(game, second, 700, seed=2) != fresh


def test_nodes_are_counted_exactly() -> None:
    game = make("hex:size=9")
    for nodes in (1, 7, 8, 9, 1000):
        assert ask(game, named(game, "e5").view, nodes).nodes == nodes


def test_without_a_node_it_takes_the_centre() -> None:
    game = make("hex:size=9")
    found = ask(game, position(game, []).view, 0)
    assert game.action_name(found.action) == "e5"
    assert found.value is None


def test_a_bridge_to_the_side_wins_and_is_not_let_go() -> None:
    """Seat 0 has a chain of bridges from side to side: whichever cell the other takes, it takes its partner."""
    game = make("hex:size=5,orientation=standard")
    stones: list[int | None] = [None] * 25
    for name in ("c2", "b4"):  # c2 – b4 is a bridge over b3 and c3; to the sides b1 or c1 … and a5 or b5
        stones[game.parse_action(name)] = 0
    stones[game.parse_action("d1")] = 1
    for intruder in ("b3", "c3", "c1", "a5", "b5"):
        taken = list(stones)
        taken[game.parse_action(intruder)] = 1
        state = game.position(taken, turn=0)
        found = ask(game, state.view(0), 2000)
        assert (found.proven, found.value) == (True, 1)


def test_with_swap_it_takes_a_good_stone_and_leaves_a_poor_one() -> None:
    game = make("hex:size=9,swap=true")
    assert ask(game, named(game, "e5").view, 20_000).action == game.parse_action("swap")
    assert ask(game, named(game, "a1").view, 20_000).action != game.parse_action("swap")


def test_with_swap_no_seat_gains_by_the_first_stone() -> None:
    """The seat that may swap takes the better side, so the first stone is worth at most half."""
    game = make("hex:size=5,swap=true")
    found = ask(game, position(game, []).view, 2000)
    assert found.value is not None
    assert found.value <= 0
    assert max(found.scores.values()) == found.value


def test_a_playout_fills_the_board_and_says_who_has_connected() -> None:
    for seed in range(60):
        view, _ = random_position(seed, (2, 9))
        winner, owners = _core.hex_playout(view, seed)
        before = view.stones
        assert all(old is None or old == new for old, new in zip(before, owners, strict=True))
        added = [new for old, new in zip(before, owners, strict=True) if old is None]
        assert added.count(view.seat) == (len(added) + 1) // 2
        assert view.game.position(owners, turn=0).returns()[winner] == 1


@pytest.mark.parametrize("layout", LAYOUTS)
def test_playouts_save_most_bridges(layout: str) -> None:
    """A stone of the other seat in one of the two cells between two stones: the second cell is mostly taken at once."""
    game = make(f"hex:size=7,layout={layout}")
    neighbours = [set(game.neighbours(cell)) for cell in range(49)]
    outcomes = []
    for upper in range(49):
        for lower in range(upper + 1, 49):
            between = sorted(neighbours[upper] & neighbours[lower])
            if lower in neighbours[upper] or len(between) != 2:
                continue
            for attacked, saved in (between, between[::-1]):
                state = game.deal(0)
                far = next(cell for cell in range(49) if cell not in {upper, lower, *between})
                for action in (upper, far, lower, attacked):
                    state.apply(action)
                outcomes += [_core.hex_playout(state.view(0), seed)[1][saved] == 0 for seed in range(3)]
    assert sum(outcomes) > 0.8 * len(outcomes)  # where cells are filled at random, half of them are saved


def test_playouts_treat_both_seats_and_all_sides_alike() -> None:
    """Turned by half a turn, or mirrored on its long diagonal with seats exchanged, a position is worth the same."""
    game, count = make("hex:size=6"), 1500
    actions = [8, 14, 19, 26, 10, 28, 33, 1, 25]
    shares = []
    for turn, mirror in product((False, True), repeat=2):
        owners: list[int | None] = [None] * 36
        for number, action in enumerate(actions):
            place = 35 - action if turn else action
            owners[place % 6 * 6 + place // 6 if mirror else place] = number % 2 ^ mirror
        view = game.position(owners, turn=int(not mirror)).view(int(not mirror))
        shares.append(sum(_core.hex_playout(view, seed)[0] == mirror for seed in range(count)) / count)
    assert min(shares) > 0.1
    assert max(shares) < min(shares) + 0.05
    assert max(shares) < 0.9


@pytest.mark.no_sanitize
def test_more_simulations_play_better() -> None:
    assert match_score("hex:size=7", "engine:network=none,level=7", "engine:network=none,level=1", 5) >= 0.8


@pytest.mark.parametrize("options", ["level=9", "memory=0", "threads=0", "network=deep"])
def test_options_that_make_no_sense_are_refused(options: str) -> None:
    with pytest.raises(InvalidOption):
        ludoteca.agent(f"engine:{options}")(make("hex"), 0, 1)
