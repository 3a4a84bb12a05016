"""What a page of one version asks of the file does not grow with the matches of all others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import ludoteca
from ludoteca.league.database import Database
from ludoteca.league.weaknesses import tallies


def steps(database: Database, ask: Callable[[], object]) -> int:
    """How many hundreds of instructions SQLite carries out for a question."""
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return 0

    database.store.base.set_progress_handler(step, 100)
    ask()
    database.store.base.set_progress_handler(None, 0)
    return count


def test_matches_of_a_version_are_found_without_reading_all_matches(tmp_path: Path) -> None:
    record = ludoteca.series("hex:size=3", "random", "random", 2, seed=1, store=":memory:", workers=1).records[0]
    text = record.to_json()
    with Database(tmp_path) as database:
        one, two, three, four = (database.add_version(None, "", name).id for name in ("a", "b", "c", "d"))

        def play(first: int, second: int, pairs: int) -> None:
            places = [place for _ in range(pairs) for place in database.add_pair(first, second, 0).places]
            database.store.add(database.run.id, [(place, record, text) for place in places])

        play(one, two, 3)
        questions: list[Callable[[], object]] = [
            lambda: database.matches_of(one),
            lambda: database.matches_of(two, own_faults=True),
            lambda: tallies(database, one, "opponent"),
        ]
        before = [steps(database, ask) for ask in questions]
        play(three, four, 300)
        assert len(database.matches_of(one)) == len(database.matches_of(two)) == 6
        for ask, few in zip(questions, before, strict=True):
            assert steps(database, ask) <= few + 2
