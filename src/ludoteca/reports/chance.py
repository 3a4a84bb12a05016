"""A value as people read it: a chance to win, and words for it that are the same everywhere.

An agent's value is on its own scale. `chance_to_win` maps it to the share of matches that were won from positions with
such a value, between players about as strong as the agent; a draw counts as half a win. Agents and games without such a
map get words and no number. ``ludoteca calibrate`` fits the maps; those that we ship are in ``calibrations``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from ludoteca import spec as specs
from ludoteca.agents import canonical
from ludoteca.agents.registry import is_ours
from ludoteca.errors import InvalidAgent, InvalidGame, LudotecaError
from ludoteca.games.side_names import side
from ludoteca.messages import Message, say
from ludoteca.protocols import Decision, Game, Seat, View
from ludoteca.ratings.calibration import Calibration

FOLDER = Path(__file__).parent / "calibrations"
ALMOST_CERTAIN, PROBABLE, AHEAD = 0.9, 0.7, 0.55
"""The chances from which a side will almost certainly win, will probably win, and is ahead; below, it is about even."""
UNCALIBRATED_AHEAD = 0.15
"""The value from which a side is ahead for an agent whose values have no map."""
EFFORT = frozenset({"memory", "threads", "simulations", "reuse"})
"""Options that change how much an agent searches, as its limit does, and not what its value means."""


@dataclass(frozen=True)
class AgentCalibration:
    """The map of one agent in one game, and from which matches it was fitted."""

    game: str
    """The spec of the game."""
    also: Mapping[str, list[str]]
    """Further options of the game for which it holds, with their values."""
    agent: str
    """The agent's spec."""
    matches: int
    """How many it was fitted on."""
    limits: tuple[str, ...]
    """The limits of those matches."""
    calibration: Calibration

    def is_of(self, agent: str) -> bool:
        """Whether it is the map of the agent of this canonical spec. Raises InvalidAgent."""
        return _without_effort(agent) == _without_effort(self.agent)

    def holds_in(self, game: str) -> bool:
        """Whether it holds in the game of this spec."""
        name, options = specs.split(game, InvalidGame)
        own_name, own = specs.split(self.game, InvalidGame)
        more = {key: value for key, value in options.items() if own.get(key) != value}
        return (
            name == own_name
            and all(key in options for key in own)
            and all(value in self.also.get(key, ()) for key, value in more.items())
        )

    def to_json(self) -> dict[str, Any]:
        """As a dictionary that JSON can hold."""
        return {
            "game": self.game, "also": dict(self.also), "agent": self.agent, "matches": self.matches,
            "limits": list(self.limits), "values": list(self.calibration.values),
            "chances": list(self.calibration.chances),
        }  # fmt: skip

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> AgentCalibration:
        """What `to_json` made. Raises KeyError, TypeError or ValueError."""
        calibration = Calibration(tuple(map(float, fields["values"])), tuple(map(float, fields["chances"])))
        return cls(
            str(fields["game"]), fields.get("also", {}), str(fields["agent"]), int(fields["matches"]),
            tuple(fields["limits"]), calibration,
        )  # fmt: skip


@cache
def calibrations() -> tuple[AgentCalibration, ...]:
    """All the maps that we ship."""
    return tuple(
        AgentCalibration.from_json(fields)
        for path in sorted(FOLDER.glob("*.json"))
        for fields in json.loads(path.read_text(encoding="utf-8"))
    )


@lru_cache(maxsize=1024)
def _calibration(game: str, agent: str) -> Calibration | None:
    """The map of an agent in the game of this spec; the nearest game first."""
    try:
        spec = canonical(agent) if is_ours(agent) else ""
    except LudotecaError:
        return None
    found = [each for each in calibrations() if spec and each.is_of(spec) and each.holds_in(game)]
    return min(found, key=lambda each: each.game != game).calibration if found else None


def _without_effort(agent: str) -> tuple[str, frozenset[tuple[str, str]]]:
    name, options = specs.split(agent, InvalidAgent)
    return name, frozenset(each for each in options.items() if each[0] not in EFFORT)


