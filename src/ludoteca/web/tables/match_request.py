"""The match that a visitor asks for: checked, and made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludoteca.agents import check_plays
from ludoteca.games.details import details_of
from ludoteca.messages import say
from ludoteca.play.clock import MatchLimit
from ludoteca.play.match import Match
from ludoteca.play.record import Who, clean_nickname
from ludoteca.play.seeds import agent_seed, deal_seed, new_secret
from ludoteca.protocols import Action, Game, Seat
from ludoteca.web.errors import InvalidTable
from ludoteca.web.serving.allowed_specs import LONGEST_SPEC, allowed_agent, allowed_game, current_identity
from ludoteca.web.thinking.queue import MARGIN

PERSON = "person"
"""Stands for an agent's spec: a person at this screen."""
FRIEND = "friend"
"""Stands for an agent's spec: an invited person at another screen."""
MOST_SECONDS = 60.0
LEAST_CLOCK = 5.0
"""The shortest time of people, in seconds."""


@dataclass(frozen=True)
class MatchRequest:
    """A match that a visitor asks for; nothing is checked yet."""

    game: str
    """The spec of the game."""
    seats: Sequence[str]
    """By seat PERSON, FRIEND or the spec of an agent."""
    seed: int | None = None
    """The seed of the deal; None for an unpredictable deal."""
    limit: str = "1s"
    """An agent's limit per action, as on the command line."""
    start: str = ""
    """A position set up by hand in a game of hidden hands: see `ludoteca.protocols.Arrangeable`."""
    actions: Sequence[Action] = ()
    """Actions that are played already."""
    person_limit: str = ""
    """A person's limit, as on the command line; empty: people have no clock."""
    nicknames: Sequence[str] = ("", "")
    """By seat what a person calls themselves."""

    @property
    def free(self) -> Seat | None:
        """The seat of a friend who is to be invited, if there is one."""
        return list(self.seats).index(FRIEND) if FRIEND in self.seats else None


def new_match(asked: MatchRequest, margin: float = MARGIN) -> Match:
    """Makes the match. Raises LudotecaError when it cannot be played.

    margin: seconds of grace for an agent that is late.
    The agents' seeds come from a secret that is thrown away, so nothing that an agent receives leads to the deal.
    """
    if len(asked.start) > LONGEST_SPEC:
        raise InvalidTable("a start may be written in at most {most} characters", most=LONGEST_SPEC)
    if len(asked.seats) != 2:
        raise InvalidTable("seats={seats!r} must be two, as in person|random", seats="|".join(asked.seats)[:80])
    game = allowed_game(asked.game)
    limit = MatchLimit.parse(asked.limit)
    if limit.seconds is None or limit.seconds > MOST_SECONDS:
        raise InvalidTable(
            "the limit {limit!r} must give at most {most:g} seconds for an action", limit=asked.limit[:40],
                most=MOST_SECONDS
        )  # fmt: skip
    if asked.seed is not None and not 0 <= asked.seed < 2**63:
        raise InvalidTable(
            "the seed {seed!r} is not a whole number from 0 to {most}", seed=str(asked.seed)[:40], most=2**63 - 1
        )
    person_limit = _person_limit(asked.person_limit)
    _check_invitation(asked, game)
    secret = new_secret()
    seats = [
        Who(nickname=clean_nickname(name))
        if who in (PERSON, FRIEND)
        else _agent(who, game, agent_seed(secret, 0, seat))
        for seat, (who, name) in enumerate(zip(asked.seats, asked.nicknames, strict=True))
    ]
    seed = deal_seed(secret, 0) if asked.seed is None else asked.seed
    return Match(
        game, seed, asked.actions, start=asked.start, opening=len(asked.actions), seats=(seats[0], seats[1]),
        limit=limit, person_limit=person_limit, margin=margin,
    )  # fmt: skip


def _person_limit(text: str) -> MatchLimit:
    """Raises InvalidTable for a clock that would end a match before anybody can act, or that counts nodes."""
    limit = MatchLimit.parse(text)
    given = [each for each in (limit.seconds, limit.match_seconds) if each is not None]
    if limit.nodes is not None or limit.match_nodes is not None or any(each < LEAST_CLOCK for each in given):
        raise InvalidTable(
            "the clock {limit!r} must give people at least {least:g} seconds", limit=text[:40], least=LEAST_CLOCK
        )
    return limit


def _check_invitation(asked: MatchRequest, game: Game) -> None:
    """Raises InvalidTable unless an invited friend plays against a person and neither can know the deal."""
    if asked.free is None:
        return
    if asked.seats[1 - asked.free] != PERSON:
        raise InvalidTable(say("a friend on another screen plays against you: seats must be person|friend"))
    if details_of(game).hidden_information and (asked.seed is not None or asked.start or asked.actions):
        raise InvalidTable(say("against a friend on another screen the deal must be random: leave the seed empty"))


def _agent(spec: str, game: Game, seed: int) -> Who:
    agent = allowed_agent(spec, game.name)
    check_plays(agent, game)
    return Who(current_identity(agent, game.name), seed)


def fresh_seed() -> int:
    """An unpredictable seed."""
    return deal_seed(new_secret(), 0)
