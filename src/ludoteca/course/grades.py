"""Grades by the course's own formula, and the CSV that holds them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ludoteca.agents.identity import Identity
from ludoteca.arena.results import TournamentResult
from ludoteca.course.formula import Formula
from ludoteca.course.tournament import Entrant
from ludoteca.messages import Speaker
from ludoteca.ratings.pairs import Score
from ludoteca.reports.standings import Standings


@dataclass(frozen=True)
class Grade:
    """One line of the ranking: a submission, or a reference, which gets no grade."""

    name: str
    identity: Identity | None
    """None for a submission that was never built."""
    place: int | None
    """None for who took no part, and for a reference."""
    points: float = 0.0
    """1 for a win, a half for a draw, and what byes give."""
    matches: int = 0
    """What the points are out of: the matches played, and those that byes count as."""
    score: Score = field(default_factory=Score)
    """In the matches played."""
    byes: int = 0
    """Rounds of a Swiss tournament without an opponent."""
    elo: float = math.nan
    low: float = math.nan
    high: float = math.nan
    faults: int = 0
    grade: float = math.nan
    """NaN where the formula gives none."""
    remark: str = ""
    """Why it took no part."""
    reference: bool = False

    def fields(self) -> dict[str, Any]:
        """All of it as plain values by name."""
        kept = ("name", "reference", "place", "points", "matches", "byes", "elo", "low", "high", "faults", "grade")
        return {
            **{name: getattr(self, name) for name in kept},
            "wins": self.score.wins,
            "draws": self.score.draws,
            "losses": self.score.losses,
            "remark": str(self.remark),
            "identity": None if self.identity is None else str(self.identity),
        }


def grades_of(
    entrants: Sequence[Entrant], result: TournamentResult | None, standings: Standings | None, formula: Formula
) -> list[Grade]:
    """The ranking: those who took part by their points, then by their ratings; then who did not, by their names.

    Before the tournament everybody who may take part has no points and no grade.
    """
    by_identity = {each.identity: each for each in entrants if each.qualified}
    if result is None or standings is None:
        waiting = [Grade(each.name, each.identity, None) for each in entrants if each.qualified]
        return waiting + _absent(len(waiting), entrants, formula)
    rows: list[Grade] = []
    for agent in result.agents:
        entrant = by_identity.get(agent)
        rating = standings.ratings.agents.get(agent)
        rows.append(
            Grade(
                name=entrant.name if entrant else agent.spec,
                identity=agent,
                place=None,
                points=result.points[agent],
                matches=result.out_of[agent],
                score=result.scores[agent],
                byes=result.byes.get(agent, 0),
                elo=rating.elo if rating else math.nan,
                low=rating.low if rating else -math.inf,
                high=rating.high if rating else math.inf,
                faults=result.faults[agent].total,
                reference=entrant is None,
            )
        )
    rows.sort(key=lambda row: (-row.points, -row.elo if math.isfinite(row.elo) else 0.0, row.name))
    return _placed(rows, formula) + _absent(sum(not row.reference for row in rows), entrants, formula)


def _placed(rows: list[Grade], formula: Formula) -> list[Grade]:
    """With places, equal ones for equal points, and grades."""
    students = [row for row in rows if not row.reference]
    placed: list[Grade] = []
    for row in rows:
        if row.reference:
            placed.append(row)
            continue
        place = 1 + sum(other.points > row.points for other in students)
        known = {
            "score": row.points / row.matches if row.matches else 0.0,
            "points": row.points, "matches": row.matches, "place": place, "count": len(students),
            "qualified": 1, "faults": row.faults, "elo": row.elo,
        }  # fmt: skip
        placed.append(replace(row, place=place, grade=formula.value(known)))
    return placed


def _absent(count: int, entrants: Sequence[Entrant], formula: Formula) -> list[Grade]:
    """Who took no part; `count` took part."""
    known = {"score": 0.0, "points": 0.0, "matches": 0, "place": count + 1, "count": count, "qualified": 0, "faults": 0}
    grade = formula.value(known | {"elo": math.nan})
    absent = [each for each in entrants if not each.qualified]
    return [Grade(each.name, each.identity, None, grade=grade, remark=each.problem) for each in absent]


def as_csv(grades: Sequence[Grade], speaker: Speaker, ids: Mapping[str, str] | None = None) -> str:
    """A line per submission, for a spreadsheet; no name is taken for a formula there.

    ids: of each name, for a second column.
    """
    paper = io.StringIO()
    writer = csv.writer(paper, lineterminator="\n")
    writer.writerow(
        ["name", *([] if ids is None else ["id"]), "grade", "place", "points", "matches", "wins", "draws", "losses",
         "byes", "faults", "elo", "low", "high", "remark"]
    )  # fmt: skip
    for each in grades:
        if not each.reference:
            score, ident = each.score, [] if ids is None else [harmless(ids[each.name])]
            writer.writerow([
                harmless(each.name), *ident, _number(each.grade), each.place or "", f"{each.points:g}", each.matches,
                score.wins, score.draws, score.losses, each.byes, each.faults, _whole(each.elo), _whole(each.low),
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
