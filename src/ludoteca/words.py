"""What a player reads, in English and in Spanish, side by side so that neither is forgotten."""

from __future__ import annotations

import locale
import os
from typing import Final, Literal, get_args

__all__ = ["LANGUAGES", "Language", "Words", "preferred_language"]

Language = Literal["en", "es"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


class Words:
    """A small dictionary: each keyword is a phrase in English and in Spanish, as `str.format` templates.

    >>> greet = Words(hello=("Hello, {name}!", "¡Hola, {name}!"))
    >>> greet("hello", "es", name="Ana")
    '¡Hola, Ana!'
    """

    def __init__(self, **phrases: tuple[str, str]) -> None:
        self._phrases = phrases

    def __call__(self, key: str, language: Language = "en", **values: object) -> str:
        """The phrase `key` in `language`, with its fields filled in."""
        return self._phrases[key][LANGUAGES.index(language)].format(**values)


def preferred_language() -> Language:
    """Spanish where the environment asks for Spanish, English everywhere else."""
    setting = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    name = setting or (locale.getlocale()[0] or "")
    return "es" if name.lower().startswith(("es", "spanish")) else "en"
