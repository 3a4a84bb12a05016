"""What stands before the pages: answers for files from memory, lets pages be built one at a time, and guards both.

::

    request ── a file? ── Shelf: read and compressed once, then given out as it is
        │
        └── a page? ── one at a time, in the order in which they were asked for, with a pause after each in which
        │              the clicks go through of those who are playing already
        └── else (forms, uploads, websockets): straight on, unless it is too long

A page takes milliseconds to build and a click microseconds to read. Without the pauses a click would wait, at each
of the steps it takes through the event loop, for a page of everybody who arrives at the same moment.
"""

from __future__ import annotations

import asyncio
import gzip
import math
from collections import OrderedDict
from dataclasses import dataclass

from nicegui import __version__
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludoteca.catalogues import accepted_language
from ludoteca.messages import say, translate

__all__ = ["StaticCache", "refuse"]

Headers = list[tuple[bytes, bytes]]

FILES = (
    *(f"/_nicegui/{__version__}/{kind}/" for kind in ("static", "components", "libraries", "resources", "esm")),
    "/static/",
    "/picture/",
    "/favicon.ico",
)
"""Addresses of what is the same for everybody, and stays so while the server runs."""
COMPRESSED = (b"font/woff2", b"image/png", b"image/jpeg", b"application/font-woff2")
"""Kinds of files that are compressed already."""
MOST_BYTES = 32 * 2**20
"""Of files kept in memory; those that were not asked for the longest go first."""
MOST_SENT = 4_000_000
"""Bytes that a form or an upload may have."""
STEPS = 12
"""Turns of the event loop after each page: as many as a click needs from the network to the board and back."""
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; "
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)
"""The browser itself is_refusal anything from another host."""
GUARD: Headers = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
]


@dataclass(frozen=True)
class _File:
    headers: Headers
    body: bytes
    tag: bytes


class StaticCache:
    """An ASGI application around another one."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._turn = asyncio.Semaphore(1)
        self._shelf: OrderedDict[tuple[str, bytes, bool], _File] = OrderedDict()
        self._bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or websocket."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path: str = scope["path"]
        if scope["method"] == "GET" and path.startswith(FILES):
            await self._give_file(scope, receive, send)
        elif scope["method"] == "GET" and not path.startswith("/_nicegui"):
            await self._give_page(scope, receive, send)
        elif _length(scope) > MOST_SENT:
            await refuse(scope, send, 413, TOO_LONG)
        else:
            await self.app(scope, receive, _guarded(send))

    async def _give_page(self, scope: Scope, receive: Receive, send: Send) -> None:
        # What is sent goes out after the turn: a visitor who does not read must not keep the next one waiting.
        answer: list[Message] = []

        async def keep(message: Message) -> None:
            answer.append(message)

        async with self._turn:
            await self.app(scope, receive, _guarded(keep))
            for _ in range(STEPS):
                await asyncio.sleep(0)
        for message in answer:
            await send(message)

    async def _give_file(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = {name: value for name, value in scope["headers"] if name in (b"accept-encoding", b"if-none-match")}
        compressed = b"gzip" in asked.get(b"accept-encoding", b"")
        query = scope["query_string"] if scope["path"].startswith("/picture/") else b""
        key = (scope["path"], query, compressed)
        file = self._shelf.get(key)
        if file is None:
            file = await self._fetch(scope, compressed)
            if file is None:  # not found, or the like: that is for the application to say
                await self._give_page(scope, receive, send)
                return
            self._keep(key, file)
        self._shelf.move_to_end(key)
        if file.tag and asked.get(b"if-none-match") == file.tag:
            unchanged = [each for each in file.headers if each[0] not in (b"content-length", b"content-encoding")]
            await send({"type": "http.response.start", "status": 304, "headers": unchanged})
            await send({"type": "http.response.body", "body": b""})
            return
        await send({"type": "http.response.start", "status": 200, "headers": file.headers})
        await send({"type": "http.response.body", "body": file.body})

    async def _fetch(self, scope: Scope, compressed: bool) -> _File | None:
        """The file as the application gives it to nobody in particular: no cookie goes in, none comes out.

        Compressed once and given out for good, it is worth more effort than a page: that saves a sixth.
        """
        host = [(name, value) for name, value in scope["headers"] if name == b"host"]
        start: list[Message] = []
        body = bytearray()

        asked = False

        async def receive() -> Message:
            nonlocal asked
            if asked:
                await asyncio.Event().wait()  # nobody hangs up
            asked = True
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.append(message)
            elif message["type"] == "http.response.body":
                body.extend(message.get("body", b""))

        await self.app(dict(scope) | {"headers": host, "extensions": {}}, receive, send)
        if not start or start[0]["status"] != 200:
            return None
        dropped = (b"set-cookie", b"vary", b"transfer-encoding", b"content-length")
        headers = [each for each in start[0]["headers"] if each[0].lower() not in dropped]
        names = {name.lower(): value for name, value in headers}
        content, kind = bytes(body), names.get(b"content-type", b"")
        if compressed:
            headers.append((b"vary", b"Accept-Encoding"))
            if b"content-encoding" not in names and not kind.startswith(COMPRESSED):
                content = await asyncio.to_thread(gzip.compress, content, 9, mtime=0)
                headers.append((b"content-encoding", b"gzip"))
        headers.append((b"content-length", str(len(content)).encode()))
        return _File([*headers, *GUARD], content, names.get(b"etag", b""))

    def _keep(self, key: tuple[str, bytes, bool], file: _File) -> None:
        self._bytes += len(file.body) - len(self._shelf[key].body if key in self._shelf else b"")
        self._shelf[key] = file
        while self._bytes > MOST_BYTES and len(self._shelf) > 1:
            _, gone = self._shelf.popitem(last=False)
            self._bytes -= len(gone.body)


def _length(scope: Scope) -> float:
    """How many bytes the body of a request has, as it says itself; the server reads no more than that."""
    told = dict(scope["headers"]).get(b"content-length", b"")
    if told.isdigit():
        return int(told)
    return 0 if scope["method"] in ("GET", "HEAD", "OPTIONS") else math.inf


TOO_LONG = say("A request may have at most {most:,} bytes, and must say how many it has.", most=MOST_SENT)


async def refuse(scope: Scope, send: Send, status: int, why: str) -> None:
    """Answers a request with nothing but a status and a text that says why."""
    language = accepted_language(dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1"))
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close"), *GUARD]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": translate(why, language).encode()})


def _guarded(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *GUARD]}
        await send(message)

    return guarded
