"""Training by self-play: it learns, repeats itself, goes on where it was, and writes what it knows faithfully."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
import torch
from numpy.typing import NDArray

import ludoteca
from ludoteca import _core
from ludoteca.errors import InvalidOption
from ludoteca.learn.run_folder import RunReader
from ludoteca.learn.zero.arguments import Arguments, stages
from ludoteca.learn.zero.matches import score
from ludoteca.learn.zero.network import Folded, Network, Shape
from ludoteca.learn.zero.training import Training, write
from ludoteca.terminal.train import train

TINY = Arguments(
    curriculum="4x12:1", positions=7_000, matches=48, blocks=1, width=16, batch=128, window=8_000, start=500, threads=1,
    evaluate_against="random", evaluate=20, evaluate_every=10**9, evaluate_nodes=100,
)  # fmt: skip


@pytest.fixture(scope="module")
def trained() -> Training:
    training = Training(TINY)
    assert training.run()
    return training


def test_beats_random_clearly(trained: Training) -> None:
    game = ludoteca.game("hex:size=4")
    before = Training(TINY)
    assert score(game, before.players, "random", 60, 100, 3).score < 0.85, "an untrained network knows nothing"
    found = score(game, trained.players, "random", 100, 100, 3)
    assert found.score >= 0.9 and found.low > 0.75 and found.high <= 1 and found.matches == 100


def test_onnx_says_what_the_network_says(trained: Training, tmp_path: Path) -> None:
    path = tmp_path / "network.onnx"
    write(trained, path)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    for size in (3, 4, 7):
        seen = np.random.default_rng(size).integers(0, 2, (5, 2, size, size)).astype(np.int8)
        policy, value = session.run(None, {"seen": seen.astype(np.float32)})
        with torch.no_grad():
            logits, guess = trained.average(torch.from_numpy(seen))
        np.testing.assert_allclose(policy, logits.numpy(), atol=1e-4)
        np.testing.assert_allclose(value, np.tanh(guess.numpy() / 2), atol=1e-4)
        folded = trained.players(torch.from_numpy(seen))
        assert folded[0].shape == (5, size**2) and folded[1].abs().max() <= 1
    about = session.get_modelmeta().custom_metadata_map
    assert about["game"] == "hex" and '"positions": 7000' in about["arguments"]


def test_a_training_begins_with_the_network_of_another(trained: Training, tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    trained.save(path)
    later = Training(replace(TINY, begin=str(path), curriculum="5x12:1"))
    for theirs, ours in zip(trained.average.parameters(), later.network.parameters(), strict=True):
        assert torch.equal(theirs, ours)
    with pytest.raises(InvalidOption, match=r"begin=.*checkpoint does not hold a 2×16 network"):
        Training(replace(TINY, begin=str(path), blocks=2))
    with pytest.raises(InvalidOption, match=r"No such file"):
        Training(replace(TINY, begin=str(tmp_path / "nothing")))
    (tmp_path / "text").write_text("not a checkpoint")
    with pytest.raises(InvalidOption, match=r"begin=.*text does not hold"):
        Training(replace(TINY, begin=str(tmp_path / "text")))


def test_a_training_begins_with_an_onnx_file(trained: Training, tmp_path: Path) -> None:
    path = tmp_path / "network.onnx"
    write(trained, path)
    later = Training(replace(TINY, begin=str(path)))
    seen = (torch.rand((64, 1, 4, 4)) * 3).to(torch.int8)
    seen = torch.cat([seen == 1, seen == 2], 1).to(torch.int8)
    with torch.no_grad():
        logits, value = trained.average(seen)
        found, found_value = later.average(seen)
        learning, _ = later.network(seen)  # whose norms take mean and variance from the batch
    torch.testing.assert_close(found, logits, atol=1e-3, rtol=1e-3)
    torch.testing.assert_close(found_value, value, atol=1e-3, rtol=1e-3)
    assert np.corrcoef(learning.ravel(), logits.ravel())[0, 1] > 0.9
    for change in ({"blocks": 2}, {"width": 24}):
        with pytest.raises(InvalidOption, match=r"begin=.*network.onnx does not hold a .* network: there is no"):
            Training(replace(TINY, begin=str(path), **change))  # type: ignore[arg-type]


def test_interrupted_and_resumed_it_comes_to_the_same(tmp_path: Path) -> None:
    arguments = replace(
        TINY, positions=1_100, curriculum="4x8:1 5x8+4x6:1", start=300, full_share=0.6, decided_share=0.5,
        quick_simulations=3,
    )  # fmt: skip
    whole = Training(arguments)
    whole.run()
    parts = Training(arguments)
    parts.run(lambda now: now.steps < 41)
    parts.save(tmp_path / "checkpoint")
    again = Training.load(tmp_path / "checkpoint")
    again.run(lambda now: now.progress < 0.8)
    again.save(tmp_path / "checkpoint")
    again = Training.load(tmp_path / "checkpoint")
    again.run()
    assert again.counts == whole.counts and again.updates == whole.updates > 10
    for name, weights in whole.average.state_dict().items():
        assert torch.equal(weights, again.average.state_dict()[name]), name


def test_horses_learn_by_the_same_code() -> None:
    training = Training(replace(TINY, game="horses", curriculum="5x8:1", positions=600, start=100, matches=16))
    assert training.run() and training.updates > 5
    assert len(training.curve) == 1 and training.curve[0].results["random"].matches == TINY.evaluate


@pytest.mark.parametrize("name", ["hex:size=4", "horses:size=5"])
def test_samples_are_positions_with_policies_over_legal_actions(name: str) -> None:
    game = ludoteca.game(name)
    kind = _core.HexSelfPlay if game.name == "hex" else _core.HorsesSelfPlay
    planes = len(Shape.of(game).planes)
    side = int(name[-1])
    taken = []
    for threads in (1, 3):
        settings = _core.SelfPlaySettings()
        settings.simulations, settings.random_actions = 8, [0, 1, 0, 0, 0]
        play = kind(game, 20, 5, threads, settings)
        seen = np.zeros((20, planes, side, side), np.int8)
        play.select(seen)
        chance = np.random.default_rng(1)
        for _ in range(400):
            logits = chance.normal(size=(20, side**2)).astype(np.float32)
            play.expand(logits, chance.uniform(-0.5, 0.5, 20).astype(np.float32), seen)
        taken.append(play.take())
        assert play.counts["matches"] > 20
    for one, other in zip(*taken, strict=True):
        np.testing.assert_array_equal(one, other)  # whatever the threads
    seen, policy, value = taken[0]
    np.testing.assert_allclose(policy.sum(1), 1, atol=1e-4)
    free = seen.sum(1).reshape(len(seen), -1) == 0 if game.name == "hex" else seen[:, 4].reshape(len(seen), -1) == 1
    assert not policy[~free].any(), "only legal actions are to be learnt"
    assert np.abs(value).max() <= 1
    if game.name == "hex":  # one random stone; then the seat on turn sees as many stones of both, or one less
        ours, theirs = seen[:, 0].sum((1, 2)), seen[:, 1].sum((1, 2))
        assert set(theirs - ours) <= {0, 1} and {0, 1} <= set(theirs - ours)


def settings_of(**values: object) -> _core.SelfPlaySettings:
    settings = _core.SelfPlaySettings()
    settings.random_actions = [0, 1, 0, 0, 0]
    for name, value in values.items():
        setattr(settings, name, value)
    return settings


def play_hex(
    settings: _core.SelfPlaySettings, matches: int, until: int, logits: float = 1, value: float | None = None
) -> _core.HexSelfPlay:
    """Self-play on 4×4 until so many matches have ended, by a made-up network.

    logits: how much they differ. value: of every position; None if that differs, too.
    """
    play = _core.HexSelfPlay(ludoteca.game("hex:size=4"), matches, 5, 1, settings)
    seen = np.zeros((matches, 2, 4, 4), np.int8)
    play.select(seen)
    chance = np.random.default_rng(3)
    to_logits, to_value = chance.normal(size=(32, 16)), chance.normal(size=32)
    while play.counts["matches"] < until:
        flat = seen.reshape(matches, 32)
        values = np.sin(flat @ to_value) * 0.9 if value is None else np.full(matches, value)
        play.expand((logits * (flat @ to_logits)).astype(np.float32), values.astype(np.float32), seen)
    return play


def test_remembered_answers_change_nothing_but_how_often_the_network_is_asked() -> None:
    asked, again = (
        play_hex(settings_of(simulations=12, full_share=0.5, quick_simulations=4, remember=remember), 1, 12)
        for remember in (False, True)
    )
    for one, other in zip(asked.take(), again.take(), strict=True):
        np.testing.assert_array_equal(one, other)
    counts, fewer = asked.counts, again.counts
    assert fewer.pop("evaluations") < 0.9 * counts.pop("evaluations") and fewer == counts


@pytest.mark.parametrize("selection", list(_core.Selection))
def test_self_play_selects_below_its_root_as_the_search_of_the_player_does(selection: _core.Selection) -> None:
    """With one candidate at the root all simulations go through its child: the root of the other search."""
    game: Any = ludoteca.game("hex:size=4")
    chance = np.random.default_rng(7)
    to_logits, to_value = chance.normal(size=(32, 16)), chance.normal(size=32)

    def network(seen: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        flat = seen.reshape(len(seen), 32)
        return (flat @ to_logits).astype(np.float32), (np.sin(flat @ to_value) * 0.9).astype(np.float32)

    settings = settings_of(simulations=40, candidates=1, remember=False, selection=selection)
    play, seen = _core.HexSelfPlay(game, 1, 5, 1, settings), np.zeros((1, 2, 4, 4), np.int8)
    play.select(seen)
    root, asked = seen.copy(), []
    for _ in range(40):
        play.expand(*network(seen), seen)
        asked.append(seen.copy())
    children = []
    for first, second in itertools.permutations(range(16), 2):
        state = game.deal(0)
        state.apply(first)
        if np.array_equal(_core.network_input(state.view(1)), root):
            state.apply(second)
            children.append(state)
    (child,) = (each for each in children if np.array_equal(_core.network_input(each.view(0)), asked[0]))
    search = _core.HexNetworkSearch(game, 16, selection)
    search.set_root(child.view(0))
    for expected in asked:
        leaf = search.select(1, 1)
        np.testing.assert_array_equal(leaf, expected)
        search.expand(*network(leaf))


def test_only_decisions_with_all_simulations_are_learned_from() -> None:
    play = play_hex(settings_of(simulations=16, full_share=0.3, quick_simulations=1, resign=-1), 20, 60, logits=0)
    seen, policy, value = play.take()
    assert len(seen) == len(policy) == len(value)
    assert 0.2 < len(value) / play.counts["decisions"] < 0.4
    for position, shares in zip(seen, policy, strict=True):
        free = shares[position.sum(0).ravel() == 0]
        assert len(free) < 8 or len(np.unique(free)) > 2, "one simulation sets one share apart from the others"
    surely = settings_of(simulations=1, resign=-0.5, play_on=1, decided_share=0)
    play = play_hex(surely, 4, 20, value=0.9)
    assert len(play.take()[2]) == play.counts["matches"], "after its first decision each match is as good as decided"
    with pytest.raises(ValueError, match="simulations must be 1 or more"):
        play_hex(settings_of(quick_simulations=0), 1, 1)


@pytest.mark.parametrize("selection", list(_core.Selection))
def test_a_position_that_wins_at_once_is_worth_a_win(selection: _core.Selection) -> None:
    """With logits and values that say nothing, a search of few simulations still finds a win in one."""
    game = ludoteca.game("hex:size=3")
    state = game.deal(1)
    for text in ("a2", "a1", "b2", "c1"):
        state.apply(game.parse_action(text))
    search = _core.HexNetworkSearch(game, 16, selection)
    view = state.view(0)
    assert isinstance(view, _core.HexView)
    search.set_root(view)
    for _ in range(12):
        if search.ended:
            break
        if waiting := len(search.select(1, 1)):
            search.expand(np.zeros((waiting, 9), np.float32), np.zeros(waiting, np.float32))
    choice = search.choice()
    assert choice.exhaustive and choice.value == 1
    with pytest.raises(ValueError, match="values has 3 numbers where 0 are needed"):
        search.expand(np.zeros((3, 9), np.float32), np.zeros(3, np.float32))
    with pytest.raises(ValueError, match="has no root"):
        _core.HexNetworkSearch(game, 16).choice()
    other = ludoteca.game("hex:size=5").deal(1).view(0)
    assert isinstance(other, _core.HexView)
    with pytest.raises(ValueError, match="another size"):
        search.set_root(other)


@pytest.mark.parametrize("selection", list(_core.Selection))
@pytest.mark.parametrize("leaves", [1, 4])
def test_a_search_finds_the_move_that_the_policy_underrates(selection: _core.Selection, leaves: int) -> None:
    """The network's values say that b3 wins and the rest loses, its policy that b3 is the least likely move."""
    game = ludoteca.game("hex:size=5")
    good = game.parse_action("b3")
    view = game.deal(1).view(0)
    assert isinstance(view, _core.HexView)
    cell = _core.policy_index(view, good)
    search = _core.HexNetworkSearch(game, 16, selection)
    search.set_root(view)
    for _ in range(300):
        seen = search.select(leaves, 2 * leaves)
        stones = seen.sum((1, 2, 3))
        mine = seen[:, :1].reshape(len(seen), -1)
        theirs = np.swapaxes(seen[:, 1], 1, 2).reshape(len(seen), -1)  # each seat sees its own direction upright
        moves_first = stones % 2 == 0
        first = np.where(moves_first[:, None], mine, theirs)
        values = np.where(first[:, cell] > 0, 0.8, -0.8) * np.where(moves_first, 1, -1)
        logits = np.zeros((len(seen), 25), np.float32)
        logits[:, cell] = -1
        search.expand(logits, values.astype(np.float32))
    assert search.choice().action == good


