"""Everything that Ludoteca raises on purpose, in one tree.

::

    LudotecaError
    ├── InvalidGame      (ValueError)   a game string whose name or form is not known
    ├── InvalidAgent     (ValueError)   an agent string whose name or form is not known
    │   └── BrokenAgent                 an agent whose code cannot be imported or built
    ├── InvalidOption    (ValueError)   an option of a game or agent that does not exist, or its value
    ├── InvalidAction    (ValueError)   a text that names no action of the game
    ├── IllegalAction    (ValueError)   an action of the game that the rules forbid now
    ├── InvalidPosition  (ValueError)   a starting position that cannot be set up
    ├── InvalidStore     (ValueError)   a file or a run that the arena's store cannot read
    └── WorkerError      (RuntimeError) the arena itself failed, no agent of it

The page adds InvalidTable, NotFound, Busy and Failed, which never leave it: see `ludoteca.web`.

Each message names the offending value and what would have been right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludoteca.protocols import Action, State

__all__ = [
    "BrokenAgent",
    "IllegalAction",
    "InvalidAction",
    "InvalidAgent",
    "InvalidGame",
    "InvalidOption",
    "InvalidPosition",
    "InvalidStore",
    "LudotecaError",
    "WorkerError",
]

_SHOWN = 12  # legal actions that a message lists before it says how many more there are


class LudotecaError(Exception):
    """The root of the tree."""


class InvalidGame(LudotecaError, ValueError):
    """A game string such as ``chess`` or ``hex:size`` that names no game or has no readable form."""


class InvalidAgent(LudotecaError, ValueError):
    """An agent string that names no agent or has no readable form."""


class BrokenAgent(InvalidAgent):
    """An agent whose own code raises when it is imported or built; the message is its traceback."""


class InvalidOption(LudotecaError, ValueError):
    """An option that the game or agent does not have, or a value that it does not take."""


class InvalidAction(LudotecaError, ValueError):
    """A text that names no action of this game, whatever the position."""


class InvalidPosition(LudotecaError, ValueError):
    """A text that describes no position of this game, or one that the game cannot begin from."""


class InvalidStore(LudotecaError, ValueError):
    """A store of matches that is damaged, of an unknown version or busy, or a run that it does not hold."""


class WorkerError(LudotecaError, RuntimeError):
    """Something of ours went wrong while matches were played: never the fault of an agent, and never hidden."""


class IllegalAction(LudotecaError, ValueError):
    """An action that is not legal in this position; the state is as it was before."""

    @classmethod
    def at(cls, state: State, action: Action) -> IllegalAction:
        """The error for playing `action` in `state`: what was played, where, and what would be legal."""
        game, seat = state.game, state.turn
        if not 0 <= action < game.num_actions:
            return cls(f"action {action} does not exist in {game.spec}: actions are 0 to {game.num_actions - 1}")
        played = f"{game.action_name(action)!r} (action {action})"
        if seat is None:
            return cls(f"{played} cannot be played: this match of {game.spec} is over")
        legal = [game.action_name(each) for each in state.legal()]
        more = f" and {len(legal) - _SHOWN} more" if len(legal) > _SHOWN else ""
        board = game.text(state.view(seat))
        return cls(
            f"{played} is not legal for seat {seat} of {game.spec}; "
            f"legal: {', '.join(legal[:_SHOWN])}{more}; the position:\n{board}"
        )
