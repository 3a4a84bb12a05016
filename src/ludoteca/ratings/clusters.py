"""The covariance of the ratings when matches come in pairs, and each pair is one observation.

The likelihood treats matches as independent, but the two matches of a pair are not: if the deal decides, an agent loses
in one seat what it wins in the other; if a position suits an agent, it helps twice. The maximum of the likelihood is
still a good estimate, but the inverse of its curvature H is not the covariance. That is H⁻¹·M·H⁻¹, where M is the
covariance of the slopes that pairs contribute (Liang and Zeger 1986).

For a pair of agents i and j let u₁ and u₂ be the scores of i in seat 0 and seat 1 minus their expected values, and t₁
and t₂ the same for draws. The slope of the pair is u₁ + u₂ for λᵢ − λⱼ, u₁ − u₂ for δ and t₁ + t₂ for log ν. So a
pairing adds to M the covariance of these three numbers, times its number of pairs. Few pairs, or pairs that hardly
differ from what is expected, do not determine that covariance. So it is a weighted mean of two: the pairs' own, divided
by 1 − leverage (Bell and McCaffrey 2002), and the model's for two matches whose scores correlate as in all other
pairings. The more precisely the first is known, the more it weighs. A match without its partner counts as the model
expects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ludoteca.ratings.davidson import Davidson, Indexes, Vector
from ludoteca.ratings.pairs import Agent, Pair

WEIGHT = 3.0
"""The weight of the model, in pairs, beside a pairing's own pairs, for results that vary like a coin."""
SHRINK = 2.0
"""How many uncorrelated pairs are added when the common correlation is estimated."""
MOST_LEVERAGE = 0.8
MOST_CORRELATION = 0.95


@dataclass(frozen=True)
class _Match:
    """What the model expects of a match, for each pairing; scores are those of seat 0."""

    mean: Vector
    draw: Vector
    variance: Vector
    fourth: Vector
    """The fourth moment of the score about its mean."""

    @classmethod
    def at(cls, d: Vector, log_draw: float) -> _Match:
        total = np.logaddexp(np.logaddexp(d / 2, -d / 2), log_draw)
        win, draw, loss = np.exp(d / 2 - total), np.exp(log_draw - total), np.exp(-d / 2 - total)
        mean = win + draw / 2

        def moment(power: int) -> Vector:
            found: Vector = win * (1 - mean) ** power + draw * (0.5 - mean) ** power + loss * mean**power
            return found

        return cls(mean, draw, np.maximum(moment(2), 1e-60), moment(4))

    @property
    def mixed(self) -> Vector:
        """The covariance of the score and of whether it is a draw."""
        return self.draw * (0.5 - self.mean)


def pair_covariance(model: Davidson, at: Vector, names: Sequence[Agent], pairs: Sequence[Pair[Agent]]) -> Vector:
    """The covariance of the parameters `at` that maximise the likelihood of these pairs."""
    curvature = model.curvature(at) * model.total
    inverse = np.asarray(np.linalg.inv(curvature), dtype=np.float64)
    whole = [_ordered(pair) for pair in pairs if pair.scores[1] is not None]
    if not whole:
        return inverse
    pairings = {agents: index for index, agents in enumerate(dict.fromkeys(pair.agents for pair in whole))}
    number_of = {name: index for index, name in enumerate(names)}
    first, second = np.array([[number_of[one], number_of[other]] for one, other in pairings]).T
    advantage, log_draw = at[model.strengths], float(at[-1]) if model.drawn else -np.inf
    strengths = model.basis @ at[: model.strengths]
    strength = strengths[first] - strengths[second]
    one, two = _Match.at(strength + advantage, log_draw), _Match.at(advantage - strength, log_draw)
    seen = _Seen.of(whole, [pairings[pair.agents] for pair in whole], one, two)

    variance = one.variance + two.variance
    spread = model.of_strengths(inverse[: model.strengths, : model.strengths])
    own = np.diag(spread)
    leverage = np.minimum(variance * (own[first] + own[second] - 2 * spread[first, second]), MOST_LEVERAGE)
    correlation = _correlation_elsewhere(seen, np.sqrt(one.variance * two.variance))
    # The variance of an estimated variance is that of the fourth moment: (kurtosis − 1) / observations.
    kurtosis = (one.fourth + 6 * one.variance * two.variance + two.fourth) / variance**2
    worth = seen.number * (1 - leverage)
    trust = (worth / (worth + WEIGHT * np.maximum(kurtosis - 1, 0.5)))[:, None, None]
    number = seen.number[:, None, None]
    pairs_show = seen.products / (1 - leverage)[:, None, None]
    model_says = number * _expected(one, two, correlation)
    in_curvature = number * _expected(one, two, np.zeros(len(pairings)))
    change = trust * pairs_show + (1 - trust) * model_says - in_curvature
    found: Vector = inverse @ (curvature + _summed(model, first, second, change)) @ inverse
    return found


