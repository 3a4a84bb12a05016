"""Requests that a page elsewhere makes a visitor's browser send: refused before anything is done."""

from __future__ import annotations

import asyncio
import base64
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from ludoteca.web.serving.origin_check import OriginCheck
from tests.web.conftest import served


class Inner:
    """An application that counts what reaches it."""

    asked = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked += 1


def let_in(
    gate: OriginCheck,
    *,
    kind: str = "http",
    method: str = "GET",
    server: str = "127.0.0.1",
    **headers: str | list[str],
) -> bool:
    """Whether a request with these headers gets through; whether it is refused otherwise."""
    assert isinstance(gate.app, Inner)
    before, sent = gate.app.asked, []

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    given = [
        (name.replace("_", "-").encode(), value.encode())
        for name, values in headers.items()
        for value in ([values] if isinstance(values, str) else values)
    ]
    scope: dict[str, Any] = {"type": kind, "path": "/", "headers": given, "server": (server, 8080)}
    asyncio.run(gate({**scope, "method": method} if kind == "http" else scope, receive, send))
    through = gate.app.asked > before
    assert through is not bool(sent)
    assert through or sent[0].get("status") in (421, 403, None)
    return through


OURS = ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LocalHost:8080", "localhost", "localhost:9999", "[0:0::1]"]
FOREIGN = ["evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "", "a b",
           "localhost:", "user@localhost", "localhost:8080@evil.example", "localhost/evil", "127.0.0.2:8080", "[::2]",
           "localhost:99x", "192.168.0.9:8080", "[localhost]", "ｌocalhost"]  # fmt: skip


@pytest.mark.parametrize("host", OURS)
def test_our_own_names_are_let_in(host: str) -> None:
    assert let_in(OriginCheck(Inner()), host=host)
    assert let_in(OriginCheck(Inner()), kind="websocket", host=host)


@pytest.mark.parametrize("host", [*FOREIGN, [], ["localhost", "evil.example"], ["localhost", "localhost"]])
def test_other_names_are_not(host: str | list[str]) -> None:
    assert not let_in(OriginCheck(Inner()), host=host)
    assert not let_in(OriginCheck(Inner()), kind="websocket", host=host)


def test_the_operator_names_others() -> None:
    gate = OriginCheck(Inner(), "0.0.0.0", ["games.example.org", "10.0.0.1"])
    for host in ("games.example.org", "GAMES.example.org:8080", "10.0.0.1:8080"):
        assert let_in(gate, host=host, server="172.17.0.2")
    assert not let_in(gate, host="other.example.org", server="172.17.0.2")


def test_everywhere_means_the_address_at_which_a_request_arrives() -> None:
    gate = OriginCheck(Inner(), "0.0.0.0")
    assert let_in(gate, host="192.168.0.9:8080", server="192.168.0.9")
    assert let_in(gate, host="192.168.0.9:8080", server="::ffff:192.168.0.9")
    assert let_in(gate, host=f"{socket.gethostname()}:8080", server="192.168.0.9")
    assert not let_in(gate, host="192.168.0.10:8080", server="192.168.0.9")
    assert not let_in(gate, host="evil.example:8080", server="192.168.0.9")
    assert not let_in(OriginCheck(Inner()), host="192.168.0.9:8080", server="192.168.0.9")
    assert let_in(OriginCheck(Inner(), "192.168.0.9"), host="192.168.0.9:8080", server="192.168.0.9")


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "http://localhost:3000", "http://localhost", "https://localhost:8081", "null", "",
     "localhost:8080", "file://", "http://127.0.0.1:8080", "ftp://localhost:8080", "http://localhost:8080/",
     "http://localhost:8080.evil.example", ["http://localhost:8080", "http://evil.example"]],
)  # fmt: skip
def test_other_pages_are_refused(origin: str | list[str]) -> None:
    for kind, method in (("http", "POST"), ("http", "GET"), ("websocket", "")):
        assert not let_in(OriginCheck(Inner()), kind=kind, method=method, host="localhost:8080", origin=origin)


