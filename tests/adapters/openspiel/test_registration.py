"""Our games in OpenSpiel's hands: its own simulation tests, its CFR against our solvers, and information states."""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="needs open-spiel")

import ludoteca  # noqa: E402
from ludoteca import InvalidOption  # noqa: E402
from ludoteca.adapters.openspiel.exported_game import as_spiel_game  # noqa: E402
from ludoteca.adapters.openspiel.registration import register, spiel_game  # noqa: E402
from ludoteca.agents.solvers.positions import solver  # noqa: E402

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
SMALL = "dominoes:pips=3,hand=2,variant=block,start=seat"
register()


@pytest.fixture
def kuhn(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The example's module, as if it was installed."""
    monkeypatch.syspath_prepend(EXAMPLES / "ludoteca-kuhn")
    yield importlib.import_module("ludoteca_kuhn")
    sys.modules.pop("ludoteca_kuhn")


@pytest.mark.parametrize(
    "game",
    [
        "ludoteca_hex(size=3)",
        "ludoteca_hex(size=4,swap=True,orientation=standard)",
        "ludoteca_horses(size=5)",
        "ludoteca_dominoes(pips=3)",
        "ludoteca_dominoes(pips=3,hand=2,variant=block,deals=0)",
        "ludoteca_kittens(deck=bomb2+see1+safe3)",
        "ludoteca_kittens(deck=bomb1+safe2,deals=0)",
        "ludoteca_kittens(rules=original,deck=bomb2+attack2+bottom2+safe2,max_turns=20)",
        "ludoteca_kittens(deck=attack2+safe2,stack=True,max_turns=20)",
    ],
)
def test_openspiels_own_simulation_test(game: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=3, serialize=True, verbose=False)


def test_a_game_that_somebody_added_passes_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES / "ludoteca-nim")
    game = as_spiel_game(importlib.import_module("ludoteca_nim").Nim("1-2-3"))
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert not game.get_type().provides_information_state_tensor  # the length of its longest match is unknown
    pyspiel.random_sim_test(game, num_sims=5, serialize=False, verbose=False)
    sys.modules.pop("ludoteca_nim")


def test_options_are_parameters() -> None:
    assert register() == ["ludoteca_dominoes", "ludoteca_hex", "ludoteca_horses", "ludoteca_kittens"]
    game = pyspiel.load_game("ludoteca_hex", {"size": 4, "swap": True})
    assert game.rules == ludoteca.game("hex:size=4,swap=true") and game.num_distinct_actions() == 17
    assert pyspiel.load_game(str(game)).rules == game.rules
    assert pyspiel.load_game("ludoteca_kittens").max_chance_outcomes() == 1000
    with pytest.raises(InvalidOption, match="size=40 must be a whole number from 1 to 19"):
        pyspiel.load_game("ludoteca_hex(size=40)")


def value_and_exploitability(game: Any, iterations: int) -> tuple[float, float]:
    """What CFR+ of OpenSpiel finds for the first seat, and how far from an equilibrium that is."""
    tree = pyspiel.convert_to_cached_tree(game)
    minimiser = pyspiel.CFRPlusSolver(tree)
    for _ in range(iterations):
        minimiser.evaluate_and_update_policy()
    policy = minimiser.tabular_average_policy()
    value = pyspiel.expected_returns(tree.new_initial_state(), policy, -1, False, 0.0)[0]
    return value, pyspiel.exploitability(tree, policy)


def test_its_cfr_finds_the_value_of_a_small_deck_of_kittens() -> None:
    game = ludoteca.game("kittens:deck=bomb2+safe1")
    *_, solved = solver(game)(game, game.deal(0).view(0))
    assert solved.proven and solved.value == pytest.approx(-1 / 3, abs=0.001)
    value, far = value_and_exploitability(spiel_game(game, deals=0), 100)
    assert far < 0.002
    assert value == pytest.approx(solved.value, abs=far + 0.0005)


def test_its_cfr_finds_the_value_of_small_dominoes() -> None:
    """Of all 1260 deals; our solver says between which bounds the round is worth, for the seat that plays first."""
    game = ludoteca.game(SMALL)
    *_, solved = solver(game)(game, game.deal(0).view(0))
    least, most = (float(solved.note.fields[name]) for name in ("least", "most"))  # type: ignore[attr-defined]
    assert 0.6 < least <= most < 0.7
    value, far = value_and_exploitability(spiel_game(game, deals=0), 40)
    assert far < 0.002
    assert least - far <= value <= most + far


def test_its_cfr_solves_a_game_that_somebody_added(kuhn: ModuleType) -> None:
    """Kuhn poker, in chips; an equilibrium is worth -1/18 of a chip to the first seat, and CFR+ in C++ finds it."""
    game = spiel_game(kuhn.Kuhn(), deals=0)
    assert game.max_chance_outcomes() == 6 and game.max_utility() == 2.0
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    value, far = value_and_exploitability(game, 300)
    assert far < 0.005
    assert value == pytest.approx(-1 / 18, abs=far + 0.0005)


def test_deals_have_the_probabilities_that_the_game_gives(kuhn: ModuleType) -> None:
    class Loaded(kuhn.Kuhn):  # type: ignore[name-defined,misc]
        def deals(self) -> Any:
            return [(kuhn.KuhnState(self, (2, 0), ()), share) for share in shares]

    shares = [0.75, 0.25]
    assert spiel_game(Loaded(), deals=0).new_initial_state().chance_outcomes() == [(0, 0.75), (1, 0.25)]
    shares = [0.75, 0.5]
    with pytest.raises(InvalidOption, match=r"the probabilities of its deals add up to 1\.25, not to 1"):
        spiel_game(Loaded(), deals=0)


