"""A league with two students and its page, which does not play; and visitors of it."""

from __future__ import annotations

import http.cookiejar
import os
import re
import socket
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ludoteca.league.database import Database
from tests.web.conftest import server_forks

TOML = """
game = "hex"
time = 1.0
names = "{names}"
baselines = ["random"]
title = "<i>Spring</i>"
[options]
size = 3
[quota]
versions_a_day = 6
kilobytes = 100
"""
ROSTER = "name,id\n<b>Ana</b> Pérez,ana\nLuis Peña,luis\n"


class Stranger:
    """Somebody with cookies of their own, who follows no redirect across hosts."""

    def __init__(self, address: str, language: str = "en") -> None:
        self.address, self.language = address, language
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.last, self.headers = "", dict[str, str]()
        self.get("/league/enter")

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        return self.ask(urllib.request.Request(self.address + path, headers=headers))

    def post(self, path: str, fields: dict[str, str], **headers: str) -> tuple[int, str]:
        """A form as our own pages send it: with the token of the last page, if there is none among the fields."""
        data = urllib.parse.urlencode({"token": self.token} | fields).encode()
        return self.ask(urllib.request.Request(self.address + path, data, headers))

    def hand_in(self, data: bytes, name: str = "solution.py", **fields: str) -> tuple[int, str]:
        """Hands in a file, as the form of the student's page does."""
        self.get("/league/me")
        parts = {"token": self.token} | fields
        body = b"".join(
            f'--limit\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
            for key, value in parts.items()
        )
        body += f'--limit\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
        kind = {"Content-Type": "multipart/form-data; boundary=limit"}
        path = f"{self.address}/league/hand-in"
        return self.ask(urllib.request.Request(path, body + data + b"\r\n--limit--\r\n", kind))

    def ask(self, request: urllib.request.Request) -> tuple[int, str]:
        request.add_header("Accept-Language", self.language)
        try:
            with self.opener.open(request, timeout=60) as answer:
                self.last, self.headers = answer.url, {name.lower(): value for name, value in answer.headers.items()}
                text = answer.read().decode()
                found = re.search(r'name="token" value="([^"]+)"', text)
                self.token = found[1] if found else getattr(self, "token", "")
                return answer.status, text
        except urllib.error.HTTPError as error:
            with error:
                self.headers = {name.lower(): value for name, value in error.headers.items()}
                return error.code, error.read().decode()

    def cookie(self, name: str) -> http.cookiejar.Cookie | None:
        return next((each for each in self.jar if each.name == name), None)


@dataclass
class LeagueServer:
    """A running page of a league."""

    address: str
    folder: Path

    def sign_in(self, ident: str, language: str = "en") -> Stranger:
        """Somebody who has opened their link and pressed the button; ident: of the roster, or teacher."""
        visitor = Stranger(self.address, language)
        assert visitor.get(f"/league/enter/{self.code(ident)}")[0] == 200
        visitor.post("/league/enter", {})
        assert visitor.cookie("league") is not None
        return visitor

    def code(self, ident: str) -> str:
        with Database(self.folder) as database:
            if ident == "teacher":
                return database.new_teacher_code()
            return database.new_code(next(each.id for each in database.people() if each.ident == ident))


def begin(folder: Path, names: str = "pseudonyms") -> None:
    """A league of Hex 3×3 with two students, in this folder."""
    (folder / "league.toml").write_text(TOML.format(names=names))
    (folder / "roster.csv").write_text(ROSTER)


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LeagueServer]:
    """A league whose page is open; no matches are played."""
    folder = tmp_path_factory.mktemp("league")
    begin(folder)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    forks = server_forks(environment.get("PYTHONPATH", ""))
    with (folder / "log").open("w+") as log:
        words = ["league", "serve", str(folder), "--port", str(port), "--no-play"]
        with forks.start(words, environment, folder, log.fileno()) as server:
            try:
                assert str(port).encode() in server.stdout.readline(), (folder / "log").read_text()
                yield LeagueServer(f"http://127.0.0.1:{port}", folder)
            finally:
                server.terminate()
                server.wait(timeout=120)
        log.seek(0)
        found = log.read()
    assert "Traceback" not in found, found
