"""``python -m bench.strength.levels fit|measure NAME``: the levels for people of an engine.

fit      finds eight levels at even distances in Elo, from `naive` to one step below full strength, and writes them
         into the engine's table of levels
measure  plays level 1 against `naive`, each level against the one below and full strength against level 8, and writes
         the results into the engine's pages of docs/agents

NAME is dominoes, hex, hex-classical, horses or kittens. Run both after an engine has changed. Searches are limited in
nodes and deals come from fixed seeds, so the same command gives the same figures on any machine. Every pair of matches
is one deal or balanced opening with sides swapped.
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias

import ludoteca
from bench.strength.document import replaced
from bench.strength.pairs import agent_seed, even_matches
from bench.workers import worker_pool
from ludoteca.agents.dominoes.engine import DominoesEngine
from ludoteca.agents.dominoes.levels import LEVELS as DOMINOES
from ludoteca.agents.engine_options import LEVELS, EngineOptions
from ludoteca.agents.hex.classical import HexClassicalEngine
from ludoteca.agents.hex.classical_levels import LEVELS as HEX_CLASSICAL
from ludoteca.agents.hex.levels import LEVELS as HEX
from ludoteca.agents.hex.neural import HexNetworkEngine
from ludoteca.agents.horses.engine import HorsesEngine
from ludoteca.agents.horses.levels import LEVELS as HORSES
from ludoteca.agents.kittens.engine import KittensEngine
from ludoteca.agents.kittens.levels import LEVELS as KITTENS
from ludoteca.agents.levels import Level
from ludoteca.agents.naive import Naive
from ludoteca.play.match import play_out
from ludoteca.play.openings import needs_openings, openings_for, suite_of
from ludoteca.protocols import Action, AgentFactory, Limit
from ludoteca.ratings.bradley_terry import rate
from ludoteca.ratings.elo import Estimate, expected_score, show_elo
from ludoteca.ratings.pairs import Pair

AGENTS = Path(ludoteca.__file__).parent / "agents"
DOCS = Path(__file__).parents[2] / "docs" / "agents"
Rung: TypeAlias = Level | str
"""A level, or one of the ends of the scale: `NAIVE`, `FULL`."""
NAIVE, FULL = "naive", "full strength"
TO = " to "
"""Between the ends of an interval."""
MEASURED_FROM = 100_000
"""The first deal of `measure`; `fit` uses those from 0 on."""


@dataclass(frozen=True)
class Plan:
    """The levels of one engine."""

    game: str
    engine: type[DominoesEngine | HexClassicalEngine | HexNetworkEngine | HorsesEngine | KittensEngine]
    levels: tuple[Level, ...]
    """As they are now."""
    table: str
    """The module that holds them, under agents."""
    page: str
    """The page that shows them, under docs/agents and, translated, its folders."""
    nodes: int
    """The limit of both for each action; levels search less."""
    scale: tuple[Level, ...]
    """Levels from weak to strong; the fit interpolates between neighbours."""
    reach: int
    """How far apart on the scale two may stand to meet in the fit."""

    def make(self, rung: Rung) -> AgentFactory:
        """What makes an agent of this strength."""
        if rung == NAIVE:
            return Naive
        return partial(self.engine, options=EngineOptions(), level=rung if isinstance(rung, Level) else None)


def margins(budget: int, *found: float) -> tuple[Level, ...]:
    """Levels of one budget."""
    return tuple(Level(budget, margin) for margin in found)


PLANS = {
    "dominoes": Plan(
        "dominoes", DominoesEngine, DOMINOES, "dominoes/levels", "engine-dominoes", 2000,
        (*margins(16, 16.0, 6.0, 3.5, 2.2, 1.4, 0.9, 0.5, 0.2, 0.0), Level(64, 0.0)), reach=3,
    ),
    "hex": Plan(
        "hex", HexNetworkEngine, HEX, "hex/levels", "engine-hex", 128,
        (
            *margins(1, 400.0, 40.0, 16.0, 9.0, 5.0, 2.5, 0.0),
            *(Level(simulations, 0.0) for simulations in (8, 32)),
        ), reach=2,
    ),
    "hex-classical": Plan(
        "hex:size=9,layout=odd-r", HexClassicalEngine, HEX_CLASSICAL, "hex/classical_levels", "engine-hex", 20_000,
        (
            *(Level(1, 400.0), Level(8, 400.0)),
            *margins(200, 3.0, 2.0, 1.5, 1.0, 0.7, 0.3, 0.0),
            *(Level(simulations, 0.0) for simulations in (800, 3200, 8000)),
        ), reach=1,
    ),
    "horses": Plan(
        "horses", HorsesEngine, HORSES, "horses/levels", "engine-horses", 100_000,
        (
            *margins(1, 8000.0, 1500.0, 400.0, 60.0, 30.0, 12.0),
            *(Level(2, 5.0), Level(4, 1.0), Level(6, 0.5), Level(8, 0.0)),
        ), reach=3,
    ),
    "kittens": Plan(
        "kittens", KittensEngine, KITTENS, "kittens/levels", "engine-kittens", 2000,
        margins(64, 16.0, 4.0, 2.0, 1.2, 0.8, 0.55, 0.35, 0.2, 0.1, 0.0), reach=3,
    ),
}  # fmt: skip


def play(plan: Plan, one: Rung, other: Rung, seeds: range, workers: int) -> Iterator[tuple[float, float]]:
    """What one of two scores in each pair of matches; a pair for each seed, several at a time."""
    with worker_pool(workers) as pool:
        yield from pool.map(partial(play_pair, plan, one, other), seeds)


def play_pair(plan: Plan, one: Rung, other: Rung, seed: int) -> tuple[float, float]:
    """What one of two scores in both matches of a pair."""
    game, makers = ludoteca.game(plan.game), (plan.make(one), plan.make(other))
    scores = []
    for first in (0, 1):
        match = ludoteca.Match(game, seed, opening(plan.game, seed))
        seated = {seat: makers[seat ^ first](game, seat, agent_seed(seed, seat)) for seat in (0, 1)}
        for _ in play_out(match, seated, Limit(nodes=plan.nodes)):
            pass
        scores.append((match.returns()[first] > 0) + (match.returns()[first] == 0) / 2)
    return scores[0], scores[1]


@cache
def _openings(game: str) -> list[tuple[Action, ...]]:
    # Those beyond the suite are balanced only by random playouts: one seat wins from most of them, whoever plays.
    played = ludoteca.game(game)
    suite = suite_of(played)
    return suite.lines(played) if suite else openings_for(played, 200)


def opening(game: str, seed: int) -> tuple[Action, ...]:
    """The opening of a pair, from the game's suite if it has one; empty where the deal differs."""
    if not needs_openings(ludoteca.game(game)):
        return ()
    known = _openings(game)
    return known[seed % len(known)]


