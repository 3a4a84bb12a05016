"""`htp`: the agent that plays as an external program which speaks the Hex Text Protocol."""

from __future__ import annotations

import contextlib
import itertools
import shlex
import shutil
import time
from pathlib import Path
from typing import Annotated, Final

from ludoteca._core import HexView
from ludoteca.agents.hex.htp_program import HtpDied, HtpFailed, HtpProgram, HtpRefused
from ludoteca.errors import BrokenAgent, InvalidAction, InvalidAgent, InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.games.hex.game import Hex
from ludoteca.messages import say
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View
from ludoteca.spec import Label, Program

__all__ = ["Htp"]

COLOURS: Final = ("black", "white")
RESTARTS: Final = 3
"""How often a program that died is restarted in one match."""
MOST_SECONDS: Final = 1_000_000.0
NONE: Final = Program()
SWAPS: Final = ("swap-pieces", "swap")

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
        timeout: Annotated[
            float, Label(say("timeout"), say("seconds to wait for an answer when there is no time limit"))
        ] = 60.0,
        log: Annotated[Path, Label(say("log"), say("a file that logs every command and answer"))] = Path(),
    ) -> None:
        if not isinstance(game, Hex) or game.layout != "axial":
            raise InvalidAgent(say("htp plays Hex on a board with layout=axial, not {game}", game=game.spec))
        self._command = str(command)
        _check(self._command)
        if not 0 < timeout <= MOST_SECONDS:
            raise InvalidOption(
                say(
                    "htp: timeout={timeout} must be more than 0 and at most {most:g}",
                    timeout=timeout,
                    most=MOST_SECONDS,
                )
            )
        self._game, self._seat, self._timeout = game, seat, timeout
        self._log = None if log == Path() else log.expanduser()
        self._program: HtpProgram | None = None
        self._commands: set[str] = set()
        self._sent: Stones = {}
        self._starts = 0
        try:
            self._running()  # now, when no clock runs
        except HtpFailed as error:
            raise self._failed(error) from None

    def act(self, view: View, limit: Limit) -> Decision:
        """The program's move. Raises BrokenAgent if the program fails, InvalidAction if its answer is not a move."""
        if limit.nodes == 1 and limit.seconds is None:
            # A rebuild from earlier views discards the answer, and the program needs no history: do not ask it.
            return Decision(view.legal()[0])
        deadline = time.monotonic() + (self._timeout if limit.seconds is None else limit.seconds)
        while True:
            try:
                return self._ask(expect(view, HexView), limit, deadline)
            except HtpDied as error:
                self._program = None
                if self._starts > RESTARTS or time.monotonic() >= deadline:
                    raise self._failed(error) from None
            except HtpFailed as error:
                raise self._failed(error) from None

    def _ask(self, view: HexView, limit: Limit, deadline: float) -> Decision:
        program = self._running()
        self._show(program, self._stones(view))
        colour = COLOURS[self._seat]
        left = deadline - time.monotonic()
        if limit.seconds is not None and "time_left" in self._commands:
            with contextlib.suppress(HtpRefused):
                program.ask(f"time_left {colour} {_seconds(left)} 1", self._timeout)
        said = program.ask(f"genmove {colour}", max(0.0, deadline - time.monotonic()))
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
            program = HtpProgram(self._command, self._log)
            self._commands = set(program.ask("list_commands", self._timeout).split())
            size = self._game.size
            try:
                program.ask(f"boardsize {size}", self._timeout)
            except HtpRefused:
                program.ask(f"boardsize {size} {size}", self._timeout)
            program.ask("clear_board", self._timeout)
            self._sent, self._program = {}, program
        return self._program

    def _show(self, program: HtpProgram, stones: Stones) -> None:
        """Send the new stones, or all of them if one has changed, as after a swap."""
        if any(stones.get(cell) != seat for cell, seat in self._sent.items()) or not self._sent:
            program.ask("clear_board", self._timeout)
            self._sent = {}
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
        """The action of an answer to genmove; None if it resigns. Raises InvalidAction."""
        word = said.lower()
        if word == "resign":
            return None
        if word in SWAPS and self._game.swap is not None and self._game.swap in view.legal():
            return self._game.swap
        try:
            return self._transposed(self._game.parse_action(word))
        except InvalidAction as error:
            raise InvalidAction(say("{program} answered genmove with {answer!r}: {reason}",
                                    program=self._command, answer=said[:80], reason=error)) from None  # fmt: skip

    def _failed(self, error: HtpFailed) -> BrokenAgent:
        return BrokenAgent(say("{program}: {reason}", program=self._command, reason=str(error)))


def _check(command: str) -> None:
    """Raises InvalidOption unless the command starts with an installed program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidOption(
            say("htp: command={command} cannot be read: {error}", command=command, error=error)
        ) from None
    if not words:
        raise InvalidOption(say("htp: say which program plays, as in htp:/usr/bin/mohex"))
    if shutil.which(words[0]) is None:
        raise InvalidOption(say("htp: there is no program {program}", program=words[0]))


def _seconds(left: float) -> str:
    """The time to announce: 5% less than is left, in whole seconds from 4 s on."""
    return str(int(left * 0.95)) if left >= 4 else f"{max(0.01, left * 0.95):.2f}"
