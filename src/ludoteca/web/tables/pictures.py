"""Pictures of matches for people to share: drawn in a process of their own, one at a time, and cached.

A match of hundreds of actions takes seconds to draw, so neither the event loop nor a player's click may wait for it::

    the page  ── address of a match ──►  python -m ludoteca.web.tables.pictures
              ◄── PNG or GIF        ──   at most CPU_SECONDS and MEMORY, and no file to write
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections import Counter, OrderedDict
from collections.abc import Mapping
from typing import Literal, get_args

from ludoteca.catalogues import Language, languages
from ludoteca.errors import LudotecaError
from ludoteca.messages import Speaker, from_json, say, to_json
from ludoteca.web.drawing.raster import gif, png
from ludoteca.web.drawing.shared_pictures import WIDTH, frames, position_svg, preview_svg
from ludoteca.web.errors import InvalidTable
from ludoteca.web.serving.addresses import AddressRateLimit
from ludoteca.web.serving.limited_process import LimitedProcessFailed, limit_process, run_limited, write_and_exit
from ludoteca.web.tables.shared_match import read_shared, texts_of

Kind = Literal["preview.png", "position.png", "match.gif"]
KINDS: tuple[str, ...] = get_args(Kind)
CPU_SECONDS = 20
"""Processor time for a picture. The longest match on the largest board takes about five seconds."""
MEMORY = 1024 * 2**20
WALL_SECONDS = 90.0
MOST_ACTIONS = 1000
MOST_BYTES = 2**20
"""Of a picture: programs refuse to show larger ones."""
MOST_QUERY = 20_000
"""Characters of an address."""
POSITION_WIDTH, MOTION_WIDTHS = 1000, (420, 300, 200)
"""In pixels; an animation that is too large is drawn smaller."""
MOST_WAITING, MOST_WAITING_PER_ADDRESS = 16, 4
MOST_DRAWN, WITHIN = 30, 60.0
"""Pictures that are drawn for one address in so many seconds; those in the cache do not count."""
MOST_CACHED = 32 * 2**20
FIELDS = ("game", "seed", "actions", "start", "seats", "names", "ending", "turning", "ply")
OUR_FAULT = say("drawing this picture failed by our own fault; the operator's log says more")
TOO_MUCH = say("this picture takes too long to draw")
BUSY = say("many pictures are being drawn just now; please try again in a minute")


class TooManyPictures(InvalidTable):
    """Too many pictures wait to be drawn, or were drawn for one address of late."""


class Pictures:
    """Draws pictures and caches them. Belongs to one event loop."""

    def __init__(self, *, most_cached: int = MOST_CACHED, most_drawn: int = MOST_DRAWN) -> None:
        self._one = asyncio.Semaphore(1)
        self._waiting: Counter[str] = Counter()
        self._drawn = AddressRateLimit(most_drawn, WITHIN)
        self._cache: OrderedDict[str, bytes] = OrderedDict()
        self._most_cached = most_cached
        self._pending: dict[str, asyncio.Future[bytes]] = {}

    async def get(self, kind: str, query: Mapping[str, str], language: Language, address: str) -> bytes:
        """The picture of a match in an address, for a visitor at a network address.

        Raises InvalidTable, and TooManyPictures.
        """
        fields = {name: query[name] for name in FIELDS if name in query}
        question = json.dumps({"kind": kind, "language": language, "fields": fields})
        if kind not in KINDS or len(question) > MOST_QUERY:
            raise InvalidTable(say("there is no such picture"))
        if question in self._cache:
            self._cache.move_to_end(question)
            return self._cache[question]
        if question not in self._pending:
            if (
                self._waiting.total() >= MOST_WAITING
                or self._waiting[address] >= MOST_WAITING_PER_ADDRESS
                or self._drawn.is_exceeded(address)
            ):
                raise TooManyPictures(BUSY)
            self._drawn.count(address)
            self._pending[question] = asyncio.ensure_future(self._draw(question, address))
        return await asyncio.shield(self._pending[question])

    async def _draw(self, question: str, address: str) -> bytes:
        self._waiting[address] += 1
        try:
            async with self._one:
                answer = await run_limited(__name__, CPU_SECONDS, MEMORY, question.encode(), WALL_SECONDS)
        except LimitedProcessFailed:
            logging.getLogger(__name__).exception("a picture could not be drawn")
            raise InvalidTable(OUR_FAULT) from None
        finally:
            self._waiting -= Counter([address])
            self._pending.pop(question, None)
        if answer is None:
            raise InvalidTable(TOO_MUCH)
        if answer.startswith(b"{"):
            raise InvalidTable(from_json(json.loads(answer)["refused"]))
        self._cache[question] = answer
        while sum(map(len, self._cache.values())) > self._most_cached:
            self._cache.popitem(last=False)
        return answer


def draw(kind: str, fields: Mapping[str, str], language: Language) -> bytes:
    """The picture as bytes. Raises LudotecaError."""
    shared = read_shared(fields)
    match, count = shared.match, len(shared.match.actions)
    if count > MOST_ACTIONS:
        raise InvalidTable("a match of more than {most} moves cannot be drawn", most=MOST_ACTIONS)
    if not position_svg(match, count, language):
        raise InvalidTable(say("this game does not draw itself"))
    if kind == "preview.png":
        return png(preview_svg(match, texts_of(shared, Speaker(language)), shared.turning, language), WIDTH)
    if kind == "position.png":
        ply = fields.get("ply", "")
        at = min(int(ply), count) if ply.isascii() and ply.isdigit() and len(ply) < 6 else count
        return png(position_svg(match, at, language), POSITION_WIDTH)
    pictures = frames(match, language)
    drawn = b""
    for width in MOTION_WIDTHS:
        drawn = gif(pictures, width)
        if len(drawn) <= MOST_BYTES:
            break
    return drawn


def main() -> None:
    """Reads a question from standard input, within limits; writes the picture, or why it is refused as JSON."""
    limit_process()
    question = json.loads(sys.stdin.buffer.read(2 * MOST_QUERY))
    language = question["language"] if question["language"] in languages() else "en"
    try:
        answer = draw(question["kind"], question["fields"], language)
    except LudotecaError as error:
        answer = json.dumps({"refused": to_json(error.message)}).encode()
    write_and_exit(answer)


if __name__ == "__main__":
    main()
