"""The engine's advice for a match at a real table."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence

from ludoteca.agents import strongest
from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.players.faults import Fault
from ludoteca.protocols import Decision, View
from ludoteca.reports.chance import without_search
from ludoteca.web.pages.frame import OUR_FAULT, Visit
from ludoteca.web.thinking.agent_titles import agent_title
from ludoteca.web.thinking.queue import AgentQueue, Busy, Work, fault_reason
from ludoteca.web.thinking.single_decision import decide_view

SECONDS, LONGER = 1.0, 10.0
"""Thinking times: at each turn, and when the visitor asks for more or the engine has found nothing yet."""
RETRY = 1.0
"""Seconds after which a question is put again to a queue that was full."""
WAITED = 2.0
"""Seconds in the queue after which the visitor learns that the computer is busy."""
SHOWN = 0.25
"""Seconds between two thoughts that are shown."""
MOST_PER_VISITOR, MOST_PER_ADDRESS = 2, 30
"""Questions that wait or are thought about at once."""


class AdviceLimit:
    """Counts the questions of each visitor and of each address."""

    def __init__(self) -> None:
        self._asking = Counter[str]()

    def enter(self, visitor: str, address: str) -> bool:
        """Counts one more question, unless there are too many."""
        if (
            self._asking[f"visitor {visitor}"] >= MOST_PER_VISITOR
            or self._asking[f"address {address}"] >= MOST_PER_ADDRESS
        ):
            return False
        self._asking.update((f"visitor {visitor}", f"address {address}"))
        return True

    def leave(self, visitor: str, address: str) -> None:
        """Counts one question fewer."""
        self._asking.subtract((f"visitor {visitor}", f"address {address}"))
        self._asking += Counter()  # drops zeros


class Advice:
    """What the strongest engine says about the position that a tab shows; calls `show` when there is something new."""

    def __init__(self, visit: Visit, queue: AgentQueue, limit: AdviceLimit, show: Callable[[], None]) -> None:
        self.visit, self.queue, self.limit, self.show = visit, queue, limit, show
        self.agent = ""
        self.decision: Decision | None = None
        self.spent: float | None = None
        """Seconds of the decision; None while it is not final."""
        self.stage = ""
        """``waiting`` in the queue, ``busy`` when that takes long, ``thinking``, or empty."""
        self.failure = ""
        """Why there is no advice, in the visitor's language."""
        self.seconds = SECONDS
        self._task: asyncio.Task[None] | None = None
        self._showing: asyncio.TimerHandle | None = None
        self._busy_timer: asyncio.TimerHandle | None = None

    def drop(self) -> None:
        """Another position is shown: stops the engine and drops what it said."""
        self.stop()
        self.decision, self.spent, self.failure = None, None, ""

    def stop(self) -> None:
        """Stops the engine; its best action so far stays."""
        for pending in (self._task, self._showing, self._busy_timer):
            if pending is not None:
                pending.cancel()
        self._task, self._showing, self.stage = None, None, ""

    def ask(self, view: View, seen: Sequence[View], seconds: float = SECONDS) -> None:
        """Asks about a view whose seat is on turn; nothing is dropped that was found before."""
        self.stop()
        self.agent, self.seconds, self.stage, self.failure = strongest(view.game), seconds, "waiting", ""
        self._task = asyncio.create_task(self._run(view, seen))
        self._busy_timer = asyncio.get_running_loop().call_later(WAITED, self._say_busy)

    def _say_busy(self) -> None:
        if self.stage == "waiting":
            self.stage = "busy"
            self.show()

    async def _run(self, view: View, seen: Sequence[View]) -> None:
        who = self.visit.visitor, self.visit.address
        if not self.limit.enter(*who):
            self._finish(self.visit.say("You are already asking for advice in other tabs. Close one, or ask again."))
            return
        try:
            self.decision, self.spent = await self._decide(view, seen)
            if self.seconds < LONGER and without_search(view, self.decision):
                self.seconds = LONGER
                self.decision, self.spent = await self._decide(view, seen)
            self._finish()
        except (Fault, LudotecaError) as error:
            why = say("{agent}: {why}", agent=agent_title(self.agent), why=fault_reason(error))
            self._finish(self.visit.translated(why))
        except Exception:
            logging.getLogger(__name__).exception("an agent could not be asked")
            self._finish(self.visit.translate(OUR_FAULT))
        finally:
            self.limit.leave(*who)

    async def _decide(self, view: View, seen: Sequence[View]) -> tuple[Decision, float]:
        work = Work.hint if self.seconds <= SECONDS else Work.background
        while True:
            try:
                return await decide_view(
                    self.queue, view, lambda: seen, self.agent, self.seconds, work=work, started=self._started,
                    on_thought=self._on_thought,
                )  # fmt: skip
            except Busy:
                await asyncio.sleep(RETRY)

    def _started(self) -> None:
        self.stage = "thinking"
        self.show()

    def _on_thought(self, thought: Decision) -> None:
        self.decision = thought
        if self._showing is None:
            self._showing = asyncio.get_running_loop().call_later(SHOWN, self._show_thought)

    def _show_thought(self) -> None:
        self._showing = None
        self.show()

    def _finish(self, failure: str = "") -> None:
        if self._showing is not None:
            self._showing.cancel()
        self._task, self._showing, self.stage, self.failure = None, None, "", failure
        self.show()
