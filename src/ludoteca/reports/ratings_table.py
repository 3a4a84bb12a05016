"""Ratings as a table and as a chart, and what a rating of 0 stands for."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ludoteca.agents.identity import Identity, short_names
from ludoteca.games.drawing import Drawing
from ludoteca.games.picture import HOT
from ludoteca.messages import say
from ludoteca.ratings.bradley_terry import Ratings
from ludoteca.ratings.chart import ChartRow, interval_chart
from ludoteca.ratings.elo import show_elo
from ludoteca.reports.text_table import TextTable, percent

NUMBER, ELO = "#", "Elo"
AGENT, INTERVAL, MATCHES, SCORE = say("Agent"), say("95% interval"), say("Matches"), say("Score")


def ratings_table(ratings: Ratings[Identity]) -> TextTable:
    """Ratings as a table, for a notebook: ``ratings_table(result.ratings).html()``."""
    names = short_names(ratings.agents)
    rows = [
        [str(place), names[name], show_elo(each.elo), each.ends, str(each.matches), percent(each.score)]
        for place, (name, each) in enumerate(ratings.agents.items(), start=1)
    ]
    title = say("Ratings; 0 is {zero}", zero=zero_of(ratings, names))
    headings = [NUMBER, AGENT, ELO, INTERVAL, MATCHES, SCORE]
    return TextTable(title, headings, rows, words=frozenset({"Agent"}))


def zero_of(ratings: Ratings[Identity], names: Mapping[Identity, str]) -> str:
    """What a rating of 0 means."""
    if ratings.anchors:
        shown = [names.get(anchor, str(anchor)) for anchor in ratings.anchors]
        return (
            say("the rating of {agent}", agent=shown[0])
            if len(shown) == 1
            else say("the mean of {agents}", agents=shown)
        )
    open_ended = [math.isinf(rating.margin) for rating in ratings.agents.values()]
    some = any(open_ended) and not all(open_ended)
    if len(ratings.groups) > 1:
        if some:
            return say("the mean of each group, without those whose interval has no end")
        return say("the mean of each group")
    return say("the mean, without those whose interval has no end") if some else say("the mean")


def ratings_chart(ratings: Ratings[Identity]) -> Drawing:
    """The ratings with their intervals, group by group, and below them the advantage of the first seat."""
    shown = short_names(ratings.agents)
    rows: list[ChartRow | None] = []
    for group in ratings.groups:
        rows += [None] if rows else []
        rows += [ChartRow(shown[name], ratings.agents[name]) for name in group]
    rows += [None, ChartRow("first seat", ratings.first_seat, HOT)] if rows else []
    note = f"Elo with 95% intervals; 0 is {zero_of(ratings, shown)}"
    return interval_chart(rows, title="Ratings", note=note)
