from __future__ import annotations

import random
import re
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ludoteca import Ending, InvalidStore, Record
from ludoteca.agents.identity import Identity
from ludoteca.messages import say, translate
from ludoteca.play.record import Who
from ludoteca.play.store import Outcome, Store, default_path
from ludoteca.play.store.rescue import rescue
from ludoteca.play.store.schema import VERSION
from ludoteca.protocols import Decision

KEY = {"kind": "series", "game": "hex:size=3", "agents": ["random", "random"], "seed": 1}


def record(seed: int, score: float = 1.0) -> Record:
    returns = (2 * score - 1, 1 - 2 * score)
    who = Who(Identity("random", "12345678"), 1)
    return Record(
        "hex:size=3", seed, (who, who), (4, 0, 1), (0, 1, 0), limit="1s", seconds=(0.1, 0.2, 0.3), returns=returns,
        digest=f"{seed:016x}",
    )  # fmt: skip


def added(store: Store, run: int, *places: int) -> None:
    store.add(run, [(place, record(place), record(place).to_json()) for place in places])


def test_what_is_added_comes_back_in_order(tmp_path: Path) -> None:
    with Store(tmp_path / "deep" / "arena.sqlite") as store:
        run = store.run(KEY, {"count": 4})
        added(store, run.id, 2, 0)
        added(store, run.id, 1)
    with Store(tmp_path / "deep" / "arena.sqlite") as store:
        assert list(store.records(run.id)) == [record(0), record(1), record(2)]
        assert list(store.records(run.id, 2)) == [record(0), record(1)]
        assert store.record(run.id, 2) == record(2)
        assert store.outcomes(run.id)[1] == Outcome(1, (1.0, -1.0), Ending.finished, None, f"{1:016x}")
        assert store.find("last") == store.find(str(run.id)) == run


def test_a_reason_can_still_be_translated_after_it_was_stored() -> None:
    said = say("the agent needed more than {seconds:g} seconds", seconds=0.25)
    lost = replace(record(0), ending=Ending.timeout, fault=0, message=said)
    with Store(":memory:") as store:
        run = store.run(KEY, {"count": 4}).id
        store.add(run, [(0, lost, lost.to_json())])
        (outcome,) = store.outcomes(run)
    assert outcome.message == said
    assert translate(outcome.message, "es") == "el agente necesitó más de 0.25 segundos"


def test_a_run_is_found_by_what_it_is_and_begun_again_only_on_purpose() -> None:
    with Store(":memory:") as store:
        first = store.run(KEY, {"count": 4})
        same = store.run(dict(reversed(KEY.items())), {"count": 8})
        assert (same.id, same.goal) == (first.id, {"count": 8})
        other = store.run(KEY | {"seed": 2}, {"count": 4})
        anew = store.run(KEY, {"count": 4}, again=True)
        assert len({first.id, other.id, anew.id}) == 3
        assert store.run(KEY, {"count": 4}).id == anew.id


def test_no_match_is_stored_twice_and_a_bad_batch_leaves_no_trace() -> None:
    with Store(":memory:") as store:
        run = store.run(KEY, {}).id
        added(store, run, 5)
        with pytest.raises(sqlite3.IntegrityError):
            added(store, run, 6, 5)
        assert store.count(run) == 1


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("9", "no run '9'; 'ludoteca show' lists those that it has"),
        ("1" * 23, "is not a run; a run is a number"),
        ("first", "'first' is not a run"),
        ("-1", "'-1' is not a run"),
    ],
)
def test_runs_that_do_not_exist(name: str, complaint: str) -> None:
    with Store(":memory:") as store:
        store.run(KEY, {})
        with pytest.raises(InvalidStore, match=complaint):
            store.find(name)


def test_matches_that_do_not_exist() -> None:
    with Store(":memory:") as store, pytest.raises(InvalidStore, match="run 1 has no match 3; it has 0 matches"):
        store.record(store.run(KEY, {}).id, 3)


@pytest.mark.parametrize("version", [VERSION - 1, VERSION + 1])
@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_store_of_another_version_is_refused_and_left_as_it_is(tmp_path: Path, version: int, journal: str) -> None:
    path = tmp_path / "my arena?.sqlite"
    Store(path).close()
    base = sqlite3.connect(path)
    base.execute(f"PRAGMA user_version = {version}")
    base.execute(f"PRAGMA journal_mode = {journal}")
    base.close()
    before = path.read_bytes()
    with pytest.raises(InvalidStore, match="made by another version") as refused:
        Store(path)
    assert str(path) in str(refused.value) and "move" in str(refused.value) and str(version) in str(refused.value)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("this is no database, but it is long enough to be one" * 100)
    with pytest.raises(InvalidStore, match="cannot be used as a store of matches"):
        Store(tmp_path / "text")
    for journal in ("delete", "wal"):
        other = tmp_path / journal
        base = sqlite3.connect(other)
        base.execute(f"PRAGMA journal_mode = {journal}")
        base.execute("CREATE TABLE recipes (name)")
        base.close()
        before = other.read_bytes()
        with pytest.raises(InvalidStore, match="is a database, but not a store of matches"):
            Store(other)
        assert other.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["delete", "text", "wal"]
    with pytest.raises(InvalidStore, match="folder"):
        Store(tmp_path / "text" / "arena.sqlite")


