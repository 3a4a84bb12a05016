"""A picture of a view with the spots on which a person clicks, and the chain that has won.

The games draw themselves; here transparent outlines are laid over the picture. Each carries its action in
``data-action``, by which one listener on the page knows what was clicked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape

from ludoteca.catalogues import Language
from ludoteca.messages import translate
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.protocols import Action, Clickable, Drawable, Game, View
from ludoteca.web.asked import rules
from ludoteca.web.chains import draw_chain

__all__ = ["board", "snapshot", "words_needed"]

FEW = 16  # legal actions that are also offered as words, for thumbs and for those who do not see the picture


def board(
    view: View,
    *,
    playable: bool,
    heat: Mapping[Action, float] | None = None,
    last: Action | None = None,
    line: Sequence[Action] = (),
    language: Language = "en",
) -> str:
    """The view as HTML; with `playable` its spots can be clicked, the legal ones marked as such."""
    game: Game = view.game
    if not isinstance(game, Drawable):
        return f'<pre class="text-board">{escape(game.text(view, language=language))}</pre>'
    picture = game.svg(view, heat=heat, last=last, line=line, language=language)
    spots = draw_chain(view)
    if playable and isinstance(game, Clickable):
        legal = set(view.legal())
        spots = "".join(
            f"<path class='spot legal' d='{outline}' data-action='{action}' role='button' tabindex='0' "
            f"aria-label='{escape(translate(game.action_name(action), language), quote=True)}'/>"
            if action in legal
            else f"<path class='spot' d='{outline}' data-action='{action}' tabindex='-1'/>"
            for action, outline in game.spots(view)
        )
    return picture.removesuffix("</svg>") + spots + "</svg>"


def snapshot(record: Record, language: Language) -> str:
    """How a match of agents stands, as seat 0 sees it; drawn once for all who look."""
    return _drawn(record.game, record.seed, record.start, record.actions, language)


@lru_cache(maxsize=128)
def _drawn(spec: str, seed: int, start: str, actions: tuple[Action, ...], language: Language) -> str:
    return board(Match(rules(spec), seed, actions, start=start).view(0), playable=False, language=language)


def words_needed(view: View) -> list[Action]:
    """The legal actions to offer as words too: all of a few, else those that have no spot in the picture."""
    legal = view.legal()
    if len(legal) <= FEW and bool(getattr(view.game, "secrets", True)):
        return legal
    placed = {spot.action for spot in view.game.spots(view)} if isinstance(view.game, Clickable) else set()
    missing = [action for action in legal if action not in placed]
    return missing if len(missing) <= FEW or placed else []
