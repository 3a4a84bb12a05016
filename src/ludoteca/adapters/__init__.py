"""Ludoteca's agents behind other people's interfaces, and other people's players as agents of ours."""

from __future__ import annotations

from ludoteca.adapters.hexboard import HexBoard, Player, player_class
from ludoteca.adapters.submission import load_player

__all__ = ["HexBoard", "Player", "load_player", "player_class"]
