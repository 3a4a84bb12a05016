"""``ludoteca course check``: every submission is built, and plays a few moves in each seat."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter as now

from ludoteca.agents.files.neighbours import HANDED_IN
from ludoteca.agents.identity import Identity
from ludoteca.arena.workers import cores
from ludoteca.course.running import Course
from ludoteca.course.submissions import HandedIn
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.games import game as game_of
from ludoteca.messages import joined, say, say_count
from ludoteca.play.clock import MatchLimit
from ludoteca.play.match import Match
from ludoteca.play.record import Who
from ludoteca.players.admission import DEFAULT, Admission
from ludoteca.players.build_check import check_build
from ludoteca.players.faults import Fault
from ludoteca.players.player import Player
from ludoteca.players.pool import Pool
from ludoteca.protocols import Game
from ludoteca.reports.text_table import duration

__all__ = ["Trial", "in_one_line", "try_all"]

MOVES = 4
"""Of its own that a submission plays in each seat."""
SEED = 1
"""Of the deal and of everybody's chance: the same for all, on every day."""


@dataclass(frozen=True)
class Trial:
    """What came of one submission."""

    name: str
    problem: str = ""
    """What went wrong, in words; empty if nothing did."""
    moves: int = 0
    longest: float = 0.0
    """Seconds of its slowest move."""

    @property
    def verdict(self) -> str:
        """One line."""
        if self.problem:
            return self.problem
        moves = say_count("{count} move", "{count} moves", self.moves)
        return say("plays: {moves}, {longest} at most", moves=moves, longest=duration(self.longest))


def try_all(course: Course, admission: Admission = DEFAULT) -> Iterator[Trial]:
    """Each submission, as many at once as there are cores: built in a process of its own, then a few moves per seat."""
    conditions = course.settings.conditions
    game = game_of(conditions.game)
    with (
        TemporaryDirectory(prefix="ludoteca-course-") as copies,
        Pool(admission, memory=conditions.memory, at_once=cores()) as pool,
        ThreadPoolExecutor(cores()) as hands,
    ):
        yield from hands.map(partial(_tried, pool, game, course), course.submissions(Path(copies, *HANDED_IN)))


def _tried(pool: Pool, game: Game, course: Course, handed_in: HandedIn) -> Trial:
    if handed_in.submission is None or handed_in.problem is not None:
        return Trial(handed_in.name, handed_in.problem or "")
    try:
        identity = check_build(pool, game, handed_in.submission.spec)
    except (InvalidAgent, InvalidOption) as error:  # anything else is not the submission's fault
        return Trial(handed_in.name, error.message)
    moves, longest = 0, 0.0
    for seat in (0, 1):
        match, seconds = _played(pool, game, course, identity, seat)
        moves, longest = moves + len(seconds), max([longest, *seconds])
        if match.fault_seat == seat:
            problem = joined([match.ending.words, match.message], ": ")
            return Trial(handed_in.name, problem, moves, longest)
    return Trial(handed_in.name, "", moves, longest)


def _played(pool: Pool, game: Game, course: Course, identity: Identity, seat: int) -> tuple[Match, list[float]]:
    """A match in which the submission has this seat, and the seconds of its moves; over after a few of them."""
    conditions = course.settings.conditions
    names = [Identity("random"), Identity("random")]
    names[seat] = identity
    seats = (Who(names[0], SEED), Who(names[1], SEED))
    match = Match(game, SEED, seats=seats, limit=MatchLimit.parse(conditions.limit), margin=conditions.margin)
    players: dict[int, Player] = {}
    seconds: list[float] = []
    with ExitStack() as stack:
        try:
            for place, each in enumerate(names):
                players[place] = stack.enter_context(pool.seated(game, each, place, SEED))
        except Fault as fault:
            match.end_by(seat, fault)
        started = now()
        while len(seconds) < MOVES and match.step(players):
            if match.movers[-1] == seat:
                seconds.append(match.seconds[-1])
        if match.ending.is_fault and not seconds:
            seconds.append(now() - started)
    return match, seconds


def in_one_line(text: str) -> str:
    r"""What can be said in a line: of a traceback where it begins and, as that is what went wrong, where it ends.

    >>> in_one_line("cannot be built:\n  line 3\nValueError: no")
    'cannot be built: ValueError: no'
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " ".join(lines if len(lines) <= 1 else [lines[0], lines[-1]])
