"""The form for a new match without its HTML: defaults from an address, and the match from the filled form."""

from __future__ import annotations

import difflib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import unquote

from ludoteca import agents, games
from ludoteca import spec as specs
from ludoteca.errors import InvalidAgent, InvalidGame, InvalidOption, LudotecaError
from ludoteca.games.details import details_of
from ludoteca.games.side_names import aim, side
from ludoteca.messages import say
from ludoteca.protocols import Game, Seat
from ludoteca.web.pages.setup.option_fields import option_errors, spec_from_fields
from ludoteca.web.serving.allowed_specs import LONGEST_SPEC, agent_options, agents_of, allowed_agent, allowed_game
from ludoteca.web.tables.match_request import FRIEND, PERSON, MatchRequest
from ludoteca.web.tables.uploads import read_seed
from ludoteca.web.thinking.opponents import default_opponent, obstacle, opponents, other_agents

T = TypeVar("T")
LIMITS = {
    "0.1": say("a tenth of a second a move"),
    "0.5": say("half a second a move"),
    "1": say("1 second a move"),
    "2": say("2 seconds a move"),
    "5": say("5 seconds a move"),
    "10": say("10 seconds a move"),
    "30": say("half a minute a move"),
}
"""Thinking times for agents, in seconds."""
CLOCKS = {
    "": say("no clock"),
    "60s/match,1s/increment": say("1 minute each, and 1 second for every move"),
    "180s/match,2s/increment": say("3 minutes each, and 2 seconds for every move"),
    "300s/match,3s/increment": say("5 minutes each, and 3 seconds for every move"),
    "600s/match,5s/increment": say("10 minutes each, and 5 seconds for every move"),
    "1800s/match": say("half an hour each"),
    "15s": say("15 seconds for each move"),
    "30s": say("30 seconds for each move"),
    "60s": say("1 minute for each move"),
    "86400s": say("a day for each move"),
}
"""Clocks for people, as limits on the command line."""
CHANCE = "chance"
PARAMETERS = ("game", "seats", "opponent", "limit", "clock")


class FormErrors(LudotecaError):
    """The errors of a form by field name; an error of no single field has an empty name."""

    def __init__(self, errors: Mapping[str, LudotecaError]) -> None:
        super().__init__(next(iter(errors.values())).message)
        self.errors = errors


@dataclass(frozen=True)
class FormDefaults:
    """The values of a form when it is opened."""

    game: Game
    opponent: str
    """PERSON, FRIEND or the spec of an agent."""
    me: str = PERSON
    """PERSON, or the spec of the agent that plays in the visitor's place."""
    side: str = "0"
    """One of `side_choices`."""
    limit: str = "1"
    """One of LIMITS."""
    clock: str = ""
    """One of CLOCKS."""


def side_choices(game: Game) -> dict[str, str]:
    """The sides that the visitor may choose, by value; to be translated."""
    details = details_of(game)
    if details.side_choices:
        return dict(details.side_choices)
    if details.hidden_information:
        return {"0": say("you begin"), "1": say("your opponent begins"), CHANCE: say("at random")}
    first, second = side(game, 0), side(game, 1)
    if details.aims_differ:
        return {
            "0": say("{side}: {aim}; you begin", side=first, aim=aim(game, 0)),
            "1": say("{side}: {aim}", side=second, aim=aim(game, 1)),
            CHANCE: say("at random"),
        }
    return {"0": say("{side}: you begin", side=first), "1": second, CHANCE: say("at random")}


def preferred_seats(name: str) -> dict[str, list[tuple[dict[str, str], Seat]]]:
    """By agent the seat that it was made for, with the options of this game for which that holds."""
    found: dict[str, list[tuple[dict[str, str], Seat]]] = {}
    for agent in agents_of(name):
        known = agents.describe(agent).preferred_seats
        seats = [(specs.split(game, InvalidGame), seat) for game, seat in known.items()]
        if mine := [(options, seat) for (game, options), seat in seats if game == name]:
            found[agent] = mine
    return found


def options_by_side(name: str) -> Mapping[str, Mapping[str, str]]:
    """The options of a game that the choice of a side decides; see `GameDetails.options_by_side`."""
    return getattr(games.game_class(name), "options_by_side", {})


def presets(name: str) -> list[str]:
    """The specs that the form of this game lists, with the options that each sets."""
    return [each.spec for each in (*opponents(name), *other_agents(name))]


def preset_options(name: str, agent: str) -> list[str]:
    """The options of an agent that its entries in the list decide, so that they need no field of their own."""
    given = [options for known, options in map(_split, presets(name)) if known == agent]
    return sorted({option for each in given for option in each})


def split_preset(name: str, agent: str) -> tuple[str, dict[str, str]]:
    """An agent's entry in the list of opponents, and its further options; the bare name if no entry fits."""
    wanted, texts = _split(agent)
    chosen = {option.name: specs.show(option.default) for option in agent_options(wanted)} | texts
    fitting = [
        each for each in presets(name) if _split(each)[0] == wanted and _split(each)[1].items() <= chosen.items()
    ]
    entry = max(fitting, key=lambda each: len(_split(each)[1]), default=wanted)
    return entry, {option: text for option, text in texts.items() if option not in _split(entry)[1]}


def _split(agent: str) -> tuple[str, dict[str, str]]:
    return specs.split(agent, InvalidAgent)


def suggested_opponent(game: str, cookie: str) -> str:
    """The opponent of a visitor's own strength in this game, by its spec; empty if none is known.

    cookie: what page.js keeps there, ``GAME|AGENT;GAME|AGENT``; only agents of our own list count.
    """
    for pair in unquote(cookie[:LONGEST_SPEC]).split(";"):
        known, _, agent = pair.partition("|")
        if known == game and any(each.spec == agent for each in opponents(game)):
            return agent
    return ""


