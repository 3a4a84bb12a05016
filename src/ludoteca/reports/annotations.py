"""A reviewed match with the engine's comments and variations, for formats that hold them: SGF and text."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.agents import short_spec
from ludoteca.catalogues import SOURCE, Language
from ludoteca.errors import LudotecaError
from ludoteca.games import game as game_of
from ludoteca.games.details import details_of
from ludoteca.games.side_names import side
from ludoteca.messages import Speaker
from ludoteca.play.match import Match
from ludoteca.play.match_tree import MatchTree
from ludoteca.protocols import Action, Game
from ludoteca.reports.chance import outlook
from ludoteca.reports.review import Review, ReviewedAction

LONGEST = 12
"""The most actions of a variation."""


def annotated(review: Review, language: Language = SOURCE) -> MatchTree:
    """The match with the engine's comment on each action, and as a variation what it would have played instead.

    With hidden hands there are no variations: the engine's line is what the seat expected, not what was possible.
    """
    speaker, game = Speaker(language), game_of(review.record.game)
    comments, variations = {}, {}
    shows_lines = not details_of(game).hidden_information
    match = Match.of_record(review.record)
    for each in review.actions:
        comments[each.ply] = _comment(each, game, review.agent, speaker)
        if shows_lines and each.action != each.best.action:
            line = tuple(each.best.line) if tuple(each.best.line[:1]) == (each.best.action,) else (each.best.action,)
            variations[each.ply] = [_line(match.before(each.ply), line)]
    about = speaker.say("Reviewed by {agent}.", agent=short_spec(review.agent))
    for seat in (0, 1):
        lost, name = review.points_lost(seat), speaker.translate(side(game, seat))
        if lost is not None:
            sentence = speaker.say("{side}: lost {lost:.0f} points in 100 per move", side=name, lost=lost)
            about += f"\n{sentence[:1].upper()}{sentence[1:]}"
    return MatchTree.of(review.record, comments, variations, about)


def _comment(each: ReviewedAction, game: Game, agent: str, speaker: Speaker) -> str:
    """The comment on one action, in one or more lines; empty where nothing is known."""
    best, lines = each.best, []
    if stands := speaker.translate(outlook(game, each.seat, agent, best)):
        lines.append(stands)
    if each.action != best.action:
        better = speaker.translate(game.action_name(best.action))
        lines.append(speaker.say("better: {action}", action=better))
    if each.points_lost:
        lost = speaker.say("lost {lost:.0f} points in 100", lost=each.points_lost)
        lines.append(lost if each.sure else speaker.say("not sure"))
    if each.is_turning_point:
        lines.append(speaker.say("turning point"))
    if best.explanation:
        lines.append(speaker.translate(best.explanation))
    return "\n".join(lines)


def _line(match: Match, line: Sequence[Action]) -> list[Action]:
    """The legal beginning of a line from here."""
    played: list[Action] = []
    for action in line[:LONGEST]:
        try:
            match.play(action)
        except LudotecaError:
            break
        played.append(action)
    return played
