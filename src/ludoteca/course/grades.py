"""Grades by the course's own formula, and the CSV that holds them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from ludoteca.agents.identity import Identity
from ludoteca.arena.results import TournamentResult
from ludoteca.course.formula import Formula
from ludoteca.course.tournament import Entrant
from ludoteca.messages import Speaker
from ludoteca.reports.standings import Score, Standings

__all__ = ["Grade", "as_csv", "grades_of"]


@dataclass(frozen=True)
class Grade:
    """One line of the ranking: a submission, or a reference, which gets no grade."""

    name: str
    identity: Identity | None
    """None for a submission that was never built."""
    place: int | None
    """None for who took no part, and for a reference."""
    points: float = 0.0
    score: Score = field(default_factory=Score)
    elo: float = math.nan
    low: float = math.nan
    high: float = math.nan
    faults: int = 0
    grade: float = math.nan
    """NaN where the formula gives none."""
    remark: str = ""
    """Why it took no part."""
    reference: bool = False


def grades_of(
    entrants: Sequence[Entrant], result: TournamentResult | None, standings: Standings | None, formula: Formula
) -> list[Grade]:
    """The ranking: those who took part by their points, then by their ratings; then who did not, by their names."""
    by_identity = {each.identity: each for each in entrants if each.qualified}
    rows: list[Grade] = []
    if result is not None and standings is not None:
        for agent in result.agents:
            entrant = by_identity.get(agent)
            rating = standings.ratings.agents.get(agent)
            score = standings.score(agent) if rating is not None else Score()
            rows.append(
                Grade(
                    name=entrant.name if entrant else agent.spec,
                    identity=agent,
                    place=None,
                    points=result.points[agent],
                    score=score,
                    elo=rating.elo if rating else math.nan,
                    low=rating.low if rating else -math.inf,
                    high=rating.high if rating else math.inf,
                    faults=result.faults[agent].total,
                    reference=entrant is None,
                )
            )
    rows.sort(key=lambda row: (-row.points, -row.elo if math.isfinite(row.elo) else 0.0, row.name))
    return _placed(rows, result, formula) + _absent(rows, entrants, formula)


def _placed(rows: list[Grade], result: TournamentResult | None, formula: Formula) -> list[Grade]:
    """With places, equal ones for equal points, and grades."""
    placed: list[Grade] = []
    count, place = sum(not row.reference for row in rows), 0
    students = 0
    before: float | None = None
    for row in rows:
        if row.reference or result is None:
            placed.append(row)
            continue
        students += 1
        if row.points != before:
            place, before = students, row.points
        matches = row.score.matches
        known = {
            "score": row.points / matches if matches else 0.0,
            "points": row.points, "matches": matches, "place": place, "count": count,
            "qualified": 1, "faults": row.faults, "elo": row.elo,
        }  # fmt: skip
        placed.append(Grade(**vars(row) | {"place": place, "grade": formula.value(known)}))
    return placed


def _absent(rows: list[Grade], entrants: Sequence[Entrant], formula: Formula) -> list[Grade]:
    count = sum(not row.reference for row in rows)
    known = {"score": 0.0, "points": 0.0, "matches": 0, "place": count + 1, "count": count, "qualified": 0, "faults": 0}
    grade = formula.value(known | {"elo": math.nan})
    absent = [each for each in entrants if not each.qualified]
    return [Grade(each.name, each.identity, None, grade=grade, remark=each.problem) for each in absent]


def as_csv(grades: Sequence[Grade], speaker: Speaker) -> str:
    """A line per submission, for a spreadsheet; no name is taken for a formula there."""
    paper = io.StringIO()
    writer = csv.writer(paper, lineterminator="\n")
    writer.writerow(
        ["name", "grade", "place", "points", "matches", "wins", "draws", "losses", "faults", "elo", "low", "high",
         "remark"]
    )  # fmt: skip
    for each in grades:
        if not each.reference:
            score = each.score
            writer.writerow([
                harmless(each.name), _number(each.grade), each.place or "", f"{each.points:g}", score.matches,
                score.wins, score.draws, score.losses, each.faults, _whole(each.elo), _whole(each.low),
                _whole(each.high), harmless(" ".join(speaker.translate(each.remark).split())),
            ])  # fmt: skip
    return paper.getvalue()


def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula.

    >>> harmless("=1+1"), harmless("Ana")
    ("'=1+1", 'Ana')
    """
    return f"'{text}" if text[:1] in tuple("=+-@\t\r") else text


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.2f}"


def _whole(value: float) -> str:
    return f"{value:z.0f}" if math.isfinite(value) else ""
