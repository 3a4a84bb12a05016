"""Any agent as a player class for the course's interface; the other way round, a player's file is an agent.

>>> board = HexBoard(5)
>>> MyPlayer = player_class("astar")
>>> MyPlayer(player_id=1).play(board)
(2, 2)
"""

from __future__ import annotations

from ludoteca import agents
from ludoteca.agents.hex.course import SEATS, HexBoard, Player, course_rules, owners_on
from ludoteca.errors import IllegalAction
from ludoteca.games.hex.game import Hex
from ludoteca.messages import say
from ludoteca.protocols import Action, Agent, Decision, Limit, Seat, State

__all__ = ["HexBoard", "Player", "player_class"]


def player_class(spec: str, seed: int = 0) -> type[Player]:
    """A player class for the course's interface that decides as the agent that `spec` names.

    Raises InvalidAgent and InvalidOption, as `ludoteca.agent` does.
    """
    factory = agents.agent(spec)

    class MyPlayer(Player):
        """An agent as a player: one object plays any number of matches, one after another."""

        def __init__(self, player_id: int, seconds: float | None = None) -> None:
            if player_id not in SEATS:
                raise ValueError(f"player {player_id!r} does not exist: players are 1 and 2")
            super().__init__(player_id)
            self.seconds = seconds
            self._agent: Agent | None = None
            self._left: list[Seat | None] = []  # the board after our last move

        def play(self, board: HexBoard, seconds: float | None = None) -> tuple[int, int]:
            """The agent's choice within `seconds`. Raises IllegalAction if the match is over."""
            game, seat = course_rules(board.size, getattr(board, "layout", "axial")), SEATS[self.player_id]
            owners = owners_on(board)
            state, follows = _position(game, owners, self._left, seat)
            if state.turn is None:
                raise IllegalAction(say("there is nothing to play: the match is over"))
            if self._agent is None or not follows:  # an agent lives for one match
                self._agent = factory(game, seat, seed)
            choice = self._agent.act(state.view(seat), Limit(seconds=self.seconds if seconds is None else seconds))
            action: Action = choice.action if isinstance(choice, Decision) else choice
            owners[action] = seat
            self._left = owners
            return divmod(action, game.size)

    return MyPlayer


def _position(game: Hex, owners: list[Seat | None], left: list[Seat | None], seat: Seat) -> tuple[State, bool]:
    """The state with `seat` on turn, and whether it is the board that we `left` plus one move of the other.

    A board of lists does not say what was played last, but where it follows from the one before we know, and an agent
    may want to.
    """
    before = left if len(left) == len(owners) else [None] * len(owners)
    changed = [cell for cell, (old, new) in enumerate(zip(before, owners, strict=True)) if old != new]
    if len(changed) == 1 and before[changed[0]] is None and owners[changed[0]] == 1 - seat:
        state = game.position(before, 1 - seat)
        if state.turn is not None:
            state.apply(changed[0])
        return state, before is left
    return game.position(owners, seat), False
