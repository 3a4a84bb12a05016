"""The arguments of ``ludoteca train dqn`` and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ludoteca import agents, games
from ludoteca.errors import InvalidOption
from ludoteca.learn.settings import (
    EVALUATION,
    LEARNING,
    LENGTH,
    PLAY,
    CheckpointEvery,
    Evaluate,
    EvaluateEvery,
    FinalRate,
    Layers,
    Rate,
    Seed,
    Width,
    cannot_train,
    check_bounds,
    setting,
)

SEED_ACTIONS = 9


@dataclass(frozen=True)
class Arguments:
    """Everything that decides the result; ``ludoteca train dqn --help`` lists it."""

    game: Annotated[str, setting("", "Kittens, also with options: kittens:rules=original.")] = "kittens"
    seed: Seed = 1
    matches: Annotated[int, setting(LENGTH, "How many matches to learn from.", 1)] = 150_000
    threads: Annotated[
        int, setting(LENGTH, "Threads of PyTorch. More than 1 hardly helps, and may round differently.", 1)
    ] = 1
    against: Annotated[
        str, setting(PLAY, "The opponent, or several joined by +, such as v1+v2+random: each match draws one.")
    ] = "v2"
    seat: Annotated[Literal["0", "1", "both"], setting(PLAY, "The learner's seat; both: each match draws one.")] = (
        "both"
    )
    observation: Annotated[
        Literal["view", "seed"],
        setting(PLAY, "What the network sees: view, all that a seat may know; seed, the original's eleven numbers."),
    ] = "view"
    rows: Annotated[int, setting(PLAY, "Matches at a time.", 1)] = 256
    explore: Annotated[float, setting(PLAY, "Chance of a random action at the start (epsilon).", 0, 1)] = 1.0
    final_explore: Annotated[float, setting(PLAY, "Chance of a random action at the end.", 0, 1)] = 0.02
    explore_matches: Annotated[int, setting(PLAY, "Matches during which this chance falls.", 1)] = 30_000
    penalty: Annotated[
        float, setting(PLAY, "Taken off for playing a card not held (only kittens:rules=original allows it).", 0, 1)
    ] = 0.1
    width: Width = 128
    layers: Layers = 2
    rate: Rate = 1e-3
    final_rate: FinalRate = 1e-5
    discount: Annotated[float, setting(LEARNING, "What a return one decision later is worth.", 0, 1)] = 1.0
    steps: Annotated[int, setting(LEARNING, "Decisions that a transition spans.", 1)] = 3
    batch: Annotated[int, setting(LEARNING, "Transitions in one update of the network.", 1)] = 256
    buffer: Annotated[int, setting(LEARNING, "Transitions in the replay buffer.", 1)] = 200_000
    start: Annotated[int, setting(LEARNING, "Transitions before the first update.", 1)] = 10_000
    decisions: Annotated[int, setting(LEARNING, "Decisions of the learner for each update.", 1)] = 48
    target_matches: Annotated[int, setting(LEARNING, "The target network is copied after this many matches.", 1)] = (
        1_000
    )
    evaluate_against: Annotated[
        str,
        setting(
            EVALUATION,
            "Opponents in the learning curve, joined by +. By default those of --against, v1, v2, random.",
        ),
    ] = ""
    evaluate_every: EvaluateEvery = 10_000
    evaluate: Evaluate = 500
    measure: Annotated[int, setting(EVALUATION, "Matches that measure the strength in the end.", 0)] = 20_000
    checkpoint_every: CheckpointEvery = 50_000

    @classmethod
    def original(cls) -> Arguments:
        """The preset ``original``: the settings of the program behind the Kittens document, one match at a time."""
        return cls(
            game="kittens:rules=original", against="v2", seat="0", observation="seed", matches=2_000, rows=1,
            rate=1e-3, final_rate=1e-3, discount=0.99, steps=1, batch=64, buffer=100_000, start=64, decisions=1,
            explore=1.0, final_explore=0.05, explore_matches=1_000, target_matches=50, penalty=0.1,
            evaluate_every=200, checkpoint_every=1_000,
        )  # fmt: skip

    @property
    def opponents(self) -> list[str]:
        """The opponents of an evaluation, each once."""
        return [*dict.fromkeys((self.evaluate_against or f"{self.against}+v1+v2+random").split("+"))]

    def check(self) -> None:
        """Raises InvalidOption, or what `games.game` and `agents.agent` raise, for what cannot be trained."""
        chosen = games.game(self.game)
        if not agents.plays(agents.agent_class("dqn"), chosen):
            raise cannot_train("dqn", chosen)
        if self.observation == "seed" and chosen.num_actions != SEED_ACTIONS:
            raise InvalidOption(
                "train dqn: observation=seed knows {known} actions; use place=thirds", known=SEED_ACTIONS
            )
        for name in (*self.against.split("+"), *self.opponents):
            agents.agent(name)(chosen, 0, 0)
        check_bounds("dqn", self)


PRESETS = {
    "default": Arguments(),
    "quick": Arguments(matches=10_000, explore_matches=3_000, start=2_000, evaluate_every=2_000, measure=2_000,
                       checkpoint_every=2_000),
    "original": Arguments.original(),
}  # fmt: skip
"""Named arguments; the first ones are the default."""
