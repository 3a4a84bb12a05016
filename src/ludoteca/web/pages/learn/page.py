"""One page per game: the rules in pictures, a position to try, its agents in plain words, then their ratings."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from html import escape

from nicegui import ui
from starlette.requests import Request

from ludoteca import agents, games, spec
from ludoteca.agents import strongest
from ludoteca.games.details import details_of
from ludoteca.games.lesson import Position
from ludoteca.ratings.elo import show_elo
from ludoteca.reports.ladder import ANCHOR, Ladder, ladders
from ludoteca.web.app_state import AppState
from ludoteca.web.drawing.board import still_picture
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, game_title, page, raw
from ludoteca.web.pages.ladder_table import ladder_table
from ludoteca.web.pages.learn.documentation import address_of, find
from ludoteca.web.pages.learn.guide import guide_link, match_of, register_guide
from ludoteca.web.pages.learn.lessons import AGENTS
from ludoteca.web.pages.learn.solved import link_to_solved, register_solved
from ludoteca.web.pages.training.page import link_to_trainings
from ludoteca.web.serving.allowed_specs import agents_of
from ludoteca.web.tables.match_request import PERSON
from ludoteca.web.tables.uploads import write_actions
from ludoteca.web.thinking.opponents import opponents


def register(app_state: AppState) -> None:
    """The pages at ``/learn``, ``/learn/<game>``, ``/guide/<game>``, ``/solved`` and ``/docs/<folder>/<name>``."""
    register_solved()
    register_guide()

    @page("/learn")
    def contents(visit: Visit, request: Request) -> None:
        raw(escape(visit.say("Learn")), tag="h1").classes("title")
        for name in games.names():
            _rules(visit, name, short=True)
        link_to_solved(visit)
        link_to_trainings(visit, app_state)

    @page("/learn/{name}")
    def learn(visit: Visit, request: Request) -> None:
        name = request.path_params["name"]
        if name not in games.names():
            raise NotFound("no game is called {name!r}; the games are {names}", name=name, names=games.names())
        _rules(visit, name)
        _exercise(visit, name)
        raw(escape(visit.say("The agents")), tag="h2").classes("title")
        for agent in _from_weak_to_strong(name):
            _agent(visit, name, agent)
        for ladder in ladders(name):
            _ladder(visit, ladder)

    @page("/docs/{folder}/{name}")
    def show(visit: Visit, request: Request) -> None:
        found = find(request.path_params["folder"], request.path_params["name"], visit.language)
        if found is None:
            raise NotFound("There is no such page: {path}", path=request.url.path[:200])
        ui.page_title(f"{found.title} · Ludoteca")
        raw(f'<a href="/learn">← {escape(visit.say("Learn"))}</a>')
        if found.language != visit.language:
            raw(escape(visit.say("This page has not been translated: it is in English.")), tag="p").classes("soft")
        with ui.element("article").classes("card document").props(f"lang={found.language}"):
            raw(escape(found.title), tag="h1").classes("title")
            ui.markdown(found.text).classes("about")


def _rules(visit: Visit, name: str, *, short: bool = False) -> None:
    """The rules in a minute, a picture beside each paragraph; short: the first picture and all the text."""
    title = game_title(name, visit.language)
    text = visit.translate(games.rules_text(name)) or inspect.getdoc(games.game_class(name)) or ""
    paragraphs = [f"<p>{escape(part)}</p>" for part in text.split("\n\n")]
    drawn = [_picture(visit, each) for each in _figures(name)[: 1 if short else None]]
    with ui.element("section").classes("card learn"):
        raw(escape(visit.say("{game} in a minute", game=title)), tag="h2" if short else "h1").classes("title")
        if not short and len(drawn) == len(paragraphs):
            steps = zip(drawn, paragraphs, strict=True)
            raw("".join(f"<li><figure>{picture}</figure>{words}</li>" for picture, words in steps), tag="ol").classes(
                "steps"
            )
        else:
            raw("".join(f"<figure>{picture}</figure>" for picture in drawn)).classes("figures")
            raw("".join(paragraphs))
        more = f'<a class="button quiet" href="/learn/{name}">{visit.say("More")}</a>' if short else ""
        guide = guide_link(visit, name, looks=' class="button quiet"')
        raw(f'<p class="row"><a class="button" href="/new/{name}">{visit.say("Play")}</a>{guide}{more}</p>')


def _figures(name: str) -> Sequence[Position]:
    """The positions that show the rules; of a game that names none its start, and one after some actions."""
    game = games.game(name)
    if known := details_of(game).figures:
        return known
    state, names = game.deal(7), list[str]()
    while state.turn is not None and len(names) < 6:
        names.append(game.action_name(state.legal()[0]))
        state.apply(state.legal()[0])
    return [Position(name), Position(name, tuple(names))]


def _picture(visit: Visit, position: Position) -> str:
    return still_picture(match_of(position).view(0), narrow=visit.narrow, language=visit.language)


def _exercise(visit: Visit, name: str) -> None:
    """A position to try against the engine; its answer is hidden until asked for."""
    exercise = details_of(games.game(name)).exercise
    if exercise is None:
        return
    position, say = exercise.position, visit.say
    match = match_of(position)
    fields = {
        "game": position.game, "seats": f"{PERSON}|{strongest(match.game)}", "seed": str(position.seed),
        "start": position.start, "actions": write_actions(match.actions), "limit": "1s",
    }  # fmt: skip
    hidden = "".join(
        f'<input type="hidden" name="{field}" value="{escape(value, quote=True)}">' for field, value in fields.items()
    )
    answer = say("Answer: {action}.", action=match.game.action_name(match.game.parse_action(exercise.answer)))
    with ui.element("section").classes("card learn exercise"):
        raw(escape(say("Try it")), tag="h2").classes("title")
        raw(
            f'<figure>{_picture(visit, position)}</figure><div class="task">'
            f"<p>{escape(visit.translate(exercise.task))}</p>"
            f'<form method="post" action="/table" class="row">{hidden}<button class="button">{escape(say("Play it"))}'
            f"</button></form><details><summary>{escape(say('Show the answer'))}</summary>"
            f"<p><b>{escape(answer)}</b> {escape(visit.translate(exercise.why))}</p></details></div>"
        )


def _from_weak_to_strong(name: str) -> list[str]:
    """The agents of a game, each once, in the order of the opponents; those that are not among them come last."""
    listed = [each.spec.partition(":")[0] for each in opponents(name) if each.elo is not None]
    strongest_last = reversed(dict.fromkeys(reversed(listed)))
    return [*dict.fromkeys([*strongest_last, *agents_of(name)])]


def _ladder(visit: Visit, ladder: Ladder) -> None:
    """A ladder as a table with drawn intervals, and how it was measured."""
    with ui.element("section").classes("card scroll ladder"):
        heading = escape(visit.say("How strong they are"))
        raw(f"{heading}: {escape(visit.game(ladder.game))}", tag="h2").classes("subtitle")
        raw(ladder_table(visit, ladder))


def _agent(visit: Visit, name: str, agent: str) -> None:
    """An agent in plain words; options, ratings and technical documentation are one click further."""
    ours = agent in AGENTS
    text = visit.translate(AGENTS[agent]) if ours else agents.describe(agent).text
    first, *rest = (f"<p>{escape(part)}</p>" for part in text.split("\n\n"))
    language = "" if ours else " lang=en"
    title = visit.agent(agent)
    command = "" if title == agent else f" <code>{escape(agent)}</code>"
    with ui.element("section").classes("card agent"):
        raw(
            f'<h2 class="subtitle">{escape(title)}{command}</h2><div class="about"{language}>{first}</div>'
            f'<p class="row"><a class="button" href="/new/{name}?opponent={escape(agent)}">'
            f"{escape(visit.say('Play against {agent}', agent=title))}</a></p>"
            f"<details><summary>{escape(visit.say('More about {agent}', agent=title))}</summary>"
            f'<div class="about"{language}>{"".join(rest)}</div>{_ratings(visit, name, agent)}{_options(visit, agent)}'
            f"{_documentation(visit, name, agent)}</details>"
        )


def _documentation(visit: Visit, name: str, agent: str) -> str:
    """A link to the documentation of an agent, if there is one: for this game, or for all games."""
    for page_name in (f"{agent}-{name}", agent):
        if (found := find("agents", page_name, visit.language)) is not None:
            title = visit.say("Technical documentation")
            if found.language != visit.language:
                title = visit.say("Technical documentation (in English)")
            address = address_of("agents", page_name)
            return f'<p class="row"><a class="button quiet" href="{address}">{escape(title)}</a></p>'
    return ""


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
            where = f" · {escape(visit.game(ladder.game))}" if ladder.game != name else ""
            which = ""
            if rung.agent != agent:
                which = f" {escape(visit.agent(rung.agent))} <code>{escape(rung.agent)}</code>"
            within = "" if rung.agent == ANCHOR else f" <small>({rung.interval})</small>"
            lines.append(f"<li><b>{show_elo(rung.elo)}</b>{within}{which}{where}</li>")
    title = f"{escape(visit.say('Rating'))} (Elo)"
    body = f"<ul>{''.join(lines)}</ul>" if lines else f"<p>{escape(visit.say('Not measured yet.'))}</p>"
    return f'<div class="rated"><span>{title}</span>{body}</div>'
