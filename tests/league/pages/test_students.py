"""What students do on the page, and what one of them who attacks the others can reach: nothing."""

from __future__ import annotations

import io
import json
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from ludoteca.agents.digests import identity_of
from ludoteca.arena.api import series
from ludoteca.course.check.report import Finding, FindingVerdict
from ludoteca.league.database import Database, Person, Status, Version
from ludoteca.messages import say
from ludoteca.play.record import Who
from ludoteca.players.faults import Ending
from tests.league.pages.conftest import LeagueServer, Stranger

SECRET = "solution.py, line 7, in play: return self.secret_weapon()\nZeroDivisionError: division by zero"
PLAYER = b"""
class Player:
    def __init__(self, player_id):
        self.player_id = player_id

class First(Player):
    def play(self, board):
        return next((r, c) for r in range(board.size) for c in range(board.size) if board.board[r][c] == 0)
"""


def person(database: Database, ident: str) -> Person:
    return next(each for each in database.people() if each.ident == ident)


def admitted(database: Database, ident: str, number: int) -> Version:
    """A version of a student that passed its check."""
    version = database.add_version(person(database, ident).id, f"{ident}{number}", "random")
    database.note_finding(version, Finding(say("Loads"), FindingVerdict.good, f"{ident}'s <script>finding</script>"))
    database.admit(version, identity_of("random", "hex"))
    return database.version(version.id)


def played(league: LeagueServer, database: Database) -> tuple[Version, Version, tuple[int, int]]:
    """A version of Ana and one of Luis, and the places of two matches; Luis lost the second one by a fault."""
    records = series("hex:size=3", "random", "random", 2, seed=1, store=":memory:", workers=1).records
    ana, luis = admitted(database, "ana", 1), admitted(database, "luis", 1)
    pair = database.add_pair(ana.id, luis.id, 0)
    spec = str(league.folder / ".ludoteca/handed-in/1f/luis/solution.py")
    seats = [Who(replace(who.identity, spec=spec)) for who in records[0].seats]
    faulty = replace(
        records[1], seats=(seats[0], seats[1]), ending=Ending.error, fault=0, returns=(-1.0, 1.0), message=SECRET
    )
    stored = [(pair.places[0], records[0]), (pair.places[1], faulty)]
    database.store.add(database.run.id, [(place, each, each.to_json()) for place, each in stored])
    return ana, luis, pair.places


@pytest.fixture(scope="module")
def versions(league: LeagueServer) -> tuple[Version, Version]:
    """A version of Ana and one of Luis that have played."""
    with Database(league.folder) as database:
        ana, luis, _ = played(league, database)
    return ana, luis


def test_a_file_is_taken_and_its_check_is_shown_as_it_happens(league: LeagueServer) -> None:
    ana = league.sign_in("ana")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("Ana/solution.py", PLAYER)
    status, page = ana.hand_in(buffer.getvalue(), "entrega.zip")
    assert status == 200 and "Checking …" in page
    number = int(ana.last.rpartition("/")[2])
    live = f"/league/live/version/{number}"
    with Database(league.folder) as database:
        version = database.version(number)
        assert version.status is Status.checking
        assert (database.folder / ".ludoteca/handed-in" / version.digest / "ana" / "solution.py").exists()
        database.note_finding(version, Finding(say("Loads"), FindingVerdict.good, "<img src=x onerror=alert(1)>"))
        status, part = ana.get(live)
        assert "Loads" in part and "&lt;img src=x" in part and "data-over" not in part
        tag = ana.headers["etag"]
        assert ana.get(live, **{"If-None-Match": tag})[0] == 304
        database.refuse(version, say("it is too slow"))
    assert "data-over" in ana.get(live)[1]
    assert "did not pass" in ana.get("/league/me")[1]
    assert league.sign_in("luis").get(live)[0] == 404


def test_the_page_of_a_version_waits_for_its_first_rating(league: LeagueServer) -> None:
    ana = league.sign_in("ana")
    with Database(league.folder) as database:
        version = database.add_version(None, "", "random")
        database.admit(version, identity_of("random", "hex"))
        live = f"/league/live/strength/{version.id}"
        assert f'data-live="{live}"' in ana.get(f"/league/version/{version.id}")[1]
        assert "first matches" in ana.get(live)[1]
        database.retire(version, "")
    assert "data-over" in ana.get(live)[1]
    assert ana.get("/league/live/strength/99999")[0] == 404


