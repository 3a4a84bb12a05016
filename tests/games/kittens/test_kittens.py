from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import cast

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.games.kittens.cards import CARDS, DECKS
from ludoteca.games.kittens.game import Kittens
from ludoteca.testing import check_game
from tests.games.kittens.matches import kittens, play, play_in_step, table_of
from tests.games.kittens.reference import Table

SMALL = "bomb2+defuse2+skip1+attack1+see2+bottom2+shuffle1+safe2"
SPECS = [
    "kittens",
    "kittens:deck=rich",
    "kittens:deck=v1,stack=true",
    "kittens:deck=rich,stack=true,place=any",
    "kittens:rules=original",
    "kittens:rules=original,deck=rich,place=any",
    f"kittens:deck={SMALL}",
    f"kittens:deck={SMALL},place=any,max_turns=9",
    f"kittens:rules=original,deck={SMALL}",
    "kittens:deck=bomb1",
    "kittens:deck=safe1,max_turns=3",
    "kittens:deck=defuse2+see3+bottom2+shuffle3,max_turns=40",
    "kittens:deck=bomb5+defuse9+see9+bottom9,place=any",
    "kittens:deck=bomb3+skip9+attack9+see9+bottom9+shuffle9+safe12,stack=true",
    "kittens:rules=original,deck=bomb1+defuse24",
]


ALL_KNOWN = ("kittens:deck=bomb1", "kittens:deck=safe1,max_turns=3", "kittens:rules=original,deck=bomb1+defuse24")
"""Decks of which a seat can name every card."""


# The rules.


@pytest.mark.parametrize("spec", SPECS)
def test_every_option_keeps_the_promises(spec: str) -> None:
    check_game(ludoteca.game(spec), matches=1, knows_all=(0, 1) if spec in ALL_KNOWN else ())


@pytest.mark.parametrize("spec", SPECS)
def test_core_follows_the_reference(spec: str) -> None:
    game = kittens(spec)
    for seed in range(12):
        play_in_step(game, game.deal(seed), random.Random(seed))


def test_the_eleven_numbers_are_those_of_the_rules_in_every_phase() -> None:
    """`play_in_step` compares them with the reference wherever a seat decides; here all that can be met is met."""
    game, met = kittens("kittens:rules=original,deck=rich"), Counter[str]()

    def watch(table: Table) -> None:
        assert table.turn is not None
        mine, yours = table.did[table.turn], table.did[1 - table.turn]
        phase = f"places after {'+'.join(mine)}" if table.placing else f"owes {table.owed}"
        met[f"seat {table.turn} {phase}"] += 1
        met[f"after {'+'.join(yours)}"] += 1

    for seed in range(150):
        play_in_step(game, game.deal(seed), random.Random(seed), watch)
    seat_0 = {f"places after {what}" for what in ("defuse", "skip+defuse", "see+defuse", "bottom+defuse")}
    wanted = {f"seat 0 {phase}" for phase in seat_0 | {"owes 1", "owes 2"}} | {"after ", "after attack"}
    wanted |= {f"after {what}" for what in ("skip", "see", "bottom", "shuffle", "defuse", "skip+defuse")}
    assert wanted <= set(met), wanted - set(met)


def slow_perft(table: Table, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for action in table.legal():
        branch = table.copy()
        branch.play(action)
        count += slow_perft(branch, depth - 1)
    return count


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ("deck=v1", [3, 9, 22, 52, 127, 279, 604, 1105]),
        ("deck=bomb3+defuse2+see2+bottom2", [3, 9, 22, 51, 122, 276, 605, 1284]),
        ("deck=bomb3+defuse2+see2+bottom2,place=any", [3, 9, 27, 86, 277, 752, 1859, 4490]),
        ("rules=original,deck=v1", [6, 36, 156, 723, 3699, 19557, 110436, 641304]),
    ],
)
def test_perft(options: str, counts: list[int]) -> None:
    game = kittens(f"kittens:{options}")
    state = game.deal(7)
    slow = table_of(game, state)
    assert [slow_perft(slow, depth) for depth in range(1, 6)] == counts[:5]
    assert [state.perft(depth) for depth in range(1, 9)] == counts


