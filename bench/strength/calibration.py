"""``python -m bench.strength.calibration [--game NAME]``: the matches from which chances to win are fitted.

Every agent that gives values plays itself and agents of about its strength, in pairs on the same deal or from the same
opening with sides swapped. Limits count nodes, so the same command gives the same matches on any machine. The matches
stay in a store: Ctrl-C loses nothing, the same command goes on, and ``--times 2`` plays twice as many. Then the maps
are fitted and written into the package, and their test goes to docs/strength.md: see `ludoteca calibrate`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import ludoteca
from bench.strength.document import write_table
from ludoteca.play.store import Store
from ludoteca.reports.calibrate import CalibrationTest, calibrate, reliability_table
from ludoteca.reports.chance import FOLDER

STORE = Path(tempfile.gettempdir()) / "ludoteca-calibration.sqlite"
SEED = 1


class Meeting(NamedTuple):
    """Two agents that play each other, or one that plays itself."""

    game: str
    first: str
    second: str
    matches: int
    limit: str


def neighbours(game: str, limit: str, matches: int, agents: Sequence[str]) -> Iterator[Meeting]:
    """Each agent against itself and against the next; agents: from the weakest to the strongest."""
    for agent in agents:
        yield Meeting(game, agent, agent, matches, limit)
    for first, second in itertools.pairwise(agents):
        yield Meeting(game, first, second, matches, limit)


LEVELS = tuple(f"engine:level={level}" for level in range(1, 9))
MINIMAX = ("minimax:level=beginner", "minimax:level=amateur", "minimax")
MEETINGS = (
    *neighbours("hex", "20000n", 20, LEVELS),
    *neighbours("hex", "20000n", 40, ("beam", "astar", "mcts")),
    *neighbours("hex", "32n", 30, ("engine", "zero")),
    *neighbours("hex", "2000n", 40, ("mcts", "engine:network=none")),
    *neighbours("hex:size=7", "20000n", 20, LEVELS),
    *neighbours("hex:size=7", "20000n", 40, ("beam", "astar", "mcts")),
    *neighbours("hex:size=7", "32n", 40, ("engine", "zero")),
    *neighbours("hex:size=7", "2000n", 40, ("mcts", "engine:network=none")),
    *neighbours("horses", "100000n", 60, LEVELS),
    *neighbours("horses", "100000n", 80, (*MINIMAX, "engine")),
    *neighbours("horses", "5000n", 80, ("mcts", "minimax")),
    *neighbours("horses", "32n", 20, ("zero", "minimax:level=amateur")),
    *neighbours("horses:size=6", "100000n", 40, (*MINIMAX, "engine")),
    *neighbours("horses:size=6", "5000n", 40, ("mcts",)),
    *neighbours("horses:size=6", "32n", 30, ("zero",)),
    *itertools.chain.from_iterable(
        [
            *neighbours(game, "2000n", 120, (*LEVELS, "engine", "mcts")),
        ]
        for game in ("dominoes", "dominoes:variant=block")
    ),
    *itertools.chain.from_iterable(
        [
            *neighbours(game, "2000n", 120, (*LEVELS, "engine", "dqn")),
            *neighbours(game, "2000n", 80, ("mcts", "dqn")),
        ]
        for game in ("kittens", "kittens:rules=original")
    ),
)  # fmt: skip


MAPS: tuple[tuple[str, Mapping[str, list[str]]], ...] = (
    ("hex", {"size": [*map(str, range(5, 15))], "swap": ["true"], "orientation": ["standard"]}),
    ("horses", {"size": ["5", "6", "7"]}),
    ("dominoes", {}),
    ("dominoes:variant=block", {}),
    ("kittens", {}),
    ("kittens:rules=original", {}),
)
"""The games with maps of their own, and options of the game for which the same maps are used."""


def fit(store: Path, name: str) -> dict[str, list[CalibrationTest]]:
    """Fits the maps of one game by its name, and writes them into the package."""
    with Store(store) as opened:
        records = [record for run in opened.runs() for record in opened.records(run.id)]
    found = {game: calibrate(records, game, also) for game, also in MAPS if game.partition(":")[0] == name}
    maps = [json.dumps(test.fitted.to_json()) for tests in found.values() for test in tests]
    (FOLDER / f"{name}.json").write_text("[\n" + ",\n".join(maps) + "\n]\n", encoding="utf-8")
    return found


def markdown(found: Mapping[str, Sequence[CalibrationTest]]) -> str:
    """The reliability tables of one game."""
    parts = []
    for game, tests in found.items():
        table = reliability_table(tests)
        lines = ["| " + " | ".join(table.headings) + " |", "|---|" + "---:|" * (len(table.headings) - 1)]
        lines += [f"| `{row[0]}` | " + " | ".join(row[1:]) + " |" for row in table.rows]
        parts.append(f"`{game}`:\n\n" + "\n".join(lines))
    return "\n\n".join(parts)


def play(store: Path, game: str | None, times: int, workers: int) -> None:
    """Plays what the store does not hold yet."""
    for number, meeting in enumerate(MEETINGS):
        if game is None or meeting.game.partition(":")[0] == game:
            start = time.monotonic()
            ludoteca.series(
                meeting.game, meeting.first, meeting.second, meeting.matches * times, limit=meeting.limit,
                seed=SEED + number, store=store, workers=workers,
            )  # fmt: skip
            print(f"{' '.join(map(str, meeting))}: {time.monotonic() - start:.0f} s", flush=True)


def main() -> None:
    """Reads the command line, plays, fits and writes."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength.calibration", description="Chances to win.")
    parser.add_argument("--game", choices=sorted({each.game.partition(":")[0] for each in MEETINGS}), help="only this")
    parser.add_argument("--times", type=int, default=1, help="how many times as many matches (1)")
    parser.add_argument("--workers", type=int, default=1, help="matches at a time (1)")
    parser.add_argument("--store", type=Path, default=STORE, help="where matches are kept")
    given = parser.parse_args()
    play(given.store, given.game, given.times, given.workers)
    for name in sorted({game.partition(":")[0] for game, _ in MAPS}):
        if given.game in (None, name):
            tables = markdown(fit(given.store, name))
            write_table(f"chance {name}", tables)


if __name__ == "__main__":
    main()
