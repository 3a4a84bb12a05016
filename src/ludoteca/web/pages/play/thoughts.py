"""Showing what agents think: one decision in words and bars, and every agent's opinion side by side."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludoteca import agents
from ludoteca.errors import LudotecaError
from ludoteca.games.side_names import side
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.players.faults import Fault
from ludoteca.protocols import Decision, Game, Seat
from ludoteca.web.drawing.curves import Curve, curves_of, draw_curves, key_line
from ludoteca.web.pages.frame import Visit, control, raw
from ludoteca.web.pages.learn.lessons import AGENTS
from ludoteca.web.serving.allowed_specs import agents_of
from ludoteca.web.thinking.queue import Busy, Thinking, told
from ludoteca.web.thinking.single_decision import opinion, refuses

__all__ = ["Analysis", "capital", "curves_html", "sentences", "thought_html", "thought_of"]

STEPS = (0.1, 0.3, 1.0, 3.0, 10.0)  # seconds: each agent is asked again with more time, until stopped
RETRY = 1.0


def thought_html(
    visit: Visit, game: Game, seat: Seat, agent: str, decision: Decision, seconds: float | None = None
) -> str:
    """A decision: who chose what, how it stood, why, and what was expected to follow."""
    chosen, called = visit.spoken(game.action_name(decision.action)), visit.agent(agent)
    parts = [f"<p><b>{escape(called)}</b> → <code>{escape(chosen)}</code></p>"]
    if decision.value is not None:
        told_value = visit.say(
            "{agent} expects {value:+z.2f} for {side}, on its own scale.",
            agent=called, value=decision.value, side=side(game, seat),
        )  # fmt: skip
        parts.append(f"<p>{escape(told_value)}</p>{_bar(seat, decision.value)}")
    if decision.note:
        parts.append(f'<p class="note">{escape(sentences(visit.note(decision.note)))}</p>')
    if decision.line:
        parts.append(f"<p>{visit.say('Line')}: <code>{escape(_line(visit, game, decision))}</code></p>")
    effort = visit.say("{nodes:,} nodes · depth {depth}", nodes=decision.nodes, depth=decision.depth)
    if decision.proven:
        effort = f"{effort} · {visit.say('proven')}"
    clock = "" if seconds is None else f" · {seconds:.2f} s"
    parts.append(f"<p><small>{escape(effort)}{clock}</small></p>")
    return "".join(parts) + _meaning(visit, game, seat, agent)


def sentences(note: str) -> str:
    """What an agent said in a few words, as whole sentences.

    >>> sentences("a win for certain; 120 nodes")
    'A win for certain. 120 nodes.'
    >>> sentences("g3 wins at once")
    'g3 wins at once.'
    """
    found = [part.strip() for part in note.split("; ") if part.strip()]
    return " ".join(f"{capital(part)}{'' if part[-1] in '.!?…' else '.'}" for part in found)


def capital(text: str) -> str:
    """With a capital letter, as a sentence begins; an action's name such as ``g3`` stays as it is."""
    return text if any(letter.isdigit() for letter in text.partition(" ")[0]) else text[:1].upper() + text[1:]


def _meaning(visit: Visit, game: Game, seat: Seat, agent: str) -> str:
    """What the figures of a thought mean, and how this agent comes to them, for whoever asks."""
    say = visit.say
    told_of = [
        say(
            "The value is what {agent} expects: +1 is a sure win for {side}, −1 a sure loss, 0 is even. Every agent "
            "judges in its own way, so compare a value only with others of the same agent.",
            agent=visit.agent(agent), side=side(game, seat),
        ),
        say("The line is what it expects both to play. Nodes are positions that it has looked at, the depth says how "
            "many actions ahead."),
    ]  # fmt: skip
    how = AGENTS.get(agent.partition(":")[0])
    if how is not None:
        told_of += visit.translate(how).split("\n\n")
    text, kept = "".join(f"<p>{escape(each)}</p>" for each in told_of), escape(f"meaning {agent}", quote=True)
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
    """How the match stood, a curve for each agent that said so, and which is whose; empty where nobody said anything.

    decisions: for each action what may be shown of the thought before it. first: an opinion that goes before theirs.
    """
    curves = [each for each in ([first] if first else []) + curves_of(match, decisions) if each.says_anything]
    if not curves:
        return ""
    title = visit.say("How the match stood: up is good for {side}", side=side(match.game, 0))
    legend = "".join(
        f"<li>{key_line(place)} {escape(visit.say('{agent}, on its own scale', agent=visit.agent(curve.agent)))}</li>"
        for place, curve in enumerate(curves)
    )
    plot = draw_curves(curves, at, title=title)
    return f'{plot}<small>{escape(title)}</small><ul class="legend">{legend}</ul>'


def thought_of(visit: Visit, match: Match, ply: int, decision: Decision) -> str:
    """The thought before an action of a match."""
    later = sum(at > ply for at in match.exchanged)
    mover = match.movers[ply]
    return thought_html(
        visit, match.game, mover, match.seats[mover ^ (later % 2)].agent, decision, match.seconds[ply]
    )  # fmt: skip


