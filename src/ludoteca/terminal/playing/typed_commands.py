"""The commands that a person may type instead of a move, in English or in their language."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable

from ludoteca.catalogues import Language
from ludoteca.messages import Message, say, say_as, translate

HELP, RULES, HINT = say_as("command", "help"), say_as("command", "rules"), say_as("command", "hint")
LEGAL, BOARD, UNDO = say_as("command", "legal"), say_as("command", "board"), say_as("command", "undo")
RESIGN, QUIT = say_as("command", "resign"), say_as("command", "quit")
REVIEW, THOUGHTS = say_as("command", "review"), say_as("command", "thoughts")

DURING = {
    HELP: say("this list; ? works too"),
    RULES: say("the rules in a minute"),
    HINT: say("what the strongest engine would play, and why"),
    LEGAL: say("all legal moves"),
    BOARD: say("the board again"),
    UNDO: say("take your last move back"),
    RESIGN: say("give up, after a question"),
    QUIT: say("leave; the match is saved, as with Ctrl-C"),
}
"""While a match is played."""
AFTER = {
    REVIEW: say("what the strongest engine thinks of every move"),
    THOUGHTS: say("what the agent thought at each of its moves"),
    BOARD: say("the board again"),
    RULES: say("the rules in a minute"),
    QUIT: say("leave; Enter works too"),
}
"""When it is over."""
OTHER_NAMES = {"?": HELP, "h": HELP, "exit": QUIT, "q": QUIT}


class CommandWords:
    """Commands with their explanations, in one language."""

    def __init__(self, commands: dict[Message, Message], language: Language) -> None:
        self._commands, self._language = commands, language
        self._known = {translate(each, language): each for each in commands}

    def meant(self, word: str) -> str:
        """The English name of a typed command; empty for anything else."""
        word = word.strip().lower()
        if word in self._known:
            return str(self._known[word])
        other = OTHER_NAMES.get(word, word)
        return str(other) if other in self._commands else ""

    def near(self, word: str) -> str:
        """The command most like a mistyped word; empty if none is."""
        return next(iter(difflib.get_close_matches(word.strip().lower(), self.names(), n=1, cutoff=0.7)), "")

    def names(self) -> list[str]:
        """The commands as a person types them."""
        return list(self._known)

    def lines(self) -> Iterable[str]:
        """A line for each command."""
        width = max(map(len, self._known))
        return (
            f"  {name:<{width}}  {translate(self._commands[command], self._language)}"
            for name, command in self._known.items()
        )


def unaccented(text: str) -> str:
    """A text in lower case without accents, which not every keyboard has: ``Sí `` becomes ``si``."""
    return unicodedata.normalize("NFD", text.strip().lower()).encode("ascii", "ignore").decode()
