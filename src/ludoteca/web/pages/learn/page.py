"""One page per game: the rules with pictures, then its agents and how they think."""

from __future__ import annotations

import inspect
from html import escape

from nicegui import ui
from starlette.requests import Request

from ludoteca import agents, games, spec
from ludoteca.messages import say
from ludoteca.ratings.elo import show_elo
from ludoteca.reports.ladder import ANCHOR, Ladder, ladders
from ludoteca.web.app_state import AppState
from ludoteca.web.drawing.board import still_picture
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, game_title, page, raw
from ludoteca.web.pages.ladder_table import ladder_table
from ludoteca.web.pages.learn.documentation import address_of
from ludoteca.web.pages.learn.lessons import AGENTS
from ludoteca.web.serving.allowed_specs import agents_of

__all__ = ["register"]

PICTURES = {
    "hex": [("hex:size=5", ["c3"]), ("hex:size=5", ["c3", "b4", "b3", "d2", "d3", "c1", "e2", "a4"]), (
        "hex:size=5", ["c3", "b4", "b3", "d2", "d3", "c1", "e2", "a4", "a3"])],
    "horses": [("horses:layout=W@c3/B@f6/+10@d5/-5@e4/+3@b5/-1@g4", []),
               ("horses:layout=W@c3/B@f6/+10@d5/-5@e4/+3@b5/-1@g4", ["d5", "g4", "f4", "e3"])],
}  # fmt: skip
"""Positions that explain the rules: a game and actions from its start; other games play their first legal action."""


def register(app_state: AppState) -> None:
    """The pages at ``/learn`` and ``/learn/<game>``."""

    @page("/learn")
    def contents(visit: Visit, request: Request) -> None:
        raw(escape(visit.say("Learn")), tag="h1").classes("title")
        for name in games.names():
            _rules(visit, name, short=True)

    @page("/learn/{name}")
    def learn(visit: Visit, request: Request) -> None:
        name = request.path_params["name"]
        if name not in games.names():
            raise NotFound(say("no game is called {name!r}; the games are {names}", name=name, names=games.names()))
        _rules(visit, name)
        raw(escape(visit.say("The agents")), tag="h2").classes("title")
        for ladder in ladders(name):
            _ladder(visit, ladder)
        for agent in agents_of(name):
            _agent(visit, name, agent)


def _rules(visit: Visit, name: str, *, short: bool = False) -> None:
    title = game_title(name, visit.language)
    text = visit.translate(games.rules_text(name)) or inspect.getdoc(games.game_class(name)) or ""
    paragraphs = "".join(f"<p>{escape(part)}</p>" for part in text.split("\n\n"))
    with ui.element("section").classes("card learn"):
        raw(escape(visit.say("{game} in a minute", game=title)), tag="h2" if short else "h1").classes("title")
        raw("".join(f"<figure>{picture}</figure>" for picture in _pictures(visit, name)[: 1 if short else 3])).classes(
            "figures"
        )
        raw(paragraphs)
        more = f'<a class="button quiet" href="/learn/{name}">{visit.say("More")}</a>' if short else ""
        raw(f'<p class="row"><a class="button" href="/new/{name}">{visit.say("Play")}</a>{more}</p>')


def _pictures(visit: Visit, name: str) -> list[str]:
    drawn = []
    for text, names in PICTURES.get(name, [(name, [""] * count) for count in (0, 6)]):
        game = games.game(text)
        state = game.deal(7)
        for each in names:
            if state.turn is not None:
                state.apply(game.parse_action(each) if each else state.legal()[0])
        drawn.append(still_picture(state.view(0), narrow=visit.narrow, language=visit.language))
    return [picture for picture in drawn if picture]


def _ladder(visit: Visit, ladder: Ladder) -> None:
    """A ladder as a table with drawn intervals, and how it was measured."""
    with ui.element("section").classes("card scroll ladder"):
        heading = escape(visit.say("How strong they are"))
        raw(f"{heading} <code>{escape(ladder.game)}</code>", tag="h2").classes("subtitle")
        raw(ladder_table(visit, ladder))


def _agent(visit: Visit, name: str, agent: str) -> None:
    ours = agent in AGENTS
    text = visit.translate(AGENTS[agent]) if ours else agents.describe(agent).text
    paragraphs = "".join(f"<p>{escape(part)}</p>" for part in text.split("\n\n"))
    with ui.element("section").classes("card agent"):
        raw(
            f'<h2 class="subtitle">{escape(agent)}</h2>{_ratings(visit, name, agent)}'
            f'<div class="about"{"" if ours else " lang=en"}>{paragraphs}</div>{_options(visit, agent)}'
            f'<p class="row"><a class="button" href="/new/{name}?seats=person|{escape(agent)}">'
            f"{escape(visit.say('Play against {agent}', agent=agent))}</a>{_documentation(visit, name, agent)}</p>"
        )


def _documentation(visit: Visit, name: str, agent: str) -> str:
    """A link to the documentation of an agent, if there is one: for this game, or for all games."""
    address = address_of("agents", f"{agent}-{name}") or address_of("agents", agent)
    return (
        f'<a class="button quiet" href="{address}">{escape(visit.say("Technical documentation"))}</a>'
        if address
        else ""
    )


def _options(visit: Visit, agent: str) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(option.name)}={escape(spec.show(option.default))}</code></td>"
        f"<td>{escape(visit.translate(option.title))}: {escape(visit.translate(option.help))} "
        f"{escape(' | '.join(option.choices))}</td></tr>"
        for option in agents.describe(agent).options
    )
    return f'<table class="plain options">{rows}</table>' if rows else ""


def _ratings(visit: Visit, name: str, agent: str) -> str:
    """An agent's ratings, a line for each set of options that was measured."""
    lines = []
    for ladder in ladders(name):
        for rung in sorted(ladder.of_agent(agent), key=lambda each: each.agent != agent):  # with its defaults first
            where = f" <code>{escape(ladder.game)}</code>" if ladder.game != name else ""
            which = f" <code>{escape(rung.agent)}</code>" if rung.agent != agent else ""
            within = "" if rung.agent == ANCHOR else f" <small>({rung.interval})</small>"
            lines.append(f"<li><b>{show_elo(rung.elo)}</b>{within}{which}{where}</li>")
    title = f"{escape(visit.say('Rating'))} (Elo)"
    body = f"<ul>{''.join(lines)}</ul>" if lines else f"<p>{escape(visit.say('Not measured yet.'))}</p>"
    return f'<div class="rated"><span>{title}</span>{body}</div>'
