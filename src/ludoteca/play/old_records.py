"""Records as versions 1 and 2 of the store wrote them, read as records of today."""

from __future__ import annotations

from typing import Any

from ludoteca.agents.identity import Identity
from ludoteca.errors import LudotecaError
from ludoteca.play.record import Record, Who
from ludoteca.players.faults import Ending
from ludoteca.protocols import Action, Decision, Seat

__all__ = ["modern"]


def modern(fields: dict[str, Any]) -> Record:
    """The record in a dictionary of version 1 or 2, which had agents, values and nodes but no movers and no digest.

    Raises KeyError, TypeError or ValueError for anything else.
    """
    from ludoteca.play.match import Match  # which writes records, and so cannot be above

    first, second = (Who(Identity(str(agent))) for agent in fields["agents"])
    actions = tuple(int(action) for action in fields["actions"])
    game, seed = str(fields["game"]), int(fields["seed"])
    low, high = fields["returns"]
    movers: list[Seat] = []
    digest = ""
    try:
        match = Match.of_spec(game, seed, actions)
        movers, digest = list(match.movers), match.digest()
    except (LudotecaError, OverflowError):  # a game that is no longer installed: readable, but not to be replayed
        movers = []
    fault = fields.get("fault")
    return Record(
        game=game,
        seed=seed,
        seats=(first, second),
        actions=actions,
        movers=tuple(movers),
        limit=str(fields.get("limit", "")).replace("/game", "/match"),
        seconds=tuple(float(each) for each in fields.get("seconds", ())),
        decisions=_decisions(actions, fields.get("values", ()), fields.get("nodes", ())),
        returns=(float(low), float(high)),
        ending=Ending(fields["ending"]),
        fault=None if fault is None else int(fault),
        message=str(fields.get("message", "")),
        digest=digest,
    )


def _decisions(actions: tuple[Action, ...], values: Any, nodes: Any) -> tuple[Decision | None, ...]:
    if not values and not nodes:
        return ()
    found: list[Decision | None] = []
    for ply, action in enumerate(actions):
        value = values[ply] if ply < len(values) else None
        count = int(nodes[ply]) if ply < len(nodes) else 0
        found.append(None if value is None and not count else Decision(action, value=value, nodes=count))
    return tuple(found)
