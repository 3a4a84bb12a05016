"""An agent can be rebuilt from the views that it has seen: it is shown them again, and its answers are thrown away."""

from __future__ import annotations

from typing import Any

import pytest

import ludoteca
from ludoteca import agents
from ludoteca.agents import plays_game
from ludoteca.protocols import Decision, Limit, View

pytestmark = pytest.mark.no_sanitize

GAMES = ("hex:size=5", "hex:size=4,swap=true", "horses:size=5", "dominoes", "dominoes:variant=block", "kittens")
QUICK = {
    "astar": "astar:depth=2",
    "beam": "beam:width=4",
    "mcts": "mcts:simulations=100",
    "minimax": "minimax:depth=2",
    "tumbafichas": "tumbafichas:depth=2",
    "zero": "zero:simulations=20",
}
CASES = [
    (game, QUICK.get(name, name), seat)
    for game in GAMES
    for name in agents.names()
    if plays_game(name, game.partition(":")[0])
    for seat in (0, 1)
]


def action_of(answer: Any) -> int:
    return answer.action if isinstance(answer, Decision) else int(answer)


@pytest.mark.parametrize(("game_spec", "agent", "seat"), CASES)
def test_a_rebuilt_agent_decides_as_the_one_that_stayed(game_spec: str, agent: str, seat: int) -> None:
    game = ludoteca.game(game_spec)
    seed = 1 + seat
    state = game.deal(seed)
    stayed = ludoteca.agent(agent)(game, seat, 7)
    other = ludoteca.agent("random")(game, 1 - seat, seed)
    seen: list[View] = []
    while state.turn is not None:
        view = state.view(state.turn)
        if state.turn != seat:
            state.apply(action_of(other.act(view, Limit())))
            continue
        rebuilt = ludoteca.agent(agent)(game, seat, 7)
        for old in seen:
            rebuilt.act(old, Limit(nodes=1))
        answer = stayed.act(view, Limit())
        assert rebuilt.act(view, Limit()) == answer
        seen.append(view)
        state.apply(action_of(answer))


def test_astar_remembers_what_was_played_and_not_what_it_said() -> None:
    """Somebody else's moves were played in its seat: then those are its last moves."""
    game = ludoteca.game("hex:size=6")
    state = game.deal(0)
    text, agent = [], ludoteca.agent("astar:depth=3")(game, 0, 0)
    for cell in (0, 35, 5, 30, 11, 24, 3, 20):
        if state.turn == 0:
            text.append(agent.act(state.view(0), Limit(nodes=1)))
        state.apply(cell)
    assert all(action_of(answer) != played for answer, played in zip(text, (0, 5, 11, 3), strict=True))
    view: Any = state.view(0)
    expected = ludoteca._core.hex_astar(view, 3, ([5, 11, 3], [30, 24, 20])).run()
    found = agent.act(view, Limit())
    assert isinstance(found, Decision)
    assert (found.action, found.nodes, len(found.scores)) == (expected.action, expected.nodes, len(expected.scores))
    without_past = ludoteca._core.hex_astar(view, 3, ([], [])).run()
    assert without_past.nodes != expected.nodes
