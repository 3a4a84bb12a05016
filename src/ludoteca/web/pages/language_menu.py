"""The choice of a language: every catalogue adds its own name to it."""

from __future__ import annotations

from html import escape

from ludoteca.catalogues import SOURCE, Language, languages, look_up
from ludoteca.messages import Speaker, say, translate

# Translators: the name of your own language, as its speakers write it; it stands in the menu of languages
OWN_NAME = say("English")


def own_name(language: Language) -> str:
    """What a language is called by those who speak it; its tag if its catalogue does not say."""
    known = language == SOURCE or look_up(language, OWN_NAME.template) is not None
    return translate(OWN_NAME, language) if known else language


def language_links(current: Language, back: str) -> str:
    """A link for each language, which leads back to the quoted address."""
    return "".join(
        f'<a class="control" lang="{each}" href="/language/{each}?back={back}"'
        f"{' aria-current=true' if each == current else ''}>{escape(own_name(each))}</a>"
        for each in languages()
    )


def language_menu(speaker: Speaker, back: str) -> str:
    """The menu in the header: the name of the current language, on a phone its tag; opened, all of them."""
    current = speaker.language
    label = escape(speaker.say("Language"), quote=True)
    return (
        f'<details class="settings languages"><summary class="control" title="{label}"><span class="long">'
        f'<span class="unseen">{label}: </span>{escape(own_name(current))}</span>'
        f'<span class="short" aria-hidden="true">{current.partition("-")[0].upper()}</span></summary>'
        f'<div class="card">{language_links(current, back)}</div></details>'
    )
