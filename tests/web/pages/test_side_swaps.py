"""After two swaps of sides, each player's name, time and mistakes follow the player."""

from __future__ import annotations

import re

from ludoteca import games
from ludoteca.agents.identity import Identity
from ludoteca.play.match import Match
from ludoteca.play.record import Who
from ludoteca.protocols import Decision
from ludoteca.web.pages.frame import Visit
from ludoteca.web.pages.match_links import play_form
from ludoteca.web.pages.replay import parts
from ludoteca.web.tables.match_request import PERSON

VISIT = Visit("en", "ana", "auto", "/")


def swapped_twice() -> Match:
    """A person and astar: the person plays actions 0 and 3, and astar 1, 2 and 4, of two seconds each."""
    match = Match(games.game("hex:size=4"), 1, seats=(Who(), Who(Identity("astar"), 1)))
    match.play(0, 1.0)
    match.answer(Decision(1), 2.0)
    match.swap_sides()
    match.answer(Decision(2), 2.0)
    match.play(3, 1.0)
    match.swap_sides()
    match.swap_sides()
    match.answer(Decision(4), 2.0)
    return match


def named(match: Match, ply: int) -> list[str]:
    """By seat the player and the time that a replay shows before an action."""
    found = re.findall(r"<b>(.*?)</b> <small>.*?</small> <small>(.*?)</small>", parts.players(VISIT, match, ply))
    return [" ".join(each) for each in found]


def test_names_and_times_follow_the_player() -> None:
    match = swapped_twice()
    assert [match.who(ply).agent for ply in range(5)] == ["", "astar", "astar", "", "astar"]
    person, agent = named(match, 0)
    assert "person" in person and "A-Star" in agent and person != agent
    assert named(match, 1) == [person, agent] and named(match, 2) == named(match, 5) == [agent, person]


def test_playing_on_is_against_the_opponent_of_the_match() -> None:
    match = swapped_twice()

    def seats(ply: int, opponent: str | None = None) -> str:
        here = match.before(ply)
        other = here.seats[1 - (here.turn or 0)].agent if opponent is None else opponent
        return play_form(here, other, "Play on").partition('name="seats" value="')[2].partition('"')[0]

    assert seats(0) == f"{PERSON}|astar" and seats(3) == f"astar|{PERSON}"
    assert seats(1) == f"engine|{PERSON}", "where the person sat, the strongest plays"
    assert seats(0, "/home/ana/solution.py") == f"{PERSON}|engine", "and for an agent that the page may not run"
