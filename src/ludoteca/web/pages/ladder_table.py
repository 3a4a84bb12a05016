"""A ladder as HTML: its agents with their ratings, and how they were measured."""

from __future__ import annotations

from datetime import date
from html import escape

from ludoteca.dates import say_day
from ludoteca.play.clock import MatchLimit
from ludoteca.ratings.elo import Interval, show_elo
from ludoteca.reports.ladder import Ladder
from ludoteca.reports.text_table import percent
from ludoteca.web.drawing.charts import ELO_HELP, rating_table
from ludoteca.web.pages.frame import Visit


def ladder_table(visit: Visit, ladder: Ladder) -> str:
    """The ratings as a table with drawn intervals, and how they were measured."""
    say = visit.say
    rows: list[list[str | Interval]] = []
    for rung in ladder.rungs:
        agent = visit.agent(rung.agent)
        if rung.chance:
            agent = say("{agent}, {share} of its actions at random", agent=agent, share=percent(rung.chance))
        rows.append([agent, show_elo(rung.elo), rung.interval])
    how = say(
        "{matches} matches, {each} for each pair of agents that met, with sides swapped on every deal; limit: "
        "{limit}. The agent random counts as 0, and each interval is that of the distance to it; the distance between "
        "two other agents is often more certain. Measured on {date}: {command}.",
        matches=visit.number(ladder.matches, ","),
        each=ladder.per_pairing,
        limit=limit_text(visit, ladder.limit),
        date=say_day(date.fromisoformat(ladder.date)),
        command=ladder.command,
    )
    opening = f" {say('Every pair of matches started from a different opening.')}" if ladder.openings else ""
    for agent, limit in ladder.slow.items():
        opening += " " + say("{agent} had {limit}.", agent=visit.agent(agent), limit=limit_text(visit, limit))
    return (
        f"{rating_table([say('Agent'), 'Elo', say('95% interval')], rows)}"
        f"<small>{escape(how)}{escape(opening)} {escape(visit.translate(ELO_HELP))}</small>"
    )


def limit_text(visit: Visit, limit: str) -> str:
    """A limit in the visitor's language; limit: as on the command line."""
    nodes = MatchLimit.parse(limit).nodes
    return limit if nodes is None else visit.say("{nodes} nodes per action", nodes=visit.number(nodes, ","))
