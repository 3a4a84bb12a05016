"""A tournament, or a match of two agents, while somebody looks: what is being played now, and how it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path

from nicegui import run as threads
from nicegui import ui

from ludoteca.arena.api import plan_of, reviewed
from ludoteca.arena.results import SeriesResult, TournamentResult
from ludoteca.errors import InvalidStore, LudotecaError
from ludoteca.messages import say
from ludoteca.play.live import LiveMatch, live_matches
from ludoteca.play.record import Record
from ludoteca.play.store import Run, Store, default_path
from ludoteca.play.store_layout import canonical
from ludoteca.ratings.elo import show_elo
from ludoteca.reports.standings import distinct_note
from ludoteca.reports.tables import percent
from ludoteca.web.asked import rules
from ludoteca.web.board import snapshot
from ludoteca.web.charts import ELO_HELP, Bar, crosstable, rating_table
from ludoteca.web.folders import Names
from ludoteca.web.frame import NotFound, Visit, game_title, raw

__all__ = ["NOTHING_KEPT", "RunPage", "match_of", "opened", "run_of", "what"]

BOARDS = 6  # of the latest matches
LISTED = 60  # matches of a run that are listed at a time
EVERY = 2.0  # seconds from one look at the results to the next
MOVING = 0.5  # seconds from one look at the boards to the next
KINDS = {
    "round-robin": say("round-robin"),
    "swiss": say("Swiss tournament"),
    "gauntlet": say("gauntlet"),
    "references": say("everybody against the references"),
    "knockout": say("knock-out"),
    "series": say("match of two"),
    "page": say("Your finished matches"),
    "terminal": say("Matches in the terminal"),
    "match": say("match of two"),  # what older stores call a series
}


NOTHING_KEPT = say("No match has been kept here yet; play some with: ludoteca tournament")


def opened() -> Store:
    """The arena's store. Raises NotFound where nothing has been played: looking must not make a file."""
    path = Path(default_path())
    if not path.exists():
        raise NotFound(NOTHING_KEPT)
    return Store(path)


def run_of(store: Store, number: int) -> Run:
    """The run of this number. Raises NotFound, which names no file of the server."""
    try:
        return store.find(str(number))
    except InvalidStore as error:
        raise NotFound(say("There is no run {number} here.", number=number)) from error


def match_of(store: Store, run: Run, place: int) -> Record:
    """The match at this place of a run. Raises NotFound."""
    try:
        return store.record(run.id, place)
    except InvalidStore as error:
        count = store.count(run.id)
        why = say("Run {run} has no match {place}; it has {count}.", run=run.id, place=place, count=count)
        raise NotFound(why) from error


def what(visit: Visit, run: Run) -> str:
    """What a run plays, in the visitor's words."""
    kind = str(run.key.get("format", run.key.get("kind")))
    return visit.translate(KINDS[kind]) if kind in KINDS else kind


@dataclass(frozen=True)
class Results:
    """What a look at a run found; shared by all who look, so it says nothing in words."""

    run: Run
    count: int
    total: int
    outcome: SeriesResult | TournamentResult
    bars: dict[str, Bar]
    """By agent its rating, or its distance from the other; empty while nothing can be said."""


def look(number: int) -> tuple[Results, bool]:
    """How a run stands, and whether somebody plays it now. Raises NotFound and InvalidStore."""
    with opened() as store:
        run = run_of(store, number)
        count = store.count(run.id)
        playing = store.being_played(run.id)
    return _results(str(store.path), number, run.created, canonical(run.goal), count), playing


@lru_cache(maxsize=16)
def _results(path: str, number: int, created: str, goal: str, count: int) -> Results:
    """What is stored of a run never changes: so many matches of it always come to the same."""
    with Store(path) as store:
        run = run_of(store, number)
        outcome = reviewed(store, run)
    return Results(run, count, plan_of(run).total, outcome, _bars(outcome))


def _bars(outcome: SeriesResult | TournamentResult) -> dict[str, Bar]:
    if isinstance(outcome, SeriesResult):
        return {str(row["agent"]): Bar(row["elo"], row["low"], row["high"]) for row in outcome.table()}
    try:
        rated = outcome.ratings.agents
    except (LudotecaError, ValueError, ArithmeticError):
        return {}
    return {agent: Bar(each.elo, each.low, each.high) for agent, each in rated.items()}


def met(outcome: TournamentResult, one: str, other: str) -> tuple[int, int, int] | None:
    """What `one` won, drew and lost against `other`, in both seats together; None where they have not met."""
    won, drawn, lost = outcome.counts.get((one, other), (0, 0, 0))
    lost_too, drawn_too, won_too = outcome.counts.get((other, one), (0, 0, 0))
    found = (won + won_too, drawn + drawn_too, lost + lost_too)
    return found if sum(found) and one != other else None


