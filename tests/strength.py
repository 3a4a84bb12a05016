"""How strong an agent is, from a few matches in this process."""

from __future__ import annotations

import ludoteca
from ludoteca.play.match import play_out
from ludoteca.protocols import AgentFactory, Limit

Player = str | AgentFactory


def match_score(game: str, a: Player, b: Player, pairs: int, nodes: int | None = None) -> float:
    """A's share of the points, a draw being half of one: each deal from 0 to `pairs - 1` is played from both seats."""
    rules, points = ludoteca.game(game), 0.0
    makers = [ludoteca.agent(each) if isinstance(each, str) else each for each in (a, b)]
    for deal in range(pairs):
        for seat in (0, 1):
            match = ludoteca.Match(rules, deal)
            agents = {each: makers[each != seat](rules, each, 2 * deal + each) for each in (0, 1)}
            for _ in play_out(match, agents, Limit(nodes=nodes)):
                pass
            result = match.returns()[seat]
            points += (result > 0) + (result == 0) / 2
    return points / (2 * pairs)
