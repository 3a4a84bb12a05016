from __future__ import annotations

import contextlib
import io
import json
import os
import re
import select
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

import ludoteca

torch = pytest.importorskip("torch", reason="training needs the extra packages: pip install 'ludoteca[learn]'")

from ludoteca.agents.kittens.networks import load  # noqa: E402
from ludoteca.learn.command import picture  # noqa: E402
from ludoteca.learn.curve import Point, Result  # noqa: E402
from ludoteca.learn.dqn.arguments import Arguments  # noqa: E402
from ludoteca.learn.dqn.training import Environments, Network, Training, export, measure  # noqa: E402
from ludoteca.learn.run_folder import RunReader, RunStatus  # noqa: E402
from ludoteca.terminal.train import train  # noqa: E402

TINY = Arguments(
    game="kittens:rules=original", against="v1+v2+random", matches=160, rows=16, width=16, start=100, buffer=500,
    batch=32, decisions=8, explore_matches=100, target_matches=40, evaluate_every=60, evaluate=20, measure=50,
    checkpoint_every=60,
)  # fmt: skip
ONLINE = [
    ("kittens", "view"),
    ("kittens:deck=rich,stack=true,place=any", "view"),
    ("kittens:rules=original", "view"),
    ("kittens:rules=original", "seed"),
]


def weights(training: Training) -> list[bytes]:
    return [bytes(values.numpy()) for values in training.online.state_dict().values()]


@pytest.fixture(scope="module")
def trained() -> Training:
    training = Training(TINY)
    assert training.run()
    return training


def test_the_same_seed_trains_the_same_network(trained: Training) -> None:
    again = Training(TINY)
    again.run()
    assert weights(again) == weights(trained)
    assert weights(Training(replace(TINY, seed=2))) != weights(Training(TINY))
    assert again.curve == trained.curve and again.strength == trained.strength
    assert trained.updates > 50 and trained.copied == trained.matches // TINY.target_matches


def test_how_often_and_against_whom_it_is_evaluated_changes_nothing(trained: Training) -> None:
    other = Training(replace(TINY, evaluate_every=7, evaluate=3, evaluate_against="random"))
    other.run()
    assert weights(other) == weights(trained) and other.strength == trained.strength
    assert {name for point in trained.curve for name in point.results} == {"v1", "v2", "random"}
    assert {name for point in other.curve for name in point.results} == {"random"}
    evaluated = [point for point in trained.curve if point.results]
    assert len(trained.curve) > len(evaluated) >= 3 and evaluated[-1] is trained.curve[-1]
    assert all(each.matches == TINY.evaluate for point in evaluated for each in point.results.values())
    assert trained.curve[0].epsilon == pytest.approx(1 - 0.98 * trained.curve[0].at / TINY.explore_matches)
    assert trained.curve[-1].epsilon == pytest.approx(TINY.final_explore)


@pytest.mark.parametrize(("game", "observation"), ONLINE)
def test_an_interrupted_training_resumes_exactly(game: str, observation: str, tmp_path: Path) -> None:
    arguments = replace(TINY, game=game, matches=60, observation=observation, measure=0, evaluate=6)  # type: ignore[arg-type]
    whole = Training(arguments)
    whole.run()
    part = Training(arguments)
    for stop in (5, 25, 45):  # before the first update and after it
        part.run(lambda now, stop=stop: now.matches < stop)  # type: ignore[misc]
        part.save(tmp_path / "checkpoint")
        torch.manual_seed(stop)  # whatever else happens in between
        part = Training.load(tmp_path / "checkpoint")
    assert part.run()
    assert weights(part) == weights(whole)
    assert part.curve == whole.curve
    assert (part.decisions, part.updates) == (whole.decisions, whole.updates)


def test_illegal_actions_are_masked() -> None:
    training = Training(replace(TINY, game="kittens"))
    for _ in range(60):  # the batch refuses what is illegal, whether it was explored or thought best
        training.step()
    network, envs = training.online, training.envs
    rows = envs.learners()
    legal = envs.batch.legal()[rows]
    best = network.best(envs.observations(rows), legal)
    assert legal[np.arange(len(rows)), best].all()
    assert (network.best(envs.observations(rows), ~legal) != best).all()


