"""Matches of any game for round trips, made by Hypothesis."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import strategies as st

import ludoteca
from ludoteca import Match, Record
from ludoteca.agents.identity import Identity
from ludoteca.games.details import details_of
from ludoteca.messages import printable
from ludoteca.play.clock import MatchLimit
from ludoteca.play.match_tree import MatchTree, Step
from ludoteca.play.record import Who
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import State

names = st.sampled_from(
    ["engine", "astar:depth=4", "c]d\\e", 'say "hi"', "Ana Pérez", "a:b", "[x]", "{y}", "1. a1", "*"]
)
comments = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\t\v\f\x1c\x1d\x1e\x85"), max_size=40)
told = comments.map(printable)  # a fault may have a stranger's text, so no file brings back more than these
hex_specs = st.builds(
    lambda size, orientation, swap: ludoteca.game(
        f"hex:size={size},orientation={orientation},swap={str(swap).lower()}"
    ).spec,
    st.integers(1, 5), st.sampled_from(["left-right", "standard"]), st.booleans(),
)  # fmt: skip
specs = hex_specs | st.sampled_from(
    ["hex:size=3,layout=odd-r", "horses:size=5", "horses:size=6", "dominoes", "dominoes:pips=3", "kittens",
     "kittens:rules=original", "kittens:deck=rich,stack=true,place=any"]
)  # fmt: skip
identities = st.builds(Identity, names, st.sampled_from(["", "1f3a9c20" * 4]))
whos = (
    st.builds(Who)
    | st.sampled_from([Who(nickname='Ana "María" ]')])
    | st.builds(Who, identities, st.none() | st.integers(0, 2**63 - 1))
)
FAULTS = [Ending.resigned, Ending.illegal, Ending.timeout, Ending.error, Ending.crash, Ending.memory]


@st.composite
def records(draw: st.DrawFn, games: st.SearchStrategy[str] = specs) -> Record:
    """A match that was played out at random, or left, or ended by a fault."""
    game, seed = ludoteca.game(draw(games)), draw(st.integers(0, 2**63 - 1))
    limit = MatchLimit.parse(draw(st.sampled_from(["", "0.1s", "2000n,60s/match"])))
    clock = MatchLimit.parse(draw(st.sampled_from(["", "", "60s/match,1s/increment"])))
    match = Match(game, seed, seats=(draw(whos), draw(whos)), limit=limit, person_limit=clock)
    chance, most = random.Random(seed), draw(st.sampled_from([0, 1, 2, 5, 10_000]))
    while match.turn is not None and len(match.actions) < most:
        match.play(chance.choice(match.view(match.turn).legal()))
    if match.turn is not None and details_of(game).can_end_in_draw and draw(st.booleans()):
        match.agree_draw()
    if match.turn is not None and draw(st.booleans()):
        match.end_by(draw(st.integers(0, 1)), Fault(draw(st.sampled_from(FAULTS)), draw(told)))
    match.opening = min(len(match.actions), draw(st.integers(0, 2)))
    return match.record()


@st.composite
def trees(draw: st.DrawFn, games: st.SearchStrategy[str] = hex_specs) -> MatchTree:
    """A match of Hex with comments and variations, and variations of these, wherever they are legal."""
    record = draw(records(games))
    said = {ply: draw(comments) for ply in draw(st.sets(st.integers(0, 5))) if ply < len(record.actions)}
    steps = list(MatchTree.of(record, said).steps)
    first = ludoteca.game(record.game).deal(record.seed)
    states: list[State] = []
    for step in steps:
        states.append(_after(states[step.before] if step.before >= 0 else first, step))
    for choice in draw(st.lists(st.integers(0, 10**6), max_size=6)) if record.actions else []:
        before = choice % (len(steps) + 1) - 1
        state = states[before] if before >= 0 else first
        legal = sorted(set(state.legal()) - {step.action for step in steps if step.before == before})
        on_main_line_end = before == len(record.actions) - 1  # what follows there would make the match longer
        if legal and not on_main_line_end:
            steps.append(Step(before, legal[choice % len(legal)], draw(comments)))
            states.append(_after(state, steps[-1]))
    return MatchTree(record, tuple(steps), draw(comments))


def _after(state: State, step: Step) -> State:
    after = state.copy()
    after.apply(step.action)
    return after


def finished(record: Record) -> Record:
    """A record without what only JSON Lines hold: its clock and what was thought."""
    return replace(record, seconds=(0.0,) * len(record.actions), decisions=())
