"""``ludoteca htp``: an agent as an engine that speaks the Hex Text Protocol, for HexGui and tournament scripts.

A command is one line, ``[id] name arguments``; its answer begins with ``=`` (or ``?`` and the reason why not), repeats
the id and ends with an empty line. While the agent thinks, ``stop`` or the comment ``# interrupt``, which is what
HexGui sends, ends that at once with the best so far.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple, TextIO

from ludoteca.adapters.formats import sgf
from ludoteca.adapters.htp.engine import Engine
from ludoteca.adapters.htp.position import COLOURS, HtpError, Position, colour_of, point_of
from ludoteca.errors import LudotecaError
from ludoteca.games import game as game_of
from ludoteca.games.core_game import expect
from ludoteca.games.hex.game import Hex
from ludoteca.protocols import Decision, Limit, Seat

INTERRUPT: Final = "# interrupt"
STOPS: Final = 0.01
"""Seconds between two calls of stop: the first may come before the agent has begun."""
MOST_SECONDS: Final = 1_000_000.0
ENDLESS: Final = Limit(seconds=100_000.0)
"""The limit of an analysis that is not stopped."""
ANALYSES: Final = """\
string/Final score/final_score
plist/Legal moves/all_legal_moves
string/Opinion/ludoteca-opinion %c
pspairs/Scores of moves/ludoteca-scores %c
varc/Expected line/ludoteca-line %c"""
"""HexGui's menu: kind, label, command; %c is the colour."""


class Command(NamedTuple):
    """One line, parsed."""

    id: str
    name: str
    arguments: list[str]

    @classmethod
    def read(cls, line: str) -> Command | None:
        """The command of a line; None for an empty line or a comment."""
        printable = "".join(" " if each == "\t" else each for each in line if each == "\t" or each >= " ")
        words = printable.partition("#")[0].split()
        number = words.pop(0) if words and words[0].isascii() and words[0].isdigit() else ""
        return cls(number, words[0].lower(), words[1:]) if words else None


