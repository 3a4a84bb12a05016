"""Ludoteca: an arena for game-playing agents.

Everything starts from a string:

>>> import ludoteca
>>> game = ludoteca.game("hex:size=7")
>>> state = game.deal(seed=1)
>>> state.apply(game.parse_action("d4"))
>>> state.turn
1

The names in ``__all__`` are the public interface. Each is imported when it is first used, so ``import ludoteca`` is
fast, and a process that only plays never imports the arena.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludoteca.agents import agent
    from ludoteca.arena.api import series, tournament
    from ludoteca.errors import (
        BrokenAgent,
        IllegalAction,
        ImpossibleEvent,
        InvalidAction,
        InvalidAgent,
        InvalidFile,
        InvalidGame,
        InvalidOption,
        InvalidPosition,
        InvalidStore,
        LudotecaError,
        MissingExtra,
        SandboxError,
        WorkerError,
    )
    from ludoteca.games import game
    from ludoteca.games.batches import batch
    from ludoteca.play.match import Match
    from ludoteca.play.observed import ObservedMatch
    from ludoteca.play.record import Record
    from ludoteca.players.admission import Admission
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
        Reason,
        Seat,
        State,
        Thinker,
        View,
    )
    from ludoteca.reports import standings_of as standings
    from ludoteca.reports.columns import columns
    from ludoteca.reports.explain import explain
    from ludoteca.reports.review import review

    __version__: str

__all__ = [
    "Action",
    "Admission",
    "Agent",
    "AgentFactory",
    "Batch",
    "BrokenAgent",
    "Decision",
    "Drawable",
    "Ending",
    "Game",
    "IllegalAction",
    "ImpossibleEvent",
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
    "MissingExtra",
    "ObservedMatch",
    "Reason",
    "Record",
    "SandboxError",
    "Seat",
    "State",
    "Thinker",
    "View",
    "WorkerError",
    "agent",
    "analyze",
    "batch",
    "columns",
    "explain",
    "game",
    "review",
    "series",
    "standings",
    "tournament",
]

_HOMES = {
    "agents": ["agent"],
    "arena.api": ["series", "tournament"],
    "errors": [
        "BrokenAgent", "IllegalAction", "ImpossibleEvent", "InvalidAction", "InvalidAgent", "InvalidFile",
        "InvalidGame", "InvalidOption", "InvalidPosition", "InvalidStore", "LudotecaError", "MissingExtra",
        "SandboxError", "WorkerError",
    ],
    "games": ["game"],
    "games.batches": ["batch"],
    "play.match": ["Match"],
    "play.observed": ["ObservedMatch"],
    "play.record": ["Record"],
    "players.admission": ["Admission"],
    "players.analysis": ["analyze"],
    "players.faults": ["Ending"],
    "protocols": [
        "Action", "Agent", "AgentFactory", "Batch", "Decision", "Drawable", "Game", "Limit", "Reason", "Seat", "State",
        "Thinker", "View",
    ],
    "reports": ["standings"],
    "reports.columns": ["columns"],
    "reports.explain": ["explain"],
    "reports.review": ["review"],
}  # fmt: skip
"""The public names by module."""
_RENAMED = {"standings": "standings_of"}


if not TYPE_CHECKING:  # or a type checker would accept every name

    def __getattr__(name: str) -> Any:
        """Import a public name when it is first used; or the version."""
        if name == "__version__":
            from importlib.metadata import version

            found: Any = version("ludoteca")
        else:
            home = next((module for module, names in _HOMES.items() if name in names), None)
            if home is None:
                raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
            from importlib import import_module

            found = getattr(import_module(f"{__name__}.{home}"), _RENAMED.get(name, name))
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    """All public names, imported or not."""
    return sorted({*globals(), *__all__, "__version__"})
