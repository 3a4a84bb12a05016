"""One page per game: the rules in a minute with pictures, then its agents and how they think."""

from __future__ import annotations

import inspect
from html import escape
from pathlib import Path

from nicegui import ui
from starlette.requests import Request

from ludoteca import agents, games, spec
from ludoteca.protocols import Drawable
from ludoteca.web.frame import NotFound, Visit, game_title, page, raw
from ludoteca.web.host import House
from ludoteca.web.lessons import GAMES
from ludoteca.words import LANGUAGES

__all__ = ["register"]

DOCS = Path(__file__).parents[4] / "docs" / "agents"
"""In a checkout of the repository each agent has a page of its own; an installed package has none."""

PICTURES = {
    "hex": [("hex:size=5", ["c3"]), ("hex:size=5", ["c3", "b4", "b3", "d2", "d3", "c1", "e2", "a4"]), (
        "hex:size=5", ["c3", "b4", "b3", "d2", "d3", "c1", "e2", "a4", "a3"])],
    "horses": [("horses:layout=W@c3/B@f6/+10@d5/-5@e4/+3@b5/-1@g4", []),
               ("horses:layout=W@c3/B@f6/+10@d5/-5@e4/+3@b5/-1@g4", ["d5", "g4", "f4", "e3"])],
}  # fmt: skip
"""Positions that tell the rules: a game and actions from its start; other games are played on by their first action."""


def register(house: House) -> None:
    """The pages at ``/learn`` and ``/learn/<game>``."""

    @page("/learn")
    def contents(visit: Visit, request: Request) -> None:
        ui.label(visit.say("learn")).classes("title")
        for name in games.names():
            _rules(visit, name, short=True)

    @page("/learn/{name}")
    def learn(visit: Visit, request: Request) -> None:
        name = request.path_params["name"]
        if name not in games.names():
            raise NotFound(f"no game is called {name!r}; the games are {', '.join(games.names())}")
        _rules(visit, name)
        ui.label(visit.say("agents_of")).classes("title")
        for agent in agents.names(name):
            _agent(visit, name, agent)


def _rules(visit: Visit, name: str, *, short: bool = False) -> None:
    title = game_title(name, visit.language)
    if name in GAMES:
        text = GAMES[name]["rules"][LANGUAGES.index(visit.language)]
    else:
        text = inspect.getdoc(games.game_class(name)) or ""
    paragraphs = "".join(f"<p>{escape(part)}</p>" for part in text.split("\n\n"))
    with ui.element("section").classes("card learn"):
        raw(f'<h1 class="title">{escape(visit.say("rules_of", game=title))}</h1>')
        raw("".join(f"<figure>{picture}</figure>" for picture in _pictures(visit, name)[: 1 if short else 3])).classes(
            "figures"
        )
        raw(paragraphs)
        more = f'<a class="button quiet" href="/learn/{name}">{visit.say("more")}</a>' if short else ""
        raw(f'<p class="row"><a class="button" href="/new/{name}">{visit.say("play")}</a>{more}</p>')


def _pictures(visit: Visit, name: str) -> list[str]:
    drawn = []
    for text, names in PICTURES.get(name, [(name, [""] * count) for count in (0, 6)]):
        game = games.game(text)
        state = game.deal(7)
        for each in names:
            if state.turn is not None:
                state.apply(game.parse_action(each) if each else state.legal()[0])
        if isinstance(game, Drawable):
            drawn.append(game.svg(state.view(0), language=visit.language))
    return drawn


def _agent(visit: Visit, name: str, agent: str) -> None:
    factory = agents.agent_class(agent)
    description = inspect.getdoc(factory) or ""
    options = spec.options(factory, skip=agents.GIVEN)
    rows = "".join(
        f"<tr><td><code>{escape(option.name)}={escape(spec.show(option.default))}</code></td>"
        f"<td>{escape(option.help)} {escape(' | '.join(option.choices))}</td></tr>"
        for option in options
    )
    table = f'<table class="plain">{rows}</table>' if rows else ""
    paragraphs = "".join(f"<p>{escape(part)}</p>" for part in description.split("\n\n"))
    with ui.element("section").classes("card"):
        raw(
            f'<h2 class="subtitle">{escape(agent)}</h2><div lang="en">{paragraphs}{table}</div>'
            f'<p class="row"><a class="button" href="/new/{name}?seats=person|{escape(agent)}">'
            f"{escape(visit.say('play_against', agent=agent))}</a></p>"
        )
        told = DOCS / f"{agent}.md"
        if told.is_file():
            with ui.expansion(visit.say("documentation")).classes("field"):
                ui.markdown(told.read_text(encoding="utf-8")).props("lang=en").classes("told")
