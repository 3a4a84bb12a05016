"""What programs that preview links read in the head of a page: words, and where there is one, a picture."""

from __future__ import annotations

from html import escape

from nicegui import ui
from starlette.requests import Request

from ludoteca.games.details import details_of
from ludoteca.play.match import Match
from ludoteca.protocols import Drawable
from ludoteca.web.drawing.shared_pictures import HEIGHT, WIDTH
from ludoteca.web.tables.shared_match import shared_query

PICTURES = "/shared/"
"""Where the pictures of a match are."""


def add_preview(request: Request, title: str, about: str, match: Match | None = None, *, result: bool = False) -> None:
    """Adds the tags to the page that is being built.

    match: what the picture shows; none is named where it would show what is hidden. result: the picture says how the
    match ended. The host is as the request named it; `OriginCheck` refuses names that are not ours.
    """
    image = ""
    if match is not None and isinstance(match.game, Drawable) and not details_of(match.game).hidden_information:
        kind = "preview" if result else "position"
        image = f"{str(request.base_url).rstrip('/')}{PICTURES}{kind}.png?{shared_query(match)}"
    ui.add_head_html(preview_tags(title, about, image, f"{title}. {about}", sized=result))


def preview_tags(title: str, about: str, image: str = "", alt: str = "", *, sized: bool = False) -> str:
    """The tags as HTML. sized: the picture is as large as a preview."""
    tags = {"og:type": "website", "og:site_name": "Ludoteca", "og:title": title, "og:description": about}
    if image:
        tags |= {"og:image": image, "og:image:alt": alt}
    if image and sized:
        tags |= {"og:image:width": str(WIDTH), "og:image:height": str(HEIGHT)}
    named = "".join(f'<meta property="{name}" content="{escape(text, quote=True)}">' for name, text in tags.items())
    return f'{named}<meta name="twitter:card" content="{"summary_large_image" if image else "summary"}">'
