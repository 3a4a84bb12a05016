"""Positions in a notebook: as pictures, or as text if the game does not draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Protocol

from ludoteca.catalogues import Language
from ludoteca.games.details import details_of
from ludoteca.games.picture import Picture
from ludoteca.games.side_names import side
from ludoteca.messages import say
from ludoteca.protocols import Action, Decision, Drawable, Game, Seat, View

WIDTH, HEAD, GAP = 460.0, 30.0, 12.0
"""The measures of one of two pictures side by side."""


class HasViews(Protocol):
    """A state or a match: it has a view for each seat."""

    @property
    def game(self) -> Game:
        """Its game."""

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is."""

    def view(self, seat: Seat) -> View:
        """What the seat sees."""


def shown_views(seen: HasViews) -> list[View]:
    """The views that show all of a position: one with perfect information, else that of each seat."""
    if details_of(seen.game).hidden_information:
        return [seen.view(0), seen.view(1)]
    return [seen.view(seen.turn or 0)]


def position_svg(
    views: Sequence[View],
    *,
    heat: Mapping[Action, float] | None = None,
    line: Sequence[Action] = (),
    last: Action | None = None,
    reasons_of: Decision | None = None,
    language: Language = "en",
) -> str | None:
    """The views side by side as one SVG document; None if their game does not draw. See `Drawable.svg`.

    reasons_of: the decision whose reasons are drawn; see `GameDetails.reason_marks`.
    """
    game = views[0].game
    if not isinstance(game, Drawable):
        return None
    drawn = [
        game.svg(view, heat=heat, line=line, last=last, language=language).removesuffix("</svg>")
        + f"{marked_reasons(view, reasons_of, language=language)}</svg>"
        for view in views
    ]
    if len(drawn) == 1:
        return drawn[0]
    picture = Picture(len(views) * (WIDTH + GAP) + GAP, HEAD + WIDTH * 0.75 + GAP)
    for place, (view, svg) in enumerate(zip(views, drawn, strict=True)):
        left = GAP + place * (WIDTH + GAP)
        picture.label(left + WIDTH / 2, HEAD / 2, say("what {side} sees", side=side(game, view.seat)), size=15)
        picture.embed_svg(svg, left, HEAD, WIDTH, WIDTH * 0.75)
    return picture.svg()


def marked_reasons(view: View, decision: Decision | None, *, narrow: bool = False, language: Language = "en") -> str:
    """The marks of a decision's reasons as one group, which screen readers skip: the reasons are read as text.

    With hidden information only the seat that decides sees them, in the position that it decides about.
    """
    if decision is None or not any(reason.places for reason in decision.reasons):
        return ""
    if details_of(view.game).hidden_information and decision.action not in view.legal():
        return ""
    marks = details_of(view.game).reason_marks(view, decision, narrow=narrow, language=language)
    return f"<g aria-hidden='true' data-reasons='true'>{marks}</g>" if marks else ""


def position_html(views: Sequence[View]) -> str:
    """The views as a picture, or as text if their game does not draw."""
    if (svg := position_svg(views)) is not None:
        return svg
    return "".join(f"<pre>{escape(view.game.text(view))}</pre>" for view in views)


def show_types(state: Any, view: Any) -> None:
    """Gives a game's types of the core what notebooks show: a line each, and for states a picture, as views have."""
    state._repr_svg_ = lambda self: position_svg(shown_views(self))
    state.__repr__ = lambda self: f"<State of {self.view(0).game.spec}: {_on_turn(self.turn)}>"
    view.__repr__ = lambda self: f"<View of {self.game.spec} by seat {self.seat}: {_on_turn(self.turn)}>"


def _on_turn(seat: Seat | None) -> str:
    return "over" if seat is None else f"seat {seat} is on turn"
