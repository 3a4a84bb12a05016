from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from ludoteca.play.record import Record
from ludoteca.play.store import Store
from ludoteca.protocols import Decision
from ludoteca.web.errors import InvalidTable, TableDeleted, TableNotFound
from ludoteca.web.tables.match_request import FRIEND, PERSON, MatchRequest, new_match
from ludoteca.web.tables.registry import MOST_WRONG_CODES, RECOUNT, UNFINISHED, UNPLAYED, TableRegistry, owner_of
from ludoteca.web.tables.store_writer import StoreWriter, _JsonCache

ASKED = MatchRequest("hex:size=2", (PERSON, PERSON), 1)


def run(path: Path, work: Callable[[TableRegistry], Coroutine[Any, Any, None]], **limits: Any) -> None:
    """Does something with tables as one server has them, from its start to its end."""

    async def all_of_it() -> None:
        tables = TableRegistry(path / "arena.sqlite", **limits)
        try:
            await work(tables)
        finally:
            tables.close()

    asyncio.run(all_of_it())


def kept(path: Path) -> list[Record]:
    with Store(path / "arena.sqlite") as store:
        return list(store.records(store.find("page").id))


def test_a_table_is_found_again_by_another_server(tmp_path: Path) -> None:
    keys = []

    async def begin(tables: TableRegistry) -> None:
        key, table = await tables.create("ana", new_match(ASKED))
        table.play(0)
        keys.append(key)

    async def go_on(tables: TableRegistry) -> None:
        table = tables.find("ana", keys[0])
        assert table.match.actions == [0] and tables.find("ana", keys[0]) is table
        assert not table.helped
        table.play(1)
        table.note_help()

    async def end(tables: TableRegistry) -> None:
        assert tables.find("ana", keys[0]).match.actions == [0, 1] and tables.find("ana", keys[0]).helped
        assert [each.name for each in tables.of_visitor("ana")] == keys

    for work in (begin, go_on, end):
        run(tmp_path, work)
    (record,) = kept(tmp_path)
    assert record.actions == (0, 1) and not record.finished


def test_what_is_played_is_soon_in_the_store_whatever_becomes_of_the_server(tmp_path: Path) -> None:
    saved = threading.Event()  # when the writer has looked for the match that is not there, the other one is saved
    writer = StoreWriter(tmp_path / "arena.sqlite", on_deleted=lambda name: saved.set())
    match = new_match(ASKED)
    writer.do(lambda store, run: store.people.open(run, match.record(), "key", "ana")).result()
    match.play(0)
    writer.save("key", match.record())
    writer.save("not there", match.record())
    assert saved.wait(60.0)
    assert kept(tmp_path)[0].actions == (0,)  # and nothing is closed yet
    writer.close()


def test_another_visitor_finds_nothing_even_with_the_address(tmp_path: Path) -> None:
    keys = []

    async def work(tables: TableRegistry) -> None:
        key, _ = await tables.create("ana", new_match(ASKED))
        keys.append(key)
        assert tables.of_visitor("bea") == []
        for visitor in ("bea", "", "../ana", owner_of("ana")):
            with pytest.raises(TableNotFound):
                tables.find(visitor, key)
            await tables.delete(visitor, key)
        assert not tables.find("ana", key).deleted

    async def later(tables: TableRegistry) -> None:
        with pytest.raises(TableNotFound):
            tables.find("bea", keys[0])
        tables.find("ana", keys[0])

    run(tmp_path, work)
    run(tmp_path, later)
    assert "ana" not in str(sqlite3.connect(tmp_path / "arena.sqlite").execute("SELECT owner FROM records").fetchall())


@pytest.mark.parametrize(
    "key", ["", "x", "../../../../etc/passwd", "a" * 22, "é" * 22, "a" * 21 + "\n", "%' OR 1=1 --"]
)
def test_odd_addresses_lead_nowhere(tmp_path: Path, key: str) -> None:
    async def work(tables: TableRegistry) -> None:
        with pytest.raises(TableNotFound):
            tables.find("ana", key)

    run(tmp_path, work)


