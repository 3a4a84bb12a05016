from __future__ import annotations

import itertools
import math
import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludoteca
from ludoteca import _core
from ludoteca.games.hex.game import LAYOUTS as LAYOUT_OF
from ludoteca.games.hex.game import Hex
from ludoteca.testing import check_game, random_actions
from tests.games.hex.reference import HexReference

LAYOUTS = ("axial", "even-r", "odd-r")
ORIENTATIONS = ("left-right", "standard")


LAYOUTS_AND_SWAP = (("axial", False), ("axial", True), ("even-r", False), ("odd-r", False))


@pytest.mark.parametrize(("layout", "swap"), LAYOUTS_AND_SWAP)
@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("size", [1, 2, 5])
def test_every_option_keeps_the_promises(size: int, layout: str, orientation: str, swap: bool) -> None:
    check_game(Hex(size, orientation, layout, swap), matches=4)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [11, 19])
def test_large_boards_keep_the_promises(size: int) -> None:
    check_game(Hex(size), matches=1)


@given(st.integers(1, 8), st.sampled_from(LAYOUTS_AND_SWAP), st.sampled_from(ORIENTATIONS), st.integers(0, 2**63))
def test_core_follows_the_reference(size: int, rows: tuple[str, bool], orientation: str, seed: int) -> None:
    layout, swap = rows
    game = Hex(size, orientation, layout, swap)  # type: ignore[arg-type]
    state, slow = game.deal(0), HexReference(size, orientation=orientation, layout=layout, swap=swap)
    chance = random.Random(seed)
    while state.turn is not None:
        assert (state.turn, state.legal()) == (slow.turn, slow.legal())
        action = game.swap if game.swap in state.legal() and chance.random() < 0.5 else chance.choice(state.legal())
        assert action is not None
        state.apply(action)
        slow.apply(action)
        stones = {divmod(cell, size): owner for cell, owner in enumerate(state.view(0).stones) if owner is not None}
        assert stones == slow.stones
    assert slow.winner is not None
    assert state.returns()[slow.winner] == 1
    assert sum(state.returns()) == 0


@pytest.mark.parametrize("size", [2, 3, 5, 11])
def test_core_follows_openspiel(size: int) -> None:
    """OpenSpiel's first player connects top and bottom, as `orientation=standard`."""
    pyspiel = pytest.importorskip("pyspiel", reason="needs open-spiel")
    game, theirs = Hex(size, "standard"), pyspiel.load_game(f"hex(board_size={size})")
    for seed in range(30):
        state, other = game.deal(seed), theirs.new_initial_state()
        for action in random_actions(game, seed):
            assert state.turn == other.current_player()
            assert state.legal() == other.legal_actions()
            state.apply(action)
            other.apply_action(action)
        assert other.is_terminal()
        assert list(state.returns()) == other.returns()


@pytest.mark.parametrize("size", [2, 3, 4, 11])
def test_perft_counts_orders_of_stones_until_somebody_can_win(size: int) -> None:
    state = Hex(size).deal(0)
    for depth in range(min(4, 2 * size - 1)):
        assert state.perft(depth) == math.perm(size * size, depth)


def test_perft_after_wins() -> None:
    """Counted by the slow reference: sequences that end early do not go on."""

    def count(moves: tuple[int, ...], depth: int) -> int:
        slow = HexReference(3)
        for move in moves:
            slow.apply(move)
        return 1 if depth == 0 else sum(count((*moves, each), depth - 1) for each in slow.legal())

    assert Hex(3).deal(0).perft(6) == count((), 6) == 54720
    assert Hex(2).deal(0).perft(4) == count_two_by_two() == 12


def count_two_by_two() -> int:
    lasting = 0
    for order in itertools.permutations(range(4)):
        slow = HexReference(2)
        for action in order:
            if slow.turn is None:
                break
            slow.apply(action)
        lasting += len(slow.moves) == 4
    return lasting


def played(state: ludoteca.State, action: int) -> ludoteca.State:
    after = state.copy()
    after.apply(action)
    return after


