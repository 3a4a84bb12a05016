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

from ludoteca.agents import agent
from ludoteca.arena.api import series, tournament
from ludoteca.errors import (
    IllegalAction,
    InvalidAction,
    InvalidAgent,
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
    "batch",
    "game",
    "series",
    "standings",
    "tournament",
]
