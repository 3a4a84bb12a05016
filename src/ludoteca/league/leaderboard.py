"""The ratings of a league: of every version that played, from all pairs that count.

The model is that of `ludoteca.ratings`: pairs as observations, ties, and an advantage of the first seat. The mean of
the baselines is 0, so the scale stands still while students come and go. A version never inherits a match. Pairs that
repeat an earlier one count once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

from ludoteca.agents.identity import short_spec
from ludoteca.league.database import Database, Pair, Person, Status, Version, VersionRating
from ludoteca.messages import say
from ludoteca.play.store import Outcome
from ludoteca.ratings.bradley_terry import Rating, Ratings, rate
from ludoteca.ratings.elo import show_elo
from ludoteca.ratings.pairs import Pair as Observation
from ludoteca.reports.text_table import TextTable, percent


@dataclass
class Results:
    """The pairs of a league so far, counted: by two versions, the lower number first, and the first one's scores."""

    counts: Counter[tuple[tuple[int, int], tuple[float, float]]] = field(default_factory=Counter)
    faults: Counter[int] = field(default_factory=Counter)
    """By version the matches that it lost by a fault of its own."""
    banned: set[int] = field(default_factory=set)
    _seen: set[int] = field(default_factory=set)
    """Hashes of the pairs that were counted."""

    @classmethod
    def of(cls, database: Database) -> Results:
        """All results in the file."""
        results = cls(banned={each.id for each in database.versions() if each.status is Status.banned})
        for pair, outcomes in database.pairs_with_outcomes():
            for outcome in outcomes.values():
                results.count_fault(pair, outcome)
            if len(outcomes) == 2:
                results.add(pair, outcomes)
        return results

    def count_fault(self, pair: Pair, outcome: Outcome) -> None:
        """Count the fault of a version that lost a match by it."""
        if outcome.fault is not None:
            self.faults[loser_by_fault(pair, outcome)] += 1

    def add(self, pair: Pair, outcomes: Mapping[int, Outcome]) -> float | None:
        """Count a pair. Returns the points of its first version; None if it does not count or repeats an earlier one.

        Versions that leave nothing to chance repeat their matches once they have met in every opening.
        """
        one, two = (outcomes[place] for place in pair.places)
        key = hash((*sorted((pair.first, pair.second)), *sorted((one.digest, two.digest))))
        if not pair.counted or key in self._seen:
            return None
        self._seen.add(key)
        scores = (one.score, 1 - two.score)
        if pair.first < pair.second:
            self.counts[(pair.first, pair.second), scores] += 1
        else:
            self.counts[(pair.second, pair.first), (1 - scores[1], 1 - scores[0])] += 1
        return sum(scores)

    def snapshot(self) -> Results:
        """A copy that a thread can rate while matches go on."""
        return Results(self.counts.copy(), self.faults.copy(), self.banned.copy())

    def observations(self) -> Iterable[Observation[int]]:
        """The pairs as the ratings count them, without those of banned versions."""
        for (agents, scores), count in self.counts.items():
            if not self.banned.intersection(agents):
                yield Observation(agents, scores, count)


class FullRating(NamedTuple):
    """The ratings of all versions, and how surely one version of a student is better than another."""

    ratings: dict[int, VersionRating]
    better: list[tuple[int, int, float]]
    """Two versions of one student, the lower number first, and the probability that this one is stronger."""

    @classmethod
    def of(cls, results: Results, owners: Mapping[int, int | None]) -> FullRating:
        """From all results. owners: the person of each version; None for a baseline."""
        ratings = rating_of_all(results, [version for version, owner in owners.items() if owner is None])
        by_person: dict[int, list[int]] = {}
        for version in sorted(ratings.agents):
            owner = owners.get(version)
            if owner is not None:
                by_person.setdefault(owner, []).append(version)
        return cls(
            {
                version: VersionRating(**vars(rating), faults=results.faults[version])
                for version, rating in ratings.agents.items()
            },
            [
                (one, two, ratings.difference(one, two).superiority)
                for versions in by_person.values()
                for one, two in combinations(versions, 2)
            ],
        )


def loser_by_fault(pair: Pair, outcome: Outcome) -> int:
    """The version whose fault ended a match of this pair."""
    return pair.first if outcome.fault == outcome.index % 2 else pair.second


def rating_of_all(results: Results, baselines: Iterable[int]) -> Ratings[int]:
    """The ratings of all versions with a finished pair, where the mean of the baselines that played is 0."""
    observations = list(results.observations())
    played = {version for each in observations for version in each.agents}
    anchors = sorted(played.intersection(baselines))
    return rate(observations, anchors=anchors)


class LeaderboardRow(NamedTuple):
    """A version that stands, or a baseline."""

    place: int | None
    """None without a finished pair."""
    version: Version
    name: str
    """The student and the number of the version, or the baseline."""
    rating: Rating | None

    def fields(self) -> dict[str, Any]:
        """As plain values by name."""
        rating = self.rating
        known = ("elo", "low", "high", "score")
        return {
            "place": self.place,
            "agent": str(self.name),
            "baseline": self.version.person is None,
            "version": self.version.number,
            "matches": 0 if rating is None else rating.matches,
            **{name: None if rating is None else getattr(rating, name) for name in known},
        }


def leaderboard_rows(
    people: Sequence[Person], versions: Mapping[int, Version], ratings: Mapping[int, Rating]
) -> list[LeaderboardRow]:
    """The versions that stand, and the baselines, by rating; those without a finished pair come last."""
    names = {person.id: person.name for person in people}
    standing = [version for version in versions.values() if version.status in (Status.playing, Status.faulty)]
    rated = sorted((each for each in standing if each.id in ratings), key=lambda each: -ratings[each.id].elo)
    rows = [
        LeaderboardRow(place, version, _title(version, names), ratings[version.id])
        for place, version in enumerate(rated, start=1)
    ]
    return rows + [LeaderboardRow(None, each, _title(each, names), None) for each in standing if each.id not in ratings]


def leaderboard(rows: Sequence[LeaderboardRow]) -> TextTable:
    """The leaderboard as a table for the terminal."""
    cells = [
        ["", each.name, "", "", "0", ""]
        if each.rating is None
        else [
            str(each.place), each.name, show_elo(each.rating.elo), each.rating.ends, str(each.rating.matches),
            percent(each.rating.score),
        ]
        for each in rows
    ]  # fmt: skip
    headings = [say("#"), say("Agent"), say("Elo"), say("95% interval"), say("Matches"), say("Score")]
    title = say("Leaderboard; 0 is the mean of the baselines")
    return TextTable(title, headings, cells, words=frozenset({"Agent"}))


def _title(version: Version, names: Mapping[int, str]) -> str:
    if version.person is None:
        return short_spec(version.spec)
    return say("{name}, version {number}", name=names[version.person], number=version.number)
