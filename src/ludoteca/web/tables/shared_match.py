"""A match in a link: the address says what was played, by whom, how it ended and where it turned.

Whoever opens the link reads it; nothing is stored. Anybody can write such an address, so it proves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from ludoteca.agents.identity import Identity
from ludoteca.games.side_names import side
from ludoteca.messages import Speaker
from ludoteca.play.match import Match
from ludoteca.play.record import Who, clean_nickname
from ludoteca.players.faults import Ending, Fault
from ludoteca.web.drawing.shared_pictures import PreviewTexts
from ludoteca.web.serving.allowed_specs import LONGEST_SPEC
from ludoteca.web.tables.match_request import PERSON
from ludoteca.web.tables.uploads import read_address, write_actions
from ludoteca.web.thinking.agent_titles import agent_title


@dataclass(frozen=True)
class SharedMatch:
    """A match that a link shows."""

    match: Match
    turning: int | None = None
    """The number of the action by which it turned; None if unknown."""


def match_fields(match: Match) -> dict[str, object]:
    """The fields that describe a match in an address or a form: what was played."""
    fields: dict[str, object] = {"game": match.game.spec, "seed": match.seed, "actions": write_actions(match.actions)}
    return fields | ({"start": match.start} if match.start else {})


def shared_query(match: Match, turning: int | None = None) -> str:
    """The query of a link to a match, with its players and how it ended; `read_shared` reads it."""
    fields = match_fields(match)
    if match.seats != (Who(), Who()):
        fields["seats"] = "|".join(who.agent or PERSON for who in match.seats)
    if any(who.nickname for who in match.seats):
        fields["names"] = "|".join(who.nickname.replace("|", " ") for who in match.seats)
    if match.ending not in (Ending.finished, Ending.unfinished):
        fields["ending"] = match.ending.value + ("" if match.fault_seat is None else str(match.fault_seat))
    if turning is not None:
        fields["turning"] = turning
    return urlencode(fields, safe=":,=|")


def read_shared(query: Mapping[str, str]) -> SharedMatch:
    """The match of an address. Raises LudotecaError; what only decorates it is left out where it is wrong."""
    match = read_address(
        query.get("game", ""), query.get("seed", "0"), query.get("actions", ""), query.get("start", "")
    )
    specs, names = (query.get(field, "")[:LONGEST_SPEC].split("|") for field in ("seats", "names"))
    if len(specs) == 2:
        first, second = (Who() if each in ("", PERSON) else Who(Identity(each)) for each in specs)
        match.seats = (first, second)
    if len(names) == 2:
        first, second = (
            Who(nickname=clean_nickname(name)) if who.person else who
            for who, name in zip(match.seats, names, strict=True)
        )
        match.seats = (first, second)
    if match.turn is not None:
        _end(match, query.get("ending", ""))
    turning = query.get("turning", "")
    known = turning.isascii() and turning.isdigit() and len(turning) < 6 and int(turning) < len(match.actions)
    return SharedMatch(match, int(turning) if known else None)


def _end(match: Match, text: str) -> None:
    """Ends a match as the address says."""
    if text == Ending.agreed.value:
        match.agree_draw()
        return
    known = {f"{each.value}{seat}": (each, seat) for each in Ending for seat in (0, 1)}
    ending, seat = known.get(text, (None, 0))
    if ending is Ending.resigned:
        match.resign(seat)
    elif ending is not None and ending.is_fault:
        match.end_by(seat, Fault(ending, ending.words))


def texts_of(shared: SharedMatch, speaker: Speaker) -> PreviewTexts:
    """What a preview says."""
    match = shared.match
    players = [_player(match, seat, speaker) for seat in (0, 1)]
    turning = ""
    if shared.turning is not None:
        action = speaker.translate(match.game.action_name(match.actions[shared.turning]))
        turning = speaker.say("Turning point: move {number}, {action}", number=shared.turning + 1, action=action)
    title = speaker.translate(getattr(match.game, "title", match.game.name.capitalize()))
    return PreviewTexts(title, (players[0], players[1]), _result(match, speaker), turning)


def _player(match: Match, seat: int, speaker: Speaker) -> str:
    who = match.seats[seat]
    if who.person:
        name = who.nickname or speaker.translate(side(match.game, seat))
    else:
        name = speaker.translate(agent_title(who.agent))
    return name[:1].upper() + name[1:]


def _result(match: Match, speaker: Speaker) -> str:
    if match.turn is not None:
        return speaker.say("A position")
    returns = match.returns()
    if returns[0] == returns[1]:
        return speaker.say("A draw.")
    return speaker.say("{player} wins.", player=_player(match, returns.index(max(returns)), speaker))
