"""The page of a run: live boards, ranking, crosstable and stored matches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape

from nicegui import run as threads
from nicegui import ui
from nicegui.events import GenericEventArguments

from ludoteca.agents.identity import Identity
from ludoteca.arena.results import SeriesResult, TournamentResult
from ludoteca.errors import InvalidStore, LudotecaError
from ludoteca.games.details import seat_variables
from ludoteca.messages import say
from ludoteca.play.live_matches import LiveMatch, live_matches
from ludoteca.play.record import Record
from ludoteca.play.store import Run, default_path
from ludoteca.ratings.elo import Interval, show_elo
from ludoteca.reports.standings import distinct_note
from ludoteca.reports.text_table import percent
from ludoteca.web.drawing.board import snapshot
from ludoteca.web.drawing.charts import ELO_HELP, crosstable, rating_table
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, game_title, raw, while_connected
from ludoteca.web.pages.ladder_table import limit_text
from ludoteca.web.serving.allowed_specs import cached_game
from ludoteca.web.serving.polling import Pollers
from ludoteca.web.tables.runs import (
    LISTED,
    MatchPage,
    RunResults,
    RunStatus,
    find_run,
    head_to_head,
    match_page,
    open_store,
    run_status,
)

BOARDS = 6  # of the latest matches
EVERY = 2.0  # seconds from one look at the results to the next
MOVING = 0.5  # seconds from one look at the boards to the next
KINDS = {
    "round-robin": say("round-robin"),
    "swiss": say("Swiss tournament"),
    # Translators: a tournament in which one agent meets all others
    "gauntlet": say("gauntlet"),
    "references": say("everybody against the references"),
    "knockout": say("knock-out"),
    "series": say("match of two"),
    "page": say("Your finished matches"),
    "terminal": say("Matches in the terminal"),
}


def run_kind(visit: Visit, run: Run) -> str:
    """The kind of a run, in the visitor's language."""
    kind = str(run.key.get("format", run.key.get("kind")))
    return visit.translate(KINDS[kind]) if kind in KINDS else kind


def result_text(record: Record) -> str:
    """The result as two scores, that of seat 0 first."""
    return {1.0: "1–0", 0.5: "½–½", 0.0: "0–1"}[record.score]


