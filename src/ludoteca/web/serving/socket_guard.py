"""Lets a websocket speak only for the tab that it belongs to.

NiceGUI names a tab by a random id and believes every message that names one. An id can become known: by a copied page,
a log, a screen that is shared. So here the id alone is not enough:

- A socket or an uploaded file is accepted only for an open tab, and only from the visitor who loaded that page.
- Its messages are dropped when they name any other tab.
- A tab has at most `MOST_SOCKETS` sockets, and an address at most `MOST_TABS_PER_ADDRESS` tabs.
"""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any, TypeGuard
from urllib.parse import parse_qs

import engineio.async_socket
import engineio.base_socket
import socketio
from nicegui.client import Client
from starlette.types import ASGIApp, Receive, Scope, Send

from ludoteca.web.serving.addresses import address_key

SOCKETS, UPLOADS = "/_nicegui_ws/", "/_nicegui/client/"
MOST_SOCKETS = 3
"""A browser opens one; after a lost connection the old one may linger."""
MOST_TABS, MOST_TABS_PER_ADDRESS = 3000, 1000
PING_EVERY, PING_TIMEOUT = 8.0, 60.0
"""Seconds. Browsers answer at once, but on a starved machine the server may read the answer late; a connection that is
alive must not be ended for that. A tab that is closed says so and does not wait for this."""


class SocketGuard:
    """ASGI middleware; needs `VisitorMiddleware` around it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or websocket."""
        if scope["type"] in ("http", "websocket") and not _is_allowed(scope):
            if scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.close", "code": 1008})
            else:
                await send({"type": "http.response.start", "status": 403, "headers": []})
                await send({"type": "http.response.body", "body": b""})
            return
        await self.app(scope, receive, send)


def _is_allowed(scope: Scope) -> bool:
    path: str = scope["path"]
    if path.startswith(UPLOADS):
        return _is_of_visitor(Client.instances.get(path.removeprefix(UPLOADS).split("/")[0]), scope)
    if not path.startswith(SOCKETS):
        return True
    query = parse_qs(scope["query_string"].decode("latin-1"))
    if "sid" in query:  # of a connection that was allowed; it is as secret as the cookie
        return True
    client = Client.instances.get(query.get("client_id", [""])[0])
    return _is_of_visitor(client, scope) and len(client._socket_to_document_id) < MOST_SOCKETS


def _is_of_visitor(client: Client | None, scope: Scope) -> TypeGuard[Client]:
    """Whether a tab is open and was loaded by the visitor of a request."""
    if client is None:
        return False
    page = client.request.scope
    if scope["session"]["id"] == page["session"]["id"]:
        return True
    # A browser that keeps no cookies is a new visitor each time. It has no seat that could be taken away.
    return bool(page["new_visitor"] and scope["new_visitor"])


def has_too_many_tabs(host: str) -> bool:
    """Whether no further tab may be opened from this address."""
    if len(Client.instances) >= MOST_TABS:
        return True
    if len(Client.instances) < MOST_TABS_PER_ADDRESS:
        return False
    address = address_key(host)
    return sum(address_key(client.ip) == address for client in Client.instances.values()) >= MOST_TABS_PER_ADDRESS


def guard_messages(sio: socketio.AsyncServer) -> None:
    """Drops messages that name another tab; call it once NiceGUI has started.

    Also makes connections outlive a starved machine and a clock that jumps.
    """
    handlers = sio.handlers["/"]
    for name in ("event", "javascript_response", "ack"):
        handlers[name] = _of_own_tab(sio, handlers[name])
    handlers["handshake"] = _well_formed(handlers["handshake"])
    handlers.pop("log", None)  # or any visitor could write into the server's log
    sio.eio.ping_interval, sio.eio.ping_timeout = PING_EVERY, PING_TIMEOUT
    steady: Any = SimpleNamespace(time=time.monotonic)
    engineio.async_socket.time = engineio.base_socket.time = steady


def _of_own_tab(sio: socketio.AsyncServer, handle: Any) -> Any:
    def handle_own(sid: str, *given: Any) -> Any:
        try:
            (message,) = given
            return handle(sid, message) if message["client_id"] in sio.rooms(sid) else None
        except MALFORMED:
            return None

    return handle_own


def _well_formed(handle: Any) -> Any:
    async def handle_shaken(sid: str, *given: Any) -> Any:
        try:
            return await handle(sid, *given)
        except MALFORMED:
            return False

    return handle_shaken


MALFORMED = (TypeError, ValueError, KeyError, AttributeError)
"""What NiceGUI raises for a message that no browser of ours sends. It is no fault of ours, and is not logged: or any
visitor could fill the log. What our own listeners raise, NiceGUI handles before."""
