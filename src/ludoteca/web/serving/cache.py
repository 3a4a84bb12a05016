"""ASGI middleware: serves files from memory, builds pages one at a time, and adds security headers to all.

::

    request ── a file? ── read and compressed once, then served from memory
        │
        └── a page? ── one at a time, see `overload`, with a pause after each for the clicks of people who play
        │
        └── else (forms, uploads, websockets): passed on, unless it is too long

A page takes milliseconds to build and a click microseconds to read. Without the pauses a click would wait, at each of
its steps through the event loop, for a page of everybody who arrives at the same moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from urllib.parse import parse_qs, urlencode

from nicegui import __version__
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludoteca.catalogues import accepted_language
from ludoteca.messages import say, translate
from ludoteca.web.serving.addresses import address_key
from ludoteca.web.serving.overload import BUSY, RETRY_SECONDS, PageQueue, TooBusy

Headers = list[tuple[bytes, bytes]]

FILES = (
    *(f"/_nicegui/{__version__}/{kind}/" for kind in ("static", "components", "libraries", "resources", "esm")),
    "/static/",
    "/picture/",
    "/favicon.ico",
)
"""Addresses of files that are the same for every visitor and do not change while the server runs."""
COMPRESSED = (b"font/woff2", b"image/png", b"image/jpeg", b"application/font-woff2")
"""Content types that are compressed already."""
MOST_BYTES = 32 * 2**20
"""Size of the cache; the least recently used files go first."""
MOST_DISCARDED = 64 << 20
"""Bytes of a request that is read although it is too long; a longer one is refused at once."""
DISCARD_SECONDS = 10.0
"""How long we wait for its next part."""
MOST_BODY_BYTES = 4_000_000
"""Longest form or upload."""
LOOP_TURNS = 12
"""Turns of the event loop after each page: as many as a click needs from the network to the board and back."""
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; "
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)
"""Makes the browser refuse anything from another host."""
SECURITY_HEADERS: Headers = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
]


_Key = tuple[str, bytes, bool]
"""Path, query, and whether it is compressed."""
OBJECT = 64
"""Bytes of a small Python object, about."""


@dataclass(frozen=True)
class _CachedFile:
    headers: Headers
    body: bytes
    tag: bytes


class StaticCache:
    """Wraps an ASGI application."""

    def __init__(
        self,
        app: ASGIApp,
        pages: PageQueue,
        visitor_of: Callable[[Scope], str] = lambda scope: "",
        is_full: Callable[[str], bool] = lambda host: False,
        most_bytes: int = MOST_BYTES,
        most_body: int = MOST_BODY_BYTES,
        direct: Callable[[str], bool] = lambda path: False,
    ) -> None:
        """visitor_of: the visitor of a request, or nothing. is_full: whether a host may open no further tab.

        most_body: bytes of the longest form or upload. direct: whether an address is passed on at once.
        """
        self.app, self._pages, self._visitor_of, self._is_full = app, pages, visitor_of, is_full
        self._most_body, self._direct = most_body, direct
        self._files: OrderedDict[_Key, _CachedFile] = OrderedDict()
        self._bytes, self._most_bytes = 0, most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or websocket."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path: str = scope["path"]
        if scope["method"] == "GET" and path.startswith(FILES):
            await self._serve_file(scope, receive, send)
        elif scope["method"] == "GET" and not path.startswith("/_nicegui") and not self._direct(path):
            await self._serve_page(scope, receive, send)
        elif _length(scope) > self._most_body:
            most = self._most_body
            reason = say("A request may have at most {most:,} bytes, and must state its length.", most=most)
            if _length(scope) <= MOST_DISCARDED:
                await _discard(receive)
            await refuse(scope, send, 413, reason)
        elif not path.startswith("/_nicegui") and self._is_full(_host(scope)):
            await _send_busy_page(scope, send)
        else:
            await self.app(scope, receive, _with_security_headers(send))

    async def _serve_page(self, scope: Scope, receive: Receive, send: Send) -> None:
        # The response is sent after the turn, so that a slow reader does not delay the next visitor.
        answer: list[Message] = []

        async def keep(message: Message) -> None:
            answer.append(message)

        host, visitor = _host(scope), self._visitor_of(scope)
        try:
            if self._is_full(host):
                raise TooBusy
            async with self._pages.turn(visitor, address_key(host)):
                await self.app(scope, receive, _with_security_headers(keep))
                for _ in range(LOOP_TURNS):
                    await asyncio.sleep(0)
        except TooBusy:
            await _send_busy_page(scope, send)
            return
        if not visitor:  # a newcomer, who now has a cookie
            self._pages.note_inside(scope.get("session", {}).get("id", ""))
        elif not self._pages.is_inside(visitor):
            self._pages.note_inside(visitor)
        for message in answer:
            await send(message)

    async def _serve_file(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = {name: value for name, value in scope["headers"] if name in (b"accept-encoding", b"if-none-match")}
        compressed = b"gzip" in asked.get(b"accept-encoding", b"")
        query = _known_query(scope["query_string"]) if scope["path"].startswith("/picture/") else b""
        key = (scope["path"], query, compressed)
        file = self._files.get(key)
        if file is None:
            file = await self._fetch(scope, query, compressed)
            if file is None:  # not found or the like: the application answers
                await self._serve_page(scope, receive, send)
                return
            self._store(key, file)
        self._files.move_to_end(key)
        if file.tag and asked.get(b"if-none-match") == file.tag:
            unchanged = [each for each in file.headers if each[0] not in (b"content-length", b"content-encoding")]
            await send({"type": "http.response.start", "status": 304, "headers": unchanged})
            await send({"type": "http.response.body", "body": b""})
            return
        await send({"type": "http.response.start", "status": 200, "headers": file.headers})
        await send({"type": "http.response.body", "body": file.body})

    async def _fetch(self, scope: Scope, query: bytes, compressed: bool) -> _CachedFile | None:
        """Asks the application for the file, without cookies in or out.

        It is compressed once for all, so the highest level is worth the effort: it saves a sixth.
        """
        host = [(name, value) for name, value in scope["headers"] if name == b"host"]
        start: list[Message] = []
        body = bytearray()

        asked = False

        async def receive() -> Message:
            nonlocal asked
            if asked:
                await asyncio.Event().wait()  # there is no client that could disconnect
            asked = True
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.append(message)
            elif message["type"] == "http.response.body":
                body.extend(message.get("body", b""))

        await self.app(dict(scope) | {"headers": host, "extensions": {}, "query_string": query}, receive, send)
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
        return _CachedFile([*headers, *SECURITY_HEADERS], content, names.get(b"etag", b""))

    def _store(self, key: _Key, file: _CachedFile) -> None:
        self._bytes += _size(key, file) - (_size(key, self._files[key]) if key in self._files else 0)
        self._files[key] = file
        while self._bytes > self._most_bytes and len(self._files) > 1:
            self._bytes -= _size(*self._files.popitem(last=False))


def _size(key: _Key, file: _CachedFile) -> int:
    """The bytes that a file takes in the cache, with the address by which it is found and its headers."""
    headers = sum(len(name) + len(value) + OBJECT for name, value in file.headers)
    return len(key[0]) + len(key[1]) + headers + len(file.body) + 8 * OBJECT


def _known_query(query: bytes) -> bytes:
    """The parts of a query that a picture depends on, in one order: any others would only fill the cache."""
    given = parse_qs(query.decode("latin-1"))
    known = [name for name in ("cover", "language", "narrow", "palette", "theme") if name in given]
    return urlencode([(name, given[name][-1][:8]) for name in known]).encode()


def _host(scope: Scope) -> str:
    """The address that a request comes from."""
    client = scope.get("client")
    return client[0] if client else ""


def _length(scope: Scope) -> float:
    """The length of the body that the request declares; the server reads no more than that."""
    declared = dict(scope["headers"]).get(b"content-length", b"")
    if declared.isdigit():
        return int(declared)
    return 0 if scope["method"] in ("GET", "HEAD", "OPTIONS") else math.inf


async def refuse(scope: Scope, send: Send, status: int, reason: str) -> None:
    """Answers a request with a status and the reason, in the visitor's language."""
    language = accepted_language(dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1"))
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close"), *SECURITY_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": translate(reason, language).encode()})


async def _discard(receive: Receive) -> None:
    """Reads what is sent in vain: a browser shows an answer only after it has sent everything."""
    with contextlib.suppress(TimeoutError):
        while True:
            message = await asyncio.wait_for(receive(), DISCARD_SECONDS)
            if message["type"] != "http.request" or not message.get("more_body"):
                return


async def _send_busy_page(scope: Scope, send: Send) -> None:
    """A page without scripts, files or a cookie, which says that the server is busy and loads itself again."""
    language = accepted_language(dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1"))
    body = (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8"><title>Ludoteca</title>'
        f'<meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="{RETRY_SECONDS}">'
        f'<body style="font: 1.1rem system-ui; margin: 20vh auto; max-width: 30rem; padding: 0 1rem">'
        f"<p>{escape(translate(BUSY, language))}</p>"
    ).encode()
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"retry-after", str(RETRY_SECONDS).encode()),
        (b"cache-control", b"no-store"),
        *SECURITY_HEADERS,
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _with_security_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = message.get("headers", [])
            names = {name.lower() for name, _ in given}  # what a page says of itself stands
            message = {**message, "headers": [*given, *(each for each in SECURITY_HEADERS if each[0] not in names)]}
        await send(message)

    return send_with_headers
