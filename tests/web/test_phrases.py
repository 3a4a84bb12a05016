from __future__ import annotations

import re
import string
from pathlib import Path

from ludoteca import games, spec
from ludoteca.web import phrases
from ludoteca.web.lessons import GAMES
from ludoteca.web.phrases import HELP, SAY, accepted_language


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_have_the_same_fields_and_no_phrase_is_left_empty() -> None:
    for key, (english, spanish) in SAY._phrases.items():
        assert english and spanish, key
        assert fields(english) == fields(spanish), key


def test_every_phrase_is_used_and_every_used_phrase_exists() -> None:
    folder = Path(phrases.__file__).parent
    source = "\n".join(path.read_text() for path in folder.rglob("*.py") if path.name != "phrases.py")
    for key in SAY._phrases:
        assert f'"{key}"' in source or f"'{key}'" in source, key
    for key in re.findall(r"say\(\s*[\"'](\w+)[\"']", source):
        assert key in SAY._phrases, key


def test_every_game_of_ours_is_told_in_both_languages() -> None:
    for name in ("dominoes", "hex", "horses", "kittens"):
        assert all(part for texts in GAMES[name].values() for part in texts)
        for option in spec.options(games.game_class(name)):
            assert f"{name} {option.name}" in HELP


def test_the_browser_says_which_language() -> None:
    assert accepted_language("") == "en"
    assert accepted_language("es") == "es"
    assert accepted_language("en-GB,en;q=0.9,es;q=0.8") == "en"
    assert accepted_language("de;q=1, es-AR;q=0.5, en;q=0.4") == "es"
    assert accepted_language("es;q=zero, " + "x" * 10_000) == "en"
