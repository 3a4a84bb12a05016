"""``ludoteca league init | codes | serve | submit | run | standings | finish``."""

from __future__ import annotations

import csv
import signal
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer
from rich.console import Console
from rich.status import Status as Spinner

from ludoteca.arena.api import WorkerSettings
from ludoteca.arena.workers import cores
from ludoteca.catalogues import preferred_language
from ludoteca.course.check.report import Finding
from ludoteca.course.grades import harmless
from ludoteca.errors import InvalidOption, extra
from ludoteca.games import game as game_of
from ludoteca.league import settings as league_settings
from ludoteca.league.database import TEACHER, Database, Status, Version
from ludoteca.league.hand_in import CHECK_PAUSE, SANDBOXED, check, take
from ludoteca.league.leaderboard import leaderboard, leaderboard_rows
from ludoteca.league.opened_league import League, require_sandbox
from ludoteca.league.playing.changed_files import set_aside_changed
from ludoteca.league.playing.checking_process import CheckingProcess
from ludoteca.league.playing.openings import openings_of
from ludoteca.league.playing.playing_process import PlayingProcess
from ludoteca.league.playing.scheduler import Scheduler
from ludoteca.league.teacher_command import COMMANDS
from ludoteca.messages import Speaker, say, translate
from ludoteca.players.processes.linux import hide_memory
from ludoteca.reports.json_output import JsonOption, print_json

app = typer.Typer(
    help="A class's leaderboard that never sleeps: students hand in versions, and the league plays on.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Folder = Annotated[Path, typer.Argument(help="The folder with league.toml and roster.csv.")]


@app.command("init")
def init(folder: Annotated[Path, typer.Argument(help="Where the league will be.")] = Path(".")) -> None:
    """Write a league.toml in which every key is explained, and a roster.csv with two example students."""
    speaker = Speaker(preferred_language())
    for path in league_settings.begin(folder, preferred_language()):
        _console().print(speaker.say("{path} is written.", path=path), soft_wrap=True)
    text = speaker.say("Edit both, then: ludoteca league codes {folder}", folder=folder)
    _console().print(text, soft_wrap=True)


@app.command("codes")
def codes(
    folder: Folder = Path("."),
    again: Annotated[str | None, typer.Option(metavar="ID", help="A new code for this one; the old one ends.")] = None,
    teacher: Annotated[bool, typer.Option("--teacher", help="A new code for the teacher; the old one ends.")] = False,
    revoke: Annotated[
        str | None, typer.Option(metavar="ID", help="End the code of this one, or of the teacher: teacher.")
    ] = None,
    public_url: Annotated[
        str, typer.Option(metavar="URL", help="Where people find the league, such as https://league.example.org.")
    ] = "http://localhost:8080",
) -> None:
    """Print a personal link for everybody who has none yet, as CSV: name, id, link. They are shown only now."""
    with ExitStack() as stack:
        database = League.of(folder, stack).database
        people = {person.ident: person for person in database.people()}
        for ident in (again, revoke):
            if ident is not None and ident not in people and ident != TEACHER:
                raise InvalidOption("{id} is not on the roster", id=ident)
        if revoke is not None:
            database.revoke_code(people[revoke].id) if revoke in people else database.revoke_teacher_code()
            return
        table = csv.writer(sys.stdout)
        table.writerow(["name", "id", "link"])
        address = f"{_checked_url(public_url)}/league/enter/"
        if teacher or (again == TEACHER and again not in people):
            table.writerow([TEACHER, "", address + database.new_teacher_code()])
            return
        for person in people.values():
            if person.ident == again or (again is None and not database.has_code(person.id)):
                table.writerow([harmless(person.name), harmless(person.ident), address + database.new_code(person.id)])


@app.command("serve")
def serve(
    folder: Folder = Path("."),
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8080,
    public_url: Annotated[
        str,
        typer.Option(metavar="URL", help="Where people find the league, if it is behind a proxy: https://…"),
    ] = "",
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A further host name of this server; may be given several times."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="The address of a reverse proxy in front of this server; may be given several times. Only a proxy "
            "named here is believed when it says, in X-Forwarded-For and X-Forwarded-Proto, how a visitor reached it.",
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes that play; by default all cores but one.")
    ] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="[ADDRESS]", help="Play on a Ray cluster, as in: ludoteca tournament.")
    ] = None,
    play: Annotated[bool, typer.Option("--play/--no-play", help="Play, too; or only show the page.")] = True,
) -> None:
    """Open the league's page and play all the time, until Ctrl-C, which loses nothing."""
    hide_memory()
    require_sandbox()
    with extra("web", say("the page")):
        from ludoteca.league.pages import server
    with ExitStack() as stack:
        settings = League.of(folder, stack).settings
    options = [] if workers is None else ["--workers", str(workers)]
    options += [] if ray is None else ["--ray", ray]
    server.serve(
        folder, settings, host, port, public_url=_checked_url(public_url) if public_url else "",
        names=allow_host or (), proxies=proxy or (), playing=PlayingProcess(folder, *options) if play else None,
    )  # fmt: skip


