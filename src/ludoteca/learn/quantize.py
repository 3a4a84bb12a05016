"""A network in 8 bits instead of 32: a quarter of the size, and about three times as fast on a processor.

The outputs of a layer become 256 steps. Calibration finds the size of a step from positions of the network's own
matches, some of whose actions are random. Weights get 7 bits: with 8, processors without VNNI instructions add pairs of
products in 16 bits, which may overflow.

The layers that compute the policy and the value from the blocks' output stay in 32 bits. They cost almost nothing, and
in 8 bits the logits of good actions would often be equal: a step is 0.18 in the network that we ship for Hex, and the
two best actions have the same logit in 17 of 260 positions.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from ludoteca import _core
from ludoteca.agents.networks.board_networks import load_network
from ludoteca.learn.zero.matches import network_view
from ludoteca.learn.zero.network import POLICY_LAYER
from ludoteca.protocols import Game

RANDOM_ACTIONS = 0.15
"""The share of random actions in the matches for calibration."""


def quantize(network: Path, out: Path, games: Sequence[tuple[Game, int]], seed: int = 1) -> None:
    """Write a network of ``ludoteca train zero`` in 8 bits, with the same input, outputs and metadata.

    games: for each game the number of matches to calibrate with. The same seed gives the same file.
    """
    positions = list(positions_of(network, games, random.Random(seed)))
    with tempfile.TemporaryDirectory() as folder:
        plain, small = Path(folder) / "plain.onnx", Path(folder) / "small.onnx"
        quant_pre_process(str(network), str(plain), skip_symbolic_shape=True)
        quantize_static(
            str(plain), str(small), _CalibrationPositions(positions),
            quant_format=QuantFormat.QDQ, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
            per_channel=True, reduce_range=True,
            op_types_to_quantize=["Conv", "Add", "Relu"], nodes_to_exclude=[POLICY_LAYER],
        )  # fmt: skip
        model = onnx.load(small)
    about = {each.key: each.value for each in onnx.load(network).metadata_props} | {"bits": "8"}
    onnx.helper.set_model_props(model, about)
    fresh = out.with_suffix(".new")
    onnx.save(model, fresh)
    fresh.replace(out)


class _CalibrationPositions(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, positions: Sequence[NDArray[np.float32]]) -> None:
        self._left = iter(positions)

    def get_next(self) -> dict[str, Any] | None:
        """The next position, or None after the last."""
        return None if (seen := next(self._left, None)) is None else {"seen": seen}


def positions_of(
    network: Path, games: Sequence[tuple[Game, int]], chance: random.Random
) -> Iterator[NDArray[np.float32]]:
    """The network's inputs in matches of its policy, without search, against itself. Raises InvalidOption."""
    run = load_network(network.resolve())
    for game, matches in games:
        for _ in range(matches):
            state = game.deal(chance.getrandbits(32))
            while state.turn is not None:
                view = network_view(state.view(state.turn))
                seen = _core.network_input(view).astype(np.float32)
                yield seen
                row = run(seen)[0][0]
                best = max(view.legal(), key=lambda action: row[_core.policy_index(view, action)])
                state.apply(chance.choice(view.legal()) if chance.random() < RANDOM_ACTIONS else best)
