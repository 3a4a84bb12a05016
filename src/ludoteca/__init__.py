"""Ludoteca: an arena for game-playing agents.

Everything starts from a string:

>>> import ludoteca
>>> game = ludoteca.game("hex:size=7")
>>> state = game.deal(seed=1)
>>> state.apply(game.parse_action("d4"))
>>> state.turn
1
"""

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from ludoteca.agents import agent
from ludoteca.errors import (
    IllegalAction,
    InvalidAction,
    InvalidAgent,
    InvalidFile,
    InvalidGame,
    InvalidOption,
    InvalidPosition,
    InvalidStore,
    LudotecaError,
    WorkerError,
)
from ludoteca.games import game
from ludoteca.games.batches import batch
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.players.analysis import analyze
from ludoteca.players.faults import Ending
from ludoteca.protocols import (
    Action,
    Agent,
    AgentFactory,
    Batch,
    Decision,
    Drawable,
    Game,
    Limit,
    Seat,
    State,
    Thinker,
    View,
)
from ludoteca.reports import standings_of as standings

if TYPE_CHECKING:
    from ludoteca.arena.api import series, tournament
    from ludoteca.reports.explanation import explain
    from ludoteca.reports.review import review

__version__ = version("ludoteca")

__all__ = [
    "Action",
    "Agent",
    "AgentFactory",
    "Batch",
    "Decision",
    "Drawable",
    "Ending",
    "Game",
    "IllegalAction",
    "InvalidAction",
    "InvalidAgent",
    "InvalidFile",
    "InvalidGame",
    "InvalidOption",
    "InvalidPosition",
    "InvalidStore",
    "Limit",
    "LudotecaError",
    "Match",
    "Record",
    "Seat",
    "State",
    "Thinker",
    "View",
    "WorkerError",
    "agent",
    "analyze",
    "batch",
    "explain",
    "game",
    "review",
    "series",
    "standings",
    "tournament",
]


def __getattr__(name: str) -> Any:
    """The arena is read in when somebody asks for it: agents' processes are forked without it, and cheaper so."""
    if name in ("series", "tournament"):
        from ludoteca.arena import api

        return getattr(api, name)
    if name == "explain":
        from ludoteca.reports.explanation import explain

        return explain
    if name == "review":
        from ludoteca.reports.review import review

        return review
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
