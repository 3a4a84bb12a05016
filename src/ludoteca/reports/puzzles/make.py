"""Makes puzzles, proves them, and grades them by the levels of the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from ludoteca import games
from ludoteca.agents import agent
from ludoteca.agents.puzzles.makers import hidden_pieces_of, maker_of, race_of, reached
from ludoteca.games.lesson import Position
from ludoteca.protocols import Limit
from ludoteca.reports.puzzles.puzzle import LEVELS, Puzzle

SEEDS = (1, 2, 3)
"""Seeds of the agents that grade; a level finds an answer if most of them do."""
MOST_OF_A_GRADE, MOST_OF_THE_EASIEST = 0.4, 0.15
"""The share of a file that one grade may take, and the lowest one."""
MOST_OF_A_MATCH = 3
HARD = 5
"""A puzzle of two actions must have at least this grade: an easy one is no puzzle."""


def question(position: Position) -> Puzzle | None:
    """The puzzle about the actions of a position, not graded; None if there is none with one proven answer."""
    maker, game = maker_of(games.game(position.game).name), games.game(position.game)
    state = reached(position)
    if state.turn is None or len(state.legal()) < 2:
        return None
    verdicts = maker.verdicts(position)
    if verdicts is None:
        return None
    values = Counter(each.value for each in verdicts.values())
    race = race_of(game.name)
    if values[1] == 1:
        kind, right = "save" if race is not None and race.is_behind(position) else "win", 1
    elif not values[1] and values[0] == 1:
        kind, right = "save", 0
    else:
        return None
    answer = next(action for action, each in verdicts.items() if each.value == right)
    replies = {
        game.action_name(action): (
            "" if each.reply is None else str(game.action_name(each.reply)),
            "" if each.start == position.start else each.start,
        )
        for action, each in verdicts.items()
        if action != answer
    }
    return Puzzle(
        "win" if kind == "win" else "save", position.game, str(game.action_name(answer)), position.actions,
        position.seed, position.start, replies={str(name): reply for name, reply in replies.items()},
    )  # fmt: skip


def holding(position: Position) -> Puzzle | None:
    """The puzzle about what the other holds; None if not exactly one of at least three pieces is certain."""
    name = games.game(position.game).name
    if reached(position).turn is None:
        return None
    pieces = hidden_pieces_of(name)
    found = None if pieces is None else pieces.certain(position)
    if found is None or len(found[0]) < 3 or len(found[1]) != 1:
        return None
    return Puzzle(
        "hold", position.game, str(found[1][0]), position.actions, position.seed, position.start,
        choices=tuple(found[0]),
    )  # fmt: skip


def is_proven(puzzle: Puzzle) -> bool:
    """Whether a new proof finds exactly this answer, and the same wrong ones."""
    found = holding(puzzle.position) if puzzle.kind == "hold" else question(puzzle.position)
    if found is None or (found.kind, found.answer, found.choices) != (puzzle.kind, puzzle.answer, puzzle.choices):
        return False
    return found.replies.keys() == puzzle.replies.keys()


def graded(puzzle: Puzzle) -> Puzzle:
    """The puzzle with its grade: the lowest level from which on all levels of the engine find the answer."""
    if puzzle.kind == "hold":  # the engine always knows; more possible pieces are harder
        return replace(puzzle, grade=min(max(len(puzzle.choices) - 2 + len(puzzle.actions) // 4, 1), LEVELS))
    grade = LEVELS + 1
    while grade > 1 and _finds(puzzle, grade - 1):
        grade -= 1
    return replace(puzzle, grade=grade)


def _finds(puzzle: Puzzle, level: int) -> bool:
    game, state = games.game(puzzle.game), puzzle.state()
    assert state.turn is not None
    view, answer, found = state.view(state.turn), game.parse_action(puzzle.answer), 0
    for seed in SEEDS:
        decision = agent(f"engine:level={level}")(game, state.turn, seed).act(view, Limit())
        found += (decision if isinstance(decision, int) else decision.action) == answer
    return 2 * found > len(SEEDS)


def make_puzzles(
    game: str, count: int, seed: int, *, watch: Callable[[int], None] = lambda done: None,
    positions: Iterator[Iterator[Position]] | None = None, least: int = 1,
) -> Iterator[Puzzle]:  # fmt: skip
    """So many puzzles of a game, by its name, as they are found: a few of one match, of all grades.

    positions: the matches to take them from; by default the maker's own. Ends early when these end. least: the lowest
    grade; what the level below finds is not graded at all.
    """
    maker, known, grades, kinds, done = maker_of(game), set[str](), Counter[int](), Counter[str](), 0
    matches = positions or _matches(game, seed)
    for match in matches:
        taken = 0
        for position in match:
            for puzzle in (question(position), holding(position)):
                if puzzle is None or taken == MOST_OF_A_MATCH or done == count:
                    continue
                same = f"{puzzle.kind} {maker.same(position)}"
                many = puzzle.kind == "hold" and kinds["hold"] >= count * MOST_OF_A_GRADE
                if same in known or many:
                    continue
                if least > 1 and puzzle.kind != "hold" and _finds(puzzle, least - 1):
                    continue
                puzzle = graded(puzzle)
                if puzzle.grade < least:
                    continue
                coin = len(puzzle.replies) == 1 and puzzle.grade < HARD
                share = MOST_OF_A_GRADE if puzzle.grade > 1 else MOST_OF_THE_EASIEST
                if coin or grades[puzzle.grade] >= max(2.0, count * share):
                    continue
                known.add(same)
                grades[puzzle.grade] += 1
                kinds[puzzle.kind] += 1
                taken += 1
                done += 1
                yield puzzle
                watch(done)
        if done == count:
            return


def _matches(game: str, seed: int) -> Iterator[Iterator[Position]]:
    number = 0
    while True:
        yield maker_of(game).candidates(Random(f"{game} {seed} {number}"))
        number += 1
