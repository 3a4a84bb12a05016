"""Levels for people: what a beginner's first idea is, and which mistakes a level never makes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

import ludoteca
from bench.strength.levels import DOCS, MEASURED_FROM, at, monotone, opening, reworded
from ludoteca import _core
from ludoteca.agents.dominoes import levels as dominoes
from ludoteca.agents.engine_options import LEVELS, EngineOptions
from ludoteca.agents.hex import classical_levels
from ludoteca.agents.hex import levels as hex_levels
from ludoteca.agents.horses import levels as horses
from ludoteca.agents.horses.engine import HorsesEngine
from ludoteca.agents.kittens import levels as kittens
from ludoteca.agents.levels import Level, level_of, overlook
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.tiles import numbers
from ludoteca.play.openings import suite_of
from ludoteca.protocols import Action, Decision, Limit, Seat, State

TABLES = (dominoes.LEVELS, hex_levels.LEVELS, classical_levels.LEVELS, horses.LEVELS, kittens.LEVELS)
GAMES = ("dominoes", "hex:size=7", "horses", "kittens")


def endings(size: int, count: int) -> Iterator[tuple[State, list[Action], list[Action]]]:
    """Positions of Hex one stone before the end: with the winning cells of the seat on turn and of the other."""
    game = ludoteca.game(f"hex:size={size}")
    for seed in range(count):
        chance, state = random.Random(seed), game.deal(0)
        while state.turn is not None:
            own, others = (winning(state, seat) for seat in (state.turn, 1 - state.turn))
            if own or len(others) == 1:
                yield state, own, others
                break
            state.apply(chance.choice(state.legal()))


def winning(state: State, seat: Seat) -> list[Action]:
    """The cells that connect the sides of a seat at once."""
    view = expect(state.view(seat), _core.HexView)
    found = []
    for cell in state.legal() if _core.hex_distance(view, seat) == 1 else []:
        stones = [seat if each == cell else stone for each, stone in enumerate(view.stones)]
        if _core.hex_distance(view.game.position(stones, 1 - seat).view(seat), seat) == 0:
            found.append(cell)
    return found


def played(state: State, agent: str, seed: int) -> Action:
    """The action that an agent chooses."""
    return decided(state, agent, seed).action


def decided(state: State, agent: str, seed: int) -> Decision:
    """What an agent decides."""
    assert state.turn is not None
    view = state.view(state.turn)
    answer = ludoteca.agent(agent)(view.game, state.turn, seed).act(view, Limit(nodes=2000))
    assert isinstance(answer, Decision)
    return answer


def test_every_engine_has_eight_levels_that_overlook_less_and_less() -> None:
    for table in TABLES:
        assert len(table) == LEVELS
        assert all(low.margin > high.margin or low.budget < high.budget for low, high in pairwise(table))
        assert all(low.margin >= high.margin and low.budget <= high.budget for low, high in pairwise(table))
        assert level_of(table, EngineOptions(3)) == table[2] and level_of(table, EngineOptions()) is None


def test_a_level_plays_a_first_idea_among_the_actions_within_its_margin() -> None:
    game = ludoteca.game("dominoes:variant=block,start=seat")
    view = game.deal(1).view(0)
    pips = {action: sum(numbers(action // 2)) for action in view.legal()}
    lightest, *_, heaviest = sorted(pips, key=lambda action: pips[action])
    scores = {action: (0.5 if action == lightest else 0.1 if action == heaviest else 0.0) for action in pips}
    best = Decision(lightest, 0.5, scores, proven=True)
    assert overlook(view, best, scores, 0.3, seed=0) is best
    chosen = overlook(view, best, scores, 0.45, seed=0)
    assert (chosen.action, chosen.value, chosen.proven) == (heaviest, 0.1, False)


def test_the_same_seed_overlooks_the_same_and_others_something_else() -> None:
    for spec in GAMES:
        state = ludoteca.game(spec).deal(3)
        chosen = [[played(state, "engine:level=4", seed) for seed in range(8)] for _ in range(2)]
        assert chosen[0] == chosen[1]
        view = state.view(0)
        drawn = {Level(1, 2.0).draw_margin(view, seed) for seed in range(20)}
        assert len(drawn) == 20 and all(0 <= each <= 2 for each in drawn)
    assert len({played(ludoteca.game("hex:size=7").deal(0), "engine:level=1", seed) for seed in range(12)}) > 3


def test_a_level_of_horses_loses_no_more_than_its_margin() -> None:
    game = ludoteca.game("horses")
    for number, level in enumerate(horses.LEVELS, start=1):
        view = game.deal(number).view(0)
        for seed in range(4):
            decision = HorsesEngine(game, 0, seed, EngineOptions(number)).act(view, Limit())
            assert decision.depth <= level.budget
            if level.margin == 0:
                assert decision.value == max(decision.scores.values())


@pytest.mark.parametrize("agent", ["naive", "engine:level={}", "engine:network=none,level={}"])
def test_no_level_of_hex_misses_a_win_in_one(agent: str) -> None:
    found = 0
    for number, (state, own, _) in enumerate(endings(5, 40)):
        if own:
            found += 1
            decision = decided(state, agent.format(number % LEVELS + 1), number)
            assert decision.action in own or (decision.proven and decision.value == 1)
    assert found > 10


def test_a_level_from_3_on_mostly_sees_a_loss_in_one() -> None:
    seen = [
        played(state, f"engine:level={level}", level) in others
        for state, own, others in endings(6, 30)
        if not own
        for level in (3, 5, 7)
    ]
    assert len(seen) > 20 and sum(seen) >= 0.8 * len(seen)


def test_the_first_ideas_of_a_beginner() -> None:
    for seed in range(5):
        state = ludoteca.game("dominoes:start=seat").deal(seed)
        pips = {action: sum(numbers(action // 2)) for action in state.legal()}
        assert pips[played(state, "naive", seed)] == max(pips.values())
        state = ludoteca.game("horses").deal(seed)
        after = state.copy()
        after.apply(played(state, "naive", seed))
        gained = []
        for action in state.legal():
            other = state.copy()
            other.apply(action)
            gained.append(expect(other.view(0), _core.HorsesView).scores[0])
        assert expect(after.view(0), _core.HorsesView).scores[0] == max(gained)
        game = ludoteca.game("kittens")
        assert game.action_name(played(game.deal(seed), "naive", seed)) in ("skip", "attack")
        game = ludoteca.game("hex:size=7,swap=true")
        state = game.deal(0)
        while (before := _core.hex_distance(expect(state.view(0), _core.HexView), 0)) and state.turn is not None:
            state.apply(played(state, "naive", seed))
            assert _core.hex_distance(expect(state.view(0), _core.HexView), 0) == before - 1
            if state.turn is not None:
                state.apply(min(state.legal(), key=lambda action: (action * 29 + seed) % 49))


def test_levels_are_measured_from_openings_of_the_suite() -> None:
    game = ludoteca.game("hex")
    suite = suite_of(game)
    assert suite
    balanced = set(suite.lines(game))
    assert {opening("hex", MEASURED_FROM + pair) for pair in range(400)} == balanced


def test_the_fit_interpolates_on_a_rising_scale() -> None:
    assert monotone([0, 30, 10, 50]) == [0, 20, 20, 50]
    scale = (Level(1, 8.0), Level(1, 2.0), Level(4, 0.0))
    elo = [0.0, 100.0, 200.0]
    assert at(scale, elo, -5) == scale[0] and at(scale, elo, 250) == scale[2]
    assert at(scale, elo, 50) == Level(1, 4.0) and at(scale, elo, 150) == Level(2, 1.0)


def test_measured_levels_are_written_in_the_words_of_each_page() -> None:
    def table(page: str) -> str:
        text = (DOCS / page).read_text("utf-8")
        return text.partition("<!-- levels horses -->")[2].partition("<!-- end -->")[0].strip()

    english, spanish = table("engine-horses.md"), table("es/engine-horses.md")
    rows = [tuple(line[2:-2].split(" | ")) for line in english.splitlines()[2:]]
    assert reworded(spanish, rows) == spanish != english == reworded(english, rows)
