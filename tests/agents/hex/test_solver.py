"""The solver of Hex: whole small boards, and any position, against exhaustive search."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace
from typing import cast

import pytest

from ludoteca import _core
from ludoteca.agents.hex.solver import solve, solve_every
from ludoteca.agents.solvers.positions import all_actions_solver, solver
from ludoteca.errors import InvalidOption
from ludoteca.games.hex.game import Hex
from ludoteca.games.horses.game import Horses
from ludoteca.protocols import Decision, Game
from tests.agents.hex.brute import Brute, stones_of
from tests.agents.hex.hex_positions import named
from tests.agents.hex.test_connections import scattered

WINNING = {
    2: "b1 a2",
    3: "c1 a2 b2 c2 a3",
    4: "d1 c2 b3 a4",
    5: "e1 b2 c2 d2 e2 b3 c3 d3 a4 b4 c4 d4 a5",
}
"""By size the published first moves with which the seat that connects top and bottom wins."""


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_the_winning_first_moves_are_the_known_ones(size: int) -> None:
    game = Hex(size, "standard")
    found = _core.hex_solver(game.deal(0).view(0), all_moves=True, nodes=2000).run()
    assert found.complete and len(found.scores) == size**2
    assert {game.action_name(action) for action, value in found.scores if value > 0} == set(WINNING[size].split())


def test_the_other_orientation_is_the_mirror_image() -> None:
    game = Hex(4, "left-right")
    found = _core.hex_solver(game.deal(0).view(0), all_moves=True, nodes=2000).run()
    won = {game.action_name(action) for action, value in found.scores if value > 0}
    assert won == {chr(ord("a") + int(name[1]) - 1) + str(ord(name[0]) - ord("a") + 1) for name in WINNING[4].split()}


# Links decide nearly all small positions at once. With little work for them moves have to be searched, and the carriers
# of what was found cut other moves.
LITTLE_WORK = (None, 0, 20)


def test_any_position_is_solved_and_the_move_wins() -> None:
    for seed in range(120):
        view = scattered(seed, (3, 4), 11)
        brute, before = Brute(view.game), stones_of(view.stones)
        found = _core.hex_solver(view, memory=1, nodes=5000, connection_work=LITTLE_WORK[seed % 3]).run()
        assert found.complete and found.exhaustive
        assert (found.value > 0) == (brute.winner(*before, view.seat) == view.seat)
        assert found.line[0] == found.action and view.stones[found.action] is None
        if found.value > 0:
            after = [stones | (seat == view.seat) << found.action for seat, stones in enumerate(before)]
            assert brute.winner(after[0], after[1], 1 - view.seat) == view.seat


def test_every_move_of_any_position_is_solved() -> None:
    for seed in range(40):
        view = scattered(seed, (3, 4), 10)
        brute, before = Brute(view.game), stones_of(view.stones)
        search = _core.hex_solver(view, all_moves=True, memory=1, nodes=20_000, connection_work=LITTLE_WORK[seed % 3])
        scores = dict(search.run().scores)
        assert sorted(scores) == [cell for cell, owner in enumerate(view.stones) if owner is None]
        for cell, value in scores.items():
            after = [stones | (seat == view.seat) << cell for seat, stones in enumerate(before)]
            assert (value > 0) == (brute.winner(after[0], after[1], 1 - view.seat) == view.seat)


def test_a_whole_board_is_solved_almost_without_links() -> None:
    game = Hex(5, "standard")
    for work in (0, 100):
        found = _core.hex_solver(
            game.deal(0).view(0), all_moves=True, memory=16, nodes=20_000, connection_work=work
        ).run()
        assert found.complete and found.nodes > 1000
        assert {game.action_name(action) for action, value in found.scores if value > 0} == set(WINNING[5].split())


@pytest.mark.parametrize("names", ["b4", "a3 c3", "f1 d4", "c2"])
def test_a_line_is_legal_play(names: str) -> None:
    game = Hex(6, "standard")
    position = named(game, names)
    found = _core.hex_solver(position.view, nodes=20_000).run()
    assert found.complete and len(found.line) > 1
    state = game.deal(0)
    for action in [game.parse_action(name) for name in names.split()] + list(found.line):
        state.apply(action)


def test_nodes_are_kept_exactly_and_give_the_same_again() -> None:
    view = named(Hex(7, "standard"), "b4").view
    first, again = (_core.hex_solver(view, memory=16, nodes=60, threads=threads).run() for threads in (1, 2))
    assert (first.action, first.nodes, first.line, first.depth) == (again.action, again.nodes, again.line, again.depth)
    assert first.nodes == 60 and not first.complete and first.value == 0


def test_two_threads_find_the_same() -> None:
    view = Hex(5, "standard").deal(0).view(0)
    one, two = (_core.hex_solver(view, all_moves=True, memory=16, threads=threads).run() for threads in (1, 2))
    assert one.complete and two.complete and dict(one.scores) == dict(two.scores)
    view = named(Hex(6, "standard"), "b2").view
    one, two = (_core.hex_solver(view, memory=16, threads=threads).run() for threads in (1, 2))
    assert one.complete and two.complete and one.value == two.value == -1


@pytest.mark.parametrize("size", [7, 11, 19])
def test_it_can_be_watched_and_stopped(size: int) -> None:
    game = Hex(size)
    threads = threading.active_count()
    thinking = solve(game, game.deal(0).view(0), threads=2, memory=16)
    for decision in thinking:
        assert not decision.proven and decision.value is None
        if decision.nodes > 20 or size == 19:
            break
    began = time.perf_counter()
    thinking.close()  # type: ignore[attr-defined]
    assert time.perf_counter() - began < 5
    assert threading.active_count() == threads


def test_before_the_swap_decision_the_seat_that_may_swap_wins() -> None:
    game = Hex(4, "standard", swap=True)
    assert _last(solve(game, game.deal(0).view(0))).value == -1
    assert set(_last(solve_every(game, game.deal(0).view(0))).scores.values()) == {-1}
    strong, weak = named(game, "c2").view, named(game, "a1").view
    taken, answered = _last(solve(game, strong)), _last(solve(game, weak))
    assert (taken.action, taken.value) == (game.swap, 1)
    assert answered.action != game.swap and answered.value == 1
    scores = _last(solve_every(game, strong)).scores
    assert scores[game.parse_action("swap")] == 1 and list(scores.values()).count(-1) == 15
    assert _last(solve_every(game, weak)).scores[game.parse_action("swap")] == -1
    after = named(game, "c2 swap").view
    assert _last(solve(game, after)).value == -1
    alone = Hex(1, swap=True)  # the first stone wins, and there is nothing to swap
    assert _last(solve(alone, alone.deal(0).view(0))).value == 1


def test_what_it_cannot_do_is_said() -> None:
    game = Hex(3)
    with pytest.raises(InvalidOption, match="best play by both"):
        solver(game)(game, game.deal(0).view(0), against="astar")
    with pytest.raises(InvalidOption, match="nothing here solves chess"):
        solver(cast(Game, SimpleNamespace(name="chess")))
    with pytest.raises(InvalidOption, match="every action can be proven in these games only"):
        all_actions_solver(Horses())
    assert all_actions_solver(game) is solve_every


def _last(decisions: object) -> Decision:
    *_, last = cast("list[Decision]", decisions)
    assert last.proven
    return last
