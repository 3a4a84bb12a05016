"""The openings of a run's pairs, for games in which all deals are the same."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ludoteca.arena.plan import Openings, Plan
from ludoteca.arena.tournament import TournamentPlan
from ludoteca.errors import InvalidOption
from ludoteca.games import game as game_of
from ludoteca.play.openings import needs_openings, openings_for

EXTRA_PAIRS = 64
"""Openings for the extra pairs of a knock-out."""


def chosen_openings(game: str, wish: str) -> str:
    """The openings of a plan, as text, for ``auto``, ``none`` or a file. Raises InvalidOption.

    ``auto`` is the game's suite where all deals are the same, and none elsewhere. A file is named with its digest.
    """
    if wish in ("none", "suite"):
        return wish
    if wish == "auto":
        return "suite" if needs_openings(game_of(game)) else "none"
    try:
        data = Path(wish).read_bytes()
    except OSError as error:
        raise InvalidOption(
            "the openings {file} cannot be read: {why}", file=wish, why=error.strerror or str(error)
        ) from error
    return f"{wish}@{hashlib.sha256(data).hexdigest()[:8]}"


def opening_lines(plan: Plan) -> Openings:
    """One opening for each pair of a plan, in order; empty for a plan without openings. Raises InvalidOption."""
    if plan.openings == "none":
        return ()
    file, _, digest = plan.openings.rpartition("@")
    if digest and file and chosen_openings(plan.conditions.game, file) != plan.openings:
        raise InvalidOption("the openings {file} have been changed since this run began", file=file)
    return openings_for(game_of(plan.conditions.game), _pairs(plan), file or None)


def _pairs(plan: Plan) -> int:
    """How many openings the plan needs, so that none is used twice."""
    if isinstance(plan, TournamentPlan) and plan.same_deals:
        return plan.matches // 2 * plan.rounds
    return plan.total // 2 + EXTRA_PAIRS
