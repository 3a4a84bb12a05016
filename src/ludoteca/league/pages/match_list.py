"""Matches of a version as a list, each with a link to its replay."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ludoteca.agents.tracebacks import in_brief
from ludoteca.games import game as game_of
from ludoteca.games.side_names import side
from ludoteca.league.database import PlayedMatch
from ludoteca.league.pages.check_report import plain
from ludoteca.league.pages.names import Names

LISTED = 25
"""Matches on one page of the list."""
LONGEST_REASON = 400


def match_list(names: Names, game: str, matches: Sequence[PlayedMatch], *, own: bool) -> str:
    """The matches; own: for the version's student or a teacher, who also see what went wrong in its code."""
    return "".join(_row(names, game, match, own) for match in matches)


def _row(names: Names, game: str, match: PlayedMatch, own: bool) -> str:
    speaker, opponent = names.speaker, names.snapshot.versions.get(match.opponent)
    title = "" if opponent is None else names.title(opponent)
    won = "won" if match.score == 1 else "lost" if match.score == 0 else "drawn"
    words = {
        "won": speaker.say_as("a match", "won"),
        "lost": speaker.say_as("a match", "lost"),
        "drawn": speaker.say_as("a match", "drawn"),
    }[won]
    about = [speaker.translate(side(game_of(game), match.seat))]
    if match.ending.is_fault:
        about.append(speaker.translate(match.ending.words) + ("" if match.own_fault else f" ({speaker.say('theirs')})"))
    if match.challenge is not None:
        about.append(speaker.say("challenge"))
    fault = ""
    if own and match.own_fault and match.message:
        fault = f'<small class="trouble">{escape(reason(names, match.message))}</small>'
    return (
        f'<a class="played {won}" href="/league/match/{match.place}"><span class="result">{escape(words)}</span>'
        f"<span><b>{escape(title)}</b> <small>{escape(' · '.join(about))}</small>{fault}</span></a>"
    )


def reason(names: Names, message: str) -> str:
    """What went wrong, in a line, with the line of the file."""
    return plain(names.speaker, in_brief(message))[:LONGEST_REASON]
