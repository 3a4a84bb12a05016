"""`mcts` plays small games as exact search does, whatever the game, and never by what it cannot see."""

from __future__ import annotations

import itertools
import math
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ludoteca
from ludoteca import Decision, InvalidOption, Limit, _core
from ludoteca.agents.mcts import MCTS, evaluating_by, evaluations
from ludoteca.play.match import play_out
from ludoteca.protocols import State

EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples" / "ludoteca-nim"
GAMES = ("hex:size=5", "hex:size=5,swap=true", "horses:size=5", "dominoes", "dominoes:variant=block", "kittens")


def after(spec: str, seed: int, actions: int = 0) -> State:
    """A state some random-looking but fixed actions after a deal, with a choice to make."""
    for deal in itertools.count(seed, 1000):
        state = ludoteca.game(spec).deal(deal)
        for i in itertools.count():
            legal = state.legal()
            if not legal:
                break
            if i >= actions and len(legal) > 1:
                return state
            state.apply(legal[(7 * i + seed) % len(legal)])
    raise AssertionError


def decide(state: State, nodes: int, options: str = "", seed: int = 1) -> Decision:
    assert state.turn is not None
    found = ludoteca.agent("mcts" + options)(state.game, state.turn, seed).act(
        state.view(state.turn), Limit(nodes=nodes)
    )
    assert isinstance(found, Decision)
    return found


@cache
def exact(state_bytes: bytes, spec: str) -> float:
    """What the seat on turn gets with best play on both sides, by trying everything."""
    game: Any = ludoteca.game(spec)
    state = game.state_from(state_bytes)
    best = -1.0
    for action in state.legal():
        best = max(best, worth(state, action, spec))
        if best == 1:
            break
    return best


def worth(state: Any, action: int, spec: str) -> float:
    """What an action is worth to the seat that plays it."""
    seat, next_state = state.turn, state.copy()
    next_state.apply(action)
    if next_state.turn is None:
        return float(next_state.returns()[seat])
    value = exact(bytes(next_state), spec)
    return value if next_state.turn == seat else -value


@pytest.mark.parametrize(
    "options", ["", ":threads=2", ":reuse=true", ":playouts=3", ":memory=1", ":evaluation=distances"]
)
def test_it_begins_3_by_3_hex_with_a_winning_cell(options: str) -> None:
    spec = "hex:size=3"
    start: Any = ludoteca.game(spec).deal(0)
    winning = {action for action in start.legal() if worth(start, action, spec) == 1}
    assert 0 < len(winning) < 9
    found = decide(start, 20_000, options)
    assert found.action in winning
    assert (found.value, found.proven) == (1, True)
    assert found.nodes < 20_000


def test_it_proves_who_wins_4_by_4_hex() -> None:
    for seed in range(6):
        spec = "hex:size=4"
        state: Any = after(spec, seed, 5 + seed % 3)
        winning = {action for action in state.legal() if worth(state, action, spec) == 1}
        found = decide(state, 100_000)
        assert found.proven
        assert found.value == (1 if winning else -1)
        assert found.action in winning or not winning
        for action in found.line:
            state.apply(action)


def test_it_plays_small_horses_exactly() -> None:
    for seed in range(4):
        spec = "horses:size=5"
        state: Any = after(spec, seed, 6)
        best = exact(bytes(state), spec)
        found = decide(state, 30_000)
        assert worth(state, found.action, spec) == best
        assert not found.proven or found.value == best


