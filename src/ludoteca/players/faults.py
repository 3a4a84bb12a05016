"""How a match ends, and the faults of agents that end one."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Ending", "Fault"]


class Ending(StrEnum):
    """How a match ended. All but the first are faults: the seat at fault loses."""

    finished = "finished"
    """By the rules."""
    illegal = "illegal"
    """The agent chose an action that was not legal, or something that is no action."""
    timeout = "timeout"
    """The agent used more time than it had."""
    error = "error"
    """The agent raised an exception."""
    crash = "crash"
    """The agent's process died."""
    memory = "memory"
    """The agent used more memory than it had."""


class Fault(Exception):
    """An agent's fault, which ends the match; never shown to a user as an exception."""

    def __init__(self, ending: Ending, message: str) -> None:
        super().__init__(message)
        self.ending, self.message = ending, message
