"""Setting a match up: the game's options, who sits where, how long agents may think.

One form, written as text: elements of the page would cost several times as much, and everybody comes by here.
"""

from __future__ import annotations

from html import escape
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request

from ludoteca import games, spec
from ludoteca.errors import InvalidGame, InvalidOption, LudotecaError
from ludoteca.messages import say
from ludoteca.web.asked import agent_options, agents_of, asked_agent, asked_game
from ludoteca.web.frame import NotFound, Visit, game_title, page, raw
from ludoteca.web.host import House
from ludoteca.web.pages.options import Given, labelled, option_fields, select, sent, written
from ludoteca.web.records import read_seed
from ludoteca.web.table import PERSON, Asked

__all__ = ["register", "strongest"]

LIMITS = [0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0]


def register(house: House) -> None:
    """The page at ``/new/<game>``; ``?game=``, ``?seats=`` and ``?limit=`` fill it in."""

    @page("/new/{name}")
    def new(visit: Visit, request: Request) -> None:
        name = request.path_params["name"]
        if name not in games.names():
            raise NotFound(
                say("no game is called {name!r}; the games are {games}", name=name[:80], games=games.names())
            )
        _Form(house, visit, name, dict(request.query_params)).build()


def strongest(name: str) -> str:
    """The agent to offer first: any but chance, where there is another."""
    known = agents_of(name)
    return next((each for each in known if each != "random"), known[0])


class _Form:
    """The fields of a match to be."""

    def __init__(self, house: House, visit: Visit, name: str, query: dict[str, str]) -> None:
        self.house, self.visit, self.name = house, visit, name
        given = asked_game(query.get("game", name))
        if given.name != name:
            raise InvalidGame(say("{given!r} is not {name}", given=given.spec[:80], name=name))
        options: dict[str, Any] = getattr(given, "options", {})
        self.given: Given = tuple((option, spec.show(value)) for option, value in options.items())
        self.seats = query.get("seats", f"{PERSON}|{strongest(name)}").split("|")
        if len(self.seats) != 2:
            raise InvalidGame(say("seats={seats!r} must be two, as in person|random", seats=query["seats"][:80]))
        for who in self.seats:
            if who != PERSON:
                asked_agent(who, name)
        self.limit = query.get("limit", "1s").removesuffix("s")
        if self.limit not in (offered := [f"{seconds:g}" for seconds in LIMITS]):
            limits = [f"{each}s" for each in offered]
            raise InvalidOption(say("limit={limit!r} is none of {limits}", limit=self.limit[:40], limits=limits))

    def build(self) -> None:
        visit, say = self.visit, self.visit.say
        raw(escape(say("New match of {game}", game=game_title(self.name, visit.language))), tag="h1").classes("title")
        limits = {f"{seconds:g}": say("{seconds:g} s", seconds=seconds) for seconds in LIMITS}
        swap = '<i class="material-icons" aria-hidden="true">swap_horiz</i>' + escape(say("Exchange the seats"))
        seed = '<input name="seed" inputmode="numeric" maxlength="20">'
        raw(
            f'<section class="card"><h2 class="subtitle">{escape(say("Who plays?"))}</h2><div class="seats">'
            f'{self._seat(0)}{self._seat(1)}</div><button type="button" class="control" data-swap>{swap}</button>'
            f"{labelled(say('Time per action'), select('limit', limits, self.limit))}"
            f'<button class="button begin">{escape(say("Begin"))}</button></section>'
            f'<section class="card"><h2 class="subtitle">{escape(say("Options of the game"))}</h2>'
            f"{option_fields(self.name, True, 'game', self.given, visit.language)}"
            f"{labelled(say('Seed (empty: a new deal)'), seed, say('Whoever knows it knows the deal.'))}</section>"
            f'<img src="{visit.picture(self.name)}" alt="" class="preview">',
            tag="form",
        ).classes("setup").on(
            "submit.prevent", self._begin, js_handler="(e) => emit(Object.fromEntries(new FormData(e.target)))"
        )

    def _seat(self, seat: int) -> str:
        """Who sits there, with the options of each agent; those of agents not chosen are hidden and not sent."""
        say = self.visit.say
        label = say("Seat {seat}", seat=seat) + (f" ({say('starts')})" if self._starts(seat) else "")
        known = agents_of(self.name)
        chosen, _, rest = self.seats[seat].partition(":")
        chosen = chosen if chosen in known else PERSON
        given = dict(part.split("=", 1) for part in rest.split(",") if "=" in part)
        boxes = []
        for name in known:
            values: Given = ()
            if name == chosen:
                wanted = [option for option in agent_options(name) if option.name in given]
                values = tuple((each.name, spec.show(each.parse(name, given[each.name]))) for each in wanted)
            fields = option_fields(name, False, f"{seat}.{name}", values, self.visit.language)
            state = "" if name == chosen else " hidden disabled"
            boxes.append(f'<fieldset data-agent="{name}"{state}>{fields}</fieldset>')
        who = select(f"seat{seat}", {PERSON: say("You")} | {name: name for name in known}, chosen)
        return f'<div class="seat seat{seat}">{labelled(label, who)}{"".join(boxes)}</div>'

    def _starts(self, seat: int) -> bool:
        return seat == 0 and self.name != "dominoes"  # there the highest double says who starts

    async def _begin(self, event: GenericEventArguments) -> None:
        fields = sent(event.args)
        try:
            seats = [self._sitting(seat, fields) for seat in (0, 1)]
            text = fields.get("seed", "").strip()
            asked = Asked(
                written(self.name, True, "game", fields),
                seats,
                read_seed(text) if text else None,
                f"{fields.get('limit', '1')[:20]}s",
            )
            key = await self.house.open(self.visit.visitor, asked)
        except LudotecaError as error:
            ui.notify(self.visit.explain(error), type="warning", multi_line=True)
            return
        ui.navigate.to(f"/table/{key}")

    def _sitting(self, seat: int, fields: dict[str, str]) -> str:
        who = fields.get(f"seat{seat}", PERSON)
        if who not in agents_of(self.name):
            return PERSON
        return written(who, False, f"{seat}.{who}", fields)
