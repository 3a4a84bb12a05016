"""The pages ``/puzzles``, with the puzzle of the day and a list of all, and ``/puzzle/<game>/<number>``.

Proofs and refutations come with the puzzles, so answering one costs the server hardly anything. What a visitor has
solved is kept in their browser; see ``ludoteca.solved`` in page.js.
"""

from __future__ import annotations

import datetime
import json
from html import escape

from nicegui import ui
from starlette.requests import Request

from ludoteca.agents.puzzles.makers import MAKERS
from ludoteca.reports.puzzles.puzzle import LEVELS, daily, grades_of, puzzle
from ludoteca.web.app_state import AppState
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, game_title, page, raw
from ludoteca.web.pages.link_previews import add_preview
from ludoteca.web.pages.puzzles.board import PuzzleBoard, kind_title

MEDIUM, HARD = 4, 7
"""The lowest grades of the puzzles that are called so."""


def register(app_state: AppState) -> None:
    """The pages at ``/puzzles`` and ``/puzzle/<game>/<number>``."""

    @page("/puzzles")
    def contents(visit: Visit, request: Request) -> None:
        say = visit.say
        ui.page_title(f"{say('Puzzles')} · Ludoteca")
        day = _today()
        game, number = daily(day)
        raw(
            f'<h1 class="title">{escape(say("Puzzle of the day"))}: {escape(game_title(game, visit.language))}</h1>'
            f"{_streak(visit, day)}"
        )
        board = PuzzleBoard(visit, puzzle(game, number), f"{game}/{number}", "/puzzles#all", day.isoformat())
        add_preview(request, f"{say('Puzzle of the day')}: {game_title(game, visit.language)}", board.task, board.match)
        board.build()
        raw(escape(say("All puzzles")), tag="h2").classes("title").props("id=all")
        with ui.element("div").classes("puzzle-lists"):
            for each in filter(grades_of, sorted(MAKERS)):
                raw(_list(visit, each), tag="section").classes("card puzzles")

    @page("/puzzle/{name}/{number}")
    def one(visit: Visit, request: Request) -> None:
        name, text = request.path_params["name"], request.path_params["number"]
        known = grades_of(name) if name in MAKERS else ()
        if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= len(known)):
            raise NotFound("There is no such page: {path}", path=visit.path[:200])
        number = int(text)
        title = visit.say("Puzzle {number}: {game}", number=number, game=game_title(name, visit.language))
        ui.page_title(f"{title} · Ludoteca")
        after = f"/puzzle/{name}/{number % len(known) + 1}"
        raw(
            f'<h1 class="title grow">{escape(title)}</h1>'
            f'<a href="/puzzles#all">{escape(visit.say("All puzzles"))}</a>'
            f'<a href="{after}">{escape(visit.say("Next puzzle"))} →</a>'
        ).classes("row puzzle-head")
        board = PuzzleBoard(visit, puzzle(name, number), f"{name}/{number}", after)
        add_preview(request, title, board.task, board.match)
        board.build()


def todays_game() -> str:
    """The name of the game of the puzzle of the day."""
    return daily(_today())[0]


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()


def _streak(visit: Visit, day: datetime.date) -> str:
    """How many days in a row were solved; the browser fills it in."""
    words = {
        "none": visit.say("Solve one each day and count the days in a row."),
        "one": visit.say("1 day in a row"),
        "many": visit.say("COUNT days in a row"),
    }
    return f"<p class='soft' data-streak='{day.isoformat()}' data-words='{escape(json.dumps(words))}'></p>"


def _list(visit: Visit, name: str) -> str:
    """The puzzles of a game as numbers, the easy ones first."""
    say, grades = visit.say, grades_of(name)
    steps = [
        (say("Easy"), range(1, MEDIUM)), (say("Medium"), range(MEDIUM, HARD)), (say("Hard"), range(HARD, LEVELS + 2)),
    ]  # fmt: skip
    parts = [f'<h3 class="subtitle">{escape(game_title(name, visit.language))}</h3>']
    for title, within in steps:
        numbers = [number for number, (grade, _) in enumerate(grades, 1) if grade in within]
        if not numbers:
            continue
        links = "".join(
            f'<a href="/puzzle/{name}/{number}" data-puzzle="{name}/{number}" '
            f'title="{escape(kind_title(visit, grades[number - 1][1]), quote=True)}">{number}</a>'
            for number in numbers
        )
        parts.append(
            f"<details><summary>{escape(title)} <small>({len(numbers)})</small></summary>"
            f'<div class="numbers">{links}</div></details>'
        )
    return "".join(parts)
