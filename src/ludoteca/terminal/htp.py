"""``ludoteca htp``: an agent for programs that speak the Hex Text Protocol."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from ludoteca.errors import InvalidOption
from ludoteca.messages import say
from ludoteca.play.clock import MatchLimit
from ludoteca.protocols import Limit


def htp(
    agent: Annotated[
        str, typer.Argument(help="An agent for Hex (see: ludoteca agents hex) or a player's file.")
    ] = "engine",
    limit: Annotated[str, typer.Option(help="Thinking time per move: 2s, or 5000n (nodes).")] = "5s",
    size: Annotated[int, typer.Option(min=1, max=19, help="The size of the board until boardsize changes it.")] = 11,
    swap: Annotated[
        bool, typer.Option("--swap", help="Allow the agent to answer the first stone with swap-pieces.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="The agent's own seed.")] = 0,
) -> None:
    """Let HexGui, or any program that speaks HTP, play against an agent.

    Commands come on the standard input, answers go to the standard output. In HexGui, enter this command as a new
    program; a tournament script starts it the same way.
    """
    from ludoteca.adapters.htp.engine import Engine  # here, so that the other commands start without them
    from ludoteca.adapters.htp.server import Server

    each = MatchLimit.parse(limit).next(0.0, 0)
    if each == Limit():
        raise InvalidOption(say("--limit needs a limit per move, such as 5s"))
    # Agents may print: that must not come between the answers.
    out = open(os.dup(1), "w", encoding="utf-8")  # noqa: SIM115
    os.dup2(2, 1)
    engine = Engine(agent, each, seed)
    try:
        Server(engine, out, size=size, swap=swap).serve(_lines(sys.stdin.fileno()))
        out.close()
    except BrokenPipeError:
        pass  # the other program has ended
    finally:
        engine.close()


def _lines(handle: int) -> Iterator[str]:
    """The lines of the standard input; invalid UTF-8 is replaced.

    Not through `sys.stdin`: a thread that waits there at the end of the program holds its lock, and Python aborts.
    """
    rest = b""
    while more := os.read(handle, 1 << 16):
        *whole, rest = (rest + more).split(b"\n")
        yield from (line.decode(errors="replace") for line in whole)
    if rest:
        yield rest.decode(errors="replace")
