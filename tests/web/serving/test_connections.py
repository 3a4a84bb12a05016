"""Half-sent requests, unread answers and too many connections, against uvicorn with our protocols on a real port."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn
from starlette.types import Receive, Scope, Send

from ludoteca.web.serving.connections import Connections, protocols

LARGE = b"x" * 20_000_000


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the body and answers; a websocket stays open until its end."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
        return
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": LARGE if scope["path"] == "/large" else b"whole"})


class Counted(Connections):
    """Connections whose count can be waited for."""

    def __init__(self, **limits: Any) -> None:
        super().__init__(**limits)
        self._changed = asyncio.Event()

    def opened(self, transport: asyncio.Transport, address: str) -> bool:
        let_in = super().opened(transport, address)
        self._changed.set()
        return let_in

    def closed(self, transport: asyncio.Transport, address: str) -> None:
        super().closed(transport, address)
        self._changed.set()

    async def until(self, count: int) -> None:
        """Returns when so many are open."""
        while self.count != count:
            self._changed.clear()
            await self._changed.wait()


class Server(uvicorn.Server):
    """A server whose start can be waited for."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


def run(work: Callable[[int, Counted], Awaitable[None]], **limits: Any) -> None:
    """A server with these limits; `work` gets its port."""

    async def all_of_it() -> None:
        counted = Counted(**limits)
        http, websockets = protocols(counted)
        config = uvicorn.Config(app, port=0, http=http, ws=websockets, log_level="critical", lifespan="off")
        server = Server(config)
        server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        serving = asyncio.create_task(server.serve())
        await server.ready.wait()
        try:
            await work(server.servers[0].sockets[0].getsockname()[1], counted)
        finally:
            server.should_exit = server.force_exit = True
            await serving

    asyncio.run(all_of_it())


Wire = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def sent(port: int, data: bytes) -> Wire:
    """A connection on which these bytes were sent."""
    wire = await asyncio.open_connection("127.0.0.1", port)
    wire[1].write(data)
    await wire[1].drain()
    return wire


async def ended(wire: Wire) -> bytes:
    """What came on a connection until the server closed it."""
    try:
        return await wire[0].read()
    except ConnectionResetError:
        return b""
    finally:
        wire[1].close()


WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
HALF_HEADER = b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "
HALF_BODY = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx"
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def test_a_half_sent_request_is_closed_after_a_while() -> None:
    async def work(port: int, counted: Counted) -> None:
        for half in (b"", b"G", HALF_HEADER, HALF_BODY, WHOLE.replace(b"Connection: close\r\n", b"") + HALF_HEADER):
            await ended(await sent(port, half))
        await counted.until(0)

    run(work, header_seconds=0.1, body_seconds=0.1)


def test_a_letter_now_and_then_does_not_extend_the_time_for_headers() -> None:
    async def work(port: int, counted: Counted) -> None:
        reader, writer = await sent(port, HALF_HEADER)
        closed = asyncio.create_task(ended((reader, writer)))
        while not closed.done():
            writer.write(b"a")
            await asyncio.wait([closed], timeout=0.02)

    run(work, header_seconds=0.3)


def test_half_sent_requests_shut_no_visitor_out() -> None:
    """Neither at the limit of an address, where all come from one, nor at that of the server."""

    async def work(port: int, counted: Counted) -> None:
        wires = [await sent(port, (HALF_HEADER, HALF_BODY, b"")[number % 3]) for number in range(100)]
        for _ in range(5):
            assert (await ended(await sent(port, WHOLE))).endswith(b"whole\r\n0\r\n\r\n")
        assert counted.count <= 20 and counted.refused >= 80
        for _, writer in wires:
            writer.close()

    run(work, most=1000, most_per_address=20)
    run(work, most=20, most_per_address=1000)


def test_a_websocket_makes_no_room_and_counts_until_it_ends() -> None:
    async def work(port: int, counted: Counted) -> None:
        sockets = []
        for _ in range(5):
            wire = await sent(port, UPGRADE)
            assert b"101 Switching" in await wire[0].readuntil(b"\r\n\r\n")
            sockets.append(wire)
        answer = await ended(await sent(port, WHOLE))
        assert answer.startswith(b"HTTP/1.1 503") and b"Retry-After" in answer and b"demasiadas conexiones" in answer
        assert not any(reader.at_eof() for reader, _ in sockets)
        sockets[0][1].close()
        await counted.until(4)
        assert b"whole" in await ended(await sent(port, WHOLE))
        for _, writer in sockets[1:]:
            writer.close()
        await counted.until(0)
        assert not counted._addresses

    run(work, most_per_address=5)


def test_a_proxy_has_no_limit_of_an_address() -> None:
    async def work(port: int, counted: Counted) -> None:
        wires = [await sent(port, HALF_HEADER) for _ in range(20)]
        await counted.until(20)
        assert counted.refused == 0
        for _, writer in wires:
            writer.close()

    run(work, most_per_address=5, proxies=["127.0.0.1"])


def test_a_connection_whose_answer_is_not_read_is_closed() -> None:
    async def work(port: int, counted: Counted) -> None:
        _, writer = await sent(port, b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        await counted.until(1)
        await counted.until(0)
        writer.close()

    run(work, read_seconds=0.1)


def test_headers_without_end_are_cut_off() -> None:
    async def work(port: int, counted: Counted) -> None:
        reader, writer = await sent(port, HALF_HEADER)
        closed = asyncio.create_task(ended((reader, writer)))
        while not closed.done():
            writer.write(b"a" * 10_000)
            await asyncio.sleep(0)
        assert b"whole" in await ended(await sent(port, WHOLE))

    run(work)


def test_a_connection_that_is_used_again_is_not_cut_off() -> None:
    async def work(port: int, counted: Counted) -> None:
        reader, writer = await sent(port, b"")
        for _ in range(10):
            writer.write(WHOLE.replace(b"Connection: close\r\n", b""))
            assert (await reader.readuntil(b"0\r\n\r\n")).endswith(b"whole\r\n0\r\n\r\n")
        writer.close()

    run(work)
