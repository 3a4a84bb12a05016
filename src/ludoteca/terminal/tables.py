"""The arena's tables for a terminal, alive while matches are played."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ludoteca.arena.api import Watch
from ludoteca.arena.runs import Progress
from ludoteca.arena.series import SeriesPlan, SeriesTally
from ludoteca.arena.tournament import TournamentPlan, TournamentTally
from ludoteca.catalogues import Language
from ludoteca.messages import joined, say, say_as, say_count, translate
from ludoteca.players.faults import Ending
from ludoteca.ratings.elo import elo_difference, show_elo

__all__ = ["live", "picture"]

AGENT = say("agent")
"""The heading of the column that may be wrapped, and stands to the left."""


@contextmanager
def live(console: Console, language: Language) -> Iterator[Watch]:
    """While this lasts, what is given to the function it yields is shown as a table, a few times a second."""
    shown: list[RenderableType] = [Text("")]
    with Live(console=console, refresh_per_second=4, get_renderable=lambda: shown[0], transient=True) as display:

        def watch(progress: Progress) -> None:
            shown[0] = _Lazy(progress, language)
            if progress.complete:
                display.refresh()

        yield watch


class _Lazy:
    """Draws the table only when the terminal asks for it, not after every match."""

    def __init__(self, progress: Progress, language: Language) -> None:
        self._progress, self._language = progress, language

    def __rich__(self) -> RenderableType:
        return picture(self._progress, self._language)


def picture(progress: Progress, language: Language) -> RenderableType:
    """How a run stands, as a table with a line below."""
    plan, tally = progress.plan, progress.tally
    conditions = plan.conditions
    limit = conditions.limit or say("no limit")
    seed = plan.seed if isinstance(plan, SeriesPlan | TournamentPlan) else 0
    heading = say("{game}, {limit} each, seed {seed}", game=conditions.game, limit=limit, seed=seed)
    lines: list[RenderableType] = [Text(translate(heading, language), style="bold")]
    if isinstance(plan, SeriesPlan) and isinstance(tally, SeriesTally):
        lines.append(_match(plan, tally, language))
        if plan.sprt is not None and tally.verdict is not None:
            test = say(
                "SPRT {elo0:g} against {elo1:g}: {verdict}",
                elo0=plan.sprt.elo0,
                elo1=plan.sprt.elo1,
                verdict=tally.verdict,
            )
            lines.append(Text(translate(test, language)))
    elif isinstance(tally, TournamentTally):
        lines.append(_tournament(tally, language))
    lines.append(Text(_status(progress, language), style="dim"))
    return Group(*lines)


def _table(language: Language, *heads: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for head in heads:
        named = head is AGENT
        table.add_column(translate(head, language), justify="left" if named else "right", no_wrap=not named)
    return table


def _match(plan: SeriesPlan, tally: SeriesTally, language: Language) -> Table:
    counts = (say_as("column", "wins"), say("draws"), say("losses"), say("faults"))
    table = _table(language, AGENT, *counts, say("score"), say("Elo (95%)"), "LOS")
    estimate = elo_difference(tally.pairs)
    told = [
        (tally.wins, tally.losses, tally.score, estimate.elo, estimate.low, estimate.high, estimate.superiority),
        (tally.losses, tally.wins, 1 - tally.score, -estimate.elo, -estimate.high, -estimate.low,
         1 - estimate.superiority),
    ]  # fmt: skip
    for agent, faults, (wins, losses, score, elo, low, high, los) in zip(plan.agents, tally.faults, told, strict=True):
        interval = f"{show_elo(elo)} [{show_elo(low)}, {show_elo(high)}]" if sum(tally.pairs) else ""
        sure = f"{los:.1%}" if sum(tally.pairs) else ""
        table.add_row(
            agent, str(wins), str(tally.draws), str(losses), show_faults(faults), f"{score:.1%}", interval, sure
        )
    return table


def _tournament(tally: TournamentTally, language: Language) -> Table:
    table = _table(language, "#", AGENT, say("points"), say("matches"), say("score"), say("faults"))
    for place, agent in enumerate(tally.ranking(), start=1):
        played = tally.played[agent]
        score = f"{tally.points[agent] / played:.1%}" if played else ""
        points = f"{tally.points[agent] + tally.rest.get(agent, 0.0):g}"
        table.add_row(str(place), agent, points, str(played), score, show_faults(tally.faults[agent]))
    return table


def show_faults(faults: Mapping[Ending, int]) -> str:
    """How many, and of which kinds: ``3 (2 timeout, 1 error)``."""
    kinds = ", ".join(f"{count} {ending.value}" for ending, count in sorted(faults.items()))
    return f"{sum(faults.values())} ({kinds})" if kinds else "0"


def _status(progress: Progress, language: Language) -> str:
    before = progress.found if progress.found and progress.fresh else 0
    found = [say("{found} of them played before", found=before)] if before else []
    if progress.complete:
        ended = say_count("{count} match", "{count} matches", progress.counted)
        return translate(joined([ended, *found], "  "), language)
    left = progress.seconds_left
    time_left = "?" if left is None else str(datetime.timedelta(seconds=round(left)))
    done = min(progress.found + progress.fresh, progress.plan.total)
    status = say(
        "{done} of {total} matches  {rate:.1f}/s  {left} left",
        done=done,
        total=progress.plan.total,
        rate=progress.rate,
        left=time_left,
    )
    return translate(joined([status, *found], "  "), language)
