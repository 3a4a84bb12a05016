"""The page Watch: the show match, two agents of one's choice, tournaments, and matches from a file."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date
from html import escape

from nicegui import app, ui
from nicegui import run as threads
from nicegui.events import GenericEventArguments, UploadEventArguments
from starlette.requests import Request
from starlette.responses import Response

from ludoteca.agents.identity import Identity
from ludoteca.dates import say_day
from ludoteca.errors import InvalidStore, LudotecaError
from ludoteca.messages import say
from ludoteca.play.live_matches import live_matches
from ludoteca.play.match import Match
from ludoteca.play.store import Run, default_path
from ludoteca.web.app_state import AppState
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, page, raw, while_connected
from ludoteca.web.pages.match_links import asked_ply
from ludoteca.web.pages.replay.downloads import answer
from ludoteca.web.pages.replay.page import Replay, ReplayedMatch
from ludoteca.web.pages.training.page import link_to_trainings
from ludoteca.web.pages.watch import finished_matches
from ludoteca.web.pages.watch.ladders import build_ladder, find_ladder, find_ladder_match, ladder_list
from ludoteca.web.pages.watch.run import EVERY, MOVING, RunPage, run_kind
from ludoteca.web.pages.watch.show import ShowTab
from ludoteca.web.pages.watch.two_agents import two_agents_form
from ludoteca.web.serving.polling import Pollers
from ludoteca.web.tables.runs import NO_MATCHES, find_match, find_run, open_store
from ludoteca.web.tables.upload_process import UploadTitle
from ludoteca.web.tables.uploads import MOST_BYTES

RUNS = 100  # listed
KINDS = (".sgf", ".json", ".jsonl", ".txt")  # of files that can be replayed
REFUSED = "(entries) => emit(entries[0].failedPropValidation, entries[0].file.name)"


def register(app_state: AppState) -> None:
    """The pages at ``/watch``, ``/watch/<run>`` and ``/watch/<run>/<match>``.

    A run is the number of one in the store, or the name of a ladder that comes with Ludoteca.
    """
    app.on_startup(app_state.show.prepare)

    @page("/watch")
    def runs(visit: Visit, request: Request) -> None:
        ui.page_title(f"{visit.say('Watch')} · Ludoteca")
        raw(escape(visit.say("Watch")), tag="h1").classes("title")
        runs = _Runs(visit, app_state.pollers)
        if runs.found:
            runs.build()
        ShowTab(visit, app_state.show).build()
        raw(two_agents_form(visit))
        heading = escape(visit.say("Tournaments of our agents, with replays"))
        raw(f'<h2 class="subtitle">{heading}</h2>{ladder_list(visit)}', tag="section").classes("card matches")
        if not runs.found:
            runs.build()
        link_to_trainings(visit, app_state)
        _upload(app_state, visit)

    @page("/watch/{run}")
    def run(visit: Visit, request: Request) -> None:
        if (ladder := find_ladder(request.path_params["run"])) is not None:
            build_ladder(visit, ladder)
            return
        number = _number(request.path_params["run"])
        run_page = RunPage(visit, number, app_state.pollers)
        if run_page.known or not finished_matches.build_list(visit, number):
            run_page.build()

    @page("/watch/{run}/{place}")
    def match(visit: Visit, request: Request) -> None:
        run, place = request.path_params["run"], _number(request.path_params["place"])
        ladder = find_ladder(run)
        back = visit.say("Run {number}", number=run) if ladder is None else visit.game(ladder.game)
        replayed = _find_any(visit, run, place)
        count = len(replayed.match.actions)
        raw(f'<a href="/watch/{escape(run, quote=True)}">← {escape(back)}</a>')
        at = asked_ply(request, count, count if replayed.state == "live" else 0)
        replay = Replay(app_state, visit, replayed, at, alone=True)
        replay.build()
        if replayed.state == "live":
            _follow(replay, _number(run), place)

    def load(request: Request, run: str, place: str, kind: str) -> Response:
        visit = Visit.of(request)

        def found() -> Match:
            replayed = _find_any(visit, run, _number(place))
            if replayed.state == "live":
                raise NotFound(say("This match is still being played."))
            return replayed.match

        return answer(visit, kind, f"ludoteca-{run}-{place}", found)

    load.__annotations__ = {"request": Request, "run": str, "place": str, "kind": str, "return": Response}
    app.get("/watch/{run}/{place}/match.{kind}")(load)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise NotFound("{text!r} is not the number of a run or a match", text=text[:40])
    return int(text)


def _find_any(visit: Visit, run: str, place: int) -> ReplayedMatch:
    """A match of a ladder, of people or of a run of the arena. Raises NotFound and InvalidStore."""
    if (ladder := find_ladder(run)) is not None:
        return find_ladder_match(ladder, place)
    number = _number(run)
    return finished_matches.finished_match(visit, number, place) or _find_replayed(number, place)


def _find_replayed(number: int, place: int) -> ReplayedMatch:
    """A match of a run, live or stored. Raises NotFound and InvalidStore."""
    address = f"/watch/{number}/{place}"
    with open_store() as store:
        run = find_run(store, number)
        for live in live_matches(store.path, run.id).values():
            if live is not None and live.place == place:
                return ReplayedMatch.of_live(live, address)
        return ReplayedMatch.of_record(find_match(store, run, place), address)


def _follow(replay: Replay, number: int, place: int) -> None:
    """Keeps a replay up to date with a live match until it is over."""

    def found() -> ReplayedMatch | None:
        try:
            return _find_replayed(number, place)
        except (InvalidStore, NotFound):
            return None

    async def update() -> None:
        replayed = await threads.io_bound(found) or replace(replay.replayed, state="stopped")
        shown = replay.replayed
        if (replayed.state, replayed.match.actions) != (shown.state, shown.match.actions):
            replay.grow(replayed)
        if replayed.state == "over":
            timer.deactivate()

    timer = ui.timer(MOVING, update)


class _Runs:
    """The runs in the store, the newest first; updated while the page is open."""

    def __init__(self, visit: Visit, pollers: Pollers) -> None:
        self.visit = visit
        self.arena = pollers.get((default_path(), "runs"), _arena_runs, EVERY)
        self.own = _own_runs(visit.visitor)
        self.found = self._with_own(_arena_runs() if self.arena.latest is None else self.arena.latest)

    def build(self) -> None:
        with ui.element("section").classes("card"):
            raw(escape(self.visit.say("Your tournaments and matches")), tag="h2").classes("subtitle")
            self.list = raw(self._rows()).classes("matches runs")
        while_connected(lambda: self.arena.subscribe(self._update), lambda: self.arena.unsubscribe(self._update))

    def _update(self, arena: list[_Listed]) -> None:
        if (found := self._with_own(arena)) != self.found:
            self.found = found
            self.list.set_content(self._rows())

    def _with_own(self, arena: list[_Listed]) -> list[_Listed]:
        return sorted(self.own + arena, key=lambda each: -each[0].id)

    def _rows(self) -> str:
        rows = "".join(self._row(*each) for each in self.found)
        return rows or f"<p>{escape(self.visit.translate(NO_MATCHES))}</p>"

    def _row(self, run: Run, count: int, live: bool) -> str:
        say = self.visit.say
        now = f'<span class="pulse" title="{escape(say("Being played now"), quote=True)}"></span>' if live else ""
        played = self.visit.say_count("{count} match", "{count} matches", count)
        agents = ", ".join(self.visit.agents(map(Identity.from_json, run.key.get("agents", ()))).values())
        day = self.visit.translate(say_day(date.fromisoformat(run.created[:10])))
        game = self.visit.game(str(run.key.get("game", "")))
        about = " · ".join(part for part in (run_kind(self.visit, run), game, agents) if part)
        return (
            f'<div class="match"><a class="grow" href="/watch/{run.id}">{now}<b>{run.id}</b> {escape(about)}</a>'
            f"<small>{escape(played)} · {escape(day)}</small></div>"
        )


_Listed = tuple[Run, int, bool]
"""A run, the number of its matches for a visitor, and whether it is live."""


def _arena_runs() -> list[_Listed]:
    """The newest runs of the arena."""
    try:
        with open_store() as store:
            newest = [run for run in store.runs()[-RUNS:] if not finished_matches.is_standing(run)]
            return [(run, store.count(run.id), store.being_played(run.id)) for run in newest]
    except NotFound:
        return []


def _own_runs(visitor: str) -> list[_Listed]:
    """The runs of people in which a visitor may see a finished match."""
    try:
        with open_store() as store:
            standing = [run for run in store.runs() if finished_matches.is_standing(run)]
            counted = [(run, len(finished_matches.finished(store, run, visitor)), False) for run in standing]
            return [each for each in counted if each[1]]
    except NotFound:
        return []


def _upload(app_state: AppState, visit: Visit) -> None:
    with ui.element("section").classes("card"):
        raw(escape(visit.say("Replay a file")), tag="h2").classes("subtitle")
        ui.label(visit.say("Matches as lines of JSON (ludoteca export), or Hex as SGF."))
        box = ui.element("div")

        client, uploads = ui.context.client, app_state.uploads
        client.on_delete(lambda: uploads.forget(client.id))

        async def received(event: UploadEventArguments) -> None:
            try:
                upload = await uploads.read(await event.file.read(), visit.address)
            except LudotecaError as error:
                ui.notify(visit.explain(error), type="warning", multi_line=True)
                return
            uploads.keep(client.id, upload)
            chooser.set_options({place: _title(visit, title) for place, title in enumerate(upload.titles)}, value=0)
            chooser.set_visibility(len(upload.titles) > 1)
            await show(0)

        async def show(place: object) -> None:
            try:
                upload = uploads.kept(client.id)
            except LudotecaError as error:
                ui.notify(visit.explain(error), type="warning", multi_line=True)
                return
            if isinstance(place, int) and 0 <= place < len(upload.lines):
                replayed = await asyncio.to_thread(lambda: ReplayedMatch.of_record(upload.record(place)))
                box.clear()
                with box:
                    Replay(app_state, visit, replayed, 0).build()

        def refused(event: GenericEventArguments) -> None:
            ui.notify(_why_refused(visit, event.args), type="warning", multi_line=True)

        # The uploader has no label for screen readers; our own button opens it.
        raw(f'<button type="button" class="button" data-pick>{escape(visit.say("Choose a file"))}</button>')
        upload = ui.upload(on_upload=received, auto_upload=True, max_file_size=MOST_BYTES).classes("uploader")
        upload.props(f"accept={','.join(KINDS)}")
        upload.on("rejected", refused, js_handler=REFUSED)
        chooser = ui.select({}, on_change=lambda event: show(event.value)).classes("field")
        chooser.set_visibility(False)
        box.move()


def _why_refused(visit: Visit, rejection: object) -> str:
    """Why the browser refused to send a file: its type, or else its size."""
    match rejection:
        case [str(check), str(name)] if check != "max-file-size":
            kinds = ", ".join(KINDS)
            return visit.say(
                "{name} cannot be replayed: choose a file that ends in {kinds}.", name=name[:80], kinds=kinds
            )
        case _:
            return visit.say("That file is too large: the limit is {most} kB.", most=MOST_BYTES // 1000)


def _title(visit: Visit, title: UploadTitle) -> str:
    called = visit.agents(title.agents)
    names = " – ".join(called[agent] for agent in title.agents)
    return f"{visit.game(title.game)} · {names} · {title.score:+g}"
