"""An agent that can do nothing but think: a child without network, files of others, processes or a view of anybody."""

from __future__ import annotations

import os

from ludoteca.agents import entries
from ludoteca.players.child import Child
from ludoteca.players.forks import Fork
from ludoteca.protocols import Game

__all__ = ["Sandbox"]


class Sandbox(Child):
    """See `Player`. All that `Child` promises; and its process was locked up before any of the agent's code was read.

    It has what `enter.lock_up` leaves: see docs/sandbox.md. Where even that could not be done, SandboxError is raised.
    """

    def __init__(self, game: Game, agent: str, fork: Fork) -> None:
        super().__init__(game, os.path.abspath(agent) if entries.is_file(agent) else agent, fork)
