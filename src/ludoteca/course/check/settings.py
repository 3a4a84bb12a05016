"""What a submission is checked for."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludoteca.play.conditions import Conditions
from ludoteca.players.admission import DEFAULT, Admission

__all__ = ["CheckSettings"]

SECONDS = 45.0
"""How long a check may take after the submission has loaded; with Python's own start it ends within a minute."""
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
