"""An agent that can do nothing but think: a child without network, files of others, processes or a view of anybody."""

from __future__ import annotations

import os

from ludoteca.agents import registry
from ludoteca.players.processes.child import Child
from ludoteca.players.processes.fork_client import Fork
from ludoteca.players.sandbox.visible_files import Sight
from ludoteca.protocols import Game

__all__ = ["Sandbox"]


class Sandbox(Child):
    """See `Player`. All that `Child` promises; and its process was locked up before any of the agent's code was read.

    It has what `enter.lock_up` leaves: see docs/sandbox.md. Where even that could not be done, SandboxError is raised.
    """

    def __init__(self, game: Game, agent: str, fork: Fork, sight: Sight) -> None:
        """sight: what the fork was made with."""
        absolute = registry.is_file(agent) and not sight.link
        super().__init__(game, os.path.abspath(agent) if absolute else agent, fork)
