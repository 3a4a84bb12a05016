"""Setting a match up: the game's options, who sits where, how long agents may think.

One form, written as text: elements of the page would cost several times as much, and everybody comes by here. Each
field's name says whose it is: ``seat0``, ``game.size``, ``0.astar.depth``.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request

from ludoteca import agents, games, spec
from ludoteca.errors import InvalidGame, InvalidOption, LudotecaError
from ludoteca.web.frame import NotFound, Visit, game_title, page, raw
from ludoteca.web.host import House
from ludoteca.web.phrases import option_help
from ludoteca.web.table import LONGEST_SPEC, PERSON, Head, rules
from ludoteca.web.tables import fresh_seed
from ludoteca.words import Language

__all__ = ["register", "strongest"]

LIMITS = [0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0]
LONGEST_FIELD = 400
_Given = tuple[tuple[str, str], ...]
"""Options and their values, both as they are written."""


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


@lru_cache(maxsize=64)
def _options(owner: str, is_game: bool) -> tuple[spec.Option, ...]:
    if is_game:
        return tuple(spec.options(games.game_class(owner)))
    return tuple(spec.options(agents.agent_class(owner), skip=agents.GIVEN))


def _written(owner: str, known: tuple[spec.Option, ...], prefix: str, fields: dict[str, str]) -> str:
    """What stands in the fields, as a spec such as ``hex:size=7``; whether it can be, the game or agent says."""
    parts = []
    for option in known:
        text = fields.get(f"{prefix}.{option.name}", "false" if option.kind is bool else "").strip()
        if text != spec.show(option.default):
            parts.append(f"{option.name}={text[:LONGEST_FIELD]}")
    return f"{owner}:{','.join(parts)}" if parts else owner


@lru_cache(maxsize=256)
def _option_fields(owner: str, is_game: bool, prefix: str, given: _Given, language: Language) -> str:
    """A field for each option of a game or agent, with the values that are given."""
    values, parts = dict(given), []
    for option in _options(owner, is_game):
        value = values.get(option.name, spec.show(option.default))
        hint = option_help(owner, option.name, option.help, language)
        name = f"{prefix}.{option.name}"
        if option.kind is bool:
            checked = " checked" if value == "true" else ""
            field = f'<input type="checkbox" name="{name}" value="true"{checked}>{escape(option.name)}'
            parts.append(f'<label class="switch" title="{escape(hint, quote=True)}">{field}</label>')
        else:
            control = (
                _select(name, {each: each for each in option.choices}, value)
                if option.choices
                else f'<input name="{name}" value="{escape(value, quote=True)}" maxlength="{LONGEST_FIELD}">'
            )
            parts.append(_labelled(option.name, control, hint))
    return "".join(parts)


def _labelled(label: str, control: str, hint: str = "") -> str:
    below = f"<small>{escape(hint)}</small>" if hint else ""
    return f'<label class="field"><span>{escape(label)}</span>{control}{below}</label>'


def _select(name: str, choices: dict[str, str], chosen: str) -> str:
    offered = "".join(
        f'<option value="{escape(value, quote=True)}"{" selected" if value == chosen else ""}>{escape(text)}</option>'
        for value, text in choices.items()
    )
    return f'<select name="{name}">{offered}</select>'


class _Form:
    """The fields of a match to be."""

    def __init__(self, house: House, visit: Visit, name: str, query: dict[str, str]) -> None:
        self.house, self.visit, self.name = house, visit, name
        given = query.get("game", name)[:LONGEST_SPEC]
        if rules(given).name != name:
            raise InvalidGame(f"{given[:80]!r} is not {name}")
        options: dict[str, Any] = getattr(rules(given), "options", {})
        self.given: _Given = tuple((option, spec.show(value)) for option, value in options.items())
        self.seats = query.get("seats", f"{PERSON}|{strongest(name)}").split("|")
        if len(self.seats) != 2:
            raise InvalidGame(f"seats={query['seats']!r} must be two, as in person|random")
        self.limit = query.get("limit", "1s").removesuffix("s")

    def build(self) -> None:
        visit, say = self.visit, self.visit.say
        raw(escape(say("new_match", game=game_title(self.name, visit.language))), tag="h1").classes("title")
        limits = {f"{seconds:g}": say("seconds", seconds=seconds) for seconds in LIMITS}
        if self.limit not in limits:
            raise InvalidOption(f"limit={self.limit[:40]!r} is none of {', '.join(f'{each}s' for each in limits)}")
        swap = '<i class="material-icons" aria-hidden="true">swap_horiz</i>' + escape(say("swap_seats"))
        seed = '<input name="seed" inputmode="numeric" maxlength="20">'
        raw(
            f'<section class="card"><h2 class="subtitle">{escape(say("who"))}</h2><div class="seats">'
            f'{self._seat(0)}{self._seat(1)}</div><button type="button" class="control" data-swap>{swap}</button>'
            f"{_labelled(say('limit'), _select('limit', limits, self.limit))}"
            f'<button class="button begin">{escape(say("begin"))}</button></section>'
            f'<section class="card"><h2 class="subtitle">{escape(say("options"))}</h2>'
            f"{_option_fields(self.name, True, 'game', self.given, visit.language)}"
            f"{_labelled(say('seed'), seed)}</section>"
            f'<img src="/picture/{self.name}.svg?language={visit.language}" alt="" class="preview">',
            tag="form",
        ).classes("setup").on(
            "submit.prevent", self._begin, js_handler="(e) => emit(Object.fromEntries(new FormData(e.target)))"
        )

    def _seat(self, seat: int) -> str:
        """Who sits there, with the options of each agent; those of agents not chosen are hidden and not sent."""
        say = self.visit.say
        label = say("seat", seat=seat) + (f" ({say('starts')})" if self._starts(seat) else "")
        known = agents.names(self.name)
        chosen, _, rest = self.seats[seat].partition(":")
        chosen = chosen if chosen in known else PERSON
        given = dict(part.split("=", 1) for part in rest.split(",") if "=" in part)
        boxes = []
        for name in known:
            values: _Given = ()
            if name == chosen:
                wanted = [option for option in _options(name, False) if option.name in given]
                values = tuple((each.name, spec.show(each.parse(name, given[each.name]))) for each in wanted)
            fields = _option_fields(name, False, f"{seat}.{name}", values, self.visit.language)
            state = "" if name == chosen else " hidden disabled"
            boxes.append(f'<fieldset data-agent="{name}"{state}>{fields}</fieldset>')
        who = _select(f"seat{seat}", {PERSON: say("you")} | {name: name for name in known}, chosen)
        return f'<div class="seat seat{seat}">{_labelled(label, who)}{"".join(boxes)}</div>'

    def _starts(self, seat: int) -> bool:
        return seat == 0 and self.name != "dominoes"  # there the highest double says who starts

    def _begin(self, event: GenericEventArguments) -> None:
        sent = event.args if isinstance(event.args, dict) else {}
        fields = {name: value for name, value in sent.items() if isinstance(name, str) and isinstance(value, str)}
        try:
            seats = [self._sitting(seat, fields) for seat in (0, 1)]
            text = fields.get("seed", "").strip()
            if text and not (text.isascii() and text.isdigit() and len(text) < 19):
                raise InvalidGame(f"the seed {text[:40]!r} is not a whole number from 0 on")
            seed = int(text) if text else fresh_seed()
            played = _written(self.name, _options(self.name, True), "game", fields)
            head = Head(played, (seats[0], seats[1]), seed, f"{fields.get('limit', '1')[:20]}s")
            key = self.house.open(self.visit.visitor, head)
        except LudotecaError as error:
            ui.notify(str(error).split("\n")[0], type="warning", multi_line=True)
            return
        ui.navigate.to(f"/table/{key}")

    def _sitting(self, seat: int, fields: dict[str, str]) -> str:
        who = fields.get(f"seat{seat}", PERSON)
        if who not in agents.names(self.name):
            return PERSON
        return _written(who, _options(who, False), f"{seat}.{who}", fields)
