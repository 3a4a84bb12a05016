"""The documented nginx stands in front of a league: docs/examples/league/nginx.conf."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import socket
import ssl
import subprocess
import urllib.request
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import aiohttp
import pytest

from tests.league.pages.conftest import LeagueServer, Stranger, begin
from tests.web.conftest import server_forks
from tools.tab import Tab

EXAMPLE = Path("docs/examples/league/nginx.conf")
WHOLE = """
pid {folder}/nginx.pid;
error_log {folder}/error.log;
{user}
events {{}}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/league.conf;
}}
"""


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


def configured(folder: Path, plain: int, secure: int, page: int) -> Path:
    """The example, with our ports and a certificate of our own."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "1"]
    new = ["openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    subprocess.run([*new, *subject, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    text = EXAMPLE.read_text()
    for old, mine in {
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "listen 443 ssl": f"listen 127.0.0.1:{secure} ssl",
        "https://league.example.org": f"https://localhost:{secure}",
        "/etc/letsencrypt/live/league.example.org/fullchain.pem": str(certificate),
        "/etc/letsencrypt/live/league.example.org/privkey.pem": str(key),
        "league.example.org": "localhost",
        "http://127.0.0.1:8080": f"http://127.0.0.1:{page}",
    }.items():
        assert old in text, f"{EXAMPLE} has no {old}"
        text = text.replace(old, mine)
    (folder / "league.conf").write_text(text)
    whole = folder / "nginx.conf"
    whole.write_text(WHOLE.format(folder=folder, user="user root;" if os.geteuid() == 0 else ""))
    return whole


@pytest.fixture
def proxied(tmp_path: Path) -> Iterator[tuple[LeagueServer, int, ssl.SSLContext]]:
    """A league behind nginx, nginx's port without TLS, and what trusts its certificate."""
    if shutil.which("nginx") is None or shutil.which("openssl") is None:
        pytest.skip("nginx and openssl are not installed")
    folder, league = tmp_path / "nginx", tmp_path / "league"
    folder.mkdir()
    league.mkdir()
    begin(league)
    plain, secure, page = free_ports(3)
    whole, address = configured(folder, plain, secure, page), f"https://localhost:{secure}"
    words = ["league", "serve", str(league), "--port", str(page), "--no-play", "--public-url", address]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    with (folder / "log").open("w+") as log, ExitStack() as stack:
        forks = server_forks(environment.get("PYTHONPATH", ""))
        server = stack.enter_context(forks.start([*words, "--proxy", "127.0.0.1"], environment, league, log.fileno()))
        stack.callback(server.wait, timeout=120)
        stack.callback(server.terminate)
        subprocess.run(["nginx", "-c", whole], check=True, stderr=log)  # it is open when this returns
        stack.callback(lambda: subprocess.run(["nginx", "-c", whole, "-s", "stop"], check=True, stderr=log))
        assert server.stdout.readline(), (folder / "log").read_text()
        trusted = ssl.create_default_context(cafile=str(folder / "certificate.pem"))
        yield LeagueServer(address, league), plain, trusted


def test_a_student_signs_in_hands_in_and_watches_through_nginx(
    proxied: tuple[LeagueServer, int, ssl.SSLContext], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    league, plain, trusted = proxied
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "nginx" / "certificate.pem"))
    code = league.code("ana")
    ana = Stranger(league.address)
    status, text = ana.ask(urllib.request.Request(f"http://localhost:{plain}/league/enter/{code}"))
    assert status == 200 and ana.last == f"{league.address}/league/enter" and "Ana" in text  # TLS from the first click
    assert ana.post("/league/enter", {}, Origin=league.address)[0] == 200
    cookie = ana.cookie("league")
    assert cookie is not None and cookie.value and cookie.secure
    assert ana.headers["strict-transport-security"]
    assert ana.post("/league/leave", {}, Origin="https://elsewhere.example")[0] == 403
    assert "Ana" in ana.get("/league/me")[1]
    player = Path("docs/examples/league/class_of_ten/emily_brown.py").read_bytes()
    status, text = ana.hand_in(player, "emily_brown.py")
    assert status == 200 and ana.last.startswith(f"{league.address}/league/version/"), text[:2000]
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        asyncio.run(replay(league.address, trusted, cookie.value))
        gc.collect()  # aiohttp leaves a TLS connection half closed when the loop ends
    logged = (tmp_path / "nginx" / "access.log").read_text()
    assert "/league/me" in logged and code not in logged


async def replay(address: str, trusted: ssl.SSLContext, session: str) -> None:
    """Opens a replay with its websocket, as a browser does."""
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(ssl=trusted), cookies={"league": session}, headers={"Origin": address}
    ) as browser:
        async with browser.get(f"{address}/replay?game=hex:size=3&actions=4.0") as answer:
            assert answer.status == 200
            page = await answer.text()
        tab = await Tab.open(browser, address, page)
        await tab.round_trip()
        await tab.close()
