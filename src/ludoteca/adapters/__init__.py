"""Ludoteca's agents behind other people's interfaces, and matches in other people's formats."""

from __future__ import annotations

from ludoteca.adapters.course_player import HexBoard, Player, player_class

__all__ = ["HexBoard", "Player", "player_class"]
