"""`htp`: the agent that plays as an external program which speaks the Hex Text Protocol."""

from __future__ import annotations

import contextlib
import itertools
import os
import shlex
import shutil
import time
from pathlib import Path
from typing import Annotated, Final

from ludoteca._core import HexView
from ludoteca.agents.hex.htp_program import HtpDied, HtpFailed, HtpLate, HtpProgram, HtpRefused
from ludoteca.errors import BrokenAgent, IllegalAnswer, InvalidAction, InvalidAgent, InvalidOption, LateAnswer
from ludoteca.games.core_game import expect
from ludoteca.games.hex.game import Hex
from ludoteca.messages import say
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View
from ludoteca.spec import Label, Program, within

COLOURS: Final = ("black", "white")
RESTARTS: Final = 3
"""How often a program that died is restarted in one match."""
MOST_SECONDS: Final = 1_000_000.0
NONE: Final = Program()
SWAPS: Final = ("swap-pieces", "swap")
MEMORY: Final = 2048
"""Default MiB for the program."""
MOST_MEMORY: Final = 1 << 24
TIME_FORMS: Final = ("{seconds} 1", "{seconds}", "{whole} 1", "{whole}")
"""Arguments of `time_left` after the colour. GTP wants the number of stones, here 1; MoHex and Wolve refuse it.

Some programs take only whole seconds. The first form that a program accepts is used for all its moves.
"""
OUT_OF_MEMORY: Final = ("bad_alloc", "MemoryError", "Cannot allocate memory", "out of memory")

Stones = dict[Action, Seat]
"""The seat that has each cell, as HTP numbers the cells: black, seat 0, connects top and bottom."""


