"""The settings of a training: which ones there are, their types and bounds, and those that every training shares.

The arguments of a training are a frozen dataclass whose fields have these types. The command line makes its options
from them, and `check_bounds` refuses what is out of bounds. Nothing here imports PyTorch, so that ``--help`` is fast.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

from ludoteca import spec
from ludoteca.agents.networks.network_player import SEARCHES
from ludoteca.errors import InvalidOption
from ludoteca.protocols import Game
from ludoteca.spec import Label

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

LENGTH: Final = "How long and where"
PLAY: Final = "Matches to learn from"
NETWORK: Final = "Network"
LEARNING: Final = "Learning"
EVALUATION: Final = "Evaluation and checkpoints"
"""The headings of ``--help``."""


@dataclass(frozen=True)
class Setting(Label):
    """What ``--help`` says about an option, and its bounds."""

    group: str = ""
    low: float | None = None
    high: float | None = None


def setting(group: str, text: str, low: float | None = None, high: float | None = None) -> Setting:
    """A setting under a heading of ``--help``, with its bounds, both included."""
    return Setting("", text, group=group, low=low, high=high)


Seed = Annotated[int, setting(LENGTH, "Seed of all random numbers.", 0)]
Minutes = Annotated[float, setting(LENGTH, "How long to train; 0: until --positions are reached.", 0)]
Positions = Annotated[int, setting(LENGTH, "How many positions to learn from, if --minutes is 0.", 1)]
Device = Annotated[str, setting(LENGTH, "Where the network runs: cpu, or cuda for a GPU.")]
Threads = Annotated[int, setting(LENGTH, "Threads that play the matches.", 1)]
Begin = Annotated[
    str, setting(LENGTH, "Start with the network of another training: its checkpoint or its network.onnx.")
]

Width = Annotated[int, setting(NETWORK, "Units of each hidden layer.", 1)]
Layers = Annotated[int, setting(NETWORK, "Hidden layers.", 1)]

Batch = Annotated[int, setting(LEARNING, "Positions in one update of the network.", 1)]
Rate = Annotated[float, setting(LEARNING, "Learning rate at the start.", 0, 1)]
FinalRate = Annotated[float, setting(LEARNING, "Learning rate at the end.", 0, 1)]
Average = Annotated[
    float, setting(LEARNING, "Decay of the moving average of the weights, which is the network that is saved.", 0, 1)
]

EvaluateEvery = Annotated[
    int,
    setting(
        EVALUATION, "Positions (dqn: matches) from one evaluation to the next; losses are noted ten times as often.", 1
    ),
]
Evaluate = Annotated[int, setting(EVALUATION, "Matches of an evaluation against each opponent.", 1)]
EvaluateAgainst = Annotated[str, setting(EVALUATION, "Opponents in the learning curve, joined by +.")]
EvaluateNodes = Annotated[int, setting(EVALUATION, "Nodes that these opponents may search for an action.", 1)]
CheckpointEvery = Annotated[int, setting(EVALUATION, "Save a checkpoint after this many positions (dqn: matches).", 1)]


def check_bounds(name: str, arguments: DataclassInstance) -> None:
    """Raises InvalidOption for an argument that is out of bounds or none of its choices. name: dqn, mmd or zero."""
    values: Mapping[str, Any] = asdict(arguments)
    owner = f"train {name}"
    for option in spec.options(type(arguments)):
        value, about = values[option.name], option.label
        if option.choices:
            spec.one_of(owner, option.name, value, option.choices)
        if not isinstance(about, Setting):
            continue
        if about.low is not None and not value >= about.low:
            raise InvalidOption(
                "{owner}: {name}={value} must be at least {low:g}",
                owner=owner, name=option.name, value=value, low=about.low,
            )  # fmt: skip
        if about.high is not None and not value <= about.high:
            raise InvalidOption(
                "{owner}: {name}={value} must be at most {high:g}",
                owner=owner, name=option.name, value=value, high=about.high,
            )  # fmt: skip


def cannot_train(name: str, game: Game) -> InvalidOption:
    """The error for a game that this training does not know: it names the command that trains it."""
    other = "zero" if game.name in SEARCHES and name != "zero" else "mmd"
    return InvalidOption(
        "train {name} does not learn {game}. This command trains a network for it: ludoteca train {other} {game}",
        name=name,
        game=game.spec,
        other=other,
    )
