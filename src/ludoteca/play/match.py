"""One match: the referee that holds the truth and shows each seat its view."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from ludoteca.errors import InvalidPosition
from ludoteca.protocols import Action, Agent, Arrangeable, Decision, Game, Limit, Seat, State, View

__all__ = ["Match", "agent_seed", "play_out"]


class Match:
    """A game being played; `(game, seed, actions)` says all there is to know about it.

    A match that does not begin with a deal has a `start` besides: see `Arrangeable`.

    >>> import ludoteca
    >>> match = Match(ludoteca.game("hex:size=3"), seed=1)
    >>> match.play(4)
    >>> match.turn, match.actions
    (1, [4])
    """

    def __init__(self, game: Game, seed: int, actions: Iterable[Action] = (), *, start: str = "") -> None:
        self.game = game
        self.seed = seed
        self.start = start
        self.actions: list[Action] = []
        self._state = _first_state(game, seed, start)
        for action in actions:
            self.play(action)

    def __eq__(self, other: object) -> bool:
        """Whether the same was played from the same beginning."""
        if not isinstance(other, Match):
            return NotImplemented
        mine, theirs = (self.game.spec, self.seed, self.start), (other.game.spec, other.seed, other.start)
        return mine == theirs and self.actions == other.actions

    __hash__ = None  # type: ignore[assignment]  # it changes with every action

    def before(self, ply: int) -> Match:
        """The match as it was when `ply` actions had been played, to be gone on with on its own."""
        return Match(self.game, self.seed, self.actions[:ply], start=self.start)

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is; None when the match is over."""
        return self._state.turn

    def view(self, seat: Seat) -> View:
        """All that `seat` may know."""
        return self._state.view(seat)

    def play(self, action: Action) -> None:
        """Plays `action` for the seat on turn. Raises IllegalAction and changes nothing if it is not legal."""
        self._state.apply(action)
        self.actions.append(action)

    def returns(self) -> tuple[float, ...]:
        """The result per seat, in [-1, 1]; zeros before the end."""
        return self._state.returns()


def _first_state(game: Game, seed: int, start: str) -> State:
    if not start:
        return game.deal(seed)
    if not isinstance(game, Arrangeable):
        raise InvalidPosition(f"{game.name} begins with a deal: the start {start[:40]!r} means nothing to it")
    return game.arrange(start, seed)


def agent_seed(match_seed: int, seat: Seat) -> int:
    """The seed of the agent in `seat`: fixed by the match, but the match's own seed cannot be had from it."""
    digest = hashlib.sha256(f"ludoteca agent {match_seed} {seat}".encode()).digest()
    return int.from_bytes(digest[:8], "little") >> 1


def play_out(match: Match, agents: Mapping[Seat, Agent], limit: Limit) -> Iterator[tuple[Seat, Decision]]:
    """Plays until the match is over or a seat without an agent is on turn, yielding each decision once played.

    A person needs no agent class: whoever calls this plays for them with `match.play` and calls it again.
    """
    while (seat := match.turn) is not None and seat in agents:
        choice = agents[seat].act(match.view(seat), limit)
        decision = choice if isinstance(choice, Decision) else Decision(choice)
        match.play(decision.action)
        yield seat, decision
