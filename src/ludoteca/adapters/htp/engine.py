"""An agent as HTP uses it: for one move, for an opinion, or for an analysis until it is stopped."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack

from ludoteca.adapters.htp.position import HtpError, Position
from ludoteca.games.hex.game import Hex
from ludoteca.play.clock import MARGIN, TIMEOUT
from ludoteca.players.build_check import check_build
from ludoteca.players.faults import Fault
from ludoteca.players.player import Player
from ludoteca.players.pool import Pool
from ludoteca.protocols import Decision, Limit, Seat

LEAST_MOVES = 8
"""A clock for the rest of the game is divided by at least this many own moves."""
PART = 3
"""The expected share of the empty cells that we will fill: a game of Hex ends before the board is full."""


class Engine:
    """Asks the agent of a spec, in the process where it belongs. Raises InvalidAgent and InvalidOption.

    One thread asks; `stop` is safe from any other.
    """

    def __init__(self, spec: str, limit: Limit, seed: int = 0) -> None:
        self._pool = Pool()
        self._identity = check_build(self._pool, Hex(11, "standard"), spec)
        self._limit, self._seed = limit, seed
        self._players: dict[tuple[str, Seat], Player] = {}
        self._seated = ExitStack()
        self._thinking: Player | None = None
        self._lock = threading.Lock()
        self.clocks: dict[Seat, tuple[float, int]] = {}
        """By seat the seconds left, and for how many stones; 0 for the rest of the game."""

    def forget(self) -> None:
        """Drops the agents: a new match begins, and an agent lives for one."""
        self._seated.close()
        self._players.clear()

    def decide(self, position: Position, seat: Seat) -> Decision:
        """The agent's decision within the clock. Raises HtpError."""
        last = None
        for last in self.think(position, seat, self._time(position, seat)):  # noqa: B007
            pass
        if last is None:
            raise HtpError("the agent was stopped before it had decided anything")
        return last

    def think(self, position: Position, seat: Seat, limit: Limit) -> Iterator[Decision]:
        """The agent's decisions, each better than the last. Raises HtpError if the game is over or the agent fails."""
        state = position.state(seat)
        if position.winner is not None or state.turn is None:
            raise HtpError("the game is over")
        player = self._player(state.game, seat)  # type: ignore[arg-type]  # Position has boards of Hex only
        timeout = TIMEOUT if limit.seconds is None else limit.seconds + MARGIN
        with self._lock:
            self._thinking = player
        try:
            yield from player.think(state.view(seat), limit, timeout)
        except Fault as fault:
            self.forget()
            raise HtpError(f"{fault.ending}: {' '.join(str(fault.message).split())}") from None
        finally:
            with self._lock:
                self._thinking = None

    def stop(self) -> bool:
        """Stops the search in progress, which ends with its best so far; returns whether there was one."""
        with self._lock:
            if self._thinking is None:
                return False
            self._thinking.stop()
            return True

    def close(self) -> None:
        """Ends the agents and their processes."""
        self.forget()
        self._pool.close()

    def _player(self, game: Hex, seat: Seat) -> Player:
        key = game.spec, seat
        if key not in self._players:
            try:
                seated = self._pool.seated(game, self._identity, seat, self._seed)
                self._players[key] = self._seated.enter_context(seated)
            except Fault as fault:
                raise HtpError(f"{fault.ending}: {' '.join(str(fault.message).split())}") from None
        return self._players[key]

    def _time(self, position: Position, seat: Seat) -> Limit:
        """The limit, or less if the clock demands it."""
        if seat not in self.clocks:
            return self._limit
        left, stones = self.clocks[seat]
        empty = sum(owner is None for owner in position.stones)
        share = max(0.01, left / (stones or max(LEAST_MOVES, empty // PART)) - MARGIN)
        return Limit(share if self._limit.seconds is None else min(share, self._limit.seconds), self._limit.nodes)
