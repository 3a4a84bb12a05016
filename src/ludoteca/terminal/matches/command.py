"""``ludoteca match`` and ``ludoteca tournament``."""

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
from ludoteca.players.admission import Admission
from ludoteca.players.processes.linux import hide_memory
from ludoteca.players.processes.memory import MEMORY
from ludoteca.reports import standings_of
from ludoteca.reports.json_output import JsonOption, print_json
from ludoteca.terminal.matches.progress import ProgressView, live
from ludoteca.terminal.matches.report import print_standings, write_report

Limit = Annotated[
    str | None,
    typer.Option(
        help="Thinking time of each agent: 0.1s or 2000n (nodes) per move, 60s/match per match, or both: "
        "0.1s,60s/match. By default 1s, and 5s if an agent is a file."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Makes an experiment repeatable: decides the deals and the agents' random numbers. By default they come "
        "from a random secret that no agent sees.",
    ),
]
Openings = Annotated[
    str,
    typer.Option(
        metavar="auto|none|FILE",
        help="If all deals are the same, each pair of matches starts from its own balanced opening; or give a file.",
    ),
]
Trust = Annotated[
    list[str] | None,
    typer.Option(
        "--trust", metavar="NAME",
        help="Run this agent, which is not ours, inside the referee's process, without a sandbox. It could then "
        "falsify results.",
    ),
]  # fmt: skip
Untrusted = Annotated[
    bool,
    typer.Option(
        "--untrusted",
        help="Put every agent that is neither ours nor trusted into a sandbox, not only files, and refuse to play if "
        "no sandbox works; see: ludoteca doctor",
    ),
]
WorkerCount = Annotated[
    int | None, typer.Option("--workers", min=1, help="How many processes; by default one per core.")
]
Ray = Annotated[
    str | None,
    typer.Option(
        metavar="[ADDRESS]",
        help="Play on a Ray cluster: at this address, or without one on a running or a new local cluster.",
    ),
]
StorePath = Annotated[Path | None, typer.Option("--store", help="The file that holds all matches.")]
Memory = Annotated[int, typer.Option(min=0, help="MiB of memory for an agent, beyond Python itself; 0 for no limit.")]
Margin = Annotated[float, typer.Option(min=0, help="Seconds of tolerance beyond a time limit.")]
Again = Annotated[bool, typer.Option("--again", help="Play again, even if these matches are stored already.")]
Isolated = Annotated[bool, typer.Option("--isolated", help="Run our own agents in separate processes too.")]
Report = Annotated[
    Path | None, typer.Option("--report", help="Write tables and pictures to this folder, as JSON, SVG and PNG.")
]


def match(
    game: Annotated[str, typer.Argument(help="The game, such as hex:size=7; see: ludoteca games")],
    first: Annotated[str, typer.Argument(help="An agent or a player's file; see: ludoteca agents")],
    second: Annotated[str, typer.Argument(help="The other agent.")],
    n: Annotated[
        int, typer.Option("-n", min=2, help="How many matches: an even number, half of them in each seat.")
    ] = 100,
    limit: Limit = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="H0,H1[,ALPHA,BETA]",
            help="Stop as soon as a sequential test (SPRT) decides between these two differences in Elo; in a game "
            "with stakes, such as poker, between these two mean returns per match. ALPHA and BETA are the chances of "
            "a wrong answer, by default 0.05 each.",
        ),
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
    as_json: JsonOption = False,
) -> None:
    """Play many matches between two agents and say which is stronger, and how sure that is.

    Every deal is played twice with sides swapped. Finished matches are saved: after Ctrl-C the same command goes on,
    and with a larger -n it adds more matches. The exit status is 3 if an agent committed a fault.
    """
    result = _run(
        lambda watch: api.series(
            game, first, second, n, limit=limit, sprt=sprt, openings=openings, seed=seed, workers=workers,
            ray=_ray(ray), store=store, memory=memory or None, margin=margin, again=again,
            admission=Admission(isolated, tuple(trust or ()), untrusted), watch=watch,
        ),
        as_json,
    )  # fmt: skip
    if as_json:
        print_json("series", result.summary())
    _exit_if(any(tally.total for tally in result.faults))


