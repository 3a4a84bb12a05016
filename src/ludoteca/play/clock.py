"""Limits on thinking, as on the command line (``0.1s``, ``2000n``, ``60s/match``), and the clock of a match."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from decimal import Decimal

from ludoteca.errors import InvalidOption
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Limit, Seat

LEAST_SECONDS = 0.000_001
MOST_SECONDS = 1_000_000
"""Eleven days: the operating system cannot wait much longer."""
MOST_NODES = 1_000_000_000_000_000
PART = re.compile(r"(?P<amount>[0-9]{1,30}(\.[0-9]{1,30})?)(?P<unit>s|ms|n)(?P<whole>/match)?")


@dataclass(frozen=True)
class MatchLimit:
    """What each agent may use per action and per match; None means no limit. Raises InvalidOption.

    Seconds are from a millionth to a million, nodes from 1 to 10**15.

    >>> MatchLimit.parse("0.1s,60s/match")
    MatchLimit(seconds=0.1, nodes=None, match_seconds=60.0, match_nodes=None)
    >>> str(MatchLimit.parse("100ms, 60s/match"))
    '0.1s,60s/match'
    >>> str(MatchLimit.parse("0.05ms"))
    '0.00005s'
    """

    seconds: float | None = None
    nodes: int | None = None
    match_seconds: float | None = None
    match_nodes: int | None = None

    def __post_init__(self) -> None:
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
        """Parts joined by commas: an amount, its unit (s, ms or n for nodes) and ``/match`` for the whole match.

        Raises InvalidOption.
        """
        found: dict[str, float] = {}
        for part in text.replace(" ", "").split(",") if text.strip() else []:
            match = PART.fullmatch(part)
            if match is None:
                raise InvalidOption(
                    "the limit {limit!r} is not of the form 0.1s, 50ms, 2000n, 60s/match or 9000n/match", limit=part
                )
            name = ("match_" if match["whole"] else "") + ("nodes" if match["unit"] == "n" else "seconds")
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
        ]
        return ",".join(part for part in parts if part)

    def next(self, used_seconds: float, used_nodes: int) -> Limit:
        """The limit for an agent's next action after what it has used in this match."""
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

    def __init__(self, limit: MatchLimit, margin: float = MARGIN) -> None:
        self._limit, self._margin = limit, margin
        self._whole_match = limit.match_seconds is not None or limit.match_nodes is not None
        self._each = limit.next(0.0, 0)
        self._timeout = TIMEOUT if self._each.seconds is None else self._each.seconds + margin
        self.seconds, self.nodes = [0.0, 0.0], [0, 0]

    def next(self, seat: Seat) -> tuple[Limit, float]:
        """The limit to tell the player, and after how many seconds the referee stops waiting. Raises Fault."""
        if not self._whole_match:
            return self._each, self._timeout
        limit = self._limit.next(self.seconds[seat], self.nodes[seat])
        if limit.seconds is None:
            return limit, TIMEOUT
        timeout = limit.seconds
        if self._limit.match_seconds is not None:  # one margin for the whole match, not one per action
            timeout = min(timeout, self._limit.match_seconds - self.seconds[seat])
        if timeout + self._margin <= 0:
            raise Fault(
                Ending.timeout, "the agent has used up its {seconds:g} seconds", seconds=self._limit.match_seconds
            )
        return limit, timeout + self._margin

    def spend(self, seat: Seat, seconds: float, nodes: int) -> None:
        """Count what an action used."""
        self.seconds[seat] += seconds
        self.nodes[seat] += nodes
