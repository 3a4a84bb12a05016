from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import ludoteca
from ludoteca import agents
from ludoteca.agents.kittens.dqn import shipped
from ludoteca.agents.kittens.networks import load
from ludoteca.play.match import play_out

pytestmark = pytest.mark.no_sanitize

ORIGINAL, CLEAN = "kittens:rules=original", "kittens"


def wins(spec: str, first: str, second: str, matches: int) -> int:
    """What the agent named first wins in seat 0, from fixed deals; in the clean rules half of them in seat 1."""
    game, count = ludoteca.game(spec), 0
    makers = ludoteca.agent(first), ludoteca.agent(second)
    for seed in range(matches):
        seat = seed % 2 if spec == CLEAN else 0
        match = ludoteca.Match(game, seed)
        agents = {
            each: makers[each != seat](game, each, 2 * seed + each)
            for each in (0, 1)
        }  # fmt: skip
        for _ in play_out(match, agents, ludoteca.Limit()):
            pass
        count += match.returns()[seat] > 0
    return count


@pytest.mark.parametrize(
    ("spec", "agent", "opponent", "least"),
    [  # of 60; each is some five standard deviations below what was measured
        (ORIGINAL, "dqn", "v2", 54),
        (ORIGINAL, "dqn", "v1", 46),
        (ORIGINAL, "dqn:observation=seed", "v2", 48),
        (CLEAN, "dqn", "v2", 54),
        (CLEAN, "dqn", "v1", 54),
        (CLEAN, "dqn", "random", 34),
    ],
)
def test_shipped_networks_win(spec: str, agent: str, opponent: str, least: int) -> None:
    assert wins(spec, agent, opponent, 60) >= least


@pytest.mark.parametrize("spec", [ORIGINAL, CLEAN, "kittens:deck=rich,stack=true", "kittens:deck=bomb9+safe3"])
def test_it_plays_legally_and_says_what_it_weighed(spec: str) -> None:
    game = ludoteca.game(spec)
    for seed in range(10):
        match = ludoteca.Match(game, seed)
        agents = {seat: ludoteca.agent("dqn")(game, seat, 0) for seat in (0, 1)}
        views = [match.view(0), match.view(1)]
        for seat, decision in play_out(match, agents, ludoteca.Limit()):
            assert sorted(decision.scores) == views[seat].legal()
            best = max(decision.scores.values())
            assert decision.scores[decision.action] == best
            assert decision.value == pytest.approx(max(-1, min(1, best)))
            assert decision.note.startswith(f"Q: {game.action_name(decision.action)} {best:+z.2f}")
            views = [match.view(0), match.view(1)]


def test_the_eleven_inputs_are_those_of_the_view() -> None:
    game = ludoteca.game(ORIGINAL)
    network = load(shipped(game, "seed"))
    assert (network.inputs, network.actions, network.observation) == (11, 9, "seed")
    assert load(shipped(game, "view")).inputs == game.tensor_shape[0]


@pytest.mark.parametrize("name", ["kittens-clean", "kittens-original", "kittens-original-seed"])
def test_each_network_is_small_and_has_its_card(name: str) -> None:
    folder = Path(ludoteca.__file__).parent / "weights"
    assert (folder / f"{name}.onnx").stat().st_size < 1_000_000
    card = (folder / f"{name}.md").read_text(encoding="utf-8")
    about = load(folder / f"{name}.onnx")
    strength = json.loads(about.strength)
    assert f"+{strength['wins']} ={strength['draws']} -{strength['losses']}" in card
    assert "ludoteca train dqn" in card


def test_agents_are_pickled_without_their_network() -> None:
    game = ludoteca.game(CLEAN)
    agent = ludoteca.agent("dqn")(game, 1, 0)
    data = pickle.dumps(agent)
    assert len(data) < 2_000
    view = game.deal(1).view(0)
    assert pickle.loads(data).act(view, ludoteca.Limit()) == agent.act(view, ludoteca.Limit())


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    game = ludoteca.game(CLEAN)
    with pytest.raises(ludoteca.InvalidOption, match="no network with observation=seed is shipped for kittens"):
        ludoteca.agent("dqn:observation=seed")(game, 0, 0)
    with pytest.raises(ludoteca.InvalidOption, match=r"161 inputs and 9 actions; kittens:place=any has 161 .* and 39"):
        ludoteca.agent("dqn")(ludoteca.game("kittens:place=any"), 0, 0)
    with pytest.raises(ludoteca.InvalidOption, match="there is no file"):
        ludoteca.agent(f"dqn:weights={tmp_path / 'nothing.onnx'}")(game, 0, 0)
    (tmp_path / "noise.onnx").write_bytes(b"noise")
    with pytest.raises(ludoteca.InvalidOption, match="is no network for this agent: "):
        ludoteca.agent(f"dqn:weights={tmp_path / 'noise.onnx'}")(game, 0, 0)


def test_the_seat_it_was_trained_for_is_part_of_its_description() -> None:
    original, clean = ludoteca.game("kittens:rules=original,max_turns=50"), ludoteca.game("kittens")
    assert agents.preferred_seat("dqn:observation=seed", original) == 0
    assert agents.preferred_seat("dqn", clean) is None and agents.preferred_seat("v2", original) is None
    sent = json.loads(json.dumps(agents.describe("dqn").to_json()))
    assert agents.Description.from_json(sent).preferred_seats == {"kittens:rules=original": 0}
    with pytest.raises(ValueError, match="not in tuple"):
        agents.Description.from_json(sent | {"preferred_seats": {"kittens": 2}})
