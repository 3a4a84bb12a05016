"""TableRegistry that an earlier version kept, as it wrote them (`old_tables`), in the store of today."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from ludoteca.play.store import Store
from ludoteca.players.faults import Ending
from ludoteca.web.tables.match_request import PERSON
from ludoteca.web.tables.old_tables import migrate, read_journal
from ludoteca.web.tables.registry import TableRegistry
from tests.web.conftest import served

OLD = Path(__file__).parent / "old_tables"
HEX, DOMINOES, KITTENS, EXCHANGED = (
    "C7o0ZAhdaEdtYszQpIcN3w", "G8Q5FF5uuMBihZfD5F1TgQ", "iexGAE8klELpWPCwUGYkGQ", "QGM3OwR2hU9NlHQfHsmHzw",
)  # fmt: skip
SET_UP, RESIGNED = "OfEmWf1t7Mu6eosR33iVlw", "FVbzMZbKxi2kNLOyEhaKdQ"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A folder as an earlier version left it."""
    shutil.copytree(OLD, tmp_path / "tables")
    return tmp_path


def test_nothing_is_lost_and_unfinished_matches_go_on(state: Path) -> None:
    assert migrate(state / "tables", state / "arena.sqlite") == 6

    async def visit() -> None:
        tables = TableRegistry(state / "arena.sqlite")
        assert {each.name for each in tables.of_visitor("ana")} == {HEX, DOMINOES, KITTENS, EXCHANGED}
        assert {each.name for each in tables.of_visitor("bea")} == {SET_UP, RESIGNED}
        unfinished = tables.find("ana", HEX)
        assert unfinished.match.actions[:4] == [12, 11, 13, 16] and unfinished.match.seed == 2**61 + 12345
        assert unfinished.names == (PERSON, "astar") and unfinished.turn == 1
        assert str(unfinished.match.limit) == "0.1s"
        unfinished.play(unfinished.match.view(1).legal()[0])
        over = tables.find("ana", DOMINOES)
        assert over.over and over.match.ending is Ending.finished and over.match.returns() == (1.0, -1.0)
        exchanged = tables.find("ana", EXCHANGED)
        assert exchanged.names == ("random", PERSON) and exchanged.match.actions == [8, 4, 9, 11]
        resigned = tables.find("bea", RESIGNED)
        assert resigned.resigned == 1 and resigned.match.returns() == (1.0, -1.0)
        assert "6-6" in tables.find("bea", SET_UP).match.start
        tables.close()

    asyncio.run(visit())
    with Store(state / "arena.sqlite") as store:
        found = store.find_match(store.standing("page").id, HEX, "24d4b96f58da6d4a8512313bbd02a28e")
    assert found is not None and len(found[1].actions) == 8


def test_what_agents_thought_is_kept(state: Path) -> None:
    for path in OLD.glob("*/*.jsonl"):
        match = read_journal(path.read_text())
        events = [json.loads(line) for line in path.read_text().splitlines()[1:]]
        told = [event["thought"] for event in events if "thought" in event]
        kept = [each for each in match.decisions if each is not None]
        assert len(kept) == sum(each is not None for each in match.decisions) <= len(told)
        for thought, decision in zip(told, kept, strict=False):
            assert decision.note == thought.get("note", "") and decision.nodes == thought.get("nodes", 0)
            assert decision.value == thought.get("value") and list(decision.line) == thought.get("line", [])
            assert {str(action): score for action, score in decision.scores.items()} == thought.get("scores", {})


def test_it_happens_once_and_can_be_broken_off(state: Path) -> None:
    store, folder = state / "arena.sqlite", state / "tables"
    assert migrate(folder, store) == 6
    assert migrate(folder, store) == 0
    # As after a crash between the two steps: the match is in the store, and its file not yet put aside.
    path = next(folder.rglob(f"{HEX}.jsonl.migrated"))
    path.rename(path.with_name(f"{HEX}.jsonl"))
    assert migrate(folder, store) == 1
    with Store(store) as opened:
        assert opened.count(opened.standing("page").id) == 6
    assert len(list(folder.rglob("*.migrated"))) == 6 and not list(folder.rglob("*.jsonl"))


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"{", b"[]", b'{"game": "chess", "seats": ["person", "x"], "seed": 1}']
)
def test_what_cannot_be_read_stays_where_it_is(state: Path, content: bytes) -> None:
    path = next((state / "tables").rglob(f"{HEX}.jsonl"))
    path.write_bytes(content)
    assert migrate(state / "tables", state / "arena.sqlite") == 5
    assert path.read_bytes() == content


def test_a_line_that_was_cut_off_is_forgotten_but_damage_is_told() -> None:
    lines = next(OLD.rglob(f"{HEX}.jsonl")).read_text().splitlines()
    whole = read_journal("\n".join(lines))
    assert read_journal("\n".join([*lines, '{"play": 0, "tho'])).actions == whole.actions
    for damaged in ([lines[0], "{", *lines[1:]], [lines[0], '{"play": 99}'], [lines[0], '{"x": 1}']):
        with pytest.raises(ValueError, match=r"journal|Expecting|unknown event"):
            read_journal("\n".join(damaged))


def test_a_server_does_it_at_its_start(tmp_path: Path) -> None:
    shutil.copytree(OLD, tmp_path / "ludoteca" / "tables")
    with served(tmp_path), Store(tmp_path / "ludoteca" / "arena.sqlite") as store:
        assert store.count(store.standing("page").id) == 6


def test_where_there_is_nothing_nothing_is_made(tmp_path: Path) -> None:
    assert migrate(tmp_path / "tables", tmp_path / "arena.sqlite") == 0
    assert not list(tmp_path.iterdir())
