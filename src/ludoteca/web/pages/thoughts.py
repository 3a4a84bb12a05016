"""Showing what agents think: one decision in words and bars, and every agent's opinion side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludoteca import agents
from ludoteca.play.match import Match
from ludoteca.protocols import Action, Game, Seat
from ludoteca.web.frame import Visit, control, raw
from ludoteca.web.table import Thought
from ludoteca.web.thinking import Busy, Failed, Job, Thinkers

__all__ = ["Analysis", "thought_html"]

STEPS = (0.1, 0.3, 1.0, 3.0, 10.0)  # seconds: each agent is asked again with more time, until stopped
RETRY = 1.0


def thought_html(visit: Visit, game: Game, seat: Seat, action: Action, thought: Thought) -> str:
    """A decision: who chose what, how it stood, why, and what was expected to follow."""
    parts = [f"<p><b>{escape(thought.agent)}</b> → <code>{escape(visit.spoken(game.action_name(action)))}</code></p>"]
    if thought.value is not None:
        parts.append(f"<p>{escape(visit.say('value', seat=seat, value=thought.value))}</p>{_bar(seat, thought.value)}")
    if thought.note:
        parts.append(f'<p class="note">“{escape(visit.note(thought.note))}”</p>')
    if thought.line:
        parts.append(f"<p>{visit.say('line')}: <code>{escape(_line(visit, game, thought))}</code></p>")
    effort = visit.say("effort", nodes=thought.nodes, depth=thought.depth, seconds=thought.seconds)
    parts.append(f"<p><small>{escape(effort)}</small></p>")
    return "".join(parts)


def _line(visit: Visit, game: Game, thought: Thought) -> str:
    return " ".join(visit.spoken(game.action_name(action)) for action in thought.line if 0 <= action < game.num_actions)


def _bar(seat: Seat, value: float) -> str:
    """A bar in the colours of the seats: as much of seat 0's as it is winning."""
    share = 50 + 50 * (value if seat == 0 else -value)
    return f'<div class="bar" aria-hidden="true"><i style="width:{share:.1f}%"></i></div>'


class Analysis:
    """Asks every agent about a position, with more and more time, and shows the answers as they come."""

    def __init__(
        self,
        visit: Visit,
        thinkers: Thinkers,
        question: Callable[[], Match | None],
        chosen: Callable[[Thought | None], None],
    ) -> None:
        self.visit, self.thinkers, self.question, self.chosen = visit, thinkers, question, chosen
        self.answers: dict[str, tuple[Action, Thought] | str] = {}
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
            ui.notify(self.visit.say("analysis_hidden"))
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

    async def _run(self, question: Match) -> None:
        failed: set[str] = set()
        for seconds in STEPS:
            for name in agents.names(question.game.name):
                if name in failed:
                    continue
                job = Job.at(question, name, seconds)
                try:
                    self.answers[name] = await self._ask(job)
                except Failed as error:
                    self.answers[name] = self.visit.explain(error)
                    failed.add(name)
                self._show()
        self._task = None
        self._show()

    async def _ask(self, job: Job) -> tuple[Action, Thought]:
        while True:
            try:
                return await self.thinkers.think(job)
            except Busy:
                await asyncio.sleep(RETRY)

    def _show(self) -> None:
        question, rows = self._asked, []
        for place, (name, answer) in enumerate(self.answers.items() if question is not None else ()):
            if isinstance(answer, str):
                rows.append(f'<tr><td>{escape(name)}</td><td colspan="2"><small>{escape(answer)}</small></td></tr>')
            elif question is not None:
                rows.append(self._row(question, place, name, *answer))
        table = f'<table class="plain opinions">{"".join(rows)}</table>' if rows else ""
        button = (
            control("start", self.visit.say("analyse"), "psychology")
            if self._task is None
            else control("stop", self.visit.say("stop"), "stop")
        )
        title = escape(self.visit.say("analysis"))
        self._card.set_content(f'<h2 class="subtitle">{title}</h2><div class="row">{button}</div>{table}')

    def _row(self, question: Match, place: int, name: str, action: Action, thought: Thought) -> str:
        value = "" if thought.value is None else f"{thought.value:+.2f}{_bar(question.turn or 0, thought.value)}"
        note, line = self.visit.note(thought.note), _line(self.visit, question.game, thought)
        detail = " · ".join(part for part in (note, line) if part)
        chosen = self.visit.spoken(question.game.action_name(action))
        return (
            f'<tr data-opinion="{place}" tabindex="0"><td><b>{escape(name)}</b></td>'
            f"<td><code>{escape(chosen)}</code></td><td>{value}</td></tr>"
            f'<tr data-opinion="{place}"><td colspan="3"><small>{escape(detail)} · {thought.seconds:.2f} s</small>'
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
                self.chosen(None if isinstance(answer, str) else answer[1])
