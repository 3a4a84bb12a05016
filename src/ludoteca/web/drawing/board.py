"""A picture of a view with clickable spots, and the chain that has won.

The games draw themselves; this module lays transparent outlines over the picture. Each carries its action in
``data-action``, which the page's click listener reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from html import escape
from itertools import takewhile

from ludoteca.catalogues import Language
from ludoteca.games.details import details_of
from ludoteca.games.display import marked_reasons
from ludoteca.messages import Speaker, say, translate
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.protocols import Action, Clickable, ClickArea, Decision, Drawable, Game, NarrowLayout, View
from ludoteca.web.serving.allowed_specs import cached_game

FEW = 16  # up to so many legal actions also get buttons, for thumbs and for people who do not see the picture


def board(
    view: View,
    *,
    playable: bool,
    legal: Collection[Action] | None = None,
    named: bool = True,
    waiting: bool = False,
    narrow: bool = False,
    heat: Mapping[Action, float] | None = None,
    last: Action | None = None,
    line: Sequence[Action] = (),
    reasons_of: Decision | None = None,
    language: Language = "en",
) -> str:
    """The view as HTML; with `playable` its spots can be clicked, the legal ones marked as such.

    legal: the actions to mark, if not those of the view. named: draws the spots even while no move is legal, so that
    screen readers can read the board and keep their place. waiting: it is another's turn, and a click plans an action
    (``ludoteca.plan`` in page.js). narrow: for a phone, where the game can draw that.
    reasons_of: the decision whose reasons are drawn; see `GameDetails.reason_marks`.
    """
    game: Game = view.game
    if not isinstance(game, Drawable):
        return text_board(game.text(view, language=language))
    layout = {"narrow": True} if narrow and isinstance(game, NarrowLayout) else {}
    picture = game.svg(view, heat=heat, last=last, line=line, language=language, **layout)
    overlay = details_of(game).end_overlay(view, **layout) if view.turn is None else ""
    if not overlay:  # reasons would hide what decided the match
        overlay = marked_reasons(view, reasons_of, narrow=bool(layout), language=language)
    picture = f"{picture.removesuffix('</svg>')}{overlay}</svg>"
    if not isinstance(game, Clickable) or not (playable or named):
        return f"<svg role='img'{picture.removeprefix('<svg')}"
    clickable: Clickable = game
    marked = (view.legal() if legal is None else legal) if playable else ()
    places = game.click_areas(view, **layout)
    spots = spot_paths(places, set(marked), lambda action: translate(clickable.area_name(view, action), language))
    again = escape(translate(TAP_AGAIN, language), quote=True)
    still = "" if playable else " class='still waiting'" if waiting else " class='still'"
    opened = f"<svg role='group'{still} data-turn='{view.turn}' data-again='{again}'{picture.removeprefix('<svg')}"
    return f"{opened.removesuffix('</svg>')}{spots}</svg>"


def first_reason(decision: Decision | None) -> Decision | None:
    """The decision with only the first of its reasons that can be drawn: more of them would hide the board."""
    if decision is None:
        return None
    return replace(decision, reasons=[reason for reason in decision.reasons if reason.places][:1])


def text_board(text: str) -> str:
    """A position in letters as HTML; lines of equal length at its start become squares, pieces and labels."""
    lines = text.split("\n")
    square = list(takewhile(lambda line: len(line) == len(lines[0]), lines))
    spaced = any(" " in line.lstrip() for line in square)
    if len(square) < FEWEST_LINES or spaced or "." not in "".join(square):
        square = []
    drawn = [_labels(line) if line[0] == " " else "".join(map(_square, line)) for line in square]
    rows = "\n".join([*drawn, *map(escape, lines[len(square) :])])
    return f'<pre class="text-board">{rows}</pre>'


def _square(letter: str) -> str:
    if letter.isdigit():
        return _labels(letter)
    look = {".": " empty", "x": " dark", "b": " dark", "o": " light", "w": " light"}.get(letter.lower(), "")
    return f'<span class="square{look}">{escape(letter)}</span>'


def _labels(line: str) -> str:
    return "".join(f'<span class="square label">{escape(letter)}</span>' for letter in line)


FEWEST_LINES = 3
"""Fewer lines of equal length are no board."""


def still_picture(view: View, *, narrow: bool = False, language: Language = "en") -> str:
    """The view as SVG and nothing else; empty for a game that does not draw itself."""
    game: Game = view.game
    if not isinstance(game, Drawable):
        return ""
    layout = {"narrow": True} if narrow and isinstance(game, NarrowLayout) else {}
    return game.svg(view, heat=None, last=None, line=(), language=language, **layout)


def public_board(speaker: Speaker, match: Match, *, narrow: bool = False) -> str:
    """The table as spectators see it, without any hand; narrow: for a phone. See `GameDetails.public_svg`."""
    picture = details_of(match.game).public_svg(match.view(0), narrow=narrow, language=speaker.language)
    if not picture:
        return f"<p>{escape(speaker.say('This game shows nothing to spectators.'))}</p>"
    return f"<svg role='group'{picture.removeprefix('<svg')}"  # its parts are read out one by one


def picture_shape(view: View, *, narrow: bool = False) -> float:
    """The width of the view's picture as a multiple of its height; 0 for a game that does not draw itself."""
    found = re.search(r"viewBox='[\d.]+ [\d.]+ ([\d.]+) ([\d.]+)'", still_picture(view, narrow=narrow))
    return round(float(found[1]) / float(found[2]), 4) if found else 0.0


def spot_paths(places: Sequence[ClickArea], legal: Collection[Action], name: Callable[[Action], str]) -> str:
    """The spots as SVG, to be laid over a picture; each is a button with its name as label.

    The tab key reaches one of them, arrow keys the others: see ``ludoteca.key`` in page.js.
    """
    first = next((action for action, _ in places if action in legal), places[0].action if places else None)
    return "".join(
        f"<path class='spot{' legal' if action in legal else ''}' d='{outline}' data-action='{action}' role='button' "
        f"tabindex='{0 if action == first else -1}' {'' if action in legal else DISABLED}"
        f"aria-label='{escape(name(action), quote=True)}'/>"
        for action, outline in places
    )


DISABLED = "aria-disabled='true' "
TAP_AGAIN = say("Tap again to play there")
"""Shown on boards whose cells are too small to hit reliably."""


def snapshot(record: Record, language: Language, *, narrow: bool = False) -> str:
    """The position of a match of agents, as seat 0 sees it; drawn once for all visitors. narrow: for a phone."""
    return _drawn(record.game, record.seed, record.start, record.actions, language, narrow)


@lru_cache(maxsize=128)
def _drawn(spec: str, seed: int, start: str, actions: tuple[Action, ...], language: Language, narrow: bool) -> str:
    view = Match(cached_game(spec), seed, actions, start=start).view(0)
    return board(view, playable=False, named=False, language=language, narrow=narrow)


def actions_as_words(view: View) -> list[Action]:
    """The legal actions that also get a button: all when they are few, else those without a spot in the picture."""
    legal = view.legal()
    if len(legal) <= FEW and details_of(view.game).hidden_information:
        return legal
    placed = {spot.action for spot in view.game.click_areas(view)} if isinstance(view.game, Clickable) else set()
    missing = [action for action in legal if action not in placed]
    return missing if len(missing) <= FEW or placed else []