@pytest.mark.no_sanitize
@pytest.mark.parametrize(
    ("size", "winning"),
    [(1, "a1"), (2, "b1 a2"), (3, "c1 a2 b2 c2 a3"), (4, "d1 c2 b3 a4")],
)
def test_winning_first_moves_are_those_of_the_literature(size: int, winning: str) -> None:
    game = Hex(size, "standard")

    def off_centre(action: int) -> int:
        row, column = divmod(action, size)
        return abs(row + column - (size - 1))  # the short diagonal first: that is where wins are found soonest

    order = sorted(range(size * size), key=off_centre)
    known: dict[ludoteca.View, bool] = {}

    def mover_wins(state: ludoteca.State) -> bool:
        view = state.view(0)
        if view not in known:
            legal = set(state.legal())
            nexts = [played(state, action) for action in order if action in legal]
            won_at_once = any(after.turn is None for after in nexts)  # looked at first: no search below it is needed
            known[view] = won_at_once or not all(map(mover_wins, nexts))
        return known[view]

    found = []
    for action in game.deal(0).legal():
        state = played(game.deal(0), action)
        if state.turn is None or not mover_wins(state):
            found.append(game.action_name(action))
    assert " ".join(found) == winning


@pytest.mark.no_sanitize
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("opening", [(), (4,), (4, 0), (1, 4, 8)])
@pytest.mark.parametrize("stepwise", [False, True])
def test_playouts_are_uniform(layout: str, opening: tuple[int, ...], stepwise: bool) -> None:
    """Both ways of playing out give the exact chance of winning, within five standard errors."""
    game = Hex(3, "left-right", layout)  # type: ignore[arg-type]
    state = game.deal(0)
    for action in opening:
        state.apply(action)

    def mean(at: ludoteca.State) -> float:
        if at.turn is None:
            return at.returns()[0]
        total = 0.0
        for action in at.legal():
            after = at.copy()
            after.apply(action)
            total += memo(after.view(0))
        return total / len(at.legal())

    @cache
    def memo(view: ludoteca.View) -> float:
        return mean(view.sample(0))

    count = 100_000
    assert abs(state.playouts(count, 7, stepwise)[0] - mean(state)) < 5 / math.sqrt(count)


def test_playouts_may_swap() -> None:
    game = Hex(2, swap=True)
    state = game.deal(0)
    state.apply(game.parse_action("b1"))
    exact = 0.0
    for action in state.legal():  # three cells, then the rest at random; or swap to a2
        after = state.copy()
        after.apply(action)
        exact += after.playouts(50_000, 3)[0] / 4
    for stepwise in (False, True):
        assert abs(state.playouts(100_000, 5, stepwise)[0] - exact) < 0.03


@pytest.mark.parametrize("layout", LAYOUTS)
def test_swap_needs_a_board_whose_mirror_image_is_the_same_board(layout: str) -> None:
    """Cells that touch must touch when both are mirrored, or the stone that is taken over is worth something else."""
    game = Hex(5, "left-right", layout)  # type: ignore[arg-type]

    def mirrored(cell: int) -> int:
        return cell % 5 * 5 + cell // 5

    symmetric = all(
        {mirrored(near) for near in game.neighbours(cell)} == set(game.neighbours(mirrored(cell))) for cell in range(25)
    )
    assert symmetric == (layout == "axial")
    if symmetric:
        assert Hex(5, "left-right", "axial", swap=True).swap == 25
        return
    with pytest.raises(ludoteca.InvalidOption, match=f"swap=true needs layout=axial: with layout={layout} a mirrored"):
        ludoteca.game(f"hex:size=5,layout={layout},swap=true")
    with pytest.raises(ValueError, match="swap needs an axial layout"):
        _core.HexRules(5, False, LAYOUT_OF[layout], True)


def test_swap_takes_the_stone_over_mirrored() -> None:
    game = Hex(5, swap=True)
    state = game.deal(0)
    with pytest.raises(ludoteca.IllegalAction, match="'swap'"):
        state.apply(game.parse_action("swap"))
    state.apply(game.parse_action("b4"))
    assert game.swap in state.legal()
    state.apply(game.parse_action("swap"))
    stones = state.view(0).stones
    assert [(game.action_name(cell), owner) for cell, owner in enumerate(stones) if owner is not None] == [("d2", 1)]
    assert state.turn == 0
    assert game.swap not in state.legal()


