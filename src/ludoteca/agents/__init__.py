"""The agents: a folder per game, those for any game here, and what finds all of them by name."""

from __future__ import annotations

from ludoteca.agents.descriptions import (
    Description,
    canonical,
    check_plays,
    describe,
    names,
    plays,
    plays_game,
    preferred_seat,
    starts_program,
)
from ludoteca.agents.engine import strongest
from ludoteca.agents.factory import agent
from ludoteca.agents.identity import short_spec
from ludoteca.agents.registry import GIVEN, agent_class, is_file, is_ours, name_of, unlisted

__all__ = [
    "GIVEN",
    "Description",
    "agent",
    "agent_class",
    "canonical",
    "check_plays",
    "describe",
    "is_file",
    "is_ours",
    "name_of",
    "names",
    "plays",
    "plays_game",
    "preferred_seat",
    "short_spec",
    "starts_program",
    "strongest",
    "unlisted",
]
