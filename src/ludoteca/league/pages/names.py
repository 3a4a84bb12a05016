"""What versions are called on a page: real names or pseudonyms, as the teacher decides."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from ludoteca.league.database import Person, Teacher, Version, Viewer
from ludoteca.league.pages.snapshot import Snapshot
from ludoteca.messages import Speaker
from ludoteca.web.thinking.agent_titles import agent_title


@dataclass(frozen=True)
class Names:
    """The names that one viewer sees. A teacher sees real names, and everybody their own."""

    speaker: Speaker
    snapshot: Snapshot
    real: bool
    """Whether students appear under their real names."""

    @classmethod
    def of(cls, speaker: Speaker, snapshot: Snapshot, viewer: Viewer | None, pseudonyms: bool) -> Names:
        """The names that this viewer sees."""
        return cls(speaker, snapshot, not pseudonyms or isinstance(viewer, Teacher))

    def person(self, person: Person) -> str:
        """A student's name, as plain text."""
        return person.name if self.real else person.pseudonym

    def owner(self, version: Version) -> str:
        """The student of a version, or the baseline itself, as plain text."""
        person = self.snapshot.owner(version)
        return self.speaker.translate(agent_title(version.spec)) if person is None else self.person(person)

    def title(self, version: Version) -> str:
        """A version, as plain text."""
        if version.person is None:
            return self.owner(version)
        return self.speaker.say("{name}, version {number}", name=self.owner(version), number=version.number)

    def link(self, version: Version) -> str:
        """A version as HTML, with a link to its page."""
        name = escape(self.owner(version))
        small = (
            self.speaker.say("baseline")
            if version.person is None
            else self.speaker.say("version {number}", number=version.number)
        )
        return f'<a href="/league/version/{version.id}"><b>{name}</b> <small>{escape(small)}</small></a>'
