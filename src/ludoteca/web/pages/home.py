"""The start page: the games, and the visitor's matches to go on with."""

from __future__ import annotations

from html import escape

from nicegui import ui
from starlette.requests import Request

from ludoteca import games
from ludoteca.web.frame import Visit, game_title, page, raw
from ludoteca.web.host import House
from ludoteca.web.lessons import GAMES
from ludoteca.web.table import PERSON, InvalidTable
from ludoteca.words import LANGUAGES

__all__ = ["register"]

SHOWN = 12  # of the visitor's matches


def register(house: House) -> None:
    """The page at ``/``."""

    @page("/")
    def home(visit: Visit, request: Request) -> None:
        ui.label(visit.say("slogan")).classes("slogan")
        raw("".join(_game_card(visit, name) for name in games.names())).classes("games")
        _matches(house, visit)


def _game_card(visit: Visit, name: str) -> str:
    line = GAMES[name]["line"][LANGUAGES.index(visit.language)] if name in GAMES else ""
    title = escape(game_title(name, visit.language))
    return (
        f'<article class="card game"><a href="/new/{name}" tabindex="-1" aria-hidden="true">'
        f'<img src="/picture/{name}.svg?language={visit.language}" alt="" width="300" height="220"></a>'
        f"<h2>{title}</h2><p>{escape(line)}</p>"
        f'<p class="row"><a class="button" href="/new/{name}" aria-label="{visit.say("play")} {title}">'
        f'{visit.say("play")}</a><a class="button quiet" href="/learn/{name}">{visit.say("how_to")}</a></p></article>'
    )


def _matches(house: House, visit: Visit) -> None:
    keys = house.tables.keys(visit.visitor)[:SHOWN]
    with ui.element("section").classes("card matches"):
        ui.label(visit.say("your_matches")).classes("title")
        if not keys:
            ui.label(visit.say("no_matches"))
        for key in keys:
            _match_row(house, visit, key)


def _match_row(house: House, visit: Visit, key: str) -> None:
    with ui.element("div").classes("match") as row:
        try:
            table = house.tables.find(visit.visitor, key)
        except InvalidTable:
            ui.label(visit.say("damaged")).classes("grow")
        else:
            who = " – ".join(visit.say("you") if each == PERSON else each for each in table.head.seats)
            count = visit.say("actions_played", count=len(table.match.actions))
            label = visit.say("look" if table.over else "go_on")
            raw(
                f'<a href="/table/{key}"><b>{escape(table.head.game)}</b> <span>{escape(who)}</span> '
                f"<small>{count}</small></a>"
            ).classes("grow")
            raw(f'<a class="button quiet" href="/table/{key}">{label}</a>')

        def clear() -> None:
            house.tables.clear(visit.visitor, key)
            row.delete()

        ui.button("✕", on_click=clear).props(f'flat dense aria-label="{visit.say("clear")}"').classes("quiet")
