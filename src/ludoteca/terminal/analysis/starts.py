"""``ludoteca solve --out``: solves many starts of a game in pieces; you may stop it at any time and go on later."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ludoteca.agents.solvers.starts import Start, StartSolver, start_solver
from ludoteca.errors import InvalidFile, InvalidOption
from ludoteca.messages import Speaker
from ludoteca.protocols import Game
from ludoteca.reports.solutions import Solutions, SolvedStart

GROWTH = 4
"""How many times more nodes each round of attempts has than the last."""
SAVE_EVERY = 300.0
"""Seconds of processor time between two writings of what the solver has learned."""


class StartsRun:
    """Attempts at all starts, with more nodes each round, until all are settled or had the most nodes.

    The results are in a file that is replaced after each attempt; what the solver has learned is in another one beside
    it (``.proofs``), written now and then and at the end. A run with the same file goes on.
    """

    def __init__(self, solver: StartSolver, starts: list[Start], path: Path, command: str) -> None:
        """Raises InvalidFile and InvalidOption for a file that holds something else."""
        self.solver, self.path = solver, path
        self.learned = path.with_name(f"{path.name}.proofs")
        self.starts = {solver.name(start): start for start in starts}
        fresh = tuple(SolvedStart(name, share=round(solver.share(start), 6)) for name, start in self.starts.items())
        self.solutions = Solutions(solver.game.spec, command, fresh)
        if path.exists():
            found = Solutions.from_json(path.read_text(encoding="utf-8"))
            if found.game != solver.game.spec:
                raise InvalidOption("{path} holds starts of {game}", path=path, game=found.game)
            self.solutions = self.solutions.updated(found.starts)
        if self.learned.exists():
            solver.load(self.learned)
        self._saved = time.process_time()

    @property
    def settled(self) -> int:
        """How many starts are settled."""
        return len(self.solutions.settled)

    def run(
        self, most_nodes: int | None, on_progress: Callable[[str, int], None], first_nodes: int | None = None
    ) -> None:
        """Make all attempts, each start with at most so many nodes; calls on_progress(start, nodes) while they run.

        first_nodes: of the first round; None: as many as the solver suggests.

        An interruption by Ctrl-C is passed on after all is saved. Raises OSError where the files cannot be written.
        """
        try:
            nodes = first_nodes or self.solver.first_nodes
            while self._open(most_nodes):
                nodes = nodes if most_nodes is None else min(nodes, most_nodes)
                for name in self._open(nodes):
                    known = next(each for each in self.solutions.starts if each.start == name)
                    if known.value is None:
                        self._attempt(known, nodes - known.nodes, on_progress)
                nodes *= GROWTH
        finally:
            self._save()

    def _open(self, nodes: int | None) -> list[str]:
        """The starts to attempt: those that are not settled and had fewer nodes, one of several that are the same."""
        return [
            each.start
            for each in self.solutions.starts
            if each.value is None
            and (nodes is None or each.nodes < nodes)
            and self.solver.representative(self.starts[each.start]) == self.starts[each.start]
        ]

    def _attempt(self, known: SolvedStart, nodes: int, on_progress: Callable[[str, int], None]) -> None:
        start, began = self.starts[known.start], time.process_time()
        attempt = self.solver.attempt(start)
        spent, solution = 0, None
        try:
            for solution in attempt:
                spent = max(spent, solution.nodes)
                on_progress(known.start, known.nodes + spent)
                if solution.value is None and spent >= nodes:
                    break
        finally:
            attempt.close()
            seconds = round(known.seconds + time.process_time() - began, 2)
            tried = replace(known, nodes=known.nodes + spent, seconds=seconds, version=version("ludoteca"))
            if solution is not None and solution.value is not None:
                tried = replace(tried, value=solution.value, within=solution.within)
            self.solutions = self.solutions.updated([tried])
            if tried.value is not None:
                assert solution is not None
                names = {self.solver.name(each) for each in self.solver.implied(start, solution)}
                self.solutions = self.solutions.updated(
                    replace(each, value=tried.value, within=tried.within, version=tried.version, by=tried.start)
                    for each in self.solutions.starts
                    if each.start in names and each.value is None
                )
            self.solutions.write(self.path)
        if time.process_time() - self._saved > SAVE_EVERY:
            self._save()

    def _save(self) -> None:
        self.solutions.write(self.path)
        new = self.learned.with_name(f"{self.learned.name}.new")
        self.solver.save(new)
        if new.exists():
            os.replace(new, self.learned)
        self._saved = time.process_time()


def solve_starts(game: Game, path: Path, command: str, console: Console, speaker: Speaker, *, openings: bool,
                 seeds: int, threads: int, memory: int, most_nodes: int | None,
                 first_nodes: int | None) -> Solutions:  # fmt: skip
    """Solve all openings or the first deals with a progress bar. Returns what is known of all.

    Raises InvalidOption, and InvalidFile for files that cannot be read or written.
    """
    solver = start_solver(game, threads, memory)
    run = StartsRun(solver, solver.openings() if openings else solver.deals(seeds), path, command)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # what `kill` and `timeout` send, as Ctrl-C
    try:
        with Progress(*columns, console=console, transient=True) as progress:
            task = progress.add_task(game.spec, total=len(run.starts), completed=run.settled)

            def show(start: str, nodes: int) -> None:
                text = speaker.say("{start}: {nodes:,} positions", start=start or game.spec, nodes=nodes)
                progress.update(task, completed=run.settled, description=text)

            run.run(most_nodes, show, first_nodes)
    except KeyboardInterrupt:
        console.print(speaker.say("Stopped. The same command goes on from here."), style="dim")
    except OSError as error:
        raise InvalidFile("{path} cannot be written: {reason}", path=path, reason=str(error)) from None
    finally:
        signal.signal(signal.SIGTERM, before)
    _print(run.solutions, console, speaker)
    return run.solutions


def _print(found: Solutions, console: Console, speaker: Speaker) -> None:
    values = [each.value for each in found.settled if each.value is not None]
    if all(value in (-1.0, 0.0, 1.0) for value in values):
        console.print(
            speaker.say(
                "{settled} of {count} settled; the player who begins wins {won}, draws {drawn}, loses {lost}",
                settled=len(values), count=len(found.starts), won=values.count(1), drawn=values.count(0),
                lost=values.count(-1),
            )
        )  # fmt: skip
    else:
        console.print(speaker.say("{settled} of {count} settled", settled=len(values), count=len(found.starts)))
        for each in found.settled:
            if each.value is not None:
                value, within = speaker.number(each.value, "+.5f"), speaker.number(each.within, ".5f")
                console.print(f"{each.start or found.game}  {value} ± {within}")
    console.print(
        speaker.say("{nodes:,} positions, {seconds:.0f} s of processor time", nodes=found.nodes, seconds=found.seconds),
        style="dim",
    )
