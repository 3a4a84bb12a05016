"""A page of the league as an HTML document: head, header, content."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from ludoteca.league.database import Teacher, Viewer
from ludoteca.messages import say
from ludoteca.web.pages.frame import HEAD, Theme, Visit, palette, versioned
from ludoteca.web.pages.language_menu import language_menu

LINKS = [(say("Leaderboard"), "/league"), (say("My page"), "/league/me"), (say("Challenges"), "/league/challenges")]
TEACHER_LINKS = [(say("Leaderboard"), "/league"), (say("Teacher"), "/league/teacher")]
NEXT_THEME: dict[Theme, Theme] = {"auto": "dark", "dark": "light", "light": "auto"}
THEME_SIGN = {"auto": "◐", "light": "☀", "dark": "☾"}
THEME_SCRIPT = 'document.body.classList.toggle("body--dark", matchMedia("(prefers-color-scheme: dark)").matches)'


def document(visit: Visit, viewer: Viewer | None, token: str, title: str, body: str) -> str:
    """The whole document. title: plain text; body: HTML."""
    theme = {"dark": ' class="plain body--dark"', "light": ' class="plain body--light"'}.get(
        visit.theme, ' class="plain"'
    )
    script = f"<script>{THEME_SCRIPT}</script>" if visit.theme == "auto" else ""
    return (
        f'<!doctype html><html lang="{visit.language}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)} · Ludoteca</title>'
        f'<link rel="icon" href="/favicon.ico">{HEAD}{palette(visit)}'
        f'<script src="{versioned("league.js")}" defer></script></head>'
        f"<body{theme}>{script}{_header(visit, viewer, token)}"
        f'<main id="content" tabindex="-1" class="content">{body}</main></body></html>'
    )


def _header(visit: Visit, viewer: Viewer | None, token: str) -> str:
    say = visit.say
    links, leave = "", ""
    if viewer is not None:
        here = visit.path.partition("?")[0]
        links = "".join(
            f'<a href="{href}"{" aria-current=page" if here == href else ""}>{escape(visit.translate(text))}</a>'
            for text, href in (TEACHER_LINKS if isinstance(viewer, Teacher) else LINKS)
        )
        leave = (
            f'<form method="post" action="/league/leave"><input type="hidden" name="token" value="{token}">'
            f'<button class="control">{escape(say("Sign out"))}</button></form>'
        )
    back = quote(visit.path, safe="")
    label = escape(say("Light or dark"), quote=True)
    return (
        f'<header class="top"><a class="skip" href="#content">{escape(say("Skip to the content"))}</a>'
        f'<a class="brand" href="/league"><span aria-hidden="true">⬢</span> <b>Ludoteca</b></a>'
        f'<nav>{links}</nav><span class="grow"></span>'
        f'<a class="quiet" href="/theme/{NEXT_THEME[visit.theme]}?back={back}" title="{label}" '
        f'aria-label="{label}">{THEME_SIGN[visit.theme]}</a>{language_menu(visit, back)}{leave}</header>'
    )


def error_body(visit: Visit, message: str, back: str) -> str:
    """What stands in place of a page that could not be shown, with a link back."""
    return (
        f'<section class="card message"><h1 class="title">{escape(visit.say("This did not work"))}</h1>'
        f'<p role="alert">{escape(message[:600])}</p>'
        f'<a class="button" href="{back}">{escape(visit.say("Back"))}</a></section>'
    )
