"""A review as comments and variations of its match, for formats that hold them: SGF, and text."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.agents import short_name
from ludoteca.catalogues import SOURCE, Language
from ludoteca.errors import LudotecaError
from ludoteca.games import game as game_of
from ludoteca.games.details import details_of
from ludoteca.games.side_names import side
from ludoteca.messages import Speaker
from ludoteca.play.match import Match
from ludoteca.play.match_tree import MatchTree
from ludoteca.protocols import Action, Game
from ludoteca.reports.review import Review, ReviewedAction

__all__ = ["commented"]

LONGEST = 12
"""Actions of a variation at most."""


def commented(review: Review, language: Language = SOURCE) -> MatchTree:
    """The match with what the engine says of each action; what it would have played instead is a variation.

    With hidden hands there are no variations: the engine's line is what the seat expected, not what was possible.
    """
    speaker, game = Speaker(language), game_of(review.record.game)
    comments, variations = {}, {}
    shows_lines = not details_of(game).hidden_information
    match = Match.of_record(review.record)
    for each in review.actions:
        comments[each.ply] = _comment(each, game, speaker)
        if shows_lines and each.action != each.best.action:
            line = tuple(each.best.line) if tuple(each.best.line[:1]) == (each.best.action,) else (each.best.action,)
            variations[each.ply] = [_line(match.before(each.ply), line)]
    about = speaker.say("Reviewed by {agent}.", agent=short_name(review.agent))
    for seat in (0, 1):
        lost, name = review.mean_lost(seat), speaker.translate(side(game, seat))
        if lost is not None:
            told = speaker.say("{side}: gave away {lost:.3f} per move on average", side=name, lost=lost)
            about += f"\n{told[:1].upper()}{told[1:]}"
    return MatchTree.of(review.record, comments, variations, about)


def _comment(each: ReviewedAction, game: Game, speaker: Speaker) -> str:
    """What is said of one action, on a line or more; nothing where nothing is known."""
    best, lines = each.best, []
    if best.value is not None:
        proven = speaker.say(" (proven)") if best.proven else ""
        lines.append(speaker.say("value {value:+.2f}", value=best.value) + proven)
    if each.action != best.action:
        better = speaker.translate(game.action_name(best.action))
        lines.append(speaker.say("better: {action}", action=better))
    if each.lost:
        lines.append(speaker.say("lost {lost:.2f}", lost=each.lost))
    if each.is_turning_point:
        lines.append(speaker.say("turning point"))
    if best.note:
        lines.append(speaker.translate(best.note))
    return "\n".join(lines)


def _line(match: Match, line: Sequence[Action]) -> list[Action]:
    """As much of a line as may be played from here."""
    played: list[Action] = []
    for action in line[:LONGEST]:
        try:
            match.play(action)
        except LudotecaError:
            break
        played.append(action)
    return played
