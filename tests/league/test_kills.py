"""A slice of `make kills`: a league that is killed while it plays and while versions are handed in loses nothing."""

from __future__ import annotations

from pathlib import Path

from tools.kills.league import campaign


def test_a_killed_league_loses_nothing_and_its_ratings_are_those_from_scratch(tmp_path: Path) -> None:
    assert campaign(tmp_path / "league", kills=2, seed=3, hand_ins=2)["playing"] == 2
