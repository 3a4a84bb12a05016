"""The server without a browser: odd addresses, odd messages, and who may see what."""

from __future__ import annotations

import html
import http.cookiejar
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from ludoteca.play.store import Store


class Visitor:
    """Somebody with cookies of their own."""

    last = ""
    """The address at which the last request ended."""

    def __init__(self, address: str) -> None:
        self.address = address
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(jar)
        self.get("/learn")  # as everybody comes by a page before they send a form

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        return self._ask(urllib.request.Request(self.address + path, headers=headers))

    def post(self, path: str, fields: dict[str, str]) -> tuple[int, str]:
        return self._ask(urllib.request.Request(self.address + path, urllib.parse.urlencode(fields).encode()))

    def _ask(self, request: urllib.request.Request) -> tuple[int, str]:
        try:
            with self.opener.open(request, timeout=30) as answer:
                self.last = answer.url
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()


@pytest.mark.parametrize(
    ("path", "status", "complaint"),
    [
        ("/nowhere", 404, "There is no such page"),
        ("/new/chess", 404, "no game is called"),
        ("/learn/%3Cscript%3E", 404, "no game is called"),
        ("/new/hex?game=hex:size=99", 400, "must be a whole number from 1 to 19"),
        ("/new/hex?game=horses", 400, "is not hex"),
        ("/new/hex?seats=a|b|c", 400, "must be two"),
        ("/table/x", 404, "no match at this address"),
        ("/table/..%2f..%2fetc%2fpasswd", 404, ""),
        ("/table/AAAAAAAAAAAAAAAAAAAAAA", 404, "no match at this address"),
        ("/replay?game=chess", 400, "no game is called"),
        ("/replay?game=hex&actions=1.1", 400, "is not legal"),
        ("/replay?game=hex&seed=x", 400, "is not a whole number"),
        ("/watch/x", 404, "not the number of a run"),
        ("/watch/7", 404, "There is no run 7 here"),
        ("/watch/7/2", 404, "There is no run 7 here"),
        ("/watch/1/2", 404, "no finished match 2 of yours"),
        ("/edit/chess", 404, "cannot be set up by hand"),
        ("/edit/dominoes?game=dominoes:pips=2", 400, "must be a whole number"),
        ("/edit/kittens?game=dominoes", 400, "is not kittens"),
        ("/edit/hex?game=hex:size=0", 400, "must be a whole number"),
        ("/picture/chess.svg", 404, "no game is called"),
        ("/docs/agents/nobody", 404, "There is no such page"),
        ("/solved?game=hex:size=99", 404, "There is no such page"),
        ("/puzzle/hex/0", 404, "There is no such page"),
        ("/puzzle/hex/99999", 404, "There is no such page"),
        ("/puzzle/chess/1", 404, "There is no such page"),
        ("/docs/agents/..%2fweb", 404, "There is no such page"),
        ("/docs/examples/README", 404, "There is no such page"),
    ],
)
def test_odd_addresses_get_a_clear_message(address: str, path: str, status: int, complaint: str) -> None:
    code, body = Visitor(address).get(path)
    assert code == status
    assert complaint in body
    assert "Traceback" not in body and "<script>alert" not in body


PAGES = [
    "/",
    "/new/hex",
    "/watch",
    "/edit/hex",
    "/replay?game=kittens",
    "/learn",
    "/learn/kittens",
    "/solved",
    "/nowhere",
]


@pytest.mark.parametrize("path", PAGES)
def test_pages_refer_to_no_other_host(address: str, path: str) -> None:
    _, body = Visitor(address).get(path)
    found = set(re.findall(r"(?:src|href|url)\s*[=(:]\s*[\"']?(?:https?:)?//([^/\"')\s]+)", body))
    assert not found - {address.removeprefix("http://")}


def test_the_solved_openings_are_drawn_and_lead_to_their_positions(address: str) -> None:
    visitor = Visitor(address)
    status, body = visitor.get("/solved?game=hex:size=4")
    shown = html.unescape(html.unescape(body.replace('\\"', '"').replace("\\n", "")))
    cells = dict(re.findall(r"aria-label='([a-d][1-4]): (red wins|blue wins)'", shown))
    assert status == 200 and len(cells) == 16
    assert {cell for cell, winner in cells.items() if winner == "red wins"} == {"d1", "c2", "b3", "a4"}
    for part in ("--seeds 100", "4-4", "+0.333", "ludoteca solve dominoes:pips=4,variant=block --all-openings"):
        assert part in shown, part
    address_of_c2 = re.search(r"href='(/replay[^']+)' aria-label='c2:", shown)
    assert address_of_c2 is not None and visitor.get(address_of_c2[1])[0] == 200
    assert 'href="/solved"' in visitor.get("/learn")[1].replace('\\"', '"')


def test_what_documents_offer_to_try_is_there(address: str) -> None:
    """Each link of the pages about the seeds to this server opens, and a set-up shows the opponent that it names."""
    visitor = Visitor(address)
    pages = sorted((Path(__file__).parents[2] / "docs" / "seeds").rglob("*.md"))
    paths = {
        path for page in pages for path in re.findall(r"\(http://localhost:8080(/[^)]+)\)", page.read_text("utf-8"))
    }
    assert len(paths) >= 8
    for path in sorted(paths):
        status, body = visitor.get(path)
        assert status == 200, path
        shown = html.unescape(body).replace('\\"', '"')
        for opponent, option in re.findall(r"opponent=(\w+)(?:\S*=(\w+))?", path):
            assert re.search(rf'<option value="{opponent}[^"]*" selected', shown), path
            assert not option or re.search(rf'="[^"]*{option}"', shown), path