def test_after_puct_q_decides_among_moves_that_were_visited_often_enough() -> None:
    """The policy likes c3, the values like b3. One visit of b3 may be luck, two are enough: c3 has seven."""
    game = ludoteca.game("hex:size=5")
    view = game.deal(1).view(0)
    assert isinstance(view, _core.HexView)
    liked, better = (_core.policy_index(view, game.parse_action(name)) for name in ("c3", "b3"))
    logits = np.zeros((1, 25), np.float32)
    logits[0, liked], logits[0, better] = 3, 1.5
    search = _core.HexNetworkSearch(game, 16, _core.Selection.puct)
    search.set_root(view)
    chosen, begun_with = [], []
    for _ in range(10):
        seen = search.select(1, 1)
        stones = int(seen.sum())
        first = seen[0, 0] if stones % 2 == 0 else seen[0, 1].T  # each seat sees its own direction upright
        value = 0.3 if first.flat[better] else -0.1
        search.expand(logits, np.array([value if stones % 2 == 0 else -value], np.float32))
        begun_with.append(bool(stones == 1 and first.flat[better]))
        chosen.append(game.action_name(search.choice().action))
    assert begun_with.index(True) == 8
    assert chosen[1:] == ["c3"] * 8 + ["b3"]


def test_nonsense_from_a_network_breaks_nothing() -> None:
    """A training that diverges answers with numbers that are none: matches go on, and no memory is touched."""
    settings = _core.SelfPlaySettings()
    settings.simulations = 12
    play = _core.HexSelfPlay(ludoteca.game("hex:size=5"), 8, 1, 1, settings)
    seen = np.zeros((8, 2, 5, 5), np.int8)
    play.select(seen)
    chance = np.random.default_rng(2)
    for _ in range(300):
        logits = chance.normal(size=(8, 25)).astype(np.float32)
        logits[chance.random((8, 25)) < 0.4] = np.nan
        logits[chance.random((8, 25)) < 0.1] = np.inf
        play.expand(logits, np.full(8, np.nan, np.float32), seen)
    policy = play.take()[1]
    assert len(policy) > 20 and np.isfinite(policy).all()


