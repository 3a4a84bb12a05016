"""Grades are what docs/course.md says, in every format and whatever happens, and never leave their scale."""

from __future__ import annotations

import csv
import random
from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.agents.identity import Identity
from ludoteca.arena.results import TournamentResult, result_of
from ludoteca.arena.runs import Progress
from ludoteca.arena.tournament import Format, TournamentPlan
from ludoteca.course.formula import Formula
from ludoteca.course.grades import as_csv, grades_of
from ludoteca.course.tournament import Entrant
from ludoteca.messages import Speaker
from ludoteca.play.conditions import Conditions
from ludoteca.play.store import Outcome, Run, Store
from ludoteca.players.faults import Ending
from ludoteca.reports import standings_of

RUN = Run(1, {}, {}, "2026-11-16 12:00:00", 0, "ab" * 16)


class Played(NamedTuple):
    """A match, as somebody who looks on would write it down."""

    agents: tuple[Identity, Identity]
    points: tuple[Fraction, Fraction]
    guilty: Identity | None


class Round(NamedTuple):
    """The matches of a round; whether all of them were played."""

    matches: list[Played]
    over: bool


class Oracle:
    """The definitions of docs/course.md, word by word."""

    def __init__(self, students: list[Identity], rounds: list[Round], pairing: int, *, swiss: bool) -> None:
        self.points = dict.fromkeys(students, Fraction(0))
        self.matches, self.faults, self.byes = Counter[Identity](), Counter[Identity](), Counter[Identity]()
        for each in rounds:
            for student in students:
                own = [match for match in each.matches if student in match.agents]
                self.points[student] += sum(match.points[match.agents.index(student)] for match in own)
                self.matches[student] += len(own)
                self.faults[student] += len([match for match in own if match.guilty == student])
                if swiss and each.over and not own:
                    self.byes[student] += 1
                    self.points[student] += pairing
                    self.matches[student] += pairing

    def score(self, student: Identity) -> Fraction:
        return self.points[student] / self.matches[student] if self.matches[student] else Fraction(0)

    def place(self, student: Identity) -> int:
        return 1 + len([points for points in self.points.values() if points > self.points[student]])


def decided(plan: TournamentPlan, chance: random.Random) -> tuple[TournamentResult, list[Round]]:
    """A tournament whose matches are decided by chance, faults and equal matches among them, perhaps interrupted."""
    tally, rounds = plan.start("ab" * 16)
    seen: list[Round] = []
    fixtures = list(next(rounds))
    left = chance.randrange(2 * plan.total)
    while True:
        outcomes, matches = [], []
        for fixture in fixtures[:left]:
            fault = chance.choice([None, None, None, 0, 1])
            score = chance.choice([0.0, 0.5, 1.0]) if fault is None else float(fault)
            ending = Ending.finished if fault is None else Ending.error
            outcomes.append(Outcome(fixture.index, (2 * score - 1, 1 - 2 * score), ending, fault, "all alike"))
            tally.add(fixture, outcomes[-1])
            guilty = None if fault is None else fixture.agents[fault]
            matches.append(Played(fixture.agents, (Fraction(score), 1 - Fraction(score)), guilty))
        left -= len(matches)
        seen.append(Round(matches, len(matches) == len(fixtures)))
        try:
            if not seen[-1].over:
                break
            fixtures = list(rounds.send(outcomes))
        except StopIteration:
            break
    with Store(":memory:") as store:
        result = result_of(store, Progress(RUN, plan, tally, complete=seen[-1].over))
    assert isinstance(result, TournamentResult)
    return result, seen


@given(
    st.integers(2, 41), st.sampled_from(["round-robin", "swiss", "swiss", "references", "gauntlet", "knockout"]),
    st.sampled_from([2, 4]), st.integers(1, 9), st.integers(0, 3), st.integers(0, 2**32),
)  # fmt: skip
def test_grades_agree_with_a_plain_oracle(
    size: int,
    format: Format,  # noqa: A002
    matches: int,
    rounds: int,
    absent: int,
    seed: int,
) -> None:
    """Any class of 2 to 41, with byes, faults, matches that repeat each other, and who takes no part."""
    students = [Identity(f"/c/{number}/solution.py", f"{number:032x}") for number in range(size)]
    references = [Identity("random"), Identity("astar")] if format == "references" else []
    plan = TournamentPlan(
        Conditions("hex:size=3"), (*students, *references), format, matches, rounds if format == "swiss" else 1,
        references=len(references),
    )  # fmt: skip
    result, seen = decided(plan, random.Random(seed))
    oracle = Oracle(students, seen, matches, swiss=format == "swiss")
    entrants = [Entrant(f"s{number}", each, "") for number, each in enumerate(students)]
    entrants += [Entrant(f"out{number}", None, "", "it cannot be built", qualified=False) for number in range(absent)]
    grades = grades_of(entrants, result, standings_of(result), Formula.parse("4 * qualified + 6 * score"))
    by_name = {each.name: each for each in grades}
    for name, each in by_name.items():
        if each.identity is None:
            assert (each.grade, each.place, each.points, each.matches) == (0, None, 0, 0)
        elif not each.reference:
            student = students[int(name[1:])]
            assert (each.points, each.matches) == (float(oracle.points[student]), oracle.matches[student])
            assert (each.place, each.faults) == (oracle.place(student), oracle.faults[student])
            assert 0 <= oracle.score(student) <= 1 and 4 <= each.grade <= 10
            assert each.grade == pytest.approx(float(4 + 6 * oracle.score(student)), abs=0.00501)
            assert each.score.matches == each.matches - matches * oracle.byes[student] * (format == "swiss")
            if format == "swiss":
                assert each.byes == oracle.byes[student]
                assert max(oracle.byes.values(), default=0) - min(oracle.byes[other] for other in students) <= 1
    table = list(csv.DictReader(as_csv(grades, Speaker("en")).splitlines()))
    assert len(table) == len(entrants)
    for row in table:
        assert int(row["wins"]) + int(row["draws"]) / 2 <= float(row["points"]) <= int(row["matches"])


def test_what_is_not_known_is_neither_the_best_grade_nor_the_worst() -> None:
    """Who took no part has no rating: ``min(10, elo)`` must not give them ten."""
    out = [Entrant("ana", None, "", "it cannot be built", qualified=False)]
    for text in ("min(10, elo)", "max(0, elo)", "min(elo, 10)", "1e308 * 10 * (count + 1)"):
        (grade,) = grades_of(out, None, None, Formula.parse(text))
        assert grade.grade != grade.grade, text
        assert as_csv([grade], Speaker("en")).splitlines()[1].startswith("ana,,")


def test_before_the_tournament_everybody_is_listed() -> None:
    entrants = [Entrant("ana", Identity("/c/ana/solution.py"), ""), Entrant("bea", None, "", "broken", qualified=False)]
    grades = grades_of(entrants, None, None, Formula.parse("10 * score"))
    assert [(each.name, each.place, each.remark) for each in grades] == [("ana", None, ""), ("bea", None, "broken")]
