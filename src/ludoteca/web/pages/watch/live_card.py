"""A match of a tournament while it is played, as a card on the page of its run."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from nicegui import ui

from ludoteca.agents.identity import Identity
from ludoteca.play.live_matches import LiveMatch
from ludoteca.web.drawing.board import snapshot
from ludoteca.web.pages.frame import Visit, raw


class LiveCard:
    """The match that one worker plays, with a link to it; between two matches the last position stays, dimmed."""

    def __init__(self, visit: Visit, run: int, called: Callable[[Identity], str]) -> None:
        self.visit, self.run, self.called = visit, run, called
        self.shown: LiveMatch | None = None
        with ui.element("a").classes("card game live") as self.link:
            self.board = raw().classes("small-board")
            self.caption = raw(tag="p")

    def delete(self) -> None:
        """Removes the card: the worker has ended."""
        self.link.delete()

    def show(self, match: LiveMatch | None) -> None:
        """Shows the position; None: the worker plays no match now."""
        if match == self.shown:
            return
        if match is None:
            self.link.classes(add="over")
        elif self.shown is None or self.shown.place != match.place:
            self.link.classes(remove="over").props(f'href="/watch/{self.run}/{match.place}"')
        self.shown = match
        if match is not None:
            record = match.record
            self.board.set_content(snapshot(record, self.visit.language))
            count = self.visit.say_count("{count} action", "{count} actions", len(record.actions))
            names = " – ".join(
                f'<span class="seat{seat}">{escape(self.called(agent))}</span>'
                for seat, agent in enumerate(record.agents)
            )
            self.caption.set_content(f"<b>{match.place}</b> {names} <small>{escape(count)}</small>")
