"""Late positions of Dominoes whose answer is proven: the engine must find it within a few nodes.

No tile is left to draw, so both seats know all of them and a search of every line proves the one best action. In each
the heaviest tile is a mistake. `endgames.json` has the deals by their seeds and the actions that lead there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ludoteca
from ludoteca.agents.dominoes.engine import DominoesEngine
from ludoteca.protocols import Limit
from tests.agents.dominoes.test_engine import best_play

ENDGAMES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "endgames.json").read_text())
NODES = Limit(nodes=200)


def reached(endgame: dict[str, Any]) -> Any:
    state: Any = ludoteca.game(endgame["game"]).deal(endgame["seed"])
    for action in endgame["actions"]:
        state.apply(action)
    return state


@pytest.mark.parametrize("endgame", ENDGAMES, ids=lambda each: f"{each['game']} {each['seed']}")
def test_the_answer_is_the_only_best_action(endgame: dict[str, Any]) -> None:
    state = reached(endgame)
    values = {}
    for action in state.legal():
        after = state.copy()
        after.apply(action)
        values[action] = best_play(after, state.turn)
    assert values[endgame["answer"]] == pytest.approx(endgame["value"], abs=1e-6)
    assert all(value < endgame["value"] - 1e-3 for action, value in values.items() if action != endgame["answer"])


@pytest.mark.parametrize("endgame", ENDGAMES, ids=lambda each: f"{each['game']} {each['seed']}")
def test_the_engine_finds_and_proves_it(endgame: dict[str, Any]) -> None:
    view = reached(endgame).view(reached(endgame).turn)
    decision = DominoesEngine(view.game, view.seat, 1).act(view, NODES)
    assert decision.proven
    assert decision.action == endgame["answer"]
    assert decision.value == pytest.approx(endgame["value"], abs=1e-6)
