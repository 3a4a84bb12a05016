"""The teacher's page: what it does, and that no student's session opens any of it."""

from __future__ import annotations

import re
import urllib.request
import uuid
from pathlib import Path

import pytest

from ludoteca.agents.digests import identity_of
from ludoteca.league.database import Database, Status
from tests.league.pages.conftest import LeagueServer, Stranger

PAGES = ("", "/student/1", "/source/1", "/file/archive.zip", "/file/grades.csv", "/file/similarity.html")
ACTIONS = {
    "league": {"action": "pause"},
    "version": {"version": "1", "action": "ban", "reason": "x"},
    "code": {"person": "2", "action": "new"},
    "deadline": {"person": "1", "until": "2099-01-01T00:00"},
    "baseline": {"action": "add", "agent": "mcts"},
    "make": {"make": "archive"},
    "baseline-file": {},
}


def upload(visitor: Stranger, path: str, name: str, data: bytes) -> tuple[int, str]:
    """A form with a file, as browsers send it."""
    edge = uuid.uuid4().hex
    body = (
        (
            f'--{edge}\r\nContent-Disposition: form-data; name="token"\r\n\r\n{visitor.token}\r\n'
            f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        ).encode()
        + data
        + f"\r\n--{edge}--\r\n".encode()
    )
    headers = {"Content-Type": f"multipart/form-data; boundary={edge}"}
    return visitor.ask(urllib.request.Request(visitor.address + path, body, headers))


@pytest.fixture
def version(league: LeagueServer) -> int:
    """A version of Ana's, which plays; its text would be a script on a page."""
    folder = league.folder / ".ludoteca" / "handed-in" / uuid.uuid4().hex / "ana"
    folder.mkdir(parents=True)
    (folder / "solution.py").write_text("# <script>alert(1)</script>\n")
    with Database(league.folder) as database:
        ana = next(each for each in database.people() if each.ident == "ana")
        version = database.add_version(ana.id, "", str(folder / "solution.py"))
        database.admit(version, identity_of("random", "hex"))
        return version.id


def test_no_student_opens_a_teachers_page_or_does_what_a_teacher_does(league: LeagueServer, version: int) -> None:
    ana, stranger = league.sign_in("ana"), Stranger(league.address)
    ana.get("/league")
    with Database(league.folder) as database:
        before = (database.changes(), database.paused, database.people(), database.versions(), database.has_code(2))
    for path in (*(f"/league/teacher{each}" for each in PAGES), "/league/live/teacher"):
        status, page = ana.get(path)
        assert status == 403 and "Luis" not in page, path
        assert "Luis" not in stranger.get(path)[1] and stranger.last.endswith("/league/enter")
    token = ana.token
    for action, fields in ACTIONS.items():
        assert ana.post(f"/league/teacher/{action}", fields | {"token": token})[0] == 403, action
        assert stranger.post(f"/league/teacher/{action}", fields)[0] == 403, action
    with Database(league.folder) as database:
        now = (database.changes(), database.paused, database.people(), database.versions(), database.has_code(2))
    assert now == before


def test_every_form_of_the_teacher_needs_its_token_and_its_origin(league: LeagueServer, version: int) -> None:
    teacher = league.sign_in("teacher")
    teacher.get("/league/teacher")
    other = league.sign_in("ana").token
    with Database(league.folder) as database:
        before = database.changes(), database.versions()
    for action, fields in ACTIONS.items():
        for token in ("", "x" * 32, other):
            assert teacher.post(f"/league/teacher/{action}", fields | {"token": token})[0] == 403, action
        assert teacher.post(f"/league/teacher/{action}", fields, Origin="https://evil.example")[0] == 403, action
    with Database(league.folder) as database:
        assert (database.changes(), database.versions()) == before