def test_code_can_be_pasted(league: LeagueServer) -> None:
    luis = league.sign_in("luis")
    assert luis.hand_in(b"", "", code=PLAYER.decode().replace("\n", "\r\n"))[0] == 200
    assert "/league/version/" in luis.last
    status, page = luis.hand_in(b"", "", code="  ")
    assert status == 400 and "paste code" in page


def test_hostile_uploads_are_refused_with_a_reason(league: LeagueServer) -> None:
    luis = league.sign_in("luis")
    for data, name, expected, reason in (
        (b"#" * 120_000, "a.py", 400, "at most 100"),
        (b"#" * 900_000, "a.py", 413, "at most"),
        (b"\xff\xfe\x00", "a.py", 400, "neither a zip nor"),
        (b"x = (", "<script>alert(1)</script>.py", 400, ""),
        (b"x = (", "../../../../league.toml", 400, ""),
    ):
        status, page = luis.hand_in(data, name)
        assert status == expected and reason in page, (name, page[-500:])
        assert "<script>alert" not in page
    assert luis.hand_in(PLAYER, token="x")[0] == 403
    assert (league.folder / "league.toml").read_text().startswith("\ngame")
    with Database(league.folder) as database:
        taken = {each.digest for each in database.versions()}
    kept = {each.name for each in (league.folder / ".ludoteca/handed-in").iterdir() if any(each.iterdir())}
    assert kept <= taken  # what was refused does not fill the disk


def test_a_flood_of_uploads_is_held_back(league: LeagueServer) -> None:
    visitors = [league.sign_in("luis")]
    for _ in range(3):
        visitor = Stranger(league.address)
        visitor.jar, visitor.opener = visitors[0].jar, visitors[0].opener
        visitors.append(visitor)
    with ThreadPoolExecutor(4) as threads:
        answers = [*threads.map(lambda each: each.hand_in(b"x = (")[0], visitors)]
    assert {*answers} <= {400, 429} and answers.count(400) >= 1
    with Database(league.folder) as database:
        database.store.base.execute("DELETE FROM league_versions WHERE spec LIKE '%solution.py'")
        for _ in range(6):
            database.add_version(person(database, "luis").id, "d", "random")
    status, page = visitors[0].hand_in(PLAYER + b"#")
    assert status == 400 and "within a day" in page
    with Database(league.folder) as database:
        database.store.base.execute("DELETE FROM league_versions WHERE digest = 'd'")


def test_others_see_a_version_and_its_matches_but_nothing_inside(
    league: LeagueServer, versions: tuple[Version, Version]
) -> None:
    ana, luis = league.sign_in("ana"), league.sign_in("luis")
    theirs = f"/league/version/{versions[1].id}"
    own, foreign = luis.get(theirs)[1], ana.get(theirs)[1]
    assert "secret_weapon" in own and "&lt;script&gt;finding" in own
    assert "<script>finding" not in own
    assert "secret_weapon" not in foreign and "finding" not in foreign
    assert "Luis" not in foreign  # the teacher chose pseudonyms
    assert "/league/match/" in foreign
    assert "Luis" in league.sign_in("teacher").get(theirs)[1]
    assert ana.get(f"/league/live/version/{versions[1].id}")[0] == 404
    for odd in ("0", "x", "-1", "9" * 30, "..%2f..%2fetc", "1%27"):
        assert ana.get(f"/league/version/{odd}")[0] == 404


def test_a_match_shows_neither_names_nor_code_of_others(
    league: LeagueServer, versions: tuple[Version, Version]
) -> None:
    ana, luis = league.sign_in("ana"), league.sign_in("luis")
    place = int(re.findall(r"/league/match/(\d+)", ana.get(f"/league/version/{versions[1].id}")[1])[0])
    for path in (f"/league/match/{place}", f"/league/match/{place}/match.json", f"/league/match/{place}/match.txt"):
        status, foreign = ana.get(path)
        assert status == 200, path
        for secret in ("secret_weapon", "Luis", "handed-in", str(league.folder)):
            assert secret not in foreign, (path, secret)
    assert "secret_weapon" in luis.get(f"/league/match/{place}/match.json")[1]
    seats = json.loads(ana.get(f"/league/match/{place}/match.json")[1])["seats"]
    with Database(league.folder) as database:
        assert person(database, "luis").pseudonym in str(seats) and "version 1" in str(seats)
    assert ana.get("/league/match/99999")[0] == 404


