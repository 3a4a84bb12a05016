"""One match on the page: what is asked for, what people may do with it, and that every change of it is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ludoteca.agents.identity import Identity
from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.play.clock import MatchLimit
from ludoteca.play.invitations import Invitation
from ludoteca.play.match import Match
from ludoteca.play.record import Record, Who
from ludoteca.play.seeds import agent_seed, deal_seed, new_secret
from ludoteca.players.faults import Ending
from ludoteca.protocols import Action, Decision, Game, Seat
from ludoteca.web.serving.allowed_specs import LONGEST_SPEC, asked_agent, asked_game, current_identity

__all__ = [
    "FRIEND", "MARGIN", "PERSON", "Asked", "Cleared", "InvalidTable", "MissingTable", "Table", "fresh_seed",
    "new_match",
]  # fmt: skip

PERSON = "person"
"""In place of an agent: whoever sits at the screen."""
FRIEND = "friend"
"""In place of an agent: somebody at another screen, who is invited."""
MOST_SECONDS = 60.0
MARGIN = 2.0
"""Seconds that the clock forgives on the page, where agents make way for clicks and may wait for a processor."""


class InvalidTable(LudotecaError, ValueError):
    """A table that does not exist, cannot be read, or cannot do what was asked of it now."""


class MissingTable(InvalidTable):
    """No table of this visitor has this address."""


class Cleared(InvalidTable):
    """Somebody has cleared the table away, here or in another tab: nothing of it is kept any more."""


@dataclass(frozen=True)
class Asked:
    """What a visitor wants to play; nothing of it is checked yet."""

    game: str
    """The spec of the game."""
    seats: Sequence[str]
    """By seat PERSON, FRIEND or the spec of an agent."""
    seed: int | None = None
    """What to deal from; None for a deal that nobody can guess."""
    limit: str = "1s"
    """What an agent may use for an action, as on the command line."""
    start: str = ""
    """What was set up by hand, in a game of hidden hands: see `ludoteca.protocols.Arrangeable`."""
    actions: Sequence[Action] = ()
    """What is played already."""

    @property
    def free(self) -> Seat | None:
        """The seat for which somebody is to be invited, if any is."""
        return list(self.seats).index(FRIEND) if FRIEND in self.seats else None


def new_match(asked: Asked) -> Match:
    """The match that was asked for. Raises LudotecaError for what cannot be played.

    The agents' seeds come from a secret that is thrown away: nothing that an agent is told leads to the deal.
    """
    if len(asked.start) > LONGEST_SPEC:
        raise InvalidTable(say("a start is written in at most {most} characters", most=LONGEST_SPEC))
    if len(asked.seats) != 2:
        raise InvalidTable(say("seats={seats!r} must be two, as in person|random", seats="|".join(asked.seats)[:80]))
    game = asked_game(asked.game)
    limit = MatchLimit.parse(asked.limit)
    if limit.seconds is None or limit.seconds > MOST_SECONDS:
        raise InvalidTable(
            say("the limit {limit!r} must give at most {most:g} seconds for an action", limit=asked.limit[:40],
                most=MOST_SECONDS)
        )  # fmt: skip
    if asked.seed is not None and not 0 <= asked.seed < 2**63:
        raise InvalidTable(
            say("the seed {seed!r} is not a whole number from 0 to {most}", seed=str(asked.seed)[:40], most=2**63 - 1)
        )
    _check_invited(asked, game)
    secret = new_secret()
    seats = [Who() if who in (PERSON, FRIEND) else _agent(who, game, agent_seed(secret, 0, seat))
             for seat, who in enumerate(asked.seats)]  # fmt: skip
    seed = deal_seed(secret, 0) if asked.seed is None else asked.seed
    return Match(
        game, seed, asked.actions, start=asked.start, opening=len(asked.actions), seats=(seats[0], seats[1]),
        limit=limit, margin=MARGIN,
    )  # fmt: skip


def _check_invited(asked: Asked, game: Game) -> None:
    """Raises InvalidTable unless a friend, if one is invited, plays a person, and neither knows the deal."""
    if asked.free is None:
        return
    if asked.seats[1 - asked.free] != PERSON:
        raise InvalidTable(say("a friend at another screen plays against you: seats must be person|friend"))
    if getattr(game, "secrets", True) and (asked.seed is not None or asked.start or asked.actions):
        raise InvalidTable(say("against a friend at another screen nobody chooses the deal: leave the seed empty"))


def _agent(spec: str, game: Game, seed: int) -> Who:
    return Who(current_identity(asked_agent(spec, game.name), game.name), seed)


def fresh_seed() -> int:
    """A deal that nobody can guess."""
    return deal_seed(new_secret(), 0)


class Table:
    """A match with the rules of the page around it. After every change its record is handed to `keep`."""

    def __init__(
        self,
        match: Match,
        keep: Callable[[Record], None] = lambda record: None,
        owner: str = "",
        invitation: Invitation | None = None,
    ) -> None:
        self.match = match
        self.owner = owner
        """Whose it is, as the store knows visitors."""
        self.invitation = invitation
        """Who else may sit here, at another screen; None where all persons sit at the owner's."""
        self.cleared = False
        """Whether it was cleared away: then nothing changes it any more."""
        self._keep = keep

    @property
    def game(self) -> Game:
        """What is played."""
        return self.match.game

    @property
    def persons(self) -> list[Seat]:
        """The seats in which a person sits."""
        return [seat for seat, who in enumerate(self.match.seats) if who.person]

    @property
    def apart(self) -> bool:
        """Whether two people play here, each at a screen of their own."""
        return self.invitation is not None

    def seats_of(self, owner: str) -> list[Seat]:
        """The seats that whoever is known so may see and play for; none for anybody who does not sit here."""
        if not owner:
            return []
        if self.invitation is None:
            return self.persons if owner == self.owner else []
        if owner == self.owner:
            return [1 - self.invitation.seat]
        return [self.invitation.seat] if owner == self.invitation.guest else []

    @property
    def names(self) -> tuple[str, str]:
        """By seat PERSON or the spec of the agent."""
        first, second = self.match.seats
        return first.agent or PERSON, second.agent or PERSON

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is; None when the match is over or given up."""
        return self.match.turn

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.match.turn is None

    @property
    def resigned(self) -> Seat | None:
        """Who has given up, if anybody has."""
        return self.match.fault_seat if self.match.ending is Ending.resigned else None

    @property
    def secrets(self) -> bool:
        """Whether the game hides anything from a seat."""
        return bool(getattr(self.game, "secrets", True))

    @property
    def may_undo(self) -> bool:
        """Whether an action can be taken back: not once every hand has been shown, nor what another screen has seen."""
        return bool(self.match.actions) and not (self.over and self.secrets and self.persons) and not self.apart

    @property
    def may_change_seats(self) -> bool:
        """Whether seats can be changed: not where a person would see the other hand, nor between two screens."""
        return not self.over and not (self.secrets and self.persons) and not self.apart

    @property
    def agent_on_turn(self) -> Who | None:
        """The agent that is to think now, if one is."""
        turn = self.turn
        return None if turn is None or self.match.seats[turn].person else self.match.seats[turn]

    def taken_up(self, seat: Seat, agent: Identity) -> None:
        """Lets this agent go on in a seat. If another version began there, the record names neither."""
        who = self.match.seats[seat]
        if who.identity.digest not in ("", agent.digest):
            seats = list(self.match.seats)
            seats[seat] = replace(who, identity=Identity(who.agent))
            self.match.seats = (seats[0], seats[1])

    def play(self, action: Action, seconds: float = 0.0) -> None:
        """A person's action. Raises IllegalAction and Cleared."""
        self._check()
        self.match.play(action, seconds)
        self._changed()

    def answer(self, decision: Decision, seconds: float) -> None:
        """An agent's action. Raises Fault for what is not legal, and Cleared."""
        self._check()
        self.match.answer(decision, seconds)
        self._changed()

    def undo(self) -> None:
        """Takes back everything since a person last chose, that choice included. Raises InvalidTable."""
        self._check()
        if self.apart:
            raise InvalidTable(say("nothing is taken back between two screens: it is the other's match too"))
        persons, movers = self.persons, self.match.movers
        if self.over and self.secrets and persons:
            raise InvalidTable(say("every hand has been shown: nothing of this match can be taken back"))
        back = max((ply for ply, seat in enumerate(movers) if seat in persons or not persons), default=None)
        if self.resigned is None and back is None:
            raise InvalidTable(say("there is nothing to take back"))
        self.match = self.match.before(len(movers) if self.resigned is not None or back is None else back)
        self._changed()

    def resign(self, seat: Seat) -> None:
        """Gives the match up for a person's seat. Raises InvalidTable."""
        self._check()
        if self.over or seat not in self.persons:
            raise InvalidTable(say("seat {seat} cannot resign now", seat=seat))
        self.match.resign(seat)
        self._changed()

    def change_seats(self) -> None:
        """Whoever sat in seat 0 goes on in seat 1 and the other way round. Raises InvalidTable where it would cheat."""
        self._check()
        if not self.may_change_seats:
            raise InvalidTable(
                say("seats cannot be changed in a match with hidden hands, between two screens, nor after its end")
            )
        self.match.exchange_seats()
        self._changed()

    def _check(self) -> None:
        if self.cleared:
            raise Cleared(say("this table was cleared away"))

    def _changed(self) -> None:
        self._keep(self.match.record())