def test_symmetries_turn_policy_and_position_alike() -> None:
    for name, count in (("hex:size=3", 2), ("horses:size=5", 8)):
        shape = Shape.of(ludoteca.game(name))
        side = int(name[-1])
        cells = torch.arange(side * side, dtype=torch.float32).reshape(1, side, side)
        turned = {tuple(shape.transformed(cells[:, None], cells, how)[1].flatten().tolist()) for how in range(count)}
        assert shape.symmetries == len(turned) == count
        for how in range(count):
            seen, policy = shape.transformed(cells[:, None], cells, how)
            assert torch.equal(seen[:, 0], policy)


def test_a_network_sees_what_lies_around_the_board() -> None:
    shape = Shape.of(ludoteca.game("hex:size=3"))
    padded = shape.pad(torch.zeros((1, 2, 3, 3), dtype=torch.int8), torch.float32)[0]
    assert padded.shape == (2, 7, 7)
    assert padded[0, :2, 2:5].eq(1).all() and padded[0, 2:5, :2].eq(0).all(), "own stones above and below"
    assert padded[1, 2:5, :2].eq(1).all() and padded[1, :2, 2:5].eq(0).all(), "the other's left and right"


def test_folded_weights_follow_the_network() -> None:
    network = Network(Shape.of(ludoteca.game("hex:size=3")), 1, 8).eval()
    folded, seen = Folded(network), torch.ones((1, 2, 3, 3), dtype=torch.int8)
    before = folded(seen)[1].item()
    with torch.no_grad():
        network.value.bias.add_(1)
    assert folded(seen)[1].item() == before
    folded.take(network)
    assert folded(seen)[1].item() > before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"curriculum": "eleven"}, "eleven"),
        ({"curriculum": "11x0:1"}, "11x0:1"),
        ({"curriculum": " "}, "no stage"),
        ({"game": "hex:swap=true"}, "swap"),
        ({"game": "kittens"}, "ludoteca train mmd kittens"),
        ({"random_actions": "a/b"}, "a/b"),
        ({"matches": 0}, "matches=0"),
        ({"positions": 0}, "positions=0 must be at least 1"),
        ({"resign": -2.0}, "resign=-2.0 must be at least -1"),
        ({"game": "hex:size=5"}, "both give a board size"),
    ],
)
def test_what_cannot_be_trained_is_said(change: dict[str, object], said: str) -> None:
    with pytest.raises((InvalidOption, ludoteca.LudotecaError), match=re.escape(said)):
        replace(TINY, **change).check()  # type: ignore[arg-type]


