"""Networks that judge positions on a board, from ONNX files that ``ludoteca train zero`` wrote."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludoteca.errors import InvalidOption, extra
from ludoteca.messages import say

__all__ = ["WEIGHTS", "Floats", "Judge", "judge"]

Floats = NDArray[np.float32]
Judge = Callable[[Floats], tuple[Floats, Floats]]
"""[N, planes, side, side] -> logits by cell [N, side²] and values [N] in [-1, 1], both for the seat on turn."""
WEIGHTS: Final = Path(__file__).parents[1] / "weights"


@cache
def judge(path: Path) -> Judge:
    """The network in this file, once for all agents of this process; threads may share it. Raises InvalidOption."""
    with extra("nets", say("an agent with a network")):
        import onnxruntime  # slow to import, and most agents need none

    if not path.is_file():
        raise InvalidOption(say("zero: there is no file {path}", path=path))
    settings = onnxruntime.SessionOptions()
    # One thread: a process that is forked from this one could not use others. Searches ask from threads of their own.
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.log_severity_level = 4  # what is wrong with a file is told below
    try:
        session = onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
        inputs = {each.name: each.shape for each in session.get_inputs()}
        outputs = [each.name for each in session.get_outputs()]
    except Exception as error:  # whatever is wrong with a user's file: ONNX Runtime has types of its own for it
        raise InvalidOption(say("zero: {path} holds no network: {why}", path=path, why=str(error))) from error
    if list(inputs) != ["seen"] or outputs != ["policy", "value"]:
        raise InvalidOption(
            say(
                "zero: {path} is no network of `ludoteca train zero`: it has {found}",
                path=path,
                found=[*inputs, *outputs],
            )
        )

    def run(seen: Floats) -> tuple[Floats, Floats]:
        if seen.shape[1] != inputs["seen"][1]:
            raise InvalidOption(
                say(
                    "zero: {path} sees {planes} planes where this game shows {shown}: it was trained for another game",
                    path=path,
                    planes=inputs["seen"][1],
                    shown=seen.shape[1],
                )
            )
        policy, value = session.run(None, {"seen": seen})
        if not (np.isfinite(policy).all() and np.isfinite(value).all()):
            raise InvalidOption(say("zero: {path} answers with something that is no number", path=path))
        return policy, value

    return run


def both_ways(run: Judge, seen: Floats) -> tuple[Floats, Floats]:
    """The mean of what it says of each position and of the same turned by half, which is as good in every game here."""
    policy, value = run(np.concatenate([seen, seen[:, :, ::-1, ::-1]]))
    count = len(seen)
    half = np.float32(0.5)
    return half * (policy[:count] + policy[count:, ::-1]), half * (value[:count] + value[count:])
