"""Results of one agent against another, played in portions by many processes and kept in a file.

A cell is a game, two agents and a limit: pairs of matches on the same deal, or from the same opening, with sides
swapped. Both agents play in one process, one after the other. A portion is written as soon as it has been played, and
what the file holds of today's agents on this machine is not played again: a command that was stopped goes on.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import ludoteca
from bench.strength.pairs import play_pair
from bench.workers import worker_pool
from ludoteca.agents.digests import identity_of
from ludoteca.arena.workers import cores
from ludoteca.play.openings import needs_openings, openings_for
from ludoteca.protocols import Limit
from ludoteca.ratings.elo import Outcomes, score_interval
from ludoteca.ratings.pairs import Pair

ENGINE: Final = "engine"
PORTION: Final = 5
"""Pairs that are played and written together."""


class Key(NamedTuple):
    """Which cell: `agent` against `opponent`; a limit of 0 is none."""

    game: str
    opponent: str
    seconds: float
    agent: str = ENGINE
    nodes: int = 0


@dataclass(frozen=True)
class Cell:
    """What an agent got against one opponent: versions of both, and a machine, on which all of it was played."""

    game: str
    opponent: str
    seconds: float
    pairs: tuple[int, ...]
    """How many pairs of matches gave the agent 0, ½, 1, 1½ and 2 points."""
    portions: tuple[int, ...]
    """The numbers of the portions of pairs that were played."""
    engine_version: str
    """Of the agent."""
    opponent_version: str
    machine: str
    date: str
    agent: str = ENGINE
    nodes: int = 0
    seats: tuple[int, ...] = (0,) * 9
    """How many pairs gave the agent i half points in seat 0 and j in seat 1, at 3·i + j; all 0 where unknown."""

    @property
    def key(self) -> Key:
        """Which cell this is."""
        return Key(self.game, self.opponent, self.seconds, self.agent, self.nodes)

    @property
    def matches(self) -> int:
        """How many matches."""
        return 2 * sum(self.pairs)

    @property
    def played_by(self) -> tuple[str, str, str]:
        """What must be equal where results are added up."""
        return self.engine_version, self.opponent_version, self.machine

    @property
    def share(self) -> float:
        """The agent's share of the points."""
        return Outcomes(self.pairs).score

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the agent's share of the points, from pairs."""
        return score_interval(self.pairs)

    def scored(self) -> list[Pair[str]]:
        """The pairs as ratings are made from them."""
        agents = self.agent, self.opponent
        return [Pair(agents, (i / 2, j / 2), self.seats[3 * i + j]) for i in range(3) for j in range(3)]

    def __add__(self, other: Cell) -> Cell:
        """Both together. A portion that both have counts once."""
        if set(self.portions) & set(other.portions):
            return max(self, other, key=lambda cell: cell.matches)
        return replace(
            self,
            pairs=tuple(one + two for one, two in zip(self.pairs, other.pairs, strict=True)),
            seats=tuple(one + two for one, two in zip(self.seats, other.seats, strict=True)),
            portions=tuple(sorted(self.portions + other.portions)),
            date=max(self.date, other.date),
        )

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.share:.1%} ({100 * low:.1f}–{100 * high:.1f}), {self.matches}"


def read(file: Path) -> list[Cell]:
    """All results, the latest last."""

    def of(each: dict[str, Any]) -> Cell:
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in each.items()
        }
        return Cell(**values)

    return [of(each) for each in json.loads(file.read_text())] if file.exists() else []


def add(cells: list[Cell], more: Iterable[Cell]) -> list[Cell]:
    """The results with more of them: added up where versions and machine are the same."""
    found = {(cell.key, cell.played_by): cell for cell in cells}
    for cell in more:
        place = cell.key, cell.played_by
        known = found.pop(place, None)  # now the latest
        found[place] = cell if known is None else known + cell
    return list(found.values())


