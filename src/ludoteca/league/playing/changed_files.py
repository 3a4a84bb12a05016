"""Versions whose files are no longer those that were checked: they cannot play, and are set aside."""

from __future__ import annotations

from ludoteca.agents.digests import check_unchanged
from ludoteca.errors import InvalidAgent
from ludoteca.league.database import Database, Status
from ludoteca.messages import say

CHANGED = say("its files are no longer those that were checked")
"""A baseline with this reason is followed by a new one, made from its files as they are now."""


def set_aside_changed(database: Database, game: str, *, baselines: bool = False) -> None:
    """Set aside every version that plays or rests and whose files have changed; only the baselines, if so asked.

    A baseline also changes when another version of Ludoteca plays the league.
    """
    for version in database.versions():
        if version.identity is None or (baselines and version.person is not None):
            continue
        if version.status in (Status.playing, Status.resting):
            try:
                check_unchanged(version.identity, game)
            except (InvalidAgent, OSError):
                database.set_aside(version, CHANGED)
                database.give_up_pairs_of(version.id)
