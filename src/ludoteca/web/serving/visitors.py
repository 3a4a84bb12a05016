"""Gives every visitor an id, kept in a signed cookie."""

from __future__ import annotations

import hashlib
import hmac
import re
import uuid
from http.cookies import CookieError, SimpleCookie

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludoteca.messages import say
from ludoteca.web.serving.cache import refuse

COOKIE = "visitor"
YEAR = 365 * 24 * 3600
VALUE = re.compile(r"([0-9a-f-]{36})\.([0-9a-f]{64})")


class Visitors:
    """Signs and reads the cookie.

    The signature holds no time: a clock that jumps must not take anybody's matches away.
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def signed(self, visitor: str) -> str:
        """The cookie of a visitor."""
        return f"{visitor}.{hmac.new(self._secret, visitor.encode(), hashlib.sha256).hexdigest()}"

    def of(self, scope: Scope) -> str:
        """The visitor of a request by its cookie; empty without one that we signed."""
        given = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
        try:
            cookie = SimpleCookie(given.decode("latin-1")).get(COOKIE)
        except CookieError:
            return ""
        found = VALUE.fullmatch(cookie.value) if cookie is not None else None
        return found[1] if found is not None and hmac.compare_digest(self.signed(found[1]), found[0]) else ""


class VisitorMiddleware:
    """ASGI middleware: tells the application the visitor, as ``scope["session"]["id"]``.

    A visitor without an id gets it with a page; ``scope["new_visitor"]`` says so. A form or an upload without one is
    refused: or a client without cookies would be a new visitor each time, and no limit per visitor would hold.
    """

    def __init__(self, app: ASGIApp, visitors: Visitors) -> None:
        self.app, self._visitors = app, visitors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or websocket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        visitor = self._visitors.of(scope)
        scope["session"], scope["new_visitor"] = {"id": visitor}, not visitor
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        if not visitor:
            if scope["method"] not in ("GET", "HEAD"):
                reason = say("Open the start page first and accept its cookie, by which the server knows you.")
                await refuse(scope, send, 403, reason)
                return
            visitor = scope["session"]["id"] = str(uuid.uuid4())
        cookie = f"{COOKIE}={self._visitors.signed(visitor)}; path=/; Max-Age={YEAR}; httponly; samesite=lax"

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), (b"set-cookie", cookie.encode())]}
            await send(message)

        await self.app(scope, receive, send_with_cookie)
