"""The ratings of a league: of every version that played, from all pairs that count.

The model is that of `ludoteca.ratings`: pairs as observations, ties, and an advantage of the first seat. The mean of
the baselines is 0, so the scale stands still while students come and go. A version never inherits a match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ludoteca.league.database import Database, Person, Status, Version
from ludoteca.messages import say
from ludoteca.play.store import Outcome
from ludoteca.ratings.bradley_terry import Ratings, rate
from ludoteca.ratings.elo import show_elo
from ludoteca.ratings.pairs import Pair as Observation
from ludoteca.reports.text_table import TextTable, percent


@dataclass
class Results:
    """The pairs of a league so far, counted: by two versions, the lower number first, and the first one's scores."""

    counts: Counter[tuple[tuple[int, int], tuple[float, float]]]
    banned: set[int]

    @classmethod
    def of(cls, database: Database) -> Results:
        """All results in the file."""
        results = cls(Counter(), {each.id for each in database.versions() if each.status is Status.banned})
        outcomes = {outcome.index: outcome for outcome in database.store.outcomes(database.run.id)}
        for pair in database.pairs():
            first, second = (outcomes.get(place) for place in pair.places)
            if pair.counted and first is not None and second is not None:
                results.add(pair.first, pair.second, first, second)
        return results

    def add(self, first: int, second: int, one: Outcome, two: Outcome) -> tuple[float, float]:
        """Count a pair; returns what `first` scored in its two matches, in seat 0 and in seat 1."""
        scores = (one.score, 1 - two.score)
        if first < second:
            self.counts[(first, second), scores] += 1
        else:
            self.counts[(second, first), (1 - scores[1], 1 - scores[0])] += 1
        return scores

    def observations(self) -> Iterable[Observation[int]]:
        """The pairs as the ratings count them, without those of banned versions."""
        for (agents, scores), count in self.counts.items():
            if not self.banned.intersection(agents):
                yield Observation(agents, scores, count)


def rating_of_all(results: Results, baselines: Iterable[int]) -> Ratings[int]:
    """The ratings of all versions with a finished pair, where the mean of the baselines that played is 0."""
    observations = list(results.observations())
    played = {version for each in observations for version in each.agents}
    anchors = sorted(played.intersection(baselines))
    return rate(observations, anchors=anchors)


def leaderboard(people: Sequence[Person], versions: Mapping[int, Version], ratings: Ratings[int]) -> TextTable:
    """The versions that stand, and the baselines, by rating; those without a finished pair come last."""
    names = {person.id: person.name for person in people}
    standing = [version for version in versions.values() if version.status is Status.playing]
    rated = sorted(
        (each for each in standing if each.id in ratings.agents), key=lambda each: -ratings.agents[each.id].elo
    )
    rows = []
    for place, version in enumerate(rated, start=1):
        rating = ratings.agents[version.id]
        title, share = _title(version, names), percent(rating.score)
        rows.append([str(place), title, show_elo(rating.elo), rating.ends, str(rating.matches), share])
    rows += [["", _title(each, names), "", "", "0", ""] for each in standing if each.id not in ratings.agents]
    headings = [say("#"), say("Agent"), say("Elo"), say("95% interval"), say("Matches"), say("Score")]
    title = say("Leaderboard; 0 is the mean of the baselines")
    return TextTable(title, headings, rows, words=frozenset({"Agent"}), spare=("Matches", "Score", "#"))


def _title(version: Version, names: Mapping[int, str]) -> str:
    if version.person is None:
        return version.spec
    return say("{name}, version {number}", name=names[version.person], number=version.number)
