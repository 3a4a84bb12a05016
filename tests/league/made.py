"""A small league for tests, with submissions of the course's tests."""

from __future__ import annotations

from pathlib import Path

from ludoteca.league.database import Database, Person, Version
from ludoteca.league.hand_in import take
from ludoteca.league.settings import LeagueSettings, read

TOML = """
title = "Spring"
game = "hex"
time = 20.0
packages = ["numpy"]
baselines = ["random"]
matches = 2
[options]
size = 3
"""
ROSTER = "name,id,email,section\nAna Pérez,ana,ana@example.org,A\nLuis Peña,luis,,\n=HYPERLINK(1),eva,,B\n"


def league(folder: Path, toml: str = TOML, roster: str = ROSTER) -> LeagueSettings:
    """Write the two files of a league; its settings."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "league.toml").write_text(toml, encoding="utf-8")
    (folder / "roster.csv").write_text(roster, encoding="utf-8")
    return read(folder / "league.toml")


def hand_in(database: Database, settings: LeagueSettings, ident: str, text: str) -> tuple[Person, Version]:
    """A version of a person of the roster, not yet checked."""
    person = next(each for each in database.people() if each.ident == ident)
    return person, take(database, settings, person, text.encode(), "solution.py")
