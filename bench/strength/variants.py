"""``python -m bench.strength.variants``: the engine against every other agent in every variant, into docs/strength.md.

Each cell is one opponent in one variant at one time an action: pairs of matches on the same deal, or from the same
opening, with sides swapped. A pair is one observation: matches on one deal are mostly split, so the interval of the
pairs is much narrower than that of as many independent matches. Both agents play in one process, one after the other.
Matches are added to the file of results in portions, and cells that have enough there are not played again, so the
same command goes on after Ctrl-C:

    python -m bench.strength.variants --seconds 0.05 --only 'dominoes*'
    python -m bench.strength.variants --only kittens:rules=original --against mcts -n 1000
    python -m bench.strength.variants --merge other.json      adds the results of another machine, plays nothing
    python -m bench.strength.variants --write                 only writes the tables again
"""

from __future__ import annotations

import argparse
import datetime
import json
import multiprocessing
import platform
import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, NamedTuple

import ludoteca
from bench.strength.crosstable import DOCUMENT, replaced
from bench.strength.pairs import play_pair
from ludoteca.agents.digests import identity_of
from ludoteca.arena.workers import cores
from ludoteca.play.openings import needs_openings, openings_for
from ludoteca.protocols import Limit
from ludoteca.ratings.elo import Outcomes

RESULTS: Final = Path(__file__).with_name("variants.json")
SECONDS: Final = (0.05, 0.3, 1.0)
ENGINE: Final = "engine"
PORTION: Final = 5
"""Pairs that are played and written together."""
LOW: Final = 0.49
"""The lower end of the interval has to lie above this."""

DOMINOES: Final = ("mcts", "tumbafichas:depth=4", "cases", "naive", "random")
KITTENS: Final = ("mcts", "dqn", "v2", "v1", "naive", "random")
HORSES: Final = ("zero", "mcts", "minimax", "naive", "random")
HEX_OF_ANY_LAYOUT: Final = ("engine:network=none", "mcts", "astar", "beam", "naive", "random")
HEX: Final = ("zero", *HEX_OF_ANY_LAYOUT)
VARIANTS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        (
            "dominoes",
            "dominoes:start=seat",
            "dominoes:variant=block",
            "dominoes:variant=block,start=seat",
        ),
        ("mmd", *DOMINOES),
    ),
    **dict.fromkeys(
        (
            *(f"dominoes:pips={pips}" for pips in (3, 4, 5, 7, 8, 9)),
            *(f"dominoes:pips={pips},variant=block" for pips in (3, 4, 5, 7, 8, 9)),
        ),
        DOMINOES,
    ),
    "kittens": ("mmd", *KITTENS),
    "kittens:rules=original": KITTENS,
    **dict.fromkeys(
        (f"horses:size={size}{charge}" for size in range(5, 9) for charge in ("", ",charge=stuck")), HORSES
    ),
    **dict.fromkeys((f"hex:size={size}" for size in range(5, 20)), HEX),
    **dict.fromkeys(
        (f"hex:size={size},layout={layout}" for layout in ("even-r", "odd-r") for size in (7, 11)), HEX_OF_ANY_LAYOUT
    ),
}
"""The other agents of each variant."""


class Key(NamedTuple):
    """Which cell of the tables."""

    game: str
    opponent: str
    seconds: float


@dataclass(frozen=True)
class Cell:
    """What the engine got against one opponent: versions of both, and a machine, on which all of it was played."""

    game: str
    opponent: str
    seconds: float
    pairs: tuple[int, ...]
    """How many pairs of matches gave the engine 0, ½, 1, 1½ and 2 points."""
    portions: tuple[int, ...]
    """The numbers of the portions of pairs that were played."""
    engine_version: str
    opponent_version: str
    machine: str
    date: str

    @property
    def key(self) -> Key:
        """Which cell of the tables this is."""
        return Key(self.game, self.opponent, self.seconds)

    @property
    def matches(self) -> int:
        """How many matches."""
        return 2 * sum(self.pairs)

    @property
    def played_by(self) -> tuple[str, str, str]:
        """What must be equal where results are added up."""
        return self.engine_version, self.opponent_version, self.machine

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the engine's share of the points, from pairs."""
        outcomes = Outcomes(self.pairs)
        return outcomes.limit(towards=0.0), outcomes.limit(towards=1.0)

    def __add__(self, other: Cell) -> Cell:
        """Both together. A portion that both have counts once."""
        if set(self.portions) & set(other.portions):
            return max(self, other, key=lambda cell: cell.matches)
        return replace(
            self,
            pairs=tuple(one + two for one, two in zip(self.pairs, other.pairs, strict=True)),
            portions=tuple(sorted(self.portions + other.portions)),
            date=max(self.date, other.date),
        )

    def __str__(self) -> str:
        low, high = self.interval
        return f"{Outcomes(self.pairs).score:.1%} ({100 * low:.1f}–{100 * high:.1f}), {self.matches}"


def read(file: Path) -> list[Cell]:
    """All results, the latest last."""
    if not file.exists():
        return []
    found = json.loads(file.read_text())
    return [Cell(**{**each, "pairs": tuple(each["pairs"]), "portions": tuple(each["portions"])}) for each in found]


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
    return f"{platform.machine()}, {multiprocessing.cpu_count()} cores"