def test_an_update_measures_the_distance_to_the_double_dqn_target() -> None:
    """Q(seen, action) against reward + discount * Q_target(after, the legal action that Q likes best)."""
    training = Training(replace(TINY, game="kittens", rows=4, start=1, steps=2))
    while training.updates < 40 or training.matches < 3:
        training.step()
    some = training.replay.sample(64, np.random.default_rng(1))

    def values(network: Network, seen: NDArray[np.float32]) -> NDArray[np.float32]:
        with torch.no_grad():
            return network(torch.from_numpy(seen)).numpy()  # type: ignore[no-any-return]

    def huber(liked: NDArray[np.float32], legal: NDArray[np.bool_]) -> float:
        total = 0.0
        for row in range(64):
            goal = some.reward[row]
            if some.discount[row]:
                best = max(np.flatnonzero(legal[row]), key=liked[row].__getitem__)
                goal += some.discount[row] * values(training.target, some.after)[row, best]
            error = abs(values(training.online, some.seen)[row, some.action[row]] - goal)
            total += 0.5 * error**2 if error < 1 else error - 0.5
        return total / 64

    online, target = values(training.online, some.after), values(training.target, some.after)
    expected = huber(online, some.legal)
    unmasked, single = huber(online, np.ones_like(some.legal)), huber(target, some.legal)
    training.loss, training.updates = 0.0, 0  # so that the average is that of one update
    training._update(some)
    assert training.loss == pytest.approx(expected, rel=1e-4)
    assert training.loss != pytest.approx(unmasked, rel=1e-3)
    assert training.loss != pytest.approx(single, rel=1e-3)


def test_a_card_that_is_not_held_costs_a_penalty() -> None:
    envs = Environments(replace(TINY, seat="0"), 2, np.random.default_rng(1))
    rows, names = np.array([0, 0, 0, 0]), ("draw", "skip", "see", "shuffle")
    actions = np.array([envs.game.parse_action(name) for name in names])
    assert envs.wasted(rows, actions).tolist() == [False, False, True, True]  # the first hand has a Skip
    clean = Environments(replace(TINY, game="kittens", seat="0"), 2, np.random.default_rng(1))
    assert not clean.wasted(rows, actions).any()


@pytest.mark.parametrize(("seat", "expected"), [("0", {0}), ("1", {1}), ("both", {0, 1})])
def test_the_learner_sits_and_meets_whom_it_should(seat: str, expected: set[int]) -> None:
    envs = Environments(replace(TINY, seat=seat), 64, np.random.default_rng(1))  # type: ignore[arg-type]
    assert set(envs.seats.tolist()) == expected
    assert {type(opponent).__name__ for opponent in envs.opponents} == {"V1", "V2", "Random"}


def test_measuring_counts_every_match_once_and_repeats_itself() -> None:
    network = Network(161, 9, 8, 1)
    counts = measure(network, TINY, 150, seed=3)
    assert sum(counts) == 150
    assert counts == measure(network, TINY, 150, seed=3)


def test_the_exported_network_gives_the_same_values_and_says_what_it_is(trained: Training, tmp_path: Path) -> None:
    path = tmp_path / "network.onnx"
    export(trained, path)
    loaded = load(path)
    assert (loaded.game, loaded.observation) == ("kittens:rules=original", "view")
    assert json.loads(loaded.strength)["wins"] == (trained.strength or (0,))[0]
    about = {each.key: each.value for each in onnx.load(path).metadata_props}
    assert [Point.from_json(each) for each in json.loads(about["curve"])][-1].at == trained.curve[-1].at
    assert Arguments(**json.loads(about["arguments"])) == TINY
    game = ludoteca.game("kittens:rules=original")
    batch = ludoteca.batch(game, 50, 1)
    for _ in range(5):
        batch.step(batch.random_actions())
        views = [batch[row].view(int(batch.turns[row])) for row in range(len(batch))]
        with torch.no_grad():
            expected = trained.online(torch.from_numpy(batch.tensor())).numpy()
        assert np.allclose([loaded.values(view) for view in views], expected, atol=1e-5)
    agent = ludoteca.agent(f"dqn:weights={path}")(game, 0, 0)
    decision = agent.act(game.deal(1).view(0), ludoteca.Limit())
    assert isinstance(decision, ludoteca.Decision)
    assert decision.scores[decision.action] == max(decision.scores.values())


