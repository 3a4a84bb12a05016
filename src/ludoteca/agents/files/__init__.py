"""A file as an agent: a student's Hex player, loaded unchanged and given the course's board, or a plain agent.

The file may extend ``Player`` from ``player`` and use ``HexBoard`` from ``board``, or import them by any other name in
use. These modules and those beside the file can be imported while it runs, and only by it. It runs in the process that
asks for its agents: in the arena that is one of the agent's own.
"""

from __future__ import annotations

from ludoteca.agents.files.loading import SubmittedAgent, load_player
from ludoteca.agents.files.outline import games
from ludoteca.agents.files.submission import Submission

__all__ = ["Submission", "SubmittedAgent", "games", "load_player"]