def test_a_store_that_another_process_makes_just_now_is_no_strange_database(tmp_path: Path) -> None:
    """Whatever the other process commits between two of our questions."""
    for moment in ("SELECT count(*) FROM sqlite_master", "PRAGMA application_id", "PRAGMA user_version"):
        path = tmp_path / f"{moment.split()[-1]}.sqlite"
        with closing(sqlite3.connect(path)) as base, Store(":memory:") as store:
            base.set_trace_callback(lambda said: Store(path).close() if said == moment else None)  # noqa: B023
            store._is_store(base)
            assert store._is_store(base)


def contents(path: Path) -> object:
    """Everything that commands read from a store, read as they do."""
    with Store(path) as store:
        store.check()
        runs = store.runs()
        return (
            runs, store.find("last"), [store.outcomes(run.id) for run in runs],
            [list(store.records(run.id)) for run in runs], [store.latest(run.id, 5) for run in runs],
            [[store.record(run.id, place) for place in range(store.count(run.id))] for run in runs],
        )  # fmt: skip


DAMAGE = [
    "one byte", "some bytes", "a page of garbage", "a page of zeros", "another page", "the end lost", "pages lost",
]  # fmt: skip


def damage(whole: bytes, kind: str, chance: random.Random) -> bytes:
    """A store's bytes after a fault of the disk, of a network drive or of a copy that was interrupted."""
    at, page = chance.randrange(len(whole)), 4096 * chance.randrange(len(whole) // 4096)
    match kind:
        case "one byte":
            return whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :]
        case "some bytes":
            length = chance.randrange(1, 400)
            return (whole[:at] + chance.randbytes(length) + whole[at + length :])[: len(whole)]
        case "a page of garbage":
            return whole[:page] + chance.randbytes(4096) + whole[page + 4096 :]
        case "a page of zeros":
            return whole[:page] + bytes(4096) + whole[page + 4096 :]
        case "another page":
            other = 4096 * chance.randrange(len(whole) // 4096)
            return whole[:page] + whole[other : other + 4096] + whole[page + 4096 :]
    return whole[:at] if kind == "the end lost" else whole[:page]


def test_a_damaged_store_is_named_and_never_read_wrongly(tmp_path: Path) -> None:
    """Whatever was damaged, either nothing that anybody reads has changed, or one sentence says what to do."""
    path = tmp_path / "whole"
    with Store(path) as store:
        for seed in (1, 2):
            run = store.run(KEY | {"seed": seed}, {}).id
            thoughts = tuple(Decision(action, scores={each: each / 7 for each in range(60)}) for action in (4, 0, 1))
            long = [(place, replace(record(place), decisions=thoughts)) for place in range(20, 30)]
            store.add(run, [(place, each, each.to_json()) for place, each in long])
            added(store, run, *range(20))
    expected, whole = contents(path), path.read_bytes()
    assert not path.with_name("whole-wal").exists()
    chance, found = random.Random(7), Counter[str]()
    for number in range(20 * len(DAMAGE)):
        kind = DAMAGE[number % len(DAMAGE)]
        broken = tmp_path / "broken"
        broken.write_bytes(damage(whole, kind, chance))
        why = None
        try:
            assert contents(broken) == expected, f"{kind}: it reads as whole, but is not"
        except InvalidStore as error:
            why = str(error)
        if why is not None:
            found[kind] += 1
            assert str(broken) in why and re.search("Restore|move|another file|started in this folder", why)
        for each in tmp_path.glob("broken*"):
            each.unlink()
    assert all(found[kind] for kind in DAMAGE), found


def test_what_can_be_read_is_rescued(tmp_path: Path) -> None:
    path, rescued = tmp_path / "my store", tmp_path / "rescued"
    with Store(path) as store:
        run = store.run(KEY, {"count": 200})
        added(store, run.id, *range(200))
    whole = path.read_bytes()
    middle = len(whole) // 8192 * 4096
    path.write_bytes(whole[:middle] + bytes(4096) + whole[middle + 4096 :])
    with pytest.raises(InvalidStore, match=r"ludoteca rescue '.*my store' rescued"):
        contents(path)
    assert rescue(path, rescued)[0] == 1
    with Store(rescued) as store:
        store.check()
        kept = [outcome.index for outcome in store.outcomes(run.id)]
        assert 150 < len(kept) < 200 and [store.record(run.id, place) for place in kept] == [*map(record, kept)]
        assert store.run(KEY, {"count": 200}) == run, "it goes on with the same deals"
    with pytest.raises(InvalidStore, match="exists already"):
        rescue(path, rescued)
    path.write_bytes(bytes(4096) + whole[4096:])
    with pytest.raises(InvalidStore, match=r"nothing of .* can be read"):
        rescue(path, tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


def test_other_users_of_the_machine_cannot_read_a_store(tmp_path: Path) -> None:
    """It holds the secrets from which hands are dealt, also in the files that SQLite keeps beside it."""
    with Store(tmp_path / "s") as store:
        store.run(KEY, {})
        assert {each.name: oct(each.stat().st_mode & 0o777) for each in tmp_path.iterdir()} == dict.fromkeys(
            ["s", "s-shm", "s-wal"], "0o600"
        )


def test_last_is_the_last_run_of_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever folder made the run first, and whoever else uses the same store."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    with Store(tmp_path / "s") as store:
        monkeypatch.chdir(here)
        first = store.run(KEY, {})
        second = store.run(KEY | {"seed": 2}, {})
        monkeypatch.chdir(there)
        with pytest.raises(InvalidStore, match="started in this folder"):
            store.find("last")
        store.run(KEY, {})
        store.people_run("terminal")
        assert store.find("last") == first
        monkeypatch.chdir(here)
        assert store.find("last") == second
        store.set_last(first.id, here)
        assert store.find("last") == first


def test_a_full_disk_is_explained_and_what_was_stored_stays(tmp_path: Path) -> None:
    with Store(tmp_path / "arena.sqlite") as store:
        run = store.run(KEY, {}).id
        added(store, run, 0)
        (pages,) = store.base.execute("PRAGMA page_count").fetchone()
        store.base.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(InvalidStore, match=r"arena.sqlite cannot be written: database or disk is full"):
            added(store, run, *range(1, 200))
        assert store.count(run) == 1


def test_a_run_keeps_the_secret_that_it_began_with() -> None:
    with Store(":memory:") as store:
        first = store.run(KEY, {})
        assert len(bytes.fromhex(first.secret)) == 16
        assert store.run(KEY, {"count": 8}).secret == first.secret
        assert store.run(KEY, {}, again=True).secret != first.secret
        assert store.run(KEY | {"seed": 7}, {}, secret="ab" * 16).secret == "ab" * 16


def test_matches_of_people_are_kept_as_they_go_and_found_by_name_and_owner() -> None:
    with Store(":memory:") as store:
        run = store.people_run("page").id
        assert store.people_run("page").id == run == store.find("page").id
        unfinished = replace(record(1), ending=Ending.unfinished)
        assert store.people.open(run, unfinished, "one", "ada") == 0
        assert store.people.open(run, unfinished, "two", "bob") == 1
        assert store.people.save(run, "one", record(2))
        assert store.people.find(run, "one", "ada") == (0, record(2))
        assert store.people.find(run, "one", "bob") is None and store.people.find(run, "one") is None
        assert [(kept.name, kept.ending) for kept in store.people.of_owner(run, "ada")] == [("one", Ending.finished)]
        store.people.remove(run, "one", "bob")
        assert store.people.find(run, "one", "ada") is not None, "a visitor cannot take another's match away"
        store.people.remove(run, "one", "ada")
        assert store.people.open(run, unfinished, "new", "eve") == 2
        assert not store.people.save(run, "one", record(3)), "what was taken away stays away"
        assert store.people.find(run, "one", "ada") is None
        assert store.people.open(run, unfinished, "three", "ada") == 3
        with pytest.raises(sqlite3.IntegrityError):
            store.people.open(run, unfinished, "two", "ada")


def test_long_records_are_kept_short() -> None:
    thoughts = tuple(Decision(action, scores={each: each / 1000 for each in range(121)}) for action in (4, 0, 1))
    long = replace(record(0), decisions=thoughts)
    with Store(":memory:") as store:
        run = store.run(KEY, {}).id
        store.add(run, [(0, long, long.to_json())])
        assert store.record(run, 0) == long
        (size,) = store.base.execute("SELECT length(record) FROM records").fetchone()
        assert size < len(long.to_json()) / 2


def test_only_one_process_plays_a_run(tmp_path: Path) -> None:
    path = tmp_path / "arena.sqlite"
    program = """
import sys
from ludoteca.play.store import Store
store = Store(sys.argv[1])
with store.sole_writer(1):
    print("locked", flush=True)
    sys.stdin.read()
"""
    with Store(path) as store:
        other = subprocess.Popen(
            [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert other.stdout is not None and other.stdout.readline() == "locked\n"
        with pytest.raises(InvalidStore, match="another process is playing run 1"), store.sole_writer(1):
            pass
        with store.sole_writer(2):
            pass
        assert store.being_played(1) and not store.being_played(2)
        other.kill()
        other.communicate()
        assert not store.being_played(1)
        with store.sole_writer(1):
            pass
        with store.sole_writer(1):
            pass
    assert [each.name for each in tmp_path.iterdir()] == ["arena.sqlite"]


def test_the_usual_place_follows_the_convention(tmp_path: Path) -> None:
    assert default_path() == tmp_path / "state" / "ludoteca" / "arena.sqlite"
