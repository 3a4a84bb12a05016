"""Ratings: the strengths of agents with 95% intervals, from matches between any of them.

The model is that of `davidson`: Bradley and Terry's, with ties and an advantage of the first seat. Strengths are in
Elo points, 400/ln 10 for one unit of log-odds. docs/ratings.md explains the numbers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludoteca.errors import InvalidOption
from ludoteca.messages import say
from ludoteca.ratings.chart import ChartRow, interval_chart
from ludoteca.ratings.clusters import pair_covariance
from ludoteca.ratings.davidson import Davidson, Vector, fit
from ludoteca.ratings.elo import ELO, NORMAL_95, Estimate, Interval
from ludoteca.ratings.pairs import Agent, Pair
from ludoteca.spec import with_suggestion

Counts: TypeAlias = Mapping[tuple[Agent, Agent], Sequence[int]]
"""By the agents in seats 0 and 1: how often the first won, drew and lost."""


@dataclass(frozen=True)
class Rating(Interval):
    """The strength of one agent, above the mean of the anchors or of its group."""

    matches: int
    """Matches played."""
    score: float
    """Its share of the points, from 0 to 1."""
    group: int
    """Agents of different groups are not linked by any chain of matches and cannot be compared."""


@dataclass(frozen=True)
class Ratings(Generic[Agent]):
    """The ratings of all agents that played: the largest group first, in each group the strongest first."""

    agents: dict[Agent, Rating]
    first_seat: Interval
    """The advantage of sitting in seat 0."""
    draw: float
    """The parameter ν; 0 without draws."""
    anchors: tuple[Agent, ...] = ()
    """The agents whose mean rating is 0; without any, the mean of each group is 0."""
    _order: tuple[Agent, ...] = field(default=(), repr=False)
    _covariance: Vector = field(default_factory=lambda: np.zeros((0, 0)), repr=False, compare=False)
    _reach: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((0, 0), np.bool_), repr=False, compare=False)

    @property
    def draw_rate(self) -> float:
        """How often equally strong agents draw if neither seat has an advantage: ν / (2 + ν)."""
        return self.draw / (2 + self.draw)

    @property
    def groups(self) -> list[list[Agent]]:
        """The agents that can be compared with each other, group by group."""
        found: dict[int, list[Agent]] = {}
        for name, rating in self.agents.items():
            found.setdefault(rating.group, []).append(name)
        return list(found.values())

    def difference(self, first: Agent, second: Agent) -> Estimate:
        """How much stronger `first` is than `second`; between groups the interval is infinite.

        It is narrower than the two intervals suggest, because shared errors cancel out. Raises InvalidOption.
        """
        one, two = self._find(first), self._find(second)
        if first == second:
            return Estimate(0.0, 0.0, 0.0, 0.5)
        if one.group != two.group:
            return Estimate(0.0, -math.inf, math.inf, 0.5)
        i, j = self._order.index(first), self._order.index(second)
        error = ELO * math.sqrt(self._covariance[i, i] + self._covariance[j, j] - 2 * self._covariance[i, j])
        gap, margin = one.elo - two.elo, NORMAL_95 * error
        low = gap - margin if self._reach[i, j] else -math.inf
        high = gap + margin if self._reach[j, i] else math.inf
        return Estimate(gap, low, high, 0.5 * math.erfc(-gap / error / math.sqrt(2)))

    def expected(self, first: Agent, second: Agent) -> float:
        """The expected share of the points of `first`, in seat 0, against `second`. Raises InvalidOption."""
        d = (self._find(first).elo - self._find(second).elo + self.first_seat.elo) / ELO
        win, loss = math.exp(d / 2), math.exp(-d / 2)
        return (win + self.draw / 2) / (win + self.draw + loss)

    def table(self) -> list[dict[str, Any]]:
        """One row per agent with plain values, for pandas or Polars."""
        return [
            {"rank": rank, "agent": str(name), "elo": each.elo, "low": each.low, "high": each.high,
             "matches": each.matches, "score": each.score, "group": each.group}
            for rank, (name, each) in enumerate(self.agents.items(), start=1)
        ]  # fmt: skip

    def __repr__(self) -> str:
        return f"<Ratings: {', '.join(f'{name} {each}' for name, each in self.agents.items())}>"

    def _repr_svg_(self) -> str:
        """For a notebook."""
        return interval_chart([ChartRow(str(name), each) for name, each in self.agents.items()]).svg()

    def _find(self, name: Agent) -> Rating:
        if name not in self.agents:
            names = [*map(str, self.agents)]
            wrong = say("{name!r} is not rated; the rated agents are {names}", name=str(name), names=names or "–")
            raise InvalidOption(with_suggestion(wrong, str(name), names))
        return self.agents[name]


def count_seats(pairs: Iterable[Pair[Agent]]) -> dict[tuple[Agent, Agent], tuple[int, int, int]]:
    """For the agents in seat 0 and seat 1, how often the first of them won, drew and lost.

    >>> count_seats([Pair(("ada", "bob"), (1.0, 0.5), 3)])
    {('ada', 'bob'): (3, 0, 0), ('bob', 'ada'): (0, 3, 0)}
    """
    results: Counter[tuple[tuple[Agent, Agent], float]] = Counter()
    for pair in pairs:
        results[pair.agents, pair.scores[0]] += pair.count
        if pair.scores[1] is not None:
            results[(pair.agents[1], pair.agents[0]), 1 - pair.scores[1]] += pair.count
    return {
        agents: (results[agents, 1.0], results[agents, 0.5], results[agents, 0.0])
        for agents in dict.fromkeys(agents for agents, _ in results)
    }


def rate(pairs: Iterable[Pair[Agent]], *, anchors: Collection[Agent] = (), prior: float = 1.0) -> Ratings[Agent]:
    """The ratings that follow from pairs of matches, each pair being one observation. Raises InvalidOption.

    anchors: the agents whose mean is rated 0. By default 0 is the mean of each group, that is, of those of its agents
    whose distances the results can tell at all: an agent that lost everything does not push up the others.

    prior: how many matches each agent is taken to have played on top, half won and half lost, against an imaginary
    opponent. It gives a number to agents that won or lost everything, whose interval is then infinite to that side, and
    weighs little against a few dozen real matches. With 0 the ratings are the plain maximum of the likelihood, and
    where that is at infinity, InvalidOption is raised.

    >>> agents = ("ada", "bob")
    >>> by_the_deal = [Pair(agents, (1.0, 0.0), 20), Pair(agents, (0.0, 1.0), 10)]  # the deal decided
    >>> by_ada = [Pair(agents, (1.0, 1.0), 10)]
    >>> print(rate([*by_the_deal, *by_ada], anchors=["bob"]).agents["ada"])
    +95 [+37, +152]
    """
    listed = list(pairs)
    for pair in listed:
        if not {*pair.scores} <= {0.0, 0.5, 1.0, None} or pair.scores[0] is None:
            raise InvalidOption(
                "({scores}) for {agents} must be what the first scored: 1, 0.5 or 0 each",
                scores=pair.scores,
                agents=[*map(str, pair.agents)],
            )
        if pair.count != int(pair.count) or pair.count < 0:
            raise InvalidOption(
                "{number} for {agents} is not a count; counts are whole numbers from 0",
                number=pair.count,
                agents=[*map(str, pair.agents)],
            )
    listed = [pair for pair in listed if pair.count]
    return _rate(count_seats(listed), listed, anchors, prior)


def rate_counts(counts: Counts[Agent], *, anchors: Collection[Agent] = (), prior: float = 1.0) -> Ratings[Agent]:
    """The ratings that follow from counted results of matches that are independent; else as `rate`.

    >>> ratings = rate_counts({("ada", "bob"): (14, 2, 4), ("bob", "ada"): (9, 3, 8)})
    >>> [(name, round(rating.elo), round(rating.margin)) for name, rating in ratings.agents.items()]
    [('ada', 50, 63), ('bob', -50, 63)]
    """
    for pair, results in counts.items():
        if len(results) != 3 or any(each < 0 or each != int(each) for each in results):
            raise InvalidOption(
                "({results}) for {agents} must be three counts: won, drawn and lost by {first!r}",
                results=tuple(results),
                agents=[*map(str, pair)],
                first=str(pair[0]),
            )
    return _rate({pair: results for pair, results in counts.items() if sum(results)}, [], anchors, prior)


def _rate(counts: Counts[Agent], pairs: list[Pair[Agent]], anchors: Collection[Agent], prior: float) -> Ratings[Agent]:
    """pairs: those of the counted results that are not independent."""
    if not (math.isfinite(prior) and prior >= 0):
        raise InvalidOption("prior={prior:g} must be a number of matches, zero or more, such as 1", prior=prior)
    names = sorted({name for pair in counts for name in pair})
    if absent := [anchor for anchor in anchors if anchor not in names]:
        shown = [*map(str, names)]
        wrong = say(
            "the anchor {name!r} played no match; those who did are {names}", name=str(absent[0]), names=shown or "–"
        )
        raise InvalidOption(with_suggestion(wrong, str(absent[0]), shown))
    if not counts:
        return Ratings({}, Interval(0.0, -math.inf, math.inf), 0.0)
    model = Davidson(names, counts, prior)
    at = fit(model)
    return _present(model, names, counts, tuple(anchors), at, pair_covariance(model, at, names, pairs))


def _present(
    model: Davidson,
    names: list[Agent],
    counts: Counts[Agent],
    anchors: tuple[Agent, ...],
    at: Vector,
    covariance: Vector,
) -> Ratings[Agent]:
    """The fit in Elo points, measured from the mean of the anchors or of each group, as a person reads it."""
    size = model.strengths
    played, points = _totals(counts)
    measure = np.eye(len(names))  # row by row, each rating as a combination of strengths
    low_open, high_open = np.zeros(len(names), np.bool_), np.zeros(len(names), np.bool_)
    for group in range(model.group.max() + 1):
        members = np.flatnonzero(model.group == group)
        zero = _zero(model, members, names, anchors, played)
        measure[np.ix_(members, zero)] -= 1 / len(zero)
        low_open[members] = ~model.reach[np.ix_(members, zero)].all(axis=1)
        high_open[members] = ~model.reach[np.ix_(zero, members)].all(axis=0)
        if len(members) == 1 and names[members[0]] not in anchors:  # it only ever met itself
            low_open[members] = high_open[members] = True
    measure = measure @ model.basis
    elos = ELO * (measure @ at[:size])
    spread = measure @ covariance[:size, :size] @ measure.T
    margins = NORMAL_95 * ELO * np.sqrt(np.maximum(0.0, np.diag(spread)))
    lows, highs = np.where(low_open, -np.inf, elos - margins), np.where(high_open, np.inf, elos + margins)
    sizes = np.bincount(model.group)
    order = sorted(range(len(names)), key=lambda i: (-sizes[model.group[i]], model.group[i], -elos[i], names[i]))
    labels = {group: label for label, group in enumerate(dict.fromkeys(model.group[i] for i in order))}
    agents = {
        names[i]: Rating(
            float(elos[i]), float(lows[i]), float(highs[i]),
            played[names[i]], points[names[i]] / played[names[i]], labels[model.group[i]],
        )
        for i in order
    }  # fmt: skip
    draw = math.exp(at[-1]) if model.drawn else 0.0
    return Ratings(
        agents,
        _first_seat(model, float(at[size]), float(covariance[size, size])),
        draw,
        anchors,
        tuple(names),
        spread,
        model.reach,
    )


def _zero(
    model: Davidson, members: NDArray[np.intp], names: list[Agent], anchors: tuple[Agent, ...], played: Counter[Agent]
) -> NDArray[np.intp]:
    """Whose mean is the zero of this group.

    The anchors that are in the group. Else the largest set of agents between which points went both ways: their
    distances are finite for any prior, and the others, which may be anywhere, do not move them. Else all.
    """
    if chosen := [names.index(anchor) for anchor in anchors if names.index(anchor) in members]:
        return np.array(chosen)
    mutual = model.reach & model.reach.T
    sets = {tuple(np.flatnonzero(mutual[member])) for member in members}
    largest = max(sorted(sets), key=lambda each: (len(each), sum(played[names[i]] for i in each)))
    return np.array(largest) if len(largest) > 1 else members


def _first_seat(model: Davidson, advantage: float, variance: float) -> Interval:
    """The advantage in Elo points; without a limit upwards if seat 1 never scored, downwards if seat 0 never did."""
    elo, margin = ELO * advantage, NORMAL_95 * ELO * math.sqrt(variance)
    low = elo - margin if (model.wins + model.draws).any() else -math.inf
    high = elo + margin if (model.losses + model.draws).any() else math.inf
    return Interval(elo, low, high)


def _totals(counts: Counts[Agent]) -> tuple[Counter[Agent], dict[Agent, float]]:
    """For each agent the matches it played and the points it made."""
    played: Counter[Agent] = Counter()
    points: dict[Agent, float] = {}
    for (first, second), (won, drawn, lost) in counts.items():
        for name, share in ((first, won + drawn / 2), (second, lost + drawn / 2)):
            played[name] += won + drawn + lost
            points[name] = points.get(name, 0.0) + share
    return played, points