def _line(visit: Visit, game: Game, decision: Decision) -> str:
    return " ".join(visit.spoken(game.action_name(action)) for action in decision.line)


def _bar(seat: Seat, value: float) -> str:
    """A bar in the colours of the seats: as much of seat 0's as it is winning."""
    share = 50 + 50 * max(-1.0, min(1.0, value if seat == 0 else -value))
    return f'<div class="bar" aria-hidden="true"><i style="width:{share:.1f}%"></i></div>'


class Analysis:
    """Asks every agent about a position, with more and more time, and shows the answers as they come."""

    def __init__(
        self,
        visit: Visit,
        thinking: Thinking,
        question: Callable[[], Match | None],
        chosen: Callable[[Decision | None], None],
    ) -> None:
        self.visit, self.thinking, self.question, self.chosen = visit, thinking, question, chosen
        self.answers: dict[str, tuple[Decision, float] | str] = {}
        self._asked: Match | None = None
        self._task: asyncio.Task[None] | None = None

    def build(self) -> None:
        """The card with its button and its table."""
        self._card = raw(tag="section").classes("card analysis")
        self._card.on("click", self._clicked, js_handler="(e) => ludoteca.opinion(e, emit)")
        self._show()

    def start(self) -> None:
        """Begins anew with the position that is looked at now."""
        question = self.question()
        if question is None:
            ui.notify(self.visit.say("Only a position in which you see the hand on turn can be analysed."))
            return
        self.stop()
        self.answers, self._asked = {}, question
        self._task = asyncio.create_task(self._run(question))
        self._show()

    def stop(self) -> None:
        """Ends the thinking; what is known stays."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
            self._show()

    def moved(self) -> None:
        """The position has changed: old answers go."""
        if self._asked is not None and self.question() != self._asked:
            self.stop()
            self.answers, self._asked = {}, None
            self._show()

    async def _run(self, position: Match) -> None:
        failed: set[str] = set()
        for seconds in STEPS:
            for name in agents_of(position.game.name):
                if name in failed:
                    continue
                try:
                    self.answers[name] = await self._ask(position, name, seconds)
                except (Fault, LudotecaError) as error:
                    # By its name alone it was asked to take no option: so what it refuses is this board.
                    if not (agents.is_ours(name) and refuses(error)):
                        self.answers[name] = self.visit.translated(say("{agent}: {why}", agent=name, why=told(error)))
                    failed.add(name)
                except Exception:  # ours: the others are asked all the same
                    logging.getLogger(__name__).exception("an agent could not be asked")
                    self.answers[name] = self.visit.say(
                        "Something of ours failed. Your matches are kept; please try again."
                    )
                    failed.add(name)
                self._show()
        self._task = None
        self._show()

    async def _ask(self, position: Match, name: str, seconds: float) -> tuple[Decision, float]:
        while True:
            try:
                return await opinion(self.thinking, position, name, seconds)
            except Busy:
                await asyncio.sleep(RETRY)

    def _show(self) -> None:
        position, rows = self._asked, []
        for place, (name, answer) in enumerate(self.answers.items() if position is not None else ()):
            if isinstance(answer, str):
                rows.append(f'<tr><td>{escape(name)}</td><td colspan="2"><small>{escape(answer)}</small></td></tr>')
            elif position is not None:
                rows.append(self._row(position, place, name, *answer))
        scale = escape(self.visit.say("Each agent's value is on its own scale: compare actions, not figures."))
        table = f'<table class="plain opinions">{"".join(rows)}</table><small>{scale}</small>' if rows else ""
        button = (
            control("start", self.visit.say("Ask every agent"), "psychology")
            if self._task is None
            else control("stop", self.visit.say("Stop"), "stop")
        )
        title = escape(self.visit.say("Analysis"))
        self._card.set_content(f'<h2 class="subtitle">{title}</h2><div class="row">{button}</div>{table}')

    def _row(self, position: Match, place: int, name: str, decision: Decision, seconds: float) -> str:
        value = "" if decision.value is None else f"{decision.value:+z.2f}{_bar(position.turn or 0, decision.value)}"
        note, line = sentences(self.visit.note(decision.note)), _line(self.visit, position.game, decision)
        detail = " · ".join(part for part in (note, line) if part)
        chosen = self.visit.spoken(position.game.action_name(decision.action))
        return (
            f'<tr data-opinion="{place}" tabindex="0"><td><b>{escape(name)}</b></td>'
            f"<td><code>{escape(chosen)}</code></td><td>{value}</td></tr>"
            f'<tr data-opinion="{place}"><td colspan="3"><small>{escape(detail)} · {seconds:.2f} s</small>'
            f"</td></tr>"
        )

    def _clicked(self, event: GenericEventArguments) -> None:
        """The button, or a row whose heat map is to be shown."""
        answers = list(self.answers.values())
        match event.args:
            case "start":
                self.start()
            case "stop":
                self.stop()
            case int(place) if 0 <= place < len(answers):
                answer = answers[place]
                self.chosen(None if isinstance(answer, str) else answer[0])
