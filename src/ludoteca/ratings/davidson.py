"""The likelihood behind the ratings, and its maximum.

An agent i has a strength λ. When i in seat 0 meets j in seat 1, with d = λᵢ − λⱼ + δ,

    i wins : a draw : j wins  =  e^(d/2) : ν : e^(−d/2)

where δ is the advantage of the first seat and ν the tendency to draw: Bradley and Terry's model with the ties of
Davidson (1970) and the order effect of Davidson and Beaver (1977). In λ, δ and log ν the log-likelihood is concave.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludoteca.errors import InvalidOption
from ludoteca.messages import say
from ludoteca.ratings.pairs import Agent

Vector: TypeAlias = NDArray[np.float64]
Indexes: TypeAlias = NDArray[np.intp]


class Davidson:
    """The penalised likelihood of counted results, as a function of its parameters.

    The parameters are a vector: coordinates of the strengths, then δ, then log ν if there were draws; without draws ν
    is 0. With a prior the coordinates are the strengths themselves. Without one only differences within a group mean
    anything, and the last agent of each group has minus the sum of the others. `basis @ coordinates` are strengths.

    The prior is worth so many matches for each agent, half won and half lost, against one imaginary opponent per
    group; and as many between equals, half won by either seat; and as many between equals, half of them drawn.
    """

    def __init__(
        self, names: Sequence[Agent], counts: Mapping[tuple[Agent, Agent], Sequence[int]], prior: float
    ) -> None:
        number = {name: index for index, name in enumerate(names)}
        self.first = np.array([number[first] for first, _ in counts])
        self.second = np.array([number[second] for _, second in counts])
        self.wins, self.draws, self.losses = np.array(list(counts.values()), dtype=np.float64).T
        self.prior, self.agents = prior, len(names)
        self.matches = self.wins + self.draws + self.losses
        self.total = float(self.matches.sum())
        self.drawn = bool(self.draws.any())
        self.group, self.reach = self._links()
        self.basis: Vector = np.eye(self.agents) if prior else self._contrasts()
        self.strengths = self.basis.shape[1]
        """How many of the parameters are coordinates of strengths."""
        self.parameters = self.strengths + 1 + self.drawn

    def _links(self) -> tuple[Indexes, NDArray[np.bool_]]:
        """[agents] which group each is in, and [agents, agents] whether a chain of points leads from one to another.

        Agents are in a group if a chain of matches links them. A chain of points leads from i to j if i scored against
        someone who scored against … who scored against j; where none does, the results set no limit to how much
        stronger j may be than i.
        """
        linked = np.zeros((self.agents, self.agents), dtype=np.float32)
        linked[self.first, self.second] = linked[self.second, self.first] = 1
        group = np.unique(_chains(linked).argmax(axis=1), return_inverse=True)[1]
        some, others = self.wins + self.draws > 0, self.losses + self.draws > 0
        points = np.zeros((self.agents, self.agents), dtype=np.float32)
        points[self.first[some], self.second[some]] = 1
        points[self.second[others], self.first[others]] = 1
        return group, _chains(points)

    def _contrasts(self) -> Vector:
        columns = []
        for group in range(self.group.max() + 1):
            *others, last = np.flatnonzero(self.group == group).tolist()
            for agent in others:
                column = np.zeros(self.agents)
                column[agent], column[last] = 1.0, -1.0
                columns.append(column)
        return np.stack(columns, axis=1) if columns else np.zeros((self.agents, 0))

    def loss(self, at: Vector) -> tuple[float, Vector]:
        """Minus the penalised log-likelihood per match, and its gradient."""
        d, draw, log_total = self._weights(at)
        win, tie, loss = np.exp(d / 2 - log_total), np.exp(draw - log_total), np.exp(-d / 2 - log_total)
        net = (self.wins - self.losses) / 2
        value = net @ d - self.matches @ log_total
        slope = self._pull(net - self.matches * (win - loss) / 2)
        if self.drawn:
            value += self.draws.sum() * draw
            slope = np.append(slope, (self.draws - self.matches * tie).sum())
        if self.prior:
            # A match of log-odds x, half won and half lost, has the log-likelihood −log(2 cosh(x/2)).
            x = self._imagined(at)
            value -= self.prior * np.logaddexp(x / 2, -x / 2).sum()
            slope -= self.prior * np.tanh(x / 2) / 2
        return -value / self.total, -slope / self.total

    def curvature(self, at: Vector) -> Vector:
        """The second derivatives of `loss`: the observed information per match."""
        d, draw, log_total = self._weights(at)
        win, tie, loss = np.exp(d / 2 - log_total), np.exp(draw - log_total), np.exp(-d / 2 - log_total)
        spread = self.matches * (win * loss + tie * (win + loss) / 4)  # as it stands nothing cancels out
        matrix = np.zeros((self.parameters, self.parameters))
        size = self.strengths
        matrix[:size, :size] = self.to_coordinates(self.laplacian(self.first, self.second, spread))
        matrix[: size + 1, size] = matrix[size, : size + 1] = self._pull(spread)
        if self.drawn:
            matrix[:-1, -1] = matrix[-1, :-1] = self._pull(-self.matches * tie * (win - loss) / 2)
            matrix[-1, -1] = (self.matches * tie * (1 - tie)).sum()
        if self.prior:
            matrix += np.diag(self.prior / (2 * np.cosh(self._imagined(at) / 2)) ** 2)
        return matrix / self.total

    def _pull(self, weights: Vector) -> Vector:
        """How a weight on the d of each row pulls at the coordinates and at δ."""
        each = np.bincount(self.first, weights, self.agents) - np.bincount(self.second, weights, self.agents)
        return np.append(self.basis.T @ each, weights.sum())

    def laplacian(self, first: Indexes, second: Indexes, weights: Vector) -> Vector:
        """[agents, agents]: the sum over all rows of weight · (first − second)(first − second)ᵀ."""
        met = np.bincount(first * self.agents + second, weights, self.agents**2)
        met = met.reshape(self.agents, self.agents)
        met = met + met.T
        return np.diag(met.sum(axis=1)) - met

    def to_coordinates(self, matrix: Vector) -> Vector:
        """What a quadratic form of the strengths is in the coordinates: basisᵀ · matrix · basis."""
        return matrix if self.prior else self.basis.T @ matrix @ self.basis

    def of_strengths(self, covariance: Vector) -> Vector:
        """The covariance of the strengths from that of the coordinates: basis · covariance · basisᵀ."""
        return covariance if self.prior else self.basis @ covariance @ self.basis.T

    def _weights(self, at: Vector) -> tuple[Vector, float, Vector]:
        """For each row d, then log ν, then for each row the logarithm of the sum of the three weights."""
        strength, draw = self.basis @ at[: self.strengths], float(at[-1]) if self.drawn else -math.inf
        d = strength[self.first] - strength[self.second] + at[self.strengths]
        return d, draw, np.logaddexp(np.logaddexp(d / 2, -d / 2), draw)

    def _imagined(self, at: Vector) -> Vector:
        """The log-odds of the matches of the prior: the strengths, δ, and draw against decision between equals."""
        x = at.copy()
        if self.drawn:
            x[-1] -= math.log(2)
        return x


def _chains(steps: NDArray[np.float32]) -> NDArray[np.bool_]:
    """[n, n] whether some number of steps, or none, leads from one to another; each squaring doubles the number."""
    reached = np.maximum(steps, np.eye(len(steps), dtype=np.float32))
    while True:
        further = np.minimum(reached @ reached, 1)
        if np.array_equal(further, reached):
            return reached > 0
        reached = further


def fit(model: Davidson) -> Vector:
    """The parameters of maximum likelihood. Raises InvalidOption if, without a prior, there is no maximum."""
    at = np.zeros(model.parameters)
    value, slope = model.loss(at)
    for _ in range(STEPS):
        curvature = model.curvature(at)
        step = np.linalg.solve(curvature + RIDGE * np.eye(len(at)), slope)
        gain = float(slope @ step)
        if gain < 1e-24:
            break
        step *= min(1.0, LONGEST / float(np.abs(step).max()))
        following, steeper = model.loss(at - step)
        while following > value - 1e-4 * float(slope @ step) + 1e-15:  # the step was too long
            step /= 2
            following, steeper = model.loss(at - step)
        at, value, slope = at - step, following, steeper
    # If the likelihood has no maximum, it rises ever more gently, and the search stops where it is almost flat.
    if not model.prior and float(np.linalg.eigvalsh(model.curvature(at))[0]) * model.total < 1e-3:
        raise InvalidOption(
            say(
                "with prior=0 these results have no finite ratings: an agent or a group of them won or lost everything "
                "against the rest, or always had the same seat, or one seat always won, or all was drawn; use prior=1"
            )
        )
    return at


STEPS = 200
LONGEST = 4.0
"""The most that a parameter moves in one Newton step."""
RIDGE = 1e-13
"""Negligible unless the curvature is zero."""
