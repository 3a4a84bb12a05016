"""Matches to take home: the same match comes back, and no folder of the server goes along."""

from __future__ import annotations

import html
import re
import urllib.parse
import urllib.request

import pytest

from ludoteca import games
from ludoteca.agents.identity import PERSON, Identity
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.play.record import Record, Who
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Decision
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit
from ludoteca.web.pages.replay.downloads import answer, kinds_of, public
from ludoteca.web.tables.uploads import read_file
from tests.web.test_server import Visitor

ANA = Visit("en", "ana", "auto", "/")


def played(agent: str = "ana", note: str = "so", message: str = "") -> Record:
    match = Match(games.game("hex:size=3"), 1, seats=(Who(Identity(agent, "12345678"), 5), Who()))
    for action in (4, 0, 3, 1):
        match.answer(Decision(action, value=0.5, scores={action: 0.25}, line=(action,), note=note), 0.5)
    match.end_by(0, Fault(Ending.error, message or say("it stopped")))
    return match.record()


def body(kind: str, record: Record) -> str:
    response = answer(ANA, kind, "a name/with: odd things", lambda: record)
    assert response.status_code == 200
    assert response.headers["content-disposition"] == f'attachment; filename="a-name-with-odd-things.{kind}"'
    return bytes(response.body).decode()


def test_json_comes_back_whole() -> None:
    record = played()
    assert Record.from_json(body("json", record)) == record
    assert read_file(body("json", record).encode()) == [record]


def test_sgf_comes_back_with_names_and_result() -> None:
    (read,) = read_file(body("sgf", played()).encode())
    assert read.agents == (Identity("ana"), PERSON) and read.returns == (-1, 1) and len(read.actions) == 4


def test_text_comes_back_whatever_the_game() -> None:
    match = Match(games.game("kittens"), 5)
    (read,) = read_file(body("txt", match.record()).encode())
    assert read == match.record()


def test_an_unfinished_match_has_no_winner_in_sgf() -> None:
    match = Match(games.game("hex:size=3"), 1, [4, 0])
    text = bytes(answer(ANA, "sgf", "x", lambda: match).body).decode()
    assert "RE[?]" in text and "B+" not in text and "W+" not in text


def test_no_folder_of_the_server_goes_along() -> None:
    record = played("/srv/course/ana/solution.py:Smart", "read /srv/nets/a.onnx", "no file '/srv/my nets/b.onnx'")
    for kind in ("json", "sgf"):
        text = body(kind, record)
        assert "/srv" not in text and "my nets" not in text and "ana/solution.py" in text
    assert "a.onnx" in body("json", record)
    assert public(played()) == played()


def test_only_hex_with_an_axial_board_is_written_as_sgf() -> None:
    assert kinds_of(games.game("hex")) == ["json", "sgf", "txt"]
    assert kinds_of(games.game("dominoes")) == ["json", "txt"]
    assert kinds_of(games.game("hex:layout=odd-r")) == ["json", "txt"]


def test_a_download_that_does_not_exist_is_refused_with_a_reason() -> None:
    def missing() -> Record:
        raise NotFound("There is no run 7 in /srv/arena.sqlite")

    assert answer(ANA, "exe", "x", played).status_code == 404
    refused = answer(ANA, "json", "x", missing)
    assert refused.status_code == 404 and b"/srv" not in refused.body
    assert answer(ANA, "sgf", "x", lambda: Match(games.game("dominoes"), 1)).status_code == 400


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/replay/match.json?game=hex:size=3&seed=1&actions=4.0", 200),
        ("/replay/match.sgf?game=hex:size=3&seed=1&actions=4.0", 200),
        ("/replay/match.sgf?game=dominoes", 400),
        ("/replay/match.exe?game=hex", 404),
        ("/replay/match.json?game=hex&actions=1.1", 400),
        ("/watch/1/0/match.json", 404),
        ("/watch/x/0/match.json", 404),
        ("/watch/77/0/match.json", 404),
    ],
)
def test_files_at_the_server(address: str, path: str, status: int) -> None:
    assert Visitor(address).get(path)[0] == status


def test_a_match_of_a_person_is_for_that_person_and_only_when_it_is_over(address: str) -> None:
    ana, bea = Visitor(address), Visitor(address)
    assert ana.post("/table", {"game": "dominoes", "seats": "person|person"})[0] == 200
    for place in range(3):
        for visitor in (ana, bea):
            assert visitor.get(f"/watch/1/{place}/match.json")[0] == 404


def test_a_shared_match_has_a_preview_that_nobody_can_forge(address: str) -> None:
    visitor, match = Visitor(address), "game=hex:size=3&seed=1&actions=4.0.3.1.5&turning=2"
    hostile = urllib.parse.urlencode({"names": '"><script>alert(1)</script>|Bea', "seats": "person|<img src=x>"})
    status, page = visitor.get(f"/replay?{match}&{hostile}")
    tags = dict(re.findall(r'<meta property="(og:[a-z:]+)" content="([^"]*)">', page))
    assert status == 200 and "<script>alert" not in page and "<img src=x>" not in page
    assert tags["og:image"].startswith(f"{address}/shared/preview.png?game=hex") and "turning=2" in tags["og:image"]
    assert "Turning point: move 3, a2" in tags["og:description"] and "wins" in tags["og:description"]
    assert visitor.get(f"/replay?{match}", Host="evil.example")[0] == 421
    with urllib.request.urlopen(html.unescape(tags["og:image"]), timeout=60) as answer:
        assert answer.headers["content-type"] == "image/png" and answer.read(4) == b"\x89PNG"
    assert visitor.get("/shared/match.gif?game=hex&actions=1.1")[0] == 400
    assert visitor.get(f"/shared/nothing.png?{match}")[0] == 400


def test_links_to_puzzles_have_previews_that_show_nothing_hidden(address: str) -> None:
    for path, title, pictured in (("/puzzle/hex/1", "Puzzle 1: Hex", True), ("/puzzle/dominoes/1", "Puzzle 1", False)):
        with urllib.request.urlopen(address + path, timeout=60) as answer:
            page = answer.read().decode()
        tags = dict(re.findall(r'<meta property="(og:[a-z:]+)" content="([^"]*)">', page))
        assert title in tags["og:title"] and "one" in tags["og:description"]
        assert ("og:image" in tags) is pictured
        if pictured:
            with urllib.request.urlopen(html.unescape(tags["og:image"]), timeout=60) as answer:
                assert answer.read(8) == b"\x89PNG\r\n\x1a\n"


def test_links_to_tables_and_set_up_positions_have_previews(address: str) -> None:
    owner = Visitor(address)
    assert owner.post("/table", {"game": "hex:size=3", "seats": "person|person"})[0] == 200
    tags = r'<meta property="(og:[a-z:]+)" content="([^"]*)">'
    edited = dict(re.findall(tags, owner.get("/edit/hex?game=hex:size=3")[1]))
    assert edited["og:title"] == "Set up a position of Hex" and "/shared/position.png?" in edited["og:image"]
    status, page = Visitor(address).get("/table/AAAAAAAAAAAAAAAAAAAAAA")
    stranger = dict(re.findall(tags, page))
    assert status in (400, 404) and stranger["og:title"] == "A match at Ludoteca" and "og:image" not in stranger
