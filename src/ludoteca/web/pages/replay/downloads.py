"""Matches as files: JSON, text, and Hex as SGF. Paths of the server are shortened."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from starlette.responses import Response

from ludoteca.adapters.formats import sgf, text
from ludoteca.agents.identity import short_spec
from ludoteca.errors import LudotecaError
from ludoteca.games.details import details_of
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.protocols import Decision, Game
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit
from ludoteca.web.serving.path_redaction import redact_paths

KINDS: dict[str, tuple[str, Callable[[Record], str]]] = {
    "json": ("application/json", lambda record: record.to_json() + "\n"),
    "sgf": ("application/x-go-sgf", lambda record: sgf.write([record])),
    "txt": ("text/plain", lambda record: text.write([record])),
}
"""By file suffix the content type and the writer."""


def kinds_of(game: Game) -> list[str]:
    """The suffixes that a match of this game can have."""
    return [kind for kind in KINDS if kind in ("json", "txt", *details_of(game).extra_formats)]


def public(record: Record) -> Record:
    """A record without the server's folders in its agents' names, notes and messages."""
    names = (replace(who.identity, spec=short_spec(who.identity.spec)) for who in record.seats)
    seats = tuple(replace(who, identity=name) for who, name in zip(record.seats, names, strict=True))
    decisions = tuple(None if each is None else _public_thought(each) for each in record.decisions)
    first, second = seats
    return replace(record, seats=(first, second), decisions=decisions, message=_shortened(record.message))


def _public_thought(decision: Decision) -> Decision:
    reasons = tuple(replace(each, text=_shortened(each.text)) for each in decision.reasons)
    return replace(decision, note=_shortened(decision.note), reasons=reasons)


def _shortened(text: str) -> str:
    """The message unchanged, with its template and fields, unless it names a folder."""
    short = redact_paths(str(text))
    return text if short == str(text) else short


def answer(visit: Visit, kind: str, name: str, found: Callable[[], Match | Record]) -> Response:
    """The file of a match, or the error as plain text. name: the file's name without its suffix."""
    try:
        if kind not in KINDS:
            raise NotFound("a match can be downloaded as {kinds}", kinds=", ".join(KINDS))
        media, write = KINDS[kind]
        match = found()
        record = match.record() if isinstance(match, Match) else match
        content = write(public(record))
    except LudotecaError as error:
        status = 404 if isinstance(error, NotFound) else 400
        return Response(visit.explain(error), status_code=status, media_type="text/plain; charset=utf-8")
    plain = re.sub(r"[^\w.=-]+", "-", name, flags=re.ASCII).strip("-")[:80]
    headers = {"Content-Disposition": f'attachment; filename="{plain or "match"}.{kind}"'}
    return Response(content, media_type=f"{media}; charset=utf-8", headers=headers)