class Server:
    """Answers commands until ``quit`` or the end of the input."""

    def __init__(self, engine: Engine, out: TextIO, *, size: int = 11, swap: bool = False) -> None:
        self._engine, self._out, self._swap = engine, out, swap
        self._position = Position(size, swap=swap)
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thinking, self._analysing = threading.Event(), threading.Event()
        self._quit = False
        self._id = ""
        self._commands: dict[str, Callable[[list[str]], str | None]] = {
            "all_legal_moves": lambda _: " ".join(self._position.legal()),
            "analyze": self._analyze,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "final_score": self._final_score,
            "genmove": self._genmove,
            "hexgui-analyze_commands": lambda _: ANALYSES,
            "known_command": lambda words: "true" if _only(words, "a command") in self._commands else "false",
            "list_commands": lambda _: "\n".join(sorted(self._commands)),
            "loadsgf": self._loadsgf,
            "ludoteca-line": self._line,
            "ludoteca-opinion": self._opinion,
            "ludoteca-scores": self._scores,
            "name": lambda _: "Ludoteca",
            "param_game": self._param_game,
            "play": self._play,
            "protocol_version": lambda _: "2",
            "quit": self._leave,
            "reg_genmove": self._reg_genmove,
            "showboard": lambda _: "\n" + self._position.text(),
            "stop": lambda _: "",  # the search in progress was stopped when it arrived
            "time_left": self._time_left,
            "undo": self._undo,
            "version": lambda _: version("ludoteca"),
        }

    def serve(self, lines: Iterable[str]) -> None:
        """Answers each line. Another thread reads them, so that a search can be interrupted."""
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()
        while not self._quit and (line := self._lines.get()) is not None:
            command = Command.read(line)
            if command is not None:
                self._answer(command)

    def _read(self, lines: Iterable[str]) -> None:
        """Passes lines on; one that interrupts first stops the search in progress."""
        for line in lines:
            self._lines.put(line)
            command = Command.read(line)
            if line.strip().lower() == INTERRUPT or (command is not None and command.name == "stop"):
                self._stop(self._thinking)
            self._stop(self._analysing)
        self._lines.put(None)
        self._stop(self._analysing)

    def _stop(self, busy: threading.Event) -> None:
        while busy.is_set():
            self._engine.stop()
            threading.Event().wait(STOPS)

    def _answer(self, command: Command) -> None:
        answer, self._id = self._commands.get(command.name), command.id
        try:
            if answer is None:
                raise HtpError(f"unknown command: {command.name}")
            text = answer(command.arguments)
            said = None if text is None else f"={command.id} {text}"
        except (HtpError, LudotecaError) as error:
            said = f"?{command.id} {error}"
        if said is not None:
            self._say("\n".join(line.rstrip() for line in said.split("\n") if line.strip()))
        self._say("")

    def _say(self, line: str) -> None:
        self._out.write(f"{line}\n")
        self._out.flush()

    def _leave(self, words: list[str]) -> str:
        self._quit = True
        return ""

    def _boardsize(self, words: list[str]) -> str:
        if len(words) not in (1, 2) or not all(word.isascii() and word.isdigit() for word in words):
            raise HtpError("say how wide the board is, as in: boardsize 11")
        if len(words) == 2 and int(words[0]) != int(words[1]):
            raise HtpError(f"boards are as wide as they are high, not {words[0]} by {words[1]}")
        self._begin(Position(int(words[0]), swap=self._swap))
        return ""

    def _clear_board(self, words: list[str]) -> str:
        self._begin(Position(self._position.game.size, swap=self._swap))
        return ""

    def _begin(self, position: Position) -> None:
        self._position = position
        self._engine.forget()
        self._engine.clocks.clear()

    def _play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise HtpError("say who plays what, as in: play black c3")
        self._position.play(colour_of(words[0]), words[1])
        return ""

    def _undo(self, words: list[str]) -> str:
        self._position.undo()
        self._engine.forget()
        return ""

    def _final_score(self, words: list[str]) -> str:
        winner = self._position.winner
        return "cannot score" if winner is None else f"{COLOURS[winner][0].upper()}+"

    def _param_game(self, words: list[str]) -> str:
        if not words:
            return f"[bool] allow_swap {int(self._swap)}"
        if len(words) != 2 or words[0] != "allow_swap" or words[1] not in ("0", "1"):
            raise HtpError("the only parameter is: param_game allow_swap 0 (or 1)")
        if self._position.stones.count(None) != len(self._position.stones):
            raise HtpError("set allow_swap before the first stone")
        self._swap = words[1] == "1"
        return self._clear_board([])

    def _time_left(self, words: list[str]) -> str:
        try:
            seat, seconds = colour_of(words[0]), float(words[1])
            stones = int(words[2]) if len(words) > 2 else 0
            valid = len(words) <= 3 and 0 <= seconds <= MOST_SECONDS and stones >= 0
        except (IndexError, ValueError):
            valid = False
        if not valid:
            raise HtpError("say whose clock it is, its seconds and for how many stones, as in: time_left black 60 0")
        self._engine.clocks[seat] = seconds, stones
        return ""

    def _loadsgf(self, words: list[str]) -> str:
        if not words:
            raise HtpError("say which file, as in: loadsgf game.sgf")
        last = int(words.pop()) if len(words) > 1 and words[-1].isascii() and words[-1].isdigit() else None
        try:
            record = sgf.read(Path(" ".join(words)).read_text("utf-8"))[0]
        except (OSError, UnicodeDecodeError) as error:
            raise HtpError(f"cannot load {' '.join(words)}: {error}") from None
        game = expect(game_of(record.game), Hex)
        position = Position(game.size, swap=self._swap)
        played = list(zip(record.movers, record.actions, strict=True))
        for seat, action in played[: None if last is None else max(0, last - 1)]:
            position.play(seat, point_of(game, action))
        self._begin(position)
        return ""

    def _genmove(self, words: list[str]) -> str:
        seat = colour_of(_only(words, "a colour"))
        point = point_of(self._position.game, self._decide(seat).action)
        self._position.play(seat, point)
        return point

    def _reg_genmove(self, words: list[str]) -> str:
        return point_of(self._position.game, self._decide(colour_of(_only(words, "a colour"))).action)

    def _opinion(self, words: list[str]) -> str:
        decision = self._decide(self._seat(words))
        value = "?" if decision.value is None else f"{decision.value:+.3f}"
        return f"{point_of(self._position.game, decision.action)} {value} {decision.note}"

    def _scores(self, words: list[str]) -> str:
        decision, game = self._decide(self._seat(words)), self._position.game
        best = sorted(decision.scores.items(), key=lambda each: -each[1])
        return "\n".join(f"{point_of(game, action)} {score:.2f}" for action, score in best if action != game.swap)

    def _line(self, words: list[str]) -> str:
        seat, game = self._seat(words), self._position.game
        line = self._decide(seat).line
        return " ".join(f"{COLOURS[(seat + ply) % 2]} {point_of(game, action)}" for ply, action in enumerate(line))

    def _decide(self, seat: Seat) -> Decision:
        self._thinking.set()
        try:
            return self._engine.decide(self._position, seat)
        finally:
            self._thinking.clear()

    def _analyze(self, words: list[str]) -> str | None:
        """Analyses until the next line arrives; each decision is a line that begins with ``info``."""
        seat, game, begun = self._seat(words), self._position.game, False
        self._analysing.set()
        try:
            # A line that arrived before `_analysing` was set has stopped nothing.
            thoughts = iter(()) if not self._lines.empty() else self._engine.think(self._position, seat, ENDLESS)
            for decision in thoughts:
                if not begun:
                    self._say(f"={self._id}")
                    begun = True
                value = "" if decision.value is None else f" value {decision.value:.4f}"
                line = " ".join(point_of(game, action) for action in decision.line)
                point = point_of(game, decision.action)
                self._say(f"info move {point} nodes {decision.nodes}{value} pv {line}".rstrip())
        finally:
            self._analysing.clear()
        return None if begun else ""

    def _seat(self, words: list[str]) -> Seat:
        return colour_of(_only(words, "a colour")) if words else self._position.next_seat


def _only(words: list[str], what: str) -> str:
    if len(words) != 1:
        raise HtpError(f"say {what} and nothing else, not {' '.join(words)!r}")
    return words[0]
