"""Ludoteca's agents behind other people's interfaces, and other people's players as agents of ours."""

from __future__ import annotations

import os
from pathlib import Path

from ludoteca import agents
from ludoteca.adapters.hexboard import HexBoard, Player, player_class
from ludoteca.adapters.submission import load_player, split_path
from ludoteca.protocols import AgentFactory

__all__ = ["HexBoard", "Player", "find_agent", "load_player", "player_class", "short_name"]


def find_agent(text: str) -> AgentFactory:
    """What makes the agents that a text names: ``astar:depth=2``, or a student's ``path/solution.py:SmartPlayer``.

    A text that begins with the name of an agent is that agent; one with ``.py`` or a slash in it, or the name of a
    folder, is a file. Raises InvalidAgent, and InvalidOption for a wrong option.
    """
    return load_player(text) if _is_file(text) else agents.agent(text)


def short_name(text: str) -> str:
    """What to call such an agent in a sentence: of a file's path only the last part."""
    return Path(text).name if _is_file(text) else text


def _is_file(text: str) -> bool:
    name = text.partition(":")[0].strip().lower()
    path, _ = split_path(text)
    return name not in agents.names() and (".py" in text or "/" in text or os.sep in text or Path(path).is_dir())
