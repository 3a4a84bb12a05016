"""How a match shows itself in a notebook: who plays, how it stands, the board, and what was played."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ludoteca.games.display import position_html, shown_views
from ludoteca.games.side_names import side
from ludoteca.messages import say, say_count

if TYPE_CHECKING:
    from ludoteca.play.match import Match

__all__ = ["match_html"]


def match_html(match: Match) -> str:
    """The match as HTML with the board as a picture; all names are escaped."""
    game = match.game
    names = [say("a person") if who.person else who.agent for who in match.seats]
    heading = "; ".join(f"{side(game, seat)}: {name}" for seat, name in enumerate(names))
    actions = " ".join(f"{ply}. {game.action_name(action)}" for ply, action in enumerate(match.actions, start=1))
    count = say_count("{count} action", "{count} actions", len(match.actions))
    played = f"<details><summary>{count}</summary>{escape(actions)}</details>" if actions else ""
    return (
        f"<figure><figcaption><b>{escape(game.spec)}</b> {escape(heading)}. {escape(_standing(match))}</figcaption>"
        f"{position_html(shown_views(match))}{played}</figure>"
    )


def _standing(match: Match) -> str:
    if match.turn is not None:
        return say("It is the turn of {side}.", side=side(match.game, match.turn))
    first, second = match.returns()
    if first == second:
        return say("A draw.")
    winner = side(match.game, 0 if first > second else 1)
    how = f" ({match.ending.words})" if match.fault_seat is not None else ""
    return say("Won by {side}{how}.", side=winner, how=how)