class RunPage:
    """One tab that shows a run; updated while it is open.

    A visitor who comes while others watch the same run sees their latest values at once.
    """

    def __init__(self, visit: Visit, number: int, pollers: Pollers) -> None:
        self.visit, self.number = visit, number
        path = default_path()
        self.results = pollers.get((path, number), partial(run_status, number), EVERY)
        self.live = pollers.get((path, number, "live"), partial(live_matches, path, number), MOVING)
        self.seen: RunResults | None = None
        self.page = 0
        """The page of the list of stored matches; the first has the newest."""
        self.pictured: MatchPage = ()
        """The matches whose boards are shown."""
        self.cards: dict[str, LiveCard] = {}
        self.stage: ui.element | None = None

    @property
    def known(self) -> bool:
        """Whether others watch this run now."""
        return isinstance(self.results.latest, RunStatus)

    def build(self) -> None:
        """Makes the elements. Raises NotFound and InvalidStore before anything is shown."""
        say, found = self.visit.say, self.results.latest
        if isinstance(found, RunStatus):
            run = found.results.run
        else:
            with open_store() as store:
                run = find_run(store, self.number)
        self.names = self.visit.agents(map(Identity.from_json, run.key.get("agents", ())))
        game = cached_game(str(run.key.get("game")))
        title = f"{game_title(game, self.visit.language)}: {run_kind(self.visit, run)}"
        ui.page_title(f"{title} · Ludoteca")
        run_name = escape(say("Run {number}", number=self.number))
        # Elements make a page expensive: so there is one for each part that changes on its own.
        raw(
            f'<a href="/watch">← {escape(say("Watch"))}</a>'
            f'<h1 class="title">{escape(title)} <small>{run_name}</small></h1>'
        ).classes("stack")
        self.state = raw().classes("run-state").props('role=status aria-live="polite"')
        self.now = ui.element("div").classes("now").style(seat_variables(game))
        self.standings = raw().classes("stack")
        self.boards = raw()
        with ui.element("section").classes("card"):
            self.pager = raw().on("click", self._turn, js_handler="(e) => ludoteca.command(e, emit)")
            self.list = raw().classes("stored").style(seat_variables(game))
        self.client = ui.context.client
        while_connected(self._subscribe, self._unsubscribe)
        if found is not None:
            self._show_status(found)

    def _subscribe(self) -> None:
        self.results.subscribe(self._show_status)
        self.live.subscribe(self._move)

    def _unsubscribe(self) -> None:
        self.results.unsubscribe(self._show_status)
        self.live.unsubscribe(self._move)

    def called(self, agent: Identity) -> str:
        """The title of an agent of this run."""
        return self.names.get(agent) or self.visit.agent(agent.spec)

    # Results

    def _show_status(self, found: RunStatus | LudotecaError) -> None:
        if isinstance(found, LudotecaError):  # the store was deleted meanwhile
            self.state.set_content(escape(self.visit.explain(found)))
            return
        self._show_progress(found.results, found.playing)
        self._show_boards(found.latest[:BOARDS])
        if found.results is self.seen:
            return
        self.seen = found.results
        self._show(found.results)
        if self.page == 0:
            self._list(found.latest)

    def _show_progress(self, seen: RunResults, playing: bool) -> None:
        say, key = self.visit.say, seen.run.key
        if seen.outcome.complete:
            done = say("complete")
        else:
            done = say("in progress") if playing else say("interrupted: run the same command to continue")
        facts = [
            self.visit.game(str(key.get("game"))),
            limit_text(self.visit, str(key.get("limit"))),
            say("{count} of {total} matches", count=seen.count, total=seen.total),
            done,
        ]
        if seen.outcome.distinct < seen.outcome.matches:
            facts.append(self.visit.translate(distinct_note(seen.outcome.matches, seen.outcome.distinct)))
        share = min(1.0, seen.count / max(1, seen.total))
        self.state.set_content(
            f'<p>{escape(" · ".join(facts))}</p><div class="done"><i style="width:{share:.1%}"></i></div>'
        )

    def _show(self, seen: RunResults) -> None:
        say, outcome = self.visit.say, seen.outcome
        parts = [
            f'<section class="card scroll"><h2 class="subtitle">{escape(say("Ranking"))}</h2>'
            f"{self._ranking(outcome, seen.intervals)}<small>{escape(self.visit.translate(ELO_HELP))}</small></section>"
        ]
        if isinstance(outcome, TournamentResult):
            agents = list(outcome.ranking)
            counts = [[head_to_head(outcome, one, other) for other in agents] for one in agents]
            how = say(
                "The share of the points that the row scored against the column; then matches won, drawn and lost."
            )
            parts.append(
                f'<section class="card scroll"><h2 class="subtitle">{escape(say("Who beat whom"))}</h2>'
                f"{crosstable([self.called(agent) for agent in agents], counts)}<small>{escape(how)}</small></section>"
            )
        self.standings.set_content("".join(parts))

    def _ranking(self, outcome: SeriesResult | TournamentResult, intervals: dict[Identity, Interval]) -> str:
        say = self.visit.say
        rows: list[list[str | Interval]] = []
        if isinstance(outcome, SeriesResult):
            means, returns = outcome.mean_returns, [say("Return (95%)")] if outcome.mean_returns else []
            heads = [
                say("Agent"),
                *returns,
                say("Won"),
                say("Drawn"),
                say("Lost"),
                say("Score"),
                "Elo",
                say("95% interval"),
            ]
            for seat, (agent, row) in enumerate(zip(outcome.agents, outcome.table(), strict=True)):
                interval, earned = intervals[agent], [str(means[seat])] if means else []
                counts = [str(row[name]) for name in ("wins", "draws", "losses")]
                rows.append(
                    [self.called(agent), *earned, *counts, percent(row["score"]), show_elo(interval.elo), interval]
                )
            return rating_table(heads, rows)
        returns = [say("Return (95%)")] if outcome.mean_returns else []
        heads = [say("Agent"), *returns, say("Points"), say("Matches"), "Elo", say("95% interval")]
        for place, agent in enumerate(outcome.ranking, start=1):
            interval = intervals.get(agent, Interval(0.0, float("-inf"), float("inf")))
            played = sum(sum(counts) for pair, counts in outcome.counts.items() if agent in pair)
            points = f"{outcome.points[agent]:g}"
            rows.append(
                [
                    f"{place}. {self.called(agent)}",
                    *([str(outcome.mean_returns[agent])] if outcome.mean_returns else []),
                    points,
                    str(played),
                    show_elo(interval.elo) if played else "",
                    interval,
                ]
            )
        return rating_table(heads, rows)

    # Stored matches

    async def _turn(self, event: GenericEventArguments) -> None:
        """Goes to newer or older matches of the list."""
        match event.args:
            case ["do", "newer"]:
                page = max(0, self.page - 1)
            case ["do", "older"] if self._has_older:
                page = self.page + 1
            case _:
                return
        if self.seen is not None and (found := await threads.io_bound(_stored, self.seen, page)) is not None:
            self.page = page
            self._list(found)

    @property
    def _has_older(self) -> bool:
        return self.seen is not None and (self.page + 1) * LISTED < self.seen.count

    def _show_boards(self, latest: MatchPage) -> None:
        # Not in the first document: escaping the pictures there takes longer than building the page.
        if latest == self.pictured or not self.client.has_socket_connection:
            return
        self.pictured = latest
        drawn = "".join(self._board(place, record) for place, record in latest)
        heading = escape(self.visit.say("Latest matches"))
        self.boards.set_content(f'<h2 class="subtitle">{heading}</h2><div class="games">{drawn}</div>')

    def _list(self, found: MatchPage) -> None:
        say = self.visit.say
        ends = f"{found[0][0]} – {found[-1][0]}" if found else ""
        newer = _arrow("newer", say("Newer"), "chevron_left", enabled=self.page > 0)
        older = _arrow("older", say("Older"), "chevron_right", enabled=self._has_older)
        heading = escape(say("All matches, with replay"))
        self.pager.set_content(f'<h2 class="subtitle">{heading}</h2><div class="row">{newer}{older}{ends}</div>')
        self.list.set_content("".join(self._row(place, record) for place, record in found))

    def _row(self, place: int, record: Record) -> str:
        won = [" won" if record.score == score else "" for score in (1, 0)]
        names = " – ".join(
            f'<span class="seat{seat}{won[seat]}">{escape(self.called(agent))}</span>'
            for seat, agent in enumerate(record.agents)
        )
        fault = f" · {escape(self.visit.translate(record.ending.words))}" if record.ending.is_fault else ""
        return (
            f'<a href="/watch/{self.number}/{place}"><b>{place}</b> {names} '
            f"<small>{result_text(record)} · {len(record.actions)}{fault}</small></a>"
        )

    def _board(self, place: int, record: Record) -> str:
        drawing = snapshot(record, self.visit.language, narrow=self.visit.narrow)
        return (
            f'<a class="card game" href="/watch/{self.number}/{place}"><div class="small-board">{drawing}</div>'
            f"<p><b>{place}</b> {escape(' – '.join(map(self.called, record.agents)))} "
            f"<small>{result_text(record)}</small></p></a>"
        )

    # Live matches

    def _move(self, found: dict[str, LiveMatch | None]) -> None:
        for name in [name for name in self.cards if name not in found]:
            self.cards.pop(name).delete()
        for name, match in found.items():
            if match is not None and name not in self.cards:
                with self._stage():
                    self.cards[name] = LiveCard(self.visit, self.number, self.called)
            if name in self.cards:
                self.cards[name].show(match)
        self.now.set_visibility(bool(self.cards))

    def _stage(self) -> ui.element:
        """The element of the live boards; made for the first."""
        if self.stage is None:
            with self.now, ui.element("section").classes("card"):
                now = escape(self.visit.say("Being played now"))
                raw(f"<span class='pulse' aria-hidden='true'></span>{now}", tag="h2").classes("subtitle")
                self.stage = ui.element("div").classes("games")
        return self.stage


