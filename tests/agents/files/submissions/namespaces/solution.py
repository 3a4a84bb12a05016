"""A file at the root of a project whose folders have no __init__.py."""
from src.Entities.AIPlayer import AIPlayer
from src.Entities.HexBoard import HexBoard

__all__ = ["AIPlayer", "HexBoard"]