def test_a_teacher_pauses_bans_extends_and_gives_links(league: LeagueServer, version: int) -> None:
    teacher = league.sign_in("teacher")
    status, page = teacher.get("/league/teacher")
    assert status == 200 and "&lt;b&gt;Ana&lt;/b&gt;" in page and "<b>Ana" not in page, "real names, and only as text"
    assert "1 student has not handed in:" in page and "at most 6 matches" in page
    assert "The final: everybody against everybody" in teacher.get("/league")[1], "and students read it, too"
    assert str(league.folder) in page, "the command that begins the final"

    def state() -> tuple[Status, bool, str]:
        with Database(league.folder) as database:
            found = database.version(version)
            return found.status, found.paused, found.reason

    def change(action: str, **more: str) -> int:
        return teacher.post("/league/teacher/version", {"version": str(version), "action": action} | more)[0]

    assert change("pause") == 200 and state()[1]
    assert change("resume") == 200 and not state()[1]
    assert change("ban") == 400 and state()[0] is Status.playing, "not without a reason"
    assert change("ban", reason="<i>copied</i>") == 200 and state() == (Status.banned, False, "<i>copied</i>")
    assert "&lt;i&gt;copied" in teacher.get("/league/teacher/student/1")[1]
    assert change("readmit") == 200 and state()[0] is Status.playing
    assert change("retire", reason="old") == 200 and state()[0] is Status.retired
    assert change("readmit") == 200
    for wrong in ("", "0", "99999", "-1", "1 OR 1=1", "9" * 30):
        assert teacher.post("/league/teacher/version", {"version": wrong, "action": "pause"})[0] in (400, 404)
    with Database(league.folder) as database:
        assert teacher.post("/league/teacher/league", {"action": "pause"})[0] == 200 and database.paused
        assert "Paused" in teacher.get("/league/live/teacher")[1]
        assert teacher.post("/league/teacher/league", {"action": "resume"})[0] == 200 and not database.paused
        ana = {"person": "1"}
        assert teacher.post("/league/teacher/deadline", ana | {"until": "2099-01-01T12:00"})[0] == 200
        assert database.people()[0].extension is not None
        assert teacher.post("/league/teacher/deadline", ana | {"until": "tomorrow"})[0] == 400
        assert teacher.post("/league/teacher/deadline", ana | {"until": ""})[0] == 200
        assert database.people()[0].extension is None
        page = teacher.post("/league/teacher/code", ana | {"action": "new"})[1]
        found = re.search(rf"{league.address}/league/enter/([\w-]+)", page)
        assert found is not None and database.viewer_with(found[1]) == database.people()[0]
        assert teacher.headers["cache-control"] == "no-store"
        assert found[1] not in teacher.get("/league/teacher/student/1")[1], "it is shown once"
        assert teacher.post("/league/teacher/code", ana | {"action": "revoke"})[0] == 200
        assert database.viewer_with(found[1]) is None


def test_a_source_and_a_file_are_sent_as_text_and_nothing_else_is_sent(league: LeagueServer, version: int) -> None:
    teacher = league.sign_in("teacher")
    status, text = teacher.get(f"/league/teacher/source/{version}")
    assert status == 200 and "<script>" in text and teacher.headers["content-type"].startswith("text/plain")
    assert teacher.headers["content-security-policy"] == "sandbox"
    for name in ("league.sqlite", "cookie-secret", "..%2Fleague.sqlite", "%2e%2e/cookie-secret", "roster.csv"):
        assert teacher.get(f"/league/teacher/file/{name}")[0] == 404, name


NO_BASELINES = (
    "htp:command=touch hacked", "/etc/passwd", "../x.py", "zero:weights=/etc/passwd", "os.system", "v1", "", "<script>",
    "mcts:simulations=-1", "x" * 5000,
)  # fmt: skip


def test_no_baseline_reaches_the_machine(league: LeagueServer) -> None:
    """A stolen teacher's session starts no program and opens no file; an agent of another game is refused, too."""
    teacher = league.sign_in("teacher")
    teacher.get("/league/teacher")
    with Database(league.folder) as database:
        before = database.versions()
        for agent in NO_BASELINES:
            status, page = teacher.post("/league/teacher/baseline", {"action": "add", "agent": agent})
            assert status == 400 and "<script> is" not in page, agent
        assert database.versions() == before
    assert not Path("hacked").exists() and not (league.folder / "hacked").exists()


def test_baselines_are_added_and_removed(league: LeagueServer) -> None:
    teacher = league.sign_in("teacher")
    teacher.get("/league/teacher")
    spec = "mcts:simulations=10"
    assert teacher.post("/league/teacher/baseline", {"action": "add", "agent": spec})[0] == 200
    with Database(league.folder) as database:
        added = database.versions()[-1]
        assert (added.person, added.status) == (None, Status.playing) and added.spec.startswith("mcts")
        assert teacher.post("/league/teacher/baseline", {"action": "add", "agent": spec})[0] == 400, "twice"
        assert teacher.post("/league/teacher/baseline", {"action": "remove", "version": str(added.id)})[0] == 200
        assert database.version(added.id).status is Status.retired
        assert teacher.post("/league/teacher/baseline", {"action": "add", "agent": spec})[0] == 200, "and again"
        assert database.version(added.id).status is Status.playing
        database.retire(added, "")
        text = (
            b"class First:\n    def __init__(self, game, seat, seed): pass\n    def act(self, view, limit): return 0\n"
        )
        assert upload(teacher, "/league/teacher/baseline-file", "mine.py", text)[0] == 200
        own = database.versions()[-1]
        assert (own.person, own.status) == (None, Status.checking), "it plays after its check, in the sandbox"
        page = teacher.get("/league/teacher")[1]
        assert own.spec not in page and "baseline/mine.py" in page
        database.retire(own, "")
        assert upload(teacher, "/league/teacher/baseline-file", "mine.py", b"PK\x03\x04 broken")[0] == 400
        assert upload(teacher, "/league/teacher/baseline-file", "mine.py", b"x" * 200_000)[0] in (400, 413)