def _stored(seen: RunResults, page: int) -> MatchPage | None:
    """A page of the list; None if the store is gone."""
    try:
        return match_page(seen, page)
    except (InvalidStore, NotFound):
        return None


def _arrow(command: str, name: str, icon: str, *, enabled: bool) -> str:
    """A button with an icon and no text."""
    label = escape(name, quote=True)
    state = "" if enabled else " disabled"
    return (
        f'<button type="button" class="control" data-do="{command}" title="{label}" aria-label="{label}"{state}>'
        f'<i class="material-icons" aria-hidden="true">{icon}</i></button>'
    )


class LiveCard:
    """The match that one worker plays, with a link to it; between two matches the last position stays, dimmed."""

    def __init__(self, visit: Visit, run: int, called: Callable[[Identity], str]) -> None:
        self.visit, self.run, self.called = visit, run, called
        self.shown: LiveMatch | None = None
        with ui.element("a").classes("card game live") as self.link:
            self.board = raw().classes("small-board")
            self.caption = raw(tag="p")

    def delete(self) -> None:
        """Removes the card: the worker has ended."""
        self.link.delete()

    def show(self, match: LiveMatch | None) -> None:
        """Shows the position; None: the worker plays no match now."""
        if match == self.shown:
            return
        if match is None:
            self.link.classes(add="over")
        elif self.shown is None or self.shown.place != match.place:
            self.link.classes(remove="over").props(f'href="/watch/{self.run}/{match.place}"')
        self.shown = match
        if match is not None:
            record = match.record
            self.board.set_content(snapshot(record, self.visit.language, narrow=self.visit.narrow))
            count = self.visit.say_count("{count} action", "{count} actions", len(record.actions))
            names = " – ".join(
                f'<span class="seat{seat}">{escape(self.called(agent))}</span>'
                for seat, agent in enumerate(record.agents)
            )
            self.caption.set_content(f"<b>{match.place}</b> {names} <small>{escape(count)}</small>")