def test_a_damaged_table_is_refused_and_can_be_deleted(tmp_path: Path) -> None:
    keys = []

    async def begin(tables: TableRegistry) -> None:
        keys.append((await tables.create("ana", new_match(ASKED)))[0])

    async def look(tables: TableRegistry) -> None:
        with pytest.raises(InvalidTable, match="cannot be read"):
            tables.find("ana", keys[0])
        await tables.delete("ana", keys[0])
        assert tables.of_visitor("ana") == []

    run(tmp_path, begin)
    with sqlite3.connect(tmp_path / "arena.sqlite") as base:
        base.execute("UPDATE records SET record = 'nonsense'")
    run(tmp_path, look)


def test_a_visitor_has_a_limit_and_finished_tables_make_room(tmp_path: Path) -> None:
    async def work(tables: TableRegistry) -> None:
        keys = [(await tables.create("ana", new_match(ASKED)))[0] for _ in range(3)]
        with pytest.raises(InvalidTable, match="3 unfinished matches"):
            await tables.create("ana", new_match(ASKED))
        await tables.create("bea", new_match(ASKED))
        tables.find("ana", keys[1]).resign(0)
        await saved(tables)
        await tables.create("ana", new_match(ASKED))
        left = [each.name for each in tables.of_visitor("ana")]
        assert keys[1] not in left and keys[0] in left and len(left) == 3

    run(tmp_path, work, limit=3)


async def saved(tables: TableRegistry) -> None:
    """Returns when all that was played is in the store."""
    await asyncio.wrap_future(tables._writer.do(lambda store, run: None))


def test_newcomers_cannot_fill_the_server(tmp_path: Path) -> None:
    now = 0.0

    async def work(tables: TableRegistry) -> None:
        for number in range(5):
            await tables.create(f"newcomer {number}", new_match(ASKED))
        with pytest.raises(InvalidTable, match="server is full"):
            await tables.create("one more", new_match(ASKED))
        played = tables.find("newcomer 3", tables.of_visitor("newcomer 3")[0].name)
        played.play(0)
        await saved(tables)
        # A table without a move is deleted after a while; one with moves much later.
        nonlocal now
        now += UNPLAYED + 1.0
        for number in range(4):
            await tables.create(f"later {number}", new_match(ASKED))
        assert len(tables.of_visitor("newcomer 3")) == 1 and tables.of_visitor("newcomer 0") == []

    run(tmp_path, work, most_tables=5, clock=lambda: now)


def test_unfinished_tables_make_room_in_the_end_and_finished_ones_stay(tmp_path: Path) -> None:
    """More finished ones than are looked at in one go lie before them: older, and not to be deleted."""
    now = 0.0

    async def work(tables: TableRegistry) -> None:
        for number in range(6):
            _, table = await tables.create(f"newcomer {number}", new_match(ASKED))
            table.play(0)
            if number < 3:
                table.resign(0)
        await saved(tables)
        with pytest.raises(InvalidTable, match="server is full"):
            await tables.create("one more", new_match(ASKED))
        nonlocal now
        now += UNFINISHED + 1.0
        for number in range(3):
            await tables.create(f"later {number}", new_match(ASKED))
        assert [len(tables.of_visitor(f"newcomer {number}")) for number in range(6)] == [1, 1, 1, 0, 0, 0]

    run(tmp_path, work, most_tables=6, most_deleted=2, clock=lambda: now)


def test_a_clock_that_jumps_deletes_nothing_that_is_being_played(tmp_path: Path) -> None:
    async def work(tables: TableRegistry) -> None:
        for jump in (0.0, 10 * 365 * 86_400.0, -10 * 365 * 86_400.0):
            key, table = await tables.create(f"at {jump}", new_match(ASKED))
            table.play(0)
            await saved(tables)
            with sqlite3.connect(tmp_path / "arena.sqlite") as base:  # dated by a clock that has jumped
                base.execute("UPDATE records SET updated = updated + ? WHERE name = ?", (jump, key))
        with pytest.raises(InvalidTable, match="server is full"):
            await tables.create("one more", new_match(ASKED))

    run(tmp_path, work, most_tables=3)


