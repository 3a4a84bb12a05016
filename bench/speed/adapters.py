"""The environments for learning: what they cost above the core, and how OpenSpiel's and PettingZoo's compare."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.games import block_dominoes  # noqa: F401  registers python_block_dominoes
from open_spiel.python.rl_agent import StepOutput
from open_spiel.python.vector_env import SyncVectorEnv

import ludoteca
from bench.measure import Row, Work, side_by_side
from ludoteca.adapters.gymnasium_vector import BatchEnv
from ludoteca.adapters.pettingzoo import env
from ludoteca.testing import random_actions

KITTENS = ludoteca.game("kittens")
ROWS = 256
TO_CORE = "the core alone"


def rows() -> list[Row]:
    """Every comparison of this file."""
    return [*aec(), *batches(), *peers()]


def aec() -> list[Row]:
    """The same matches of Kittens through PettingZoo's interface and through the core's binding."""
    matches = [(seed, random_actions(KITTENS, seed)) for seed in range(60)]

    def through_pettingzoo(look: bool) -> Work:
        table = env("kittens")

        def work() -> int:
            for seed, actions in matches:
                table.reset(seed=seed)
                for action in actions:
                    if look:
                        table.last()
                    table.step(action)
            return sum(len(actions) for _, actions in matches)

        return work

    def through_the_core(look: bool) -> Work:
        def work() -> int:
            for seed, actions in matches:
                state = KITTENS.deal(seed)
                for action in actions:
                    if look and (seat := state.turn) is not None:
                        view = state.view(seat)
                        view.tensor()
                        view.legal()
                    state.apply(action)
            return sum(len(actions) for _, actions in matches)

        return work

    return [
        _above(side_by_side(what, "steps", through_pettingzoo(look), through_the_core(look), peer=TO_CORE))
        for what, look in (("Kittens AEC, `step`", False), ("… `last` and `step`, tensor and mask read", True))
    ]


def _above(row: Row) -> Row:
    """The same row, with what a unit costs above the other's."""
    assert row.theirs is not None
    more = 1e6 * (1 / row.ours - 1 / row.theirs)
    return dataclasses.replace(row, target=f"at most 10 µs more a step; it is {more:.1f} µs")


def batches() -> list[Row]:
    """Vector environments and the bare batch, which reads tensor, mask and turns at each step as they do."""
    return [
        side_by_side(
            f"{name} vector environment, {opponent}", "steps", _vector(spec, opponent, steps), _raw(spec, steps),
            peer="the batch alone", target="0.5×",
        )
        for name, spec, steps in (("Kittens", "kittens", 400), ("Hex 11×11", "hex:orientation=standard", 100))
        for opponent in ("self", "random")
    ]  # fmt: skip


def _vector(spec: str, opponent: str, steps: int) -> Work:
    envs = BatchEnv(ROWS, spec, opponent)
    envs.reset(seed=1)

    def work() -> int:
        for _ in range(steps):
            envs.step(envs.random_actions())
        return steps * ROWS

    return work


def _raw(spec: str, steps: int) -> Work:
    batch = ludoteca.batch(ludoteca.game(spec), ROWS, 1)

    def work() -> int:
        for _ in range(steps):
            batch.step(batch.random_actions())
            batch.tensor(), batch.legal(), batch.turns
        return steps * ROWS

    return work


def peers() -> list[Row]:
    """Vector environments against what others offer for the same game, or one like it, with random legal actions."""
    found = [
        side_by_side(
            "Hex 11×11 vector environment", "steps", _vector("hex:orientation=standard", "self", 100),
            _openspiel_vector("hex(board_size=11)", 60), peer="OpenSpiel SyncVectorEnv", target="20×",
        ),
        side_by_side(
            "Dominoes vector environment, block", "steps", _vector("dominoes:variant=block,start=seat", "self", 100),
            _openspiel_single("python_block_dominoes", 5), peer="OpenSpiel rl_environment", target="20×",
        ),
    ]  # fmt: skip
    try:
        from pettingzoo.classic import connect_four_v3
    except ImportError:  # it needs pygame, which no extra of ours brings
        return found
    return [
        *found,
        side_by_side(
            "Hex 6×6 vector environment, against Connect Four", "steps", _vector("hex:size=6", "self", 100),
            _pettingzoo(connect_four_v3.env(), 10), peer="PettingZoo connect_four_v3", target="20×",
        ),
    ]  # fmt: skip


def _openspiel_vector(name: str, steps: int) -> Work:
    count = 8  # it is a loop over single ones: more of them cost the same each
    envs = SyncVectorEnv([rl_environment.Environment(pyspiel.load_game(name)) for _ in range(count)])

    def work() -> int:
        chance, seen = random.Random(1), envs.reset()
        for _ in range(steps):
            legal = [each.observations["legal_actions"][each.observations["current_player"]] for each in seen]
            chosen = [StepOutput(actions[int(chance.random() * len(actions))], None) for actions in legal]
            seen, *_ = envs.step(chosen, reset_if_done=True)
        return steps * count

    return work


def _openspiel_single(name: str, matches: int) -> Work:
    single = rl_environment.Environment(pyspiel.load_game(name))

    def work() -> int:
        chance, steps = random.Random(1), 0
        for _ in range(matches):
            seen = single.reset()
            while not seen.last():
                legal = seen.observations["legal_actions"][seen.observations["current_player"]]
                seen = single.step([legal[int(chance.random() * len(legal))]])
                steps += 1
        return steps

    return work


def _pettingzoo(table: object, matches: int) -> Work:
    def work() -> int:
        chance, steps = random.Random(1), 0
        for _ in range(matches):
            table.reset()  # type: ignore[attr-defined]
            for _ in table.agent_iter():  # type: ignore[attr-defined]
                seen, _, over, cut, _ = table.last()  # type: ignore[attr-defined]
                legal = np.flatnonzero(seen["action_mask"])
                done = over or cut
                table.step(None if done else legal[int(chance.random() * len(legal))])  # type: ignore[attr-defined]
                steps += not done
        return steps

    return work
