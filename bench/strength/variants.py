"""``python -m bench.strength.variants``: the engine against every other agent in every variant, into docs/strength.md.

Each cell is one opponent in one variant at one time an action: pairs of matches on the same deal, or from the same
opening, with sides swapped. Cells that are in the file of results with enough matches are not played again (`--again`
plays them), and matches are kept in a store, so the same command goes on after Ctrl-C. Cheap cells first:

    python -m bench.strength.variants --seconds 0.05 --only 'dominoes*'
    python -m bench.strength.variants --only kittens:rules=original --against mcts -n 1000
    python -m bench.strength.variants --write          only writes the tables again
"""

from __future__ import annotations

import argparse
import datetime
import json
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

import ludoteca
from bench.strength.crosstable import DOCUMENT, replaced
from ludoteca.arena.workers import cores
from ludoteca.ratings.wilson import wilson

RESULTS: Final = Path(__file__).with_name("variants.json")
STORE: Final = Path(tempfile.gettempdir()) / "ludoteca-variants.sqlite"
SECONDS: Final = (0.05, 0.3, 1.0)
ENGINE: Final = "engine"

DOMINOES: Final = ("mcts", "tumbafichas:depth=4", "cases", "random")
KITTENS: Final = ("mcts", "dqn", "v2", "v1", "random")
HORSES: Final = ("zero", "mcts", "minimax", "random")
HEX: Final = ("zero", "engine:network=none", "mcts", "astar", "beam")
VARIANTS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        (
            "dominoes",
            "dominoes:start=seat",
            "dominoes:variant=block",
            "dominoes:variant=block,start=seat",
            *(f"dominoes:pips={pips}" for pips in (3, 4, 5, 7, 8, 9)),
            *(f"dominoes:pips={pips},variant=block" for pips in (3, 4, 5, 7, 8, 9)),
        ),
        DOMINOES,
    ),
    **dict.fromkeys(("kittens", "kittens:rules=original"), KITTENS),
    **dict.fromkeys(
        (f"horses:size={size}{charge}" for size in range(5, 9) for charge in ("", ",charge=stuck")), HORSES
    ),
    **dict.fromkeys((f"hex:size={size}" for size in range(5, 20)), HEX),
    **dict.fromkeys((f"hex:size={size},layout={layout}" for layout in ("even-r", "odd-r") for size in (7, 11)), HEX),
}
"""The other agents of each variant."""


@dataclass(frozen=True)
class Cell:
    """What the engine got against one opponent."""

    game: str
    opponent: str
    seconds: float
    matches: int
    score: float
    """The engine's share of the points; a draw is half a point."""
    faults: int
    """Matches that ended by a fault of either agent."""
    engine_version: str
    opponent_version: str
    date: str

    @property
    def key(self) -> tuple[str, str, float]:
        """Which cell of the tables this is."""
        return self.game, self.opponent, self.seconds

    def __str__(self) -> str:
        low, high = wilson(self.score, self.matches)
        faults = f", {self.faults} by faults" if self.faults else ""
        return f"{self.score:.1%} ({100 * low:.1f}–{100 * high:.1f}), {self.matches}{faults}"


def read(file: Path) -> dict[tuple[str, str, float], Cell]:
    """The latest result of each cell."""
    if not file.exists():
        return {}
    return {cell.key: cell for cell in (Cell(**fields) for fields in json.loads(file.read_text()))}


def append(file: Path, cell: Cell) -> None:
    """Adds a result; earlier ones of the same cell stay in the file."""
    kept = json.loads(file.read_text()) if file.exists() else []
    temporary = file.with_suffix(".new")
    temporary.write_text(json.dumps([*kept, asdict(cell)], indent=1) + "\n")
    temporary.replace(file)


def play(game: str, opponent: str, seconds: float, matches: int, seed: int, workers: int) -> Cell:
    """Plays one cell, or the rest of it."""
    result = ludoteca.tournament(
        game, (ENGINE, opponent), matches=matches, limit=f"{seconds:g}s", seed=seed, store=STORE, workers=workers
    )
    standings = ludoteca.standings(result)
    ours, theirs = sorted(standings.ratings.agents, key=lambda agent: agent.spec != ENGINE)
    met = standings.crosstable[ours][theirs]
    faults = sum(tally.total for tally in standings.faults.values())
    today = datetime.date.today().isoformat()
    return Cell(game, opponent, seconds, matches, met.share, faults, str(ours), str(theirs), today)


def table(cells: dict[tuple[str, str, float], Cell]) -> str:
    """One table for each game."""
    parts = []
    for name in ("dominoes", "kittens", "horses", "hex"):
        lines = [
            "| variant | against | " + " | ".join(f"{seconds:g} s" for seconds in SECONDS) + " |",
            "|---|---|---|---|---|",
        ]
        for game, opponents in VARIANTS.items():
            if game.partition(":")[0] != name:
                continue
            for opponent in opponents:
                found = [cells.get((game, opponent, seconds)) for seconds in SECONDS]
                texts = ["not played" if cell is None else str(cell) for cell in found]
                lines.append(f"| `{game}` | `{opponent}` | " + " | ".join(texts) + " |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def chosen(only: Iterable[str], against: Iterable[str], seconds: Iterable[float]) -> list[tuple[str, str, float]]:
    """The cells that were asked for; the shortest times first."""
    patterns = list(only) or ["*"]
    games = [game for game in VARIANTS if any(fnmatchcase(game, pattern) for pattern in patterns)]
    return [
        (game, opponent, each)
        for each in sorted(seconds)
        for game in games
        for opponent in VARIANTS[game]
        if not against or opponent in against
    ]


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
    parser.add_argument("-n", "--matches", type=int, default=400, help="of each cell (400)")
    parser.add_argument("--seed", type=int, default=1, help="of the deals (1)")
    parser.add_argument("--workers", type=int, default=cores(), help="matches at a time (all cores)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results")
    parser.add_argument("--again", action="store_true", help="also cells that the file has")
    parser.add_argument("--write", action="store_true", help="play nothing, only write the tables")
    given = parser.parse_args()
    if not given.write:
        from rich.progress import track

        cells = read(given.results)
        wanted = chosen(given.only, given.against, given.seconds or SECONDS)
        missing = [key for key in wanted if given.again or key not in cells or cells[key].matches < given.matches]
        for game, opponent, seconds in track(missing, description="cells"):
            cell = play(game, opponent, seconds, given.matches, given.seed, given.workers)
            append(given.results, cell)
            print(f"{game}, {opponent}, {seconds:g} s: {cell}", flush=True)
    DOCUMENT.write_text(replaced(DOCUMENT.read_text(), "variants", table(read(given.results))))


if __name__ == "__main__":
    main()
