"""The grades of a final as ``grades.csv`` and as Moodle and Canvas import them.

Moodle (Grades, Import, CSV file) asks which column identifies a student and which holds a grade or its feedback.
Canvas (Gradebook, Import) requires the columns of its own export: it looks for a student by ``SIS User ID``, then by
``SIS Login ID``, then by the name. The roster's ``id`` stands in both. Neither reads a byte-order mark.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ludoteca.course.formula import Formula
from ludoteca.course.grades import Grade, as_csv, harmless
from ludoteca.league.database import Person
from ludoteca.messages import Message, Speaker, say
from ludoteca.ratings.elo import Interval, show_elo

BYTE_ORDER_MARK = "\ufeff"
"""So that spreadsheets see UTF-8."""


@dataclass(frozen=True)
class Contact:
    """What the roster says of a person beyond name and id."""

    email: str = ""
    section: str = ""


def read_contacts(roster: Path) -> dict[str, Contact]:
    """The columns email and section of a roster.csv, by id; empty where there are none."""
    with roster.open(encoding="utf-8-sig", newline="") as file:
        return {
            str(row.get("id") or "").strip(): Contact(
                str(row.get("email") or "").strip(), str(row.get("section") or "").strip()
            )
            for row in csv.DictReader(file)
        }


@dataclass(frozen=True)
class GradedPerson:
    """A person of the roster with their line of the ranking."""

    person: Person
    grade: Grade
    contact: Contact
    version: int | None
    """The number of the version that played."""
    count: int
    """How many students took part."""

    def feedback(self, speaker: Speaker) -> str:
        """What a student reads beside the grade."""
        grade = self.grade
        if grade.place is None:
            return speaker.say("Not in the final: {why}.", why=" ".join(speaker.translate(grade.remark).split()))
        parts = [
            say(
                "Version {version}: place {place} of {count}, {points:g} of {matches} points.",
                version=self.version, place=grade.place, count=self.count, points=grade.points, matches=grade.matches,
            )
        ]  # fmt: skip
        if math.isfinite(grade.elo):
            ends = Interval(grade.elo, grade.low, grade.high).ends
            parts.append(say("Elo {elo}, 95% interval {ends}.", elo=show_elo(grade.elo), ends=ends))
        if grade.faults:
            parts.append(say("Matches lost by a fault: {count}.", count=grade.faults))
        return " ".join(map(speaker.translate, parts))


def graded(
    people: Sequence[Person],
    grades: Sequence[Grade],
    versions: Mapping[int, int | None],
    contacts: Mapping[str, Contact],
) -> list[GradedPerson]:
    """Everybody on the roster with their grade, in the order of the ranking.

    versions: the number of the version that played for each.
    """
    by_name = {name: person for person in people for name in (person.pseudonym, person.name)}
    count = sum(each.place is not None for each in grades)
    return [
        GradedPerson(
            by_name[each.name], each, contacts.get(by_name[each.name].ident, Contact()),
            versions.get(by_name[each.name].id), count,
        )
        for each in grades
        if not each.reference and each.name in by_name
    ]  # fmt: skip


def grades_csv(rows: Sequence[GradedPerson], speaker: Speaker) -> str:
    """All that is known, with real names, for a spreadsheet."""
    ids = {each.person.name: each.person.ident for each in rows}
    return BYTE_ORDER_MARK + as_csv([replace(each.grade, name=each.person.name) for each in rows], speaker, ids)


def moodle_csv(rows: Sequence[GradedPerson], title: str, speaker: Speaker) -> str:
    """A line per student: full name, id number, e-mail, grade and feedback."""
    heading = ["Full name", "ID number", "Email address", harmless(title), harmless(f"{title} (feedback)")]
    lines = [
        [
            harmless(each.person.name), harmless(each.person.ident), harmless(each.contact.email),
            _number(each.grade.grade), harmless(each.feedback(speaker)),
        ]
        for each in rows
    ]  # fmt: skip
    return _csv([heading, *lines])


def canvas_csv(rows: Sequence[GradedPerson], title: str, formula: Formula) -> str:
    """The columns of Canvas's own export, the line of the points possible, then a line per student."""
    heading = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", harmless(title)]
    best = points_possible(formula, [each.grade for each in rows])
    lines = [
        [
            harmless(each.person.name), "", harmless(each.person.ident), harmless(each.person.ident),
            harmless(each.contact.section), _number(each.grade.grade),
        ]
        for each in rows
    ]  # fmt: skip
    return _csv([heading, ["    Points Possible", "", "", "", "", _number(best)], *lines])


def points_possible(formula: Formula, grades: Sequence[Grade]) -> float:
    """The grade of a student who wins every match; where the formula needs a rating, the best grade that was given."""
    matches = max((each.matches for each in grades), default=0)
    known = {
        "score": 1.0, "points": matches, "matches": matches, "place": 1, "qualified": 1, "faults": 0,
        "count": sum(each.place is not None for each in grades), "elo": math.nan,
    }  # fmt: skip
    best = formula.value(known)
    given = [each.grade for each in grades if not math.isnan(each.grade)]
    return max(given, default=math.nan) if math.isnan(best) else best


def write(folder: Path, name: str, text: str) -> Path:
    """Write a file of the final, whole or not at all, for its owner alone."""
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / f".{name}.partial"
    partial.touch(0o600)
    partial.write_text(text, encoding="utf-8", newline="")
    return partial.replace(folder / name)


PLATFORM_HELP: Message = say(
    "Moodle: Grades, Import, CSV file; map ID number (or Email address) to the student, the grade and its feedback. "
    "Canvas: Gradebook, Import."
)


def _csv(rows: Sequence[Sequence[str]]) -> str:
    paper = io.StringIO()
    csv.writer(paper, lineterminator="\r\n").writerows(rows)
    return paper.getvalue()


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.2f}"
