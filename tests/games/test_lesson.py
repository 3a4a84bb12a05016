"""What teaches a game is true: its figures exist, and its exercise has exactly the one answer that it names."""

from __future__ import annotations

import pytest

from ludoteca import _core, games
from ludoteca.games.details import details_of
from ludoteca.games.lesson import Position
from ludoteca.messages import translate
from ludoteca.play.match import Match
from ludoteca.protocols import State


def match_of(position: Position) -> Match:
    match = Match(games.game(position.game), position.seed, start=position.start)
    for name in position.actions:
        match.play(match.game.parse_action(name))
    return match


def best_result(state: State, known: dict[bytes, float]) -> float:
    """The result of best play for seat 0, with everything known."""
    if state.turn is None:
        return state.returns()[0]
    key = bytes(state.view(0)) + bytes(state.view(1))
    if key not in known:
        sign, best = (1 if state.turn == 0 else -1), -1.0
        for action in state.legal():
            best = max(best, sign * best_result(after(state, action), known))
            if best == 1:
                break
        known[key] = sign * best
    return known[key]


def after(state: State, action: int) -> State:
    copy = state.copy()
    copy.apply(action)
    return copy


@pytest.mark.parametrize("name", games.names())
def test_each_paragraph_of_the_rules_has_a_figure(name: str) -> None:
    details = details_of(games.game(name))
    assert len(details.figures) == len(details.rules_text.split("\n\n"))
    for position in details.figures:
        assert match_of(position).game.name == name


@pytest.mark.parametrize("name", games.names())
def test_only_the_answer_of_an_exercise_wins(name: str) -> None:
    exercise = details_of(games.game(name)).exercise
    assert exercise is not None
    match = match_of(exercise.position)
    assert match.turn == 0 and len(match.view(0).legal()) >= 2
    # The visitor can know everything: all that fits what they see is the same position, or loses and wins alike.
    worlds = [match.view(0).sample(seed) for seed in range(8)]
    known = dict[bytes, float]()
    for world in worlds:
        winning = [action for action in world.legal() if best_result(after(world, action), known) > 0]
        assert [match.game.action_name(action) for action in winning] == [exercise.answer]
    assert translate(exercise.task, "es") != exercise.task and translate(exercise.why, "es") != exercise.why


@pytest.mark.parametrize("name", games.names())
def test_a_guide_can_be_played_to_its_end(name: str) -> None:
    """Every answer is legal, every reply too; what counts as wrong exists where there is a hint about it."""
    guide = details_of(games.game(name)).guide
    assert guide is not None and 5 <= len(guide.steps) <= 8
    assert games.game(guide.match).name == name
    for step in guide.steps:
        match = match_of(step.position)
        assert match.turn == 0 and match.game.name == name, step.task
        legal = [match.game.action_name(action) for action in match.view(0).legal()]
        assert set(step.answers) <= set(legal), step.task
        for answer in step.answers or legal:
            played = match_of(step.position)
            for action in (answer, *step.replies):
                if played.turn is not None:
                    played.play(played.game.parse_action(action))
            assert played.turn in (0, None) or not step.replies, "it is the visitor's turn again"
        for text in filter(None, (step.task, step.done, step.wrong)):
            assert translate(text, "es") != text


def test_what_the_guides_claim_is_so() -> None:
    """A bridge wins, a greedy knight traps itself, a tile that the other cannot follow makes it pass."""
    for name, at, ending in (("hex", -1, 1.0), ("dominoes", -1, 1.0), ("kittens", 4, 1.0), ("kittens", 5, 1.0)):
        guide = details_of(games.game(name)).guide
        assert guide is not None
        step = guide.steps[at]
        match = match_of(step.position)
        legal = [match.game.action_name(action) for action in match.view(0).legal()]
        for action in (*(step.answers or tuple(legal)), *step.replies):
            if match.turn is not None:
                match.play(match.game.parse_action(action))
        assert match.turn is None and match.returns()[0] == ending, (name, at)
    guide = details_of(games.game("horses")).guide
    assert guide is not None
    trap, good = match_of(guide.steps[2].position), match_of(guide.steps[2].position)
    trap.play(trap.game.parse_action("b1"))
    good.play(good.game.parse_action("c2"))
    stuck, free = trap.view(0), good.view(0)
    assert isinstance(stuck, _core.HorsesView) and isinstance(free, _core.HorsesView)
    assert not stuck.moves[0] and len(free.moves[0]) == 4
