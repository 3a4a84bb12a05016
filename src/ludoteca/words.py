"""What a player reads, in English and in Spanish, side by side so that neither is forgotten."""

from __future__ import annotations

import locale
import os
import re
from typing import Final

from ludoteca.catalogues import Language

__all__ = ["LANGUAGES", "Language", "Phrasebook", "Template", "Words", "preferred_language"]

LANGUAGES: Final[tuple[Language, ...]] = ("en", "es")


class Words:
    """A small dictionary: each keyword is a phrase in English and in Spanish, as `str.format` templates.

    >>> greet = Words(hello=("Hello, {name}!", "¡Hola, {name}!"))
    >>> greet("hello", "es", name="Ana")
    '¡Hola, Ana!'
    """

    def __init__(self, **phrases: tuple[str, str]) -> None:
        self._phrases = phrases

    def __contains__(self, key: object) -> bool:
        return key in self._phrases

    def __call__(self, key: str, language: Language = "en", **values: object) -> str:
        """The phrase `key` in `language`, with its fields filled in."""
        return self._phrases[key][LANGUAGES.index(language)].format(**values)


class Phrasebook:
    """Sentences that are known by their form, to be said in another language: pairs of templates.

    ``{field}`` stands for anything, and goes over as it is; ``<field>`` for something that is itself in the book, or
    else goes over as it is too. `parts` are found only there, within a sentence. Where several templates fit, the one
    that understands the most letters counts.

    >>> book = Phrasebook({"{who} is <mood>": "{who} está <mood>"}, parts={"angry": "de mal humor"})
    >>> book("Ana is angry")
    'Ana está de mal humor'
    >>> book("angry") is None
    True
    """

    def __init__(self, sentences: dict[str, str], parts: dict[str, str]) -> None:
        self.sentences = [Template(one, other) for one, other in sentences.items()]
        self.parts = [Template(one, other) for one, other in parts.items()]

    def __call__(self, text: str) -> str | None:
        """The same in the other language; None where no template fits."""
        return self._best(text, self.sentences, DEEPEST)[1]

    def _best(self, text: str, templates: list[Template], deeper: int) -> tuple[int, str | None]:
        """How many letters of a text are understood at best, and what it is then in the other language."""
        best: tuple[int, str | None] = (-1, None)
        for template in templates:
            values = template.fit(text)
            if values is None:
                continue
            understood = template.weight
            for field, value in values.items():
                if field.startswith("<") and deeper:
                    more, said = self._best(value, [*self.sentences, *self.parts], deeper - 1)
                    if said is not None:
                        understood, values[field] = understood + more, said
            if understood > best[0]:
                best = understood, template.fill(values)
        return best


DEEPEST = 3
"""So many sentences may stand within each other."""
FIELD = re.compile(r"(\{\w+\}|<\w+>)")


class Template:
    """A pair of sentences with the same fields."""

    def __init__(self, one: str, other: str) -> None:
        parts = FIELD.split(one)
        self.fixed, self.fields, self.other = parts[::2], parts[1::2], FIELD.split(other)
        self.weight = sum(map(len, self.fixed))

    def fit(self, text: str) -> dict[str, str] | None:
        """What the fields stand for in `text`: each as little as it can, so that no text takes long to fit or fail."""
        first, last = self.fixed[0], self.fixed[-1]
        if not self.fields:
            return {} if text == first else None
        at, end, values = len(first), len(text) - len(last), []
        if at > end or not text.startswith(first) or not text.endswith(last):
            return None
        for fixed in self.fixed[1:-1]:
            found = text.find(fixed, at, end)
            if found < 0:
                return None
            values.append(text[at:found])
            at = found + len(fixed)
        return dict(zip(self.fields, [*values, text[at:end]], strict=True))

    def fill(self, values: dict[str, str]) -> str:
        """The other sentence with these values."""
        return "".join(values.get(part, part) for part in self.other)


def preferred_language() -> Language:
    """Spanish where the environment asks for Spanish, English everywhere else."""
    setting = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    name = setting or (locale.getlocale()[0] or "")
    return "es" if name.lower().startswith(("es", "spanish")) else "en"
