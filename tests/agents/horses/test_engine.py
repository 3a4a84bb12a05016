"""The engine and the solver of Horses, against plain search to the end and against positions whose answer is proven."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import cast

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.agents.engine_options import EngineOptions
from ludoteca.agents.horses.engine import HorsesEngine
from ludoteca.agents.horses.solver import solve
from ludoteca.errors import InvalidOption
from ludoteca.games.horses.game import Horses
from ludoteca.protocols import Decision, Limit
from tests.agents.horses.brute import Brute, after
from tests.games.horses.reference import board, knights_moves
from tests.strength import match_score

RULES = ["", "penalty=every,", "charge=stuck,", "penalty=every,charge=stuck,"]


def make(spec: str) -> Horses:
    return cast(Horses, ludoteca.game(spec))


def in_reach(view: _core.HorsesView) -> int:
    """How many squares at least one knight could still reach: on large boards many others are left at the end."""
    squares = board(view.game.size)
    free = {square for square, gone in zip(squares, view.destroyed, strict=True) if not gone}
    seen, edge = set[str](), {squares[knight] for knight in view.squares}
    while edge:
        edge = {next_one for square in edge for next_one in knights_moves(view.game.size, square)} & free - seen
        seen |= edge
    return len(seen)


def positions(spec: str, matches: int, *, left: int) -> Iterator[_core.HorsesView]:
    """What the seats on turn see in random matches, once no more than `left` squares are left (over 8×8, in reach)."""
    game = make(spec)
    for seed in range(matches):
        state, chance = game.deal(seed), random.Random(seed)
        while (seat := state.turn) is not None:
            view = state.view(seat)
            if (view.destroyed.count(False) if game.size <= 8 else in_reach(view)) <= left:
                yield view
            state.apply(chance.choice(state.legal()))


def engine(view: _core.HorsesView, seed: int = 0, level: int = 0, threads: int = 1) -> HorsesEngine:
    return HorsesEngine(view.game, view.seat, seed, EngineOptions(level, threads=threads))


def sign(number: float) -> int:
    return (number > 0) - (number < 0)


@pytest.mark.parametrize("size", [5, 6, 8, 9, 10])
@pytest.mark.parametrize("rule", RULES)
def test_the_solver_finds_what_playing_every_line_finds(rule: str, size: int) -> None:
    brute = Brute()
    met = set()
    for view in positions(f"horses:{rule}size={size}", 5, left=14):
        margin = brute.margin(view)
        met.add(sign(margin))
        decisions = list(solve(view.game, view))
        for decision in decisions:
            if decision.proven:
                assert decision.value == sign(margin)
        last = decisions[-1]
        assert last.proven
        chosen = brute.lead(after(view.sample(0), last.action)) * (1 if view.seat == 0 else -1)
        assert sign(chosen) == sign(margin)
        if margin:
            assert chosen == margin
            assert f"by {abs(margin)} point" in last.explanation
    assert {-1, 1} <= met


def test_what_it_says_is_proven_is_true_at_any_limit() -> None:
    brute = Brute()
    proven = 0
    for view in positions("horses:size=6", 4, left=16):
        truth = sign(brute.margin(view))
        for nodes in (10, 100, 1000):
            decision = engine(view).act(view, Limit(nodes=nodes))
            assert decision.nodes <= nodes
            assert decision.action in view.legal()
            if decision.proven:
                proven += 1
                assert decision.value == truth
                assert sign(brute.lead(after(view.sample(0), decision.action))) * (1 - 2 * view.seat) == truth
    assert proven > 50


def test_the_line_can_be_played() -> None:
    for view in positions("horses:penalty=every", 2, left=40):
        decision = engine(view).act(view, Limit(nodes=3000))
        state = view.sample(0)
        assert decision.line[0] == decision.action
        for action in decision.line:
            assert action in state.legal()
            state.apply(action)


def test_the_same_nodes_give_the_same_decision_with_any_number_of_threads() -> None:
    for seed in range(3):
        view = make("horses").deal(seed).view(0)
        one, again, two = (engine(view, threads=threads).act(view, Limit(nodes=50_000)) for threads in (1, 1, 2))
        assert one == again == two
        assert one.nodes == 50_000 or one.proven


def test_two_threads_prove_the_same() -> None:
    for seed in range(2):
        view = make("horses:size=6").deal(seed).view(0)
        one, two = (list(solve(view.game, view, threads=threads))[-1] for threads in (1, 2))
        assert one.proven
        assert (two.value, two.note, two.proven) == (one.value, one.note, True)


def test_a_closed_solver_ends() -> None:
    view = make("horses:penalty=every").deal(0).view(0)
    solving = solve(view.game, view, threads=2)
    assert isinstance(next(solving), Decision)
    solving.close()  # type: ignore[attr-defined]  # a generator


def test_a_board_full_of_values_is_solved_too() -> None:
    """More points lie on a walk than it has moves, so that neither may be taken for the other."""
    squares = [f"{file}{rank}" for file in "abcde" for rank in range(1, 6)]
    chance = random.Random(1)
    for _ in range(4):
        chance.shuffle(squares)
        values = "/".join(f"{chance.choice([-10, -9, 7, 10]):+d}@{square}" for square in squares[2:])
        brute = Brute()
        game = make(f"horses:size=5,layout=W@{squares[0]}/B@{squares[1]}/{values}")
        state = game.deal(0)
        while (seat := state.turn) is not None:
            view = state.view(seat)
            if view.destroyed.count(False) <= 14:
                last = list(solve(game, view))[-1]
                assert last.proven
                assert last.value == sign(brute.margin(view))
            state.apply(chance.choice(state.legal()))


def test_the_solver_knows_only_best_play() -> None:
    view = make("horses").deal(0).view(0)
    with pytest.raises(InvalidOption, match="best play"):
        solve(view.game, view, against="minimax")


@pytest.mark.no_sanitize
def test_beats_the_expert() -> None:
    assert match_score("horses", HorsesEngine, "minimax:level=expert", 7, nodes=20_000) > 0.5


@pytest.mark.parametrize("rule", ["", "penalty=every,"])
def test_scores_are_returns_on_the_scale_of_the_value(rule: str) -> None:
    brute = Brute()
    met = set()
    for view in positions(f"horses:{rule}size=6", 4, left=16):
        for nodes in (30, 1000):
            decision = engine(view).act(view, Limit(nodes=nodes))
            if not decision.depth:
                continue
            assert decision.scores[decision.action] == decision.value == max(decision.scores.values())
            for action, score in decision.scores.items():
                assert -1 <= score <= 1
                truth = sign(brute.lead(after(view.sample(0), action))) * (1 - 2 * view.seat)
                if score == -1 or decision.proven:
                    assert truth <= score  # what is not the best is at most so good
                met.add(score if score in (-1, 0, 1) else "guessed")
    assert met >= {-1, 1, "guessed"}


@pytest.mark.parametrize("size", [8, 10])
def test_a_guess_of_very_many_points_is_not_called_certain(size: int) -> None:
    squares = [f"{file}{rank}" for file in "abcdefghij"[:size] for rank in range(1, size + 1)]
    values = "/".join(f"+10@{square}" for square in squares[2:])
    view = make(f"horses:size={size},penalty=every,layout=W@a1/B@a2/{values}").deal(0).view(0)
    decision = engine(view).act(view, Limit(nodes=200))
    assert not decision.proven
    assert all(abs(score) < 1 for score in decision.scores.values())


def test_there_is_no_level_nine() -> None:
    with pytest.raises(InvalidOption, match="level"):
        EngineOptions(9)