def test_a_game_in_python_is_played_perfectly(monkeypatch: pytest.MonkeyPatch) -> None:
    """In both seats against the player that knows the theory of Nim: it loses only what is lost from the start."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import ludoteca_nim  # type: ignore[import-not-found]

    for heaps, first_wins in (("1-2-3", False), ("1-2-4", True), ("2-2", False)):
        game = ludoteca_nim.Nim(heaps)
        for seat in (0, 1):
            makers = {seat: ludoteca.agent("mcts"), 1 - seat: ludoteca_nim.NimSum}
            match = ludoteca.Match(game, seed=1)
            agents: dict[int, Any] = {each: make(game, each, 1) for each, make in makers.items()}
            for _ in play_out(match, agents, Limit(nodes=200)):
                pass
            assert (match.returns()[seat] > 0) == ((seat == 0) == first_wins), (heaps, seat)


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("nodes", [1, 2, 17, 1000])
def test_simulations_are_counted_exactly(spec: str, nodes: int) -> None:
    for options in ("", ":threads=3", ":memory=1"):
        found = decide(after(spec, 3), nodes, options)
        assert found.nodes == nodes
        assert found.depth >= 1
        assert found.line[0] == found.action
        assert found.value == found.scores[found.action]
        assert all(-1 <= score <= 1 for score in found.scores.values())
    assert decide(after(spec, 3), 5000, f":simulations={nodes}").nodes == nodes


EVALUATED = [("hex:size=5", "distances"), ("horses:size=6", "points"), ("dominoes", "tiles")]


@pytest.mark.parametrize(("spec", "evaluation"), EVALUATED)
def test_an_evaluation_stands_in_place_of_playouts(spec: str, evaluation: str) -> None:
    state = after(spec, 3)
    judged = f":evaluation={evaluation}"
    for options in (judged, f"{judged},threads=3", f"{judged},reuse=true"):
        found = decide(state, 2000, options)
        assert found.nodes == 2000 and found == decide(state, 2000, options)
        assert found.scores != decide(state, 2000).scores
    # Playouts no longer matter, and one simulation is worth what the position after it looks worth, not 1 or -1.
    assert decide(state, 2000, judged) == decide(state, 2000, f"{judged},playouts=3")
    value = decide(state, 1, judged).value
    assert value is not None and abs(value) < 1


def test_an_evaluation_says_who_is_ahead() -> None:
    """After one simulation the value is the evaluation itself: by the rules it can be computed here."""
    game: Any = ludoteca.game("hex:size=5")
    state = game.deal(0)
    for name in ("c3", "a1", "c2", "a5", "d1", "e5"):  # the first seat joins left and right, and is far ahead
        state.apply(game.parse_action(name))
    ahead = decide(state, 1, ":evaluation=distances")
    state.apply(ahead.action)
    own, others = (_core.hex_distance(state.view(0), seat) for seat in (0, 1))
    assert own is not None and others is not None
    assert ahead.value == pytest.approx(math.tanh((others - own - 0.5) / 2))
    horses: Any = ludoteca.game("horses")
    start = horses.deal(1)
    found = decide(start, 1, ":evaluation=points")
    seat = start.turn
    start.apply(found.action)
    after_it = start.view(seat)
    mobility = [len(each) for each in after_it.moves]
    scores = after_it.scores
    points = scores[seat] - scores[1 - seat] + 0.5 * (mobility[seat] - mobility[1 - seat])
    assert found.value == pytest.approx(math.tanh(points / 10))


def test_a_game_in_python_may_have_evaluations_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import ludoteca_nim

    asked: list[State] = []

    def half(state: State, chance: random.Random) -> tuple[float, float]:
        asked.append(state)
        return (0.5, -0.5)

    game = ludoteca_nim.Nim("3-4-5")
    view = game.deal(0).view(0)
    with pytest.raises(InvalidOption, match="has no evaluations"):
        MCTS(game, 0, 1, evaluation="half")
    game = type("EvaluatedNim", (ludoteca_nim.Nim,), {"evaluations": {"half": half}})("3-4-5")
    view = game.deal(0).view(0)
    named = MCTS(game, 0, 1, evaluation="half").act(view, Limit(nodes=50))
    assert 0 < len(asked) <= 50
    given: Any = evaluating_by(half, exploration=1.0)(game, 0, 1)
    assert given.act(view, Limit(nodes=50)) == named
    with pytest.raises(InvalidOption, match="evaluation=whole is none of half"):
        MCTS(game, 0, 1, evaluation="whole")


def test_a_function_judges_our_own_games_too() -> None:
    asked = 0

    def even(state: State, chance: random.Random) -> tuple[float, float]:
        nonlocal asked
        asked += 1
        return (0.25, -0.25)

    state = after("hex:size=4", 1)
    agent: Any = evaluating_by(even)(state.game, state.turn or 0, 1)
    found = agent.act(state.view(state.turn or 0), Limit(nodes=30))
    assert asked == found.nodes == 30
    assert abs(found.value) == 0.25


@pytest.mark.parametrize(("spec", "evaluation"), EVALUATED)
def test_it_says_which_evaluations_there_are(spec: str, evaluation: str) -> None:
    assert evaluations(ludoteca.game(spec)) == [evaluation]
    with pytest.raises(InvalidOption, match=f"evaluation=nosuch is none of .*{evaluation}"):
        ludoteca.agent("mcts:evaluation=nosuch")(ludoteca.game(spec), 0, 0)
    with pytest.raises(InvalidOption, match="evaluation=points, but kittens has no evaluations"):
        ludoteca.agent("mcts:evaluation=points")(ludoteca.game("kittens"), 0, 0)


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("options", ["", ":threads=3", ":playouts=2,exploration=0.5"])
def test_it_decides_the_same_again(spec: str, options: str) -> None:
    state = after(spec, 5, 2)
    assert decide(state, 3000, options) == decide(state, 3000, options)
    assert decide(state, 3000, options) != decide(state, 3000, options, seed=2)


@pytest.mark.parametrize("spec", ["dominoes", "dominoes:variant=block", "kittens"])
def test_worlds_that_look_the_same_get_the_same_decision(spec: str) -> None:
    """The truth is exchanged for other worlds in which the seat sees the same: nothing changes."""
    for seed in range(3):
        truth = after(spec, seed, 4)
        assert truth.turn is not None
        view = truth.view(truth.turn)
        expected = decide(truth, 2000)
        others = {bytes(view.sample(each)): view.sample(each) for each in range(5)}  # type: ignore[call-overload]
        assert len(others) > 1
        for other in others.values():
            assert decide(other, 2000) == expected


@pytest.mark.parametrize("spec", GAMES)
def test_the_tree_is_used_again(spec: str) -> None:
    """After an action of each seat it knows the position already, so its value is that of many more simulations."""
    state = after(spec, 1, 2)
    seat = state.turn
    assert seat is not None
    agent: Any = ludoteca.agent("mcts:reuse=true")(state.game, seat, 1)
    first = agent.act(state.view(seat), Limit(nodes=20_000))
    state.apply(first.action)
    while state.turn != seat or len(state.legal()) == 1:
        if state.turn is None:
            pytest.skip("the match ended before the second decision")
        state.apply(decide(state, 2000).action if len(state.legal()) > 1 else state.legal()[0])
    view = state.view(seat)
    kept, fresh = agent.act(view, Limit(nodes=1)), decide(state, 1)
    assert kept.nodes == 1 or kept.proven
    assert len(fresh.scores) == 1
    assert len(kept.scores) > 1


@pytest.mark.parametrize("spec", ["hex:size=11", "horses", "dominoes:variant=block", "kittens"])
def test_a_full_memory_only_stops_the_growth(spec: str) -> None:
    state = after(spec, 1, 2)
    small, large = decide(state, 60_000, ":memory=1"), decide(state, 60_000, ":memory=64")
    assert small.nodes == large.nodes == 60_000
    assert abs((small.value or 0) - (large.value or 0)) < 0.2


def test_it_thinks_aloud_and_ends_with_what_act_gives() -> None:
    for spec in GAMES:
        state = after(spec, 2)
        assert state.turn is not None
        agent: Any = ludoteca.agent("mcts")(state.game, state.turn, 1)
        thoughts = list(agent.think(state.view(state.turn), Limit(nodes=4000)))
        assert thoughts[-1] == decide(state, 4000)
        assert [each.nodes for each in thoughts] == sorted(each.nodes for each in thoughts)


def test_two_streams_of_one_agent_do_not_disturb_each_other() -> None:
    state = after("hex:size=5", 1)
    view = state.view(0 if state.turn == 0 else 1)
    agent: Any = ludoteca.agent("mcts")(state.game, view.seat, 1)
    one, two = agent.think(view, Limit(nodes=200_000)), agent.think(view, Limit(nodes=3000))
    next(one)
    assert list(two)[-1] == decide(state, 3000)
    one.close()
    assert agent.act(view, Limit(nodes=3000)) == decide(state, 3000)


def test_a_forced_action_takes_no_time() -> None:
    state = ludoteca.game("dominoes").deal(1)
    assert len(state.legal()) == 1
    assert decide(state, 10**9).nodes == 0


@pytest.mark.parametrize(
    "options", ["exploration=-1", "exploration=nan", "playouts=0", "threads=0", "memory=0", "simulations=-1"]
)
def test_options_are_checked(options: str) -> None:
    with pytest.raises(InvalidOption, match=options.partition("=")[0]):
        ludoteca.agent(f"mcts:{options}")(ludoteca.game("hex"), 0, 0)
