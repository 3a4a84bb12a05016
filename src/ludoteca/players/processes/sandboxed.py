"""An agent in a sandbox: a child process without network, other people's files, other processes or their memory."""

from __future__ import annotations

import os
from collections.abc import Callable

from ludoteca.agents import registry
from ludoteca.players.processes.child import Child
from ludoteca.players.processes.fork_client import ForkedProcess
from ludoteca.players.processes.process_player import BUILD_TIMEOUT
from ludoteca.players.sandbox.visible_files import VisibleFiles
from ludoteca.protocols import Game


class Sandbox(Child):
    """See `Child`. The process is confined before any of the agent's code is read: see docs/sandbox.md.

    Its methods raise SandboxError when the confinement could not be set up.
    """

    def __init__(
        self,
        game: Game,
        agent: str,
        fork: Callable[[], ForkedProcess],
        files: VisibleFiles,
        build_timeout: float = BUILD_TIMEOUT,
    ) -> None:
        """files: those that a process of `fork` sees."""
        absolute = registry.is_file(agent) and not files.link
        super().__init__(game, os.path.abspath(agent) if absolute else agent, fork, build_timeout)