def write(file: Path, cells: list[Cell]) -> None:
    """A line for each result."""
    temporary = file.with_suffix(".new")
    temporary.write_text("[\n" + ",\n".join(json.dumps(asdict(cell)) for cell in cells) + "\n]\n")
    temporary.replace(file)


def latest(cells: Iterable[Cell]) -> dict[Key, Cell]:
    """The result that the tables show of each cell."""
    return {cell.key: cell for cell in cells}


def this_machine() -> str:
    """The processor's kind and the number of cores."""
    return f"{platform.machine()}, {os.cpu_count()} cores"


def play(key: Key, portion: int) -> Cell:
    """Plays one portion of a cell. The numbers of its pairs are the seeds of their deals and choose their openings."""
    game, pairs, seats = ludoteca.game(key.game), [0] * 5, [0] * 9
    limit = Limit(key.seconds or None, key.nodes or None)
    numbers = range(PORTION * portion, PORTION * (portion + 1))
    openings = openings_for(game, numbers.stop) if needs_openings(game) else [()] * numbers.stop
    for number in numbers:
        if number < len(openings):  # a small board has few
            played = play_pair(key.game, key.agent, key.opponent, number, limit, openings[number])
            first, second = (1 + (match.result > 0) - (match.result < 0) for match in played)
            pairs[first + second] += 1
            seats[3 * first + second] += 1
    ours, theirs = (str(identity_of(agent, game.name)) for agent in (key.agent, key.opponent))
    return Cell(
        key.game, key.opponent, key.seconds, tuple(pairs), (portion,), ours, theirs, this_machine(),
        datetime.date.today().isoformat(), key.agent, key.nodes, tuple(seats),
    )  # fmt: skip


def missing(wanted: Iterable[Key], matches: int, cells: list[Cell]) -> list[tuple[Key, int]]:
    """The portions that these cells lack: of today's agents on this machine."""
    machine, found = this_machine(), []
    kept = {(cell.key, cell.played_by): cell for cell in cells}
    versions: dict[tuple[str, str], str] = {}
    for key in wanted:
        name = key.game.partition(":")[0]
        for agent in (key.agent, key.opponent):
            if (agent, name) not in versions:
                versions[agent, name] = str(identity_of(agent, name))
        known = kept.get((key, (versions[key.agent, name], versions[key.opponent, name], machine)))
        count = -(-matches // (2 * PORTION))
        found += [(key, portion) for portion in range(count) if known is None or portion not in known.portions]
    return found


def run(tasks: list[tuple[Key, int]], file: Path, workers: int, until: float) -> None:
    """Plays portions in this order and adds each to the file; begins none after the time `until`.

    A portion in which an agent fails is printed and left out.
    """
    pending: set[Future[Cell]] = set()
    waiting = iter(tasks)
    with worker_pool(workers) as pool:
        while True:
            while len(pending) < workers and time.time() < until and (task := next(waiting, None)):
                pending.add(pool.submit(play, *task))
            if not pending:
                return
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for each in done:
                if error := each.exception():
                    print(f"failed: {error!r}", flush=True)
            write(file, add(read(file), (each.result() for each in done if not each.exception())))


def add_options(parser: argparse.ArgumentParser, results: Path) -> None:
    """The options of every command that plays cells."""
    parser.add_argument("--workers", type=int, default=cores(), help="matches at a time (all cores)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin nothing after so many")
    parser.add_argument("--results", type=Path, default=results, help="the file of results")
    parser.add_argument("--merge", type=Path, metavar="FILE", help="play nothing, add the results of this file")
    parser.add_argument("--write", action="store_true", help="play nothing, only write the tables")


def update(given: argparse.Namespace, wanted: Callable[[list[Cell]], list[tuple[Key, int]]]) -> list[Cell]:
    """All results, after what the options of `add_options` say: merged, or what is missing played, or as they were.

    wanted: the portions to play, given the results that are there.
    """
    kept = read(given.results)
    if given.merge:
        write(given.results, add(kept, read(given.merge)))
    elif not given.write:
        run(wanted(kept), given.results, given.workers, time.time() + 60 * given.minutes)
    return read(given.results)
