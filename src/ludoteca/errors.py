"""All errors that Ludoteca raises on purpose, in one tree.

::

    LudotecaError
    ├── InvalidGame      (ValueError)   a game string with an unknown name or a wrong form
    ├── InvalidAgent     (ValueError)   an agent string with an unknown name or a wrong form
    │   └── BrokenAgent                 an agent whose code cannot be imported or built
    ├── InvalidOption    (ValueError)   an unknown option of a game or agent, or a wrong value
    ├── InvalidAction    (ValueError)   a text that names no action of the game
    ├── IllegalAction    (ValueError)   an action of the game that the rules forbid now
    │   └── IllegalAnswer               what a student's player or a program answered cannot be played
    ├── ImpossibleEvent  (ValueError)   something that cannot have happened in a match that is followed
    ├── LateAnswer       (TimeoutError) a program did not answer in time
    ├── InvalidPosition  (ValueError)   a starting position that cannot be set up
    ├── InvalidStore     (ValueError)   a file or a run that the arena's store cannot read
    ├── InvalidFile      (ValueError)   a file of matches or of a training that cannot be read, with the reason
    ├── MissingExtra     (ImportError)  a package that is not installed, and the extra that brings it
    └── WorkerError      (RuntimeError) the arena itself failed, not an agent
        ├── SandboxError                no sandbox can be made here
        └── ForkServerKilled            the process that forks the agents' processes has died

The page adds errors of its own, which never leave it: see `ludoteca.web.errors`.

Each message names the offending value and what would have been right. An error takes a Message, or a template with its
fields: ``InvalidOption("{name} is not known", name=name)``. So it can be translated where it is shown; `str(error)` is
English.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ludoteca.messages import Message, joined, say

if TYPE_CHECKING:
    from ludoteca.protocols import Action, State

_SHOWN = 12  # legal actions that a message lists before it says how many more there are


class LudotecaError(Exception):
    """The root of the tree.

    >>> import ludoteca
    >>> try:
    ...     ludoteca.game("hex:size=99")
    ... except ludoteca.LudotecaError as error:
    ...     print(error.message)
    hex: size=99 must be a whole number from 1 to 19
    """

    def __init__(self, message: str = "", /, **fields: object) -> None:
        """message: a Message, or a template for `say` with its fields."""
        super().__init__(Message.of(message, fields) if fields else message)

    @property
    def message(self) -> str:
        """The Message with which the error was raised, to be translated; or a plain text."""
        first = self.args[0] if self.args else ""
        return first if isinstance(first, str) else str(self)


class InvalidGame(LudotecaError, ValueError):
    """A game string such as ``chess`` or ``hex:size`` with an unknown name or a wrong form.

    >>> import ludoteca
    >>> ludoteca.game("chess")
    Traceback (most recent call last):
    ludoteca.errors.InvalidGame: no game is called 'chess'; the games are dominoes, hex, horses, kittens
    """


class InvalidAgent(LudotecaError, ValueError):
    """An agent string with an unknown name or a wrong form, or an agent that does not play the game.

    >>> import ludoteca
    >>> try:
    ...     ludoteca.agent("astar")(ludoteca.game("kittens"), 0, 0)
    ... except ludoteca.InvalidAgent as error:
    ...     print(str(error).partition(";")[0])
    astar does not play kittens
    """


class BrokenAgent(InvalidAgent):
    """An agent whose own code raises when it is imported or built; the message is its traceback.

    >>> import ludoteca
    >>> issubclass(ludoteca.BrokenAgent, ludoteca.InvalidAgent)
    True
    """


class InvalidOption(LudotecaError, ValueError):
    """An option that the game or agent does not have, or a value that it does not take.

    >>> import ludoteca
    >>> ludoteca.agent("random:depth=2")
    Traceback (most recent call last):
    ludoteca.errors.InvalidOption: random has no option 'depth'; it has no options
    """


class InvalidAction(LudotecaError, ValueError):
    """A text that names no action of this game, in any position.

    >>> import ludoteca
    >>> ludoteca.game("hex:size=3").parse_action("d4")
    Traceback (most recent call last):
    ludoteca.errors.InvalidAction: 'd4' is no cell of hex:size=3: cells are a1 to c3
    """


class ImpossibleEvent(LudotecaError, ValueError):
    """Something that a person entered and that cannot have happened, with the reason.

    >>> import ludoteca
    >>> match = ludoteca.ObservedMatch(ludoteca.game("hex:size=3"), seat=0, events=["a1"])
    >>> match.add("a1")
    Traceback (most recent call last):
    ludoteca.errors.ImpossibleEvent: 'a1' is not legal now
    """


class InvalidPosition(LudotecaError, ValueError):
    """A text that describes no position of this game, or one in which no match can begin.

    >>> import ludoteca
    >>> ludoteca.Match(ludoteca.game("dominoes"), seed=1, start="line: 6-6 5-4")
    Traceback (most recent call last):
    ludoteca.errors.InvalidPosition: line: 5-4 does not match either number of 6-6, which lies left of it
    """


class InvalidStore(LudotecaError, ValueError):
    """A store of matches that is damaged, of an unknown version or busy, or a run that it does not hold.

    >>> import ludoteca
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     file.write(b"no store of matches" * 100) and file.flush()
    ...     try:
    ...         ludoteca.series("hex:size=3", "random", "random", 2, store=file.name)
    ...     except ludoteca.InvalidStore as error:
    ...         print(str(error).partition(" ")[2].partition(".")[0])
    cannot be used as a store of matches: file is not a database
    """


class MissingExtra(LudotecaError, ImportError):
    """A feature needs a package that is not installed; the message names the extra to install.

    >>> import ludoteca
    >>> issubclass(ludoteca.MissingExtra, ImportError)
    True
    """


@contextmanager
def extra(name: str, what: str) -> Iterator[None]:
    """Wraps the imports of packages that only an extra installs. Raises MissingExtra if one is missing.

    name: the extra, as in ``pip install 'ludoteca[web]'``; what: the feature that needs it, a Message.

    >>> with extra("web", say("the page")):
    ...     import no_such_package
    Traceback (most recent call last):
    ludoteca.errors.MissingExtra: the page needs no_such_package, which is not installed: pip install 'ludoteca[web]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "ludoteca"):
            raise  # our own fault: no package would mend it
        missing = MissingExtra(
            "{what} needs {package}, which is not installed: pip install 'ludoteca[{extra}]'",
            what=what,
            package=package,
            extra=name,
        )
        missing.name = error.name
        raise missing from None  # the message says everything