def test_our_own_pages_are_let_in() -> None:
    for kind, method in (("http", "POST"), ("http", "GET"), ("websocket", "")):
        assert let_in(
            OriginCheck(Inner()),
            kind=kind,
            method=method,
            host="localhost:8080",
            origin="http://localhost:8080",
        )
        assert let_in(OriginCheck(Inner()), kind=kind, method=method, host="[::1]:8080", origin="http://[::1]:8080")
        assert let_in(OriginCheck(Inner()), kind=kind, method=method, host="localhost", origin="http://localhost:80")


def test_a_proxy_may_write_another_host_where_the_operator_named_its_own() -> None:
    gate = OriginCheck(Inner(), names=["games.example.org"])
    for host in ("games.example.org", "localhost:8080"):
        assert let_in(gate, kind="websocket", host=host, origin="https://games.example.org")
        assert not let_in(gate, kind="websocket", host=host, origin="https://games.example.org:4443")
        assert not let_in(gate, kind="websocket", host=host, origin="https://evil.example")


def test_a_browser_that_hides_the_page_still_says_that_it_was_another() -> None:
    gate = OriginCheck(Inner())
    for site in ("cross-site", "same-site"):
        assert not let_in(gate, method="POST", host="localhost", sec_fetch_site=site)
        assert not let_in(gate, kind="websocket", host="localhost", sec_fetch_site=site)
        assert let_in(gate, host="localhost", sec_fetch_site=site)  # a link that leads here
    assert let_in(gate, method="POST", host="localhost", sec_fetch_site="same-origin")


# The same over a real wire


def asked(address: str, request: str) -> str:
    """The first line and the body that come back."""
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as wire:
        wire.sendall(request.replace("\n", "\r\n").encode())
        wire.settimeout(30)
        answer = b""
        while more := wire.recv(65536):
            answer += more
    return answer.decode(errors="replace")


def websocket(host: str, origin: str) -> str:
    key = base64.b64encode(os.urandom(16)).decode()
    return (
        f"GET /_nicegui_ws/socket.io/?EIO=4&transport=websocket HTTP/1.1\nHost: {host}\nOrigin: {origin}\n"
        f"Connection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: {key}\n\n"
    )


def test_a_rebound_name_and_a_foreign_page_reach_nothing(address: str) -> None:
    host = address.removeprefix("http://")
    end = "Connection: close\n\n"
    assert asked(address, f"GET / HTTP/1.1\nHost: {host}\n{end}").startswith("HTTP/1.1 200")
    answer = asked(address, f"GET / HTTP/1.1\nHost: evil.example\n{end}")
    assert answer.startswith("HTTP/1.1 421") and "'evil.example'" in answer and "set-cookie" not in answer.lower()
    form = "game=hex&seats=person|person"
    kind = "application/x-www-form-urlencoded"
    post = f"POST /table HTTP/1.1\nHost: {host}\nContent-Type: {kind}\nContent-Length: {len(form)}\n"
    answer = asked(address, f"{post}Origin: http://evil.example\n{end}{form}")
    assert answer.startswith("HTTP/1.1 403") and "another site" in answer and "set-cookie" not in answer.lower()
    for foreign in (websocket("evil.example", "http://evil.example"), websocket(host, "http://evil.example")):
        assert asked(address, foreign).startswith("HTTP/1.1 403")


def test_the_command_line_names_hosts_and_lets_other_machines_in(tmp_path: Path) -> None:
    names = ("--allow-host", "games.example.org", "--allow-host", "play.example.org")
    with served(tmp_path, "--host", "0.0.0.0", *names) as address:
        with socket.socket() as other:  # this machine by another address
            assert other.connect_ex(("127.0.0.2", int(address.rpartition(":")[2]))) == 0
        for host, status in (("games.example.org", 200), ("play.example.org:81", 200), ("evil.example", 421)):
            request = f"GET /learn HTTP/1.1\nHost: {host}\nConnection: close\n\n"
            assert asked(address, request).startswith(f"HTTP/1.1 {status}")
