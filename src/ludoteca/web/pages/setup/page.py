"""The form for a new match: opponent, side and thinking time; everything else is under "Advanced".

It is one piece of HTML: NiceGUI elements would cost several times as much, and every visitor opens this page.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request

from ludoteca import agents, games, spec
from ludoteca.errors import InvalidAgent, InvalidOption, LudotecaError
from ludoteca.messages import Message, say
from ludoteca.play.match import Match
from ludoteca.players.faults import Fault
from ludoteca.spec import split, with_suggestion
from ludoteca.web.app_state import AppState
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, game_title, page, raw
from ludoteca.web.pages.setup.match_form import (
    CLOCKS,
    LIMITS,
    FormErrors,
    form_defaults,
    options_by_side,
    preferred_seats,
    preset_options,
    request_from_form,
    side_choices,
    split_preset,
)
from ludoteca.web.pages.setup.option_fields import (
    OptionValues,
    form_fields,
    labelled,
    name_field,
    option_fields,
    option_tags,
    select,
)
from ludoteca.web.serving.allowed_specs import agent_options, agents_of, allowed_game
from ludoteca.web.tables.match_request import FRIEND, PERSON, MatchRequest
from ludoteca.web.thinking.opponents import Opponent, obstacle, opponents, other_agents
from ludoteca.web.thinking.queue import AgentQueue, Work
from ludoteca.web.thinking.single_decision import decide_once, is_refusal


def register(app_state: AppState) -> None:
    """The page at ``/new/<game>``; ``?game=``, ``?seats=`` or ``?opponent=``, and ``?limit=`` fill it in."""

    @page("/new/{name}")
    def new(visit: Visit, request: Request) -> None:
        name = request.path_params["name"]
        if not games.is_known(name):
            known = games.names()
            wrong = say("no game is called {name!r}; the games are {games}", name=name[:80], games=known)
            raise NotFound(with_suggestion(wrong, name[:80], known))
        _Form(app_state, visit, name, dict(request.query_params), request.cookies.get("suggested", "")).build()


class _Form:
    """The form of one tab."""

    def __init__(self, app_state: AppState, visit: Visit, name: str, query: dict[str, str], suggested: str) -> None:
        self.app_state, self.visit, self.name = app_state, visit, name
        self.defaults = form_defaults(name, query, suggested)
        self.seated = "seats" in query or bool(options_by_side(name))
        game = self.defaults.game
        self.title = game_title(game if "game" in query else name, visit.language)
        self.offered = [each for each in opponents(game.spec) if not obstacle(each.spec, game)]
        self.others = [each for each in other_agents(game.spec) if not obstacle(each.spec, game)]

    def build(self) -> None:
        visit, say = self.visit, self.visit.say
        raw(escape(say("New match of {game}", game=self.title)), tag="h1").classes("title")
        sides = {value: visit.translate(text) for value, text in side_choices(self.defaults.game).items()}
        limits = {value: visit.translate(text) for value, text in LIMITS.items()}
        clocks = {value: visit.translate(text) for value, text in CLOCKS.items()}
        thinking = select("limit", limits, self.defaults.limit)
        rated = say("From gentle to strongest. The number is a measured rating: points above random play.")
        raw(
            f'<section class="card"><p class="fault" data-fault="" role="alert" hidden></p>'
            f"{labelled(say('Opponent'), self._opponent(), rated)}"
            f"{labelled(say('You play'), self._side(sides))}"
            f"{self._for_people(labelled(say('Your name'), name_field('name'), say('Optional.')), PERSON, FRIEND)}"
            f"{self._for_people(labelled(say('The name of your friend'), name_field('other_name')), PERSON)}"
            f"{labelled(say('Clock for people'), select('clock', clocks, self.defaults.clock))}"
            f"{self._for_agents(labelled(say('Thinking time'), thinking))}"
            f'<button class="button begin">{escape(say("Begin"))}</button>'
            f'<details class="advanced"{" open" if self._unusual() else ""}>'
            f"<summary>{escape(say('Advanced'))}</summary>{self._advanced()}</details></section>" + self._preview(),
            tag="form",
        ).classes("setup").on(
            "submit.prevent", self._begin, js_handler="(e) => emit(Object.fromEntries(new FormData(e.target)))"
        )

    def _for_people(self, field: str, *opponents: str) -> str:
        """A field that is shown when one of these opponents is chosen; see ``data-opponents`` in page.js."""
        hidden = "" if self.defaults.opponent in opponents else " hidden"
        return f'<div data-opponents="{" ".join(opponents)}"{hidden}>{field}</div>'

    def _for_agents(self, field: str) -> str:
        """A field that is shown unless a person is chosen as the opponent."""
        hidden = " hidden" if self.defaults.opponent in (PERSON, FRIEND) else ""
        return f"<div data-opponents{hidden}>{field}</div>"

    def _side(self, sides: Mapping[str, str]) -> str:
        """The side of the visitor; until they choose it, it follows the opponent's preferred seat."""
        preferred = escape(json.dumps(preferred_seats(self.name)), quote=True)
        chosen = " data-chosen" if self.seated else ""
        shown = option_tags(sides, self.defaults.side)
        return f'<select name="side" data-preferred="{preferred}"{chosen}>{shown}</select>'

    def _preview(self) -> str:
        if self.name in games.unlisted():
            return ""  # the game is not chosen yet, and is text anyway
        return f'<img src="{self.visit.picture(self.name, large=True)}" alt="" class="preview">'

    def _unusual(self) -> bool:
        """Whether the address sets something that is under "Advanced"."""
        besides = self.defaults.opponent not in (PERSON, FRIEND) and bool(
            split_preset(self.name, self.defaults.opponent)[1]
        )
        return besides or self.defaults.me != PERSON or self.name in games.unlisted()  # whose game is an option

    def _opponent(self) -> str:
        say, chosen = self.visit.say, self.defaults.opponent
        if chosen not in (PERSON, FRIEND):
            chosen = split_preset(self.name, chosen)[0]
        people = {FRIEND: say("a friend on another screen, by invitation"), PERSON: say("a friend on this screen")}
        groups = {
            say("Opponents"): {each.spec: self._described(each) for each in self.offered},
            say("People"): people,
            say("Other agents"): {each.spec: self._described(each) for each in self.others},
        }
        shown = "".join(
            f'<optgroup label="{escape(title, quote=True)}">{option_tags(choices, chosen)}</optgroup>'
            for title, choices in groups.items()
            if choices
        )
        return f'<select name="opponent">{shown}</select>'

    def _described(self, opponent: Opponent) -> str:
        """One word and one rating, the word first: «strong – engine, level 5 (690)»."""
        name = self.visit.translate(opponent.name)
        if opponent.elo is None:
            return name
        return f"{self.visit.translate(opponent.strength)} – {name} ({opponent.elo:.0f})"

    def _advanced(self) -> str:
        """The fields that most people never change."""
        say, language = self.visit.say, self.visit.language
        options = getattr(self.defaults.game, "options", {})
        given: OptionValues = tuple((option, spec.show(value)) for option, value in options.items())
        hidden = tuple(options_by_side(self.name))
        seed = '<input name="seed" inputmode="numeric" maxlength="20">'
        all_agents = [*self.offered, *self.others]
        myself = {PERSON: say("I play myself")} | {each.spec: self._described(each) for each in all_agents}
        me = self.defaults.me if self.defaults.me == PERSON else split_preset(self.name, self.defaults.me)[0]
        own = '<input name="opponent.own" maxlength="400" autocapitalize="off" spellcheck="false">'
        example = say(
            "Instead of the opponent above, written as on the command line: {example}", example="engine:level=3"
        )
        return (
            f'<h2 class="subtitle">{escape(say("Game options"))}</h2>'
            f"{option_fields(self.name, True, 'game', given, language, hidden)}"
            f"{labelled(say('Seed (empty: a new deal)'), seed, say('Anyone who knows the seed knows the deal.'))}"
            f'<h2 class="subtitle">{escape(say("Agents"))}</h2>{self._boxes("opponent", self.defaults.opponent)}'
            f"{labelled(say('Another agent'), own, example)}"
            f"{labelled(say('Plays for you'), select('me', myself, me))}{self._boxes('me', self.defaults.me)}"
        )

    def _boxes(self, role: str, chosen: str) -> str:
        """The options of each agent; those of the agents not chosen are hidden and not sent."""
        preset, besides = (chosen, {}) if chosen in (PERSON, FRIEND) else split_preset(self.name, chosen)
        boxes = []
        for name in agents_of(self.name):
            hidden = tuple(preset_options(self.name, name))
            is_chosen = name == preset.partition(":")[0]
            values: OptionValues = ()
            if is_chosen:
                wanted = [option for option in agent_options(name) if option.name in besides]
                values = tuple((each.name, spec.show(each.parse(name, besides[each.name]))) for each in wanted)
            fields = option_fields(name, False, f"{role}.{name}", values, self.visit.language, hidden)
            if fields:
                legend = escape(self.visit.say("Options of {agent}", agent=self.visit.agent(name)))
                state = "" if is_chosen else " hidden disabled"
                boxes.append(f'<fieldset data-agent="{name}"{state}><legend>{legend}</legend>{fields}</fieldset>')
        return f'<div data-boxes="{role}">{"".join(boxes)}</div>'

    async def _begin(self, event: GenericEventArguments) -> None:
        try:
            wanted = request_from_form(self.name, form_fields(event.args))
            await check_agents(self.app_state.agent_queue, wanted)
            key = await self.app_state.open(self.visit.visitor, wanted, self.visit.address)
        except FormErrors as error:
            self._show_errors(error.errors)
        except LudotecaError as error:
            self._show_errors({"": error})
        else:
            ui.navigate.to(f"/table/{key}")

    def _show_errors(self, errors: Mapping[str, LudotecaError]) -> None:
        """Shows each error at its field."""
        texts = {name: self.visit.explain(error) for name, error in errors.items()}
        ui.run_javascript(f"ludoteca.showErrors({json.dumps(texts)})")


