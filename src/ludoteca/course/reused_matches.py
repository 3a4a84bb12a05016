"""Matches of an earlier run by the same players under the same conditions, which need not be played again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ludoteca.agents.identity import Identity
from ludoteca.arena.plan import Fixture
from ludoteca.arena.tournament import TournamentPlan
from ludoteca.play.record import Record
from ludoteca.play.store import Run, Store

ALIKE = ("game", "limit", "memory", "margin", "openings", "trust", "same_deals")
"""The settings that two runs must share for one to reuse the other's matches."""


class ReusedMatches:
    """Pairs of matches from earlier runs, each used once; the two matches of a pair share a deal and stay together.

    Only their places are held in memory; a record is read when it is used.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pairs: dict[frozenset[Identity], list[tuple[int, int]]] = defaultdict(list)

    @classmethod
    def of(cls, store: Store, plan: TournamentPlan) -> ReusedMatches:
        """The pairs that other runs of the store offer for a plan, without those that its own run already uses."""
        found, key, agents = cls(store), plan.key(), frozenset(plan.agents)
        runs = [run for run in store.runs() if run.key.get("kind") == "tournament"]
        own = max((run.id for run in runs if run.key == key), default=None)
        taken = {beginning for run in runs if run.id == own for _, beginning in _pairs(store, run, agents)}
        for run in reversed(runs):
            if run.key != key and all(run.key.get(name) == key.get(name) for name in ALIKE):
                for place, beginning in _pairs(store, run, agents):
                    if beginning not in taken:
                        taken.add(beginning)
                        found._pairs[beginning[0]].append((run.id, place))
        return found

    def take(self, fixture: Fixture) -> Sequence[tuple[int, Record]]:
        """An earlier pair of the same players for this match and its other half, if one is left."""
        left = self._pairs.get(frozenset(fixture.agents))
        if not left or fixture.index % 2:
            return ()
        run, place = left.pop(0)
        both = [self._store.record(run, place), self._store.record(run, place + 1)]
        if both[0].agents != fixture.agents:
            both.reverse()
        return [(fixture.index + half, record) for half, record in enumerate(both)]


Beginning = tuple[frozenset[Identity], int, str]
"""Who met, and from which deal and opening."""


def _pairs(store: Store, run: Run, agents: frozenset[Identity]) -> Iterator[tuple[int, Beginning]]:
    """The place and beginning of every whole pair that some of these agents have played in a run."""
    if len(agents & frozenset(map(Identity.from_json, run.key.get("agents", ())))) < 2:
        return
    places = {outcome.index for outcome in store.outcomes(run.id)}
    for place in sorted(places):
        if place % 2 == 0 and place + 1 in places:
            record = store.record(run.id, place)
            met = frozenset(record.agents)
            if met <= agents:
                yield place, (met, record.seed, str(record.actions[: record.opening]))
