"""Runs a file and finds its player."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ludoteca.agents.files.calling import announced_time
from ludoteca.agents.files.candidate import Candidate
from ludoteca.agents.files.choosing import Choice, choose
from ludoteca.agents.files.hexplayer import HexPlayer
from ludoteca.agents.files.modules import Modules
from ludoteca.agents.files.requirements import hint_for
from ludoteca.agents.files.submission import Submission
from ludoteca.agents.tracebacks import explain, in_brief
from ludoteca.errors import InvalidAgent
from ludoteca.games.core_game import expect
from ludoteca.games.hex.game import Hex
from ludoteca.protocols import Action, Agent, Decision, Game, Limit, Seat, View


def load_player(text: str) -> SubmittedAgent:
    """Makes agents of a file's class: ``folder/solution.py:SmartPlayer``, ``solution.py`` or ``folder``.

    Without a class name it is SmartPlayer, else the only one that can play: see `choosing`. Raises InvalidAgent when
    the file is missing, fails on import or has no such class.
    """
    submission = Submission.of(text)
    modules = Modules(submission.places)
    classes = _run(submission, modules)
    chosen = choose([_candidate(name, each) for name, each in classes.items()], submission)
    player = classes[chosen.player.name]
    if chosen.player.plays_course:
        modules.adopt_board_of(player)
    return SubmittedAgent(submission, player, chosen, modules)


@dataclass(frozen=True)
class SubmittedAgent:
    """A submission's class, loaded; called with a game, a seat and a seed it makes an agent."""

    submission: Submission
    player: type[Any]
    choice: Choice
    modules: Modules

    @property
    def games(self) -> frozenset[str] | None:
        """The games that it plays; None for all."""
        if self.choice.player.plays_course:
            return frozenset({"hex"})
        games = getattr(self.player, "games", None)
        return None if games is None else frozenset(games)

    def __call__(self, game: Game, seat: Seat, seed: int) -> Agent:
        """An agent for one match. Raises InvalidAgent for a game that it does not play."""
        if self.games is not None and game.name not in self.games:
            raise InvalidAgent(
                "{agent} plays {games}, not {game}",
                agent=self.submission.path,
                games=sorted(self.games),
                game=game.name,
            )
        if self.choice.player.is_agent:
            return agent_in(self.player, self.modules, game, seat, seed)
        return HexPlayer(self.player, self.modules, expect(game, Hex), seat)


def _run(submission: Submission, modules: Modules) -> dict[str, type[Any]]:
    """Runs the file and gives its classes by name. Raises InvalidAgent for whatever goes wrong in it."""
    try:
        with modules.importable():
            module = modules.run_file()
            modules.adopt_boards(module)
    except (Exception, SystemExit) as error:
        if (hint := hint_for(error, submission.file)) is not None:
            error.add_note(hint)
        raise InvalidAgent(
            "{file} cannot be imported: {reason}", file=submission.file, reason=in_brief(explain(error))
        ) from error
    return {name: each for name, each in vars(module).items() if inspect.isclass(each) and each.__module__ in modules}


def _candidate(name: str, cls: type[Any]) -> Candidate:
    methods = frozenset(each for each in dir(cls) if callable(getattr(cls, each, None)) and not each.startswith("__"))
    asked = [each for each in ("play", "act", "think") if each in methods]
    empty = frozenset(each for each in asked if _is_left_open(getattr(cls, each)))
    ancestors = frozenset(each.__name__ for each in cls.__mro__[1:] if each is not object)
    abstract = inspect.isabstract(cls) or (bool(asked) and set(asked) <= empty)
    takes_board = all(_takes_arguments(inspect.getattr_static(cls, each)) for each in asked)
    return Candidate(name, methods - empty, ancestors, abstract, _line(cls), takes_board)


def _takes_arguments(method: Any) -> bool:
    own = isinstance(method, staticmethod)
    try:
        parameters = inspect.signature(inspect.unwrap(getattr(method, "__func__", method))).parameters.values()
    except (TypeError, ValueError):
        return True
    return any(each.kind is each.VAR_POSITIONAL for each in parameters) or len(parameters) > (not own)


def _is_left_open(method: Any) -> bool:
    """Whether a method only says that a subclass must write it: it does nothing but raise NotImplementedError."""
    code = getattr(inspect.unwrap(method), "__code__", None)
    if code is None:
        return False
    if getattr(method, "__isabstractmethod__", False):
        return True
    return "NotImplementedError" in code.co_names and len(code.co_names) == 1


def _line(cls: type[Any]) -> int:
    """Where the class stands in its file; 0 where that is unknown."""
    for each in vars(cls).values():
        code = getattr(each, "__code__", None)
        if code is not None:
            return int(code.co_firstlineno)
    return 0


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
