"""A picture of a view with the spots on which a person clicks, and the plot of how a match went.

The games draw themselves; here transparent outlines are laid over the picture. Each carries its action in
``data-action``, by which one listener on the page knows what was clicked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from html import escape

from ludoteca.catalogues import Language
from ludoteca.games.picture import GRID, INK, SEATS
from ludoteca.messages import say, translate
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.protocols import Action, Clickable, Drawable, Foldable, Game, Legible, Spot, View
from ludoteca.web.asked import rules

__all__ = ["board", "snapshot", "spot_paths", "value_plot", "words_needed"]

FEW = 16  # legal actions that are also offered as words, for thumbs and for those who do not see the picture


def board(
    view: View,
    *,
    playable: bool,
    named: bool = True,
    narrow: bool = False,
    heat: Mapping[Action, float] | None = None,
    last: Action | None = None,
    line: Sequence[Action] = (),
    language: Language = "en",
) -> str:
    """The view as HTML; with `playable` its spots can be clicked, the legal ones marked as such.

    named: all spots are there even while nobody can play, so that those who hear the page can read the board, and keep
    their place on it. narrow: as wide as a phone, where the game can draw that.
    """
    game: Game = view.game
    if not isinstance(game, Drawable):
        return f'<pre class="text-board">{escape(game.text(view, language=language))}</pre>'
    folded = {"narrow": True} if narrow and isinstance(game, Foldable) else {}
    picture = game.svg(view, heat=heat, last=last, line=line, language=language, **folded)
    if not isinstance(game, Clickable) or not (playable or named):
        return f"<svg role='img'{picture.removeprefix('<svg')}"
    legal = set(view.legal()) if playable else set()
    places = game.spots(view, **folded)
    spots = spot_paths(places, legal, lambda action: _spot_name(view, action, language))
    again = escape(translate(TAP_AGAIN, language), quote=True)
    still = "" if playable else " class='still'"
    opened = f"<svg role='group'{still} data-again='{again}'{picture.removeprefix('<svg')}"
    return f"{opened.removesuffix('</svg>')}{spots}</svg>"


def spot_paths(places: Sequence[Spot], legal: Collection[Action], name: Callable[[Action], str]) -> str:
    """The spots as SVG, to be laid over a picture; each is a button that is called by its name.

    One of them is reached by the tabulator, the others from there by arrows: see ``ludoteca.key`` in page.js.
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
"""Where cells are too small to be hit for sure."""


def _spot_name(view: View, action: Action, language: Language) -> str:
    """What is at a spot, or else what it is for."""
    game: Game = view.game
    name = game.spot_name(view, action) if isinstance(game, Legible) else game.action_name(action)
    return translate(name, language)


def snapshot(record: Record, language: Language) -> str:
    """How a match of agents stands, as seat 0 sees it; drawn once for all who look."""
    return _drawn(record.game, record.seed, record.start, record.actions, language)


@lru_cache(maxsize=128)
def _drawn(spec: str, seed: int, start: str, actions: tuple[Action, ...], language: Language) -> str:
    return board(Match(rules(spec), seed, actions, start=start).view(0), playable=False, named=False, language=language)


def words_needed(view: View) -> list[Action]:
    """The legal actions to offer as words too: all of a few, else those that have no spot in the picture."""
    legal = view.legal()
    if len(legal) <= FEW and bool(getattr(view.game, "secrets", True)):
        return legal
    placed = {spot.action for spot in view.game.spots(view)} if isinstance(view.game, Clickable) else set()
    missing = [action for action in legal if action not in placed]
    return missing if len(missing) <= FEW or placed else []


def value_plot(values: Sequence[float | None], at: int | None = None, *, title: str = "") -> str:
    """How the match stood after each action, from 1 (seat 0 wins) on top to -1, as a small SVG; `at` is marked.

    An action without a value leaves the curve as it was.
    """
    width, height, left = 320.0, 96.0, 4.0
    step = (width - 2 * left) / max(1, len(values) - 1)
    points: list[tuple[float, float]] = []
    for ply, value in enumerate(values):
        if value is not None:
            points.append((left + ply * step, height / 2 - value * (height / 2 - 6)))
    parts = [
        f"<rect width='{width:g}' height='{height / 2:g}' fill='{SEATS[0]}' fill-opacity='.10'/>",
        f"<rect y='{height / 2:g}' width='{width:g}' height='{height / 2:g}' fill='{SEATS[1]}' fill-opacity='.10'/>",
        f"<line x1='0' x2='{width:g}' y1='{height / 2:g}' y2='{height / 2:g}' stroke='{GRID}'/>",
    ]
    if at is not None and values:
        x = left + min(at, len(values) - 1) * step
        parts.append(f"<line x1='{x:.1f}' x2='{x:.1f}' y1='0' y2='{height:g}' stroke='{GRID}' stroke-dasharray='3 3'/>")
    if points:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f"<polyline points='{path}' fill='none' stroke='currentColor' stroke-width='2'/>")
        parts += [
            f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3' fill='{SEATS[0] if y < height / 2 else SEATS[1]}' stroke='{INK}' "
            f"stroke-width='.5'/>"
            for x, y in points
        ]
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:g} {height:g}' class='plot' role='img' "
        f"aria-label='{escape(title, quote=True)}'>{''.join(parts)}</svg>"
    )
