"""Loads networks that play Kittens: ours, or trained elsewhere on the original's eleven inputs.

=================  ==================================================================================================
``.onnx``          one input, float32 [N, 11] (or as many as the game's tensor has), and one output, float32 [N, 9], of
                   any names; N is free or 1. `ludoteca train dqn` calls them ``seen`` and ``values``.
``.npz``           the weights of the original's network under their PyTorch names: ``net.0.weight`` [128, 11],
                   ``net.0.bias`` [128], ``net.2.weight`` [128, 128], ``net.2.bias``, ``net.4.weight`` [9, 128],
                   ``net.4.bias``. Any names that end in NUMBER.weight and NUMBER.bias do, any number of layers and
                   any widths: in the order of their numbers, with ReLU between them.
``.pt``, ``.pth``  the same arrays as the state dictionary that ``torch.save(net.state_dict(), PATH)`` writes: read
                   without PyTorch, and nothing in the file is run
=================  ==================================================================================================
"""

from __future__ import annotations

import json
import math
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ludoteca import _core
from ludoteca.agents.kittens.state_dict import Unfit, check_size, read_state_dict
from ludoteca.errors import InvalidOption, MissingExtra, extra
from ludoteca.games.core_game import expect
from ludoteca.messages import say
from ludoteca.protocols import View

SEED_INPUTS = 11
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Loaded:
    """A network with its metadata."""

    run: Callable[[Floats], Floats]
    """[1, inputs] -> [1, actions]."""
    game: str
    """The spec of the game it was trained on; empty if the file does not say."""
    observation: Literal["view", "seed"]
    inputs: int
    actions: int
    strength: str = "{}"
    """Its measured strength, as JSON."""

    def values(self, view: View) -> Floats:
        """[actions] the Q value of every action, legal or not, for the seat of this view."""
        if self.observation == "seed":
            seen = np.array(expect(view, _core.KittensView).seed_observation, np.float32)
        else:
            seen = view.tensor().reshape(-1)
        values: Floats = self.run(seen[None])[0]
        return values


@lru_cache(maxsize=16)  # visitors of a page train networks of their own
def load(path: Path) -> Loaded:
    """The network in this file, loaded once per process. Raises InvalidOption."""
    if not path.is_file():
        raise InvalidOption("dqn: there is no file {path}", path=path)
    read = {".npz": from_npz, ".pt": from_state_dict, ".pth": from_state_dict}.get(path.suffix.lower(), from_onnx)
    try:
        return read(path)
    except Unfit as error:
        raise InvalidOption("dqn: {path} is no network for this agent: {why}", path=path, why=error.why) from error
    except MissingExtra:
        raise
    except Exception as error:  # each library raises its own types for a broken file
        raise InvalidOption("dqn: {path} is no network for this agent: {why}", path=path, why=str(error)) from error


def from_onnx(path: Path) -> Loaded:
    """An ONNX file: ours, with metadata, or any with one input and one output of the right shapes."""
    with extra("nets", say("an agent with a network")):
        import onnxruntime  # slow to import, so only when a network is played

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.log_severity_level = 4  # our own error reports a file that cannot be read
    session = onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
    ports = [*session.get_inputs(), *session.get_outputs()]
    if len(ports) != 2 or len(session.get_inputs()) != 1:
        many = len(session.get_inputs())
        raise Unfit(say("it has {ins} inputs and {outs} outputs, not one of each", ins=many, outs=len(ports) - many))
    for port in ports:
        rows, width = port.shape if len(port.shape) == 2 else (0, 0)
        if port.type != "tensor(float)" or not isinstance(width, int) or not (rows == 1 or not isinstance(rows, int)):
            raise Unfit(
                say(
                    "{name} is {kind} of shape {shape}, not float32 of shape [N, a number]",
                    name=port.name,
                    kind=port.type,
                    shape=str(port.shape),
                )
            )
    given, wanted = ports
    about = session.get_modelmeta().custom_metadata_map
    inputs = int(given.shape[1])

    def run(seen: Floats) -> Floats:
        values: Floats = session.run([wanted.name], {given.name: seen})[0]
        return values

    observation = about.get("observation") or ("seed" if inputs == SEED_INPUTS else "view")
    return Loaded(
        run,
        about.get("game", ""),
        "seed" if observation == "seed" else "view",
        inputs,
        int(wanted.shape[1]),
        json.dumps(json.loads(about.get("strength", "{}"))),
    )


def from_npz(path: Path) -> Loaded:
    """Plain arrays, saved by NumPy. What the file declares is checked before anything is unpacked."""
    check_size(path.stat().st_size)
    with zipfile.ZipFile(path) as archive:
        check_size(sum(member.file_size for member in archive.infolist()))
        members = {member.filename.removesuffix(".npy"): member for member in archive.infolist()}
        return from_arrays({name: _array(archive, member) for name, member in members.items()})


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    """An array of an archive; its shape may not promise more than is there, since NumPy makes room for it at once."""
    with archive.open(member) as file:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, in_columns, dtype = read(file)
        raw = file.read()
    if dtype.kind not in "fiu" or math.prod(shape) * dtype.itemsize != len(raw):
        raise Unfit(
            say(
                "{name} is {kind} of shape {shape}, which is not what its {size:,} bytes hold",
                name=member.filename,
                kind=str(dtype),
                shape=str(shape),
                size=len(raw),
            )
        )
    order: Literal["F", "C"] = "F" if in_columns else "C"
    return np.frombuffer(raw, dtype).reshape(shape, order=order)


def from_state_dict(path: Path) -> Loaded:
    """A state dictionary of PyTorch's."""
    return from_arrays(read_state_dict(path))


def from_arrays(arrays: Mapping[str, NDArray[Any]]) -> Loaded:
    """Linear layers in the order of their numbers, with ReLU between them."""
    names = {name: re.fullmatch(r"(?:.*\.)?(\d+)\.(weight|bias)", name) for name in arrays}
    if strange := [name for name, match in names.items() if match is None]:
        raise Unfit(say("{name} is neither NUMBER.weight nor NUMBER.bias of a layer", name=strange[0]))
    numbers = sorted({int(match[1]) for match in names.values() if match})
    by_layer = {(int(match[1]), match[2]): arrays[name] for name, match in names.items() if match}
    layers: list[tuple[Floats, Floats]] = []
    for number in numbers:
        weight, bias = by_layer.get((number, "weight")), by_layer.get((number, "bias"))
        if weight is None or bias is None or weight.ndim != 2 or bias.shape != weight.shape[:1]:
            raise Unfit(say("layer {number} needs a weight [out, in] and a bias [out]", number=number))
        if layers and weight.shape[1] != len(layers[-1][1]):
            gets = len(layers[-1][1])
            raise Unfit(
                say(
                    "layer {number} needs {wants} inputs and gets {gets}",
                    number=number,
                    wants=weight.shape[1],
                    gets=gets,
                )
            )
        layers.append((weight.astype(np.float32), bias.astype(np.float32)))
    if not layers:
        raise Unfit(say("it has no layers"))

    def run(seen: Floats) -> Floats:
        for weight, bias in layers[:-1]:
            seen = np.maximum(seen @ weight.T + bias, 0)
        return seen @ layers[-1][0].T + layers[-1][1]

    inputs = layers[0][0].shape[1]
    return Loaded(run, "", "seed" if inputs == SEED_INPUTS else "view", inputs, len(layers[-1][1]))
