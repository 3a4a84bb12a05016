"""``ludoteca course run``: who may take part, the qualification and the tournament.

Each match is stored as it is played. A course is two runs of the store: the qualification, each submission against one
agent, and the tournament. The digests of the submissions identify a run, so a new version makes new runs; these reuse
every pair of matches whose players have not changed, and play the rest.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ludoteca.agents.digests import identity_of
from ludoteca.agents.files.submission import HANDED_IN
from ludoteca.agents.identity import Identity
from ludoteca.arena.api import Watch, WorkerSettings, plan_of
from ludoteca.arena.openings import chosen_openings
from ludoteca.arena.results import TournamentResult, result_of
from ludoteca.arena.runs import Progress, play
from ludoteca.arena.tournament import TournamentPlan
from ludoteca.arena.workers import Workers, cores
from ludoteca.course.reused_matches import ReusedMatches
from ludoteca.course.settings import FILE, Settings, read
from ludoteca.course.submissions import OWN, HandedIn, found_in
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.games import game as game_of
from ludoteca.messages import Message, from_json, say, to_json
from ludoteca.play.store import Run, Store
from ludoteca.players.admission import DEFAULT, Admission
from ludoteca.players.build_check import check_build
from ludoteca.players.pool import Pool
from ludoteca.protocols import Game

STATE = "course.json"


@dataclass(frozen=True)
class Entrant:
    """A submission in a course."""

    name: str
    identity: Identity | None
    """As results know it; None for one that was never built."""
    digest: str
    problem: str = ""
    """Why it takes no part; empty if it takes part."""
    qualified: bool = True
    """Whether it takes part in the tournament."""


@dataclass
class Standing:
    """The state of a course: who takes part, and where the matches are."""

    entrants: list[Entrant] = field(default_factory=list)
    qualification: int | None = None
    """The run of the qualification."""
    tournament: int | None = None
    store: str = ""

    def save(self, course: Path) -> None:
        """Write it beside the course's file, for the report."""
        folder = course / OWN
        folder.mkdir(exist_ok=True)
        entrants = [
            vars(each) | {"identity": each.identity and each.identity.to_json(), "problem": to_json(each.problem)}
            for each in self.entrants
        ]
        text = json.dumps(vars(self) | {"entrants": entrants}, indent=1, ensure_ascii=False)
        partial = folder / f"{STATE}.partial"
        partial.write_text(text, encoding="utf-8")
        partial.replace(folder / STATE)

    @classmethod
    def load(cls, course: Path) -> Standing:
        """What `save` wrote. Raises InvalidOption if nothing was played yet."""
        path = course / OWN / STATE
        try:
            found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            entrants = [
                Entrant(**each | {
                    "identity": each["identity"] and Identity.from_json(each["identity"]),
                    "problem": from_json(each["problem"]),
                })
                for each in found.pop("entrants")
            ]  # fmt: skip
            return cls(entrants, **found)
        except FileNotFoundError as error:
            raise InvalidOption(
                "nothing was played in {folder} yet: ludoteca course run {folder}", folder=course
            ) from error
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise InvalidOption("{path} cannot be read: {why}", path=path, why=str(error)[:200]) from error


@dataclass(frozen=True)
class Course:
    """A folder with a ``course.toml``."""

    folder: Path
    settings: Settings

    @classmethod
    def of(cls, folder: Path) -> Course:
        """The course in a folder. Raises InvalidOption."""
        return cls(folder, read(folder / FILE))

    def submissions(self, copies: Path | None = None) -> list[HandedIn]:
        """The submissions as they are now, copied into `copies` or a folder that stays. Raises InvalidOption."""
        return found_in(self.folder.joinpath(*HANDED_IN) if copies is None else copies, self.settings)

    def references(self) -> list[Identity]:
        """The identities of the references."""
        return [self.identity_of(name) for name in self.settings.references]

    def identity_of(self, name: str) -> Identity:
        """The identity of an agent in this course's game. Raises InvalidAgent and InvalidOption."""
        return identity_of(name, game_of(self.settings.conditions.game).name)


Phase = Callable[[Message], None]


def _quiet(said: Message) -> None:
    """Show nothing."""


def run(
    course: Course, store: Path | str, workers: WorkerSettings, *, submissions: Sequence[HandedIn] | None = None,
    again: bool = False, watch: Watch = lambda progress: None, tell: Phase = _quiet,
) -> TournamentResult:  # fmt: skip
    """Play what is missing of a course. Raises InvalidOption with fewer than two players, and as `tournament` does.

    submissions: who takes part; by default all in the course's folder.
    """
    tell(say("Building every submission once."))
    entrants = admitted(course, course.submissions() if submissions is None else submissions, workers.admission)
    standing = Standing(entrants, store=str(Path(store).absolute()))
    with Store(store) as opened:
        opened.check()
        runner = _Runner(course, opened, workers, again, watch)
        if course.settings.qualification is not None:
            tell(say("Qualification against {agent}.", agent=course.settings.qualification.against))
            _qualify(course, standing, runner)
        tell(say("The tournament."))
        plan = _tournament(course, standing)
        progress = runner.play(plan, lambda run: _note(course, standing, tournament=run.id))
        result = result_of(opened, progress)
    assert isinstance(result, TournamentResult)
    return result


