"""The end of a match in words: who won, why, and what was left in hidden hands."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from urllib.parse import urlencode

from ludoteca import _core
from ludoteca.games.dominoes.game import Dominoes, numbers
from ludoteca.games.hex.game import Hex
from ludoteca.games.horses.game import Horses
from ludoteca.games.kittens.game import CARDS, Kittens
from ludoteca.games.sides import side
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.protocols import Game, Seat
from ludoteca.web.pages.frame import Visit, control
from ludoteca.web.pages.match_links import position_address, review_address
from ludoteca.web.pages.thoughts import capital
from ludoteca.web.tables.tab_state import TabState
from ludoteca.web.tables.table import Table

__all__ = ["copying", "end_buttons", "hands", "result", "why"]


def result(visit: Visit, tab: TabState) -> str:
    """Who has won, as whoever sits here says it."""
    table = tab.table
    returns = table.match.returns()
    winner = returns.index(max(returns))
    if returns[0] == returns[1]:
        text = visit.say("A draw.")
    elif winner == tab.you:
        text = visit.say("You win!")
    elif tab.you is None or table.apart:
        text = capital(visit.say("{side} wins.", side=side(table.game, winner)))
    else:
        text = visit.say("{agent} wins.", agent=visit.agent(table.names[winner]))
    return text if table.resigned is None else f"{_resigned(visit, tab, table.resigned)} {text}"


def _resigned(visit: Visit, tab: TabState, seat: Seat) -> str:
    if seat == tab.you:
        return visit.say("You resigned.")
    return capital(visit.say("{side} resigned.", side=side(tab.table.game, seat)))


def why(visit: Visit, table: Table) -> list[str]:
    """What decided the match, in sentences; nothing where somebody resigned."""
    if not table.over or table.resigned is not None:
        return []
    return [capital(visit.translate(each)) for each in _why(table.match)]


def _why(match: Match) -> list[str]:
    game, view = match.game, match.view(0)
    returns = match.returns()
    winner = None if returns[0] == returns[1] else returns.index(max(returns))
    if isinstance(game, Hex) and winner is not None:
        name = side(game, winner)
        if winner == game.across:
            return [say("{side} has joined left and right.", side=name)]
        return [say("{side} has joined top and bottom.", side=name)]
    if isinstance(game, Horses) and isinstance(view, _core.HorsesView):
        return _points(game, view)
    if isinstance(game, Dominoes) and isinstance(view, _core.DominoesView):
        return [_tiles(game, view)]
    if isinstance(game, Kittens) and isinstance(view, _core.KittensView):
        if view.loser is None:
            return [say("Nobody drew a bomb in {count} turns, which is a draw.", count=view.turns)]
        return [say("{side} drew a bomb and had no Defuse.", side=side(game, view.loser))]
    return []


def _points(game: Horses, view: _core.HorsesView) -> list[str]:
    """The points, and who paid for having been stuck."""
    white, black = view.scores
    said: list[str] = [
        say("Neither knight can move: {one} has {points} points, {other} {more}.",
            one=side(game, 0), points=white, other=side(game, 1), more=black)
    ]  # fmt: skip
    every = game.options.get("penalty") == "every"
    for seat, paid in enumerate(view.penalised):
        if not paid:
            continue
        stuck, other = side(game, seat), side(game, 1 - seat)
        said.append(
            say("{side} was stuck while {other} could still move: that cost 4 points at each such turn, which are "
                "counted here.", side=stuck, other=other)
            if every
            else say("{side} was stuck while {other} could still move: that cost 4 points, which are counted here.",
                     side=stuck, other=other)
        )  # fmt: skip
    return said


def _tiles(game: Dominoes, view: _core.DominoesView) -> str:
    if view.winner is not None and view.counts[view.winner] == 0:
        return say("{side} has laid its last tile.", side=side(game, view.winner))
    left = [_pips(hand) for hand in view.revealed or ((), ())]
    if view.winner is None:
        return say("Neither can go on, and nobody wins: {one} holds {pips} pips, {other} {more}.",
                   one=side(game, 0), pips=left[0], other=side(game, 1), more=left[1])  # fmt: skip
    return say("Neither can go on, and fewer pips win: {one} holds {pips}, {other} {more}.",
               one=side(game, 0), pips=left[0], other=side(game, 1), more=left[1])  # fmt: skip


def _pips(hand: Sequence[int]) -> int:
    return sum(sum(numbers(tile)) for tile in hand)


def hands(visit: Visit, table: Table) -> list[str]:
    """What each seat held at the end, once nothing is hidden any more; nothing in a game without hands."""
    if not table.over:
        return []
    texts = [_held(visit, table.game, table.match, seat) for seat in (0, 1)]
    return [f"{capital(visit.translate(side(table.game, seat)))}: {text}" for seat, text in enumerate(texts) if text]


def _held(visit: Visit, game: Game, match: Match, seat: Seat) -> str:
    view = match.view(seat)
    if isinstance(view, _core.DominoesView):
        return " ".join(game.action_name(2 * tile).partition("@")[0] for tile in view.hand) or visit.say("no tile")
    if isinstance(view, _core.KittensView):
        held = [
            f"{visit.translate(CARDS[card])}{f' × {count}' if count > 1 else ''}"
            for card, count in enumerate(view.hand)
            if count
        ]
        return ", ".join(held) or visit.say("no card")
    return ""


def end_buttons(visit: Visit, tab: TabState) -> str:
    """What to do after a match: play again the other way round, learn from it, meet another, show it."""
    table = tab.table
    say, match = visit.say, table.match
    other = f"/new/{table.game.name}?{urlencode({'game': table.game.spec}, safe=':,')}"
    review = review_address(match, table.names)
    rematch = control("rematch", say("Rematch, sides exchanged"), "swap_horiz", "n")
    return (
        rematch.replace('class="control"', 'class="control ended"')
        + link(review, say("Review"), "insights")
        + link(other, say("Another opponent"), "group")
        + copying(position_address(match), say("Share"), say("The link is copied."))
    )


def link(address: str, text: str, icon: str) -> str:
    """A link that looks like the other buttons of a table."""
    sign = f'<i class="material-icons" aria-hidden="true">{icon}</i>'
    return f'<a class="control ended" href="{escape(address, quote=True)}">{sign}{escape(text)}</a>'


def copying(address: str, text: str, done: str) -> str:
    """A link that is copied when it is clicked, and then says so; see ``data-copy`` in page.js."""
    return (
        f'<a class="control" href="{escape(address, quote=True)}" data-copy '
        f'data-copied="{escape(done, quote=True)}">{escape(text)}</a>'
    )