SECONDS = 0.01


async def check_agents(queue: AgentQueue, wanted: MatchRequest) -> None:
    """Raises FormErrors, at the option's field, when one of our agents refuses its options.

    Any other failure shows at the table, where the agent can be tried again.
    """
    roles = ("opponent", "opponent") if PERSON in wanted.seats else ("me", "opponent")
    match = Match(allowed_game(wanted.game), 0)
    for role, who in zip(roles, wanted.seats, strict=True):
        if who in (PERSON, FRIEND) or not agents.is_ours(split(who, InvalidAgent)[0]):
            continue
        if not split_preset(match.game.name, who)[1]:
            continue
        try:
            with contextlib.suppress(LudotecaError):
                await decide_once(queue, match, who, SECONDS, work=Work.hint)
        except Fault as fault:
            if is_refusal(fault):
                _raise_refusal(match, who, role)


def _raise_refusal(match: Match, agent: str, role: str) -> None:
    """Raises FormErrors. An agent refuses its options before it takes memory, so it may be built here."""
    try:
        agents.agent(agent)(match.game, 0, 0)
    except InvalidOption as error:
        fields = error.message.fields if isinstance(error.message, Message) else {}
        name = split(agent, InvalidAgent)[0]
        raise FormErrors({f"{role}.{name}.{fields.get('name', '')}": error}) from error
