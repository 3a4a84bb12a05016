"""Networks that play games with hidden hands from a view, loaded from the ONNX files of ``ludoteca train mmd``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludoteca import _core
from ludoteca.errors import InvalidOption, extra
from ludoteca.games.core_game import expect
from ludoteca.messages import say
from ludoteca.protocols import Action, Game, View

Floats = NDArray[np.float32]
INPUTS: Final[dict[str, Callable[[View], Floats]]] = {
    "dominoes": lambda view: _core.view_input(expect(view, _core.DominoesView)),
    "kittens": lambda view: _core.view_input(expect(view, _core.KittensView)),
}
"""By game: [1, inputs] what a network sees of a view."""


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
    run: Callable[[Floats], tuple[Floats, Floats, Floats]]
    """[N, inputs] -> policy logits [N, actions], values [N, 1], belief [N, hand]."""
    inputs: int
    actions: int

    def ask(self, view: View) -> Answer:
        """The policy, the value and the belief in a view whose seat is on turn."""
        policy, value, belief = self.run(INPUTS[view.game.name](view))
        if not all(np.isfinite(each).all() for each in (policy, value, belief)):
            raise InvalidOption("mmd: {path} returns values that are not numbers", path=self.path)
        legal = view.legal()
        odds = np.exp(policy[0, legal].astype(np.float64) - policy[0, legal].max())
        chances = odds / odds.sum()
        return Answer(dict(zip(legal, chances.tolist(), strict=True)), float(value[0, 0]), belief[0])

    def check(self, game: Game) -> None:
        """Raises InvalidOption if the network was trained on another game."""
        first = game.deal(0)
        inputs = INPUTS[game.name](first.view(first.turn or 0)).shape[1]
        if (self.inputs, self.actions) != (inputs, game.num_actions):
            raise InvalidOption(
                "mmd: {file} has {inputs} inputs and {actions} actions; {game} has {wanted} and {possible}",
                file=self.path.name,
                inputs=self.inputs,
                actions=self.actions,
                game=game.spec,
                wanted=inputs,
                possible=game.num_actions,
            )


@cache
def load_view_network(path: Path) -> ViewNetwork:
    """The network in a file, loaded once per process; threads may share it. Raises InvalidOption."""
    with extra("nets", say("an agent with a network")):
        import onnxruntime  # slow to import, and most agents need none

    if not path.is_file():
        raise InvalidOption("mmd: there is no file {path}", path=path)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1  # a forked process could not use others
    settings.log_severity_level = 4  # the error below says what is wrong
    try:
        session = onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime has its own types for what can be wrong with a file
        raise InvalidOption("mmd: {path} does not hold a network: {why}", path=path, why=str(error)) from error
    ports = {each.name: each.shape for each in (*session.get_inputs(), *session.get_outputs())}
    if list(ports) != ["seen", "policy", "value", "belief"]:
        raise InvalidOption(
            "mmd: {path} is not a network of `ludoteca train mmd`: it has {found}", path=path, found=list(ports)
        )

    def run(seen: Floats) -> Any:
        return session.run(None, {"seen": seen})

    return ViewNetwork(path, run, ports["seen"][1], ports["policy"][1])