def test_one_address_cannot_open_tables_for_ever(tmp_path: Path) -> None:
    async def work(tables: TableRegistry) -> None:
        for number in range(3):
            await tables.create(f"cookie {number}", new_match(ASKED), address="1.2.3.4")
        with pytest.raises(InvalidTable, match="from your network"):
            await tables.create("another cookie", new_match(ASKED), address="1.2.3.4")
        await tables.create("somebody else", new_match(ASKED), address="1.2.3.5")

    run(tmp_path, work, most_opened=3)


def test_wrong_codes_lock_out_their_own_address_alone(tmp_path: Path) -> None:
    async def work(tables: TableRegistry) -> None:
        _, table = await tables.create("ana", new_match(MatchRequest("hex:size=3", (PERSON, FRIEND))), 1)
        assert table.invitation is not None and table.invitation.code is not None
        for number in range(MOST_WRONG_CODES):
            with pytest.raises(InvalidTable, match="this invitation does not work"):
                tables.find_invited(code=f"wrong{number}", address="1.2.3.4")
        with pytest.raises(InvalidTable, match="too many wrong codes"):
            tables.find_invited(code=table.invitation.code, address="1.2.3.4")
        assert tables.find_invited(code=table.invitation.code, address="1.2.3.5") is table

    run(tmp_path, work)


def test_long_matches_cannot_fill_the_server(tmp_path: Path) -> None:
    now = 0.0

    async def work(tables: TableRegistry) -> None:
        await tables.create("ana", new_match(ASKED))
        nonlocal now
        now += RECOUNT + 1.0
        with pytest.raises(InvalidTable, match="server is full"):
            await tables.create("bea", new_match(ASKED))

    run(tmp_path, work, most_bytes=100, clock=lambda: now)


def test_a_deleted_table_stays_deleted(tmp_path: Path) -> None:
    """A tab that still shows it cannot bring it back, in this server or in another."""

    async def work(tables: TableRegistry) -> None:
        other = TableRegistry(tmp_path / "arena.sqlite")
        key, table = await tables.create("ana", new_match(ASKED))
        elsewhere = other.find("ana", key)
        await tables.delete("ana", key)
        with pytest.raises(TableDeleted, match="deleted"):
            table.play(0)
        with pytest.raises(TableNotFound):
            tables.find("ana", key)
        elsewhere.play(0)
        await saved(other)
        with pytest.raises(TableDeleted):
            elsewhere.play(1)
        other.close()
        assert tables.of_visitor("ana") == []

    run(tmp_path, work)
    assert kept(tmp_path) == []


def test_a_busy_store_delays_no_action_and_loses_none(tmp_path: Path) -> None:
    async def work(tables: TableRegistry) -> None:
        _, table = await tables.create("ana", new_match(ASKED))
        base = sqlite3.connect(tmp_path / "arena.sqlite", isolation_level=None)
        base.execute("BEGIN IMMEDIATE")  # as an arena that writes a lot
        table.play(0)
        table.play(1)
        assert base.in_transaction  # neither has waited for the store, in which nothing can be written yet
        base.execute("COMMIT")
        base.close()

    run(tmp_path, work)
    (record,) = kept(tmp_path)
    assert record.actions == (0, 1)


def test_what_is_written_piece_by_piece_is_the_record(tmp_path: Path) -> None:
    written, match = _JsonCache(), new_match(MatchRequest("hex:size=5", (PERSON, "random"), 1))
    for ply in range(12):
        decision = Decision(ply, value=0.1 * ply, scores={ply: 0.5}, note="“ñ”") if ply % 2 else Decision(ply)
        match.answer(decision, 0.1)
        assert written.text("a", match.record()) == match.record().to_json()
        assert written.text("b", match.record()) == match.record().to_json()
    for ply in (7, 3, 0):
        match = match.before(ply)
        match.answer(Decision(20, value=-0.5), 0.1)
        assert written.text("a", match.record()) == match.record().to_json()
