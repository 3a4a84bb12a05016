"""What every agent would play in a position, side by side."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludoteca import agents
from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.players.faults import Fault
from ludoteca.protocols import Decision
from ludoteca.web.pages.frame import OUR_FAULT, Visit, control, raw
from ludoteca.web.pages.thoughts import chance_bar, line_text, outlook_text, reasons_text
from ludoteca.web.serving.allowed_specs import agents_of
from ludoteca.web.thinking.queue import Busy, fault_reason
from ludoteca.web.thinking.single_decision import Decide, is_refusal

STEPS = (0.1, 0.3, 1.0, 3.0, 10.0)
"""Seconds: each agent is asked again with more time, until stopped."""
MARGIN = 60.0
"""Seconds for which an agent that is late is waited for: a person can stop the analysis at any moment."""
RETRY = 1.0


class Analysis:
    """Asks every agent about a position, with more and more time, and shows each answer."""

    def __init__(
        self,
        visit: Visit,
        decide: Decide,
        position: Callable[[], Match | None],
        show: Callable[[Decision | None], None],
    ) -> None:
        self.visit, self.decide, self.position, self.show = visit, decide, position, show
        self.answers: dict[str, tuple[Decision, float] | str] = {}
        self.thinking = ""
        """The agent that is thinking now."""
        self._asked: Match | None = None
        self._next = ""
        self._task: asyncio.Task[None] | None = None

    def build(self) -> None:
        """Makes the card with its button and its table."""
        self._card = raw(tag="section").classes("card analysis")
        self._card.on("click", self._clicked, js_handler="(e) => ludoteca.opinion(e, emit)")
        self._show()

    def start(self) -> None:
        """Starts again with the position shown now."""
        position = self.position()
        if position is None:
            ui.notify(self.visit.say("You can analyse a position only when you see the hand that is to play."))
            return
        self.stop()
        self.answers, self._asked = {}, position
        self._task = asyncio.create_task(self._run(position))
        self._show()

    def stop(self) -> None:
        """Stops the agents; answers stay."""
        if self._task is not None:
            self._task.cancel()
            self._task, self.thinking = None, ""
            self._show()

    def moved(self) -> None:
        """Drops the answers if the tab shows another position."""
        if self._asked is not None and self.position() != self._asked:
            self.stop()
            self.answers, self._asked = {}, None
            self._show()

    async def _run(self, position: Match) -> None:
        failed: set[str] = set()
        for seconds in STEPS:
            for name in agents_of(position.game.name):
                if name in failed:
                    continue
                self._next = name
                self._show()
                try:
                    self.answers[name] = await self._ask(position, name, seconds)
                except (Fault, LudotecaError) as error:
                    # It was asked with default options, so what it refuses is this board.
                    if not (agents.is_ours(name) and is_refusal(error)):
                        self.answers[name] = self.visit.translated(
                            say("{agent}: {why}", agent=name, why=fault_reason(error))
                        )
                    failed.add(name)
                except Exception:  # our own fault: the other agents are asked all the same
                    logging.getLogger(__name__).exception("an agent could not be asked")
                    self.answers[name] = self.visit.translate(OUR_FAULT)
                    failed.add(name)
                self._show()
        self._task = None
        self._show()

    async def _ask(self, position: Match, name: str, seconds: float) -> tuple[Decision, float]:
        """An agent's answer, after its wait in the queue."""

        def started() -> None:
            self.thinking = name
            self._show()

        while True:
            try:
                return await self.decide(position, name, seconds, margin=MARGIN, started=started)
            except Busy:
                await asyncio.sleep(RETRY)
            finally:
                self.thinking = ""

    def _show(self) -> None:
        position, rows = self._asked, []
        for place, (name, answer) in enumerate(self.answers.items() if position is not None else ()):
            if isinstance(answer, str):
                why = f'<td colspan="2"><small>{escape(answer)}</small></td>'
                rows.append(f"<tr><td{self.visit.exact(name)}>{escape(self.visit.agent(name))}</td>{why}</tr>")
            elif position is not None:
                rows.append(self._row(position, place, name, *answer))
        hint = escape(self.visit.say("A chance counts between players about as strong as the agent that states it."))
        found = f'<table class="plain opinions">{"".join(rows)}</table><small>{hint}</small>'
        table = f'<div class="answers">{found}</div>' if rows else ""
        button = (
            control("start", self.visit.say("Ask every agent"), "psychology")
            if self._task is None
            else control("stop", self.visit.say("Stop"), "stop")
        )
        title = escape(self.visit.say("Analysis"))
        now = f"<small>{escape(self._progress())}</small>" if self._task is not None else ""
        self._card.set_content(f'<h2 class="subtitle">{title}</h2><div class="row">{button}{now}</div>{table}')

    def _progress(self) -> str:
        """Which agent thinks or waits for its turn."""
        if self.thinking:
            return self.visit.say("{agent} is thinking …", agent=self.visit.agent(self.thinking))
        return self.visit.say("{agent} waits for its turn …", agent=self.visit.agent(self._next))

    def _row(self, position: Match, place: int, name: str, decision: Decision, seconds: float) -> str:
        seat = position.turn or 0
        value = escape(outlook_text(self.visit, position.game, seat, name, decision))
        value += chance_bar(position.game, seat, name, decision)
        note, line = reasons_text(self.visit, name, decision), line_text(self.visit, position.game, decision)
        detail = " · ".join(part for part in (note, line, f"{self.visit.number(seconds, '.2f')} s") if part)
        called, chosen = self.visit.agent(name), self.visit.spoken(position.game.action_name(decision.action))
        return (
            f'<tr data-opinion="{place}" tabindex="0"><td{self.visit.exact(name)}><b>{escape(called)}</b></td>'
            f"<td><code>{escape(chosen)}</code></td><td>{value}</td></tr>"
            f'<tr data-opinion="{place}"><td colspan="3"><small>{escape(detail)}</small>'
            f"</td></tr>"
        )

    def _clicked(self, event: GenericEventArguments) -> None:
        """Handles the button, and a row whose heat map is to be shown."""
        answers = list(self.answers.values())
        match event.args:
            case "start":
                self.start()
            case "stop":
                self.stop()
            case int(place) if 0 <= place < len(answers):
                answer = answers[place]
                self.show(None if isinstance(answer, str) else answer[0])
