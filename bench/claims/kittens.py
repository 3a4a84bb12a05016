"""``python -m bench.claims.kittens [-n MATCHES]``: what the Kittens document claims, measured.

All in rules=original with the document's deck, as its figures are: the agent in seat 0, the opponent in seat 1.
Prints one line per measurement: seat 0's share of wins with its interval, or how often each action is chosen.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import ludoteca
from bench.strength.pairs import agent_seed
from ludoteca import _core
from ludoteca.games.core_game import expect
from ludoteca.games.kittens.cards import ACTIONS, CARD_ACTIONS
from ludoteca.play.match import play_out
from ludoteca.protocols import Action, Agent, AgentFactory, Decision, Game, Limit, Seat, View
from ludoteca.ratings.wilson import ClusteredMean, wilson

ORIGINAL = ludoteca.game("kittens:rules=original")
DRAW, SKIP, ATTACK, TOP, MIDDLE, BOTTOM = range(6)


class Scripted:
    """Plays what a function of the view and of chance says."""

    def __init__(self, script: Callable[[_core.KittensView, random.Random], Action], seed: int) -> None:
        self.script, self.chance = script, random.Random(seed)

    def act(self, view: View, limit: Limit) -> Decision:
        """One action."""
        return Decision(self.script(expect(view, _core.KittensView), self.chance))


def scripted(script: Callable[[_core.KittensView, random.Random], Action]) -> AgentFactory:
    def make(game: Game, seat: Seat, seed: int) -> Agent:
        return Scripted(script, seed)

    return make


def always_draw(place: Action | None) -> AgentFactory:
    """Draws, and puts bombs to one place, or anywhere."""
    return scripted(lambda view, chance: (place or chance.choice((TOP, MIDDLE, BOTTOM))) if view.placing else DRAW)


def random_held(view: _core.KittensView, chance: random.Random) -> Action:
    """Uniform over what makes a difference: draw, the cards in hand, or the places."""
    held = [each for each in view.legal() if each not in CARD_ACTIONS or view.hand[CARD_ACTIONS[each]]]
    return chance.choice(held)


def tops_and_answers(view: _core.KittensView, chance: random.Random) -> Action:
    """Puts bombs on top; while the other's bomb may lie there, attacks or else skips."""
    if view.placing:
        return TOP
    if (0, 0) in view.known or 0 in view.suspects:
        return ATTACK if view.hand[3] else SKIP if view.hand[2] else DRAW
    return DRAW


class Choice(NamedTuple):
    """What a seat chose in a match."""

    seat: Seat
    action: str
    match: int


def won(first: str | AgentFactory, second: str | AgentFactory, matches: int) -> tuple[str, list[Choice]]:
    """Seat 0's wins in words, and every choice; a card not held counts as the draw it is.

    Each deal is played once, so the matches are independent, and the interval is Wilson's.
    """
    makers = [ludoteca.agent(each) if isinstance(each, str) else each for each in (first, second)]
    wins, draws, chosen = 0, 0, list[Choice]()
    for seed in range(matches):
        match = ludoteca.Match(ORIGINAL, seed)
        agents = {seat: make(ORIGINAL, seat, agent_seed(seed, seat)) for seat, make in enumerate(makers)}
        before = [match.view(0), match.view(1)]
        for seat, decision in play_out(match, agents, Limit()):
            card = CARD_ACTIONS.get(decision.action)
            wasted = card is not None and not expect(before[seat], _core.KittensView).hand[card]
            chosen.append(Choice(seat, "draw" if wasted else ACTIONS[decision.action], seed))
            before = [match.view(0), match.view(1)]
        wins += match.returns()[0] > 0
        draws += match.returns()[0] == 0
    low, high = wilson(wins / matches, matches)
    line = f"{wins / matches:.2%} won of {matches:,} (95% interval {low:.2%} to {high:.2%}; {draws} drawn)"
    return line, chosen


def mix(chosen: Sequence[Choice], seat: Seat, *, places: bool = False) -> str:
    """The shares of a seat's actions with intervals that count matches; putting bombs back only where asked."""
    shown = [each for each in chosen if each.seat == seat and (places or not each.action.startswith("place"))]

    def with_interval(name: str) -> str:
        found = ClusteredMean.of([(each.action == name, each.match) for each in shown])
        low, high = found.interval(len(shown))
        return f"{name} {found.mean:.1%} ({low:.1%} to {high:.1%})"

    listed = ", ".join(with_interval(name) for name, _ in Counter(each.action for each in shown).most_common())
    return f"{listed} of {len(shown):,} choices"


FIRST: dict[str, str | AgentFactory] = {
    "always draw, bombs to the top": always_draw(TOP),
    "always draw, bombs to the middle": always_draw(MIDDLE),
    "always draw, bombs to the bottom": always_draw(BOTTOM),
    "always draw, bombs anywhere": always_draw(None),
    "random": "random",
    "random over held cards": scripted(random_held),
    "bombs on top, answered by attack or skip": scripted(tops_and_answers),
    "dqn": "dqn",
    "dqn:observation=seed": "dqn:observation=seed",
}


def main() -> None:
    """Measures everything, or what is named."""
    parser = argparse.ArgumentParser(prog="python -m bench.claims.kittens")
    parser.add_argument("-n", "--matches", type=int, default=20_000)
    parser.add_argument("--only", default="", help="only the first seats whose name contains this")
    parser.add_argument("--against", default="v2+v1+v1:variant=program+random", help="opponents, joined by +")
    given = parser.parse_args()
    for opponent in given.against.split("+"):
        for name, first in FIRST.items():
            if given.only not in name:
                continue
            line, chosen = won(first, opponent, given.matches)
            print(f"{name} against {opponent}: {line}", flush=True)
            if name.startswith("random"):
                print(f"    {opponent} chooses {mix(chosen, 1)}", flush=True)
            if name.startswith("dqn"):
                print(f"    {name} chooses {mix(chosen, 0, places=True)}; {opponent} {mix(chosen, 1)}", flush=True)


if __name__ == "__main__":
    main()
