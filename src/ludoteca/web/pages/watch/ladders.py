"""The ladders that come with Ludoteca, as tournaments to look at: ratings, and some matches to replay."""

from __future__ import annotations

from html import escape

from nicegui import ui

from ludoteca.games.details import seat_variables
from ludoteca.play.record import Record
from ludoteca.reports.ladder import Ladder, all_ladders, ladder_matches
from ludoteca.web.drawing.board import snapshot
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, raw
from ludoteca.web.pages.ladder_table import ladder_table, limit_text
from ludoteca.web.pages.replay.page import ReplayedMatch
from ludoteca.web.pages.watch.run import result_text
from ludoteca.web.serving.allowed_specs import cached_game

BOARDS = 4
"""Matches whose last position is drawn."""


def find_ladder(name: str) -> Ladder | None:
    """The ladder of this name, if it comes with Ludoteca."""
    return next((each for each in all_ladders() if each.name == name), None)


def find_ladder_match(ladder: Ladder, place: int) -> ReplayedMatch:
    """A match that comes with a ladder. Raises NotFound."""
    records = ladder_matches(ladder.name)
    if place >= len(records):
        raise NotFound("There is no match {place} here; there are {count}.", place=place, count=len(records))
    return ReplayedMatch.of_record(records[place], f"/watch/{ladder.name}/{place}")


def ladder_list(visit: Visit) -> str:
    """The ladders as links: the game, how many agents and matches, and who is the best."""
    rows = []
    for ladder in all_ladders():
        agents = [rung.agent for rung in ladder.rungs if not rung.chance]
        facts = [
            visit.say("{count} agents", count=len(agents)),
            visit.say("{count} matches to replay", count=len(ladder_matches(ladder.name))),
            visit.say("first: {agent}", agent=visit.agent(agents[0])),
        ]
        rows.append(
            f'<div class="match"><a class="grow" href="/watch/{ladder.name}"><b>{escape(visit.game(ladder.game))}'
            f"</b> <small>{escape(' · '.join(facts))}</small></a></div>"
        )
    return "".join(rows)


def build_ladder(visit: Visit, ladder: Ladder) -> None:
    """The page of one ladder."""
    records = ladder_matches(ladder.name)
    title = visit.say("{game}: our agents", game=visit.game(ladder.game))
    ui.page_title(f"{title} · Ludoteca")
    raw(
        f'<a href="/watch">← {escape(visit.say("Watch"))}</a><h1 class="title">{escape(title)}</h1>'
    ).classes("stack")  # fmt: skip
    raw(
        f'<h2 class="subtitle">{escape(visit.say("Ranking"))}</h2>{ladder_table(visit, ladder)}', tag="section"
    ).classes("card scroll ladder")
    if not records:
        return
    about = visit.say(
        "{count} matches of neighbours in the ranking, with {limit}. The ratings come from {matches} other matches.",
        count=len(records),
        limit=limit_text(visit, records[0].limit),
        matches=visit.number(ladder.matches, ","),
    )
    rows = "".join(_row(visit, ladder, place, record) for place, record in enumerate(records))
    with ui.element("section").classes("card").style(seat_variables(cached_game(ladder.game))):
        raw(
            f'<h2 class="subtitle">{escape(visit.say("Matches to replay"))}</h2><p class="soft">{escape(about)}</p>'
            f'<div class="stored">{rows}</div>'
        )

    boards = raw().classes("games")  # last, so that nothing moves when they come

    def show_boards() -> None:  # not in the first document: escaping the pictures there takes long
        boards.set_content("".join(_board(visit, ladder, place, records[place]) for place in range(BOARDS)))

    ui.context.client.on_connect(show_boards)


def _names(visit: Visit, record: Record) -> list[str]:
    won = [" won" if record.score == score else "" for score in (1, 0)]
    return [
        f'<span class="seat{seat}{won[seat]}"{visit.exact(agent.spec)}>{escape(visit.agent(agent.spec))}</span>'
        for seat, agent in enumerate(record.agents)
    ]


def _row(visit: Visit, ladder: Ladder, place: int, record: Record) -> str:
    count = visit.say_count("{count} action", "{count} actions", len(record.actions))
    return (
        f'<a href="/watch/{ladder.name}/{place}">{" – ".join(_names(visit, record))} '
        f"<small>{result_text(record)} · {escape(count)}</small></a>"
    )


def _board(visit: Visit, ladder: Ladder, place: int, record: Record) -> str:
    return (
        f'<a class="card game" href="/watch/{ladder.name}/{place}">'
        f'<div class="small-board">{snapshot(record, visit.language, narrow=visit.narrow)}</div>'
        f"<p>{' – '.join(_names(visit, record))} <small>{result_text(record)}</small></p></a>"
    )
