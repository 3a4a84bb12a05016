"""Who gets in, and who does not."""

from __future__ import annotations

import urllib.error
import urllib.request

import pytest

from ludoteca.league.database import Database
from ludoteca.league.database.sessions import MOST_SESSIONS
from ludoteca.league.pages.sign_in import MOST_WRONG
from tests.league.pages.conftest import LeagueServer, Stranger


def test_a_link_shows_who_it_is_and_a_button_signs_in(league: LeagueServer) -> None:
    visitor = Stranger(league.address)
    status, page = visitor.get(f"/league/enter/{league.code('ana')}")
    assert status == 200 and "&lt;b&gt;Ana&lt;/b&gt; Pérez" in page
    assert visitor.last == f"{league.address}/league/enter"  # the code stands in no address any more
    assert visitor.cookie("league") is None  # a program that previews links is not signed in
    assert visitor.get("/league")[0] == 200 and visitor.last.endswith("/league/enter")
    assert visitor.post("/league/enter", {})[0] == 200 and visitor.last.endswith("/league/me")
    cookie = visitor.cookie("league")
    assert cookie is not None and cookie.has_nonstandard_attr("HttpOnly")
    assert visitor.cookie("league-code") is None
    assert visitor.get("/league")[0] == 200 and visitor.last.endswith("/league")
    assert visitor.headers["cache-control"] == "no-store"


def test_the_address_with_the_code_is_passed_on_to_nobody(league: LeagueServer) -> None:
    class Still(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    request = urllib.request.Request(f"{league.address}/league/enter/{league.code('ana')}")
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.build_opener(Still).open(request)
    with caught.value as error:
        assert error.code == 303 and error.headers["Location"] == "/league/enter"
        assert error.headers.get_all("Referrer-Policy") == ["no-referrer"]


def test_without_a_code_there_is_nothing_to_see(league: LeagueServer) -> None:
    visitor = Stranger(league.address)
    for path in (
        "/",
        "/league",
        "/league/me",
        "/league/teacher",
        "/league/live/leaderboard",
        "/replay?game=hex",
        "/learn",
    ):
        assert visitor.get(path)[0] == 200
        assert visitor.last.endswith("/league/enter"), path
    assert visitor.get("/league/enter/nonsense")[0] == 200
    status, page = visitor.post("/league/enter", {"code": "A" * 22})
    assert status == 400 and "does not work" in page
    assert visitor.post("/league/leave", {})[0] == 403


def test_a_forged_or_stolen_cookie(league: LeagueServer) -> None:
    ana = league.sign_in("ana")
    cookie = ana.cookie("league")
    assert cookie is not None and cookie.value
    for forged in ("", "x", cookie.value[:-1] + ("A" if cookie.value[-1] != "A" else "B"), "1", "../" * 20):
        visitor = Stranger(league.address)
        visitor.get("/league", Cookie=f"league={forged}")
        assert visitor.last.endswith("/league/enter")
    copied = {"Cookie": f"league={cookie.value}"}
    thief = Stranger(league.address)
    assert "data-own" in thief.get("/league", **copied)[1]
    ana.get("/league")
    assert ana.post("/league/leave", {})[0] == 200  # signing out ends the session itself, not only the cookie
    thief.get("/league", **copied)
    assert thief.last.endswith("/league/enter")


def test_a_revoked_code_ends_the_session_at_once(league: LeagueServer) -> None:
    ana, luis = league.sign_in("ana"), league.sign_in("luis")
    with Database(league.folder) as database:
        database.revoke_code(next(each.id for each in database.people() if each.ident == "ana"))
    ana.get("/league")
    assert ana.last.endswith("/league/enter")
    luis.get("/league")
    assert luis.last.endswith("/league")
    league.code("luis")  # a new one: the old one and its sessions end
    luis.get("/league")
    assert luis.last.endswith("/league/enter")


def test_forms_of_other_sites_and_without_a_token_are_refused(league: LeagueServer) -> None:
    ana = league.sign_in("ana")
    ana.get("/league")
    assert ana.post("/league/leave", {}, Origin="http://evil.example")[0] == 403
    assert ana.post("/league/leave", {"token": ""})[0] == 403
    assert ana.post("/league/leave", {"token": league.sign_in("luis").token})[0] == 403
    assert ana.get("/league/me")[0] == 200 and ana.last.endswith("/league/me")  # still signed in


def test_long_forms_and_websockets_of_strangers_are_refused(league: LeagueServer) -> None:
    stranger, ana = Stranger(league.address), league.sign_in("ana")
    for visitor, path in ((stranger, "/league/enter"), (ana, "/league/leave"), (ana, "/league/stand")):
        assert visitor.post(path, {"code": "x" * 90_000})[0] == 413
    socket = "/_nicegui_ws/socket.io/?EIO=4&transport=polling"
    assert stranger.get(socket)[0] == 200 and stranger.last.endswith("/league/enter")
    assert ana.get(socket)[0] == 403  # it names no tab of hers


def test_students_do_not_see_the_teachers_pages(league: LeagueServer) -> None:
    ana, teacher = league.sign_in("ana"), league.sign_in("teacher")
    assert ana.get("/league/teacher")[0] in (403, 404)
    assert teacher.get("/league/me")[0] == 200 and teacher.last.endswith("/league/teacher")


def test_wrong_codes_are_held_back_and_many_sessions_end_the_oldest(league: LeagueServer) -> None:
    stranger = Stranger(league.address)
    answers = {stranger.post("/league/enter", {"code": "B" * 22})[0] for _ in range(MOST_WRONG + 1)}
    assert answers == {400, 429}
    with Database(league.folder) as database:
        code = database.new_teacher_code()
        tokens = [database.sign_in(code) or "" for _ in range(MOST_SESSIONS + 1)]
        assert database.viewer_of(tokens[0]) is None
        assert all(database.viewer_of(token) is not None for token in tokens[1:])
        database.revoke_teacher_code()
        assert all(database.viewer_of(token) is None for token in tokens)
