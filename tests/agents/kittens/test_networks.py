"""Networks with the original's eleven inputs that were trained elsewhere: here they are built by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from typer.testing import CliRunner

import ludoteca
from ludoteca.agents.kittens.networks import load
from ludoteca.cli import app
from tests.games.kittens.matches import kittens, play

pytestmark = pytest.mark.no_sanitize

Arrays = dict[str, NDArray[np.float32]]


def by_hand() -> Arrays:
    """The original's shapes. It attacks when it owes two, places bombs at the bottom, and else draws.

    Hidden unit 0 is what it owes less one, unit 1 the defuse phase; the second layer hands both on.
    """
    first, second, last = (np.zeros(shape, np.float32) for shape in ((128, 11), (128, 128), (9, 128)))
    first[0, 6], first[1, 10] = 1, 1
    second[0, 0] = second[1, 1] = 1
    last[2, 0], last[5, 1], last[0, 0] = 2, 3, -1
    bias = np.zeros(128, np.float32)
    bias[0] = -1
    return {
        "net.0.weight": first, "net.0.bias": bias,
        "net.2.weight": second, "net.2.bias": np.zeros(128, np.float32),
        "net.4.weight": last, "net.4.bias": np.array([0.5, 0, 0, 0, 0, 0, 0, 0, 0], np.float32),
    }  # fmt: skip


def write_npz(path: Path) -> None:
    np.savez(path, **by_hand())  # type: ignore[arg-type]


def write_onnx(path: Path, *, rows: str | int = "batch", kind: int = TensorProto.FLOAT, outputs: int = 1) -> None:
    """As an exporter writes it: names of its own, nothing about the game."""
    arrays, nodes, wire = by_hand(), [], "state"
    for number in (0, 2, 4):
        sum_, out = f"sum{number}", f"relu{number}"
        names = [f"net.{number}.weight", f"net.{number}.bias"]
        nodes.append(helper.make_node("Gemm", [wire, *names], ["q_values" if number == 4 else sum_], transB=1))
        if number < 4:
            nodes.append(helper.make_node("Relu", [sum_], [out]))
        wire = out
    ends = [helper.make_tensor_value_info("q_values", kind, [rows, 9])]
    ends += [helper.make_tensor_value_info("sum0", kind, [rows, 128])] * (outputs - 1)
    start = [helper.make_tensor_value_info("state", kind, [rows, 11])]
    weights = [numpy_helper.from_array(array, name) for name, array in arrays.items()]
    model = helper.make_model(
        helper.make_graph(nodes, "q", start, ends, weights), opset_imports=[helper.make_opsetid("", 17)]
    )
    model.ir_version = 8
    onnx.save(model, str(path))


WRITERS = {"plain.npz": write_npz, "exported.onnx": write_onnx}


@pytest.mark.parametrize("name", WRITERS)
def test_a_network_trained_elsewhere_plays_as_its_numbers_say(name: str, tmp_path: Path) -> None:
    WRITERS[name](tmp_path / name)
    game = kittens("kittens:rules=original,deck=bomb2+safe9")
    make = ludoteca.agent(f"dqn:weights={tmp_path / name}")
    state = game.deal_from("deck: bomb safe safe bomb safe; 0: defuse skip attack; 1: defuse attack", 0)
    decision = make(game, 0, 0).act(state.view(0), ludoteca.Limit())
    assert isinstance(decision, ludoteca.Decision)
    assert decision.action == 0 and decision.scores[0] == pytest.approx(0.5)
    play(state, "draw")
    placing = make(game, 0, 0).act(state.view(0), ludoteca.Limit())
    assert isinstance(placing, ludoteca.Decision)
    assert game.action_name(placing.action) == "place bottom" and placing.scores[5] == pytest.approx(3)
    play(state, "place bottom, attack")
    owing = make(game, 0, 0).act(state.view(0), ludoteca.Limit())
    assert isinstance(owing, ludoteca.Decision)
    assert game.action_name(owing.action) == "attack" and owing.scores[2] == pytest.approx(2)
    assert (load(tmp_path / name).observation, load(tmp_path / name).inputs) == ("seed", 11)


def test_the_terminal_plays_it(tmp_path: Path) -> None:
    write_npz(tmp_path / "plain.npz")
    result = CliRunner().invoke(
        app, ["match", "kittens:rules=original", f"dqn:weights={tmp_path / 'plain.npz'}", "v2", "-n", "2"]
    )
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"net.2.bias": None}, "layer 2 needs a weight"),
        ({"net.2.weight": np.zeros((128, 64), np.float32)}, "layer 2 needs 64 inputs and gets 128"),
        ({"epsilon": np.zeros(1, np.float32)}, "epsilon is neither"),
        (
            {"net.0.weight": np.zeros((128, 7), np.float32)},
            "has 7 inputs and 9 actions; kittens:rules=original has 161",
        ),
        ({"net.4.weight": np.zeros((6, 128)), "net.4.bias": np.zeros(6)}, "has 11 inputs and 6 actions"),
    ],
)
def test_the_error_says_what_does_not_fit(
    change: dict[str, NDArray[np.float32] | None], reason: str, tmp_path: Path
) -> None:
    arrays = {name: array for name, array in (by_hand() | change).items() if array is not None}
    np.savez(tmp_path / "changed.npz", **arrays)  # type: ignore[arg-type]
    with pytest.raises(ludoteca.InvalidOption) as error:
        ludoteca.agent(f"dqn:weights={tmp_path / 'changed.npz'}")(ludoteca.game("kittens:rules=original"), 0, 0)
    assert reason in str(error.value)


def test_files_that_are_something_else(tmp_path: Path) -> None:
    game = ludoteca.game("kittens:rules=original")
    (tmp_path / "list.pth").write_bytes(b"whatever PyTorch wrote")
    write_onnx(tmp_path / "two.onnx", outputs=2)
    write_onnx(tmp_path / "rows.onnx", rows=64)
    (tmp_path / "noise.npz").write_bytes(b"noise")
    np.savez(tmp_path / "pickled.npz", net=np.array([object()], dtype=object))
    for name, reason in (
        ("list.pth", "no file of PyTorch"),
        ("two.onnx", "1 inputs and 2 outputs"),
        ("rows.onnx", "state is tensor(float) of shape [64, 11], not float32 of shape [N, a number]"),
        ("noise.npz", "is no network for this agent"),
        ("pickled.npz", "is object of shape"),
    ):
        with pytest.raises(ludoteca.InvalidOption) as error:
            ludoteca.agent(f"dqn:weights={tmp_path / name}")(game, 0, 0)
        assert reason in str(error.value), error.value
