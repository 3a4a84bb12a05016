"""An agent's decision as HTML: what it chose, how it rates the position, why, and the curves of a match."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ludoteca.games.details import details_of
from ludoteca.games.side_names import side
from ludoteca.play.match import Match
from ludoteca.protocols import Decision, Game, Seat
from ludoteca.web.drawing.curves import Curve, curves_of, draw_curves, key_line
from ludoteca.web.pages.frame import Visit
from ludoteca.web.pages.learn.lessons import AGENTS

__all__ = ["capital", "curves_html", "line_text", "sentences", "thought_html", "thought_of", "value_bar"]


def thought_html(
    visit: Visit, game: Game, seat: Seat, agent: str, decision: Decision, seconds: float | None = None
) -> str:
    """A decision: who chose what, its value, the reasons, and the expected line."""
    chosen, called = visit.spoken(game.action_name(decision.action)), visit.agent(agent)
    parts = [f"<p><b>{escape(called)}</b> → <code>{escape(chosen)}</code></p>"]
    if decision.value is not None:
        rating = visit.say(
            "{agent} rates this {value:+z.2f} for {side}.",
            agent=called, value=decision.value, side=side(game, seat),
        )  # fmt: skip
        parts.append(f"<p>{escape(rating)}</p>{value_bar(seat, decision.value)}")
    if decision.explanation:
        parts.append(f'<p class="note">{escape(sentences(visit.note(decision.explanation)))}</p>')
    if decision.line:
        parts.append(f"<p>{visit.say('Line')}: <code>{escape(line_text(visit, game, decision))}</code></p>")
    effort = [
        visit.say_count("looked at {count:,} position", "looked at {count:,} positions", decision.nodes)
        if decision.nodes
        else "",
        visit.say("{depth} moves ahead", depth=decision.depth) if decision.depth > 1 else "",
        visit.say("proven") if decision.proven else "",
        "" if seconds is None else f"{seconds:.2f} s",
    ]
    parts.append(f"<p><small>{escape(' · '.join(filter(None, effort)))}</small></p>")
    return "".join(parts) + _meaning(visit, game, seat, agent)


def sentences(note: str) -> str:
    """An agent's note as sentences.

    >>> sentences("it has proved that it wins; 120 nodes")
    'It has proved that it wins. 120 nodes.'
    >>> sentences("g3 wins at once")
    'g3 wins at once.'
    """
    found = [part.strip() for part in note.split("; ") if part.strip()]
    return " ".join(f"{capital(part)}{'' if part[-1] in '.!?…' else '.'}" for part in found)


def capital(text: str) -> str:
    """With a capital letter; an action's name such as ``g3`` stays as it is."""
    return text if any(letter.isdigit() for letter in text.partition(" ")[0]) else text[:1].upper() + text[1:]


def _meaning(visit: Visit, game: Game, seat: Seat, agent: str) -> str:
    """A foldable explanation of the figures, and of how this agent thinks."""
    say = visit.say
    explained = [
        say(
            "The number is how {agent} rates the position: +1 is a sure win for {side}, −1 a sure loss, 0 is even. "
            "Every agent rates in its own way, so compare only numbers of the same agent.",
            agent=visit.agent(agent), side=side(game, seat),
        ),
        say("The line is what it expects both players to do next."),
    ]  # fmt: skip
    how = AGENTS.get(agent.partition(":")[0])
    if how is not None:
        explained += visit.translate(how).split("\n\n")
    text, kept = "".join(f"<p>{escape(each)}</p>" for each in explained), escape(f"meaning {agent}", quote=True)
    return (
        f'<details class="meaning" data-keep="{kept}"><summary>{escape(say("What does this mean?"))}</summary>{text}'
        f"</details>"
    )


def curves_html(
    visit: Visit,
    match: Match,
    decisions: Sequence[Decision | None],
    at: int | None = None,
    first: Curve | None = None,
) -> str:
    """Who was ahead: a curve for each agent with values, and a legend; empty when there is none.

    decisions: for each action the decision behind it, if it may be shown. first: a curve to draw before theirs.
    """
    curves = [each for each in ([first] if first else []) + curves_of(match, decisions) if each.has_values]
    if not curves:
        return ""
    title = visit.say("Who was ahead (up: {side})", side=side(match.game, 0))
    legend = "".join(
        f"<li>{key_line(place)} {escape(visit.say('as {agent} sees it', agent=visit.agent(curve.agent)))}</li>"
        for place, curve in enumerate(curves)
    )
    plot = draw_curves(curves, at, title=title, colours=details_of(match.game).seat_colours)
    return f'{plot}<small>{escape(title)}</small><ul class="legend">{legend}</ul>'


def thought_of(visit: Visit, match: Match, ply: int, decision: Decision) -> str:
    """The decision behind an action of a match."""
    return thought_html(
        visit, match.game, match.movers[ply], match.who(ply).agent, decision, match.seconds[ply]
    )  # fmt: skip


def line_text(visit: Visit, game: Game, decision: Decision) -> str:
    """The principal variation, as the visitor reads it."""
    return " ".join(visit.spoken(game.action_name(action)) for action in decision.line)


def value_bar(seat: Seat, value: float) -> str:
    """A bar in the colours of the seats: the larger the value for seat 0, the more of its colour."""
    share = 50 + 50 * max(-1.0, min(1.0, value if seat == 0 else -value))
    return f'<div class="bar" aria-hidden="true"><i style="width:{share:.1f}%"></i></div>'