def test_a_lone_bomb_goes_round_until_the_defuses_are_spent() -> None:
    state = kittens("kittens:deck=bomb1").deal(0)
    play(state, "draw, place top, draw, place middle")
    assert state.turn == 0 and state.returns() == (0, 0)
    play(state, "draw")
    assert state.turn is None and state.returns() == (-1, 1)
    assert state.view(1).loser == 0


def test_what_is_owed_stays_owed_after_a_defuse() -> None:
    state = kittens("kittens:deck=bomb1").deal(0)
    play(state, "attack, draw, place top")
    assert state.turn == 1 and state.view(0).owed == 1
    play(state, "skip")
    assert state.turn == 0 and state.view(0).owed == 1


def test_in_the_original_only_seat_1_goes_on_after_a_defuse() -> None:
    game = kittens("kittens:rules=original,deck=bomb1")
    state = game.deal(0)
    play(state, "attack, draw")
    assert state.turn == 1 and state.view(1).placing
    play(state, "place top")  # it still owes one draw, and the bomb is there again
    assert state.returns() == (1, -1)
    state = game.deal(0)
    play(state, "attack, attack, draw")
    assert state.turn == 0 and state.view(0).placing
    play(state, "place top")  # the second draw is cancelled
    assert state.turn == 1 and state.view(1).owed == 1


@pytest.mark.parametrize(("rules", "above"), [("clean", [0, 0, 1, 1, 2, 2]), ("original", [0, 1, 1, 2, 2, 3])])
def test_the_middle_is_counted_from_the_top_and_in_the_original_from_the_bottom(rules: str, above: list[int]) -> None:
    game = kittens(f"kittens:rules={rules},deck=bomb1+safe9")
    for others, depth in enumerate(above):
        state = game.deal_from(f"deck: bomb {'safe ' * others}; 0: defuse; 1: defuse", 0)
        play(state, "draw, place middle")
        assert game.deck_of(state).index(CARDS.index("Bomb")) == depth, others
        assert state.view(0).known == [(depth, 0)]
        assert depth in (state.view(1).suspects or [found for found, _ in state.view(1).known])


def test_in_the_original_seat_0_draws_on_with_a_bomb_from_the_bottom() -> None:
    game = kittens("kittens:rules=original,deck=bomb2+bottom2+safe3")
    state = game.deal_from("deck: skip safe safe bomb; 0: defuse bottom; 1: bottom defuse; owed: 2", 0)
    play(state, "bottom")
    view = state.view(0)
    assert state.turn == 0 and view.placing and view.deck_size == 2 and view.hand[2] == 1
    assert [event.what for event in game.events(view)] == ["bottom", "bomb bottom", "draw"]
    play(state, "place top")
    assert state.turn == 1 and state.view(1).owed == 1 and game.deck_of(state)[0] == 0
    assert [event.depth for event in game.events(state.view(0))] == [None, None, 0]
    assert [event.depth for event in game.events(state.view(1))] == [None, None, None]

    one = game.deal_from("deck: skip safe safe bomb; 0: defuse bottom; 1: bottom defuse; owed: 1", 0)
    play(one, "bottom")  # nothing more is owed
    assert one.view(0).placing and one.view(0).deck_size == 3
    one = game.deal_from("deck: skip safe safe bomb; 0: defuse; 1: bottom defuse; turn: 1; owed: 2", 0)
    play(one, "bottom")  # seat 1 places first
    assert one.view(1).placing and one.view(1).deck_size == 3 and one.view(1).owed == 1


def test_in_the_original_a_second_bomb_costs_a_second_defuse_and_one_is_lost() -> None:
    game = kittens("kittens:rules=original,deck=bomb3+bottom2+safe3")
    start = "deck: bomb safe safe bomb bomb; 0: defuse defuse bottom; 1: skip; owed: 2"
    state = game.deal_from(start, 0)
    play(state, "bottom")
    view = state.view(0)
    assert state.turn == 0 and view.placing and (view.bombs, view.gone[0], view.hand[1]) == (1, 1, 0)
    play(state, "place bottom")
    assert [CARDS[card] for card in game.deck_of(state)] == ["Safe", "Safe", "Bomb", "Bomb"]
    assert state.view(1).bombs == 2 and "out of play: Bomb" in game.text(state.view(1))
    state = game.deal_from(start.replace("defuse defuse", "defuse"), 0)
    play(state, "bottom")
    assert state.turn is None and state.returns() == (-1, 1) and not state.view(0).placing