def _checked_url(url: str) -> str:
    """The address without a slash at its end. Raises InvalidOption."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise InvalidOption("{url} is no address of a server, such as https://league.example.org", url=url)
    return url.rstrip("/")


@app.command("submit")
def submit(
    file: Annotated[Path, typer.Argument(help="A .py file, or a zip of a folder.")],
    student: Annotated[str, typer.Option("--as", metavar="ID", help="Whose version it is: an id of the roster.")],
    folder: Annotated[Path, typer.Option("--league", help="The folder with league.toml.")] = Path("."),
) -> None:
    """Hand in a version for a student, check it in the sandbox, and let it play."""
    console, language = _console(), preferred_language()
    speaker = Speaker(language)
    require_sandbox()
    with ExitStack() as stack:
        league = League.of(folder, stack)
        person = {each.ident: each for each in league.database.people()}.get(student)
        if person is None:
            raise InvalidOption("{id} is not on the roster", id=student)
        try:
            data = file.read_bytes()
        except OSError as error:
            raise InvalidOption("{path} cannot be read: {why}", path=file, why=error.strerror or str(error)) from error
        version = take(league.database, league.settings, person, data, file.name)
        console.print(speaker.say("It is version {number} of {name}.", number=version.number, name=person.name))

        def show(finding: Finding) -> None:
            console.print(
                f"{finding.verdict.mark} {translate(finding.title, language)}: {translate(finding.text, language)}"
            )

        _watch_check(league.database, version, show)
        if league.database.version(version.id).status is Status.checking:
            check(league.database, league.settings, version, show)
        now = next(each for each in league.database.versions(person.id) if each.id == version.id)
        if now.status is Status.refused:
            raise InvalidOption("version {number} cannot play: {why}", number=now.number, why=now.reason)
        console.print(speaker.say("It plays now."))


def _watch_check(database: Database, version: Version, show: Callable[[Finding], None]) -> None:
    """Show the check that the process makes which plays the league, if there is one."""
    shown = 0
    while database.being_played:
        checking = database.version(version.id).status is Status.checking
        for finding in database.findings(version.id)[shown:]:
            show(finding)
            shown += 1
        if not checking:
            return
        time.sleep(CHECK_PAUSE)


@app.command("run")
def run(
    folder: Folder = Path("."),
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; by default all cores but one.")] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="[ADDRESS]", help="Play on a Ray cluster, as in: ludoteca tournament.")
    ] = None,
) -> None:
    """Play the league until Ctrl-C, which loses nothing. Versions handed in meanwhile join at once."""
    hide_memory()  # this process knows the secret that all deals come from
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell makes what it starts in the background ignore the first
        signal.signal(number, signal.default_int_handler)
    require_sandbox()
    speaker = Speaker(preferred_language())
    with ExitStack() as stack:
        league = League.of(folder, stack)
        database, conditions = league.database, league.settings.course.conditions
        stack.enter_context(database.sole_player())
        game = game_of(conditions.game)
        set_aside_changed(database, game.name)
        count = max(1, cores() - 1) if workers is None and ray is None else workers
        where = False if ray is None else True if ray == "auto" else ray
        playing = WorkerSettings(count, where, SANDBOXED).start(conditions, database.store.path, database.run)
        scheduler = stack.enter_context(Scheduler(database, playing, openings_of(database, conditions.game)))
        checking = stack.enter_context(CheckingProcess(folder))
        played, begun = 0, time.monotonic()
        with Spinner("", console=_console()) as spinner:
            try:
                while database.final() is None:
                    checking.follow(database)
                    played += scheduler.step()
                    rate = 3600 * played / max(1.0, time.monotonic() - begun)
                    text = speaker.say("{count} matches, {rate:.0f} an hour. Ctrl-C stops.", count=played, rate=rate)
                    spinner.update(text)
            except KeyboardInterrupt:
                pass
        scheduler.rate_now()
        if database.final() is None:
            _console().print(speaker.say("Stopped. Every finished match is kept; the same command goes on."))
            raise SystemExit(130)  # only at its end a league is not played again
        _console().print(speaker.say("The league is over. Its final: ludoteca league finish {folder}", folder=folder))


@app.command("standings")
def standings(folder: Folder = Path("."), as_json: JsonOption = False) -> None:
    """Print the leaderboard: who stands where, with 95% intervals."""
    with ExitStack() as stack:
        database = League.of(folder, stack).database
        versions = {version.id: version for version in database.versions()}
        rows = leaderboard_rows(database.people(), versions, database.ratings())
    if as_json:
        print_json("leaderboard", {"agents": [each.fields() for each in rows]})
    else:
        console = _console()
        console.print(leaderboard(rows).rich(console.width, preferred_language()))


def _console() -> Console:
    return Console(emoji=False, markup=False, highlight=False)


for name, command in COMMANDS.items():
    app.command(name)(command)
