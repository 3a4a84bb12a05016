"""Networks that evaluate positions on a board, loaded from the ONNX files of ``ludoteca train zero``."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludoteca.errors import InvalidOption, extra
from ludoteca.messages import say

Floats = NDArray[np.float32]
Network = Callable[[Floats], tuple[Floats, Floats]]
"""[N, planes, side, side] -> policy logits by cell [N, side²] and values [N] in [-1, 1], for the seat on turn."""
WEIGHTS: Final = Path(__file__).parents[2] / "weights"


@lru_cache(maxsize=16)  # visitors of a page train networks of their own
def load_network(path: Path) -> Network:
    """The network in a file, loaded once per process; threads may share it. Raises InvalidOption."""
    with extra("nets", say("an agent with a network")):
        import onnxruntime  # slow to import, and most agents need none

    if not path.is_file():
        raise InvalidOption("zero: there is no file {path}", path=path)
    settings = onnxruntime.SessionOptions()
    # One thread: a process forked from this one could not use others. Searches call it from their own threads.
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.log_severity_level = 4  # the error below says what is wrong
    try:
        session = onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
        inputs = {each.name: each.shape for each in session.get_inputs()}
        outputs = [each.name for each in session.get_outputs()]
    except Exception as error:  # ONNX Runtime has its own types for what can be wrong with a file
        raise InvalidOption("zero: {path} does not hold a network: {why}", path=path, why=str(error)) from error
    if list(inputs) != ["seen"] or outputs != ["policy", "value"]:
        raise InvalidOption(
            "zero: {path} is not a network of `ludoteca train zero`: it has {found}",
            path=path,
            found=[*inputs, *outputs],
        )

    def run(seen: Floats) -> tuple[Floats, Floats]:
        if seen.shape[1] != inputs["seen"][1]:
            raise InvalidOption(
                "zero: {path} sees {planes} planes where this game shows {shown}: it was trained for another game",
                path=path,
                planes=inputs["seen"][1],
                shown=seen.shape[1],
            )
        policy, value = session.run(None, {"seen": seen})
        if not (np.isfinite(policy).all() and np.isfinite(value).all()):
            raise InvalidOption("zero: {path} returns values that are not numbers", path=path)
        return policy, value

    return run


def evaluate_both_ways(network: Network, seen: Floats) -> tuple[Floats, Floats]:
    """The mean of the network's answers for each position and for the same position turned by half a turn.

    In every game here the two positions are worth the same.
    """
    policy, value = network(np.concatenate([seen, seen[:, :, ::-1, ::-1]]))
    count = len(seen)
    half = np.float32(0.5)
    return half * (policy[:count] + policy[count:, ::-1]), half * (value[:count] + value[count:])
