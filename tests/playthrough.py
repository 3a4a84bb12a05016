"""Playthroughs written down in full, so that any change of the rules or of what is shown shows up as a difference.

``python -m tests.playthrough`` writes the files in tests/golden again; look at what git says has changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import ludoteca
from ludoteca.protocols import CustomStart
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
    "horses:size=5,charge=stuck",
    "kittens",
    "kittens:deck=rich,stack=true,place=any",
    "kittens:rules=original",
]
SEED = 11
SCRIPTS = {  # what chance seldom meets: a start and the actions played from it
    "kittens:rules=original,deck=bomb3+bottom2+safe9": {
        "middle": (
            "deck: bomb safe safe safe bomb safe; 0: defuse skip; 1: defuse",
            "draw, place middle, draw, draw, draw, skip, draw, place middle, draw",
        ),
        "bottom": (
            "deck: skip safe safe safe bomb bomb; 0: defuse bottom; 1: defuse; owed: 2",
            "bottom, place middle, draw, skip, draw",
        ),
        "two-bombs": (
            "deck: bomb safe safe bomb bomb; 0: defuse defuse bottom; 1: skip; owed: 2",
            "bottom, place top, skip, draw",
        ),
    },
}


def playthrough(spec: str) -> str:
    """One random match as text: at each step both seats' boards and tensors, and what was legal."""
    game = ludoteca.game(spec)
    return script_of(game, game.deal(SEED), random_actions(game, SEED), [f"seed {SEED}"])


def scripted(spec: str, name: str) -> str:
    """One of SCRIPTS, written the same way."""
    game = ludoteca.game(spec)
    assert isinstance(game, CustomStart)
    start, actions = SCRIPTS[spec][name]
    return script_of(game, game.deal_from(start, SEED), map(game.parse_action, actions.split(", ")), [f"start {start}"])


def script_of(game: ludoteca.Game, state: ludoteca.State, actions: Iterable[int], begin: list[str]) -> str:
    lines = [f"game {game.spec}", *begin, f"actions {game.num_actions}", f"tensor {game.tensor_shape}"]
    for number, action in enumerate(actions, start=1):
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


def golden_path(spec: str, script: str = "") -> Path:
    """The file that a spec's playthrough is kept in."""
    name = spec.replace(":", "-").replace(",", "-").replace("=", "_")
    return GOLDEN / (name + (f"-{script}" if script else "") + ".txt")


if __name__ == "__main__":
    for each in SPECS:
        golden_path(each).write_text(playthrough(each), encoding="utf-8")
    for each, scripts in SCRIPTS.items():
        for script in scripts:
            golden_path(each, script).write_text(scripted(each, script), encoding="utf-8")
