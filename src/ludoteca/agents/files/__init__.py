"""A file as an agent: a student's Hex player, loaded unchanged and handed the course's board, or a plain agent.

The file may extend ``Player`` from ``player`` and use ``HexBoard`` from ``board``, or by any other name that is in use;
these are there while it runs, and so are the modules beside it, but nobody else sees them. It runs in the process that
asks for its agents: in the arena that is one of the agent's own.
"""

from __future__ import annotations

from ludoteca.agents.files.loading import Submission, canonical, load_player, source_file
from ludoteca.agents.files.outline import games

__all__ = ["Submission", "canonical", "games", "load_player", "source_file"]
