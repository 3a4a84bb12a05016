"""Magnetic mirror descent: it sees views alone, comes near an equilibrium, and goes on where it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

import ludoteca
from ludoteca import _core
from ludoteca.agents.mmd import MMD
from ludoteca.agents.networks.view_networks import INPUTS
from ludoteca.errors import IllegalAction, InvalidOption
from ludoteca.protocols import Limit

torch = pytest.importorskip("torch", reason="training needs the extra packages: pip install 'ludoteca[learn]'")

from ludoteca.learn.mmd.arguments import Arguments  # noqa: E402
from ludoteca.learn.mmd.export import write_network  # noqa: E402
from ludoteca.learn.mmd.matches import CHOICES, Matches  # noqa: E402
from ludoteca.learn.mmd.training import Training  # noqa: E402
from ludoteca.learn.run_folder import RunReader  # noqa: E402
from ludoteca.terminal.train import train  # noqa: E402

TINY = Arguments(
    game="dominoes:variant=block,pips=3,hand=2,start=seat", positions=14_000, matches=64, batch=128, width=32,
    evaluate_against="", evaluate_every=10**9,
)  # fmt: skip


@pytest.fixture(scope="module")
def trained() -> Training:
    training = Training(TINY)
    assert training.run()
    return training


def weights(training: Training) -> list[bytes]:
    return [bytes(values.numpy()) for values in training.average.state_dict().values()]


def test_the_input_is_the_same_whatever_is_hidden() -> None:
    """Exchange all that the seat on turn cannot see: its input stays, and what the other holds changes."""
    chance = np.random.default_rng(1)
    for spec in ("dominoes", "dominoes:variant=block,start=seat", "kittens", "kittens:rules=original"):
        game = ludoteca.game(spec)
        matches, hands = Matches([game], 16, 1), set()
        for _ in range(12):
            for row in range(matches.count):
                view = matches.view(row)
                seen = INPUTS[game.name](view)
                np.testing.assert_array_equal(matches.seen[row], seen[0])
                for seed in range(3):
                    world = view.sample(seed)
                    np.testing.assert_array_equal(INPUTS[game.name](world.view(view.seat)), seen)
                hands.add(bytes(matches.hands[row].numpy()))
            legal = matches.legal.numpy()
            assert (legal.sum(1) > 1).all(), "the seat on turn has a choice"
            matches.step(np.where(legal, chance.random(legal.shape), -1).argmax(1).astype(np.int32))
        assert len(hands) > 20


def test_belief_targets_are_what_the_other_holds() -> None:
    matches = Matches([ludoteca.game("dominoes")], 8, 2)
    for row in range(8):
        view = cast(_core.DominoesView, matches.view(row))
        held = np.flatnonzero(matches.hands[row].numpy())
        assert set(held) <= set(view.unseen) and len(held) == view.counts[1 - view.seat]
    matches = Matches([ludoteca.game("kittens")], 8, 2)
    assert matches.hands.shape[1] > 20 and (matches.hands.sum(1) >= 3).all()


def test_illegal_actions_and_wrong_shapes_are_refused() -> None:
    game = ludoteca.game("kittens")
    matches = Matches([game], 4, 1)
    before = matches.save()
    with pytest.raises(IllegalAction):
        matches.step(np.full(4, 4, np.int32))
    assert matches.save() == before
    choices = CHOICES["kittens"](game, 4, 1)
    with pytest.raises(ValueError, match="shape"):
        choices.step(np.zeros(3, np.int32), np.zeros(4, np.float32), np.zeros(4, np.bool_))
    with pytest.raises(ValueError, match="bytes"):
        choices.load(b"too short")


def test_exploitability_falls(trained: Training) -> None:
    before, after = (each.exploited()["exploitability"] for each in (Training(TINY), trained))
    assert after < before / 2


def test_a_best_responder_gains_on_random() -> None:
    game = "kittens:deck=bomb1+safe2"
    against = replace(TINY, game=game, against="random", positions=20_000, magnet=0.01, evaluate=400)
    training = Training(against)
    before = training.evaluate()["random"].score
    training.run()
    assert training.evaluate()["random"].score > before + 0.05


def test_a_resumed_training_is_the_same(trained: Training, tmp_path: Path) -> None:
    part = Training(TINY)
    part.run(lambda training: training.positions < 7_000)
    part.save(tmp_path / "checkpoint")
    again = Training.load(tmp_path / "checkpoint")
    again.run()
    assert weights(again) == weights(trained) and again.curve == trained.curve


def test_the_agent_plays_what_the_network_learnt(trained: Training, tmp_path: Path) -> None:
    path = tmp_path / "network.onnx"
    write_network(trained.average, path, trained.about())
    game = trained.games[0]
    state = game.deal(5)
    while state.turn is not None:
        view = state.view(state.turn)
        first, again = (MMD(game, state.turn, 7, weights=path).act(view, Limit()) for _ in range(2))
        assert first == again and first.action in view.legal()
        if len(view.legal()) > 1:
            with torch.no_grad():
                logits, value, _ = trained.average(torch.from_numpy(INPUTS[game.name](view)))
            wanted = torch.softmax(logits[0, view.legal()], 0).numpy()
            np.testing.assert_allclose(list(first.scores.values()), wanted, atol=1e-4)
            assert first.value == pytest.approx(value.item(), abs=1e-4)
            best = MMD(game, state.turn, 7, play="best", weights=path).act(view, Limit()).action
            assert first.scores[best] == max(first.scores.values())
        state.apply(first.action)
    begun = Training(replace(TINY, begin=str(path)))
    assert weights(begun) == weights(trained)
    with pytest.raises(InvalidOption, match="another game"):
        MMD(ludoteca.game("kittens"), 0, 0, weights=path)
    with pytest.raises(InvalidOption, match="no file"):
        MMD(game, 0, 0, weights=tmp_path / "none.onnx")
    for size in (0, 7, 200, path.stat().st_size // 2):
        (tmp_path / f"{size}.onnx").write_bytes(path.read_bytes()[:size])
        with pytest.raises(InvalidOption, match="not a network"):
            MMD(game, 0, 0, weights=tmp_path / f"{size}.onnx")
    (tmp_path / "text.onnx").write_text("no network")
    with pytest.raises(InvalidOption, match="not a network"):
        MMD(game, 0, 0, weights=tmp_path / "text.onnx")
    with pytest.raises(InvalidOption, match="does not hold"):
        Training(replace(TINY, begin=str(tmp_path / "text.onnx")))


def test_the_command_trains_and_resumes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    words = f"{TINY.game} --positions 4000 --matches 64 --width 16 --evaluate 10 --evaluate-against random"
    assert train(["mmd", *words.split(), "--folder", str(folder)]) == 0
    assert "exploitability" in capsys.readouterr().out
    assert {"checkpoint", "curve.jsonl", "curve.png", "network.onnx", "run.json"} <= {p.name for p in folder.iterdir()}
    found = RunReader(folder).read()
    assert found.run is not None and found.run.unit == "positions" and found.points[-1].results["random"].matches == 10
    assert train(["mmd", "--resume", "--folder", str(folder)]) == 0


def test_what_cannot_be_trained_is_refused() -> None:
    for wrong in (
        {"game": "dominoes dominoes:pips=3"}, {"matches": 0}, {"rate": -1.0}, {"game": ""},
        {"against": "nobody"}, {"begin": "/nowhere"},
    ):  # fmt: skip
        with pytest.raises(ludoteca.LudotecaError):
            Training(replace(TINY, **wrong))


class Counts:
    """Take 1 or 2 of five; whoever takes the last one wins. A game in Python with only what a training needs."""

    name, spec, seats, num_actions, tensor_shape = "counts", "counts", 2, 3, (6,)

    def deal(self, seed: int) -> CountsState:
        return CountsState(self)

    def action_name(self, action: int) -> str:
        return str(action)


class CountsState:
    def __init__(self, game: Counts, left: int = 5, mover: int = 0) -> None:
        self.game, self.left, self.mover = game, left, mover

    @property
    def turn(self) -> int | None:
        return self.mover if self.left else None

    def legal(self) -> list[int]:
        return [each for each in (1, 2) if each <= self.left]

    def apply(self, action: int) -> None:
        self.left, self.mover = self.left - action, 1 - self.mover

    def copy(self) -> CountsState:
        return CountsState(self.game, self.left, self.mover)

    def returns(self) -> tuple[float, float]:
        return (0, 0) if self.left else (1, -1) if self.mover else (-1, 1)

    def view(self, seat: int) -> CountsView:
        return CountsView(self, seat)


class CountsView:
    def __init__(self, state: CountsState, seat: int) -> None:
        self.game, self.state, self.seat, self.turn = state.game, state.copy(), seat, state.turn

    def legal(self) -> list[int]:
        return self.state.legal() if self.turn == self.seat else []

    def tensor(self) -> NDArray[np.float32]:
        out = np.zeros(6, np.float32)
        out[self.state.left] = 1
        return out


def test_a_game_in_python_trains_and_its_network_plays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = Counts()
    monkeypatch.setattr("ludoteca.learn.mmd.arguments.games.game", lambda spec: game)
    arguments = replace(TINY, game="counts", positions=8_000, matches=32, evaluate_against="random", evaluate=40)
    whole = Training(arguments)
    whole.run(lambda training: training.positions < 4_000)
    whole.save(tmp_path / "checkpoint")
    whole.run()
    resumed = Training.load(tmp_path / "checkpoint")
    resumed.run()
    assert weights(resumed) == weights(whole)
    write_network(whole.average, tmp_path / "counts.onnx", whole.about())
    state = game.deal(0)
    first = MMD(cast(ludoteca.Game, game), 0, 0, play="best", weights=tmp_path / "counts.onnx")
    decision = first.act(cast(ludoteca.View, state.view(0)), Limit())
    assert decision.action == 2, "only this leaves three, which lose"
    monkeypatch.delattr(CountsView, "tensor")
    with pytest.raises(InvalidOption, match=r"View\.tensor\(\), and that failed: AttributeError"):
        Training(arguments)