def form_defaults(name: str, query: Mapping[str, str], suggested: str = "") -> FormDefaults:
    """The defaults that an address asks for. Raises LudotecaError, with a suggestion for a misspelt name."""
    for key in query:
        if key not in PARAMETERS and (near := difflib.get_close_matches(key, PARAMETERS, n=1)):
            raise InvalidOption("this address has {key!r}; did you mean {near!r}?", key=key[:40], near=near[0])
    game = allowed_game(query.get("game", name))
    if game.name != name:
        raise InvalidGame("{given!r} is not {name}", given=game.spec[:80], name=name)
    opponent = query.get("opponent") or suggested_opponent(game.spec, suggested) or default_opponent(game.spec)
    seats = query.get("seats", f"{PERSON}|{opponent}").split("|")
    if len(seats) != 2:
        raise InvalidGame("seats={seats!r} must be two, as in person|random", seats=query["seats"][:80])
    seats = [who if who in (PERSON, FRIEND) else allowed_agent(who, name) for who in seats]
    if why := obstacle(seats[0], game) or obstacle(seats[1], game):
        raise InvalidAgent(why)
    if FRIEND in seats and PERSON not in seats:
        raise InvalidGame(say("a friend on another screen plays against you: seats must be person|friend"))
    if "seats" not in query and opponent not in (PERSON, FRIEND) and agents.preferred_seat(opponent, game) == 0:
        seats.reverse()
    limit = query.get("limit", "1s").removesuffix("s")
    if limit not in LIMITS:
        limits = [f"{each}s" for each in LIMITS]
        raise InvalidOption("limit={limit!r} must be one of {limits}", limit=limit[:40], limits=limits)
    clock = query.get("clock", "")
    if clock not in CLOCKS:
        raise InvalidOption("clock={clock!r} must be one of {clocks}", clock=clock[:40], clocks=[*CLOCKS])
    mine = seats.index(PERSON) if PERSON in seats else 0
    chosen = str(mine)
    for option, values in details_of(game).options_by_side.items():
        if getattr(game, "options", {}).get(option) == values[CHANCE]:
            chosen = CHANCE
    return FormDefaults(game, seats[1 - mine], seats[mine], chosen, limit, clock)


def request_from_form(name: str, fields: Mapping[str, str]) -> MatchRequest:
    """The match that a filled form asks for. Raises FormErrors."""
    found: dict[str, LudotecaError] = dict(option_errors(name, True, "game", fields, allowed_game))
    me = _player(name, "me", fields, found)
    opponent = _player(name, "opponent", fields, found)
    chosen = fields.get("side", "0")
    fixed = {option: values.get(chosen, "") for option, values in options_by_side(name).items()}
    game = spec_from_fields(name, True, "game", fields, fixed)
    seed = _seed(fields, found)
    limit = fields.get("limit", "1")
    if not found and (rules := _try("", found, lambda: allowed_game(game))) is not None:
        for field, who in (("me", me), ("opponent", opponent)):
            if why := obstacle(who, rules):
                found[f"{field}.own" if fields.get(f"{field}.own", "").strip() else field] = InvalidAgent(why)
    if chosen not in ("0", "1", CHANCE):
        found["side"] = InvalidOption("{given!r} is not a side", given=chosen[:40])
    if limit not in LIMITS:
        found["limit"] = InvalidOption("limit={limit!r} must be one of {limits}", limit=limit[:40], limits=[*LIMITS])
    clock = fields.get("clock", "")
    if clock not in CLOCKS:
        found["clock"] = InvalidOption("clock={clock!r} must be one of {clocks}", clock=clock[:40], clocks=[*CLOCKS])
    if me != PERSON and opponent == FRIEND:
        found["me"] = InvalidAgent(say("against a friend on another screen no agent can play for you"))
    if found:
        raise FormErrors(found)
    # In Dominoes the deal decides who begins, so the seats need not be drawn.
    by_chance = chosen == CHANCE and not options_by_side(name)
    first = secrets.randbelow(2) == 0 if by_chance else chosen != "1"
    names = (fields.get("name", ""), fields.get("other_name", ""))
    return MatchRequest(
        game,
        (me, opponent) if first else (opponent, me),
        seed,
        f"{limit}s",
        person_limit=clock,
        nicknames=names if first else names[::-1],
    )


def _player(name: str, role: str, fields: Mapping[str, str], found: dict[str, LudotecaError]) -> str:
    """The player chosen for a role, with its options; errors are added to `found`."""
    own = fields.get(f"{role}.own", "").strip()
    if own:
        return _try(f"{role}.own", found, lambda: allowed_agent(own, name)) or PERSON
    chosen = fields.get(role, PERSON)
    if chosen == PERSON or (chosen == FRIEND and role == "opponent"):
        return chosen
    if _try(role, found, lambda: allowed_agent(chosen, name)) is None:
        return PERSON
    agent, texts = specs.split(chosen, InvalidAgent)
    prefix = f"{role}.{agent}"
    found |= option_errors(agent, False, prefix, fields, lambda spec: allowed_agent(spec, name))
    return spec_from_fields(agent, False, prefix, fields, texts)


def _seed(fields: Mapping[str, str], found: dict[str, LudotecaError]) -> int | None:
    text = fields.get("seed", "").strip()
    if text:
        try:
            return read_seed(text)
        except LudotecaError as error:
            found["seed"] = error
    return None


def _try(field: str, found: dict[str, LudotecaError], check: Callable[[], T]) -> T | None:
    """The result of a check; None if it raises, and the error is added to `found`."""
    try:
        return check()
    except LudotecaError as error:
        found[field] = error
        return None