def play(key: Key, portion: int) -> Cell:
    """Plays one portion of a cell. The numbers of its pairs are the seeds of their deals and choose their openings."""
    game, counts = ludoteca.game(key.game), [0] * 5
    numbers = range(PORTION * portion, PORTION * (portion + 1))
    openings = openings_for(game, numbers.stop) if needs_openings(game) else [()] * numbers.stop
    for number in numbers:
        if number < len(openings):  # a small board has few
            pair = play_pair(key.game, ENGINE, key.opponent, number, Limit(seconds=key.seconds), openings[number])
            counts[sum(round(match.result) + 1 for match in pair)] += 1
    ours, theirs = (str(identity_of(agent, game.name)) for agent in (ENGINE, key.opponent))
    today = datetime.date.today().isoformat()
    return Cell(*key, tuple(counts), (portion,), ours, theirs, this_machine(), today)


def table(cells: dict[Key, Cell]) -> str:
    """One table for each game, below a count of its cells."""
    parts = []
    for name in ("dominoes", "kittens", "horses", "hex"):
        wanted = [key for key in chosen([f"{name}*"], [], SECONDS) if key.game.partition(":")[0] == name]
        played = [cells[key] for key in wanted if key in cells]
        shown = sum(cell.interval[0] > LOW for cell in played)
        machines = sorted({cell.machine for cell in played})
        parts.append(
            f"`{name}`: {len(played)} of {len(wanted)} cells were played; in {shown} of them the lower end is above "
            f"{LOW:.0%}, in {len(played) - shown} this is not shown. Machine: {'; '.join(machines) or 'none'}."
        )
        parts.append(pooled(played))
        lines = [
            "| variant | against | " + " | ".join(f"{seconds:g} s" for seconds in SECONDS) + " |",
            "|---|---|---|---|---|",
        ]
        for game, opponent in dict.fromkeys((key.game, key.opponent) for key in wanted):
            found = [cells.get(Key(game, opponent, seconds)) for seconds in SECONDS]
            texts = ["not played" if cell is None else str(cell) for cell in found]
            lines.append(f"| `{game}` | `{opponent}` | " + " | ".join(texts) + " |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def pooled(played: Iterable[Cell]) -> str:
    """For each opponent, what all variants together gave at each time."""
    sums: dict[tuple[str, float], list[Cell]] = {}
    for cell in played:
        sums.setdefault((cell.opponent, cell.seconds), []).append(cell)
    texts = []
    for (opponent, seconds), cells in sums.items():
        pairs = tuple(map(sum, zip(*(cell.pairs for cell in cells), strict=True)))
        texts.append(f"`{opponent}` at {seconds:g} s {replace(cells[0], pairs=pairs)}")
    return f"All variants together: {'; '.join(texts) or 'nothing'}."


def chosen(only: Iterable[str], against: Iterable[str], seconds: Iterable[float]) -> list[Key]:
    """The cells that were asked for; the shortest times first."""
    patterns = list(only) or ["*"]
    games = [game for game in VARIANTS if any(fnmatchcase(game, pattern) for pattern in patterns)]
    return [
        Key(game, opponent, each)
        for each in sorted(seconds)
        for game in games
        for opponent in VARIANTS[game]
        if not against or opponent in against
    ]


def missing(wanted: Iterable[Key], matches: int, cells: list[Cell]) -> list[tuple[Key, int]]:
    """The portions that these cells lack: of today's agents on this machine."""
    machine, found = this_machine(), []
    kept = {(cell.key, cell.played_by): cell for cell in cells}
    versions: dict[tuple[str, str], str] = {}
    for key in wanted:
        name = key.game.partition(":")[0]
        for agent in (ENGINE, key.opponent):
            if (agent, name) not in versions:
                versions[agent, name] = str(identity_of(agent, name))
        known = kept.get((key, (versions[ENGINE, name], versions[key.opponent, name], machine)))
        count = -(-matches // (2 * PORTION))
        found += [(key, portion) for portion in range(count) if known is None or portion not in known.portions]
    return found


def run(tasks: list[tuple[Key, int]], file: Path, workers: int, until: float) -> None:
    """Plays portions in this order and adds each to the file; begins none after the time `until`.

    A portion in which an agent fails is printed and left out.
    """
    pending: set[Future[Cell]] = set()
    waiting = iter(tasks)
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
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


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.strength.variants", description="The engine against every other agent in every variant."
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="GAME",
        help="a variant, or a pattern such as 'horses*'; may be repeated",
    )
    parser.add_argument(
        "--against", action="append", default=[], metavar="AGENT", help="only this opponent; may be repeated"
    )
    parser.add_argument("--seconds", type=float, action="append", choices=SECONDS, help="only this time an action")
    parser.add_argument("-n", "--matches", type=int, default=200, help="of each cell, at least (200)")
    parser.add_argument("--workers", type=int, default=cores(), help="matches at a time (all cores)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin nothing after so many")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results")
    parser.add_argument("--merge", type=Path, metavar="FILE", help="play nothing, add the results of this file")
    parser.add_argument("--write", action="store_true", help="play nothing, only write the tables")
    given = parser.parse_args()
    if given.merge:
        write(given.results, add(read(given.results), read(given.merge)))
    elif not given.write:
        cells = chosen(given.only, given.against, given.seconds or SECONDS)
        if not cells:
            parser.error(f"no cell is meant; the variants are {', '.join(VARIANTS)}")
        tasks = missing(cells, given.matches, read(given.results))
        run(tasks, given.results, given.workers, time.time() + 60 * given.minutes)
    if given.results == RESULTS:
        DOCUMENT.write_text(replaced(DOCUMENT.read_text(), "variants", table(latest(read(RESULTS)))))


if __name__ == "__main__":
    main()
