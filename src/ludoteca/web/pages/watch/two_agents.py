"""The form that starts a match of two agents at once: a game, two agents, and one button."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from itertools import combinations

from ludoteca import games
from ludoteca.catalogues import Language
from ludoteca.messages import say, translate
from ludoteca.web.pages.frame import Visit, game_title
from ludoteca.web.pages.setup.option_fields import labelled, select
from ludoteca.web.serving.allowed_specs import cached_game
from ludoteca.web.thinking.opponents import Opponent, obstacle, opponents

FIRST, SECOND = say("First agent"), say("Second agent")
STRONG = 0.5
"""The share of the distance from random play to the best that both agents of the default pair have come."""


def two_agents_form(visit: Visit) -> str:
    """The form as HTML; its button opens a table at once. The agents to choose follow the game, see page.js."""
    names = games.names()
    titles = {name: game_title(name, visit.language) for name in names}
    fields = "".join(_agents(name, visit.language, name == names[0]) for name in names)
    game = labelled(visit.say("Game"), select("game", titles, names[0]).replace("<select", "<select data-games", 1))
    return (
        f'<form method="post" action="/table" class="card two-agents"><h2 class="subtitle">'
        f'{escape(visit.say("Watch two agents"))}</h2><div class="row">{game}{fields}'
        f'<button class="button">{escape(visit.say("Watch"))}</button></div></form>'
    )


@lru_cache(maxsize=64)
def _agents(name: str, language: Language, shown: bool) -> str:
    """The fields of both agents of one game."""
    offered = [each for each in opponents(name) if not obstacle(each.spec, cached_game(name))]
    titles = {
        each.spec: " – ".join(translate(text, language) for text in (each.name, each.strength) if text)
        for each in reversed(offered)
    }
    first, second = default_pair(offered)
    fields = (
        labelled(label, select("seats", titles, chosen))
        for label, chosen in ((translate(FIRST, language), first), (translate(SECOND, language), second))
    )
    state = "" if shown else " hidden disabled"
    return f'<fieldset data-game="{name}"{state}>{"".join(fields)}</fieldset>'


def default_pair(offered: list[Opponent]) -> tuple[str, str]:
    """Two strong agents of different names that are as equal as possible; of two agents with one name the best."""
    ratings = {each.spec: each.elo for each in offered if each.elo is not None}
    strong = [each for each in offered if ratings.get(each.spec, 0.0) >= STRONG * max(ratings.values(), default=0.0)]
    pairs = [
        (abs(ratings[one.spec] - ratings[other.spec]), one.spec, other.spec)
        for one, other in combinations(strong, 2)
        if {one.spec, other.spec} <= ratings.keys() and one.spec.partition(":")[0] != other.spec.partition(":")[0]
    ]
    if pairs:
        _, one, other = min(pairs)
        return one, other
    return offered[-1].spec, offered[-2 if len(offered) > 1 else -1].spec
