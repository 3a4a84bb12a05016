"""``python -m bench.engines.kittens_response FILE.onnx --minutes 12``: the response network of the Kittens engine.

kittens_response.cpp trains it, with ``--begin OTHER.onnx`` from there on. It needs g++ and the extra ``learn``; on
another machine the same minutes give another network. The file is written every minute, at the end and after Ctrl-C.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from ludoteca.agents.kittens.policies import PLAYERS, policy_table
from ludoteca.agents.networks.view_networks import Floats, read_layers
from ludoteca.learn.mmd.export import write_network
from ludoteca.learn.mmd.network import network_of

SOURCE = Path(__file__).with_suffix(".cpp")
HAND = 32
"""Outputs of the belief head: the cards of all kinds but bombs (core/mmd/input.hpp)."""
LAYERS = ("first", "hidden.0", "policy", "value")
"""In the order of the trainer's file."""
LOOK_EVERY = 5.0
"""Seconds between two looks for new weights."""
COMPILE = ("g++", "-std=c++20", "-O3", "-march=native", "-ffast-math", f"-I{SOURCE.parents[2] / 'core'}", str(SOURCE))


def tables() -> bytes:
    """The documented players, as the trainer reads them."""
    parts = [policy_table(player) for player in PLAYERS]
    return b"".join(np.array(moves, "<f4").tobytes() + bytes(places) for moves, places in parts)


def layers_of(numbers: bytes) -> dict[str, Floats]:
    """What the trainer wrote, by the layers' names; the belief head knows nothing."""
    found: dict[str, Floats] = {}
    at = 0
    for name in LAYERS:
        rows, columns = np.frombuffer(numbers, "<i4", 2, at).tolist()
        weights = np.frombuffer(numbers, "<f4", rows * columns, at + 8).reshape(rows, columns)
        bias = np.frombuffer(numbers, "<f4", rows, at + 8 + weights.nbytes)
        found |= {f"{name}.weight": weights, f"{name}.bias": bias}
        at += 8 + weights.nbytes + bias.nbytes
    width = len(found["first.bias"])
    return found | {"belief.weight": np.zeros((HAND, width), np.float32), "belief.bias": np.zeros(HAND, np.float32)}


def numbers_of(file: Path) -> bytes:
    """A network's layers, as the trainer reads them."""
    layers = read_layers(file)
    parts = [(layers[f"{name}.weight"], layers[f"{name}.bias"]) for name in LAYERS]
    return b"".join(
        np.array(weight.shape, "<i4").tobytes() + weight.tobytes() + bias.tobytes() for weight, bias in parts
    )


def run(command: list[str], weights: Path, file: Path) -> None:
    """Runs the trainer and writes the network whenever the trainer has saved its weights.

    Ctrl-C reaches the trainer too, which then saves once more and ends.
    """
    written = 0
    with subprocess.Popen(command) as trainer:
        while True:
            try:
                ended = trainer.wait(LOOK_EVERY)
            except subprocess.TimeoutExpired:
                ended = None
            except KeyboardInterrupt:
                continue
            if weights.is_file() and weights.stat().st_mtime_ns > written:
                written = weights.stat().st_mtime_ns
                unfinished = file.with_suffix(".new")
                write_network(network_of(layers_of(weights.read_bytes())), unfinished, {"game": "kittens"})
                unfinished.replace(file)
            if ended is not None:
                break
    if ended:
        raise subprocess.CalledProcessError(ended, command)


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
        run(command, weights, given.file)


if __name__ == "__main__":
    main()