def _summed(model: Davidson, first: Indexes, second: Indexes, change: Vector) -> Vector:
    """[parameters, parameters]: the sum of what each pairing changes, [pairings, 3, 3], from its agents' numbers.

    A pair's three numbers pull at λᵢ − λⱼ, at δ and at log ν, so nearly all entries of a pairing are zero. Only the
    others are added: a league has tens of thousands of pairings between a thousand versions.
    """
    agents, size = model.agents, model.strengths
    total = np.zeros((model.parameters, model.parameters))
    total[:size, :size] = model.to_coordinates(model.laplacian(first, second, change[:, 0, 0]))
    rest = 1 + model.drawn
    for number in range(rest):
        weights = change[:, 0, 1 + number]
        pull = np.bincount(first, weights, agents) - np.bincount(second, weights, agents)
        total[:size, size + number] = total[size + number, :size] = model.basis.T @ pull
    total[size:, size:] = change[:, 1 : 1 + rest, 1 : 1 + rest].sum(axis=0)
    return total


class _Seen(NamedTuple):
    """Sums over the pairs of each pairing."""

    number: Vector
    """How many pairs."""
    products: Vector
    """[pairings, 3, 3]: the products of a pair's three numbers."""
    shared: Vector
    """u₁·u₂."""

    @classmethod
    def of(cls, pairs: Sequence[Pair[Agent]], which: Sequence[int], one: _Match, two: _Match) -> _Seen:
        count, index = len(one.mean), np.array(which)
        counts = np.array([float(pair.count) for pair in pairs])
        scores = np.array([pair.scores for pair in pairs], dtype=np.float64)
        u1, u2 = scores[:, 0] - one.mean[index], scores[:, 1] - (1 - two.mean[index])
        drawn = (scores == 0.5).sum(axis=1) - one.draw[index] - two.draw[index]
        numbers = np.stack([u1 + u2, u1 - u2, drawn], axis=1)
        products = np.zeros((count, 3, 3))
        np.add.at(products, index, counts[:, None, None] * numbers[:, :, None] * numbers[:, None, :])
        shared = np.bincount(index, counts * u1 * u2, count).astype(np.float64)
        return cls(np.bincount(index, counts, count).astype(np.float64), products, shared)


def _ordered(pair: Pair[Agent]) -> Pair[Agent]:
    """The same pair with the agents in alphabetical order."""
    if not pair.agents[1] < pair.agents[0]:
        return pair
    assert pair.scores[1] is not None
    return Pair((pair.agents[1], pair.agents[0]), (1 - pair.scores[1], 1 - pair.scores[0]), pair.count)


def _correlation_elsewhere(seen: _Seen, variance: Vector) -> Vector:
    """For each pairing, the correlation of the two scores of a pair in all other pairings."""
    spread = seen.number * variance
    usual = spread.sum() / seen.number.sum()
    rest: Vector = (seen.shared.sum() - seen.shared) / (spread.sum() - spread + SHRINK * usual)
    return np.clip(rest, -MOST_CORRELATION, MOST_CORRELATION)


def _expected(one: _Match, two: _Match, correlation: Vector) -> Vector:
    """[pairings, 3, 3]: the covariance of a pair's three numbers by the model.

    The part of a draw that the score does not explain is taken as independent between the two matches.
    """
    shared = correlation * np.sqrt(one.variance * two.variance)
    total, gap = one.variance + two.variance, one.variance - two.variance
    # In the second match the agent sits in seat 1: its score is 1 − that of seat 0, and so its covariance with draws.
    slope_one, slope_two = one.mixed / one.variance, -two.mixed / two.variance
    both = one.mixed - two.mixed + shared * (slope_one + slope_two)
    apart = one.mixed + two.mixed + shared * (slope_two - slope_one)
    drawn = one.draw * (1 - one.draw) + two.draw * (1 - two.draw) + 2 * shared * slope_one * slope_two
    rows = [[total + 2 * shared, gap, both], [gap, total - 2 * shared, apart], [both, apart, drawn]]
    return np.moveaxis(np.array(rows), -1, 0)
