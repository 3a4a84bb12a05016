"""A plain agent in a file: ``__init__(game, seat, seed)`` and ``act(view, limit)``, for every game."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator
from typing import Any

from ludoteca.agents.files.calling import announced_time
from ludoteca.agents.files.modules import Modules
from ludoteca.protocols import Action, Agent, Decision, Game, Limit, Seat, View


def agent_in(cls: type[Any], modules: Modules, game: Game, seat: Seat, seed: int) -> Agent:
    """An agent of a file's class for one match; what it leaves out of ``(game, seat, seed)`` it does not get."""
    with modules.importable():
        agent = cls(*_wanted(cls, game, seat, seed))
    return _Thinking(agent, modules) if callable(getattr(agent, "think", None)) else _Acting(agent, modules)


def _wanted(cls: type[Any], game: Game, seat: Seat, seed: int) -> tuple[Any, ...]:
    given: dict[str, Any] = {"game": game, "seat": seat, "seed": seed}
    try:
        parameters = inspect.signature(cls).parameters.values()
    except (TypeError, ValueError):
        return tuple(given.values())
    places = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return tuple(given.values())
    if all(each.name in given for each in places):
        return tuple(given[each.name] for each in places)
    return tuple(given.values())[: len(places)]


class _Acting:
    """Asks the agent while its modules can be imported."""

    def __init__(self, agent: Any, modules: Modules) -> None:
        self._agent, self._modules = agent, modules

    def act(self, view: View, limit: Limit) -> Decision | Action:
        """What it chooses."""
        with self._modules.importable():
            choice: Decision | Action = self._agent.act(view, _announced(limit))
            return choice


class _Thinking(_Acting):
    """The same for one that can be watched."""

    def act(self, view: View, limit: Limit) -> Decision | Action:
        """What it chooses; its last thought where it can only think."""
        if callable(getattr(self._agent, "act", None)):
            return super().act(view, limit)
        *_, last = self.think(view, limit)
        return last

    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        """Each of its thoughts."""
        with self._modules.importable():
            yield from self._agent.think(view, _announced(limit))


def _announced(limit: Limit) -> Limit:
    return dataclasses.replace(limit, seconds=announced_time(limit.seconds))
