"""Networks that play from a view, loaded from the ONNX files of ``ludoteca train mmd``.

The core evaluates them (core/mmd/network.hpp), so neither ONNX nor ONNX Runtime is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludoteca import _core
from ludoteca.agents.networks.board_networks import WEIGHTS
from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import CoreGame, expect
from ludoteca.protocols import Action, Game, View

Floats = NDArray[np.float32]
INPUTS: Final[dict[str, Callable[[View], Floats]]] = {
    "dominoes": lambda view: _core.view_input(expect(view, _core.DominoesView)),
    "kittens": lambda view: _core.view_input(expect(view, _core.KittensView)),
}
"""By game: [1, inputs] what a network sees of a view, where that is more than the tensor."""
MOST_NUMBERS: Final = 1024
"""The most inputs, actions and units of a layer (core/mmd/network.hpp)."""


def network_input(view: View) -> Floats:
    """[1, inputs] what a network sees of a view: in most games its tensor."""
    own = INPUTS.get(view.game.name)
    return np.asarray(view.tensor(), np.float32).reshape(1, -1) if own is None else own(view)


@dataclass(frozen=True)
class Answer:
    """What a network says about a view."""

    policy: dict[Action, float]
    """The probability of each legal action."""
    value: float
    """The expected return of the seat, in [-1, 1]."""
    belief: Floats
    """[hand] the probability of each bit of the other's hand: see core/mmd/input.hpp."""


@dataclass(frozen=True)
class ViewNetwork:
    """A network in a file."""

    path: Path
    core: _core.ViewNetwork

    def ask(self, view: View) -> Answer:
        """The policy, the value and the belief in a view whose seat is on turn."""
        logits, value, belief = self.core.run(network_input(view))
        legal = view.legal()
        odds = np.exp(np.array([logits[action] for action in legal]) - max(logits[action] for action in legal))
        chances = odds / odds.sum()
        return Answer(dict(zip(legal, chances.tolist(), strict=True)), value, np.array(belief, np.float32))

    def fits(self, game: Game) -> bool:
        """Whether it sees as many numbers and knows as many actions as the game has."""
        first = game.deal(0)
        inputs = network_input(first.view(first.turn or 0)).shape[1]
        return (self.core.inputs, self.core.actions) == (inputs, game.num_actions)


def shipped(game: Game) -> ViewNetwork | None:
    """The network that comes with Ludoteca for this game; None where there is none."""
    options = game.options if isinstance(game, CoreGame) else {}
    path = WEIGHTS / f"{game.name}-{options.get('variant', options.get('rules'))}-mmd.onnx"
    network = load_view_network(path) if path.is_file() else None
    return network if network and network.fits(game) else None


@cache
def load_view_network(path: Path) -> ViewNetwork:
    """The network in a file, loaded once per process; threads may share it. Raises InvalidOption."""
    if not path.is_file():
        raise InvalidOption("mmd: there is no file {path}", path=path)
    try:
        layers = read_layers(path)
        if not all(np.isfinite(each).all() for each in layers.values()):
            raise ValueError("it has weights that are not numbers")

        def layer(name: str) -> tuple[Floats, Floats]:
            return layers[f"{name}.weight"], layers[f"{name}.bias"]

        hidden = [layer(f"hidden.{i}") for i in range(sum(name.startswith("hidden.") for name in layers) // 2)]
        core = _core.ViewNetwork(layer("first"), hidden, layer("policy"), layer("value"), layer("belief"))
    except (ValueError, TypeError, KeyError) as error:
        raise InvalidOption(
            "mmd: {path} is not a network of `ludoteca train mmd`: {why}", path=path, why=str(error)
        ) from error
    return ViewNetwork(path, core)


def read_layers(path: Path) -> dict[str, Floats]:
    """The weights in a file of ``ludoteca train mmd``, by their names in the network. Raises ValueError, and OSError.

    Reads the parts of ONNX's protocol buffers that hold weights: model.graph (7), its initializers (5), and of each
    the shape (1), the type (2), the name (8) and the numbers (9).
    """
    names = {"sum": "first", "policy": "policy", "value_sum": "value", "belief_sum": "belief"}
    found: dict[str, Floats] = {}
    graphs = [value for number, value in _fields(path.read_bytes()) if number == 7]
    for tensor in [value for graph in graphs for number, value in _fields(graph) if number == 5]:
        parts = list(_fields(tensor))
        shape = [value for number, value in parts if number == 1 and isinstance(value, int)]
        texts = {number: value for number, value in parts if isinstance(value, bytes)}
        if (2, FLOAT) not in parts or not {8, 9} <= set(texts):
            raise ValueError("it has weights of another kind")
        name, _, kind = texts[8].decode().rpartition(".")
        values = np.frombuffer(texts[9], "<f4").astype(np.float32)
        found[f"{names.get(name) or 'hidden.' + name.removeprefix('sum')}.{kind}"] = values.reshape(shape)
    if not found:
        raise ValueError("it has no weights")
    return found


FLOAT: Final = 1
"""ONNX's number for 32-bit floats."""


def _fields(message: bytes | int) -> Iterator[tuple[int, bytes | int]]:
    """The fields of a message of protocol buffers: numbers and values. Raises ValueError."""
    if isinstance(message, int):
        raise ValueError("it is not an ONNX file")
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            if at >= len(message) or shift > 63:
                raise ValueError("it is not an ONNX file")
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        number, wire = divmod(varint(), 8)
        if wire == 0:
            yield number, varint()
            continue
        size = {1: 8, 5: 4}.get(wire, -1) if wire != 2 else varint()
        if size < 0 or at + size > len(message):
            raise ValueError("it is not an ONNX file")
        yield number, message[at : at + size]
        at += size
