"""Reasons drawn on a table of Dominoes: frames around tiles that lie there, and the hidden tiles with their chances.

::

    ╭────────────────────────────────╮
    │ Chance that blue holds:        │    Below each tile that this seat does not see: how likely the other has it.
    │ [6|3] [5|3] [3|1]              │
    │  33%   33%    0%               │
    ╰────────────────────────────────╯
"""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.games.dominoes.picture import DominoesPicture
from ludoteca.games.dominoes.tiles import draw_tile, numbers
from ludoteca.games.observed import as_chance
from ludoteca.games.picture import CELL, INK, MARK, Picture
from ludoteca.games.side_names import COLOURS
from ludoteca.messages import say
from ludoteca.protocols import Action, Decision

DASHES = (None, "7 4", "2 4")
"""The frames of the first, the second and the third reason."""
UNIT, STEP, ROW = 14.0, 42.0, 46.0
"""Half a hidden tile, and from one to the next in the panel."""


def draw_marks(picture: Picture, laid: DominoesPicture, decision: Decision, draw_action: Action) -> None:
    """Draws the reasons, the strongest one on top. Every mark has its action in ``data-place``."""
    table = laid.table
    hidden: dict[Action, None] = {}
    for rank, reason in reversed(list(enumerate(decision.reasons))):
        for action in dict.fromkeys(reason.places):
            frame = laid.frame_of(action, draw_action)
            if frame is not None:
                _draw_frame(picture, frame, action, DASHES[rank % len(DASHES)])
            elif action < draw_action and action // 2 in table.unseen:
                hidden[action] = None
    if hidden:
        _draw_panel(picture, laid, sorted(hidden))


def _draw_frame(picture: Picture, frame: tuple[float, float, float, float], action: Action, dash: str | None) -> None:
    x, y, width, height = frame
    place = {"x": x - 3, "y": y - 3, "width": width + 6, "height": height + 6, "rx": 7, "fill": "none"}
    picture.add("rect", stroke=CELL, stroke_width=7, **place)
    picture.add("rect", stroke=MARK, stroke_width=4, stroke_dasharray=dash, data_place=action, **place)


def _draw_panel(picture: Picture, laid: DominoesPicture, actions: Sequence[Action]) -> None:
    """The hidden tiles of the reasons, over the other's hand and the boneyard."""
    layout = laid.layout
    by_tile: dict[int, list[Action]] = {}
    for action in actions:
        by_tile.setdefault(action // 2, []).append(action)
    per_row = int((layout.room - 12) / STEP)
    rows = -(-len(by_tile) // per_row)
    left, top = layout.margin - 4, layout.top - (24 if layout.narrow else 10)
    title = say("Chance that {side} holds:", side=COLOURS[1 - laid.table.seat])
    width = max(1.1 * picture.text_width(title, 13) + 20, min(len(by_tile), per_row) * STEP + 16)
    if width > 0.63 * layout.room:  # it would cut the boneyard's caption in two
        width = layout.room + 8
    style = {"fill": CELL, "stroke": MARK, "stroke_width": 2}
    picture.add("rect", x=left, y=top, width=width, height=24 + rows * ROW, rx=8, **style)
    picture.label(left + 10, top + 14, title, size=13, text_anchor="start", font_weight="bold")
    for at, (tile, places) in enumerate(by_tile.items()):
        row, column = divmod(at, per_row)
        x, y = left + 10 + column * STEP, top + 26 + row * ROW
        draw_tile(picture, x + 3, y, numbers(tile), INK, across=True, unit=UNIT)
        chance = as_chance(laid.table.holding_chance([tile]))  # counted exactly, as the adviser does
        text = "<1%" if 0 < chance < 0.005 else ">99%" if 0.995 <= chance < 1 else f"{chance:.0%}"
        for place in places:
            picture.label(x + 3 + UNIT, y + UNIT + 12, text, size=13, fill=MARK, font_weight="bold", data_place=place)
