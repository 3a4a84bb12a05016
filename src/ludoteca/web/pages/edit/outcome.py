"""The outcome of setting up a position: why it cannot be played, or the links to play and analyse it."""

from __future__ import annotations

import json
from html import escape
from urllib.parse import urlencode

from nicegui import ui

from ludoteca.errors import LudotecaError
from ludoteca.games.details import details_of
from ludoteca.games.observed import observer_of
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.web.editing.positions import PositionEditor
from ludoteca.web.pages.frame import Visit, raw
from ludoteca.web.pages.match_links import play_form, position_address

NONSENSE = say("That is not possible here.")


class Outcome:
    """The element of the outcome."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self._address = ""
        self._html = raw().classes("thought outcome").props("aria-live=polite")

    def show(self, editor: PositionEditor) -> Match | None:
        """Shows the outcome, puts the position into the address, and returns the match if there is one."""
        address = f"/edit/{editor.game.name}?{urlencode(editor.fields(), safe=':,@/;')}"
        if self._address not in ("", address):  # the first address is there already
            ui.run_javascript(f"ludoteca.at({json.dumps(address)})")
        self._address = address
        try:
            match = editor.match()
        except LudotecaError as error:
            self._html.set_content(f"<p class='trouble'>{escape(self.visit.explain(error))}</p>")
            return None
        analysis = escape(position_address(match), quote=True)
        notation = "".join(f"<p><code>{escape(text)}</code></p>" for text in (match.game.spec, match.start) if text)
        self._html.set_content(
            f"{notation}<div class='row'>{play_form(match, '', self.visit.say('Play on from here'))}"
            f'<a class="button quiet" href="{analysis}">{escape(self.visit.say("Analysis"))}</a>'
            f"{self._advice(editor, match)}</div>"
        )
        return match

    def _advice(self, editor: PositionEditor, match: Match) -> str:
        """A link that follows the match from here; empty if that needs what happened before."""
        seat, observer = editor.advised_seat(), observer_of(match.game)
        if observer is None or (details_of(match.game).hidden_information and seat is None):
            return ""
        seat = match.turn or 0 if seat is None else seat
        start = observer.begun_start(match.view(seat))
        events = ",".join(map(match.game.action_name, match.actions))
        fields = {"game": match.game.spec, "seat": str(seat), "start": start, "events": events}
        fields = {name: text for name, text in fields.items() if text not in ("", "0")}
        address = escape(f"/advise/{match.game.name}?{urlencode(fields, safe=':,@/;')}", quote=True)
        return f'<a class="button quiet" href="{address}">{escape(self.visit.say("Advice"))}</a>'
