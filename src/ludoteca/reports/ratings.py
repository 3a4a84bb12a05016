"""Ratings as a table, and what their numbers stand for."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ludoteca.agents.identity import Identity, short_names
from ludoteca.messages import say
from ludoteca.ratings.bradley_terry import Interval, Ratings
from ludoteca.ratings.elo import show_elo
from ludoteca.reports.tables import Table, percent

__all__ = ["AGENT", "ELO", "INTERVAL", "MATCHES", "NUMBER", "SCORE", "ratings_table", "show_ends", "zero_of"]

NUMBER, ELO = "#", "Elo"
AGENT, INTERVAL, MATCHES, SCORE = say("Agent"), say("95% interval"), say("Matches"), say("Score")


def ratings_table(ratings: Ratings[Identity]) -> Table:
    """Ratings alone, for a notebook: ``ratings_table(result.ratings).html()``."""
    names = short_names(ratings.agents)
    rows = [
        [str(place), names[name], show_elo(each.elo), show_ends(each), str(each.matches), percent(each.score)]
        for place, (name, each) in enumerate(ratings.agents.items(), start=1)
    ]
    title = say("Ratings; 0 is {zero}", zero=zero_of(ratings, names))
    headings = [NUMBER, AGENT, ELO, INTERVAL, MATCHES, SCORE]
    return Table(title, headings, rows, words=frozenset({"Agent"}), spare=("Matches", "Score", "#"))


def zero_of(ratings: Ratings[Identity], names: Mapping[Identity, str]) -> str:
    """What a rating of 0 stands for, in words."""
    if ratings.anchor is not None:
        return say("the rating of {agent}", agent=names.get(ratings.anchor, str(ratings.anchor)))
    open_ended = [math.isinf(rating.margin) for rating in ratings.agents.values()]
    some = any(open_ended) and not all(open_ended)
    if len(ratings.groups) > 1:
        if some:
            return say("the mean of each group, without those whose interval has no end")
        return say("the mean of each group")
    return say("the mean, without those whose interval has no end") if some else say("the mean")


def show_ends(interval: Interval) -> str:
    """The ends of an interval, as ``−30 … +120``."""
    return f"{show_elo(interval.low)} … {show_elo(interval.high)}"
