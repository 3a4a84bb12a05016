"""The rule-based players of the Kittens document: ordered rules, some with a probability of firing.

The first rule that applies and fires chooses the action. So the probability of every action is known exactly, and the
agents give it as the score:

    left = 1
    for each rule that applies, in order:   P(its action) += left * chance;   left *= 1 - chance
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from ludoteca import _core
from ludoteca.agents.reasons import with_reasons
from ludoteca.games.core_game import expect
from ludoteca.games.kittens.cards import ACTIONS, CARDS, PLACE_AT
from ludoteca.messages import Message, say
from ludoteca.protocols import Action, Decision, Game, Limit, Reason, Seat, View
from ludoteca.spec import Label, one_of

DRAW, SKIP, ATTACK = (ACTIONS.index(name) for name in ("draw", "skip", "attack"))
TOP, MIDDLE, BOTTOM = (ACTIONS.index(name) for name in ("place top", "place middle", "place bottom"))


@dataclass(frozen=True)
class Situation:
    """What the rules look at: public facts and the cards in the player's hand."""

    deck: int
    """Cards in the deck."""
    bombs: int
    """Bombs among them."""
    skips: int = 0
    """Skip cards in the player's hand."""
    attacks: int = 0
    """Attack cards in the player's hand."""
    own: int = 0
    """All cards in the player's hand."""
    others: int = 0
    """All cards in the opponent's hand."""

    @property
    def risk(self) -> float:
        """The probability of a bomb on top as the rules see it: they remember no places."""
        return self.bombs / self.deck if self.deck else 0.0

    @classmethod
    def of(cls, view: View) -> Situation:
        """What the seat of this view sees."""
        table = expect(view, _core.KittensView)
        hand, sizes = table.hand, table.hand_sizes
        return cls(
            deck=table.deck_size,
            bombs=table.bombs,
            skips=hand[CARDS.index("Skip")],
            attacks=hand[CARDS.index("Attack")],
            own=sizes[table.seat],
            others=sizes[1 - table.seat],
        )


@dataclass(frozen=True)
class Rule:
    """One rule: when it applies, with which probability it then fires, and what it does."""

    name: str
    words: str
    """The rule as a clause that follows the number of bombs and cards in the deck."""
    action: Action
    applies: Callable[[Situation], bool]
    chance: float = 1.0


DOCUMENT_V2 = (
    Rule("1", say("above 25% it skips"), SKIP, lambda s: s.risk > 0.25 and s.skips > 0),
    Rule(
        "2a",
        say("with three cards more than the other it attacks"),
        ATTACK,
        lambda s: s.attacks > 0 and s.own > s.others + 2,
        0.8,
    ),
    Rule("2b", say("above 20% it attacks"), ATTACK, lambda s: s.attacks > 0 and s.risk > 0.20, 0.75),
    Rule(
        "2c",
        say("above 15% in the last 8 cards it attacks"),
        ATTACK,
        lambda s: s.attacks > 0 and s.deck <= 8 and s.risk > 0.15,
        0.6,
    ),
    Rule("3", say("above 15% it skips"), SKIP, lambda s: s.risk > 0.15 and s.skips > 0, 0.5),
    Rule("4", say("below 5% it draws"), DRAW, lambda s: s.risk < 0.05),
    Rule(
        "5",
        say("above 10% in the last 15 cards it skips"),
        SKIP,
        lambda s: s.skips > 0 and s.risk > 0.10 and s.deck <= 15,
    ),
    Rule("6", say("no other rule fired, so it draws"), DRAW, lambda s: True),
)
DOCUMENT_V1 = (
    Rule("1", say("above 30% it skips"), SKIP, lambda s: s.risk > 0.3 and s.skips > 0),
    Rule("2", say("it attacks now and then"), ATTACK, lambda s: s.attacks > 0, 0.3),
    Rule("3", say("no other rule fired, so it draws"), DRAW, lambda s: True),
)
PROGRAM_V1 = (
    Rule(
        "1",
        say("above 10% in the last 10 cards it skips"),
        SKIP,
        lambda s: s.deck <= 10 and s.risk > 0.10 and s.skips > 0,
    ),
    Rule("2", say("above 15% it attacks"), ATTACK, lambda s: s.risk > 0.15 and s.attacks > 0, 0.7),
    Rule("3", say("no other rule fired, so it draws"), DRAW, lambda s: True),
)
REINSERTION = (
    Rule("top", say("below 30% in more than 10 cards it goes on top"), TOP, lambda s: s.deck > 10 and s.risk < 0.3),
    Rule(
        "bottom",
        say("above 30% in at most 10 cards it goes to the bottom"),
        BOTTOM,
        lambda s: s.deck <= 10 and s.risk > 0.3,
    ),
    Rule("middle", say("no other rule applies, so it goes into the middle"), MIDDLE, lambda s: True),
)
"""Where a defused bomb goes; the situation is that of the deck without it."""