@pytest.mark.parametrize(("stack", "owed"), [("false", [2, 2, 2]), ("true", [2, 4, 5])])
def test_attacks_stack_only_where_the_option_says_so(stack: str, owed: list[int]) -> None:
    state = kittens(f"kittens:deck=attack60,stack={stack}").deal(0)
    seen = []
    for actions in ("attack", "attack", "draw, attack"):
        play(state, actions)
        seen.append(state.view(0).owed)
    assert seen == owed


def test_attacking_with_one_owed_draw_passes_two_on_even_when_stacking() -> None:
    state = kittens("kittens:deck=safe9,stack=true").deal(0)
    play(state, "attack, draw, attack")
    assert state.turn == 0 and state.view(0).owed == 2


def test_an_empty_deck_gives_nothing_and_the_match_is_drawn_in_the_end() -> None:
    for rules in ("clean", "original"):
        state = kittens(f"kittens:rules={rules},deck=safe1,max_turns=4").deal(0)
        play(state, "draw, draw, attack")
        view = state.view(1)
        assert view.deck_size == 0 and view.hand_sizes == (3, 3) and len(view.log) == 2
        play(state, "draw, draw" if rules == "clean" else "draw")
        assert state.turn is None and state.returns() == (0, 0) and state.view(0).loser is None


def test_bottom_and_see_on_an_empty_deck() -> None:
    game = kittens("kittens:deck=bottom1+see1,max_turns=9")
    state = next(state for state in map(game.deal, range(9)) if game.deck_of(state)[0] == CARDS.index("Bottom"))
    play(state, "draw, draw, bottom")
    assert state.turn == 1 and state.view(0).hand_sizes == (3, 4)
    play(state, "see")
    assert state.turn == 1 and state.view(1).known == [] and state.view(1).log[-1] == (1, 7, [], None, None)


def test_the_same_seed_and_actions_give_the_same_bytes() -> None:
    game = kittens("kittens:deck=rich")
    for seed in range(20):
        state, twin, chance = game.deal(seed), game.deal(seed), random.Random(seed)
        while state.turn is not None:
            action = chance.choice(state.legal())
            state.apply(action)
            twin.apply(action)
        assert bytes(state) == bytes(twin)


# Options and notation.


def test_decks_have_one_name() -> None:
    assert kittens("kittens:deck=safe17+bomb4+defuse2+skip2+attack2+see1+bottom1+shuffle1").spec == "kittens"
    assert kittens("kittens:deck=Safe3 + BOMB1").spec == "kittens:deck=bomb1+safe3"
    assert kittens("kittens:deck=safe3+bomb0").spec == "kittens:deck=safe3"
    assert kittens("kittens:deck=rich").counts == dict(zip(CARDS, DECKS["rich"], strict=True))
    assert [sum(deck) for deck in DECKS.values()] == [30, 30, 30]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("deck=v3", "deck=v3 is neither a deck nor counts of cards: it is one of v2, rich, v1"),
        ("deck=bomb4+kitten2", "deck=bomb4.kitten2 is neither"),
        ("deck=bom4", "did you mean 'bomb'"),
        ("deck=bomb1+bomb2", "gives a card twice"),
        ("deck=bomb", "is neither"),
        ("deck=safe61", "has 61 cards, not 1 to 60"),
        ("deck=safe0", "has 0 cards"),
        ("rules=house", "rules=house is none of clean, original"),
        ("place=middle", "place=middle is none of thirds, any"),
        ("stack=maybe", "stack=maybe is none of false, true"),
        ("max_turns=0", "max_turns=0 must be a whole number from 1 to 10000"),
        ("rules=original,stack=true", "stack=true needs rules=clean"),
    ],
)
def test_wrong_options_are_named(options: str, message: str) -> None:
    with pytest.raises(ludoteca.InvalidOption, match=message):
        ludoteca.game(f"kittens:{options}")


def test_the_core_checks_its_own_arguments() -> None:
    for counts in ((61,) + (0,) * 7, (0,) * 8, (-1, 5) + (0,) * 6, (40, 30) + (0,) * 6):
        with pytest.raises(ValueError, match="Kittens"):
            _core.KittensRules(counts, False, False, False, 200)
    with pytest.raises(ValueError, match="max_turns"):
        _core.KittensRules(DECKS["v2"], False, False, False, 0)


