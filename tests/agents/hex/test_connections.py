"""What is claimed without search is compared with exhaustive play, on small boards of every kind."""

from __future__ import annotations

import random

from ludoteca import _core
from ludoteca._core import HexView
from ludoteca.games.hex.game import Hex
from tests.agents.hex.brute import Brute, bits, stones_of
from tests.agents.hex.hex_positions import LAYOUTS, ORIENTATIONS, named


def scattered(seed: int, sizes: tuple[int, int], most_open: int) -> HexView:
    """A position with stones anywhere, in any numbers, that is not won yet."""
    chance = random.Random(seed)
    while True:
        game = Hex(chance.randint(*sizes), chance.choice(ORIENTATIONS), chance.choice(LAYOUTS))  # type: ignore[arg-type]
        cells = game.size**2
        taken = chance.sample(range(cells), chance.randint(max(0, cells - most_open), cells - 1))
        owners = [chance.randint(0, 1) if cell in taken else None for cell in range(cells)]
        state = game.position(owners, chance.randint(0, 1))
        if state.turn is not None:
            return state.view(state.turn)


def test_filling_in_changes_nothing_for_the_seat_on_turn() -> None:
    for seed in range(150):
        view = scattered(seed, (2, 4), 9)
        brute, before = Brute(view.game), stones_of(view.stones)
        for seat in (0, 1):
            after = _filled(view, seat)
            assert before[0] & ~after[0] == before[1] & ~after[1] == after[0] & after[1] == 0
            assert brute.winner(*after, seat) == brute.winner(*before, seat)


def test_filling_in_finds_something() -> None:
    views = [scattered(seed, (3, 5), 12) for seed in range(150)]
    assert sum(sum(_filled(view, 0)).bit_count() - sum(stones_of(view.stones)).bit_count() for view in views) > 300


def test_a_winner_that_is_seen_wins() -> None:
    for seed in range(150):
        view = scattered(seed, (2, 4), 10)
        brute, before = Brute(view.game), stones_of(view.stones)
        for seat in (0, 1):
            seen = _core.hex_analysis(view, seat)
            if seen.winner is None:
                continue
            assert seen.winner == brute.winner(*before, seat)
            if seen.winner == seat:
                assert seen.move is not None and view.stones[seen.move] is None
                assert brute.winner(*_put(before, seat, seen.move), 1 - seat) == seat


def test_moves_left_out_are_not_needed() -> None:
    for seed in range(300):
        view = scattered(1000 + seed, (3, 4), 12)
        brute, before = Brute(view.game), stones_of(view.stones)
        for seat in (0, 1):
            seen = _core.hex_analysis(view, seat)
            if seen.winner is not None:
                continue
            winning = {
                cell
                for cell, owner in enumerate(view.stones)
                if owner is None and brute.winner(*_put(before, seat, cell), 1 - seat) == seat
            }
            after = _filled(view, seat)
            inside = {cell for cell in winning if not (after[0] | after[1]) >> cell & 1}
            assert inside <= set(seen.must_play)
            assert bool(winning) == bool(winning & set(seen.moves))
            assert set(seen.moves) <= set(seen.must_play)


def test_moves_are_left_out() -> None:
    views = [scattered(seed, (6, 8), 40) for seed in range(200)]
    unknown = [view for view in views if _core.hex_analysis(view, view.seat).winner is None]
    tried = sum(len(_core.hex_analysis(view, view.seat).moves) for view in unknown)
    assert len(unknown) > 10
    assert tried * 2 < sum(view.stones.count(None) for view in unknown)


def test_every_link_holds_against_every_play() -> None:
    for seed in range(60):
        view = scattered(seed, (3, 5), 12)
        brute = Brute(view.game)
        for seat in (0, 1):
            own = stones_of(view.stones)[seat]
            for one, two, carrier, key in _core.hex_virtual_connections(view, seat):
                near, far, cells = bits(one), bits(two), bits(carrier)
                assert not cells & own and not (near | far) & cells & ~_sides(brute, seat)
                stones = own | _ends(view, one) | _ends(view, two)
                assert brute.holds(stones, near, far, cells, key is not None)
                if key is not None:
                    assert brute.holds(stones | 1 << key, near, far, cells & ~(1 << key), own_move=False)


def test_it_sees_a_bridge_and_the_cells_that_break_a_threat() -> None:
    view = named(Hex(3, "standard"), "b2").view  # a bridge to each side: seat 0 cannot be stopped
    assert _core.hex_analysis(view, 1).winner == 0
    view = named(Hex(4, "standard"), "a1 b2").view  # seat 1 threatens left to right
    assert set(_core.hex_analysis(view, 0).must_play) < {cell for cell in range(16) if view.stones[cell] is None}


def test_nothing_is_claimed_while_a_swap_is_possible() -> None:
    for names in ("", "b2"):
        view = named(Hex(3, "standard", swap=True), names).view
        seen = _core.hex_analysis(view, view.seat)
        assert seen.winner is None
        assert seen.moves == seen.must_play == [cell for cell, owner in enumerate(view.stones) if owner is None]
    assert _core.hex_analysis(named(Hex(3, "standard", swap=True), "b2 a1").view, 0).winner == 0


def _filled(view: HexView, seat: int) -> tuple[int, int]:
    first, second = _core.hex_analysis(view, seat).filled
    return bits(first), bits(second)


def _put(stones: tuple[int, int], seat: int, cell: int) -> tuple[int, int]:
    return (stones[0] | 1 << cell, stones[1]) if seat == 0 else (stones[0], stones[1] | 1 << cell)


def _sides(brute: Brute, seat: int) -> int:
    low, high = brute.sides(seat)
    return low | high


def _ends(view: HexView, cells: list[int]) -> int:
    """An end that is one empty cell counts as the seat's stone; sides and groups are several cells, or taken."""
    return bits(cells) if len(cells) == 1 and view.stones[cells[0]] is None else 0