class Htp:
    """Plays as a program that speaks the Hex Text Protocol, such as MoHex: htp:/path/to/program and its arguments.

    The program starts before the match. Before each move it gets the new stones and its time. If it dies, it is
    restarted, up to three times in a match. If it does not answer, or its answer is not a move, it loses. When it
    resigns, the agent plays the first legal move and the match goes on.
    """

    games = frozenset({"hex"})

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        command: Annotated[Program, Label(say("command"), say("the program with its arguments"))] = NONE,
        setup: Annotated[
            str, Label(say("setup"), say("commands for the program before the match, separated by semicolons"))
        ] = "",
        memory: Annotated[int, Label(say("memory"), say("MiB for the program; 0 for no limit"))] = MEMORY,
        files: Annotated[
            str, Label(say("files"), say("further files and folders that decide its play, separated by colons"))
        ] = "",
        timeout: Annotated[
            float, Label(say("timeout"), say("seconds to wait for an answer when there is no time limit"))
        ] = 60.0,
        log: Annotated[Path, Label(say("log"), say("a file that logs every command and answer"))] = Path(),
    ) -> None:
        """files: only `ludoteca.agents.digests` reads them, for the identity. Raises as `agents.agent`."""
        if not isinstance(game, Hex) or game.layout != "axial":
            raise InvalidAgent("htp plays Hex on a board with layout=axial, not {game}", game=game.spec)
        self._command = str(command)
        _check(self._command)
        if not 0 < timeout <= MOST_SECONDS:
            raise InvalidOption(
                "htp: timeout={timeout} must be more than 0 and at most {most:g}", timeout=timeout, most=MOST_SECONDS
            )
        for path in filter(None, map(str.strip, files.split(os.pathsep))):
            if not Path(path).expanduser().exists():
                raise InvalidOption("htp: files={files}: there is no {path}", files=files, path=path)
        self._memory = within("htp", "memory", memory, 0, MOST_MEMORY)
        self._setup = [line.strip() for line in setup.split(";") if line.strip()]
        self._game, self._seat, self._timeout = game, seat, timeout
        self._log = None if log == Path() else log.expanduser()
        self._program: HtpProgram | None = None
        self._knows_param_game = self._knows_time_left = False
        self._time_forms: tuple[str, ...] = TIME_FORMS
        self._swap_allowed: bool | None = None  # as announced
        self._sent: Stones = {}
        self._starts = 0
        try:
            self._running()  # now, when no clock runs
        except HtpFailed as error:
            raise self._failed(error) from None

    def act(self, view: View, limit: Limit) -> Decision:
        """The program's move. Raises IllegalAnswer, LateAnswer, BrokenAgent when the program fails, and MemoryError.

        The referee keeps the clock and forgives its margin, so a program that is late is still waited for here.
        """
        if limit.nodes == 1 and limit.seconds is None:
            # A rebuild from earlier views discards the answer, and the program needs no history: do not ask it.
            return Decision(view.legal()[0])
        start = time.monotonic()
        while True:
            try:
                return self._ask(expect(view, HexView), limit, start)
            except HtpDied as error:
                self._program = None
                if self._starts > RESTARTS or time.monotonic() >= start + self._patience(limit):
                    raise self._failed(error) from None
            except HtpFailed as error:
                raise self._failed(error) from None

    def _patience(self, limit: Limit) -> float:
        """Seconds after which a program hangs."""
        return (limit.seconds or 0.0) + self._timeout

    def _ask(self, view: HexView, limit: Limit, start: float) -> Decision:
        program = self._running()
        self._show(program, view)
        colour = COLOURS[self._seat]
        if limit.seconds is not None and self._knows_time_left:
            self._announce_time(program, start + limit.seconds - time.monotonic())
        said = program.ask(f"genmove {colour}", max(0.0, start + self._patience(limit) - time.monotonic()))
        action = self._action(said, view)
        if action is None:
            action = view.legal()[0]
            self._sent = {}  # its board may differ from ours now: send all stones before the next move
            return Decision(action, value=-1.0, note=say("the program resigns; the match is played on"))
        if action == self._game.swap:
            self._sent = {}
        else:
            self._sent[self._transposed(action)] = self._seat
        return Decision(action)

    def _running(self) -> HtpProgram:
        if self._program is None:
            self._starts += 1
            program = HtpProgram(self._command, self._log, self._memory)
            self._knows_param_game, self._knows_time_left = self._known(program, "param_game", "time_left")
            for line in self._setup:
                try:
                    program.ask(line, self._timeout)
                except HtpRefused as error:
                    raise HtpFailed(f"it refused the setup command {line!r}: {error}") from None
            size = self._game.size
            try:
                program.ask(f"boardsize {size}", self._timeout)
            except HtpRefused:
                program.ask(f"boardsize {size} {size}", self._timeout)
            self._swap_allowed = None
            self._clear(program, swap=self._game.swap is not None)
            self._program = program
        return self._program

    def _known(self, program: HtpProgram, *names: str) -> list[bool]:
        """Which commands the program knows."""
        try:
            listed = program.ask("list_commands", self._timeout).split()
            return [name in listed for name in names]
        except HtpRefused:
            return [self._knows(program, name) for name in names]

    def _knows(self, program: HtpProgram, name: str) -> bool:
        try:
            return program.ask(f"known_command {name}", self._timeout).lower() == "true"
        except HtpRefused:
            return False

    def _clear(self, program: HtpProgram, *, swap: bool) -> None:
        """Empty its board, and announce whether the second player may swap if that has changed."""
        program.ask("clear_board", self._timeout)
        self._sent = {}
        if self._knows_param_game and swap is not self._swap_allowed:
            self._swap_allowed = swap
            with contextlib.suppress(HtpRefused):
                program.ask(f"param_game allow_swap {int(swap)}", self._timeout)

    def _announce_time(self, program: HtpProgram, left: float) -> None:
        """Say how much time it has, in the first form that it accepts; say nothing if it accepts none."""
        # 5% less than is left; whole seconds from 4 s on
        seconds = str(int(left * 0.95)) if left >= 4 else f"{max(0.01, left * 0.95):.2f}"
        whole = str(max(1, int(left * 0.95)))
        while self._time_forms:
            arguments = self._time_forms[0].format(seconds=seconds, whole=whole)
            try:
                program.ask(f"time_left {COLOURS[self._seat]} {arguments}", self._timeout)
                return
            except HtpRefused:
                self._time_forms = self._time_forms[1:]

    def _show(self, program: HtpProgram, view: HexView) -> None:
        """Send the new stones, or all of them if one has changed, as after a swap."""
        stones = self._stones(view)
        if any(stones.get(cell) != seat for cell, seat in self._sent.items()) or not self._sent:
            swap = self._game.swap is not None and (not stones or self._game.swap in view.legal())
            self._clear(program, swap=swap)
        new: list[list[Action]] = [
            [cell for cell, owner in stones.items() if owner == seat and cell not in self._sent] for seat in (0, 1)
        ]
        # Alternate colours where possible: not every program accepts two stones of one colour in a row.
        for pair in itertools.zip_longest(*new):
            for seat, cell in enumerate(pair):
                if cell is not None:
                    program.ask(f"play {COLOURS[seat]} {self._game.action_name(cell)}", self._timeout)
                    self._sent[cell] = seat

    def _stones(self, view: HexView) -> Stones:
        return {self._transposed(cell): int(owner) for cell, owner in enumerate(view.stones) if owner is not None}

    def _transposed(self, cell: Action) -> Action:
        """The same cell with rows and columns exchanged, unless the board has HTP's orientation."""
        if self._game.orientation == "standard":
            return cell
        row, column = divmod(cell, self._game.size)
        return column * self._game.size + row

    def _action(self, said: str, view: HexView) -> Action | None:
        """The action of an answer to genmove; None if it resigns. Raises IllegalAnswer."""
        word = said.lower()
        if word == "resign":
            return None
        if word in SWAPS and self._game.swap is not None and self._game.swap in view.legal():
            return self._game.swap
        try:
            return self._transposed(self._game.parse_action(word))
        except InvalidAction as error:
            raise IllegalAnswer(
                "{program} answered genmove with {answer!r}: {reason}",
                program=self._command,
                answer=said[:80],
                reason=error,
            ) from None

    def _failed(self, error: HtpFailed) -> Exception:
        """The error with which the agent fails."""
        message = say("{program}: {reason}", program=self._command, reason=str(error))
        if isinstance(error, HtpLate):
            return LateAnswer(message)
        if isinstance(error, HtpDied) and any(phrase in str(error) for phrase in OUT_OF_MEMORY):
            return MemoryError(message)
        return BrokenAgent(message)


def _check(command: str) -> None:
    """Raises InvalidOption unless the command starts with an installed program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidOption("htp: command={command} cannot be read: {error}", command=command, error=error) from None
    if not words:
        raise InvalidOption(say("htp: say which program plays, as in htp:/usr/bin/mohex"))
    if shutil.which(words[0]) is None:
        raise InvalidOption("htp: there is no program {program}", program=words[0])