def chance_to_win(game: Game, agent: str, decision: Decision) -> float | None:
    """The chance to win of the seat that decides, by what `agent` says of it; a draw counts as half a win.

    agent: its spec. A proven result is 1, ½ or 0, and only that. None if the agent gave no value, or if no matches say
    what its values mean in this game.
    """
    if decision.value is None:
        return None
    if decision.proven:
        return 0.5 + 0.5 * ((decision.value > 0) - (decision.value < 0))
    found = _calibration(game.spec, agent)
    return None if found is None else found.chance(decision.value)


def advantage(game: Game, agent: str, decision: Decision) -> float | None:
    """How far the deciding seat is ahead, for bars and curves: from -1, it loses, to 1, it wins.

    It is the chance to win on that scale, or the agent's own value where there is no map. None without a value.
    """
    chance = chance_to_win(game, agent, decision)
    return decision.value if chance is None else 2 * chance - 1


def percent(chance: float) -> int:
    """A chance in percent: 0 or 100 only for a chance of exactly 0 or 1, which is proven."""
    if chance in (0.0, 1.0):
        return round(100 * chance)
    return max(1, min(99, round(100 * chance)))


def outlook(game: Game, seat: Seat, agent: str, decision: Decision) -> str:
    """Who will win by what `agent` decides for `seat`, as in `chance_in_words`. Empty without a value."""
    if decision.value is None:
        return ""
    chance, leader = chance_to_win(game, agent, decision), seat if decision.value > 0 else 1 - seat
    if decision.proven:
        if decision.value == 0:
            return say("it is a draw: that is proven.")
        return say("{side} wins: that is proven.", side=side(game, leader))
    if chance is not None:
        return chance_in_words(game, seat, chance)
    if abs(decision.value) < UNCALIBRATED_AHEAD:
        return say("it is about even.")
    return say("{side} is ahead.", side=side(game, leader))


def your_outlook(game: Game, agent: str, decision: Decision) -> str:
    """How you will do by what `agent` decides in your place, as in `your_chance_in_words`. Empty without a value."""
    if decision.value is None:
        return ""
    chance = chance_to_win(game, agent, decision)
    if decision.proven:
        if decision.value == 0:
            return say("best play by both is a draw: that is proven.")
        if decision.value > 0:
            return say("you can win: that is proven.")
        return say("you lose against best play: that is proven.")
    if chance is not None:
        return your_chance_in_words(chance)
    if abs(decision.value) < UNCALIBRATED_AHEAD:
        return say("it is about even.")
    return say("you are ahead.") if decision.value > 0 else say("you are behind.")


def chance_in_words(game: Game, seat: Seat, chance: float) -> Message:
    """A sentence about the side that is ahead, to be translated, such as ``blue will probably win (78%)``.

    chance: of `seat`; not proven.
    """
    leader, most = side(game, seat if chance >= 0.5 else 1 - seat), max(chance, 1 - chance)
    if most >= ALMOST_CERTAIN:
        return say("{side} will almost certainly win ({percent}%).", side=leader, percent=percent(most))
    if most >= PROBABLE:
        return say("{side} will probably win ({percent}%).", side=leader, percent=percent(most))
    if most >= AHEAD:
        return say("{side} is ahead ({percent}%).", side=leader, percent=percent(most))
    return say("it is about even ({percent}% for {side}).", side=leader, percent=percent(most))


def your_chance_in_words(chance: float) -> Message:
    """A sentence about your chance, to be translated, such as ``you are behind (38% to win).``; not for a proof."""
    shown = percent(chance)
    if chance >= ALMOST_CERTAIN:
        return say("you will almost certainly win ({percent}%).", percent=shown)
    if chance >= PROBABLE:
        return say("you will probably win ({percent}%).", percent=shown)
    if chance >= AHEAD:
        return say("you are ahead ({percent}% to win).", percent=shown)
    if chance > 1 - AHEAD:
        return say("it is about even ({percent}% to win).", percent=shown)
    if chance > 1 - PROBABLE:
        return say("you are behind ({percent}% to win).", percent=shown)
    if chance > 1 - ALMOST_CERTAIN:
        return say("you will probably lose ({percent}% to win).", percent=shown)
    return say("you will almost certainly lose ({percent}% to win).", percent=shown)


def without_search(view: View, decision: Decision) -> bool:
    """Whether an agent had to choose before its search found anything: it judges no action, though it has a choice."""
    return decision.value is None and not decision.scores and not decision.depth and len(view.legal()) > 1
