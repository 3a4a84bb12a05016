"""One match: the referee that holds the truth and shows each seat its view."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from ludoteca.protocols import Action, Agent, Decision, Game, Limit, Seat, State, View

__all__ = ["Match", "agent_seed", "play_out"]


class Match:
    """A game being played; `(game, seed, actions)` says all there is to know about it.

    >>> import ludoteca
    >>> match = Match(ludoteca.game("hex:size=3"), seed=1)
    >>> match.play(4)
    >>> match.turn, match.actions
    (1, [4])
    """

    def __init__(self, game: Game, seed: int, actions: Iterable[Action] = ()) -> None:
        self.game = game
        self.seed = seed
        self.actions: list[Action] = []
        self._state: State = game.deal(seed)
        for action in actions:
            self.play(action)

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
