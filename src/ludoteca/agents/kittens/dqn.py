"""Plays a network that ``ludoteca train dqn`` made, through ONNX Runtime: the legal action of highest Q."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ludoteca import _core
from ludoteca.errors import InvalidOption
from ludoteca.games.described import expect
from ludoteca.games.kittens import Kittens
from ludoteca.messages import joined, say
from ludoteca.protocols import Decision, Game, Limit, Seat, View
from ludoteca.spec import Label

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

__all__ = ["DQN"]

WEIGHTS = Path(__file__).parents[2] / "weights"
NONE = Path()


@dataclass(frozen=True)
class Loaded:
    """A network with what its file says about it."""

    session: InferenceSession
    game: str
    """The spec it was trained on."""
    observation: Literal["view", "seed"]
    inputs: int
    actions: int
    strength: str
    """What was measured when it was trained, as JSON."""

    def values(self, view: View) -> NDArray[np.float32]:
        """[actions] Q of every action, legal or not, for the seat of this view."""
        if self.observation == "seed":
            seen = np.array(expect(view, _core.KittensView).seed_observation, np.float32)
        else:
            seen = view.tensor().reshape(-1)
        values: NDArray[np.float32] = self.session.run(["values"], {"seen": seen[None]})[0][0]
        return values


@cache
def load(path: Path) -> Loaded:
    """The network in this file, once for all agents of this process. Raises InvalidOption."""
    import onnxruntime  # takes a while: only who plays a network pays for it

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    if not path.is_file():
        raise InvalidOption(say("dqn: there is no file {path}", path=path))
    try:
        session = onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
        about = session.get_modelmeta().custom_metadata_map
        return Loaded(
            session,
            about["game"],
            "seed" if about["observation"] == "seed" else "view",
            int(session.get_inputs()[0].shape[1]),
            int(session.get_outputs()[0].shape[1]),
            json.dumps(json.loads(about["strength"])),
        )
    except Exception as error:  # whatever is wrong with a user's file, ONNX Runtime has a type of its own for it
        raise InvalidOption(
            say("dqn: {path} holds no network that `ludoteca train dqn` wrote: {error}", path=path, error=error)
        ) from error


def shipped(game: Game, observation: str) -> Path:
    """The file that comes with Ludoteca for this game's rules. Raises InvalidOption."""
    rules = game.options["rules"] if isinstance(game, Kittens) else game.name
    name = f"kittens-{rules}" + ("" if observation == "view" else f"-{observation}")
    path = WEIGHTS / f"{name}.onnx"
    if path.is_file():
        return path
    raise InvalidOption(
        say(
            "dqn: no network with observation={seen} is shipped for {game}; "
            "train one with `ludoteca train dqn {game} --observation {seen}` and give it as weights=PATH",
            seen=observation,
            game=game.spec,
        )
    )


class DQN:
    """Plays Kittens by a network that learnt it with Double DQN; scores are its Q values."""

    games: ClassVar = frozenset({"kittens"})

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        observation: Annotated[
            Literal["view", "seed"],
            Label(
                say("network"),
                say("which shipped network: the one that sees all a seat may know, or the original's eleven numbers"),
                {"view": say("sees all that a seat may know"), "seed": say("sees the original's eleven numbers")},
            ),
        ] = "view",
        weights: Annotated[
            Path,
            Label(say("own network"), say("a network of your own, an .onnx file; it says itself what it wants to see")),
        ] = NONE,
    ) -> None:
        self._path = shipped(game, observation) if weights == NONE else Path(weights).expanduser()
        self.network = load(self._path)
        wanted = int(np.prod(game.tensor_shape)) if self.network.observation == "view" else self.network.inputs
        if (self.network.inputs, self.network.actions) != (wanted, game.num_actions):
            raise InvalidOption(
                say(
                    "dqn: the network was trained on {trained}, with {inputs} inputs and {actions} actions; "
                    "{game} has {wanted} and {possible}",
                    trained=self.network.game,
                    inputs=self.network.inputs,
                    actions=self.network.actions,
                    game=game.spec,
                    wanted=wanted,
                    possible=game.num_actions,
                )
            )

    def act(self, view: View, limit: Limit) -> Decision:
        """The legal action of highest Q, the first of equals."""
        values, legal = self.network.values(view), view.legal()
        scores = {action: float(values[action]) for action in legal}
        best = max(legal, key=scores.__getitem__)
        names = sorted(legal, key=scores.__getitem__, reverse=True)[:3]
        told = [joined([view.game.action_name(each), f"{scores[each]:+.2f}"], " ") for each in names]
        note = joined(["Q", joined(told)], ": ")
        return Decision(best, value=max(-1.0, min(1.0, scores[best])), scores=scores, note=note, nodes=1)

    def __getstate__(self) -> Path:
        """Only the file is written down: a network is loaded once in each process."""
        return self._path

    def __setstate__(self, path: Path) -> None:
        self._path, self.network = path, load(path)