def test_equal_positions_are_equal_views_however_they_arose() -> None:
    game = Hex(4)
    twins = []
    for order in ("a1 b2 c1 d4 b1", "c1 d4 a1 b2 b1"):
        state = game.deal(0)
        for name in order.split():
            state.apply(game.parse_action(name))
        twins.append(state.view(0))
    assert twins[0] == twins[1]
    assert len(set(twins)) == 1
    state.apply(game.parse_action("d3"))
    assert state.view(0) not in twins


@given(st.integers(1, 7), st.sampled_from(LAYOUTS), st.sampled_from(ORIENTATIONS), st.integers(0, 2**63))
def test_a_position_can_be_put_up_by_hand(size: int, layout: str, orientation: str, seed: int) -> None:
    game = Hex(size, orientation, layout)  # type: ignore[arg-type]
    state = game.deal(0)
    for action in random_actions(game, seed):
        state.apply(action)
        by_hand = game.position(state.view(0).stones, 0 if state.turn is None else state.turn)
        assert (by_hand.turn, by_hand.legal(), by_hand.returns()) == (state.turn, state.legal(), state.returns())
        assert by_hand.view(1).stones == state.view(1).stones
    slow = HexReference(size, layout=layout)
    for cell in range(size * size):
        assert sorted(game.neighbours(cell)) == sorted(r * size + c for r, c in slow.neighbours(divmod(cell, size)))


def test_positions_that_cannot_be_are_refused() -> None:
    game = Hex(3)
    with pytest.raises(ValueError, match="a position of 9 cells, not of 4"):
        game.position([None] * 4, 0)
    with pytest.raises(ValueError, match="seat 2 does not exist"):
        game.position([None] * 8 + [2], 0)
    with pytest.raises(ValueError, match="cell 9 does not exist"):
        game.neighbours(9)


@pytest.mark.parametrize("text", ["", "a", "a0", "f1", "a6", "aa1", "1a", "a1b", "-1", "a²", "ä1", "swap"])
def test_what_is_no_cell_is_refused(text: str) -> None:
    with pytest.raises(ludoteca.InvalidAction, match="hex:size=5"):
        Hex(5).parse_action(text)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("hex:size=0", "size=0 must be a whole number from 1 to 19"),
        ("hex:size=20", "size=20 must be"),
        ("hex:size=ten", "size=ten is not a whole number"),
        ("hex:layout=odd", "layout=odd is none of axial, even-r, odd-r; did you mean 'odd-r'"),
        ("hex:colour=red", "has no option 'colour'; its options are size, orientation, layout, swap"),
    ],
)
def test_wrong_options_say_what_is_right(spec: str, message: str) -> None:
    with pytest.raises(ludoteca.InvalidOption, match=message):
        ludoteca.game(spec)


def test_tensor_planes() -> None:
    game = Hex(3, swap=True)
    state = game.deal(0)
    state.apply(game.parse_action("b1"))
    mine, theirs = state.view(0).tensor(), state.view(1).tensor()
    assert mine[0].nonzero()[0].tolist() == [0]
    assert mine[0, 0, 1] == theirs[1, 0, 1] == 1
    assert mine[1].sum() == theirs[0].sum() == 0
    assert mine[2:, 0, 0].tolist() == [1, 0, 1]
    assert theirs[2:, 0, 0].tolist() == [0, 1, 1]


def test_picture_shows_stones_heat_and_line() -> None:
    game = Hex(3)
    state = game.deal(0)
    state.apply(4)
    picture = game.svg(state.view(1), heat={0: 0.1, 1: 0.9}, line=[0, 8])
    assert picture.count("<path") == 4 + 1 + 2  # four rims, all the cells, the warm ones
    assert picture.count("M") == 12 + 9 + 2
    assert ">1</text>" in picture
    assert ">2</text>" in picture
    assert state.view(1)._repr_svg_() == game.svg(state.view(1))
