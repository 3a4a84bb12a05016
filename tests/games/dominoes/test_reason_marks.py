"""The chances that are drawn with a reason are those that the adviser counts."""

from __future__ import annotations

import re

import ludoteca
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.play.observed import ObservedMatch
from ludoteca.protocols import Decision, Reason

START = "hand: 6-6 5-4 3-1 2-2 6-1 4-0 5-0"


def test_an_impossible_tile_has_no_chance() -> None:
    game = expect(ludoteca.game("dominoes"), Dominoes)
    match = ObservedMatch(game, 0, START, ["6-6", "draw", "6-2"])  # it had no 6 but the one that it drew
    belief = match.belief()
    assert belief is not None
    chances = {each.item: each.chance for each in belief.holdings}
    places = [2 * tile for tile in chances]
    decision = Decision(match.view.legal()[0], reasons=(Reason("the other has no 6", places),))
    drawn = game.reason_marks(match.view, decision)
    shown = {int(place) // 2: text for place, text in re.findall(r"data-place='(\d+)'[^>]*>([<&;\w>%]+)</text>", drawn)}
    assert {tile: text for tile, text in shown.items() if chances[tile] == 0.0} == dict.fromkeys(
        (tile for tile, chance in chances.items() if chance == 0.0), "0%"
    )
    assert {text for tile, text in shown.items() if chances[tile]} == {"44%"} and len(shown) == len(chances)
