"""The league in its file: people, versions, pairs of matches, challenges and ratings."""

from __future__ import annotations

from ludoteca.league.database.challenges import Challenge, Challenges
from ludoteca.league.database.final_state import Final, FinalState
from ludoteca.league.database.league_file import FILE
from ludoteca.league.database.pairs import Pair, Pairs, PlayedMatch
from ludoteca.league.database.people import Person, read_roster
from ludoteca.league.database.ratings import PlayingStatus, StoredRatings, VersionRating
from ludoteca.league.database.sessions import TEACHER, Sessions, Teacher, Viewer
from ludoteca.league.database.versions import Status, Version

__all__ = [
    "FILE", "TEACHER", "Challenge", "Database", "Final", "Pair", "Person", "PlayedMatch", "PlayingStatus", "Status",
    "Teacher", "Version", "VersionRating", "Viewer", "read_roster",
]  # fmt: skip


class Database(FinalState, Sessions, Challenges, Pairs, StoredRatings):
    """An open league. Any number of processes may read and write it; one plays."""
