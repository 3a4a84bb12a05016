"""Why an action is good, in words: each game has facts that its rules can verify."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from itertools import chain, islice
from typing import Final, Protocol

from ludoteca.messages import Message, say
from ludoteca.protocols import Action, Decision, Reason, View

FACTS: Final = {game: f"ludoteca.agents.{game}.facts" for game in ("dominoes", "hex", "horses", "kittens")}
"""By game the module that finds them, imported when needed."""
MOST: Final = 3
"""Reasons of a decision."""


class Facts(Protocol):
    """What the module of a game has."""

    def facts(self, view: View, decision: Decision) -> Iterator[Reason]:
        """What is true of the chosen action in this position, the most important first."""

    def skill_missed(self, view: View, action: Action, best: Decision) -> str | None:
        """What to practise, to find the best action instead of this one; None if the facts do not say."""


def with_reasons(view: View, decision: Decision) -> Decision:
    """The decision with facts of its game after the reasons that it has, three in all."""
    name = FACTS.get(view.game.name)
    if name is None:
        return decision
    module: Facts = import_module(name)
    return replace(decision, reasons=tuple(islice(chain(decision.reasons, module.facts(view, decision)), MOST)))


def skill_missed(view: View, action: Action, best: Decision) -> str | None:
    """What a player who chose `action` could practise to find `best`, by the facts of both; None if none tells."""
    name = FACTS.get(view.game.name)
    if name is None:
        return None
    module: Facts = import_module(name)
    return module.skill_missed(view, action, best)


def proof_of(value: float) -> Reason:
    """The reason of a search that has proved its result: 1 a win, 0 a draw, -1 a loss."""
    if value == 0:
        return Reason(say("it has proved a draw"))
    return Reason(say("it has proved that it wins") if value > 0 else say("it has proved that it loses"))


def is_proof(reason: Reason) -> bool:
    """Whether a reason says only what is proven, and not why."""
    return isinstance(reason.text, Message) and reason.text.template.startswith("it has proved")


def only_action(action: Action) -> Decision:
    """The decision of an agent that has no choice."""
    return Decision(action, reasons=(Reason(say("it is the only legal action")),))


def rounded_chance(chance: float) -> float:
    """A chance in whole per cent; what is not certain is at least 1% and at most 99%."""
    return chance if chance in (0, 1) else min(max(round(chance, 2), 0.01), 0.99)
