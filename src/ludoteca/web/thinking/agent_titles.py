"""What people call an agent: a short name of everyday language, with a few words where options make it another one.

The exact spec is for programmers; pages show it in tooltips and where it can be copied.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ludoteca import agents
from ludoteca import spec as specs
from ludoteca.agents.identity import Identity, short_names, short_spec, split_version
from ludoteca.agents.networks.trained import NAME
from ludoteca.errors import InvalidAgent
from ludoteca.messages import joined, say, say_as, say_count
from ludoteca.spec import Option
from ludoteca.web.serving.allowed_specs import TRAINED

TITLES = {
    # Translators: agents as players meet them, like names; commands keep the English words
    "astar": say_as("agent", "A-Star"), "beam": say_as("agent", "Beam"), "cases": say_as("agent", "By cases"),
    "dqn": say_as("agent", "Q network"), "engine": say_as("agent", "Engine"), "mcts": say_as("agent", "Monte Carlo"),
    "minimax": say_as("agent", "Minimax"), "naive": say_as("agent", "Naive"), "random": say_as("agent", "Random"),
    "tumbafichas": say_as("agent", "Tumbafichas"), "v1": say_as("agent", "Impulsive"),
    "v2": say_as("agent", "Methodical"), "zero": say_as("agent", "Zero"),
}  # fmt: skip
"""Of our own agents; others are called by the names they are installed under."""
QUALIFIERS = {
    # Translators: after an agent's name and a comma
    ("network", "none"): say_as("agent", "no network"), ("reading", "ours"): say_as("agent", "reversed"),
    ("opponent", "mean"): say_as("agent", "average reply"), ("observation", "seed"): say_as("agent", "few inputs"),
    ("variant", "program"): say_as("agent", "as programmed"), ("simulations", "1"): say_as("agent", "no search"),
}  # fmt: skip
"""By option and value what sets such an agent apart."""


def agent_title(spec: str) -> str:
    """An agent's title, to be translated. Takes any text; of a file's path only the last folder stays.

    >>> agent_title("engine:level=3"), agent_title("mcts:simulations=1000"), agent_title("ana/solution.py:Smart")
    ('Engine, level 3', 'Monte Carlo 1,000', 'ana/solution.py:Smart')
    """
    plain, version = split_version(short_spec(spec))
    return joined([_title_of(plain), version], "@") if version else _title_of(plain)


def agent_titles(agents: Iterable[Identity]) -> dict[Identity, str]:
    """By agent what a person calls it, with its digest where two would read the same."""
    titles = {}
    for agent, name in short_names(agents).items():
        title, version = agent_title(agent.spec), name.removeprefix(short_spec(agent.spec))
        titles[agent] = joined([title, version], "") if version else title
    return titles


@lru_cache(maxsize=256)
def _title_of(spec: str) -> str:
    try:
        name, given = specs.split(spec, InvalidAgent)
    except InvalidAgent:
        return spec
    if name == TRAINED and (trained := NAME.fullmatch(given.get("network", ""))) is not None:
        return say("network trained here (learnt from {count:,})", count=int(trained[2]))
    if name == "htp":  # another program, whose arguments no player needs
        return say_as("agent", "program {name}", name=given.get("command", "").partition(" ")[0])
    # Only installed agents: asking a dotted name for its options would import it.
    known = {each.name: each for each in agents.describe(name).options} if name in agents.names() else {}
    if not set(given) <= set(known):
        return spec
    title: str = TITLES.get(name, name)
    if (level := known.get("level")) is not None and level.choices:  # levels with names, the default one too
        given = {"level": specs.show(level.default)} | given if set(given) <= {"level"} else given
    if (count := given.pop("simulations", "")).isdecimal() and count != "1":
        # Translators: an agent's name and how many simulations it makes, as in "Monte Carlo 1,000"
        title = say_as("agent", "{agent} {count:,}", agent=title, count=int(count))
    elif count:
        given["simulations"] = count
    return joined([title, *(_qualifier(known[key], value) for key, value in given.items())])


def _qualifier(option: Option, value: str) -> str:
    """What an option's value makes of an agent, in a few words."""
    if (short := QUALIFIERS.get((option.name, value))) is not None:
        return short
    if option.name == "depth" and value.isdecimal():
        return say_count("{count} move ahead", "{count} moves ahead", int(value))
    if option.name == "level":
        return option.value_title(value) if option.choices else say_as("agent", "level {level}", level=value)
    return joined([option.title, option.value_title(value)], ": ")
