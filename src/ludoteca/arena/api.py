"""`ludoteca.series` and `ludoteca.tournament`, with the options of the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ludoteca.agents.identity import Identity
from ludoteca.agents.registry import is_file
from ludoteca.arena.openings import chosen_openings
from ludoteca.arena.plan import Plan
from ludoteca.arena.runs import Progress, play, stored_progress
from ludoteca.arena.series import SeriesPlan
from ludoteca.arena.tournament import TournamentPlan
from ludoteca.arena.workers import LocalWorkers, Workers
from ludoteca.errors import BrokenAgent, InvalidOption, InvalidStore
from ludoteca.games import game as game_of
from ludoteca.play.clock import MARGIN
from ludoteca.play.conditions import Conditions
from ludoteca.play.live_matches import live_folder
from ludoteca.play.store import Run, Store, default_path
from ludoteca.players.admission import DEFAULT, Admission
from ludoteca.players.build_check import check_build
from ludoteca.players.pool import Pool
from ludoteca.players.processes.memory import MEMORY
from ludoteca.ratings.sprt import Sprt

if TYPE_CHECKING:  # results import ratings, which take time: agents' processes start without them
    from ludoteca.arena.results import SeriesResult, TournamentResult

Watch = Callable[[Progress], None]
"""Called with the progress of a run whenever it changes, and several times a second."""


def _ignore(progress: Progress) -> None:
    """The default for `watch`."""


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
    watch: Watch = _ignore,
) -> SeriesResult:
    """Play `n` matches between two agents: pairs on the same deal or opening with sides swapped.

    game, first, second: strings such as ``hex:size=7`` and ``random``.
    limit: what each agent may use, per action (``0.1s``, ``2000n``) or per match (``60s/match``); by default ``1s``,
    and where a file takes part the course's ``5s``.
    sprt: ``h0,h1``: stops as soon as the sequential probability ratio test decides between these two differences in
    Elo; in a game with stakes, between these two mean returns per match.
    openings: ``auto``, where all deals are the same from a suite of balanced openings; ``none``; or a file of them.
    seed: makes deals and agents repeatable; but anyone who knows the seed can compute the deals. By default they come
    from a random secret in the store.
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

    conditions = Conditions.of(game, default_limit([first, second]) if limit is None else limit, memory, margin)
    test = None if sprt is None else Sprt.parse(sprt)
    (one, two), _ = _admitted(conditions, (first, second), admission)
    trusted = tuple(sorted(admission.trusted))
    plan = SeriesPlan(conditions, (one, two), n, seed, test, chosen_openings(game, openings), trusted)
    result = _play(plan, WorkerSettings(workers, ray, admission), store, again, watch)
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
    watch: Watch = _ignore,
) -> TournamentResult:
    """Play a tournament between agents. Options not listed here are those of `series`.

    format: ``round-robin``, ``swiss``, ``gauntlet`` (the first against all others) or ``knockout``.
    matches: per pairing, an even number. rounds: of a Swiss tournament, by default as many as a knock-out has.
    An agent that cannot be imported or built takes no part; the result's `excluded` gives the reason.

    >>> import ludoteca
    >>> agents = ["minimax:depth=2", "random"]
    >>> result = ludoteca.tournament("horses:size=5", agents, matches=4, seed=1, store=":memory:", workers=1)
    >>> [row["agent"] for row in ludoteca.standings(result).table()]
    ['minimax:depth=2', 'random']
    """
    from ludoteca.arena.results import TournamentResult

    conditions = Conditions.of(game, default_limit(agents) if limit is None else limit, memory, margin)
    admitted, excluded = _admitted(conditions, agents, admission, strict=False)
    plan = TournamentPlan.of(
        conditions, admitted, format, matches, rounds, seed=seed, openings=chosen_openings(game, openings),
        trust=tuple(sorted(admission.trusted)), excluded=excluded,
    )  # fmt: skip
    result = _play(plan, WorkerSettings(workers, ray, admission), store, again, watch)
    assert isinstance(result, TournamentResult)
    return result


def default_limit(agents: Sequence[str]) -> str:
    """The default limit per action: 5 s, as in the course, if an agent is a file; else 1 s.

    >>> default_limit(["astar", "random"]), default_limit(["Ana/solution.py", "random"])
    ('1s', '5s')
    """
    return "5s" if any(map(is_file, agents)) else "1s"


def _admitted(
    conditions: Conditions, agents: Sequence[str], admission: Admission, *, strict: bool = True
) -> tuple[list[Identity], tuple[tuple[str, str], ...]]:
    """Build every agent once. Returns identities, and the agents that failed with the reason; `strict` raises it."""
    game, admitted, excluded = game_of(conditions.game), [], []
    with Pool(admission, memory=conditions.memory) as pool:
        for agent in agents:
            try:
                admitted.append(check_build(pool, game, agent))
            except BrokenAgent as error:
                if strict:
                    raise
                excluded.append((agent, str(error)))
    if excluded and len(admitted) < 2:
        raise BrokenAgent("\n".join(reason for _, reason in excluded))
    return admitted, tuple(excluded)


@dataclass(frozen=True)
class WorkerSettings:
    """How many workers play the matches of a run, where, and which agents they trust."""

    workers: int | None = None
    """By default one per core."""
    ray: str | bool = False
    """The address of a Ray cluster, or True for a running one."""
    admission: Admission = DEFAULT

    def start(self, conditions: Conditions, store: Path | str, run: Run) -> Workers:
        """Start the workers for a run of this store."""
        if self.ray is False:
            return LocalWorkers(conditions, self.workers, self.admission, live=live_folder(store, run.id))
        from ludoteca.arena.ray_workers import RayWorkers

        address = None if self.ray is True else str(self.ray)
        return RayWorkers(conditions, address, self.workers, self.admission)


def _play(
    plan: Plan, settings: WorkerSettings, store: Path | str | None, again: bool, watch: Watch
) -> SeriesResult | TournamentResult:
    from ludoteca.arena.results import result_of

    if settings.workers is not None and settings.workers < 1:
        raise InvalidOption("workers={count}: at least one process must play", count=settings.workers)
    with Store(default_path() if store is None else store) as opened:
        progress = play(
            opened, plan, lambda run: settings.start(plan.conditions, opened.path, run), again=again, watch=watch
        )
        return result_of(opened, progress)


def plan_of(run: Run) -> SeriesPlan | TournamentPlan:
    """The plan of a stored run. Raises InvalidStore."""
    kind = run.key.get("kind")
    if kind == "series":
        return SeriesPlan.from_run(run)
    if kind == "tournament":
        return TournamentPlan.from_run(run)
    if kind == "league":
        raise InvalidStore("run {run} is a league, not a series or tournament: look at single matches", run=run.id)
    raise InvalidStore("run {run} holds matches of people, not of a series or tournament", run=run.id)


def stored_result(store: Store, run: Run) -> SeriesResult | TournamentResult:
    """The result of a stored run; plays nothing. Raises InvalidStore."""
    from ludoteca.arena.results import result_of

    return result_of(store, stored_progress(store, run, plan_of(run)))
