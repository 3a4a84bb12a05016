"""A network in 8 bits says almost what it said in 32."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import torch

import ludoteca
from ludoteca.agents.networks.board_networks import load_network
from ludoteca.learn.quantize import quantize
from ludoteca.learn.zero.training import Training, write
from tests.learn.zero.test_training import TINY


def test_a_network_in_8_bits_says_almost_the_same_and_is_smaller(tmp_path: Path) -> None:
    training = Training(replace(TINY, positions=600, blocks=1, width=32))
    assert training.run()
    network, small, again = (tmp_path / name for name in ("network.onnx", "small.onnx", "again.onnx"))
    write(training, network)
    games = [(ludoteca.game(f"hex:size={size}"), 4) for size in (4, 5)]
    quantize(network, small, games)
    quantize(network, again, games)
    assert small.read_bytes() == again.read_bytes() and small.stat().st_size < 0.5 * network.stat().st_size
    seen = np.random.default_rng(1).integers(0, 2, (40, 2, 4, 4)).astype(np.float32)
    seen[:, 1] *= 1 - seen[:, 0]
    policy, value = load_network(network)(seen)
    policy_8, value_8 = load_network(small)(seen)
    assert np.abs(value - value_8).mean() < 0.05 and np.abs(value - value_8).max() > 0, "8 bits are not 32"
    agreed = (policy.argmax(1) == policy_8.argmax(1)).mean()
    assert agreed > 0.7 and np.corrcoef(policy.ravel(), policy_8.ravel())[0, 1] > 0.98
    assert len(np.unique(policy_8)) > 256, "the policy is not rounded to 8 bits"
    later = Training(replace(TINY, width=32, begin=str(small)))
    begun, begun_value = (each.numpy() for each in later.players(torch.from_numpy(seen.astype(np.int8))))
    assert np.corrcoef(begun.ravel(), policy_8.ravel())[0, 1] > 0.98 and np.abs(begun_value - value_8).mean() < 0.05
    about = {each.key: each.value for each in onnx.load(small).metadata_props}
    assert about["game"] == "hex" and about["bits"] == "8" and "arguments" in about
