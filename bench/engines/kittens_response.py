"""``python -m bench.engines.kittens_response FILE.onnx --minutes 12``: the response network of the Kittens engine.

kittens_response.cpp trains it, with ``--begin OTHER.onnx`` from there on. It needs g++ and the extra ``learn``; on
another machine the same minutes give another network.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import torch
from torch import nn

from ludoteca.agents.kittens.policies import PLAYERS, policy_table
from ludoteca.agents.networks.view_networks import read_layers
from ludoteca.learn.mmd.export import write_network
from ludoteca.learn.mmd.network import Network

SOURCE = Path(__file__).with_suffix(".cpp")
HAND = 32
"""Outputs of the belief head: the cards of all kinds but bombs (core/mmd/input.hpp)."""
LAYERS = ("first", "hidden.0", "policy", "value")
"""In the order of the trainer's file."""
COMPILE = ("g++", "-std=c++20", "-O3", "-march=native", "-ffast-math", f"-I{SOURCE.parents[2] / 'core'}", str(SOURCE))


def tables() -> bytes:
    """The documented players, as the trainer reads them."""
    parts = [policy_table(player) for player in PLAYERS]
    return b"".join(np.array(moves, "<f4").tobytes() + bytes(places) for moves, places in parts)


def network(numbers: bytes) -> Network:
    """What the trainer wrote, as a network; its belief head knows nothing."""
    read: list[tuple[torch.Tensor, torch.Tensor]] = []
    at = 0
    while at < len(numbers):
        rows, columns = np.frombuffer(numbers, "<i4", 2, at).tolist()
        weights = np.frombuffer(numbers, "<f4", rows * columns, at + 8).reshape(rows, columns)
        bias = np.frombuffer(numbers, "<f4", rows, at + 8 + weights.nbytes)
        read.append((torch.tensor(weights), torch.tensor(bias)))
        at += 8 + weights.nbytes + bias.nbytes
    width, inputs = read[0][0].shape
    made = Network(inputs, len(read[2][1]), HAND, width, layers=2)
    nn.init.zeros_(made.belief.weight)
    nn.init.zeros_(made.belief.bias)
    layers = {name: layer for name, layer in made.named_modules() if isinstance(layer, nn.Linear)}
    with torch.no_grad():
        for name, (weight, shift) in zip(LAYERS, read, strict=True):
            layers[name].weight.copy_(weight)
            layers[name].bias.copy_(shift)
    return made


def numbers_of(file: Path) -> bytes:
    """A network's layers, as the trainer reads them."""
    layers = read_layers(file)
    parts = [(layers[f"{name}.weight"], layers[f"{name}.bias"]) for name in LAYERS]
    return b"".join(
        np.array(weight.shape, "<i4").tobytes() + weight.tobytes() + bias.tobytes() for weight, bias in parts
    )


def main() -> None:
    """Compiles the trainer, runs it and writes the network."""
    parser = argparse.ArgumentParser(prog="python -m bench.engines.kittens_response")
    parser.add_argument("file", type=Path)
    parser.add_argument("--minutes", type=float, default=12)
    parser.add_argument("--begin", type=Path, help="a network of this trainer to go on from; by default random weights")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program, opponents, weights = (Path(folder) / name for name in ("trainer", "tables", "weights"))
        opponents.write_bytes(tables())
        subprocess.run([*COMPILE, "-o", str(program)], check=True)
        command = [str(program), str(opponents), str(given.minutes), str(weights)]
        if given.begin:
            begin = Path(folder) / "begin"
            begin.write_bytes(numbers_of(given.begin))
            command.append(str(begin))
        subprocess.run(command, check=True)
        write_network(network(weights.read_bytes()), given.file, {"game": "kittens"})


if __name__ == "__main__":
    main()