def test_notation() -> None:
    game, deep = kittens("kittens"), kittens("kittens:place=any")
    assert [game.parse_action(text) for text in ("top", " Middle ", "place  bottom", "bottom", "SEE")] == [
        3,
        4,
        5,
        7,
        6,
    ]
    assert (game.num_actions, deep.num_actions) == (9, 39)
    assert deep.parse_action("place 0") == 9 and deep.action_name(38) == "place 29"
    for text in ("place 30", "place -1", "place x", "place", "0"):
        with pytest.raises(ludoteca.InvalidAction, match=r"is no action of kittens:place=any: .*place 0 to place 29"):
            deep.parse_action(text)
    with pytest.raises(ludoteca.InvalidAction, match="'place 3' is no action of kittens: actions are draw, skip"):
        game.parse_action("place 3")
    with pytest.raises(ludoteca.InvalidAction, match="did you mean 'shuffle'"):
        game.parse_action("shufle")


def test_illegal_actions_say_what_would_be_legal() -> None:
    state = kittens("kittens").deal(0)
    with pytest.raises(ludoteca.IllegalAction, match=r"'see' .* legal: draw, skip, attack\ndeck: 30"):
        play(state, "see")


# The seed's claims, checked: its opponent, as its document writes it, against two simple players in seat 0.

Policy = Callable[[_core.KittensView, random.Random], int]


def document_opponent(view: _core.KittensView, chance: random.Random) -> int:
    """The ordered rules of the document's heuristic V2."""
    size = view.deck_size
    risk = view.bombs / size if size else 0.0
    if view.placing:
        if size > 10 and risk < 0.3:
            return 3
        return 5 if size <= 10 and risk > 0.3 else 4
    skip, attack = view.hand[CARDS.index("Skip")], view.hand[CARDS.index("Attack")]
    mine, yours = view.hand_sizes[view.seat], view.hand_sizes[1 - view.seat]
    if risk > 0.25 and skip:
        return 1
    if attack:
        if mine > yours + 2 and chance.random() < 0.8:
            return 2
        if risk > 0.20 and chance.random() < 0.75:
            return 2
        if size <= 8 and risk > 0.15 and chance.random() < 0.6:
            return 2
    if risk > 0.15 and skip and chance.random() < 0.5:
        return 1
    if risk < 0.05:
        return 0
    return 1 if skip and risk > 0.10 and size <= 15 else 0


def always_draw(view: _core.KittensView, chance: random.Random) -> int:
    """And puts bombs to the bottom."""
    return 5 if view.placing else 0


def anything(view: _core.KittensView, chance: random.Random) -> int:
    """One of the six card actions, held or not, or of the three places."""
    return chance.choice(view.legal())


@pytest.mark.no_sanitize
@pytest.mark.parametrize(("policy", "wins"), [(always_draw, 0.23), (anything, 0.46)])
def test_known_values_of_the_original(policy: Policy, wins: float) -> None:
    game, chance, matches = kittens("kittens:rules=original"), random.Random(5), 3000
    won = 0
    for seed in range(matches):
        state = game.deal(seed)
        while state.turn is not None:
            view = state.view(state.turn)
            state.apply(policy(view, chance) if view.seat == 0 else document_opponent(view, chance))
        won += state.returns()[0] > 0
    assert won / matches == pytest.approx(wins, abs=0.02)


@pytest.mark.parametrize(
    "spec",
    [
        "kittens",
        "kittens:rules=original",
        "kittens:deck=rich,place=any,stack=true",
        "kittens:deck=rich,max_turns=12",
        "kittens:deck=bomb2+defuse30+skip3+attack3+bottom9+shuffle4,place=any",
    ],
)
def test_playouts_that_remember_nothing_end_as_those_that_do(spec: str) -> None:
    game = cast(Kittens, ludoteca.game(spec))
    for seed in range(20):
        state, chance = game.deal(seed), random.Random(seed)
        while state.turn is not None:
            # One by one: a mean of many could hide two mistakes that make up for each other.
            for once in range(5):
                assert state.playouts(1, once) == state.playouts(1, once, stepwise=True)
            state.apply(chance.choice(state.legal()))
        assert state.playouts(1) == state.returns()
