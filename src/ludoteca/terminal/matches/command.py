"""``ludoteca match`` and ``ludoteca tournament``: commands that play."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console

from ludoteca.arena import api
from ludoteca.arena.results import SeriesResult, TournamentResult
from ludoteca.arena.runs import Progress
from ludoteca.arena.tournament import FIELDS, FORMATS, read_file
from ludoteca.catalogues import Language, preferred_language
from ludoteca.errors import InvalidOption
from ludoteca.messages import Speaker, say
from ludoteca.play.clock import MARGIN
from ludoteca.play.conditions import MEMORY
from ludoteca.players.admission import Admission
from ludoteca.players.processes.linux import hide_memory
from ludoteca.reports import standings_of
from ludoteca.terminal.matches.progress import ProgressView, live
from ludoteca.terminal.matches.report import print_standings, write_report

__all__ = ["match", "tournament"]

Limit = Annotated[
    str | None,
    typer.Option(
        help="What each agent may use: 0.1s or 2000n (nodes) per action, 60s/match per match, or 0.1s,60s/match; by "
        "default 1s, and 5s where a file takes part."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Decides all the deals and the agents' chances, for an experiment that can be repeated; whoever knows it "
        "can rebuild the deals. By default they come from a random secret that no agent gets to see.",
    ),
]
Openings = Annotated[
    str,
    typer.Option(
        metavar="auto|none|FILE",
        help="Where every deal is the same, each pair begins from a balanced opening of its own; or a file of them.",
    ),
]
Trust = Annotated[
    list[str] | None,
    typer.Option(
        "--trust", metavar="NAME",
        help="Let this agent, which is not ours, play inside the referee's process, in no sandbox. It can then bend "
        "every result.",
    ),
]  # fmt: skip
Untrusted = Annotated[
    bool,
    typer.Option(
        "--untrusted",
        help="Lock up every agent that is neither ours nor trusted in a sandbox, not only files, and refuse to play "
        "where none can be made; see: ludoteca doctor",
    ),
]
WorkerCount = Annotated[int | None, typer.Option("--workers", min=1, help="Processes; by default one per core.")]
Ray = Annotated[
    str | None,
    typer.Option(
        metavar="[ADDRESS]",
        help="Play on the Ray cluster at this address; without one, on a running cluster or else on a new one here.",
    ),
]
StorePath = Annotated[Path | None, typer.Option("--store", help="The file that keeps every match.")]
Memory = Annotated[int, typer.Option(min=0, help="MiB that an agent may take beyond Python's own; 0 for no limit.")]
Margin = Annotated[float, typer.Option(min=0, help="Seconds that the clock forgives beyond a limit.")]
Again = Annotated[bool, typer.Option("--again", help="Start anew, even if these matches were played before.")]
Isolated = Annotated[bool, typer.Option("--isolated", help="Give our own agents processes of their own too.")]
Report = Annotated[
    Path | None, typer.Option("--report", help="A folder for the tables and their pictures, as JSON, SVG and PNG.")
]


def match(
    game: Annotated[str, typer.Argument(help="What to play, such as hex:size=7; see: ludoteca games")],
    first: Annotated[str, typer.Argument(help="An agent, or a file; see: ludoteca agents")],
    second: Annotated[str, typer.Argument(help="The other one.")],
    n: Annotated[int, typer.Option("-n", min=2, help="Matches: an even number, half in either seat.")] = 100,
    limit: Limit = None,
    sprt: Annotated[
        str | None, typer.Option(metavar="ELO0,ELO1", help="Stop as soon as it is decided which of the two is right.")
    ] = None,
    openings: Openings = "auto",
    seed: Seed = None,
    workers: WorkerCount = None,
    ray: Ray = None,
    store: StorePath = None,
    memory: Memory = MEMORY,
    margin: Margin = MARGIN,
    again: Again = False,
    isolated: Isolated = False,
    trust: Trust = None,
    untrusted: Untrusted = False,
) -> None:
    """Play many matches between two agents and say which is better, and how sure that is.

    Every deal is played twice with the seats exchanged. Every finished match is kept: after Ctrl-C, or whatever else,
    the same command goes on, and with a larger -n it adds to what is there. The exit status is 3 when an agent
    committed a fault.
    """
    result = _run(
        lambda watch: api.series(
            game, first, second, n, limit=limit, sprt=sprt, openings=openings, seed=seed, workers=workers,
            ray=_ray(ray), store=store, memory=memory or None, margin=margin, again=again,
            admission=Admission(isolated, tuple(trust or ()), untrusted), watch=watch,
        ),
    )  # fmt: skip
    _judge(any(tally.total for tally in result.faults))


def tournament(
    game: Annotated[str, typer.Argument(metavar="FILE.toml | GAME", help="A file, or a game followed by its agents.")],
    agents: Annotated[list[str] | None, typer.Argument(help="The agents, the strongest first in a knock-out.")] = None,
    format: Annotated[str | None, typer.Option(help=f"{', '.join(FORMATS)}; by default the first.")] = None,  # noqa: A002
    matches: Annotated[int | None, typer.Option(help="Matches per pairing: an even number, by default 2.")] = None,
    rounds: Annotated[int | None, typer.Option(help="Rounds of a Swiss tournament.")] = None,
    limit: Annotated[str | None, typer.Option(help="As in: ludoteca match.")] = None,
    openings: Openings = "auto",
    seed: Seed = None,
    workers: WorkerCount = None,
    ray: Ray = None,
    store: StorePath = None,
    memory: Annotated[int | None, typer.Option(min=0, help=f"As in: ludoteca match; by default {MEMORY}.")] = None,
    margin: Margin = MARGIN,
    again: Again = False,
    isolated: Isolated = False,
    trust: Trust = None,
    untrusted: Untrusted = False,
    report: Report = None,
) -> None:
    """Play a tournament: everybody against everybody, Swiss, a gauntlet or a knock-out.

    FILE.toml has the fields game, agents, format, matches, rounds, limit, memory and seed; options given here come
    first. Every finished match is kept, and the same command goes on. The exit status is 3 when an agent committed a
    fault or could not take part.
    """
    given = {"format": format, "matches": matches, "rounds": rounds, "limit": limit, "memory": memory, "seed": seed}
    options: dict[str, Any] = {"game": game, "agents": agents or []}
    if game.endswith(".toml"):
        if agents:
            text = say(
                "{file} names the agents already, so {agents} cannot be named here", file=game, agents=" ".join(agents)
            )
            raise InvalidOption(text)
        options = read_file(Path(game))
    options |= {name: value for name, value in given.items() if value is not None}
    assert set(options) <= set(FIELDS)
    if options.get("memory") == 0:
        options["memory"] = None
    result = _run(
        lambda watch: api.tournament(
            **options, workers=workers, ray=_ray(ray), store=store, margin=margin, openings=openings,
            again=again, admission=Admission(isolated, tuple(trust or ()), untrusted), watch=watch,
        ),
    )  # fmt: skip
    standings = standings_of(result)
    print_standings(Console(emoji=False), standings, preferred_language())
    if report is not None:
        write_report(report, result, standings)
    _tell_excluded(result)
    _judge(any(tally.total for tally in result.faults.values()) or bool(result.excluded))


def _ray(address: str | None) -> str | bool:
    return False if address is None else True if address == "auto" else address


Result = TypeVar("Result", SeriesResult, TournamentResult)


def _run(work: Callable[[api.Watch], Result]) -> Result:
    """Does the work under a live table; Ctrl-C ends it in good order and says how to go on."""
    hide_memory()  # this process knows the secret that all deals come from
    console, language = Console(emoji=False), preferred_language()
    seen: list[Progress] = []

    def noting(watch: api.Watch) -> api.Watch:
        def note(progress: Progress) -> None:
            seen[:] = [progress]
            watch(progress)

        return note

    try:
        with live(console, language) as watch:
            result = work(noting(watch))
        console.print(ProgressView(seen[0], language))
    except KeyboardInterrupt:
        kept = seen[0].found + seen[0].fresh if seen else 0
        if seen:
            console.print(ProgressView(seen[0], language))
        text = Speaker(language).say_count(
            "Stopped. {count} match is kept; the same command goes on with it.",
            "Stopped. {count} matches are kept; the same command goes on with them.",
            kept,
        )
        console.print(text, highlight=False)
        raise SystemExit(130) from None
    _say_where(console, language, seen[0])
    return result


def _say_where(console: Console, language: Language, progress: Progress) -> None:
    run, speaker = progress.run, Speaker(language)
    if progress.fresh:
        text = speaker.say("Kept as run {run}; see ludoteca show {run}, replay {run} 0, export {run}", run=run.id)
    else:
        text = speaker.say(
            "All of this was played before, on {date} UTC (run {run}). Add --again to play it anew.",
            date=run.created,
            run=run.id,
        )
    console.print(text, highlight=False)


def _tell_excluded(result: TournamentResult) -> None:
    """Who could not take part, and why: that is longer than a line, so it stands below everything else."""
    console, speaker = Console(emoji=False), Speaker(preferred_language())
    for agent, why in result.excluded:
        console.print("")
        text = speaker.say("{agent} cannot be built and takes no part: {why}", agent=agent, why=why)
        console.print(text, style="red", markup=False, highlight=False, soft_wrap=True)


FAULTY = 3
"""The exit status when everything was played, but an agent committed a fault or could not take part."""


def _judge(faulty: bool) -> None:
    if faulty:
        raise SystemExit(FAULTY)
