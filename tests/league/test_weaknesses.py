"""Where a version loses is counted from its own matches, in either seat, and challenges do not count."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ludoteca.agents.digests import identity_of
from ludoteca.arena.api import series
from ludoteca.league.database import Database
from ludoteca.league.weaknesses import tallies, time_use, worst
from ludoteca.play.record import Record

WON, LOST = (1.0, -1.0), (-1.0, 1.0)


def test_opponents_openings_sides_and_times(tmp_path: Path) -> None:
    (record, _) = series("hex:size=3", "random", "random", 2, seed=1, store=":memory:", workers=1).records
    with Database(tmp_path) as database:
        database.add_people([("Ana", "ana"), ("Luis", "luis")])
        mine, easy, hard = (
            database.add_version(each.id, each.ident, "random") for each in (*database.people(), database.people()[1])
        )
        for version in (mine, easy, hard):
            database.admit(version, identity_of("random", "hex"))

        def meet(first: int, second: int, opening: int, returns: tuple[float, float], asked: int | None = None) -> None:
            """A pair in which seat 0 wins or loses both matches."""
            pair = database.add_pair(first, second, opening, asked)
            timed = replace(record, returns=returns, limit="2s", seconds=(0.5,) * len(record.actions), opening=0)
            rows: list[tuple[int, Record, str]] = [(place, timed, timed.to_json()) for place in pair.places]
            database.store.add(database.run.id, rows)

        for opening in range(3):
            meet(mine.id, easy.id, opening, WON)  # one each
            meet(hard.id, mine.id, opening, WON)  # one each
        pair = database.add_pair(mine.id, hard.id, 7)
        lost = replace(record, returns=LOST)
        won = replace(record, returns=WON)
        both = [(pair.places[0], lost, lost.to_json()), (pair.places[1], won, won.to_json())]
        database.store.add(database.run.id, both)  # lost from both sides
        challenge = database.challenge(mine.person, mine.id, hard.id, 1)
        meet(mine.id, hard.id, 7, LOST, challenge.id)

        by_opponent = {each.key: (each.matches, each.points) for each in tallies(database, mine.id, "opponent")}
        assert by_opponent == {easy.id: (6, 3.0), hard.id: (8, 3.0)}
        found = worst(tallies(database, mine.id, "opponent"))
        assert found is not None and found.key == hard.id and found.latest == pair.places[1]
        assert {each.key: each.matches for each in tallies(database, mine.id, "opening")} == {0: 4, 1: 4, 2: 4, 7: 2}
        assert {each.key: each.points for each in tallies(database, mine.id, "seat")} == {0: 6.0, 1: 0.0}
        use = time_use(database, mine.id)
        assert use is not None and use.limit == 2.0 and use.longest == 0.5
        assert len(use.by_move) == (len(record.actions) + 1) // 2
        assert time_use(database, database.add_version(None, "", "random").id) is None
