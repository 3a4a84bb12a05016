"""Limits on thinking, as on the command line (``0.1s``, ``2000n``, ``60s/match``), and the clock of a match.

The same clock counts for agents and for people, who may have another limit than the agents of their match.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from decimal import Decimal

from ludoteca.errors import InvalidOption
from ludoteca.messages import say
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Limit, Seat

LEAST_SECONDS = 0.000_001
MOST_SECONDS = 1_000_000
"""Eleven days: the operating system cannot wait much longer."""
MOST_NODES = 1_000_000_000_000_000
PART = re.compile(r"(?P<amount>[0-9]{1,30}(\.[0-9]{1,30})?)(?P<unit>s|ms|n)(?P<whole>/match|/increment)?")


@dataclass(frozen=True)
class MatchLimit:
    """What each player may use per action and per match; None means no limit. Raises InvalidOption.

    Seconds are from a millionth to a million, nodes from 1 to 10**15. Every action adds the increment to the seconds
    of the match, so there is no increment without them.

    >>> MatchLimit.parse("0.1s,60s/match")
    MatchLimit(seconds=0.1, nodes=None, match_seconds=60.0, match_nodes=None, increment=None)
    >>> MatchLimit.parse("300s/match,2s/increment").increment
    2.0
    >>> str(MatchLimit.parse("100ms, 60s/match"))
    '0.1s,60s/match'
    >>> str(MatchLimit.parse("0.05ms"))
    '0.00005s'
    """

    seconds: float | None = None
    nodes: int | None = None
    match_seconds: float | None = None
    match_nodes: int | None = None
    increment: float | None = None
    """Seconds that the player gets for every action, after it."""

    def __post_init__(self) -> None:
        if self.increment is not None and self.match_seconds is None:
            raise InvalidOption(say("an increment needs seconds for the match, as in 300s/match,2s/increment"))
        for name in (field.name for field in fields(self)):
            value = getattr(self, name)
            if value is None:
                continue
            if name.endswith("nodes"):
                if value != int(value) or not 1 <= value <= MOST_NODES:
                    raise InvalidOption(
                        "the limit of {value} nodes must be a whole number from 1 to {most}",
                        value=value,
                        most=MOST_NODES,
                    )
            elif not LEAST_SECONDS <= value <= MOST_SECONDS:
                raise InvalidOption(
                    "the limit of {value:g} seconds must be from {least} to {most}",
                    value=value,
                    least=_plain(LEAST_SECONDS),
                    most=MOST_SECONDS,
                )

    @classmethod
    def parse(cls, text: str) -> MatchLimit:
        """Parts joined by commas: an amount, its unit (s, ms or n for nodes), and ``/match`` or ``/increment``.

        Raises InvalidOption.
        """
        found: dict[str, float] = {}
        for part in text.replace(" ", "").split(",") if text.strip() else []:
            match = PART.fullmatch(part)
            if match is None or (match["whole"] == "/increment" and match["unit"] == "n"):
                raise InvalidOption(
                    "the limit {limit!r} is not of the form 0.1s, 50ms, 2000n, 60s/match, 2s/increment or 9000n/match",
                    limit=part,
                )
            name = ("match_" if match["whole"] else "") + ("nodes" if match["unit"] == "n" else "seconds")
            if match["whole"] == "/increment":
                name = "increment"
            amount = Decimal(match["amount"])
            if match["unit"] == "n" and amount != int(amount):
                raise InvalidOption("the limit {limit!r} must be a whole number of nodes", limit=part)
            if name in found:
                raise InvalidOption("the limit {limit!r} gives {what} twice", limit=text, what=name.replace("_", " "))
            if match["unit"] == "ms":
                amount /= 1000
            found[name] = int(amount) if match["unit"] == "n" else float(amount)
        return cls(**found)  # type: ignore[arg-type]

    def __str__(self) -> str:
        parts = [
            None if self.seconds is None else f"{_plain(self.seconds)}s",
            None if self.nodes is None else f"{self.nodes}n",
            None if self.match_seconds is None else f"{_plain(self.match_seconds)}s/match",
            None if self.match_nodes is None else f"{self.match_nodes}n/match",
            None if self.increment is None else f"{_plain(self.increment)}s/increment",
        ]
        return ",".join(part for part in parts if part)

    def next(self, used_seconds: float, used_nodes: int) -> Limit:
        """The limit for a player's next action after what it has used in this match, increments subtracted."""
        seconds = [self.seconds, None if self.match_seconds is None else max(0.0, self.match_seconds - used_seconds)]
        nodes = [self.nodes, None if self.match_nodes is None else max(1, self.match_nodes - used_nodes)]
        return Limit(
            seconds=min((each for each in seconds if each is not None), default=None),
            nodes=min((each for each in nodes if each is not None), default=None),
        )


def _plain(seconds: float) -> str:
    """Enough digits to read the same number again, without an exponent."""
    text = format(Decimal(repr(seconds)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


TIMEOUT = 600.0
"""Seconds after which an agent without a time limit counts as hanging."""
MARGIN = 0.05
"""Seconds of tolerance beyond a limit: what pipes and a busy machine may cost an honest agent."""


class Clock:
    """What each seat of a match has used, and what it may use for its next action."""

    def __init__(self, limits: Sequence[MatchLimit], margin: float = MARGIN, people: Sequence[bool] = ()) -> None:
        """limits: by seat. people: by seat whether a person sits there, to whom the margin is not given."""
        self._limits = limits
        self._margins = [0.0 if person else margin for person in people or (False, False)]
        self._whole_match = [each.match_seconds is not None or each.match_nodes is not None for each in limits]
        self._each = [limit.next(0.0, 0) for limit in limits]
        self._timeouts = [
            TIMEOUT if each.seconds is None else each.seconds + extra
            for each, extra in zip(self._each, self._margins, strict=True)
        ]
        self.seconds, self.nodes = [0.0, 0.0], [0, 0]

    def next(self, seat: Seat) -> tuple[Limit, float]:
        """The limit to tell the player, and after how many seconds the referee stops waiting. Raises Fault."""
        if not self._whole_match[seat]:
            return self._each[seat], self._timeouts[seat]
        match_limit, margin = self._limits[seat], self._margins[seat]
        limit = match_limit.next(self.seconds[seat], self.nodes[seat])
        if limit.seconds is None:
            return limit, TIMEOUT
        timeout = limit.seconds
        if match_limit.match_seconds is not None:  # one margin for the whole match, not one per action
            timeout = min(timeout, match_limit.match_seconds - self.seconds[seat])
        if timeout + margin <= 0:
            raise Fault(
                Ending.timeout, "the agent has used up its {seconds:g} seconds", seconds=match_limit.match_seconds
            )
        return limit, timeout + margin

    def left(self, seat: Seat, used: float) -> float:
        """The seconds until the seat's time is up, if it has used so many for this action; at least 0."""
        try:
            return max(0.0, self.next(seat)[1] - used)
        except Fault:
            return 0.0

    def spend(self, seat: Seat, seconds: float, nodes: int) -> None:
        """Count what an action used."""
        self.seconds[seat] += seconds - (self._limits[seat].increment or 0.0)
        self.nodes[seat] += nodes
