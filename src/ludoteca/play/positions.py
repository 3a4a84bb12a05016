"""A position written as the names of the actions that lead to it."""

from __future__ import annotations

from ludoteca.catalogues import SOURCE, Language
from ludoteca.errors import InvalidAction, InvalidPosition
from ludoteca.games.typed_actions import parse_typed_action
from ludoteca.play.match import Match
from ludoteca.protocols import Action, Game

LONGEST_NAME = 4
"""The most words in the name of an action."""


def position(game: Game, actions: str = "", *, start: str = "", seed: int = 0, language: Language = SOURCE) -> Match:
    """The match of `game` after these actions, from a deal or from the position `start`. Raises InvalidPosition.

    >>> import ludoteca
    >>> position(ludoteca.game("hex:size=3"), "b2 a3").turn
    0
    """
    match = Match(game, seed, start=start)
    words = actions.replace(",", " ").split()
    while words:
        if match.turn is None:
            raise InvalidPosition("the match is over here, so this cannot be played: {rest}", rest=" ".join(words)[:80])
        action, used = _next_action(match, words, language)
        match.play(action)
        words = words[used:]
    return match


def _next_action(match: Match, words: list[str], language: Language) -> tuple[Action, int]:
    """The action that the first words name, the longest name first, and how many words that is."""
    assert match.turn is not None
    legal = match.view(match.turn).legal()
    wrong: InvalidAction | None = None
    for count in range(min(LONGEST_NAME, len(words)), 0, -1):
        try:
            return parse_typed_action(match.game, " ".join(words[:count]), legal, language), count
        except InvalidAction as error:
            wrong = error  # the last one is about the first word alone
    assert wrong is not None
    raise InvalidPosition(
        "action {place} of the position: {why}", place=len(match.actions) + 1, why=wrong.message
    ) from None
