"""Tournaments as they go, stored matches, and matches from a file."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from nicegui import run as threads
from nicegui import ui
from nicegui.events import UploadEventArguments
from starlette.requests import Request

from ludoteca.arena.api import plan_of, reviewed
from ludoteca.arena.elo import show_elo
from ludoteca.arena.record import Record
from ludoteca.arena.results import TournamentResult
from ludoteca.arena.store import Store, default_path
from ludoteca.errors import InvalidStore, LudotecaError
from ludoteca.web.board import board
from ludoteca.web.frame import NotFound, Visit, page, raw
from ludoteca.web.host import House
from ludoteca.web.pages.replay import Replay, Story
from ludoteca.web.records import MOST_BYTES, read_file

__all__ = ["register"]

BOARDS = 6  # of the latest matches
LISTED = 60  # matches of a run that are listed
EVERY = 2.0  # seconds from one look at a run to the next


def register(house: House) -> None:
    """The pages at ``/watch``, ``/watch/<run>`` and ``/watch/<run>/<match>``."""

    @page("/watch")
    def runs(visit: Visit, request: Request) -> None:
        ui.label(visit.say("watch")).classes("title")
        _runs(visit)
        _upload(house, visit)

    @page("/watch/{run}")
    def run(visit: Visit, request: Request) -> None:
        number = _number(request.path_params["run"])
        _RunPage(visit, number).build()

    @page("/watch/{run}/{place}")
    def match(visit: Visit, request: Request) -> None:
        number, place = _number(request.path_params["run"]), _number(request.path_params["place"])
        with _opened() as store:
            record = store.record(store.find(str(number)).id, place)
        raw(f'<a href="/watch/{number}">← {escape(visit.say("run", number=number))}</a>')
        Replay(house, visit, Story.of_record(record), 0).build()


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise NotFound(f"{text[:40]!r} is no number of a run or a match")
    return int(text)


def _opened() -> Store:
    """The arena's store. Raises NotFound where nothing has been played: looking must not make a file."""
    path = Path(default_path())
    if not path.exists():
        raise NotFound("no match has been kept here yet; play some with: ludoteca tournament")
    return Store(path)


def _runs(visit: Visit) -> None:
    with ui.element("section").classes("card"):
        ui.label(visit.say("runs")).classes("subtitle")
        try:
            with _opened() as store:
                rows = [(run, store.count(run.id)) for run in reversed(store.runs())][:100]
        except NotFound as error:
            ui.label(str(error))
            return
        raw("".join(
            f'<div class="match"><a class="grow" href="/watch/{run.id}"><b>{run.id}</b> '
            f"{escape(str(run.key.get('format', run.key.get('kind'))))} · {escape(str(run.key.get('game')))} · "
            f"{escape(', '.join(run.key.get('agents', [])))}</a><small>{count} · {escape(run.created)}</small></div>"
            for run, count in rows
        )).classes("matches")  # fmt: skip


