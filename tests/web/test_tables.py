from __future__ import annotations

from pathlib import Path

import pytest

from ludoteca.web.table import PERSON, Cleared, Head, InvalidTable
from ludoteca.web.tables import Tables

HEAD = Head("hex:size=2", (PERSON, PERSON), 1)


def test_a_table_is_found_again_by_another_server(tmp_path: Path) -> None:
    key, table = Tables(tmp_path).make("ana", HEAD)
    table.play(0)
    again = Tables(tmp_path).find("ana", key)
    assert again.match.actions == [0]
    again.play(1)
    assert Tables(tmp_path).find("ana", key).match.actions == [0, 1]


def test_another_visitor_finds_nothing_even_with_the_address(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    key, _ = tables.make("ana", HEAD)
    assert tables.keys("bea") == []
    for visitor in ("bea", "", "../ana"):
        with pytest.raises(InvalidTable, match="no table of yours"):
            tables.find(visitor, key)


@pytest.mark.parametrize("key", ["", "x", "../../../../etc/passwd", "a" * 22, "é" * 22, "a" * 21 + "\n"])
def test_odd_addresses_lead_nowhere(tmp_path: Path, key: str) -> None:
    with pytest.raises(InvalidTable, match="no table of yours"):
        Tables(tmp_path).find("ana", key)


def test_a_damaged_table_is_told_and_can_be_cleared(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    key, _ = tables.make("ana", HEAD)
    path = next(tmp_path.glob("*/*.jsonl"))
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidTable):
        Tables(tmp_path).find("ana", key)
    tables.clear("ana", key)
    assert tables.keys("ana") == []


def test_a_visitor_has_a_limit_and_finished_tables_make_room(tmp_path: Path) -> None:
    tables = Tables(tmp_path, limit=3)
    keys = [tables.make("ana", HEAD)[0] for _ in range(3)]
    with pytest.raises(InvalidTable, match="3 unfinished matches"):
        tables.make("ana", HEAD)
    tables.make("bea", HEAD)
    tables.find("ana", keys[1]).resign(0)
    tables.make("ana", HEAD)
    assert keys[1] not in tables.keys("ana") and keys[0] in tables.keys("ana")


def test_a_cleared_table_stays_cleared(tmp_path: Path) -> None:
    """Whoever still has it open cannot bring it back."""
    tables = Tables(tmp_path)
    key, table = tables.make("ana", HEAD)
    other = Tables(tmp_path).find("ana", key)
    tables.clear("ana", key)
    for each in (table, other):
        with pytest.raises(Cleared, match="cleared away"):
            each.play(0)
        with pytest.raises(Cleared, match="cleared away"):
            each.resign(0)
    assert tables.keys("ana") == [] and not list(tmp_path.rglob("*.jsonl"))
