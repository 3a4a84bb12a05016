"""Setting a match up: against whom, on which side, how long agents may think; all else is for those who look for it.

One form, written as text: elements of the page would cost several times as much, and everybody comes by here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request

from ludoteca import games, spec
from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.spec import with_suggestion
from ludoteca.web.app_state import AppState
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, game_title, page, raw
from ludoteca.web.pages.setup.agent_check import check_agents
from ludoteca.web.pages.setup.match_form import (
    LEVELLED,
    LIMITS,
    FormErrors,
    options_by_side,
    request_from_form,
    side_choices,
    split_preset,
    wish,
)
from ludoteca.web.pages.setup.option_fields import Given, labelled, offered, option_fields, select, sent
from ludoteca.web.serving.allowed_specs import agent_options, agents_of
from ludoteca.web.tables.match_request import FRIEND, PERSON
from ludoteca.web.thinking.opponents import Opponent, obstacle, opponents

__all__ = ["register"]


def register(app_state: AppState) -> None:
    """The page at ``/new/<game>``; ``?game=``, ``?seats=`` or ``?opponent=``, and ``?limit=`` fill it in."""

    @page("/new/{name}")
    def new(visit: Visit, request: Request) -> None:
        name = request.path_params["name"]
        if not games.is_known(name):
            known = games.names()
            wrong = say("no game is called {name!r}; the games are {games}", name=name[:80], games=known)
            raise NotFound(with_suggestion(wrong, name[:80], known))
        _Form(app_state, visit, name, dict(request.query_params)).build()


class _Form:
    """The fields of a match to be."""

    def __init__(self, app_state: AppState, visit: Visit, name: str, query: dict[str, str]) -> None:
        self.app_state, self.visit, self.name = app_state, visit, name
        self.wish = wish(name, query)
        game = self.wish.game
        self.offered = [each for each in opponents(game.spec) if not obstacle(each.spec, game)]

    def build(self) -> None:
        visit, say = self.visit, self.visit.say
        raw(escape(say("New match of {game}", game=game_title(self.name, visit.language))), tag="h1").classes("title")
        sides = {value: visit.translate(text) for value, text in side_choices(self.wish.game).items()}
        limits = {value: visit.translate(text) for value, text in LIMITS.items()}
        rated = say(
            "The numbers are measured ratings: points above an agent that plays by chance; “about” where it was "
            "measured with other options."
        )
        raw(
            f'<section class="card"><p class="fault" data-fault="" role="alert" hidden></p>'
            f"{labelled(say('Opponent'), self._opponent(), rated)}"
            f"{labelled(say('You play'), select('side', sides, self.wish.side))}"
            f"{labelled(say('Time that agents have'), select('limit', limits, self.wish.limit))}"
            f'<button class="button begin">{escape(say("Begin"))}</button>'
            f'<details class="advanced"{" open" if self._unusual() else ""}>'
            f"<summary>{escape(say('Advanced'))}</summary>{self._advanced()}</details></section>" + self._preview(),
            tag="form",
        ).classes("setup").on(
            "submit.prevent", self._begin, js_handler="(e) => emit(Object.fromEntries(new FormData(e.target)))"
        )

    def _preview(self) -> str:
        if self.name in games.unlisted():
            return ""  # which of its games is not known yet, and those are text
        return f'<img src="{self.visit.picture(self.name, large=True)}" alt="" class="preview">'

    def _unusual(self) -> bool:
        """Whether something was asked for that only the closed part shows."""
        besides = self.wish.opponent not in (PERSON, FRIEND) and bool(split_preset(self.wish.opponent)[1])
        return besides or self.wish.me != PERSON or self.name in games.unlisted()  # whose game is an option

    def _opponent(self) -> str:
        say, chosen = self.visit.say, self.wish.opponent
        if chosen not in (PERSON, FRIEND):
            chosen = split_preset(chosen)[0]
        people = {FRIEND: say("a friend at another screen, by invitation"), PERSON: say("a friend at this screen")}
        agents = {each.spec: self._described(each) for each in self.offered}
        return (
            f'<select name="opponent"><optgroup label="{escape(say("People"), quote=True)}">{offered(people, chosen)}'
            f'</optgroup><optgroup label="{escape(say("Agents, from weak to strong"), quote=True)}">'
            f"{offered(agents, chosen)}</optgroup></select>"
        )

    def _described(self, opponent: Opponent) -> str:
        text = self.visit.say("{opponent} – {strength}", opponent=opponent.name, strength=opponent.strength)
        if opponent.elo is None:
            return text
        points = str(round(opponent.elo))
        return f"{text} ({self.visit.say('about {points}', points=points) if opponent.like else points})"

    def _advanced(self) -> str:
        """What most people never change."""
        say, language = self.visit.say, self.visit.language
        options = getattr(self.wish.game, "options", {})
        given: Given = tuple((option, spec.show(value)) for option, value in options.items())
        hidden = tuple(options_by_side(self.name))
        seed = '<input name="seed" inputmode="numeric" maxlength="20">'
        myself = {PERSON: say("I play myself")} | {each.spec: self._described(each) for each in self.offered}
        me = self.wish.me if self.wish.me == PERSON else split_preset(self.wish.me)[0]
        own = '<input name="opponent.own" maxlength="400" autocapitalize="off" spellcheck="false">'
        example = say("In place of the opponent above, as on the command line: {example}", example="engine:level=3")
        return (
            f'<h2 class="subtitle">{escape(say("Options of the game"))}</h2>'
            f"{option_fields(self.name, True, 'game', given, language, hidden)}"
            f"{labelled(say('Seed (empty: a new deal)'), seed, say('Whoever knows it knows the deal.'))}"
            f'<h2 class="subtitle">{escape(say("Agents"))}</h2>{self._boxes("opponent", self.wish.opponent)}'
            f"{labelled(say('Another agent'), own, example)}"
            f"{labelled(say('In your place'), select('me', myself, me))}{self._boxes('me', self.wish.me)}"
        )

    def _boxes(self, role: str, chosen: str) -> str:
        """The options of each agent; those of agents that are not chosen are hidden and not sent."""
        preset, besides = (chosen, {}) if chosen in (PERSON, FRIEND) else split_preset(chosen)
        boxes = []
        for name in agents_of(self.name):
            hidden = ("level",) if name == LEVELLED else ()
            is_chosen = name == preset.partition(":")[0]
            values: Given = ()
            if is_chosen:
                wanted = [option for option in agent_options(name) if option.name in besides]
                values = tuple((each.name, spec.show(each.parse(name, besides[each.name]))) for each in wanted)
            fields = option_fields(name, False, f"{role}.{name}", values, self.visit.language, hidden)
            if fields:
                legend = escape(self.visit.say("Options of {agent}", agent=name))
                state = "" if is_chosen else " hidden disabled"
                boxes.append(f'<fieldset data-agent="{name}"{state}><legend>{legend}</legend>{fields}</fieldset>')
        return f'<div data-boxes="{role}">{"".join(boxes)}</div>'

    async def _begin(self, event: GenericEventArguments) -> None:
        try:
            asked = request_from_form(self.name, sent(event.args))
            await check_agents(self.app_state.agent_queue, asked)
            key = await self.app_state.open(self.visit.visitor, asked)
        except FormErrors as error:
            self._blame(error.faults)
        except LudotecaError as error:
            self._blame({"": error})
        else:
            ui.navigate.to(f"/table/{key}")

    def _blame(self, faults: Mapping[str, LudotecaError]) -> None:
        """Says at each field what is wrong with it."""
        told = {name: self.visit.explain(error) for name, error in faults.items()}
        ui.run_javascript(f"ludoteca.blame({json.dumps(told)})")