def probabilities(rules: Sequence[Rule], situation: Situation) -> dict[Action, float]:
    """The probability of each action that some rule can choose here."""
    chances: dict[Action, float] = {}
    left = 1.0
    for rule in rules:
        if left and rule.applies(situation):
            chances[rule.action] = chances.get(rule.action, 0.0) + left * rule.chance
            left *= 1 - rule.chance
    return chances


def choose(rules: Sequence[Rule], situation: Situation, chance: random.Random) -> Rule:
    """The first rule that fires. Like the document, it draws a random number only where it matters."""
    return next(
        rule for rule in rules if rule.applies(situation) and (rule.chance == 1 or chance.random() < rule.chance)
    )


class _Ordered:
    """A player that follows a list of rules."""

    games: ClassVar = frozenset({"kittens"})

    def __init__(self, game: Game, seat: Seat, seed: int) -> None:
        self._chance = random.Random(seed)

    @property
    def rules(self) -> Sequence[Rule]:
        """The rules in order. A property, so that an agent can be pickled."""
        raise NotImplementedError

    def act(self, view: View, limit: Limit) -> Decision:
        """The action of the first rule that fires."""
        situation, legal, table = Situation.of(view), view.legal(), expect(view, _core.KittensView)
        rules = REINSERTION if table.placing else self.rules
        fired = choose(rules, situation, self._chance)
        half = situation.deck // 2
        middle = situation.deck - half if table.game.options["rules"] == "original" else half  # counted from the bottom
        depths = {TOP: 0, MIDDLE: middle, BOTTOM: situation.deck}

        def in_game(action: Action) -> Action:
            """The place as a depth, in a game where bombs go back to any depth."""
            return action if legal[0] < PLACE_AT else PLACE_AT + depths[action]

        chances = {in_game(each): p for each, p in probabilities(rules, situation).items()}
        note = "" if fired.chance == 1 else say("it follows this rule {chance:.0%} of the time", chance=fired.chance)
        scores = {action: chances.get(action, 0.0) for action in legal}
        reason = Reason(_words(fired, situation, table.placing))
        return with_reasons(view, Decision(in_game(fired.action), scores=scores, note=note, reasons=(reason,)))


def _words(rule: Rule, situation: Situation, placing: bool) -> Message:
    """The rule that fired, with what it looks at."""
    bombs, deck = situation.bombs, situation.deck
    if placing:
        return say("other bombs in the deck {bombs} of {deck}: {rule}", bombs=bombs, deck=deck, rule=rule.words)
    name, words = rule.name, rule.words
    return say(
        "rule {name}, bombs in the deck {bombs} of {deck}: {rule}", name=name, bombs=bombs, deck=deck, rule=words
    )


class V2(_Ordered):
    """Kittens by the document's ordered rules: skips and attacks by bomb risk, hand sizes and phase."""

    @property
    def rules(self) -> Sequence[Rule]:
        """The document's six."""
        return DOCUMENT_V2


class V1(_Ordered):
    """Kittens by the document's older, simpler rules: skips when a bomb is near, attacks now and then."""

    variants: ClassVar[Mapping[str, Sequence[Rule]]] = {"document": DOCUMENT_V1, "program": PROGRAM_V1}

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        variant: Annotated[
            Literal["document", "program"],
            Label(
                say("variant"),
                say("document: as it is written; program: as the code behind it has it"),
                {"document": say("as it is written"), "program": say("as it is programmed")},
            ),
        ] = "document",
    ) -> None:
        super().__init__(game, seat, seed)
        self.variant = one_of("v1", "variant", variant, self.variants)

    @property
    def rules(self) -> Sequence[Rule]:
        """The three of this variant."""
        return self.variants[self.variant]
