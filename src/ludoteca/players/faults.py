"""How a match ends, and the faults of agents that end it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from ludoteca.messages import Message, printable, say


class Ending(StrEnum):
    """How a match ended. After `resigned` and after a fault that seat has lost.

    >>> import ludoteca
    >>> ludoteca.Ending("timeout") is ludoteca.Ending.timeout
    True
    """

    finished = "finished"
    """By the rules."""
    resigned = "resigned"
    """A person gave up."""
    agreed = "agreed"
    """Two people agreed on a draw."""
    unfinished = "unfinished"
    """The match is not over and can be resumed."""
    illegal = "illegal"
    """The agent chose an illegal action, or something that is not an action."""
    timeout = "timeout"
    """The agent, or the person, used more time than it had."""
    error = "error"
    """The agent raised an exception."""
    crash = "crash"
    """The agent's process died."""
    memory = "memory"
    """The agent used more memory than it had."""

    @property
    def is_fault(self) -> bool:
        """Whether a player broke the rules, ran out of time or failed."""
        return self not in (Ending.finished, Ending.resigned, Ending.agreed, Ending.unfinished)

    @property
    def words(self) -> Message:
        """How it is called in messages."""
        return TITLES[self]


TITLES = {
    # Translators: how a match ended: by the rules
    Ending.finished: say("finished"),
    Ending.resigned: say("resigned"),
    Ending.agreed: say("draw agreed"),
    Ending.unfinished: say("unfinished"),
    Ending.illegal: say("illegal action"),
    Ending.timeout: say("out of time"),
    Ending.error: say("error"),
    Ending.crash: say("crashed"),
    Ending.memory: say("out of memory"),
}


class Fault(Exception):
    """An agent's fault. It ends the match and is never shown to a user as an exception."""

    def __init__(self, ending: Ending, message: str, waited: float = 0.0, /, **fields: object) -> None:
        """message: a Message, or a template for `say` with its fields."""
        message = Message.of(message, fields) if fields else message
        super().__init__(message)
        self.ending = ending
        self.message = message if isinstance(message, Message) else printable(message)
        """What happened; may quote the agent's own words."""
        self.waited = waited
        """Seconds of this decision in which the agent's process was ready to run but had to wait for a core."""
        self.building = False
        """Whether the agent failed while it was built, before it was asked for a decision."""


class Usage(NamedTuple):
    """The resource usage of an agent's process since it was forked, as the kernel reports it."""

    cpu_seconds: float
    """Of all its threads."""
    wait_seconds: float
    """Seconds in which it was ready to run but had to wait for a core: the machine's fault, not the agent's."""


@dataclass
class FaultTally:
    """An agent's faults so far: how many of each kind, and the message of the first."""

    counts: dict[Ending, int] = field(default_factory=dict)
    messages: dict[Ending, str] = field(default_factory=dict)

    def add(self, ending: Ending, message: str = "") -> None:
        """Counts the end of a match, if it was a fault."""
        if ending.is_fault:
            self.counts[ending] = self.counts.get(ending, 0) + 1
            self.messages.setdefault(ending, message)

    @property
    def total(self) -> int:
        """The faults of all kinds."""
        return sum(self.counts.values())
