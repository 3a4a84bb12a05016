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

__all__ = ["register"]

SHOWN = 12  # of the visitor's matches


def register(house: House) -> None:
    """The page at ``/``."""

    @page("/")
    def home(visit: Visit, request: Request) -> None:
        cards = "".join(_game_card(visit, name) for name in games.names())
        slogan = escape(visit.say("Play, watch and understand agents that play games"))
        raw(f'<p class="slogan">{slogan}</p><div class="games">{cards}</div>')
        _Matches(house, visit).build()


def _game_card(visit: Visit, name: str) -> str:
    line = visit.translate(GAMES[name].line) if name in GAMES else ""
    title = escape(game_title(name, visit.language))
    return (
        f'<article class="card game"><a href="/new/{name}" tabindex="-1" aria-hidden="true">'
        f'<img src="{visit.picture(name)}" alt="" width="300" height="220"></a>'
        f"<h2>{title}</h2><p>{escape(line)}</p>"
        f'<p class="row"><a class="button" href="/new/{name}" aria-label="{visit.say("Play")} {title}">'
        f'{visit.say("Play")}</a><a class="button quiet" href="/learn/{name}">{visit.say("How it is played")}</a></p>'
        f"</article>"
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
        rows = "".join(self._row(each.name) for each in kept)
        rows = rows or f"<p>{escape(say('No match yet: choose a game.'))}</p>"
        self._card.set_content(f'<h2 class="title">{escape(say("Your matches"))}</h2>{rows}')

    def _row(self, key: str) -> str:
        say = self.visit.say
        try:
            table = self.house.tables.find(self.visit.visitor, key)
        except InvalidTable:
            content = f'<span class="grow">{escape(say("cannot be read"))}</span>'
        else:
            who = " – ".join(say("You") if each == PERSON else each for each in table.names)
            count = self.visit.say_count("{count} action", "{count} actions", len(table.match.actions))
            content = (
                f'<a class="grow" href="/table/{key}"><b>{escape(table.game.spec)}</b> <span>{escape(who)}</span> '
                f'<small>{escape(count)}</small></a><a class="button quiet" href="/table/{key}">'
                f"{escape(say('Look') if table.over else say('Go on'))}</a>"
            )
        label = escape(say("Clear away"))
        clear = f'<button type="button" class="control" data-clear="{key}" aria-label="{label}">✕</button>'
        return f'<div class="match">{content}{clear}</div>'

    async def _clear(self, event: GenericEventArguments) -> None:
        if isinstance(event.args, str):
            await self.house.clear(self.visit.visitor, event.args)
            self._show()
