"""An agent's decision as HTML: what it chose, how it rates the position, why, and the curves of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from ludoteca.agents import is_ours
from ludoteca.games.details import details_of
from ludoteca.games.side_names import side
from ludoteca.messages import joined
from ludoteca.play.match import Match
from ludoteca.players.faults import Ending
from ludoteca.protocols import Decision, Game, Seat
from ludoteca.reports.chance import chance_to_win, outlook
from ludoteca.web.drawing.curves import Curve, curves_after, curves_of, draw_curves, key_line
from ludoteca.web.pages.frame import Visit
from ludoteca.web.pages.learn.lessons import AGENTS


def thought_html(
    visit: Visit, game: Game, seat: Seat, agent: str, decision: Decision, seconds: float | None = None
) -> str:
    """A decision: who chose what, who will win, the reasons, and the expected line. Figures are one click further."""
    chosen, called = visit.spoken(game.action_name(decision.action)), visit.agent(agent)
    parts = [f"<p><b>{escape(called)}</b> → <code>{escape(chosen)}</code></p>"]
    if decision.value is not None:
        parts.append(f"<p>{escape(outlook_text(visit, game, seat, agent, decision))}</p>")
        parts.append(chance_bar(game, seat, agent, decision))
    if why := reasons_text(visit, agent, decision):
        parts.append(f'<p class="note">{escape(why)}</p>')
    if decision.line:
        parts.append(f"<p>{visit.say('Line')}: <code>{escape(line_text(visit, game, decision))}</code></p>")
    return "".join(parts) + _details(visit, game, seat, agent, decision, seconds)


def reasons_text(visit: Visit, agent: str, decision: Decision) -> str:
    """The reasons as sentences; without any the note, unless it is one of ours beside a value: then it has figures."""
    texts = [reason.text for reason in decision.reasons]
    if not texts and not _note_is_figures(agent, decision):
        texts = [decision.note]
    return sentences(visit.note(joined(filter(None, texts), "; ")))


def _note_is_figures(agent: str, decision: Decision) -> bool:
    return decision.value is not None and is_ours(agent)


def outlook_text(visit: Visit, game: Game, seat: Seat, agent: str, decision: Decision) -> str:
    """Who will win, as a sentence; empty without a value."""
    return capital(visit.translated(outlook(game, seat, agent, decision)))


def _details(visit: Visit, game: Game, seat: Seat, agent: str, decision: Decision, seconds: float | None) -> str:
    """A foldable part with the figures, what they mean, and how this agent thinks."""
    effort = [
        "" if decision.value is None
        else visit.say("value {value:+z.2f} for {side}", value=decision.value, side=side(game, seat)),
        visit.say_count("looked at {count:,} position", "looked at {count:,} positions", decision.nodes)
        if decision.nodes
        else "",
        visit.say("{depth} moves ahead", depth=decision.depth) if decision.depth > 1 else "",
        visit.say("proven") if decision.proven else "",
        "" if seconds is None else f"{visit.number(seconds, '.2f')} s",
    ]  # fmt: skip
    figures = f"<p><small>{escape(' · '.join(filter(None, effort)))}</small></p>"
    if decision.note and (decision.reasons or _note_is_figures(agent, decision)):
        figures += f'<p class="note">{escape(sentences(visit.note(decision.note)))}</p>'
    return _meaning(visit, game, seat, agent, figures)


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


def _meaning(visit: Visit, game: Game, seat: Seat, agent: str, figures: str) -> str:
    """figures: HTML that comes first."""
    say = visit.say
    explained = [
        say(
            "The chance says how often matches were won from positions that {agent} rated like this, between players "
            "about as strong as it; a draw counts as half a win. The value is its own rating: +1 is a sure win for "
            "{side}, −1 a sure loss, 0 is even. Every agent rates in its own way, so compare only values of the same "
            "agent.",
            agent=visit.agent(agent), side=side(game, seat),
        ),
        say("The line is what it expects both players to do next."),
    ]  # fmt: skip
    how = AGENTS.get(agent.partition(":")[0])
    if how is not None:
        explained += visit.translate(how).split("\n\n")
    text, kept = (
        figures + "".join(f"<p>{escape(each)}</p>" for each in explained),
        escape(f"meaning {agent}", quote=True),
    )
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
    curves = [each for each in curves_after(first, curves_of(match, decisions)) if each.has_values]
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
    """The decision behind an action of a match. Of the action that ended it, the result is known and no estimate."""
    seat = match.movers[ply]
    if ply == len(match.actions) - 1 and match.ending is Ending.finished and decision.value is not None:
        decision = replace(decision, value=match.returns()[seat], proven=True)
    return thought_html(visit, match.game, seat, match.who(ply).agent, decision, match.seconds[ply])


def line_text(visit: Visit, game: Game, decision: Decision) -> str:
    """The principal variation, as the visitor reads it."""
    return " ".join(visit.spoken(game.action_name(action)) for action in decision.line)


def chance_bar(game: Game, seat: Seat, agent: str, decision: Decision) -> str:
    """A bar of the chances of both seats; empty for a value that no map turns into a chance."""
    chance = chance_to_win(game, agent, decision)
    return "" if chance is None else value_bar(seat, 2 * chance - 1)


def value_bar(seat: Seat, value: float) -> str:
    """A bar in the colours of the seats: the larger the value for seat 0, the more of its colour."""
    share = 50 + 50 * max(-1.0, min(1.0, value if seat == 0 else -value))
    return f'<div class="bar" aria-hidden="true"><i style="width:{share:.1f}%"></i></div>'
