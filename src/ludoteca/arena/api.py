"""`ludoteca.series` and `ludoteca.tournament`: the command line's words as two functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludoteca.arena.crew import Crew
from ludoteca.arena.runs import Progress, play, review
from ludoteca.arena.series import Plan, SeriesPlan
from ludoteca.arena.tournament import TournamentPlan
from ludoteca.arena.workers import Workers
from ludoteca.errors import InvalidOption, InvalidStore
from ludoteca.play.conditions import MARGIN, MEMORY, Conditions
from ludoteca.play.live import live_folder
from ludoteca.play.store import Run, Store, default_path

if TYPE_CHECKING:  # tables and ratings are read in when there are results: agents' processes start without them
    from ludoteca.arena.results import SeriesResult, TournamentResult

__all__ = ["Watch", "plan_of", "reviewed", "series", "tournament"]

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
    limit: str = "1s",
    sprt: str | None = None,
    seed: int = 1,
    workers: int | None = None,
    ray: str | bool = False,
    memory: int | None = MEMORY,
    margin: float = MARGIN,
    store: Path | str | None = None,
    again: bool = False,
    isolated: bool = False,
    watch: Watch = _nobody,
) -> SeriesResult:
    """Plays `n` matches between two agents: pairs on the same deal with the seats exchanged.

    game, first, second: strings such as ``hex:size=7`` and ``random``.
    limit: what each agent may use, per action (``0.1s``, ``2000n``) or per match (``60s/match``).
    sprt: ``elo0,elo1``: stops as soon as the sequential probability ratio test decides between the two.
    seed: decides all the deals and the agents' chances.
    workers: processes, by default one per core. ray: True or an address, to play on a Ray cluster instead.
    memory: MiB per agent; margin: seconds that the clock forgives.
    store: a file, by default the one of the command line; what it holds of this series already is not played again,
    unless `again` is set. ``":memory:"`` keeps nothing.
    isolated: trusted agents get processes of their own too.

    Raises InvalidGame, InvalidAgent, InvalidOption, InvalidStore, and WorkerError when something of ours fails. After
    a KeyboardInterrupt the same call goes on.
    """
    from ludoteca.arena.results import SeriesResult

    plan = SeriesPlan.of(Conditions.of(game, limit, memory, margin), (first, second), n, seed, sprt)
    result = _play(plan, workers, ray, store, again, isolated, watch)
    assert isinstance(result, SeriesResult)
    return result


def tournament(
    game: str,
    agents: Sequence[str],
    *,
    format: str = "round-robin",  # noqa: A002 - the word of the command line
    matches: int = 2,
    rounds: int | None = None,
    limit: str = "1s",
    seed: int = 1,
    workers: int | None = None,
    ray: str | bool = False,
    memory: int | None = MEMORY,
    margin: float = MARGIN,
    store: Path | str | None = None,
    again: bool = False,
    isolated: bool = False,
    watch: Watch = _nobody,
) -> TournamentResult:
    """Plays a tournament between agents; what is not said here is as in `series`.

    format: ``round-robin``, ``swiss``, ``gauntlet`` (the first against all others) or ``knockout``.
    matches: per pairing, an even number. rounds: of a Swiss tournament, by default as many as a knock-out has.
    """
    from ludoteca.arena.results import TournamentResult

    conditions = Conditions.of(game, limit, memory, margin)
    plan = TournamentPlan.of(conditions, agents, format, matches, rounds, seed)
    result = _play(plan, workers, ray, store, again, isolated, watch)
    assert isinstance(result, TournamentResult)
    return result


def _play(
    plan: Plan,
    workers: int | None,
    ray: str | bool,
    store: Path | str | None,
    again: bool,
    isolated: bool,
    watch: Watch,
) -> SeriesResult | TournamentResult:
    from ludoteca.arena.results import result_of

    if workers is not None and workers < 1:
        raise InvalidOption(f"workers={workers}: at least one process must play")

    def hire(run: Run) -> Crew:
        if ray is False:
            return Workers(plan.conditions, workers, isolated=isolated, live=live_folder(opened.path, run.id))
        from ludoteca.arena.ray_workers import RayWorkers

        return RayWorkers(plan.conditions, None if ray is True else ray, workers, isolated=isolated)

    with Store(default_path() if store is None else store) as opened:
        return result_of(opened, play(opened, plan, hire, again=again, watch=watch))


def plan_of(run: Run) -> SeriesPlan | TournamentPlan:
    """The plan of a stored run. Raises InvalidStore."""
    kind = run.key.get("kind")
    if kind in ("series", "match"):  # older stores say match
        return SeriesPlan.from_run(run)
    if kind == "tournament":
        return TournamentPlan.from_run(run)
    raise InvalidStore(f"run {run.id} is of kind {kind!r}, which this Ludoteca does not know")


def reviewed(store: Store, run: Run) -> SeriesResult | TournamentResult:
    """What a stored run comes to, without playing anything. Raises InvalidStore."""
    from ludoteca.arena.results import result_of

    return result_of(store, review(store, run, plan_of(run)))
