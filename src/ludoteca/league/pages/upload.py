"""Handing in: a file, a zip of a folder, or pasted code.

::

    request ── onto the disk ── waits its turn ── a thread: form, `hand_in.take`, which reads the file in a process
                                                  of its own

Fifty uploads at once must not make the page slow: one is taken at a time, and the others wait on the disk. Each person
hands in one at a time.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import IO

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response

from ludoteca.errors import LudotecaError
from ludoteca.league.database import Person
from ludoteca.league.hand_in import DAY, take
from ludoteca.league.pages.site import Forbidden, LeagueSite, LeagueVisit, TooMany
from ludoteca.messages import say
from ludoteca.web.serving.addresses import AddressRateLimit

AT_ONCE = 1
"""Uploads that are taken at the same time; each takes some 50 ms."""
MOST_WAITING = 300
TRIES = 5
"""For each version that a person may hand in a day, so many uploads, refused ones too."""
PER_ADDRESS, ADDRESS_WITHIN = 200, 60.0
"""Uploads from one address in so many seconds: a class often shares one."""
IN_MEMORY = 1 << 16
SPARE_BYTES = 50_000
"""What a form has besides the file."""


class Uploads:
    """The uploads of a league. Belongs to one event loop."""

    def __init__(self, site: LeagueSite) -> None:
        self._site = site
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="league-upload")
        self._busy: set[int] = set()
        """Persons with an upload that is not yet taken."""
        tries = TRIES * site.settings.quota.versions_a_day
        self._people = AddressRateLimit(tries, DAY)
        self._addresses = AddressRateLimit(PER_ADDRESS, ADDRESS_WITHIN)

    @property
    def most_bytes(self) -> int:
        """Of a request."""
        return self._site.settings.quota.kilobytes * 1000 + SPARE_BYTES

    async def take(self, visit: LeagueVisit, request: Request) -> int:
        """The version that a request hands in. Raises LudotecaError with the reason why not."""
        person = visit.viewer
        if not isinstance(person, Person):
            raise Forbidden(say("Only students hand in."))
        if person.id in self._busy:
            raise TooMany(say("Your last upload is still being read. Please wait for it."))
        if self._people.is_exceeded(str(person.id)):
            raise TooMany(say("You have tried very often today. Come back tomorrow, or ask your teacher."))
        if len(self._busy) >= MOST_WAITING or self._addresses.is_exceeded(visit.address):
            raise TooMany(say("Many people hand in just now. Please try again in a minute."))
        self._busy.add(person.id)
        self._people.count(str(person.id))
        self._addresses.count(visit.address)
        try:
            with tempfile.SpooledTemporaryFile(IN_MEMORY) as body:
                async for piece in request.stream():
                    body.write(piece)
                    if body.tell() > self.most_bytes:
                        raise LudotecaError(say("That is too large."))
                body.seek(0)
                return await asyncio.get_running_loop().run_in_executor(
                    self._threads, self._taken, visit, person, request, body
                )
        finally:
            self._busy.discard(person.id)

    def _taken(self, visit: LeagueVisit, person: Person, request: Request, body: IO[bytes]) -> int:
        try:
            token, data, name = asyncio.run(_form(request, body, self.most_bytes))
        except (MultiPartException, UnicodeDecodeError, KeyError) as error:
            raise LudotecaError(say("This form cannot be read.")) from error
        self._site.check(visit, token)
        if not data.strip():
            raise LudotecaError(say("Choose a file first, or paste code."))
        return take(self._site.database, self._site.settings, person, data, name).id

    def close(self) -> None:
        """Forget those that wait: their senders have no answer yet."""
        self._threads.shutdown(cancel_futures=True)


async def _form(request: Request, body: IO[bytes], most: int) -> tuple[str, bytes, str]:
    """The token, the bytes that are handed in, and what their file is called."""

    async def pieces() -> AsyncIterator[bytes]:
        while piece := body.read(1 << 16):
            yield piece
        yield b""

    parser = MultiPartParser(request.headers, pieces(), max_files=1, max_fields=4, max_part_size=most)  # type: ignore[arg-type]
    form = await parser.parse()
    try:
        token, pasted, file = str(form.get("token", "")), str(form.get("code", "")), form.get("file")
        if isinstance(file, UploadFile) and file.filename:
            return token, await file.read(), file.filename
        return token, pasted.encode(), "solution.py"
    finally:
        await form.close()


def register(site: LeagueSite) -> Uploads:
    """The route that takes what is handed in."""
    uploads = Uploads(site)

    async def hand_in(request: Request) -> Response:
        visit = site.visit(request)
        try:
            version = await uploads.take(visit, request)
        except ClientDisconnect:
            return Response(status_code=400)
        except LudotecaError as error:
            return await site.in_thread(site.error, visit, error, "/league/me")
        return RedirectResponse(f"/league/version/{version}", status_code=303)

    site.pages.add_route("/league/hand-in", hand_in, methods=["POST"])
    return uploads
