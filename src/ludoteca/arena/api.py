"""`ludoteca.series` and `ludoteca.tournament`: the command line's words as two functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ludoteca.agents.entries import is_file
from ludoteca.arena.beginnings import chosen_openings
from ludoteca.arena.runs import Progress, play, review
from ludoteca.arena.series import Plan, SeriesPlan
from ludoteca.arena.tournament import TournamentPlan
from ludoteca.arena.workers import Workers
from ludoteca.arena.workforce import Crew
from ludoteca.errors import BrokenAgent, InvalidOption, InvalidStore
from ludoteca.games import game as game_of
from ludoteca.messages import say
from ludoteca.play.clock import MARGIN
from ludoteca.play.conditions import MEMORY, Conditions
from ludoteca.play.live import live_folder
from ludoteca.play.store import Run, Store, default_path
from ludoteca.players.admission import DEFAULT, Admission
from ludoteca.players.build_check import check_build
from ludoteca.players.pool import Pool
from ludoteca.ratings.sprt import Sprt

if TYPE_CHECKING:  # tables and ratings are read in when there are results: agents' processes start without them
    from ludoteca.arena.results import SeriesResult, TournamentResult

__all__ = ["Staff", "Watch", "plan_of", "reviewed", "series", "tournament", "usual_limit"]

Watch = Callable[[Progress], None]
"""Called with how a run stands whenever that has changed, and several times a second."""


def _nobody(progress: Progress) -> None:
    """Watches without looking."""


def series(
    game: str,
    first: str,
    second: str,
    n: int = 100,
    *,
    limit: str | None = None,
    sprt: str | None = None,
    openings: str = "auto",
    seed: int | None = None,
    workers: int | None = None,
    ray: str | bool = False,
    memory: int | None = MEMORY,
    margin: float = MARGIN,
    store: Path | str | None = None,
    again: bool = False,
    admission: Admission = DEFAULT,
    watch: Watch = _nobody,
) -> SeriesResult:
    """Plays `n` matches between two agents: pairs on the same deal, or from the same opening, with the seats exchanged.

    game, first, second: strings such as ``hex:size=7`` and ``random``.
    limit: what each agent may use, per action (``0.1s``, ``2000n``) or per match (``60s/match``); by default ``1s``,
    and where a file takes part the course's ``5s``.
    sprt: ``elo0,elo1``: stops as soon as the sequential probability ratio test decides between the two.
    openings: ``auto``, where all deals are the same from a suite of balanced openings; ``none``; or a file of them.
    seed: decides all the deals and the agents' chances, for an experiment that can be repeated: whoever knows it can
    rebuild the deals. By default they come from a random secret, which the store keeps.
    workers: processes, by default one per core. ray: True or an address, to play on a Ray cluster instead.
    memory: MiB per agent; margin: seconds that the clock forgives.
    store: a file, by default the one of the command line; what it holds of this series already is not played again,
    unless `again` is set. ``":memory:"`` keeps nothing.
    admission: which agents run in the referee's process, in subprocesses or in sandboxes.

    Raises InvalidGame, InvalidAgent, InvalidOption, InvalidStore, and WorkerError when something of ours fails. After
    a KeyboardInterrupt the same call goes on.

    >>> import ludoteca
    >>> result = ludoteca.series("horses:size=5", "minimax:depth=2", "random", 10, seed=1, store=":memory:", workers=1)
    >>> result.count, result.score > 0.5
    (10, True)
    """
    from ludoteca.arena.results import SeriesResult

    conditions = Conditions.of(game, usual_limit([first, second]) if limit is None else limit, memory, margin)
    test = None if sprt is None else Sprt.parse(sprt)
    (one, two), _ = _admitted(conditions, (first, second), admission)
    trusted = tuple(sorted(admission.trusted))
    plan = SeriesPlan(conditions, (one, two), n, seed, test, chosen_openings(game, openings), trusted)
    result = _play(plan, Staff(workers, ray, admission), store, again, watch)
    assert isinstance(result, SeriesResult)
    return result


def tournament(
    game: str,
    agents: Sequence[str],
    *,
    format: str = "round-robin",  # noqa: A002 - the word of the command line
    matches: int = 2,
    rounds: int | None = None,
    limit: str | None = None,
    openings: str = "auto",
    seed: int | None = None,
    workers: int | None = None,
    ray: str | bool = False,
    memory: int | None = MEMORY,
    margin: float = MARGIN,
    store: Path | str | None = None,
    again: bool = False,
    admission: Admission = DEFAULT,
    watch: Watch = _nobody,
) -> TournamentResult:
    """Plays a tournament between agents; what is not said here is as in `series`.

    format: ``round-robin``, ``swiss``, ``gauntlet`` (the first against all others) or ``knockout``.
    matches: per pairing, an even number. rounds: of a Swiss tournament, by default as many as a knock-out has.
    An agent whose code cannot be imported or built takes no part; the result's `excluded` says why.

    >>> import ludoteca
    >>> agents = ["minimax:depth=2", "random"]
    >>> result = ludoteca.tournament("horses:size=5", agents, matches=4, seed=1, store=":memory:", workers=1)
    >>> [row["agent"] for row in ludoteca.standings(result).table()]
    ['minimax:depth=2', 'random']
    """
    from ludoteca.arena.results import TournamentResult

    conditions = Conditions.of(game, usual_limit(agents) if limit is None else limit, memory, margin)
    admitted, excluded = _admitted(conditions, agents, admission, strict=False)
    plan = TournamentPlan.of(
        conditions, admitted, format, matches, rounds, seed=seed, openings=chosen_openings(game, openings),
        trust=tuple(sorted(admission.trusted)), excluded=excluded,
    )  # fmt: skip
    result = _play(plan, Staff(workers, ray, admission), store, again, watch)
    assert isinstance(result, TournamentResult)
    return result


def usual_limit(agents: Sequence[str]) -> str:
    """What each may use where nobody says it: 5 s for an action, as in the course, if one of them is a file; else 1 s.

    >>> usual_limit(["astar", "random"]), usual_limit(["Ana/solution.py", "random"])
    ('1s', '5s')
    """
    return "5s" if any(map(is_file, agents)) else "1s"


def _admitted(
    conditions: Conditions, agents: Sequence[str], admission: Admission, *, strict: bool = True
) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """The identities of the agents, each built once; and who cannot be built and why, unless `strict` raises it."""
    game, admitted, excluded = game_of(conditions.game), [], []
    with Pool(admission, memory=conditions.memory) as pool:
        for agent in agents:
            try:
                admitted.append(str(check_build(pool, game, agent)))
            except BrokenAgent as error:
                if strict:
                    raise
                excluded.append((agent, str(error)))
    if excluded and len(admitted) < 2:
        raise BrokenAgent(joined_reasons(excluded))
    return admitted, tuple(excluded)


def joined_reasons(excluded: Sequence[tuple[str, str]]) -> str:
    """Who cannot take part and why, one below the other."""
    return "\n".join(why for _, why in excluded)


@dataclass(frozen=True)
class Staff:
    """Who is to play the matches, and where."""

    workers: int | None
    ray: str | bool
    admission: Admission = DEFAULT

    def hire(self, plan: Plan, live: Path | None) -> Crew:
        """The crew for a plan; in the folder `live` it shows what it plays just now, where it can."""
        if self.ray is False:
            return Workers(plan.conditions, self.workers, self.admission, live=live)
        from ludoteca.arena.ray_workers import RayWorkers

        address = None if self.ray is True else str(self.ray)
        return RayWorkers(plan.conditions, address, self.workers, self.admission)


def _play(
    plan: Plan, staff: Staff, store: Path | str | None, again: bool, watch: Watch
) -> SeriesResult | TournamentResult:
    from ludoteca.arena.results import result_of

    if staff.workers is not None and staff.workers < 1:
        raise InvalidOption(say("workers={count}: at least one process must play", count=staff.workers))
    with Store(default_path() if store is None else store) as opened:

        def hire(run: Run) -> Crew:
            return staff.hire(plan, live_folder(opened.path, run.id))

        return result_of(opened, play(opened, plan, hire, again=again, watch=watch))


def plan_of(run: Run) -> SeriesPlan | TournamentPlan:
    """The plan of a stored run. Raises InvalidStore."""
    kind = run.key.get("kind")
    if kind == "series":
        return SeriesPlan.from_run(run)
    if kind == "tournament":
        return TournamentPlan.from_run(run)
    raise InvalidStore(say("run {run} holds matches of people, not of a series or tournament", run=run.id))


def reviewed(store: Store, run: Run) -> SeriesResult | TournamentResult:
    """What a stored run comes to, without playing anything. Raises InvalidStore."""
    from ludoteca.arena.results import result_of

    return result_of(store, review(store, run, plan_of(run)))
