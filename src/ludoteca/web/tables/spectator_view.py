"""A match with hidden hands as spectators see it; see `GameDetails.public_svg`."""

from __future__ import annotations

from html import escape

from ludoteca.games.details import details_of
from ludoteca.messages import Speaker
from ludoteca.play.match import Match


def public_board(speaker: Speaker, match: Match, *, narrow: bool = False) -> str:
    """The table as SVG, without any hand; narrow: for a phone."""
    picture = details_of(match.game).public_svg(match.view(0), narrow=narrow, language=speaker.language)
    if not picture:
        return f"<p>{escape(speaker.say('This game shows nothing to spectators.'))}</p>"
    return f"<svg role='group'{picture.removeprefix('<svg')}"  # its parts are read out one by one
