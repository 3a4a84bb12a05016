"""The games against OpenSpiel."""

from __future__ import annotations

import random
from collections.abc import Callable

import pyspiel
from open_spiel.python.games import block_dominoes  # noqa: F401  registers python_block_dominoes

import ludoteca
from bench.measure import Row, Work, side_by_side

HEX = ludoteca.game("hex:orientation=standard")
DOMINOES = ludoteca.game("dominoes:variant=block,start=seat")
KITTENS = ludoteca.game("kittens")
SPIEL_HEX = pyspiel.load_game("hex(board_size=11)")
SPIEL_DOMINOES = pyspiel.load_game("python_block_dominoes")


def rows() -> list[Row]:
    """Every comparison of this file."""
    return [*playouts(), *python_steps(), *batches()]


def playouts() -> list[Row]:
    """Random playouts inside the core."""
    openspiel = _openspiel_rollouts(300)
    return [
        side_by_side(
            "Hex 11×11 playouts, move by move", "playouts", _playouts(HEX, 10_000, stepwise=True), openspiel,
            peer="OpenSpiel C++", target="18×",
        ),
        side_by_side(
            "Hex 11×11 playouts, fill and test", "playouts", _playouts(HEX, 50_000), openspiel,
            peer="OpenSpiel C++", target="80×",
        ),
        side_by_side(
            "Dominoes playouts, block", "playouts", _deals_and_playouts(DOMINOES, 10_000), _openspiel_dominoes(5),
            peer="python_block_dominoes", target="300×",
        ),
    ]  # fmt: skip


def _playouts(game: ludoteca.Game, count: int, *, stepwise: bool = False) -> Work:
    state = game.deal(1)

    def work() -> int:
        state.playouts(count, 1, stepwise)  # type: ignore[attr-defined]
        return count

    return work


def _deals_and_playouts(game: ludoteca.Game, count: int) -> Work:
    """Whole random matches, each from a deal of its own: the batch deals anew whenever a match ends."""

    def work() -> int:
        batch, ended = ludoteca.batch(game, 500, 1), 0
        while ended < count:
            _, done = batch.step(batch.random_actions())
            ended += int(done.sum())
        return ended

    return work


def _openspiel_dominoes(count: int) -> Work:
    def work() -> int:
        chance = random.Random(1)
        for _ in range(count):
            state = SPIEL_DOMINOES.new_initial_state()
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))  # the deal, too, is random actions here
        return count

    return work


def _openspiel_rollouts(count: int) -> Work:
    """OpenSpiel's C++ rollouts, which its binding offers only through a search: of one simulation, here."""
    state = SPIEL_HEX.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(count, 1)
    bot = pyspiel.MCTSBot(SPIEL_HEX, evaluator, 1.0, 1, 1000, False, 1, False)

    def work() -> int:
        bot.mcts_search(state)
        return count

    return work


def python_steps() -> list[Row]:
    """A Python loop that plays random matches through each binding, one action at a time."""

    def ours(tensor: bool) -> Callable[[], int]:
        def work() -> int:
            chance, steps = random.Random(1), 0
            for _ in range(10):
                state = HEX.deal(1)
                while (seat := state.turn) is not None:
                    if tensor:
                        state.view(seat).tensor()
                    legal = state.legal()
                    state.apply(legal[int(chance.random() * len(legal))])
                    steps += 1
            return steps

        return work

    def theirs(tensor: bool) -> Callable[[], int]:
        def work() -> int:
            chance, steps = random.Random(1), 0
            for _ in range(10):
                state = SPIEL_HEX.new_initial_state()
                while not state.is_terminal():
                    if tensor:
                        state.observation_tensor(state.current_player())
                    legal = state.legal_actions()
                    state.apply_action(legal[int(chance.random() * len(legal))])
                    steps += 1
            return steps

        return work

    return [
        side_by_side(
            "Hex 11×11, a step in a Python loop", "steps", ours(False), theirs(False), peer="pyspiel", target="1×"
        ),
        side_by_side(
            "… reading the tensor at each step", "steps", ours(True), theirs(True), peer="pyspiel", target="3×"
        ),
    ]


def batches() -> list[Row]:
    """Batches of states stepped with random legal actions, both counted."""
    return [
        side_by_side("Hex 11×11 Batch, random actions and step", "steps", _batch(HEX, 256, 400), target="2 million/s"),
        side_by_side(
            "Kittens Batch, random actions and step", "steps", _batch(KITTENS, 256, 2000), target="5 million/s"
        ),
    ]


def _batch(game: ludoteca.Game, count: int, steps: int) -> Work:
    batch = ludoteca.batch(game, count, 1)

    def work() -> int:
        for _ in range(steps):
            batch.step(batch.random_actions())
        return steps * count

    return work