def test_only_agents_that_play_a_layout_of_hex_are_offered(address: str) -> None:
    visitor = Visitor(address)
    for layout, offered in (("axial", True), ("odd-r", False)):
        body = html.unescape(visitor.get(f"/new/hex?game=hex:layout={layout}")[1])
        assert (">Zero<" in body) is offered and "– A-Star (" in body


def test_the_browser_may_load_only_from_this_server(address: str) -> None:
    with urllib.request.urlopen(address + "/") as answer:
        policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "http" not in policy


def test_the_language_is_that_of_the_browser_until_somebody_chooses(address: str) -> None:
    visitor = Visitor(address)
    assert "Tus partidas" in visitor.get("/", **{"Accept-Language": "es-ES,es;q=0.9"})[1]
    assert "Your matches" in visitor.get("/language/en?back=/", **{"Accept-Language": "es"})[1]
    assert "Your matches" in visitor.get("/", **{"Accept-Language": "es"})[1]


@pytest.mark.parametrize("back", ["https://example.org/", "//example.org", "/\\example.org", "javascript:1"])
def test_a_choice_never_leads_to_another_host(address: str, back: str) -> None:
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *arguments: object) -> None:
            return None

    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.build_opener(Stay).open(f"{address}/language/es?back={urllib.parse.quote(back)}")
    with caught.value as answer:
        assert answer.headers["Location"] == "/"


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({}, "must be two"),
        ({"game": "hex", "seats": "person|os.system"}, "hex has no agent called"),
        ({"game": "hex", "seats": "person|random:x=1"}, "has no option"),
        ({"game": "hex", "seats": "person|random", "limit": "9999s"}, "must give at most"),
        ({"game": "hex", "seats": "person|random", "actions": "0.0"}, "is not legal"),
    ],
)
def test_odd_forms_are_refused(address: str, fields: dict[str, str], complaint: str) -> None:
    status, body = Visitor(address).post("/table", fields)
    assert status == 400 and complaint in body and "Traceback" not in body


def test_a_table_belongs_to_its_visitor(address: str) -> None:
    ana, bea = Visitor(address), Visitor(address)
    status, body = ana.post("/table", {"game": "hex:size=3", "seats": "person|person"})
    assert status == 200 and "data-action" in body
    path = ana.last.removeprefix(address)
    assert path.startswith("/table/") and ana.get(path)[0] == 200
    status, body = bea.get(path)
    assert status == 404 and "no match at this address" in body and "data-action" not in body


def test_a_visitor_has_a_limit_of_matches_and_others_have_their_own(address: str) -> None:
    ana, match = Visitor(address), {"game": "hex:size=3", "seats": "person|person"}
    for _ in range(40):
        assert ana.post("/table", match)[0] == 200
    status, body = ana.post("/table", match)
    assert status == 400 and "you have 40 unfinished matches" in body
    assert Visitor(address).post("/table", match)[0] == 200


def test_a_form_without_our_cookie_opens_no_table(address: str, state: Path) -> None:
    form = urllib.parse.urlencode({"game": "hex:size=3", "seats": "person|person"}).encode()

    def kept() -> int:
        with Store(state / "ludoteca" / "arena.sqlite") as store:
            return store.count(store.people_run("page").id)

    for cookie in ({}, {"Cookie": "session=bm8="}, {"Cookie": "session=eyJpZCI6ICJhbmEifQ==.aaaa.bbbb"}):
        before = kept()
        for path in ("/table", "/_nicegui/client/x/upload/1", "/"):
            with pytest.raises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(urllib.request.Request(address + path, form, cookie))
            with caught.value as answer:
                assert answer.code == 403 and "cookie" in answer.read().decode()
                assert answer.headers["Set-Cookie"] is None
        assert kept() == before


def test_an_upload_without_end_is_refused(address: str) -> None:
    host, _, port = address.removeprefix("http://").partition(":")
    for length in ("Content-Length: 99999999", "Transfer-Encoding: chunked"):
        with socket.create_connection((host, int(port)), timeout=30) as wire:
            wire.sendall(f"POST /table HTTP/1.1\r\nHost: {host}\r\n{length}\r\n\r\n".encode())
            answer = b""
            while b"bytes" not in answer:
                more = wire.recv(4096)
                assert more, answer
                answer += more
        assert b" 413 " in answer and b"at most 4,000,000 bytes" in answer


def test_files_are_the_same_for_everybody_and_carry_no_cookie(address: str) -> None:
    _, page = Visitor(address).get("/")
    for path in re.findall(r'(?:src|href)="(/(?:static|_nicegui)[^"]+)"', page):
        with urllib.request.urlopen(address + path) as answer:
            assert answer.headers["Set-Cookie"] is None
            assert "max-age" in answer.headers["Cache-Control"] and "max-age=0" not in answer.headers["Cache-Control"]


def test_ctrl_c_closes_without_a_word(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "ludoteca.cli", "serve", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tmp_path, text=True) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == f"Ludoteca is open at http://localhost:{port} (Ctrl-C closes it)\n"
        visitor = Visitor(f"http://127.0.0.1:{port}")
        assert visitor.post("/table", {"game": "hex:size=3", "seats": "person|person"})[0] == 200
        server.send_signal(signal.SIGINT)
        assert server.stdout.read() == ""
        assert server.wait(timeout=60) == 0


def test_a_port_that_is_taken_is_named(address: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ludoteca.cli", "serve", "--port", address.rpartition(":")[2]]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode != 0
    assert "address already in use" in done.stderr and "Traceback" not in done.stderr
    assert "is open at" not in done.stdout
