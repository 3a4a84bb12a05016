"""The strength of a network's policy without search: matches against agents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from ludoteca import _core, agents
from ludoteca.learn.curve import Result
from ludoteca.play.openings import needs_openings
from ludoteca.protocols import Agent, Decision, Game, Limit, State, View

if TYPE_CHECKING:
    from ludoteca.learn.zero.network import Folded


def score(game: Game, players: Folded, against: str, matches: int, nodes: int, seed: int) -> Result:
    """The network's result; for its 95% interval a pair of matches counts as one observation.

    The network plays every opening from both seats. An opening is a deal, plus two random actions if deals are alike.
    """
    chance = np.random.default_rng([seed, 7])
    rows = []
    for _ in range((matches + 1) // 2):
        start = _opening(game, int(chance.integers(2**62)), chance)
        for seat in (0, 1):
            other = agents.agent(against)(game, 1 - seat, int(chance.integers(2**62)))
            rows.append(_MatchRow(seat, start.copy(), other))
    while asked := [match for match in rows if match.state.turn is not None]:
        mine = [match for match in asked if match.state.turn == match.seat]
        for match in asked:
            if match not in mine:
                choice = match.other.act(match.state.view(1 - match.seat), Limit(nodes=nodes))
                match.state.apply(choice.action if isinstance(choice, Decision) else choice)
        if mine:
            _play_policy(players, mine)
    returns = [match.state.returns()[match.seat] for match in rows]
    return Result.of_pairs(zip(returns[::2], returns[1::2], strict=True))


@dataclass(eq=False)
class _MatchRow:
    """A match against an agent."""

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