def _upload(house: House, visit: Visit) -> None:
    with ui.element("section").classes("card"):
        ui.label(visit.say("upload")).classes("subtitle")
        ui.label(visit.say("upload_help"))
        box = ui.element("div")

        async def received(event: UploadEventArguments) -> None:
            try:
                records = read_file(await event.file.read())
            except LudotecaError as error:
                ui.notify(str(error).split("\n")[0], type="warning", multi_line=True)
                return
            chooser.set_options({place: _title(record) for place, record in enumerate(records)}, value=0)
            chooser.set_visibility(len(records) > 1)
            shown.update(records=records)
            show(0)

        shown: dict[str, list[Record]] = {}

        def show(place: object) -> None:
            records = shown.get("records", [])
            if isinstance(place, int) and 0 <= place < len(records):
                box.clear()
                with box:
                    Replay(house, visit, Story.of_record(records[place]), 0).build()

        def refused() -> None:
            ui.notify(visit.say("upload_refused", most=MOST_BYTES // 1000), type="warning")

        ui.upload(on_upload=received, on_rejected=refused, auto_upload=True, max_file_size=MOST_BYTES).props(
            "accept=.sgf,.json,.jsonl,.txt flat bordered"
        ).classes("field")
        chooser = ui.select({}, on_change=lambda event: show(event.value)).classes("field")
        chooser.set_visibility(False)
        box.move()


def _title(record: Record) -> str:
    return f"{record.game} · {' – '.join(record.agents)} · {record.returns[0]:+g}"


@dataclass
class _Seen:
    """What a look at a run found; made in a thread."""

    count: int
    complete: bool
    table: list[dict[str, Any]]
    crosstable: list[list[str]]
    agents: list[str]
    latest: list[tuple[int, Record]]
    heading: str


def _look(number: int, known: int) -> _Seen | None:
    """How a run stands; None when nothing is new since `known` matches."""
    with _opened() as store:
        run = store.find(str(number))
        count = store.count(run.id)
        if count == known:
            return None
        result = reviewed(store, run)
        played = len(result.records)
        latest = [(place, store.record(run.id, place)) for place in range(max(0, played - BOARDS), played)]
    key = plan_of(run).key()
    heading = f"{key.get('format', key.get('kind'))} · {key.get('game')} · {key.get('limit')}"
    if isinstance(result, TournamentResult):
        agents = list(result.ranking)
        table = _ranking(result)
        cross = [[_against(result, one, other) for other in agents] for one in agents]
    else:
        agents, table, cross = list(result.agents), result.table(), []
    return _Seen(count, result.complete, table, cross, agents, latest[::-1], heading)


def _ranking(result: TournamentResult) -> list[dict[str, Any]]:
    rows = []
    for place, agent in enumerate(result.ranking, start=1):
        row: dict[str, Any] = {"place": place, "agent": agent, "points": result.points[agent]}
        rows.append(row)
    try:
        ratings = {str(each["agent"]): each for each in result.ratings.table()}
    except (LudotecaError, ValueError, ArithmeticError):
        return rows
    for row in rows:
        rated = ratings.get(row["agent"], {})
        row |= {name: rated[name] for name in ("elo", "low", "high") if name in rated}
    return rows


def _against(result: TournamentResult, one: str, other: str) -> str:
    """What `one` scored against `other`, as wins, draws and losses."""
    if one == other:
        return "–"
    wins, draws, losses = result.counts.get((one, other), (0, 0, 0))
    lost, drawn, won = result.counts.get((other, one), (0, 0, 0))
    return f"+{wins + won} ={draws + drawn} −{losses + lost}" if wins + draws + losses + lost + drawn + won else ""


class _RunPage:
    """A run with its ranking, crosstable and latest boards, brought up to date while somebody looks."""

    def __init__(self, visit: Visit, number: int) -> None:
        self.visit, self.number, self.count = visit, number, -1

    def build(self) -> None:
        with _opened() as store:
            store.find(str(self.number))  # raises before anything is shown
        ui.label(self.visit.say("run", number=self.number)).classes("title")
        self.heading = ui.label()
        with ui.element("section").classes("card"):
            self.table = raw()
        self.cross = raw().classes("scroll")
        self.boards = raw().classes("games")
        self.list = raw().classes("moves")
        self.timer = ui.timer(EVERY, self._update, immediate=True)

    async def _update(self) -> None:
        try:
            seen = await threads.io_bound(_look, self.number, self.count)
        except InvalidStore as error:
            self.heading.set_text(str(error).split("\n")[0])
            return
        if seen is None:
            return
        self.count = seen.count
        say = self.visit.say
        state = say("complete" if seen.complete else "in_progress")
        self.heading.set_text(f"{seen.heading} · {say('matches_played', count=seen.count)} · {state}")
        self.table.set_content(_html_table(seen.table))
        if seen.crosstable:
            heads = "".join(f"<th>{escape(agent)}</th>" for agent in seen.agents)
            rows = "".join(
                f"<tr><th>{escape(agent)}</th>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
                for agent, row in zip(seen.agents, seen.crosstable, strict=True)
            )
            self.cross.set_content(f'<table class="plain"><tr><th></th>{heads}</tr>{rows}</table>')
        self.boards.set_content("".join(self._board(place, record) for place, record in seen.latest))
        first = max(0, seen.count - LISTED)
        links = (f'<a href="/watch/{self.number}/{place}">{place}</a>' for place in range(first, seen.count))
        self.list.set_content(" ".join(links))
        if seen.complete:
            self.timer.deactivate()

    def _board(self, place: int, record: Record) -> str:
        view = Story.of_record(record).match.view(0)
        drawing = board(view, playable=False, language=self.visit.language)
        who = escape(" – ".join(record.agents))
        return (
            f'<a class="card game" href="/watch/{self.number}/{place}"><div class="small-board">{drawing}</div>'
            f"<p><b>{place}</b> {who} <small>{record.returns[0]:+g}</small></p></a>"
        )


def _html_table(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return ""

    def cell(name: str, value: object) -> str:
        if not isinstance(value, float):
            return escape(str(value))
        return show_elo(value) if name in ("elo", "low", "high") else f"{value:.4g}"

    heads = "".join(f"<th>{escape(str(name))}</th>" for name in rows[0])
    lines = ("".join(f"<td>{cell(name, value)}</td>" for name, value in row.items()) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<table class="plain"><tr>{heads}</tr>{body}</table>'
