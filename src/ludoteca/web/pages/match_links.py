"""Addresses and forms that lead to a match: to replay it, to review it, to play on from it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from html import escape
from urllib.parse import urlencode

from starlette.requests import Request

from ludoteca.agents import strongest
from ludoteca.errors import LudotecaError
from ludoteca.play.match import Match
from ludoteca.protocols import Game
from ludoteca.web.serving.allowed_specs import allowed_agent
from ludoteca.web.tables.match_request import PERSON
from ludoteca.web.tables.shared_match import match_fields, shared_query


def asked_ply(request: Request, count: int, default: int) -> int:
    """The ply that an address asks for, in a match of `count` actions; else `default`."""
    ply = request.query_params.get("ply", "")
    return min(int(ply), count) if ply.isascii() and ply.isdigit() and len(ply) < 6 else default


def position_address(match: Match, ply: int | None = None, turning: int | None = None) -> str:
    """The address at which anybody can replay a match, from a given ply; turning: the action by which it turned."""
    return f"/replay?{shared_query(match, turning)}" + ("" if ply is None else f"&ply={ply}")


def play_form(match: Match, opponent: str, label: str) -> str:
    """A form that opens a table where the match continues, with a person in the seat on turn; it needs no script.

    opponent: the agent of the match that plays in the other seat, if one does; else the strongest plays there.
    """
    seats = [PERSON, PERSON]
    seats[1 - (match.turn or 0)] = _opponent(match.game, opponent)
    hidden = "".join(
        f'<input type="hidden" name="{field}" value="{escape(str(value), quote=True)}">'
        for field, value in (match_fields(match) | {"seats": "|".join(seats)}).items()
    )
    return f'<form method="post" action="/table">{hidden}<button class="button">{escape(label)}</button></form>'


def _opponent(game: Game, agent: str) -> str:
    """The agent, if the page may play with it; else the strongest."""
    if agent not in ("", PERSON):
        with contextlib.suppress(LudotecaError):
            return allowed_agent(agent, game.name)
    return strongest(game)


def review_address(match: Match, names: Sequence[str]) -> str:
    """The address at which a match is reviewed; names: by seat PERSON or the agent."""
    fields = match_fields(match) | {"seats": "|".join(names)}
    if match.opening:
        fields["opening"] = match.opening
    if match.side_swaps:
        fields["swaps"] = ".".join(map(str, match.side_swaps))
    return f"/review?{urlencode(fields, safe=':,|')}"
