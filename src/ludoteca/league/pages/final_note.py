"""What the final will be, as everybody reads it on the leaderboard."""

from __future__ import annotations

from html import escape

from ludoteca.dates import say_local_time
from ludoteca.league.final import tournament as final
from ludoteca.league.pages.site import LeagueSite, LeagueVisit


class FinalNote:
    """The announcement; it is computed again only after a version, and so perhaps a baseline, has changed."""

    def __init__(self, site: LeagueSite) -> None:
        self._site = site
        self._known: tuple[int, final.Announcement] | None = None

    def html(self, visit: LeagueVisit) -> str:
        """A paragraph."""
        database = self._site.database
        end = database.final()
        if end is not None:
            text = visit.say("The league is over.") if end.played else visit.say("The final is being played.")
            return f"<p><b>{escape(text)}</b></p>"
        changes = database.changes()
        if self._known is None or self._known[0] != changes:
            self._known = (changes, final.announced(self._site.settings, database))
        lines = [visit.say("The final: {text}.", text=self._known[1].text)]
        if self._site.settings.deadline is not None:
            time = say_local_time(self._site.settings.deadline.timestamp())
            lines.append(visit.say("Hand in until {time}.", time=time))
        return f'<p class="soft"><small>{escape(" ".join(lines))}</small></p>'
