"""Playthroughs written down in full, so that any change of the rules or of what is shown shows up as a difference.

``python -m tests.playthrough`` writes the files in tests/golden again; look at what git says has changed.
"""

from __future__ import annotations

from pathlib import Path

import ludoteca
from ludoteca.testing import random_actions

GOLDEN = Path(__file__).parent / "golden"
SPECS = [
    "dominoes",
    "dominoes:pips=3,variant=block,start=seat,blocked=draw",
    "dominoes:pips=9,scoring=points",
    "hex:size=4,swap=true",
    "hex:size=3,layout=even-r,orientation=standard",
    "horses:size=5",
    "horses:penalty=every",
    "kittens",
    "kittens:deck=rich,stack=true,place=any",
    "kittens:rules=original",
]
SEED = 11


def playthrough(spec: str) -> str:
    """One random match as text: at each step both seats' boards and tensors, and what was legal."""
    game = ludoteca.game(spec)
    state = game.deal(SEED)
    lines = [f"game {game.spec}", f"seed {SEED}", f"actions {game.num_actions}", f"tensor {game.tensor_shape}"]
    for number, action in enumerate(random_actions(game, SEED), start=1):
        lines += ["", *position(game, state)]
        lines.append(f"#{number} seat {state.turn}: {game.action_name(action)} (action {action})")
        state.apply(action)
    return "\n".join([*lines, "", *position(game, state), f"returns {state.returns()}", ""])


def position(game: ludoteca.Game, state: ludoteca.State) -> list[str]:
    """What both seats see."""
    lines = []
    for seat in (0, 1):
        view = state.view(seat)
        lines += [f"| {line}".rstrip() for line in game.text(view).splitlines()]
        tensor = view.tensor().ravel()
        weighted = sum(index * float(value) for index, value in enumerate(tensor, start=1))
        lines.append(f"seat {seat} tensor sum {float(tensor.sum()):.3f}, by index {weighted:.2f}")
    return [*lines, f"legal {' '.join(game.action_name(action).replace(' ', '_') for action in state.legal())}"]


def golden_path(spec: str) -> Path:
    """The file that a spec's playthrough is kept in."""
    return GOLDEN / (spec.replace(":", "-").replace(",", "-").replace("=", "_") + ".txt")


if __name__ == "__main__":
    for each in SPECS:
        golden_path(each).write_text(playthrough(each), encoding="utf-8")
