"""Pictures for a notebook: a decision on its board, and the evaluation graph of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from ludoteca.catalogues import SOURCE, Language
from ludoteca.games.details import details_of
from ludoteca.games.display import position_svg
from ludoteca.games.picture import GRID, INK, SEATS, Picture
from ludoteca.games.side_names import side
from ludoteca.messages import Speaker, say
from ludoteca.protocols import Decision, View

WIDTH, HEIGHT, MARGIN = 560.0, 150.0, 14.0
SHOWN = 5
"""How many actions are listed."""


@dataclass(frozen=True)
class Explanation:
    """A decision with its board: a picture in a notebook, a line of text when printed."""

    view: View
    decision: Decision

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Explanation: {self}>"

    def text(self, language: Language = SOURCE) -> str:
        """The action, its value, the scores of others, the expected line and the reason."""
        speaker, game, decision = Speaker(language), self.view.game, self.decision

        def name(action: int) -> str:
            return speaker.translate(game.action_name(action))

        parts = [speaker.say("{side} plays {action}", side=side(game, self.view.seat), action=name(decision.action))]
        if decision.value is not None:
            parts.append(speaker.say("value {value:+.2f}", value=decision.value))
        others = sorted(decision.scores, key=lambda action: -decision.scores[action])[:SHOWN]
        if others:
            weighed = ", ".join(f"{name(each)} {decision.scores[each]:.3g}" for each in others)
            parts.append(speaker.say("weighed {scores}", scores=weighed))
        if len(decision.line) > 1:
            line = " ".join(name(each) for each in decision.line[:8])
            parts.append(speaker.say("expects {line}", line=line))
        if decision.explanation:
            parts.append(speaker.translate(decision.explanation))
        return "; ".join(parts)

    def _repr_html_(self) -> str:
        scores = {action: score for action, score in self.decision.scores.items() if abs(score) < float("inf")}
        line = tuple(self.decision.line) or (self.decision.action,)
        # With hidden hands, later actions of the line do not belong on this seat's board.
        shown = line if not _hides(self.view) else line[:1]
        drawn = position_svg([self.view], heat=scores or None, line=shown, reasons_of=self.decision)
        board = drawn if drawn is not None else f"<pre>{escape(self.view.game.text(self.view))}</pre>"
        return f"<figure>{board}<figcaption>{escape(self.text())}</figcaption></figure>"


def _hides(view: View) -> bool:
    return details_of(view.game).hidden_information


def explain(view: View, decision: Decision) -> Explanation:
    """Show a decision on its board, in a notebook.

    >>> import ludoteca
    >>> game = ludoteca.game("hex:size=3")
    >>> view = game.deal(seed=1).view(0)
    >>> print(ludoteca.explain(view, ludoteca.Decision(4, value=0.5, scores={4: 0.9, 0: 0.1})))
    red plays b2; value +0.50; weighed b2 0.9, a1 0.1
    """
    return Explanation(view, decision)


def evaluation_graph(values: Sequence[float | None], marks: Sequence[int] = (), colours: Sequence[str] = SEATS) -> str:
    """Who was ahead before each action: values from 1 (seat 0 wins), on top, to -1; `marks` are ringed.

    colours: those of the seats.
    """
    picture = Picture(WIDTH, HEIGHT, title=say("who was ahead"))
    inner, middle = WIDTH - 2 * MARGIN, HEIGHT / 2
    for seat, top in ((0, MARGIN), (1, middle)):
        picture.add(
            "rect", x=MARGIN, y=top, width=inner, height=middle - MARGIN, fill=colours[seat], fill_opacity=0.10
        )  # fmt: skip
    picture.add("line", x1=MARGIN, y1=middle, x2=WIDTH - MARGIN, y2=middle, stroke=GRID)
    step = inner / max(1, len(values) - 1)
    points = [
        (ply, MARGIN + ply * step, middle - max(-1.0, min(1.0, value)) * (middle - MARGIN))
        for ply, value in enumerate(values)
        if value is not None
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for _, x, y in points)
    picture.add("polyline", points=path, fill="none", stroke=INK, stroke_width=2)
    for ply, x, y in points:
        if ply in marks:
            picture.add("circle", cx=x, cy=y, r=7, fill="none", stroke=INK)
        seat = 0 if y < middle else 1
        picture.add("circle", cx=x, cy=y, r=3.2, fill=colours[seat], stroke=INK, stroke_width=0.5)
    return picture.svg()