def tournament(
    game: Annotated[str, typer.Argument(metavar="FILE.toml | GAME", help="A TOML file, or a game followed by agents.")],
    agents: Annotated[list[str] | None, typer.Argument(help="The agents; in a knock-out the strongest first.")] = None,
    format: Annotated[str | None, typer.Option(help=f"{', '.join(FORMATS)}; by default the first.")] = None,  # noqa: A002
    matches: Annotated[int | None, typer.Option(help="Matches of each pairing: an even number, by default 2.")] = None,
    rounds: Annotated[int | None, typer.Option(help="How many rounds; only for Swiss tournaments.")] = None,
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
    as_json: JsonOption = False,
) -> None:
    """Play a tournament: round-robin, Swiss, gauntlet or knock-out.

    FILE.toml has the fields game, agents, format, matches, rounds, limit, memory and seed; options given here override
    them. Finished matches are saved: after Ctrl-C the same command goes on. The exit status is 3 if an agent committed
    a fault or could not take part.
    """
    given = {"format": format, "matches": matches, "rounds": rounds, "limit": limit, "memory": memory, "seed": seed}
    options: dict[str, Any] = {"game": game, "agents": agents or []}
    if game.endswith(".toml"):
        if agents:
            text = say("{file} names the agents already, so do not add {agents}", file=game, agents=" ".join(agents))
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
        as_json,
    )  # fmt: skip
    standings = standings_of(result)
    if as_json:
        print_json("tournament", result.summary() | {"standings": standings.table()})
    else:
        print_standings(Console(emoji=False), standings, preferred_language())
    if report is not None:
        write_report(report, result, standings)
    _print_excluded(result, as_json)
    _exit_if(any(tally.total for tally in result.faults.values()) or bool(result.excluded))


def _ray(address: str | None) -> str | bool:
    return False if address is None else True if address == "auto" else address


Result = TypeVar("Result", SeriesResult, TournamentResult)


def _run(work: Callable[[api.Watch], Result], as_json: bool) -> Result:
    """Play with a live table; Ctrl-C stops cleanly and says how to go on. as_json: all that goes to the errors."""
    hide_memory()  # this process holds the secret of all deals
    console, language = Console(emoji=False, stderr=as_json), preferred_language()
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
        count = seen[0].found + seen[0].fresh if seen else 0
        if seen:
            console.print(ProgressView(seen[0], language))
        text = Speaker(language).say_count(
            "Stopped. {count} match is saved; the same command goes on.",
            "Stopped. {count} matches are saved; the same command goes on.",
            count,
        )
        console.print(text, highlight=False)
        raise SystemExit(130) from None
    _say_where(console, language, seen[0])
    return result


def _say_where(console: Console, language: Language, progress: Progress) -> None:
    run, speaker = progress.run, Speaker(language)
    if progress.fresh:
        text = speaker.say("Saved as run {run}; see: ludoteca show {run}, replay {run} 0, export {run}", run=run.id)
    else:
        text = speaker.say(
            "These matches were played earlier, on {date} UTC (run {run}). Add --again to play them again.",
            date=run.created,
            run=run.id,
        )
    console.print(text, highlight=False)


def _print_excluded(result: TournamentResult, as_json: bool) -> None:
    """Print which agents could not take part, and why, below everything else."""
    console, speaker = Console(emoji=False, stderr=as_json), Speaker(preferred_language())
    for agent, why in result.excluded:
        console.print("")
        text = speaker.say("{agent} cannot be built and does not take part: {why}", agent=agent, why=why)
        console.print(text, style="red", markup=False, highlight=False, soft_wrap=True)


FAULTY = 3
"""The exit status if an agent committed a fault or could not take part."""


def _exit_if(faulty: bool) -> None:
    if faulty:
        raise SystemExit(FAULTY)
