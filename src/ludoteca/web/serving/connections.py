"""Limits for connections, so that half-sent requests and unread answers shut no visitor out.

::

    opened ──► waiting for a request ──► waiting for its body ──► answered ──► idle ──► …
               HEADER_SECONDS            BODY_SECONDS                          20 s
                                   └───► a websocket: kept while its tab is open

A connection that is waiting or idle may be closed to make room; one that is being answered and a websocket never are.
At the limit of an address, its own oldest waiting connection makes room; at the limit of the server, one of the address
that has the most. So a visitor who sends a whole request is let in, however many half-sent ones there are.
"""

from __future__ import annotations

import asyncio
import resource
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ludoteca.catalogues import languages
from ludoteca.messages import say, translate
from ludoteca.web.serving.addresses import address_key

HEADER_SECONDS = 10.0
"""For the first line and the headers of a request."""
BODY_SECONDS = 60.0
"""For the body of a request."""
READ_SECONDS = 60.0
"""For which a visitor may leave an answer unread."""
LAST_LOOK = 0.05
"""Seconds in which a connection that is about to be closed is read once more."""
MOST_HEADER_BYTES = 64 * 1024
MOST, MOST_PER_ADDRESS = 4096, 1024
"""Connections. A school behind one address needs about seven for each visitor: six for files, and a websocket."""
RESERVED_FILES = 256
"""Open files besides connections: the store, agents, the log."""
FULL = say("This server has too many connections just now. Please try again in a few seconds.")