def test_a_damaged_match_is_called_damaged(league: LeagueServer, versions: tuple[Version, Version]) -> None:
    ana = league.sign_in("ana")
    place = int(re.findall(r"/league/match/(\d+)", ana.get(f"/league/version/{versions[1].id}")[1])[0])
    change = "UPDATE records SET record_checksum = record_checksum + ? WHERE place = ?"
    with Database(league.folder) as database:
        for step in (1, -1):
            with database.store.transaction() as base:
                base.execute(change, (step, place))
            for path in (f"/league/match/{place}", f"/league/match/{place}/match.json"):
                status, page = ana.get(path)
                assert (status == 200) == (step == -1), path
                assert "no such match" not in page and str(league.folder) not in page


def test_only_the_own_version_can_stand(league: LeagueServer, versions: tuple[Version, Version]) -> None:
    ana, luis = league.sign_in("ana"), league.sign_in("luis")
    with Database(league.folder) as database:
        second = admitted(database, "ana", 2)
    ana.get("/league/me")
    assert ana.post("/league/stand", {"version": str(versions[1].id)})[0] == 403
    assert ana.post("/league/stand", {"version": "x"})[0] == 404
    assert luis.post("/league/stand", {"version": str(versions[0].id)})[0] == 403
    assert league.sign_in("teacher").post("/league/stand", {"version": str(versions[0].id)})[0] == 403
    assert ana.post("/league/stand", {"version": str(versions[0].id)}, Origin="http://evil.example")[0] == 403
    with Database(league.folder) as database:
        assert person(database, "ana").standing == second.id
        assert ana.post("/league/stand", {"version": str(versions[0].id)})[0] == 200
        assert person(database, "ana").standing == versions[0].id


def test_a_challenge_with_another_students_version_is_refused(
    league: LeagueServer, versions: tuple[Version, Version]
) -> None:
    ana = league.sign_in("ana")
    assert "Challenge" in ana.get(f"/league/challenges?against={versions[1].id}%22%3E%3Cscript%3E")[1]
    mine, theirs = (str(each.id) for each in versions)
    assert ana.post("/league/challenges", {"own": theirs, "other": mine, "pairs": "1"})[0] == 400
    assert ana.post("/league/challenges", {"own": mine, "other": theirs, "pairs": "1000"})[0] == 400
    assert ana.post("/league/challenges", {"own": mine, "other": theirs, "pairs": "2"})[0] == 200
    assert "0 of 4 matches" in ana.get("/league/challenges")[1]
    assert ana.post("/league/challenges", {"own": mine, "other": theirs, "pairs": "1"})[0] == 200
    status, page = ana.post("/league/challenges", {"own": mine, "other": theirs, "pairs": "1"})
    assert status == 400 and "wait for one" in page
    assert "Luis" not in page


def test_the_leaderboard_shows_the_names_that_the_teacher_chose(
    league: LeagueServer, versions: tuple[Version, Version]
) -> None:
    ana, teacher = league.sign_in("ana", "es"), league.sign_in("teacher")
    page, fragment = ana.get("/league")[1], ana.get("/league/live/leaderboard")[1]
    assert "Clasificación" in page and "&lt;i&gt;Spring" in page and "<i>Spring" not in page
    with Database(league.folder) as database:
        for each in database.people():
            for _ in range(5000):  # a page may be a second old, from before these versions played
                if each.pseudonym in fragment:
                    break
                fragment = ana.get("/league/live/leaderboard")[1]
            assert each.pseudonym in fragment and each.name.split()[-1] not in fragment
    assert "Luis Peña" in teacher.get("/league/live/leaderboard")[1]
    assert "&lt;b&gt;Ana" in teacher.get("/league")[1]
    assert ana.get("/league/live/leaderboard", **{"If-None-Match": ana.headers["etag"]})[0] in (200, 304)
