"""Turns what a person types into an action: in the game's notation or in the person's language."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.catalogues import SOURCE, Language
from ludoteca.errors import InvalidAction
from ludoteca.messages import translate
from ludoteca.protocols import Action, Game

LONGEST = 80  # characters of the input that count
SHOWN = 6  # actions that a message names


def parse_typed_action(game: Game, text: str, legal: Sequence[Action], language: Language = SOURCE) -> Action:
    """The legal action with this name, or the only one whose name begins so. Raises InvalidAction.

    Names are those of `Game.action_name`, and their translations into `language`.
    """
    text = " ".join(text[:LONGEST].split())
    try:
        action: Action | None = game.parse_action(text)
        unknown = None
    except InvalidAction as error:
        action, unknown = None, error
    if action is not None and action in legal:
        return action
    names = {each: _names(game, each, language) for each in legal}
    word = text.lower()
    meant = [each for each in legal if word in names[each]]
    meant = meant or [each for each in legal if word and any(name.startswith(word) for name in names[each])]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise InvalidAction(
            "{text!r} could be {names}", text=text, names=[game.action_name(each) for each in meant[:SHOWN]]
        )
    if unknown is not None and not any(word in _names(game, each, language) for each in range(game.num_actions)):
        raise unknown
    raise InvalidAction("{text!r} is not legal now", text=text)


def _names(game: Game, action: Action, language: Language) -> set[str]:
    name = game.action_name(action)
    return {str(name).lower(), translate(name, language).lower()}
