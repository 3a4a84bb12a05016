"""The agents: a folder per game, those for any game here, and `registry`, which finds all of them by name."""

from __future__ import annotations

from ludoteca.agents.registry import (
    GIVEN,
    agent,
    agent_class,
    canonical,
    is_file,
    is_ours,
    name_of,
    names,
    plays,
    plays_game,
    short_name,
)

__all__ = [
    "GIVEN",
    "agent",
    "agent_class",
    "canonical",
    "is_file",
    "is_ours",
    "name_of",
    "names",
    "plays",
    "plays_game",
    "short_name",
]
