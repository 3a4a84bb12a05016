"""ASGI middleware: serves files from memory, builds pages one at a time, and adds security headers to all.

::

    request ── a file? ── read and compressed once, then served from memory
        │
        └── a page? ── one at a time, in order of arrival, with a pause after each for the clicks of people who play
        │
        └── else (forms, uploads, websockets): passed on, unless it is too long

A page takes milliseconds to build and a click microseconds to read. Without the pauses a click would wait, at each of
its steps through the event loop, for a page of everybody who arrives at the same moment.
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
"""Addresses of files that are the same for every visitor and do not change while the server runs."""
COMPRESSED = (b"font/woff2", b"image/png", b"image/jpeg", b"application/font-woff2")
"""Content types that are compressed already."""
MOST_BYTES = 32 * 2**20
"""Size of the cache; the least recently used files go first."""
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


@dataclass(frozen=True)
class _CachedFile:
    headers: Headers
    body: bytes
    tag: bytes


class StaticCache:
    """Wraps an ASGI application."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._page_lock = asyncio.Semaphore(1)
        self._files: OrderedDict[tuple[str, bytes, bool], _CachedFile] = OrderedDict()
        self._bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or websocket."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path: str = scope["path"]
        if scope["method"] == "GET" and path.startswith(FILES):
            await self._serve_file(scope, receive, send)
        elif scope["method"] == "GET" and not path.startswith("/_nicegui"):
            await self._serve_page(scope, receive, send)
        elif _length(scope) > MOST_BODY_BYTES:
            await refuse(scope, send, 413, TOO_LONG)
        else:
            await self.app(scope, receive, _with_security_headers(send))

    async def _serve_page(self, scope: Scope, receive: Receive, send: Send) -> None:
        # The response is sent after the turn, so that a slow reader does not delay the next visitor.
        answer: list[Message] = []

        async def keep(message: Message) -> None:
            answer.append(message)

        async with self._page_lock:
            await self.app(scope, receive, _with_security_headers(keep))
            for _ in range(LOOP_TURNS):
                await asyncio.sleep(0)
        for message in answer:
            await send(message)

    async def _serve_file(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = {name: value for name, value in scope["headers"] if name in (b"accept-encoding", b"if-none-match")}
        compressed = b"gzip" in asked.get(b"accept-encoding", b"")
        query = scope["query_string"] if scope["path"].startswith("/picture/") else b""
        key = (scope["path"], query, compressed)
        file = self._files.get(key)
        if file is None:
            file = await self._fetch(scope, compressed)
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

    async def _fetch(self, scope: Scope, compressed: bool) -> _CachedFile | None:
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
        return _CachedFile([*headers, *SECURITY_HEADERS], content, names.get(b"etag", b""))

    def _store(self, key: tuple[str, bytes, bool], file: _CachedFile) -> None:
        self._bytes += len(file.body) - len(self._files[key].body if key in self._files else b"")
        self._files[key] = file
        while self._bytes > MOST_BYTES and len(self._files) > 1:
            _, gone = self._files.popitem(last=False)
            self._bytes -= len(gone.body)


def _length(scope: Scope) -> float:
    """The length of the body that the request declares; the server reads no more than that."""
    declared = dict(scope["headers"]).get(b"content-length", b"")
    if declared.isdigit():
        return int(declared)
    return 0 if scope["method"] in ("GET", "HEAD", "OPTIONS") else math.inf


TOO_LONG = say("A request may have at most {most:,} bytes, and must state its length.", most=MOST_BODY_BYTES)


async def refuse(scope: Scope, send: Send, status: int, reason: str) -> None:
    """Answers a request with a status and the reason, in the visitor's language."""
    language = accepted_language(dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1"))
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close"), *SECURITY_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": translate(reason, language).encode()})


def _with_security_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *SECURITY_HEADERS]}
        await send(message)

    return send_with_headers
