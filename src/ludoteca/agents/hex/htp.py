"""`htp`: any program that speaks the Hex Text Protocol as an agent of ours."""

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
"""So often a program that died is started again in one match."""
MOST_SECONDS: Final = 1_000_000.0
NONE: Final = Program()
SWAPS: Final = ("swap-pieces", "swap")

Stones = dict[Action, Seat]
"""Who has which cell, as HTP numbers them: black, seat 0, connects top and bottom."""


class Htp:
    """Asks a program that speaks the Hex Text Protocol, such as MoHex: htp:/path/to/program and its arguments.

    The program is started before the match, told the stones as they lie, and its time before each move. One that dies
    is started again, up to three times in a match; one that does not answer, or answers what is no move, loses.
    Where it resigns, the match is played on, and lost by the rules.
    """

    games = frozenset({"hex"})

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        command: Annotated[Program, Label(say("command"), say("the program with its arguments"))] = NONE,
        timeout: Annotated[
            float, Label(say("patience"), say("seconds for an answer where no limit says how many"))
        ] = 60.0,
        log: Annotated[Path, Label(say("log"), say("a file to which all that is said is added"))] = Path(),
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
        self._known: set[str] = set()
        self._told: Stones = {}
        self._starts = 0
        try:
            self._running()  # now, when no clock runs
        except HtpFailed as error:
            raise self._failed(error) from None

    def act(self, view: View, limit: Limit) -> Decision:
        """What the program plays. Raises BrokenAgent when it fails, and InvalidAction for what is no move."""
        if limit.nodes == 1 and limit.seconds is None:
            # Nobody wants to know: an agent is shown so what it has seen before, and we learn nothing from that.
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
        if limit.seconds is not None and "time_left" in self._known:
            with contextlib.suppress(HtpRefused):
                program.ask(f"time_left {colour} {_seconds(left)} 1", self._timeout)
        said = program.ask(f"genmove {colour}", max(0.0, deadline - time.monotonic()))
        action = self._action(said, view)
        if action is None:
            action = view.legal()[0]
            self._told = {}  # what it thinks is on the board no longer matters: it is told everything again
            return Decision(action, value=-1.0, note=say("the program resigns; the match is played on"))
        if action == self._game.swap:
            self._told = {}
        else:
            self._told[self._turned(action)] = self._seat
        return Decision(action)

    def _running(self) -> HtpProgram:
        if self._program is None:
            self._starts += 1
            program = HtpProgram(self._command, self._log)
            self._known = set(program.ask("list_commands", self._timeout).split())
            size = self._game.size
            try:
                program.ask(f"boardsize {size}", self._timeout)
            except HtpRefused:
                program.ask(f"boardsize {size} {size}", self._timeout)
            program.ask("clear_board", self._timeout)
            self._told, self._program = {}, program
        return self._program

    def _show(self, program: HtpProgram, stones: Stones) -> None:
        """Plays what is new; everything, where something has gone, as after a swap."""
        if any(stones.get(cell) != seat for cell, seat in self._told.items()) or not self._told:
            program.ask("clear_board", self._timeout)
            self._told = {}
        new: list[list[Action]] = [
            [cell for cell, owner in stones.items() if owner == seat and cell not in self._told] for seat in (0, 1)
        ]
        # In turn as far as it goes: not every program takes two stones of one colour after another.
        for pair in itertools.zip_longest(*new):
            for seat, cell in enumerate(pair):
                if cell is not None:
                    program.ask(f"play {COLOURS[seat]} {self._game.action_name(cell)}", self._timeout)
                    self._told[cell] = seat

    def _stones(self, view: HexView) -> Stones:
        return {self._turned(cell): int(owner) for cell, owner in enumerate(view.stones) if owner is not None}

    def _turned(self, cell: Action) -> Action:
        """The same cell on the board of the other orientation, if this one's is not the world's."""
        if self._game.orientation == "standard":
            return cell
        row, column = divmod(cell, self._game.size)
        return column * self._game.size + row

    def _action(self, said: str, view: HexView) -> Action | None:
        """What was answered; None for a resignation. Raises InvalidAction."""
        word = said.lower()
        if word == "resign":
            return None
        if word in SWAPS and self._game.swap is not None and self._game.swap in view.legal():
            return self._game.swap
        try:
            return self._turned(self._game.parse_action(word))
        except InvalidAction as error:
            raise InvalidAction(say("{program} answered genmove with {answer!r}: {reason}",
                                    program=self._command, answer=said[:80], reason=error)) from None  # fmt: skip

    def _failed(self, error: HtpFailed) -> BrokenAgent:
        return BrokenAgent(say("{program}: {reason}", program=self._command, reason=str(error)))


def _check(command: str) -> None:
    """Raises InvalidOption unless this starts with a program that is there."""
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
    """What a program is told that it has: a little less, in whole seconds where that says enough."""
    return str(int(left * 0.95)) if left >= 4 else f"{max(0.01, left * 0.95):.2f}"
