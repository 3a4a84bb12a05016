"""Adds baselines to a running league: an installed agent by its name, or a file that the teacher hands in."""

from __future__ import annotations

from ludoteca import agents
from ludoteca.agents import registry
from ludoteca.agents.digests import identity_of
from ludoteca.errors import InvalidAgent
from ludoteca.games import game as game_of
from ludoteca.league import archive
from ludoteca.league.database import Database, Status, Version
from ludoteca.league.settings import LeagueSettings

COPY = "baseline"
"""What the copy of a baseline's files is called, where a student's has an id."""


def add_agent(database: Database, settings: LeagueSettings, text: str) -> Version:
    """Let an installed agent of ours play, as in ``astar`` or ``engine:level=3``. Raises InvalidAgent, InvalidOption.

    A teacher's session must not open the machine, so a baseline may not name a file or start a program.
    """
    if len(text) > 200 or registry.is_file(text) or "/" in text or registry.name_of(text) not in registry.installed():
        raise InvalidAgent("{agent} is no installed agent; hand in a file instead", agent=text[:200])
    spec, game = agents.canonical(text), game_of(settings.course.conditions.game)
    if not registry.is_ours(spec) or agents.starts_program(spec) or not agents.plays_game(spec, game.name):
        raise InvalidAgent("{agent} does not play {game}", agent=spec, game=game.name)
    agents.agent(spec)(game, 0, 0)  # so that a wrong option shows now
    identity = identity_of(spec, game.name)
    known = next((each for each in database.versions() if each.person is None and each.identity == identity), None)
    if known is None:
        version = database.add_version(None, "", spec)
        database.admit(version, identity)
        return database.version(version.id)
    if known.status is Status.playing:
        raise InvalidAgent("{agent} is a baseline already", agent=spec)
    database.reinstate(known)
    return database.version(known.id)


def add_file(database: Database, settings: LeagueSettings, data: bytes, name: str) -> Version:
    """Take a file or a zip as a baseline; it plays once its check has passed, always in the sandbox.

    Raises InvalidAgent with the reason why not.
    """
    upload = archive.read(data, name, COPY, database.folder, settings.quota)
    if upload.problem or not upload.spec:
        raise InvalidAgent(upload.problem)
    spec = upload.spec
    known = next((each for each in database.versions() if each.person is None and each.spec == spec), None)
    if known is not None and known.status is not Status.refused:
        database.reinstate(known)
        return database.version(known.id)
    return database.add_version(None, upload.digest, spec)
