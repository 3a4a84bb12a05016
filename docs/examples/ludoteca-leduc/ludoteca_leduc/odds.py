"""An agent: it counts how often its card would win the showdown, and sometimes bluffs."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Annotated

from ludoteca import Decision, InvalidOption, Limit, Reason
from ludoteca.messages import say
from ludoteca.spec import Label
from ludoteca_leduc.betting import CALL, FOLD, RAISE
from ludoteca_leduc.game import Leduc, LeducView, showdown


class Odds:
    """Raises with a good card, folds a bad one when calling costs more than it wins, and calls otherwise.

    Instead of folding, it bluffs now and then.
    """

    games = frozenset({"leduc"})

    def __init__(
        self,
        game: Leduc,
        seat: int,
        seed: int,
        bluff: Annotated[float, Label(say("bluffs"), say("how often it raises where it would fold, 0 to 1"))] = 0.1,
    ) -> None:
        if not 0 <= bluff <= 1:
            raise InvalidOption("leduc-odds: bluff={bluff} must be a number from 0 to 1", bluff=bluff)
        self._bluff, self._seed = bluff, seed

    def act(self, view: LeducView, limit: Limit) -> Decision:
        """The same seed and view decide the same."""
        legal, chance = view.legal(), random.Random(f"{self._seed} {bytes(view).hex()}")
        wins = chance_to_win(view)
        reason = Reason(say("its card wins {percent}% of all showdowns", percent=round(100 * wins)))
        own, other = view.betting.paid[view.seat], view.betting.paid[1 - view.seat]
        if RAISE in legal and wins > 0.6:
            return Decision(RAISE, reasons=[reason])
        # To call pays if the chance to win is larger than the part of the pot that the call adds.
        if FOLD not in legal or wins >= (other - own) / (2 * other):
            return Decision(CALL, reasons=[reason])
        if RAISE in legal and chance.random() < self._bluff:
            return Decision(RAISE, reasons=[Reason(say("it bluffs"))])
        return Decision(FOLD, reasons=[reason])


def chance_to_win(view: LeducView) -> float:
    """Over all cards that may be hidden; a shared pot counts half."""
    results = [
        showdown(view.card, other, public if view.public is None else view.public)
        for other, public in permutations(view.hidden_cards(), 2)
    ]
    return (sum(results) / len(results) + 1) / 2