def test_a_stage_may_give_each_group_its_board() -> None:
    first, second = stages("5x16:1 11x100+13x64:3")
    assert first.groups == ((5, 16), (5, 16)) and first.until == 0.25
    assert second.groups == ((11, 100), (13, 64)) and second.until == 1


def test_the_command_leaves_a_network_that_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    given = "--curriculum 3x4:1 --positions 300 --matches 16 --blocks 1 --width 8 --start 50 --batch 32 --evaluate 4"
    words = [*given.split(), "--evaluate-against", "random", "--folder", str(folder)]
    assert train(["zero", *words]) == 0
    assert {"checkpoint", "curve.png", "network.onnx"} <= {path.name for path in folder.iterdir()}
    assert "Play against it" in capsys.readouterr().out
    status = RunReader(folder).read()
    assert status.ended and not status.fault and not status.training_now and status.run is not None
    assert status.run.settings["curriculum"] == "3x4:1" and status.run.total == 300 <= status.points[-1].at
    assert {"policy", "value"} == set(status.points[-1].loss) and status.points[-1].results["random"].matches == 4
    agent = ludoteca.agent(f"zero:weights={folder / 'network.onnx'}")
    game = ludoteca.game("hex:size=3")
    decision = agent(game, 0, 1).act(game.deal(1).view(0), ludoteca.Limit(nodes=5))
    assert isinstance(decision, ludoteca.Decision) and decision.nodes == 5
    with pytest.raises(InvalidOption, match="already holds a training"):
        train(["zero", *words])
    assert train(["zero", "--resume", "--folder", str(folder)]) == 0
