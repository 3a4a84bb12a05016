"""The match that a person plays in the terminal, saved in the store from the start."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from ludoteca.agents import check_plays, preferred_seat
from ludoteca.agents.digests import identity_of
from ludoteca.errors import InvalidStore
from ludoteca.games import game as game_of
from ludoteca.messages import say
from ludoteca.play.clock import MatchLimit
from ludoteca.play.match import Match
from ludoteca.play.record import Who
from ludoteca.play.seeds import agent_seed, deal_seed, new_secret, secret_from_seed
from ludoteca.play.store import Store, StoredMatch
from ludoteca.players.faults import Ending
from ludoteca.protocols import Seat

HUMAN = "human"
"""Instead of an agent: a second person at the same terminal."""


@dataclass(frozen=True)
class MatchRequest:
    """The match that a person wants to play."""

    game: str
    against: str
    seat: Seat | None
    """The person's; None for the one that the agent was not made for, or else the seat that begins."""
    seed: int | None
    start: str
    limit: str


def new_match(request: MatchRequest) -> Match:
    """A new match as requested. Raises LudotecaError if it cannot be played.

    The seeds of deal and agent are random, or come from an explicit seed.
    """
    game = game_of(request.game)
    secret = new_secret() if request.seed is None else secret_from_seed(request.seed)
    seats = [Who(), Who()]
    if request.against != HUMAN:
        other = 1 - request.seat if request.seat is not None else preferred_seat(request.against, game)
        other = 1 if other is None else other
        check_plays(request.against, game)
        seats[other] = Who(identity_of(request.against, game.name), agent_seed(secret, 0, other))
    return Match(
        game,
        deal_seed(secret, 0) if request.seed is None else request.seed,
        start=request.start,
        seats=(seats[0], seats[1]),
        limit=MatchLimit.parse(request.limit),
    )


class SavedMatch:
    """A match and its place in the store, which is updated after every action."""

    def __init__(self, store: Store, run: int, name: str, match: Match) -> None:
        self._store, self._run, self._name, self.match = store, run, name, match

    @classmethod
    def begin(cls, store: Store, match: Match) -> SavedMatch:
        """Store a new match."""
        run = store.people_run("terminal").id
        name = secrets.token_hex(8)
        store.people.open(run, match.record(), name)
        return cls(store, run, name, match)

    @classmethod
    def resume(cls, store: Store, place: int | None = None) -> SavedMatch:
        """The unfinished match at this place, by default the last played. Raises InvalidStore."""
        run = store.people_run("terminal").id
        unfinished = unfinished_matches(store)
        if not unfinished:
            raise InvalidStore(say("there is no unfinished match to continue"))
        names = {each.place: each.name for each in unfinished}
        chosen = unfinished[0].place if place is None else place
        if chosen not in names:
            raise InvalidStore(
                "match {place} cannot be continued; these can: {places}", place=chosen, places=sorted(names)
            )
        return cls(store, run, names[chosen], Match.of_record(store.record(run, chosen)))

    def save(self) -> None:
        """Save the match. Raises InvalidStore."""
        self._store.people.save(self._run, self._name, self.match.record())


def unfinished_matches(store: Store) -> list[StoredMatch]:
    """The unfinished matches, the last played first."""
    run = store.people_run("terminal").id
    return [each for each in store.people.of_owner(run) if each.ending is Ending.unfinished]
