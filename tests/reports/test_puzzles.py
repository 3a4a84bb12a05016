"""Puzzles: each has exactly one answer, and a file with another kind of puzzle is refused."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace
from random import Random

import pytest

from ludoteca.agents.puzzles.makers import MAKERS, maker_of, reached
from ludoteca.agents.puzzles.proofs import Proof
from ludoteca.errors import InvalidFile
from ludoteca.games import game as game_of
from ludoteca.games.lesson import Position
from ludoteca.protocols import Seat, State
from ludoteca.reports.puzzles.make import is_proven, make_puzzles, question
from ludoteca.reports.puzzles.puzzle import Puzzle, daily, grades_of, puzzle, puzzles_of

SAMPLE = 4
"""Puzzles of each game that are proven again here; ``make puzzles`` proves all."""


def test_a_sample_of_the_shipped_puzzles_is_proven_again() -> None:
    for game in MAKERS:
        assert len(puzzles_of(game)) >= 100, game
        for number in Random(f"{game} sample").sample(range(1, len(puzzles_of(game)) + 1), SAMPLE):
            assert is_proven(puzzle(game, number)), (game, number)


def test_shipped_puzzles_are_varied_and_different() -> None:
    for game in MAKERS:
        found = [puzzle(game, number) for number in range(1, len(puzzles_of(game)) + 1)]
        same = [f"{each.kind} {maker_of(game).same(each.position)}" for each in found]
        assert len(set(same)) == len(same), game
        assert {each.seat for each in found} == {0, 1}, game
        assert len({grade for grade, _ in grades_of(game)}) >= 5, game


def minimax(state: State, seat: Seat) -> float:
    """The slow, obvious oracle."""
    if state.turn is None:
        return state.returns()[seat]
    values = []
    for action in state.legal():
        after = state.copy()
        after.apply(action)
        values.append(minimax(after, seat))
    return max(values) if state.turn == seat else min(values)


def test_proofs_of_perfect_information_agree_with_minimax() -> None:
    """Small boards of Hex, where the solver, the general proof and minimax must agree about every move."""
    game = game_of("hex:size=3")
    for seed in range(6):
        chance, state, names = Random(seed), game.deal(0), list[str]()
        while len(names) < 3:
            action = chance.choice(state.legal())
            names.append(str(game.action_name(action)))
            state.apply(action)
        assert state.turn is not None
        verdicts = maker_of("hex").verdicts(Position(game.spec, tuple(names), 0))
        assert verdicts is not None
        for action in state.legal():
            after = state.copy()
            after.apply(action)
            wins = minimax(after, state.turn) > 0
            assert (verdicts[action].value > 0) == wins
            assert (Proof([("", state)], state.turn, 10**6).verdict(action).value > 0) == wins


def test_a_hidden_card_keeps_a_win_from_being_sure() -> None:
    """Nobody may need to guess: an action that wins only with luck is not the answer."""
    lucky = Position("kittens:deck=rich", (), 0, "deck: safe bomb; 0: skip; 1: safe; turn: 0; owed: 1")
    verdicts = maker_of("kittens").verdicts(lucky)
    assert verdicts is not None
    assert verdicts[game_of(lucky.game).parse_action("draw")].value < 1, "the top card may be the bomb"


def test_a_puzzle_with_two_winning_moves_is_refused() -> None:
    two = Position("hex:size=3", ("b2", "a1"))  # red wins with several stones
    assert question(two) is None
    forged = Puzzle("win", two.game, "b1", two.actions, 0)
    assert not is_proven(forged)
    right = puzzle("hex", 1)
    wrong = next(iter(right.replies))
    assert not is_proven(replace(right, answer=wrong, replies={}))


def test_a_line_that_is_no_puzzle_is_refused() -> None:
    good = json.loads(puzzles_of("hex")[0])
    bad: list[object] = [
        [], "x", {}, {"kind": "win"}, good | {"kind": "guess"}, good | {"game": "chess"}, good | {"answer": "z99"},
        good | {"answer": 3}, good | {"actions": ["a1", "a1"]}, good | {"actions": [7]}, good | {"seed": "1"},
        good | {"seed": True}, good | {"grade": 0}, good | {"grade": 99}, good | {"grade": "<b>"},
        good | {"replies": {"a1": "b2"}}, good | {"replies": {good["answer"]: ["z9", ""]}}, good | {"more": 1},
        good | {"start": ["deck"]}, good | {"choices": 4}, good | {"kind": "hold", "choices": ["<b>"]},
    ]  # fmt: skip
    for each in bad:
        with pytest.raises(InvalidFile):
            Puzzle.from_json(json.dumps(each))
    with pytest.raises(InvalidFile):
        Puzzle.from_json("{" * 100_000)
    assert Puzzle.from_json(puzzles_of("hex")[0]).to_json() == puzzles_of("hex")[0]


def test_every_day_has_one_puzzle_and_all_come_in_turn() -> None:
    day = datetime.date(2026, 11, 17)
    days = [daily(day + datetime.timedelta(days=past)) for past in range(400)]
    assert len(set(days)) == 400
    assert days == [daily(day + datetime.timedelta(days=past)) for past in range(400)]
    assert {game for game, _ in days[:4]} == set(MAKERS)


def test_making_puzzles_is_repeatable() -> None:
    first = list(make_puzzles("kittens", 3, seed=5))
    assert first == list(make_puzzles("kittens", 3, seed=5))
    assert all(is_proven(each) and reached(each.position).turn == each.seat for each in first)
