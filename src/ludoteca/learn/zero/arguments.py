"""The arguments of ``ludoteca train zero``, its presets and its curriculum."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from ludoteca import _core, games, spec
from ludoteca.agents.networks.network_player import SEARCHES
from ludoteca.errors import InvalidGame, InvalidOption
from ludoteca.learn.settings import (
    LEARNING,
    NETWORK,
    PLAY,
    Average,
    Batch,
    Begin,
    CheckpointEvery,
    Device,
    Evaluate,
    EvaluateAgainst,
    EvaluateEvery,
    EvaluateNodes,
    FinalRate,
    Minutes,
    Positions,
    Rate,
    Seed,
    Threads,
    cannot_train,
    check_bounds,
    setting,
)
from ludoteca.protocols import Game

USUAL_CURRICULUM = "5x16:10 7x32:30 9x32:60"
USUAL_SIMULATIONS = 32


@dataclass(frozen=True)
class Arguments:
    """Everything that decides the result; ``ludoteca train zero --help`` lists it."""

    game: Annotated[str, setting("", "Hex or Horses, also with a size: hex:size=5.")] = "hex"
    seed: Seed = 1
    minutes: Minutes = 0.0
    positions: Positions = 200_000
    device: Device = "cpu"
    threads: Threads = 2
    begin: Begin = ""
    curriculum: Annotated[
        str,
        setting(
            PLAY,
            "Stages of the training, such as '5x16:1 7x32:3': a quarter of it on boards of 5×5 with 16 simulations for "
            "a decision, then 7×7 with 32. '7x32+9x32:3' gives each of the two groups of matches its own board. By "
            f"default the size of the game, or {USUAL_CURRICULUM} if the game has none.",
        ),
    ] = ""
    matches: Annotated[int, setting(PLAY, "Matches at a time in each of the two groups.", 1)] = 256
    selection: Annotated[
        Literal["improved-policy", "puct"],
        setting(
            PLAY, "How a search selects below its root: as `zero` does (improved-policy) or as `engine` does (puct)."
        ),
    ] = "improved-policy"
    candidates: Annotated[int, setting(PLAY, "Actions of a position that get simulations.", 1)] = 16
    full_share: Annotated[
        float,
        setting(
            PLAY,
            "Share of the decisions that get all simulations and are learned from. The others get few and only move "
            "the match on, so that there are more matches (playout caps).",
            0.01,
            1,
        ),
    ] = 1.0
    decided_share: Annotated[
        float, setting(PLAY, "The same, at most, while a seat that may not resign would.", 0, 1)
    ] = 1.0
    quick_simulations: Annotated[int, setting(PLAY, "Simulations of the other decisions.", 1)] = 16
    early: Annotated[
        int, setting(PLAY, "Decisions at the beginning of a match that get full noise; 1000 for all of them.", 0)
    ] = 10
    late_noise: Annotated[float, setting(PLAY, "Noise of the later decisions.", 0)] = 0.4
    resign: Annotated[float, setting(PLAY, "A seat resigns when its value is lower.", -1, 1)] = -0.95
    play_on: Annotated[float, setting(PLAY, "Share of matches without resignation.", 0, 1)] = 0.25
    random_actions: Annotated[
        str,
        setting(
            PLAY,
            "Shares of matches that begin with 0/1/2/3/4 or more random actions. By default none if deals differ, else "
            "0.1/0.55/0.2/0.05/0.1.",
        ),
    ] = ""
    blocks: Annotated[int, setting(NETWORK, "Residual blocks.", 1)] = 4
    width: Annotated[int, setting(NETWORK, "Channels.", 1)] = 32
    result_share: Annotated[
        float, setting(LEARNING, "Share of the result in the value target; the rest is later values.", 0, 1)
    ] = 0.3
    trace: Annotated[float, setting(LEARNING, "Lambda of TD(lambda) for the later values.", 0, 1)] = 0.97
    batch: Batch = 256
    window: Annotated[int, setting(LEARNING, "Positions in the replay buffer of each board size.", 1)] = 100_000
    start: Annotated[int, setting(LEARNING, "Positions before the first update.", 0)] = 2_000
    reuse: Annotated[float, setting(LEARNING, "Updates that use a position, on average.", 0)] = 4.0
    rate: Rate = 2e-3
    final_rate: FinalRate = 2e-5
    decay: Annotated[float, setting(LEARNING, "Weight decay of AdamW.", 0)] = 1e-4
    average: Average = 0.998
    refresh: Annotated[int, setting(LEARNING, "Self-play gets the new weights after this many updates.", 1)] = 20
    evaluate_against: EvaluateAgainst = "random+mcts"
    evaluate_every: EvaluateEvery = 50_000
    evaluate: Evaluate = 100
    evaluate_nodes: EvaluateNodes = 400
    checkpoint_every: CheckpointEvery = 100_000

    def resolved(self) -> Arguments:
        """The same with the board sizes in `curriculum` alone. Raises InvalidOption and InvalidGame."""
        name, texts = spec.split(self.game, InvalidGame)
        size = texts.pop("size", "")
        if size and self.curriculum:
            raise InvalidOption(
                "train zero: {game} and curriculum={curriculum} both give a board size; give one of them",
                game=self.game, curriculum=self.curriculum,
            )  # fmt: skip
        usual = f"{size}x{USUAL_SIMULATIONS}:1" if size else USUAL_CURRICULUM
        game = ":".join(filter(None, (name, ",".join(f"{key}={value}" for key, value in texts.items()))))
        return replace(self, game=game, curriculum=self.curriculum or usual)

    def check(self) -> None:
        """Raises InvalidOption, and InvalidGame for an unknown game."""
        chosen = games.game(self.game)
        if chosen.name not in SEARCHES:
            raise cannot_train("zero", chosen)
        check_bounds("zero", self)
        for stage in stages(self.resolved().curriculum):
            for size, _ in stage.groups:
                check_encoding(sized(self.resolved().game, size))
        shares(self.random_actions or "1")


PRESETS = {
    "default": Arguments(),
    "quick": Arguments(positions=40_000, matches=64, blocks=2, width=16, start=1_000, evaluate_every=10_000,
                       checkpoint_every=10_000),
    "gpu": Arguments(positions=10_000_000, device="cuda", threads=16, matches=4096, blocks=6, width=96, batch=4096,
                     window=3_000_000, start=50_000, reuse=6.0, refresh=40, evaluate_every=1_000_000,
                     checkpoint_every=1_000_000),
}  # fmt: skip
"""Named arguments; the first ones are the default."""


@dataclass(frozen=True)
class Stage:
    """A part of the training: what each of the two groups plays."""

    groups: tuple[tuple[int, int], tuple[int, int]]
    """Board size and simulations for a decision, of each group."""
    until: float
    """The progress at which it ends, 0 to 1."""


def stages(curriculum: str) -> list[Stage]:
    """The stages that a curriculum names. Raises InvalidOption."""
    found: list[tuple[tuple[tuple[int, int], tuple[int, int]], float]] = []
    for word in curriculum.split():
        groups, _, part = word.partition(":")
        try:
            pairs = [tuple(int(number) for number in group.split("x")) for group in groups.split("+")]
            ((size, simulations), (size_2, simulations_2)) = pairs if len(pairs) == 2 else pairs * 2
            found.append((((size, simulations), (size_2, simulations_2)), float(part)))
        except ValueError:
            raise InvalidOption(
                "train zero: curriculum={word} is not a stage; for example 11x64:50", word=word
            ) from None
    total = sum(share for _, share in found)
    if not found or total <= 0 or any(share <= 0 or min(*a, *b) < 1 for (a, b), share in found):
        raise InvalidOption("train zero: curriculum={word} has no stage with a share", word=curriculum)
    out, until = [], 0.0
    for both, share in found:
        until += share / total
        out.append(Stage(both, until))
    return out


def shares(text: str) -> list[float]:
    """How often a match begins with 0, 1, 2, 3, 4 or more random actions, five numbers. Raises InvalidOption."""
    try:
        out = [float(each) for each in text.split("/")]
    except ValueError:
        out = []
    if not 0 < len(out) <= 5 or min(out) < 0 or sum(out) <= 0:
        raise InvalidOption("train zero: random_actions={text} is not like 0.1/0.55/0.2/0.05/0.1", text=text)
    return out + [0.0] * (5 - len(out))


def sized(name: str, size: int) -> Game:
    """The game on a board of this size."""
    return games.game(f"{name}{',' if ':' in name else ':'}size={size}")


def check_encoding(game: Game) -> None:
    """Raises InvalidOption if a network cannot see this variant of the game."""
    try:
        _core.network_planes(game)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise InvalidOption(
            "train zero: no network can play {game}; hex without swap and horses work", game=game.spec
        ) from None
