"""What a submission is checked for."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludoteca.play.conditions import Conditions
from ludoteca.players.admission import DEFAULT, Admission

SECONDS = 45.0
"""How long a check takes at most after a quick submission has loaded."""
LONGEST = 300.0
"""How long it may take with a player that needs seconds for each move, so that what must be known is seen."""
LIMIT = "5s"
"""The limit for a move where no course says otherwise."""


@dataclass(frozen=True)
class CheckSettings:
    """What a submission is checked for; the same for ``ludoteca check`` and ``ludoteca course check``."""

    conditions: Conditions = field(default_factory=lambda: Conditions.of("hex", LIMIT))
    """Game, limit, memory and margin, as in the tournament."""
    packages: tuple[str, ...] | None = None
    """The packages that the course offers; None where no course says."""
    admission: Admission = DEFAULT
    seconds: float = SECONDS
    """The time for all steps together, after the submission has loaded."""
    longest: float = LONGEST
    """The time that a slow player gets until it has made enough decisions."""
