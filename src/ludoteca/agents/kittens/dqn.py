"""A player by a Q-network, trained with ``ludoteca train dqn`` or elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar, Literal

import numpy as np

from ludoteca.agents.kittens.networks import SEED_INPUTS, load
from ludoteca.agents.reasons import with_reasons
from ludoteca.errors import InvalidOption
from ludoteca.games.kittens.game import Kittens
from ludoteca.messages import joined, say
from ludoteca.protocols import Decision, Game, Limit, Seat, View
from ludoteca.spec import Label

WEIGHTS = Path(__file__).parents[2] / "weights"
NONE = Path()


def shipped(game: Game, observation: str) -> Path:
    """The shipped file for this game's rules. Raises InvalidOption if there is none."""
    rules = game.options["rules"] if isinstance(game, Kittens) else game.name
    name = f"kittens-{rules}" + ("" if observation == "view" else f"-{observation}")
    path = WEIGHTS / f"{name}.onnx"
    if path.is_file():
        return path
    raise InvalidOption(
        "dqn: no network with observation={seen} is shipped for {game}; "
        "train one with `ludoteca train dqn {game} --observation {seen}` and give it as weights=PATH",
        seen=observation,
        game=game.spec,
    )


class DQN:
    """Plays the legal action with the highest Q value of a network trained with Double DQN. Scores are Q values."""

    games: ClassVar = frozenset({"kittens"})
    preferred_seats: ClassVar = {"kittens:rules=original": 0}

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        observation: Annotated[
            Literal["view", "seed"],
            Label(
                say("network"),
                say("which shipped network: it sees all that a seat may know, or the original's eleven inputs"),
                {"view": say("sees all that a seat may know"), "seed": say("sees the original's eleven inputs")},
            ),
        ] = "view",
        weights: Annotated[
            Path,
            Label(
                say("own network"),
                say("your own network: .onnx, or weights as .npz or as PyTorch's state dictionary (.pth)"),
            ),
        ] = NONE,
    ) -> None:
        self._path = shipped(game, observation) if weights == NONE else Path(weights).expanduser()
        self.network = load(self._path)
        wanted = int(np.prod(game.tensor_shape)) if self.network.observation == "view" else SEED_INPUTS
        if (self.network.inputs, self.network.actions) != (wanted, game.num_actions):
            raise InvalidOption(
                "dqn: {file} has {inputs} inputs and {actions} actions; {game} has {wanted} (or the original's "
                "{seed}) and {possible}",
                file=self._path.name,
                inputs=self.network.inputs,
                actions=self.network.actions,
                game=game.spec,
                wanted=int(np.prod(game.tensor_shape)),
                seed=SEED_INPUTS,
                possible=game.num_actions,
            )

    def act(self, view: View, limit: Limit) -> Decision:
        """The legal action with the highest Q value, the first of equals."""
        values, legal = self.network.values(view), view.legal()
        scores = {action: float(values[action]) for action in legal}
        best = max(legal, key=scores.__getitem__)
        names = sorted(legal, key=scores.__getitem__, reverse=True)[:3]
        values_by_name = [joined([view.game.action_name(each), f"{scores[each]:+z.2f}"], " ") for each in names]
        note = joined(["Q", joined(values_by_name)], ": ")
        value = max(-1.0, min(1.0, scores[best]))
        return with_reasons(view, Decision(best, value=value, scores=scores, note=note, nodes=1))

    def __getstate__(self) -> Path:
        """Only the path: each process loads a network once."""
        return self._path

    def __setstate__(self, path: Path) -> None:
        self._path, self.network = path, load(path)