def test_what_pytorch_saves_plays_and_anything_but_a_state_dictionary_is_refused(tmp_path: Path) -> None:
    network = torch.nn.Sequential(torch.nn.Linear(11, 16), torch.nn.ReLU(), torch.nn.Linear(16, 9))
    seen = torch.rand(5, 11)
    states = network.state_dict()
    turned = {name: each.double().t().contiguous().t() for name, each in states.items()}  # strides of its own
    for number, saved in enumerate((states, dict(network.named_parameters()), turned)):
        torch.save(saved, tmp_path / f"{number}.pth")
        with torch.no_grad():
            assert np.allclose(load(tmp_path / f"{number}.pth").run(seen.numpy()), network(seen).numpy(), atol=1e-6)
    optimizer = torch.optim.Adam(network.parameters())
    torch.save(network, tmp_path / "module.pth")
    torch.save({"model": states, "optimizer": optimizer.state_dict(), "loss": 0.5}, tmp_path / "checkpoint.pth")
    torch.save(states, tmp_path / "legacy.pth", _use_new_zipfile_serialization=False)
    torch.save({name: each.long() for name, each in states.items()}, tmp_path / "whole.pth")
    for name, reason in (
        ("module", "names torch.nn.modules.container.Sequential, which is not run here"),
        ("checkpoint", "model is no tensor: save the state dictionary alone"),
        ("legacy", "no file of PyTorch 1.6 or later"),
        ("whole", "it holds torch.LongStorage"),
    ):
        with pytest.raises(ludoteca.InvalidOption, match=reason):
            load(tmp_path / f"{name}.pth")


def test_a_thousand_matches_make_a_player() -> None:
    arguments = replace(
        Arguments(), game="kittens:rules=original", seat="0", matches=1_200, rows=64, width=64, start=600,
        decisions=12, explore_matches=600, target_matches=100, evaluate_every=10_000, evaluate=10, measure=200,
    )  # fmt: skip
    training = Training(arguments)
    training.run()
    assert training.strength is not None
    assert training.strength[0] > 0.8 * 200  # measured: 98%; random play wins 46%


def test_the_original_settings_are_those_of_the_rules_page() -> None:
    original = Arguments.original()
    original.check()
    assert (original.discount, original.rate, original.final_rate) == (0.99, 1e-3, 1e-3)
    assert (original.batch, original.buffer, original.matches) == (64, 100_000, 2_000)
    assert (original.explore, original.final_explore, original.explore_matches) == (1.0, 0.05, 1_000)
    assert (original.target_matches, original.penalty, original.steps, original.rows) == (50, 0.1, 1, 1)
    assert Training(original).online.layers[0].in_features == 11


SMALL = ["--rows=8", "--width=8", "--start=50", "--buffer=200", "--batch=8", "--evaluate=10", "--measure=20"]


def read(folder: Path) -> RunStatus:
    status = RunReader(folder).read()
    assert status.run is not None and not status.fault
    return status