def raise_file_limit() -> int:
    """Lets this process open as many files as it may; returns how many connections that allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * MOST + RESERVED_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MOST if soft == resource.RLIM_INFINITY else max(16, min(MOST, soft - RESERVED_FILES))


@dataclass
class _OfAddress:
    """The connections of one address."""

    count: int = 0
    waiting: OrderedDict[asyncio.Transport, None] = field(default_factory=OrderedDict)
    """Those that may be closed, the longest waiting first."""


class Connections:
    """All open connections. Belongs to one event loop."""

    def __init__(
        self,
        most: int = MOST,
        most_per_address: int = MOST_PER_ADDRESS,
        proxies: Collection[str] = (),
        *,
        header_seconds: float = HEADER_SECONDS,
        body_seconds: float = BODY_SECONDS,
        read_seconds: float = READ_SECONDS,
    ) -> None:
        """proxies: addresses without a limit of their own, because all visitors come through them."""
        self.header_seconds, self.body_seconds, self.read_seconds = header_seconds, body_seconds, read_seconds
        self._most, self._most_per_address = most, most_per_address
        self._proxies = {address_key(each) for each in proxies}
        self._addresses: dict[str, _OfAddress] = {}
        self.count = 0
        """How many are open."""
        self.refused = 0
        """How many were closed to make room, or not let in."""

    def opened(self, transport: asyncio.Transport, address: str) -> bool:
        """Lets a connection in, if need be in place of another. False if there is no room."""
        own = self._addresses.setdefault(address, _OfAddress())
        room = True
        if own.count >= self._most_per_address and address not in self._proxies:
            room = self._close_one(own)
        elif self.count >= self._most:
            with_most = max((each for each in self._addresses.values() if each.waiting), default=None,
                            key=lambda each: len(each.waiting))  # fmt: skip
            room = with_most is not None and self._close_one(with_most)
        if not room:
            self.refused += 1
            if not own.count:
                del self._addresses[address]
            return False
        self._addresses[address] = own  # its last connection may just have made room
        own.count += 1
        own.waiting[transport] = None
        self.count += 1
        return True

    def set_waiting(self, transport: asyncio.Transport, address: str, waiting: bool) -> None:
        """Says whether a connection waits for its visitor, and so may be closed to make room."""
        own = self._addresses.get(address)
        if own is None:
            return
        own.waiting.pop(transport, None)
        if waiting:
            own.waiting[transport] = None

    def closed(self, transport: asyncio.Transport, address: str) -> None:
        """Takes a connection that was let in off the count."""
        own = self._addresses[address]
        own.waiting.pop(transport, None)
        own.count -= 1
        self.count -= 1
        if not own.count:
            del self._addresses[address]

    def _close_one(self, own: _OfAddress) -> bool:
        """Closes the connection that has waited longest."""
        if not own.waiting:
            return False
        transport, _ = own.waiting.popitem(last=False)
        self.refused += 1
        transport.abort()  # `closed` follows in the next turn of the loop
        return True


def _full_answer() -> bytes:
    """The answer to a connection for which there is no room, in every language: its own is not known yet."""
    body = "\n".join(translate(FULL, language) for language in languages()).encode()
    head = (
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nRetry-After: 5\r\n"
        f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class _LimitedHttp(HttpToolsProtocol):
    """uvicorn's protocol with time-outs for what the visitor does."""

    open_connections: Connections
    _timer: asyncio.TimerHandle | None = None
    _let_in = False
    _address = ""
    _header_bytes: int | None = None
    """Received so far, while the headers of a request are incomplete."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Counts the connection, or refuses it."""
        super().connection_made(transport)
        self._address = address_key(self.client[0] if self.client else "")
        self._let_in = self.open_connections.opened(transport, self._address)
        if self._let_in:
            self._expect(self.open_connections.header_seconds)
        else:
            transport.write(_full_answer())
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Takes it off the count."""
        self._expect(None)
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Part of a request, or several."""
        if not self._let_in:
            return
        if self._header_bytes is not None:
            self._header_bytes += len(data)
        super().data_received(data)
        if self._header_bytes is None or self.transport.is_closing():
            return
        if self._header_bytes > MOST_HEADER_BYTES:
            self.transport.abort()
        elif self._timer is None:
            self._expect(self.open_connections.header_seconds)

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        self._header_bytes = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The headers are here: the body may take longer."""
        self._header_bytes = None
        self._expect(self.open_connections.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is complete: from now on the server is at work, and the connection is not closed."""
        self._expect(None)
        self.open_connections.set_waiting(self.transport, self._address, False)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Answered: the connection waits for the next request."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self.open_connections.set_waiting(self.transport, self._address, True)

    def timeout_keep_alive_handler(self) -> None:
        """Idle for long: closes the connection after one more look at what has arrived.

        When the server is late, the next request may be here already, unread.
        """
        self.timeout_keep_alive_task = self.loop.call_later(LAST_LOOK, super().timeout_keep_alive_handler)

    def pause_writing(self) -> None:
        """The visitor does not read what was sent."""
        super().pause_writing()
        self._expect(self.open_connections.read_seconds)

    def resume_writing(self) -> None:
        """The visitor reads again."""
        super().resume_writing()
        self._expect(None)

    def handle_websocket_upgrade(self) -> None:
        """Becomes a websocket, which counts as a connection of the same address until it ends."""
        self._expect(None)
        self.open_connections.set_waiting(self.transport, self._address, False)
        transport, address, self._let_in = self.transport, self._address, False
        super().handle_websocket_upgrade()
        protocol = transport.get_protocol()
        assert isinstance(protocol, _LimitedWebSocket)
        protocol.counted = address

    def _leave(self) -> None:
        if self._let_in:
            self._let_in = False
            self.open_connections.closed(self.transport, self._address)

    def _expect(self, seconds: float | None) -> None:
        """Closes the connection after so many seconds, unless this is called again."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)


class _LimitedWebSocket(WebSocketsSansIOProtocol):
    """uvicorn's websocket, which leaves the count when it ends."""

    open_connections: Connections
    counted: str | None = None
    """The address by which it is counted."""

    def connection_lost(self, exc: Exception | None) -> None:
        """Takes it off the count."""
        if self.counted is not None:
            address, self.counted = self.counted, None
            self.open_connections.closed(self.transport, address)
        super().connection_lost(exc)


def protocols(connections: Connections) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """Uvicorn's protocols for HTTP and for websockets, with these limits."""
    fields: dict[str, Any] = {"open_connections": connections}
    return type("LimitedHttp", (_LimitedHttp,), fields), type("LimitedWebSocket", (_LimitedWebSocket,), fields)
