"""A league that is open: its settings, and its file with everybody on the roster and all baselines."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from ludoteca.agents.digests import identity_of
from ludoteca.errors import SandboxError
from ludoteca.games import game as game_of
from ludoteca.league import settings as league_settings
from ludoteca.league.database import Database, read_roster
from ludoteca.league.playing.changed_files import CHANGED, set_aside_changed
from ludoteca.league.settings import LeagueSettings
from ludoteca.players.sandbox.layers import check_layers


@dataclass(frozen=True)
class League:
    """An open league with its settings."""

    settings: LeagueSettings
    database: Database

    @classmethod
    def of(cls, folder: Path, stack: ExitStack) -> League:
        """Open the league in a folder: everybody on the roster and all baselines are in it. Raises InvalidOption."""
        settings = league_settings.read(folder / league_settings.FILE)
        roster = read_roster(folder / "roster.csv")
        database = stack.enter_context(Database(folder))
        database.add_people(roster)
        game = game_of(settings.course.conditions.game)
        if database.final() is None:
            set_aside_changed(database, game.name, baselines=True)
            known = {each.spec for each in database.versions() if each.person is None and each.reason != CHANGED}
            for spec in settings.baselines:
                if spec not in known:
                    identity = identity_of(spec, game.name)
                    database.admit(database.add_version(None, "", spec), identity)
        return cls(settings, database)


def require_sandbox() -> None:
    """Raises SandboxError where strangers' code could not be confined."""
    for layer in check_layers():
        if layer.required and not layer.works:
            raise SandboxError(
                "no sandbox can be made here ({reason}); ludoteca doctor says what is missing", reason=layer.reason
            )