def test_returns_are_amounts() -> None:
    """Points of Dominoes, not parts of the most there can be."""
    game = spiel_game("dominoes:pips=3,scoring=points")
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    won = state.returns()[0]
    assert won == -state.returns()[1] and won == int(won) and abs(won) > 1
    assert game.max_utility() == game.rules.stake == 29.0


def states_of(game: Any, count: int, seed: int = 0) -> list[Any]:
    """States of random play, somebody on turn in each."""
    chance = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                found.append(state.clone())
            state.apply_action(chance.choice(state.legal_actions()))
    return found[:count]


@pytest.mark.parametrize("spec", [SMALL, "kittens:deck=bomb1+safe2"])
def test_information_states_are_what_a_player_cannot_tell_apart(spec: str) -> None:
    """Equal strings, equal views and legal actions; and worlds that differ now stay different (perfect recall)."""
    game = spiel_game(spec, deals=0)
    seen: dict[str, tuple[Any, ...]] = {}
    for state in states_of(game, 600):
        seat = state.current_player()
        view, text = state.world.view(seat), state.information_state_string(seat)
        assert seen.setdefault(text, (view, view.legal())) == (view, view.legal())
        trail = state.trail(seat)
        for action in state.legal_actions():
            after = state.child(action)
            assert (trail, action) == seen.setdefault(f"{seat} after {after.trail(seat)}", (trail, action))
    hands = {tuple(game.deal(number).view(0).legal()) for number in range(len(game.outcomes))}
    strings = {game.new_initial_state().child(number).trail(0) for number in range(len(game.outcomes))}
    if spec == SMALL:
        assert len(strings) == len(hands) == 45  # pairs of the ten tiles, whatever the other holds


def test_an_observation_is_the_view() -> None:
    game = spiel_game("kittens")
    state = game.new_initial_state().child(3)
    view = game.rules.deal(3).view(1)
    assert state.observation_tensor(1) == pytest.approx(view.tensor().tolist())
    assert state.observation_string(1) == game.rules.text(view)
    assert state.observation_tensor(0) != pytest.approx(state.child(0).observation_tensor(0))


@pytest.mark.parametrize("spec", [SMALL, "dominoes", "kittens", "hex:size=3"])
def test_resampling_keeps_what_the_player_knows_and_nothing_else(spec: str) -> None:
    game = spiel_game(spec)
    chance, others = random.Random(1), set()
    for state in states_of(game, 60):
        for player in (0, 1):
            again = state.resample_from_infostate(player, chance.random)
            assert again.information_state_string(player) == state.information_state_string(player)
            assert again.information_state_tensor(player) == state.information_state_tensor(player)
            assert again.observation_tensor(player) == state.observation_tensor(player)
            assert again.current_player() == state.current_player()
            if state.current_player() == player:
                action = chance.choice(state.legal_actions())
                assert (
                    again.child(action).trail(player) == state.child(action).trail(player)
                    or game.rules.hidden_information
                )
            others.add(again.observation_string(1 - player) == state.observation_string(1 - player))
    assert (False in others) == bool(game.rules.hidden_information)


def test_a_clone_is_independent_and_a_history_replays() -> None:
    game = pyspiel.load_game("ludoteca_kittens(deck=bomb2+safe4)")
    for state in states_of(game, 20):
        before = str(state)
        state.clone().apply_action(state.legal_actions()[0])
        assert str(state) == before
        again = game.new_initial_state()
        for action in state.history():
            again.apply_action(action)
        assert str(again) == before and again.information_state_string(0) == state.information_state_string(0)


@pytest.mark.parametrize(
    ("spec", "deals", "reason"),
    [
        ("horses", 0, "horses does not list its deals"),
        ("dominoes:pips=3", 0, "use variant=block"),
        ("dominoes:variant=block", 0, "deals, and at most 20000 are listed"),
        ("kittens:deck=bomb1+shuffle1+safe2", 0, "a deck without Shuffle cards"),
        ("kittens:rules=original", 0, "needs rules=clean"),
        ("kittens", -1, "deals=-1 must be from 0"),
    ],
)
def test_what_cannot_be_listed_is_refused(spec: str, deals: int, reason: str) -> None:
    with pytest.raises(InvalidOption, match=reason):
        spiel_game(spec, deals=deals)


def test_its_environment_for_learners_steps_through_ours() -> None:
    """`rl_environment`, which most of its learners use: by itself all that was seen, or what is seen now."""
    rl_environment = importlib.import_module("open_spiel.python.rl_environment")
    game, now = spiel_game("kittens:deck=bomb2+safe4"), rl_environment.ObservationType.OBSERVATION
    assert rl_environment.Environment(game).observation_spec()["info_state"] == (game.information_state_tensor_size(),)
    environment = rl_environment.Environment(game, seed=3, observation_type=now)
    chance = random.Random(1)
    step = environment.reset()
    while not step.last():
        player = step.observations["current_player"]
        assert len(step.observations["info_state"][player]) == 161
        step = environment.step([chance.choice(step.observations["legal_actions"][player])])
    assert sorted(step.rewards) in ([-1.0, 1.0], [0.0, 0.0])


def test_its_sampling_cfr_needs_no_list_of_all_deals() -> None:
    """Of a sample of deals it learns to play much better than by chance."""
    tree = pyspiel.convert_to_cached_tree(spiel_game(SMALL, deals=30))
    minimiser = pyspiel.ExternalSamplingMCCFRSolver(tree, 7)
    for _ in range(1000):
        minimiser.run_iteration()
    uniform = pyspiel.exploitability(tree, pyspiel.UniformRandomPolicy(tree))
    assert pyspiel.exploitability(tree, minimiser.average_policy()) < uniform / 2
