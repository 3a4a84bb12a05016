"""Setting a match up: the game's options, who sits where, how long agents may think."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui
from starlette.requests import Request

from ludoteca import agents, games, spec
from ludoteca.errors import InvalidGame, LudotecaError
from ludoteca.web.frame import NotFound, Visit, game_title, page, raw
from ludoteca.web.host import House
from ludoteca.web.phrases import option_help
from ludoteca.web.table import PERSON, Head
from ludoteca.web.tables import fresh_seed

__all__ = ["OptionFields", "register", "strongest"]

LIMITS = [0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0]


def register(house: House) -> None:
    """The page at ``/new/<game>``; ``?game=``, ``?seats=`` and ``?limit=`` fill it in."""

    @page("/new/{name}")
    def new(visit: Visit, request: Request) -> None:
        name = request.path_params["name"]
        if name not in games.names():
            raise NotFound(f"no game is called {name!r}; the games are {', '.join(games.names())}")
        _Form(house, visit, name, dict(request.query_params)).build()


def strongest(name: str) -> str:
    """The agent to offer first: any but chance, where there is another."""
    known = agents.names(name)
    return next((each for each in known if each != "random"), known[0])


class OptionFields:
    """A field for each option of a game or agent."""

    def __init__(self, owner: str, known: list[spec.Option], given: dict[str, Any], visit: Visit) -> None:
        self.owner, self.known, self.fields = owner, known, {}
        for option in known:
            self.fields[option.name] = self._field(option, given.get(option.name, option.default), visit)

    def _field(self, option: spec.Option, value: Any, visit: Visit) -> Any:
        hint = option_help(self.owner, option.name, option.help, visit.language)
        if option.kind is bool:
            field: Any = ui.switch(option.name, value=bool(value))
        elif option.choices:
            field = ui.select(list(option.choices), label=option.name, value=value)
        else:
            field = ui.input(option.name, value=spec.show(value))
        field.classes("field").tooltip(hint)
        if hint and option.kind is not bool:
            field.props["hint"] = hint
        return field

    def spec(self) -> str:
        """As a string such as ``hex:size=7``, whatever stands in the fields."""
        parts = []
        for option in self.known:
            text = str(self.fields[option.name].value if self.fields[option.name].value is not None else "").strip()
            text = text.lower() if option.kind is bool else text
            if text != spec.show(option.default):
                parts.append(f"{option.name}={text[:400]}")
        return f"{self.owner}:{','.join(parts)}" if parts else self.owner


class _Form:
    """The fields of a match to be."""

    def __init__(self, house: House, visit: Visit, name: str, query: dict[str, str]) -> None:
        self.house, self.visit, self.name = house, visit, name
        given = query.get("game", name)
        if games.game(given).name != name:
            raise InvalidGame(f"{given!r} is not {name}")
        self.given = getattr(games.game(given), "options", {})
        seats = query.get("seats", f"{PERSON}|{strongest(name)}").split("|")
        if len(seats) != 2:
            raise InvalidGame(f"seats={query['seats']!r} must be two, as in person|random")
        self.seats = seats
        self.agent_fields: list[OptionFields | None] = [None, None]
        self.selects: list[Any] = []

    def build(self) -> None:
        visit = self.visit
        ui.label(visit.say("new_match", game=game_title(self.name, visit.language))).classes("title")
        with ui.element("div").classes("setup"):
            with ui.element("section").classes("card"):
                ui.label(visit.say("who")).classes("subtitle")
                with ui.element("div").classes("seats"):
                    boxes = [self._seat(seat) for seat in (0, 1)]
                ui.button(visit.say("swap_seats"), icon="swap_horiz", on_click=self._swap).props("flat no-caps")
                self.limit = ui.select(
                    {seconds: visit.say("seconds", seconds=seconds) for seconds in LIMITS},
                    label=visit.say("limit"),
                    value=1.0,
                ).classes("field")
                ui.button(visit.say("begin"), icon="play_arrow", on_click=self._begin).props(
                    "no-caps unelevated size=lg"
                ).classes("begin")
            with ui.element("section").classes("card"):
                ui.label(visit.say("options")).classes("subtitle")
                self.options = OptionFields(self.name, spec.options(games.game_class(self.name)), self.given, visit)
                self.seed = ui.input(visit.say("seed")).props("inputmode=numeric").classes("field")
            raw(f'<img src="/picture/{self.name}.svg?language={visit.language}" alt="" class="preview">')
        assert len(boxes) == 2

    def _seat(self, seat: int) -> Any:
        visit = self.visit
        with ui.element("div").classes(f"seat seat{seat}") as box:
            label = visit.say("seat", seat=seat) + (f" ({visit.say('starts')})" if self._starts(seat) else "")
            known = {PERSON: visit.say("you")} | {name: name for name in agents.names(self.name)}
            chosen, _, rest = self.seats[seat].partition(":")
            select = ui.select(known, label=label, value=chosen if chosen in known else PERSON).classes("field")
            fields = ui.element("div")
            given = dict(part.split("=", 1) for part in rest.split(",") if "=" in part)
            select.on_value_change(self._show_options(seat, fields))
            self.selects.append(select)
            self._show_options(seat, fields, given)()
        return box

    def _starts(self, seat: int) -> bool:
        return seat == 0 and self.name != "dominoes"  # there the highest double says who starts

    def _show_options(self, seat: int, box: ui.element, given: dict[str, Any] | None = None) -> Callable[[], None]:
        def show() -> None:
            box.clear()
            self.agent_fields[seat] = None
            who = self.selects[seat].value
            if who == PERSON:
                return
            known = spec.options(agents.agent_class(who), skip=agents.GIVEN)
            texts = {option: (given or {}).get(option.name) for option in known}
            values = {option.name: option.parse(who, text) for option, text in texts.items() if text is not None}
            with box:
                self.agent_fields[seat] = OptionFields(who, known, values, self.visit)

        return show

    def _swap(self) -> None:
        first, second = (select.value for select in self.selects)
        self.selects[0].value, self.selects[1].value = second, first

    def _begin(self) -> None:
        try:
            seats = [fields.spec() if fields else PERSON for fields in self.agent_fields]
            text = str(self.seed.value or "").strip()
            if text and not (text.isascii() and text.isdigit() and len(text) < 19):
                raise InvalidGame(f"the seed {text[:40]!r} is not a whole number from 0 on")
            seed = int(text) if text else fresh_seed()
            head = Head(self.options.spec(), (seats[0], seats[1]), seed, f"{float(self.limit.value):g}s")
            key = self.house.open(self.visit.visitor, head)
        except LudotecaError as error:
            ui.notify(self.visit.explain(error), type="warning", multi_line=True)
            return
        ui.navigate.to(f"/table/{key}")
