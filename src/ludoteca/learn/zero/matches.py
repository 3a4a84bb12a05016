"""The strength of a network's policy without search: matches against agents."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from ludoteca import _core, agents
from ludoteca.play.openings import needs_openings
from ludoteca.protocols import Agent, Decision, Game, Limit, State, View

if TYPE_CHECKING:
    from ludoteca.learn.zero.network import Folded


@dataclass(frozen=True)
class Point:
    """A point of the learning curve."""

    matches: int
    positions: int
    minutes: float
    size: int
    against: str
    score: float
    """Share of the points, a draw being half a point; `low` to `high` is its 95% interval."""
    low: float
    high: float


def score(game: Game, players: Folded, against: str, matches: int, nodes: int, seed: int) -> tuple[float, float, float]:
    """The network's share of the points, with its 95% interval.

    The network plays every opening from both seats. An opening is a deal, plus two random actions if deals are alike.
    """
    chance = np.random.default_rng([seed, 7])
    rows = []
    for pair in range((matches + 1) // 2):
        start = _opening(game, int(chance.integers(2**62)), chance)
        for seat in (0, 1):
            other = agents.agent(against)(game, 1 - seat, int(chance.integers(2**62)))
            rows.append(_MatchRow(pair, seat, start.copy(), other))
    while asked := [match for match in rows if match.state.turn is not None]:
        mine = [match for match in asked if match.state.turn == match.seat]
        for match in asked:
            if match not in mine:
                choice = match.other.act(match.state.view(1 - match.seat), Limit(nodes=nodes))
                match.state.apply(choice.action if isinstance(choice, Decision) else choice)
        if mine:
            _play_policy(players, mine)
    points = np.zeros((matches + 1) // 2)
    for match in rows:
        points[match.pair] += (match.state.returns()[match.seat] + 1) / 4
    return _interval(points)


@dataclass(eq=False)
class _MatchRow:
    """A match against an agent."""

    pair: int
    seat: int
    state: State
    other: Agent


def _opening(game: Game, seed: int, chance: np.random.Generator) -> State:
    while True:
        state = game.deal(seed)
        for _ in range(2 if needs_openings(game) else 0):
            if state.turn is not None:
                state.apply(int(chance.choice(state.legal())))
        if state.turn is not None:
            return state
        seed += 1


NetworkView = _core.HexView | _core.HorsesView


def network_view(view: View) -> NetworkView:
    """A view that a network can evaluate."""
    assert isinstance(view, NetworkView)
    return view


def _play_policy(players: Folded, rows: list[_MatchRow]) -> None:
    views = [network_view(match.state.view(match.seat)) for match in rows]
    seen = torch.from_numpy(np.concatenate([_core.network_input(view) for view in views]))
    logits = players(seen.to(next(iter(players.weights.values())).device))[0].cpu().numpy()
    for match, view, logit in zip(rows, views, logits, strict=True):
        cells = {action: _core.policy_index(view, action) for action in view.legal()}
        match.state.apply(max(cells, key=lambda action: logit[cells[action]]))


def _interval(points: np.ndarray) -> tuple[float, float, float]:
    """The mean with Wilson's 95% interval, a pair of matches counting as one observation."""
    count, mean, z = len(points), float(points.mean()), 1.96
    centre = (mean + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(mean * (1 - mean) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return mean, centre - half, centre + half
