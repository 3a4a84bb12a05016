"""What everybody may see of a match with hidden hands, for those who only look on.

Written from those attributes of a view that are the same from both seats, and from no other; a game that is not known
here shows nothing but its list of actions.
"""

from __future__ import annotations

from html import escape

from ludoteca import _core
from ludoteca.games.dominoes_tiles import chain
from ludoteca.games.kittens_cards import CARDS
from ludoteca.games.sides import side
from ludoteca.messages import Speaker
from ludoteca.play.match import Match
from ludoteca.protocols import Game

__all__ = ["public_board"]


def public_board(speaker: Speaker, match: Match) -> str:
    """The table as HTML, without any hand."""
    view = match.view(0)
    if isinstance(view, _core.DominoesView):
        return _dominoes(speaker, view)
    if isinstance(view, _core.KittensView):
        return _kittens(speaker, view)
    return f"<p>{escape(speaker.say('This game shows nothing to those who look on.'))}</p>"


def _dominoes(speaker: Speaker, table: _core.DominoesView) -> str:
    tiles = "".join(
        f'<span class="tile seat{"" if each.seat is None else each.seat}">{each.left}<i></i>{each.right}</span>'
        for each in chain(table.line)
    )
    empty = escape(speaker.say("Nothing has been laid yet."))
    hands = [speaker.say_count("{count} tile", "{count} tiles", count) for count in table.counts]
    yard = speaker.say_count("boneyard: {count} tile", "boneyard: {count} tiles", table.boneyard)
    return f'<div class="public-line">{tiles or empty}</div>{_table(speaker, table.game, hands)}<p>{escape(yard)}</p>'


def _kittens(speaker: Speaker, table: _core.KittensView) -> str:
    cards = speaker.say_count("{count} card", "{count} cards", table.deck_size)
    bombs = speaker.say_count("{count} bomb", "{count} bombs", table.bombs)
    hands = []
    for size, counts in zip(table.hand_sizes, table.played, strict=True):
        played = ", ".join(
            f"{speaker.translate(card)} {count}" for card, count in zip(CARDS, counts, strict=True) if count
        )
        held = speaker.say_count("{count} card", "{count} cards", size)
        hands.append(speaker.say("{held}; played: {cards}", held=held, cards=played or "–"))
    owed = "" if table.turn is None else speaker.say("draws owed: {count}", count=table.owed)
    deck = speaker.say("deck: {cards}, {bombs}", cards=cards, bombs=bombs)
    return f"<p><b>{escape(deck)}</b></p>{_table(speaker, table.game, hands)}<p>{escape(owed)}</p>"


def _table(speaker: Speaker, game: Game, hands: list[str]) -> str:
    names = [escape(speaker.translate(side(game, seat))) for seat in range(len(hands))]
    rows = "".join(
        f'<tr><td><span class="seat{seat}">{names[seat]}</span></td><td>{escape(hand)}</td></tr>'
        for seat, hand in enumerate(hands)
    )
    return f'<table class="plain">{rows}</table>'
