"""Statistics of each submission from one pass over the records of a course; no record is kept."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field

from ludoteca.agents.identity import Identity
from ludoteca.play.record import Record
from ludoteca.players.faults import Ending


@dataclass(frozen=True, slots=True)
class Played:
    """One match from one side."""

    page: str
    """Its page, from the root of the site."""
    opponent: Identity
    seat: int
    score: float
    """1, a half or 0."""
    ending: Ending
    own_fault: bool
    message: str
    moves: int
    tries: int = 1


@dataclass
class Times:
    """The seconds of an agent's actions by the referee's clock, and the resource usage of its process."""

    seconds: array[float] = field(default_factory=lambda: array("d"))
    by_move: list[array[float]] = field(default_factory=list)
    """For its first, second, third … action of a match: count, sum and longest."""
    computed: float = 0.0
    waited: float = 0.0
    known: int = 0
    """Matches with known resource usage."""

    def add(self, own: Iterable[float]) -> None:
        """Add the actions of one match."""
        for place, spent in enumerate(own):
            self.seconds.append(spent)
            if place == len(self.by_move):
                self.by_move.append(array("d", (0.0, 0.0, 0.0)))
            count, total, most = self.by_move[place]
            self.by_move[place] = array("d", (count + 1, total + spent, max(most, spent)))

    @property
    def total(self) -> float:
        """Seconds of all actions."""
        return sum(self.seconds)

    def share(self, part: float) -> float:
        """The quantile of the seconds per action; 0 without actions."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


@dataclass
class MatchStatistics:
    """By agent what was played and how long it took."""

    played: dict[Identity, list[Played]] = field(default_factory=dict)
    times: dict[Identity, Times] = field(default_factory=dict)

    def of(self, agent: Identity | None) -> list[Played]:
        """The matches of an agent; none for a submission that was never built."""
        return [] if agent is None else self.played.get(agent, [])

    def add(self, record: Record, page: str) -> None:
        """Add one match with its page."""
        for seat, agent in enumerate(record.agents):
            own_fault = record.fault == seat
            self.played.setdefault(agent, []).append(
                Played(
                    page=page,
                    opponent=record.agents[1 - seat],
                    seat=seat,
                    score=record.score if seat == 0 else 1 - record.score,
                    ending=record.ending,
                    own_fault=own_fault,
                    message=record.message if own_fault else "",
                    moves=len(record.actions),
                    tries=1 if record.before is None else 2,
                )
            )
            times = self.times.setdefault(agent, Times())
            times.add(
                spent
                for mover, spent in zip(record.movers[record.opening :], record.seconds[record.opening :], strict=False)
                if mover == seat
            )
            used = record.usage[seat] if seat < len(record.usage) else None
            if used is not None:
                times.computed, times.waited = times.computed + used.cpu_seconds, times.waited + used.wait_seconds
                times.known += 1
