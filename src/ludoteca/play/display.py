"""How a match looks in a notebook: who plays, who is ahead, the board, and the moves."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ludoteca.games.display import position_html, shown_views
from ludoteca.games.side_names import side
from ludoteca.messages import say, say_count
from ludoteca.players.faults import Ending
from ludoteca.protocols import Action, Game, Seat, State


def match_html(
    game: Game,
    state: State,
    names: Sequence[str],
    actions: Sequence[Action],
    *,
    returns: tuple[float, float],
    ending: Ending,
) -> str:
    """A match as HTML with the board as a picture.

    names: of the players by seat, escaped here. returns, ending: the result, if the match is over.
    """
    heading = "; ".join(f"{side(game, seat)}: {name}" for seat, name in enumerate(names))
    turn = state.turn if ending is Ending.unfinished else None
    listed = " ".join(f"{ply}. {game.action_name(action)}" for ply, action in enumerate(actions, start=1))
    count = say_count("{count} action", "{count} actions", len(actions))
    played = f"<details><summary>{count}</summary>{escape(listed)}</details>" if listed else ""
    return (
        f"<figure><figcaption><b>{escape(game.spec)}</b> {escape(heading)}. "
        f"{escape(_result(game, turn, returns, ending))}</figcaption>"
        f"{position_html(shown_views(state))}{played}</figure>"
    )


def _result(game: Game, turn: Seat | None, returns: tuple[float, float], ending: Ending) -> str:
    if turn is not None:
        return say("It is the turn of {side}.", side=side(game, turn))
    first, second = returns
    if first == second:
        return say("A draw.")
    how = f" ({ending.words})" if ending is not Ending.finished else ""
    return say("Won by {side}{how}.", side=side(game, 0 if first > second else 1), how=how)