class RunPage:
    """Ranking, crosstable, running boards and stored matches, brought up to date while somebody looks."""

    def __init__(self, visit: Visit, number: int) -> None:
        self.visit, self.number = visit, number
        self.seen: Results | None = None
        self.page = 0
        """Which page of the list of stored matches is shown; the first has the newest."""
        self.cards: dict[str, _LiveCard] = {}

    def build(self) -> None:
        """Makes the elements. Raises NotFound and InvalidStore before anything is shown."""
        say = self.visit.say
        with opened() as store:
            self.path, run = store.path, run_of(store, self.number)
        self.names = Names(run.key.get("agents", []))
        game = rules(str(run.key.get("game")))
        title = f"{game_title(game.name, self.visit.language)}: {what(self.visit, run)}"
        ui.page_title(f"{title} · Ludoteca")
        raw(f'<a href="/watch">← {escape(say("Watch"))}</a>')
        run_name = escape(say("Run {number}", number=self.number))
        raw(f"{escape(title)} <small>{run_name}</small>", tag="h1").classes("title")
        self.state = raw().classes("run-state").props('role=status aria-live="polite"')
        with ui.element("section").classes("card now") as self.now:
            raw(f"<span class='pulse' aria-hidden='true'></span>{escape(say('Being played now'))}", tag="h2").classes(
                "subtitle"
            )
            self.stage = ui.element("div").classes("games")
        self.now.set_visibility(False)
        with ui.element("section").classes("card scroll"):
            raw(escape(say("Ranking")), tag="h2").classes("subtitle")
            self.table = raw()
            raw(f"<small>{escape(self.visit.translate(ELO_HELP))}</small>")
        with ui.element("section").classes("card scroll") as self.cross_card:
            raw(escape(say("Who beat whom")), tag="h2").classes("subtitle")
            self.cross = raw()
            how = say("Share of the points of the row against the column; won, drawn and lost.")
            raw(f"<small>{escape(how)}</small>")
        raw(escape(say("Latest matches")), tag="h2").classes("subtitle")
        self.boards = raw().classes("games")
        with ui.element("section").classes("card"):
            raw(escape(say("All matches, with replay")), tag="h2").classes("subtitle")
            with ui.element("div").classes("row"):
                self.newer = ui.button(icon="chevron_left", on_click=self._newer).props("flat dense")
                self.older = ui.button(icon="chevron_right", on_click=self._older).props("flat dense")
                self.newer.props(f'aria-label="{escape(say("Newer"), quote=True)}"')
                self.older.props(f'aria-label="{escape(say("Older"), quote=True)}"')
                self.range = ui.label()
            self.list = raw().classes("stored")
        ui.timer(EVERY, self._update, immediate=True)
        ui.timer(MOVING, self._move, immediate=True)

    def called(self, agent: str) -> str:
        """What an agent of this run is called, by its identity."""
        return self.visit.agent(self.names(agent))

    # How it stands

    async def _update(self) -> None:
        try:
            looked = await threads.io_bound(look, self.number)
        except (InvalidStore, NotFound) as error:  # the store was taken away while somebody looked
            self.state.set_content(escape(self.visit.explain(error)))
            return
        if looked is None:
            return
        seen, playing = looked
        self._tell_state(seen, playing)
        if seen is self.seen:
            return
        self.seen = seen
        self._show(seen)
        await self._list()

    def _tell_state(self, seen: Results, playing: bool) -> None:
        say, key = self.visit.say, seen.run.key
        if seen.outcome.complete:
            done = say("complete")
        else:
            done = say("in progress") if playing else say("interrupted: the same command goes on")
        facts = [
            str(key.get("game")),
            str(key.get("limit")),
            say("{count} of {total} matches", count=seen.count, total=seen.total),
            done,
        ]
        if seen.outcome.distinct < seen.outcome.matches:
            facts.append(self.visit.translate(distinct_note(seen.outcome.matches, seen.outcome.distinct)))
        share = min(1.0, seen.count / max(1, seen.total))
        self.state.set_content(
            f'<p>{escape(" · ".join(facts))}</p><div class="done"><i style="width:{share:.1%}"></i></div>'
        )

    def _show(self, seen: Results) -> None:
        outcome = seen.outcome
        self.table.set_content(self._ranking(outcome, seen.bars))
        many = isinstance(outcome, TournamentResult)
        self.cross_card.set_visibility(many)
        if isinstance(outcome, TournamentResult):
            agents = list(outcome.ranking)
            counts = [[met(outcome, one, other) for other in agents] for one in agents]
            self.cross.set_content(crosstable([self.called(agent) for agent in agents], counts))

    def _ranking(self, outcome: SeriesResult | TournamentResult, bars: dict[str, Bar]) -> str:
        say = self.visit.say
        rows: list[list[str | Bar]] = []
        if isinstance(outcome, SeriesResult):
            heads = [say("Agent"), say("Won"), say("Drawn"), say("Lost"), say("Score"), "Elo", say("95% interval")]
            for row in outcome.table():
                bar = bars[str(row["agent"])]
                counts = [str(row[name]) for name in ("wins", "draws", "losses")]
                rows.append([self.called(str(row["agent"])), *counts, percent(row["score"]), show_elo(bar.elo), bar])
            return rating_table(heads, rows)
        heads = [say("Agent"), say("Points"), say("Matches"), "Elo", say("95% interval")]
        for place, agent in enumerate(outcome.ranking, start=1):
            bar = bars.get(agent, Bar(0.0, float("-inf"), float("inf")))
            played = sum(sum(counts) for pair, counts in outcome.counts.items() if agent in pair)
            points = f"{outcome.points[agent]:g}"
            rows.append(
                [f"{place}. {self.called(agent)}", points, str(played), show_elo(bar.elo) if played else "", bar]
            )
        return rating_table(heads, rows)

    # What has been played

    async def _newer(self) -> None:
        self.page = max(0, self.page - 1)
        await self._list()

    async def _older(self) -> None:
        self.page += 1
        await self._list()

    async def _list(self) -> None:
        found = await threads.io_bound(self._stored)
        if found is None:
            return
        latest, listed = found
        self.boards.set_content("".join(self._board(place, record) for place, record in latest))
        self.list.set_content("".join(self._row(place, record) for place, record in listed))
        self.range.set_text(f"{listed[0][0]} – {listed[-1][0]}" if listed else "")
        self.newer.set_enabled(self.page > 0)
        self.older.set_enabled(self.seen is not None and (self.page + 1) * LISTED < self.seen.count)

    def _stored(self) -> tuple[list[tuple[int, Record]], list[tuple[int, Record]]]:
        with opened() as store:
            return store.latest(self.number, BOARDS), store.latest(self.number, LISTED, self.page * LISTED)

    def _row(self, place: int, record: Record) -> str:
        won = [" won" if record.score == score else "" for score in (1, 0)]
        names = " – ".join(
            f'<span class="seat{seat}{won[seat]}">{escape(self.called(agent))}</span>'
            for seat, agent in enumerate(record.agents)
        )
        fault = f" · {escape(self.visit.translate(record.ending.words))}" if record.ending.is_fault else ""
        return (
            f'<a href="/watch/{self.number}/{place}"><b>{place}</b> {names} '
            f"<small>{self._result(record)} · {len(record.actions)}{fault}</small></a>"
        )

    @staticmethod
    def _result(record: Record) -> str:
        return {1.0: "1–0", 0.5: "½–½", 0.0: "0–1"}[record.score]

    def _board(self, place: int, record: Record) -> str:
        drawing = snapshot(record, self.visit.language)
        return (
            f'<a class="card game" href="/watch/{self.number}/{place}"><div class="small-board">{drawing}</div>'
            f"<p><b>{place}</b> {escape(' – '.join(map(self.called, record.agents)))} "
            f"<small>{self._result(record)}</small></p></a>"
        )

    # What is being played

    async def _move(self) -> None:
        found = await threads.io_bound(live_matches, self.path, self.number)
        if found is None:
            return
        for name in [name for name in self.cards if name not in found]:
            self.cards.pop(name).delete()
        for name, match in found.items():
            if match is not None and name not in self.cards:
                with self.stage:
                    self.cards[name] = _LiveCard(self.visit, self.number, self.called)
            if name in self.cards:
                self.cards[name].show(match)
        self.now.set_visibility(bool(self.cards))


class _LiveCard:
    """The match that one worker plays, a link to it; between two matches the last position stays, dimmed."""

    def __init__(self, visit: Visit, run: int, called: Callable[[str], str]) -> None:
        self.visit, self.run, self.called = visit, run, called
        self.shown: LiveMatch | None = None
        with ui.element("a").classes("card game live") as self.link:
            self.board = raw().classes("small-board")
            self.caption = raw(tag="p")

    def delete(self) -> None:
        """The worker is gone."""
        self.link.delete()

    def show(self, match: LiveMatch | None) -> None:
        """The position as it is now."""
        if match == self.shown:
            return
        if match is None:
            self.link.classes(add="over")
        elif self.shown is None or self.shown.place != match.place:
            self.link.classes(remove="over").props(f'href="/watch/{self.run}/{match.place}"')
        self.shown = match
        if match is not None:
            record = match.record
            self.board.set_content(snapshot(record, self.visit.language))
            count = self.visit.say_count("{count} action", "{count} actions", len(record.actions))
            names = " – ".join(
                f'<span class="seat{seat}">{escape(self.called(agent))}</span>'
                for seat, agent in enumerate(record.agents)
            )
            self.caption.set_content(f"<b>{match.place}</b> {names} <small>{escape(count)}</small>")
