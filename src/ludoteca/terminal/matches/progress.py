"""The progress of a run in the terminal, live while matches are played."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.live import Live
from rich.text import Text

from ludoteca.agents.identity import Identity, short_names
from ludoteca.arena.api import Watch
from ludoteca.arena.plan import Plan
from ludoteca.arena.runs import Progress
from ludoteca.arena.series import SeriesPlan, SeriesTally
from ludoteca.arena.tournament import TournamentPlan, TournamentTally
from ludoteca.catalogues import Language
from ludoteca.messages import Message, joined, say, say_as, say_count, translate
from ludoteca.players.faults import FaultTally
from ludoteca.ratings.elo import elo_difference, show_elo
from ludoteca.reports.fault_summary import fault_lines
from ludoteca.reports.standings import distinct_note
from ludoteca.reports.text_table import TextTable, rate


@contextmanager
def live(console: Console, language: Language) -> Iterator[Watch]:
    """Show progress as a table, a few times a second; yields the function to call with it."""
    shown: list[RenderableType] = [Text("")]
    with Live(console=console, refresh_per_second=4, get_renderable=lambda: shown[0], transient=True) as display:

        def watch(progress: Progress) -> None:
            shown[0] = ProgressView(progress, language)
            if progress.complete:
                display.refresh()

        yield watch


class ProgressView:
    """The progress of a run as a table with lines below, drawn when Rich asks for it."""

    def __init__(self, progress: Progress, language: Language) -> None:
        self._progress, self._language = progress, language

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Lets Rich print it in the available width."""
        progress, language = self._progress, self._language
        plan, tally = progress.plan, progress.tally
        yield Text(translate(_heading(plan), language), style="bold")
        if isinstance(plan, SeriesPlan) and isinstance(tally, SeriesTally):
            yield _series(plan, tally).rich(options.max_width, language)
            if plan.sprt is not None and tally.verdict is not None:
                test = say(
                    "SPRT {h0:g} against {h1:g}: {verdict}",
                    h0=plan.sprt.h0,
                    h1=plan.sprt.h1,
                    verdict=tally.verdict.message,
                )
                yield Text(translate(test, language))
        elif isinstance(tally, TournamentTally):
            yield _tournament(tally).rich(options.max_width, language)
            if (byes := byes_note(tally)) is not None:
                yield Text(translate(byes, language))
        for line in fault_lines(_faults_by_name(progress)):
            yield Text(translate(line, language), style="red")
        yield Text(translate(_status(progress), language), style="dim")


def faults_of(progress: Progress) -> list[tuple[Identity, FaultTally]]:
    """The agents of a run, each with its faults so far."""
    plan, tally = progress.plan, progress.tally
    if isinstance(plan, SeriesPlan) and isinstance(tally, SeriesTally):
        return list(zip(plan.agents, tally.faults, strict=True))
    return list(tally.faults.items()) if isinstance(tally, TournamentTally) else []


def _faults_by_name(progress: Progress) -> list[tuple[str, FaultTally]]:
    found = faults_of(progress)
    names = short_names(agent for agent, _ in found)
    return [(names[agent], tally) for agent, tally in found]


def _heading(plan: Plan) -> str:
    conditions = plan.conditions
    parts: list[str] = [
        conditions.game,
        say("{limit} each", limit=conditions.limit) if conditions.limit else say("no limit"),
    ]
    if isinstance(plan, SeriesPlan | TournamentPlan):
        if plan.openings != "none":
            parts.append(say("an opening for every pair"))
        if plan.seed is not None:
            parts.append(say("seed {seed}", seed=plan.seed))
    return joined(parts)


def _series(plan: SeriesPlan, tally: SeriesTally) -> TextTable:
    means = tally.mean_returns
    headings = [
        AGENT, *([say("return (95%)")] if means else []),
        say_as("column", "wins"), say("draws"), say("losses"), say("faults"), say("score"), say("Elo (95%)"),
        "LOS",
    ]  # fmt: skip
    estimate = elo_difference(tally.pairs)
    sides = [
        (tally.wins, tally.losses, tally.score, estimate.elo, estimate.low, estimate.high, estimate.superiority),
        (tally.losses, tally.wins, 1 - tally.score, -estimate.elo, -estimate.high, -estimate.low,
         1 - estimate.superiority),
    ]  # fmt: skip
    rows, names = [], short_names(plan.agents)
    for seat, (agent, faults, (wins, losses, score, elo, low, high, los)) in enumerate(
        zip(plan.agents, tally.faults, sides, strict=True)
    ):
        interval = f"{show_elo(elo)} [{show_elo(low)}, {show_elo(high)}]" if sum(tally.pairs) else ""
        sure = f"{los:.1%}" if sum(tally.pairs) else ""
        numbers = [str(wins), str(tally.draws), str(losses), str(faults.total), f"{score:.1%}"]
        earned = [] if means is None else [str(means[seat]) if means[seat].pairs else ""]
        rows.append([names[agent], *earned, *numbers, interval, sure])
    return TextTable("", headings, rows, words=frozenset({"agent"}), name="agent")


def _tournament(tally: TournamentTally) -> TextTable:
    rows, names = [], short_names(tally.agents)
    points, matches, means = tally.points, tally.matches, tally.mean_returns
    for place, agent in enumerate(tally.ranking(), start=1):
        score = f"{points[agent] / matches[agent]:.1%}" if matches[agent] else ""
        faults = str(tally.faults[agent].total)
        earned = [str(means[agent]) if means[agent].pairs else ""] if means else []
        rows.append([str(place), names[agent], *earned, f"{points[agent]:g}", str(matches[agent]), score, faults])
    returns = [say("return (95%)")] if means else []
    headings = ["#", AGENT, *returns, say("points"), say("matches"), say("score"), say("faults")]
    return TextTable("", headings, rows, words=frozenset({"agent"}), name="agent")


AGENT = say("agent")


def byes_note(tally: TournamentTally) -> Message | None:
    """Who had a round without an opponent, and what it counts as; None if all had opponents in all rounds."""
    if not tally.byes:
        return None
    names = short_names(tally.agents)
    who = [f"{names[agent]} ×{count}" if count > 1 else names[agent] for agent, count in tally.byes.items()]
    if not tally.bye:
        return say("Bye, a round without an opponent: {names}.", names=who)
    return say(
        "Bye, a round without an opponent, which counts as {matches} won matches: {names}.",
        names=who, matches=tally.bye,
    )  # fmt: skip


def _status(progress: Progress) -> str:
    found = [say("{found} of them played earlier", found=progress.found)] if progress.found and progress.fresh else []
    tally = progress.tally
    if progress.complete and isinstance(tally, SeriesTally | TournamentTally):
        pairs = tally.played if isinstance(tally, SeriesTally) else tally.pairs
        return joined([distinct_note(pairs.matches, pairs.distinct), *found], "; ")
    left = progress.seconds_left
    return joined(
        [
            say_count(
                "{done} of {count} match",
                "{done} of {count} matches",
                progress.plan.total,
                done=min(progress.found + progress.fresh, progress.plan.total),
            ),
            rate(progress.rate),
            say("{left} left", left="?" if left is None else str(datetime.timedelta(seconds=round(left)))),
            *found,
        ],
        "  ",
    )
