"""The start page: the games, and the visitor's matches to go on with."""

from __future__ import annotations

from html import escape

from nicegui.events import GenericEventArguments
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
        cards = "".join(_game_card(visit, name) for name in games.names())
        raw(f'<p class="slogan">{escape(visit.say("slogan"))}</p><div class="games">{cards}</div>')
        _Matches(house, visit).build()


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


class _Matches:
    """The visitor's matches, as one text: a visitor who comes back may have dozens."""

    def __init__(self, house: House, visit: Visit) -> None:
        self.house, self.visit = house, visit

    def build(self) -> None:
        self._card = raw(tag="section").classes("card matches")
        self._card.on("click", self._clear, js_handler="(e) => ludoteca.cleared(e, emit)")
        self._show()

    def _show(self) -> None:
        kept, say = self.house.tables.of_visitor(self.visit.visitor)[:SHOWN], self.visit.say
        rows = "".join(self._row(each.name) for each in kept) or f"<p>{escape(say('no_matches'))}</p>"
        self._card.set_content(f'<h2 class="title">{escape(say("your_matches"))}</h2>{rows}')

    def _row(self, key: str) -> str:
        say = self.visit.say
        try:
            table = self.house.tables.find(self.visit.visitor, key)
        except InvalidTable:
            content = f'<span class="grow">{escape(say("damaged"))}</span>'
        else:
            who = " – ".join(say("you") if each == PERSON else each for each in table.names)
            count = say("actions_played", count=len(table.match.actions))
            content = (
                f'<a class="grow" href="/table/{key}"><b>{escape(table.game.spec)}</b> <span>{escape(who)}</span> '
                f'<small>{escape(count)}</small></a><a class="button quiet" href="/table/{key}">'
                f"{escape(say('look' if table.over else 'go_on'))}</a>"
            )
        clear = (
            f'<button type="button" class="control" data-clear="{key}" aria-label="{escape(say("clear"))}">✕</button>'
        )
        return f'<div class="match">{content}{clear}</div>'

    async def _clear(self, event: GenericEventArguments) -> None:
        if isinstance(event.args, str):
            await self.house.clear(self.visit.visitor, event.args)
            self._show()
