"""The few texts that NiceGUI shows by itself, from our catalogues: it knows fewer languages than we may have."""

from __future__ import annotations

from typing import Any, Final

from nicegui.translations import translations

from ludoteca.catalogues import SOURCE, languages
from ludoteca.messages import say, translate

TEXTS: Final = {
    "connection_lost": say("The connection is lost."),
    "trying_to_reconnect": say("Trying to connect again …"),
    "message_too_long": say("This is too long"),
    "message_too_long_body": say("It is too large to be sent."),
}


def register_framework_texts() -> None:
    """From now on NiceGUI shows these texts in every language of ours."""
    known: dict[Any, dict[str, str]] = translations
    for language in languages():
        tag = "en-US" if language == SOURCE else language
        known[tag] = {name: translate(text, language) for name, text in TEXTS.items()}
