"""Two hundred tables at once fit in 4 GB, with our own agents in shared processes or with a subprocess at each.

Strangers are each alone in a process that is forked like any other, so that forty of them show what a table takes.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import ludoteca
from ludoteca.players.player import Player
from ludoteca.players.pool import Pool
from ludoteca.players.processes.memory import resident
from ludoteca.protocols import Limit

TABLES, STRANGERS = 200, 40
MOST = 4 * 2**30
OURS = [
    ("hex", "astar:depth=3"),
    ("hex:size=7", "beam"),
    ("horses", "minimax:depth=6"),
    ("dominoes", "tumbafichas"),
    ("dominoes", "cases"),
    ("kittens", "v2"),
    ("kittens", "dqn"),
    ("hex", "random"),
]


def held(process: int) -> int:
    """The bytes of memory that a process holds, with its share of shared pages."""
    try:
        with open(f"/proc/{process}/smaps_rollup", encoding="ascii") as rollup:
            return next(int(line.split()[1]) * 1024 for line in rollup if line.startswith("Pss:"))
    except PermissionError:  # only root may look; what is shared is counted for each then
        return resident(process)


def family(root: int) -> list[int]:
    """A process and its descendants."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii") as stat:
                parents[int(name)] = int(stat.read().rsplit(")", 1)[1].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
    found = [root]
    for member in found:
        found += [process for process, parent in parents.items() if parent == member]
    return found


def sit_down(pool: Pool, tables: list[tuple[str, str]], moves: int) -> list[Player]:
    """A player at each table, each asked a few times, all at once."""
    players: list[tuple[Player, ludoteca.State]] = []
    for seed, (spec, agent) in enumerate(tables):
        game = ludoteca.game(spec)
        player = pool.player(game, agent)
        player.prepare(0, seed)
        players.append((player, game.deal(seed)))
    for _ in range(moves):
        for player, state in players:
            while state.turn == 1:
                state.apply(state.legal()[0])
            if state.turn is not None:
                state.apply(player.decide(state.view(0), Limit(nodes=4_000), 60).action)
    return [player for player, _ in players]


@pytest.mark.parametrize("slots", [2])
def test_two_hundred_tables_of_our_own_agents(slots: int) -> None:
    with Pool(shared=True, slots=slots) as pool:
        players = sit_down(pool, [OURS[place % len(OURS)] for place in range(TABLES)], moves=2)
        assert len(players) == TABLES
        total = sum(map(held, family(pool._servers[False]._process.pid)))
        print(f"\n{TABLES} tables of our own agents, {slots} slots: {total / 2**20:.0f} MiB")
        assert total < MOST / 2


def test_two_hundred_tables_of_other_peoples_agents(adversaries: Path) -> None:
    with Pool() as pool:
        players = sit_down(pool, [("hex", "remembers")] * STRANGERS, moves=1)
        assert len(players) == STRANGERS
        server, *processes = family(pool._servers[False]._process.pid)
        assert len(processes) == STRANGERS
        total = held(server) + sum(map(held, processes)) * TABLES // STRANGERS
        print(f"\n{TABLES} tables of strangers: {total / 2**20:.0f} MiB")
        assert total < MOST / 2
