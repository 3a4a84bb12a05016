"""Levels for people: how an engine is made weaker so that its mistakes look like a beginner's.

At each turn a level draws a margin, from 0 to its own. Actions whose scores are within that margin of the best look
equally good to it, and among these it plays a beginner's first idea (see `naive`). So a mistake is never absurd: it
costs less than the margin, and it is what a beginner would have played.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from ludoteca.agents.engine_options import EngineOptions
from ludoteca.agents.naive import first_idea
from ludoteca.messages import joined, say
from ludoteca.protocols import Action, Decision, View

FIRST_IDEA: Final = say("at this level it follows a beginner's first idea")


class Level(NamedTuple):
    """How a level for people is weaker than the full engine; ``python -m bench.strength.levels fit`` finds both."""

    budget: int
    """How much it searches: plies in Horses, simulations in Hex, sampled worlds in Dominoes and Kittens."""
    margin: float
    """It overlooks that an action is worse by less than this, at most, in the units of the engine's scores."""

    def draw_margin(self, view: View, seed: int) -> float:
        """The margin for one decision; the same one for the same view and seed."""
        return chance_of(view, seed).uniform(0, self.margin)


def level_of(levels: Sequence[Level], options: EngineOptions) -> Level | None:
    """The level that these options ask for; None: full strength."""
    return levels[options.level - 1] if options.level else None


def chance_of(view: View, seed: int) -> random.Random:
    """A generator for one decision; the same one for the same view and seed."""
    return random.Random(b"%d " % seed + bytes(view))


def overlook(view: View, best: Decision, scores: Mapping[Action, float], margin: float, seed: int) -> Decision:
    """The decision of a level whose search found `best`: a first idea among the actions within the margin.

    scores: of the actions that may be played, in the units of the margin.
    """
    least = scores[best.action] - margin
    close = [action for action, score in scores.items() if score >= least]
    action = first_idea(view, close, chance_of(view, seed))
    if action == best.action:
        return best
    note = joined([part for part in (best.note, FIRST_IDEA) if part], "; ")
    value = best.scores.get(action, best.value)
    return replace(best, action=action, value=value, line=(action,), note=note, proven=False, reasons=())