def admitted(course: Course, submissions: Sequence[HandedIn], admission: Admission = DEFAULT) -> list[Entrant]:
    """Build each submission once in a process of its own; one that cannot be built takes no part."""
    conditions = course.settings.conditions
    game = game_of(conditions.game)
    with (
        Pool(admission, memory=conditions.memory, at_once=cores()) as pool,
        ThreadPoolExecutor(cores()) as hands,
    ):
        return list(hands.map(partial(_admitted, pool, game), submissions))


def _admitted(pool: Pool, game: Game, handed_in: HandedIn) -> Entrant:
    identity, problem = None, handed_in.problem or ""
    if handed_in.submission is not None and not problem:
        try:
            identity = check_build(pool, game, handed_in.submission.spec)
        except (InvalidAgent, InvalidOption) as error:  # anything else is not the submission's fault
            problem = error.message
    return Entrant(handed_in.name, identity, handed_in.digest, problem, not problem)


def _qualify(course: Course, standing: Standing, runner: _Runner) -> None:
    asked = course.settings.qualification
    assert asked is not None
    players = [each.identity for each in standing.entrants if each.identity and each.qualified]
    if not players:
        return
    agents = [*players, course.identity_of(asked.against)]
    plan = _plan(course, agents, "references", asked.matches, None, references=1)
    progress = runner.play(plan, lambda run: _note(course, standing, qualification=run.id))
    result = result_of(runner.store, progress)
    assert isinstance(result, TournamentResult)
    for place, each in enumerate(standing.entrants):
        if each.identity and each.qualified and result.points[each.identity] < asked.points:
            problem = say(
                "{points:g} of {matches} points against {agent}, and {needed:g} are needed to take part",
                points=result.points[each.identity], matches=asked.matches, agent=asked.against, needed=asked.points,
            )  # fmt: skip
            standing.entrants[place] = Entrant(each.name, each.identity, each.digest, problem, qualified=False)


def _tournament(course: Course, standing: Standing) -> TournamentPlan:
    settings = course.settings
    players = [each.identity for each in standing.entrants if each.identity and each.qualified]
    references = course.references()
    if len(players) < (1 if references else 2):
        standing.save(course.folder)
        reasons = [f"{each.name}: {each.problem}" for each in standing.entrants if each.problem]
        raise InvalidOption(
            "too few submissions can take part: {count}\n{why}", count=len(players), why="\n".join(reasons)
        )
    excluded = tuple((each.name, each.problem) for each in standing.entrants if each.problem)
    return _plan(
        course, [*players, *references], settings.format, settings.matches, settings.rounds,
        references=len(references) if settings.format == "references" else 0, excluded=excluded,
    )  # fmt: skip


def _plan(
    course: Course, agents: list[Identity], format_: str, matches: int, rounds: int | None, **more: Any
) -> TournamentPlan:
    settings = course.settings
    openings = chosen_openings(settings.conditions.game, settings.openings)
    return TournamentPlan.of(
        settings.conditions, agents, format_, matches, rounds,
        openings=openings, same_deals=settings.same_deals, **more,
    )  # fmt: skip


def _note(course: Course, standing: Standing, **runs: int) -> None:
    for name, run_number in runs.items():
        setattr(standing, name, run_number)
    standing.save(course.folder)


@dataclass(frozen=True)
class _Runner:
    """Plays the runs of a course."""

    course: Course
    store: Store
    workers: WorkerSettings
    again: bool
    watch: Watch

    def play(self, plan: TournamentPlan, begun: Callable[[Run], None]) -> Progress:
        """Play what is missing; call `begun` with the run before the first match."""
        started = False

        def watch(progress: Progress) -> None:
            nonlocal started
            if not started:
                started = True
                begun(progress.run)
                self.store.set_last(progress.run.id, self.course.folder)
            self.watch(progress)

        def start(run: Run) -> Workers:
            return self.workers.start(plan.conditions, self.store.path, run)

        if self.again:
            return play(self.store, plan, start, again=True, watch=watch)
        return play(self.store, plan, start, watch=watch, known=ReusedMatches.of(self.store, plan).take)


def runs_of(store: Store, standing: Standing) -> Mapping[str, Run]:
    """The runs of a course by what they are: ``qualification``, ``tournament``. Raises InvalidStore."""
    known = {"qualification": standing.qualification, "tournament": standing.tournament}
    found = {name: store.find(str(number)) for name, number in known.items() if number is not None}
    for each in found.values():
        plan_of(each)
    return found