def fit(plan: Plan, pairs: int, workers: int) -> Iterator[str]:
    """Rates the scale and writes the levels at even distances on it; yields what it found."""
    rungs: list[Rung] = [NAIVE, *plan.scale, FULL]
    played: list[Pair[int]] = []
    for number, (i, j) in enumerate(itertools.combinations(range(len(rungs)), 2)):
        if j - i <= (1 if rungs[j] == FULL else plan.reach):
            count = math.ceil(pairs / 4) if rungs[j] == FULL else pairs  # it is slow
            seeds = range(number * pairs, number * pairs + count)
            played += [Pair((j, i), scores) for scores in play(plan, rungs[j], rungs[i], seeds, workers)]
    ratings = rate(played, anchors=[0])
    elo = [ratings.agents[number].elo for number in range(len(rungs))]
    for rung, each in zip(rungs, elo, strict=True):
        yield f"{show_elo(each):>6}  {rung}"
    scale = monotone(elo[1:-1])
    levels = [at(plan.scale, scale, elo[-1] * number / LEVELS) for number in range(LEVELS)]
    write(plan, levels)
    yield from map(str, levels)


def monotone(values: Sequence[float]) -> list[float]:
    """The nearest rising sequence: neighbours that fall are replaced by their mean (isotonic regression)."""
    blocks: list[list[float]] = []
    for value in values:
        blocks.append([value])
        while len(blocks) > 1 and sum(blocks[-2]) / len(blocks[-2]) >= sum(blocks[-1]) / len(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    return [sum(block) / len(block) for block in blocks for _ in block]


def at(scale: Sequence[Level], elo: Sequence[float], wanted: float) -> Level:
    """The level with a wanted rating, interpolated between its neighbours on the scale."""
    above = next((i for i, each in enumerate(elo) if each >= wanted), len(elo) - 1)
    if above == 0 or elo[above] < wanted:
        return scale[above]
    weak, strong = scale[above - 1], scale[above]
    share = (wanted - elo[above - 1]) / (elo[above] - elo[above - 1])
    budget = round(math.exp(math.log(weak.budget) * (1 - share) + math.log(strong.budget) * share))
    if strong.margin:
        margin = math.exp(math.log(weak.margin) * (1 - share) + math.log(strong.margin) * share)
    else:
        margin = weak.margin * (1 - share)
    return Level(budget, float(f"{margin:.3g}"))


def write(plan: Plan, levels: Sequence[Level]) -> None:
    """Puts the levels into the engine's table."""
    path = AGENTS / f"{plan.table}.py"
    head = path.read_text(encoding="utf-8").partition("LEVELS: Final = (\n")[0]
    rows = "".join(f"    Level({level.budget}, {level.margin}),\n" for level in levels)
    path.write_text(f"{head}LEVELS: Final = (\n{rows})\n", encoding="utf-8")


def measure(plan: Plan, pairs: int, workers: int) -> list[tuple[str, ...]]:
    """A row for each level and one for full strength: what it scores against the one below."""
    rungs: list[Rung] = [NAIVE, *plan.levels, FULL]
    names = [NAIVE, *(str(number) for number in range(1, LEVELS + 1)), FULL]
    rows: list[tuple[str, ...]] = []
    for number, (below, rung) in enumerate(itertools.pairwise(rungs)):
        first = MEASURED_FROM + number * pairs
        scores = list(play(plan, rung, below, range(first, first + pairs), workers))
        share = sum(map(sum, scores)) / (2 * pairs)
        step = rate([Pair((1, 0), each) for each in scores]).difference(1, 0)
        size = (f"{rung.budget:,}", f"{rung.margin:g}") if isinstance(rung, Level) else ("", "")
        rows.append((names[number + 1], *size, names[number], str(2 * pairs), *shown(share, step)))
        print(" | ".join(rows[-1]), flush=True)
    return rows


def shown(share: float, step: Estimate) -> tuple[str, str]:
    """A share and a step with the interval of the step's pairs."""
    low, high = expected_score(step.low), expected_score(step.high)
    return (
        f"{share:.1%} ({100 * low:.1f}–{100 * high:.1f})",
        f"{show_elo(step.elo)} ({show_elo(step.low)}{TO}{show_elo(step.high)})",
    )


def document(plan: Plan, name: str, rows: Sequence[tuple[str, ...]]) -> None:
    """Writes the rows into the page and its translations."""
    for path in [DOCS / f"{plan.page}.md", *sorted(DOCS.glob(f"*/{plan.page}.md"))]:
        text, mark = path.read_text(encoding="utf-8"), f"levels {name}"
        old = text.partition(f"<!-- {mark} -->\n")[2].partition("<!-- end -->")[0].strip()
        path.write_text(replaced(text, mark, reworded(old, rows)), encoding="utf-8")


def reworded(old: str, rows: Sequence[tuple[str, ...]]) -> str:
    """A table with these rows and the words of an older table, in whatever language that is."""
    lines = old.splitlines()
    full = lines[-1].split(" | ")[0].removeprefix("| ")
    to = lines[-1].rpartition("(")[2].split(" ")[1]
    words = [[full if cell == FULL else cell.replace(TO, f" {to} ") for cell in row] for row in rows]
    return "\n".join([*lines[:2], *("| " + " | ".join(row) + " |" for row in words)])


def main() -> None:
    """Reads the command line and fits or measures."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength.levels", description="The levels of an engine.")
    parser.add_argument("what", choices=["fit", "measure"])
    parser.add_argument("name", choices=PLANS)
    parser.add_argument("-n", "--matches", type=even_matches, default=200, help="of every two that meet (200)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="matches at a time (all cores)")
    given = parser.parse_args()
    plan = PLANS[given.name]
    if given.what == "fit":
        for line in fit(plan, given.matches // 2, given.workers):
            print(line, flush=True)
    else:
        document(plan, given.name, measure(plan, given.matches // 2, given.workers))


if __name__ == "__main__":
    main()
