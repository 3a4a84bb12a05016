"""How far the end of a league is: frozen, entrants of the final fixed, final played."""

from __future__ import annotations

import json
import time
from typing import NamedTuple

from ludoteca.league.database.people import People
from ludoteca.league.database.versions import Status, Versions


class Final(NamedTuple):
    """How far the end of a league is."""

    frozen: float
    """When hand-ins ended, in seconds since 1970."""
    entrants: dict[int, int | None] | None
    """By person, the version that plays the final, or None; None altogether until the last check is done."""
    baselines: tuple[int, ...]
    """The baselines that play it; empty until the last check is done."""
    played: float | None
    """When the final was over; None until then."""


class FinalState(People, Versions):
    """The state of the final in a league's file."""

    def final(self) -> Final | None:
        """How far the end of the league is; None while it goes on."""
        row = self.store.base.execute("SELECT frozen, entrants, played FROM league_final").fetchone()
        if row is None:
            return None
        if row[1] is None:
            return Final(row[0], None, (), row[2])
        fixed = json.loads(row[1])
        entrants = {int(person): version for person, version in fixed["people"].items()}
        return Final(row[0], entrants, tuple(fixed["baselines"]), row[2])

    def freeze(self) -> None:
        """End the hand-ins, for good once `enter_final` was called."""
        with self.store.transaction() as base:
            base.execute("INSERT OR IGNORE INTO league_final (only, frozen) VALUES (1, ?)", (time.time(),))

    def unfreeze(self) -> None:
        """Open the hand-ins again, if it is not fixed yet who plays the final."""
        with self.store.transaction() as base:
            base.execute("DELETE FROM league_final WHERE entrants IS NULL")

    def enter_final(self) -> None:
        """Fix who plays the final: what stands for each person now, and the baselines. Only the first call decides."""
        with self.store.transaction() as base:
            people = {person.id: person.standing for person in self.people()}
            playing = [each.id for each in self.versions() if each.person is None and each.status is Status.playing]
            text = json.dumps({"people": people, "baselines": playing})
            base.execute("UPDATE league_final SET entrants = ? WHERE entrants IS NULL", (text,))

    def end_final(self) -> None:
        """Write down that the final is over."""
        with self.store.transaction() as base:
            base.execute("UPDATE league_final SET played = ? WHERE played IS NULL", (time.time(),))