class InvalidFile(LudotecaError, ValueError):
    """A file of matches or of a training that cannot be read: the message names the place and the reason.

    >>> import ludoteca
    >>> issubclass(ludoteca.InvalidFile, ValueError)
    True
    """

    @classmethod
    def at(cls, text: str, offset: int, why: object, /, **fields: object) -> InvalidFile:
        r"""The error for the character at this offset of a file's text. why: also a template for `say` with its fields.

        >>> print(InvalidFile.at("(;GM[11]\n;X)", 10, "X has no value"))
        line 2, column 2: X has no value
        """
        line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
        reason = Message.of(str(why), fields) if fields else why
        return cls("line {line}, column {column}: {why}", line=line, column=column, why=reason)


class WorkerError(LudotecaError, RuntimeError):
    """The arena itself failed while matches were played. It is never an agent's fault, and never hidden.

    >>> import ludoteca
    >>> issubclass(ludoteca.WorkerError, RuntimeError)
    True
    """

    match: int | None = None
    """The index of the match in which it failed, where that is known."""


class SandboxError(WorkerError):
    """Untrusted code needs a sandbox, and none can be made here: see ``ludoteca doctor``.

    >>> from ludoteca.errors import SandboxError, WorkerError
    >>> issubclass(SandboxError, WorkerError)
    True
    """


class ForkServerKilled(WorkerError):
    """The process that forks the agents' processes has died, and they with it. The match can be played again.

    >>> from ludoteca.errors import ForkServerKilled, WorkerError
    >>> issubclass(ForkServerKilled, WorkerError)
    True
    """

    def __init__(self, message: str, *, sandbox: bool) -> None:
        super().__init__(message)
        self.sandbox = sandbox
        """Whether it forked only sandboxes. Those cannot have killed it."""


class IllegalAction(LudotecaError, ValueError):
    """An action that is not legal in this position; the state is unchanged.

    >>> import ludoteca
    >>> state = ludoteca.game("hex:size=2").deal(seed=1)
    >>> state.apply(0)
    >>> try:
    ...     state.apply(0)
    ... except ludoteca.IllegalAction as error:
    ...     print(str(error).splitlines()[0])
    'a1' (action 0) is not legal for seat 1 of hex:size=2; legal: b1, a2, b2
    """

    @classmethod
    def at(cls, state: State, action: Action) -> IllegalAction:
        """The error for playing `action` in `state`: what was played, where, and what would be legal."""
        game, seat = state.game, state.turn
        if not 0 <= action < game.num_actions:
            last = game.num_actions - 1
            return cls(
                "action {action} does not exist in {game}: actions are 0 to {last}",
                action=action,
                game=game.spec,
                last=last,
            )
        played = say("{name!r} (action {action})", name=game.action_name(action), action=action)
        if seat is None:
            over = say("{action} cannot be played: this match of {game} is over", action=played, game=game.spec)
            return cls(over)
        legal = [game.action_name(each) for each in state.legal()]
        few, more = legal[:_SHOWN], len(legal) - _SHOWN
        wrong = say(
            "{action} is not legal for seat {seat} of {game}; legal: {names}",
            action=played,
            seat=seat,
            game=game.spec,
            names=say("{names} and {more} more", names=few, more=more) if more > 0 else few,
        )
        return cls(joined([wrong, game.text(state.view(seat))], "\n"))


class IllegalAnswer(IllegalAction):
    """What a student's player or a program answered cannot be played: a taken cell, or no cell at all.

    Other exceptions of an agent end the match by `error`, this one by `illegal`.
    """


class LateAnswer(LudotecaError, TimeoutError):
    """A program did not answer in time. It ends the match by `timeout`."""
