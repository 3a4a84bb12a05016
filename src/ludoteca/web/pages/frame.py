"""What all pages share: the visitor and language, the header, and error messages."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from html import escape
from typing import Literal, get_args
from urllib.parse import quote

from nicegui import ui
from nicegui.language import Language as NiceguiLanguage
from starlette.requests import Request

from ludoteca import games
from ludoteca.agents.identity import Identity, short_spec
from ludoteca.catalogues import Language, accepted_language, languages
from ludoteca.errors import LudotecaError
from ludoteca.messages import Speaker, say, translate
from ludoteca.protocols import Game
from ludoteca.web import STATIC
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.game_names import game_name
from ludoteca.web.pages.language_menu import language_links, language_menu
from ludoteca.web.serving.addresses import address_key
from ludoteca.web.serving.garbage import free_client
from ludoteca.web.serving.path_redaction import redact_paths
from ludoteca.web.thinking.agent_titles import agent_title, agent_titles

Theme = Literal["auto", "light", "dark"]
Palette = Literal["usual", "contrast", "colour-blind"]
THEMES: dict[Theme, str] = {"auto": say("as the system"), "light": say("light"), "dark": say("dark")}
PALETTES: dict[Palette, str] = {
    "usual": say("usual"),
    "contrast": say("high contrast"),
    "colour-blind": say("for colour-blind people"),
}


def versioned(name: str) -> str:
    """The address of a static file; it changes with the content, so browsers may cache the file for good."""
    return f"/static/{name}?v={hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]}"


HEAD = (
    f'<link rel="stylesheet" href="{versioned("style.css")}">'
    f'<link rel="stylesheet" media="screen" href="{versioned("boards.css")}">'  # on paper boards are light
    + "".join(f'<script src="{versioned(name)}" defer></script>' for name in ("page.js", "sounds.js", "motion.js"))
    + '<meta name="theme-color" content="#7a4a2b">'
)

MEASURE = """<script>
(() => {
  // The server draws boards for a desktop or a phone: the browser says which, before anything is shown.
  const phone = matchMedia("(max-width: 600px)");
  const save = () => { document.cookie = `narrow=${phone.matches ? 1 : 0}; path=/; max-age=31536000; samesite=lax`; };
  const update = () => {
    save();
    const saved = document.cookie.includes(`narrow=${phone.matches ? 1 : 0}`);
    const boards = /^\\/(table|replay|edit|advise|watch|look|review|puzzle|guide)/.test(location.pathname);
    if (saved && boards && phone.matches !== DRAWN) location.reload();
  };
  phone.addEventListener("change", update);
  update();
})();
</script>"""
"""DRAWN stands for whether the boards of this page are narrow."""


EARLY = """<script>
{
  // Quasar sets this class too, but only once it is loaded: dark pages would begin with a flash of light.
  const dark = "THEME" === "dark" || ("THEME" === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  if (dark) document.body.classList.add("body--dark");
}
</script>"""
"""Before the header that is shown until the scripts have made the page; THEME stands for the visitor's."""


@dataclass(frozen=True)
class Visit(Speaker):
    """One request for a page: the visitor, their language and theme, and the address."""

    visitor: str
    theme: Theme
    path: str
    """The requested address with its query."""
    palette: Palette = "usual"
    narrow: bool = False
    """Whether the screen is a phone's, as the browser says in a cookie; see MEASURE."""
    address: str = ""
    """The network address by which visitors are counted; see `address_key`."""

    @classmethod
    def of(cls, request: Request) -> Visit:
        """Reads a request's cookies and headers; ignores unknown values."""
        language = request.cookies.get("language", "")
        if language not in languages():
            language = accepted_language(request.headers.get("accept-language", ""))
        stored = request.cookies.get("theme", "")
        theme: Theme = "dark" if stored == "dark" else "light" if stored == "light" else "auto"
        chosen = request.cookies.get("palette", "")
        palette: Palette = (
            "contrast" if chosen == "contrast" else "colour-blind" if chosen == "colour-blind" else "usual"
        )
        query = f"?{request.url.query}" if request.url.query else ""
        return cls(
            language,
            str(request.session.get("id", "")),
            theme,
            request.url.path + query,
            palette,
            request.cookies.get("narrow") == "1",
            address_key(request.client.host if request.client else ""),
        )

    def picture(self, game: str, *, large: bool = False) -> str:
        """The address of a game's picture in this visitor's language and theme, escaped for HTML.

        large: a match of the game, as wide as the screen. Otherwise its cover, which has no details that would be too
        small in a card.
        """
        looks = "" if self.palette == "usual" else f"&amp;palette={self.palette}"
        kind = "&amp;cover=1" if not large else "&amp;narrow=1" if self.narrow else ""
        return f"/picture/{game}.svg?language={self.language}&amp;theme={self.theme}{looks}{kind}"

    def explain(self, error: Exception) -> str:
        """An error's message in one line, in the visitor's language."""
        message = error.message if isinstance(error, LudotecaError) else str(error)
        return self.translated(message)

    def translated(self, message: str) -> str:
        """The first line of a message in the visitor's language, without the server's folders."""
        return redact_paths(self.translate(message).split("\n")[0])

    def spoken(self, action: str) -> str:
        """An action's name in the visitor's language."""
        return _with_arrows(self.translate(action))

    def agent(self, spec: str) -> str:
        """An agent's title in the visitor's language."""
        return self.translate(agent_title(spec))

    def exact(self, spec: str) -> str:
        """An attribute that shows an agent's spec as a tooltip, for programmers; empty where its name is its spec."""
        return "" if self.agent(spec) == spec else f' title="{escape(short_spec(spec), quote=True)}"'

    def game(self, spec: str) -> str:
        """A game's name with its options in the visitor's language."""
        return self.translate(game_name(spec))

    def agents(self, identities: Iterable[Identity]) -> dict[Identity, str]:
        """What several agents are called, in the visitor's language; no two are called the same."""
        return {agent: self.translate(title) for agent, title in agent_titles(identities).items()}

    def note(self, text: str) -> str:
        """An agent's note in the visitor's language."""
        return _with_arrows(redact_paths(self.translate(text)))


def _with_arrows(text: str) -> str:
    """Dominoes notation made easier to read: ``6-4 ←`` for ``6-4@left``."""
    return text.replace("@left", " ←").replace("@right", " →")


def game_title(game: str | Game, language: Language) -> str:
    """A game's title, or else its registered name. game: the name, or the game itself where its options matter."""
    name, titled = (game, games.game_class(game)) if isinstance(game, str) else (game.name, game)
    return translate(getattr(titled, "title", name.capitalize()), language)


def raw(content: str = "", *, tag: str = "div") -> ui.html:
    """An element with our own HTML; every foreign text in it must be escaped."""
    return ui.html(content, sanitize=False, tag=tag)


def icon(name: str) -> str:
    """A picture of the icon font as HTML, without a meaning of its own."""
    return f'<i class="material-icons" aria-hidden="true">{name}</i>'


def control(
    command: str,
    text: str,
    sign: str = "",
    key: str = "",
    *,
    enabled: bool = True,
    pressed: bool = False,
    obstacle: str = "",
) -> str:
    """A button as HTML, for a click listener with ``ludoteca.command``.

    command: what a click sends. sign: the name of an icon. key: the key that presses the button too. obstacle: why the
    button is disabled.
    """
    title = f"{text}: {obstacle}" if obstacle else f"{text} ({key})" if key else ""
    hint = (f' data-key="{key}"' if key else "") + (f' title="{escape(title, quote=True)}"' if title else "")
    state = f"{'' if enabled and not obstacle else ' disabled'}{' aria-pressed=true' if pressed else ''}"
    return (
        f'<button type="button" class="control" data-do="{command}"{hint}{state}>{icon(sign) if sign else ""}'
        f"<span>{escape(text)}</span></button>"
    )


def page(path: str) -> Callable[[Callable[[Visit, Request], None]], None]:
    """Registers a page: its content inside the frame, or the error that building it raised."""

    def register(build: Callable[[Visit, Request], None]) -> None:
        def shown(request: Request) -> None:
            visit = Visit.of(request)
            with frame(visit) as content:
                try:
                    build(visit, request)
                except LudotecaError as error:
                    content.clear()
                    with content:
                        error_card(visit, visit.explain(error))
                    ui.context.client.status_code = 404 if isinstance(error, NotFound) else 400

        ui.page(path)(shown)

    return register


@contextmanager
def frame(visit: Visit) -> Iterator[ui.element]:
    """The header and, inside the with block, the content."""
    # In the document itself, not after the connection: screen readers start before that.
    ui.add_head_html(f"<script>document.documentElement.lang = {visit.language!r}</script>{HEAD}{palette(visit)}")
    ui.add_head_html(MEASURE.replace("DRAWN", "true" if visit.narrow else "false"))
    # All visitors share a page object, and NiceGUI reports a lost connection in its language.
    client = ui.context.client
    client.page = copy(client.page)
    client.page.language = next((tag for tag in get_args(NiceguiLanguage) if tag == visit.language), "en-US")
    client.on_delete(free_client)
    ui.page_title("Ludoteca")
    if visit.theme != "auto":  # the default
        ui.dark_mode(visit.theme == "dark")
    ui.context.client.on_exception(lambda error: _notify_our_fault(visit))
    back = quote(visit.path, safe="")
    links = "".join(f'<a href="{href}">{visit.translate(text)}</a>' for text, href in NAVIGATION)
    brand = '<a class="brand" href="/"><span aria-hidden="true">⬢</span> <b>Ludoteca</b></a>'
    # Without the links: they would move when their font comes.
    ui.add_body_html(f'{EARLY.replace("THEME", visit.theme)}<header class="top early">{brand}</header>')
    raw(
        f'<a class="skip" href="#content">{visit.say("Skip to the content")}</a>{brand}'
        f'<nav>{links}</nav><span class="grow"></span>'
        f"{settings(visit, back)}{language_menu(visit, back)}",
        tag="header",
    ).classes("top")
    with ui.element("div").props("id=content tabindex=-1").classes("content") as content:
        yield content


# Translators: the links at the top of every page; keep them short, a phone shows all of them
NAVIGATION = [(say("Play"), "/"), (say("Watch"), "/watch"), (say("Puzzles"), "/puzzles"), (say("Edit"), "/edit"),
              (say("Learn"), "/learn")]  # fmt: skip
"""The links in the header, title and address each; a site with other pages replaces them before it opens."""
OUR_FAULT = say("Something went wrong on our side. Your matches are saved; please try again.")


def palette(visit: Visit) -> str:
    """What the head of a page has for a palette other than the usual one."""
    if visit.palette == "usual":
        return ""
    sheet = f'<link rel="stylesheet" media="screen" href="{versioned("palettes.css")}">'
    return f"<script>document.documentElement.dataset.palette = {visit.palette!r}</script>{sheet}"


def settings(visit: Visit, back: str) -> str:
    """The settings in a pop-up: light and colours, which the server keeps in cookies, and what the browser keeps.

    back: the quoted address of this page. See sounds.js for the switches.
    """
    say = visit.say

    def choice(title: str, kind: str, current: str, values: Iterable[tuple[str, str]]) -> str:
        links = "".join(
            f'<a class="control" href="/{kind}/{value}?back={back}"{" aria-current=true" if value == current else ""}>'
            f"{escape(text[:1].upper() + text[1:])}</a>"
            for value, text in ((value, visit.translate(text)) for value, text in values)
        )
        return f'<p>{escape(title)}</p><div class="row">{links}</div>'

    def switch(name: str, text: str, default: str = "off") -> str:
        box = f'<input type="checkbox" data-setting="{name}" data-default="{default}">'
        return f'<label class="option">{box}{escape(text)}</label>'

    label = escape(say("Settings"), quote=True)
    return (
        f'<details class="settings"><summary class="control" title="{label}" aria-label="{label}">{icon("tune")}'
        "</summary>"
        f'<div class="card"><p>{escape(say("Language"))}</p>'
        f'<div class="row">{language_links(visit.language, back)}</div>'
        f"{choice(say('Light or dark'), 'theme', visit.theme, THEMES.items())}"
        f"{choice(say('Colours'), 'palette', visit.palette, PALETTES.items())}"
        f"{switch('sound', say('Sound'))}{switch('vibration', say('Vibrate at a tap, where the device can'), 'on')}"
        f"{switch('confirm', say('Always ask for a second tap before a move'))}"
        f"{switch('reactions', say('Show reactions of other players'), 'on')}</div></details>"
    )


def sound_button(visit: Visit) -> str:
    """The switch of the sounds beside a board; see sounds.js."""
    label = escape(visit.say("Sound"), quote=True)
    return (
        f'<button type="button" class="control" data-setting="sound" aria-pressed="false" title="{label}" '
        f'aria-label="{label}">{icon("volume_off")}</button>'
    )


def error_card(visit: Visit, message: str) -> None:
    """A message in place of a page, with a link to the start page; shows the first line only."""
    raw(
        f'<h1 class="title">{escape(visit.say("This did not work"))}</h1>'
        f"<p>{escape(message.split(chr(10))[0][:600])}</p>"
        f'<a class="button" href="/">{escape(visit.say("To the start page"))}</a>',
        tag="section",
    ).classes("card message")


def while_connected(subscribe: Callable[[], None], unsubscribe: Callable[[], None]) -> None:
    """Calls these when the browser of the page that is being built connects, and when it has left.

    A tab whose connection was lost and that has a new one has not left.
    """
    client = ui.context.client
    client.on_connect(subscribe)
    client.on_disconnect(lambda: None if client.has_socket_connection else unsubscribe())
    client.on_delete(unsubscribe)


def _notify_our_fault(visit: Visit) -> None:
    ui.notify(visit.translate(OUR_FAULT), type="negative")
