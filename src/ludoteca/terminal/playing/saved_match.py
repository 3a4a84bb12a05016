"""The matches of whoever plays in this terminal: every one is a record of the store from its first moment on."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

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

__all__ = ["HUMAN", "MatchRequest", "SavedMatch", "new_match", "unfinished_matches"]

HUMAN = "human"
"""In place of an agent: a second person at the same terminal."""


@dataclass(frozen=True)
class MatchRequest:
    """What a person asked to play."""

    game: str
    against: str
    seat: Seat
    seed: int | None
    start: str
    limit: str


def new_match(asked: MatchRequest) -> Match:
    """The match that a person asked for. Raises LudotecaError for what cannot be played.

    Deal and agent get seeds that nobody knows, or those of an explicit seed.
    """
    game = game_of(asked.game)
    secret = new_secret() if asked.seed is None else secret_from_seed(asked.seed)
    seats = [Who(), Who()]
    if asked.against != HUMAN:
        other = 1 - asked.seat
        seats[other] = Who(identity_of(asked.against, game.name), agent_seed(secret, 0, other))
    return Match(
        game,
        deal_seed(secret, 0) if asked.seed is None else asked.seed,
        start=asked.start,
        seats=(seats[0], seats[1]),
        limit=MatchLimit.parse(asked.limit),
    )


class SavedMatch:
    """A match and its place in the store, where it is written after every action."""

    def __init__(self, store: Store, run: int, name: str, match: Match) -> None:
        self._store, self._run, self._name, self.match = store, run, name, match

    @classmethod
    def begin(cls, store: Store, match: Match) -> SavedMatch:
        """Keeps a match that is about to be played."""
        run = store.standing("terminal").id
        name = secrets.token_hex(8)
        store.open_match(run, match.record(), name)
        return cls(store, run, name, match)

    @classmethod
    def resume(cls, store: Store, place: int | None = None) -> SavedMatch:
        """The unfinished match at this place, by default the one played at last. Raises InvalidStore."""
        run = store.standing("terminal").id
        unfinished = unfinished_matches(store)
        if not unfinished:
            raise InvalidStore(say("there is no unfinished match to go on with"))
        names = {kept.place: kept.name for kept in unfinished}
        chosen = unfinished[0].place if place is None else place
        if chosen not in names:
            raise InvalidStore(
                say("match {place} is not unfinished; those that are: {places}", place=chosen, places=sorted(names))
            )
        return cls(store, run, names[chosen], Match.of_record(store.record(run, chosen)))

    def save(self) -> None:
        """Writes how the match stands. Raises InvalidStore."""
        self._store.save_match(self._run, self._name, self.match.record())


def unfinished_matches(store: Store) -> list[StoredMatch]:
    """Those that were left, the one played at last first."""
    run = store.standing("terminal").id
    return [kept for kept in store.matches_of(run) if kept.ending is Ending.unfinished]