def test_the_command_leaves_network_settings_and_curve(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = ["kittens", *SMALL, "--matches=60", "--evaluate-every=20", f"--folder={folder}"]
    assert train(["dqn", *words]) == 0
    assert {path.name for path in folder.iterdir()} == {
        "checkpoint", "curve.jsonl", "curve.png", "network.onnx", "run.json",
    }  # fmt: skip
    assert (folder / "curve.png").read_bytes().startswith(b"\x89PNG")
    status = read(folder)
    assert status.ended and not status.training_now and status.run is not None
    assert status.run.settings["width"] == "8" and status.run.total == 60
    assert status.run.command.startswith("ludoteca train dqn kittens --matches 60") and "torch" in status.run.versions
    assert status.points[-1].at >= 60 and set(status.points[-1].results) == {"v2", "v1", "random"}
    with pytest.raises(ludoteca.InvalidOption, match="already holds a training"):
        train(["dqn", *words])
    before = (folder / "network.onnx").read_bytes()
    assert train(["dqn", "--resume", "--folder", str(folder)]) == 0  # a finished one only writes its network again
    assert (folder / "network.onnx").read_bytes() == before
    assert read(folder) == status


def test_a_curve_is_drawn(tmp_path: Path) -> None:
    curve = [Point(10, 1, {"loss": 0.1}, 0.5), Point(20, 2, {"loss": 0.1}, 0.5, {"v2": Result.of(3, 0, 7)})]
    picture(curve[:1], tmp_path / "curve.png", "title", "matches")
    assert not (tmp_path / "curve.png").exists()
    picture(curve, tmp_path / "curve.png", "title", "matches")
    assert (tmp_path / "curve.png").stat().st_size > 5_000


class PressesCtrlC(io.StringIO):
    """An output at which Ctrl-C is pressed once the training has learnt and measured itself."""

    left = 1
    """How often it is still to be pressed, all at once."""

    def write(self, text: str) -> int:
        while ": v2 " in text and self.left:
            self.left -= 1
            signal.raise_signal(signal.SIGINT)
        return super().write(text)


def rounded(curve: list[Point]) -> tuple[Point, ...]:
    """The curve as its file holds it."""
    return tuple(Point.from_json(point.to_json()) for point in curve)


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with contextlib.redirect_stdout(PressesCtrlC()) as output:
        assert train(["dqn", *SMALL, "--matches=10000000", "--evaluate-every=20", "--folder", str(folder)]) == 130
    training = Training.load(folder / "checkpoint")
    assert 0 < training.matches < 10_000_000
    assert f"Stopped at match {training.matches:,}" in output.getvalue()
    assert f"ludoteca train dqn --resume --folder {folder}" in output.getvalue()
    first = rounded(training.curve)
    assert read(folder).points == first and first[-1].results, "the curve ends where the checkpoint does"
    assert not read(folder).training_now and not read(folder).ended

    # A crash left points that the checkpoint does not know, and half a line: resuming repeats none and loses none.
    with (folder / "curve.jsonl").open("a") as curve:
        curve.write(json.dumps({"at": training.matches + 5, "seconds": 1, "loss": {}}) + "\n" + '{"at": 99')
    output = PressesCtrlC()
    with contextlib.redirect_stdout(output):
        assert train(["dqn", "--resume", "--folder", str(folder)]) == 130
    resumed = read(folder)
    assert resumed.points[: len(first)] == first and len(resumed.points) > len(first)
    assert resumed.points == rounded(Training.load(folder / "checkpoint").curve)
    assert "--rows 8" in ((resumed.run and resumed.run.command) or ""), "the command is that of the first run"

    # An impatient second Ctrl-C keeps the last checkpoint and says so.
    output.left = 2
    with contextlib.redirect_stdout(output):
        assert train(["dqn", "--resume", "--folder", str(folder)]) == 130
    assert "Stopped; the last checkpoint is kept. Resume with:" in output.getvalue()
    assert Training.load(folder / "checkpoint").matches == resumed.points[-1].at


def test_the_page_is_served_while_it_trains_and_ends_with_it(tmp_path: Path) -> None:
    """The adversary: a training that is killed, and can clean up nothing."""
    words = ["train", "dqn", *SMALL, "--matches=10000000", "--evaluate-every=20", "--folder", str(tmp_path / "run")]
    training = subprocess.Popen(
        [sys.executable, "-m", "ludoteca.cli", *words, "--watch"], stdout=subprocess.PIPE, text=True,
        env=os.environ | {"XDG_STATE_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    with training:
        assert training.stdout is not None
        line = next(each for each in training.stdout if each.startswith("Watch it: "))
        assert re.fullmatch(r"Watch it: http://localhost:\d+/training\?run=run\n", line), line
        (server,) = children(training.pid)
        training.kill()
    ended = os.pidfd_open(server) if Path(f"/proc/{server}").exists() else None
    if ended is not None:
        assert select.select([ended], [], [], 60)[0], "the page outlived its training"
        os.close(ended)


def children(pid: int) -> list[int]:
    """The processes that a process has started and that run a server."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(each) for each in found if b"serve" in Path(f"/proc/{each}/cmdline").read_bytes()]
