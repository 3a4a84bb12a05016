"""Sampling: every deal, shuffle and hidden place counts once."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Mapping

import pytest

from ludoteca.games.kittens.cards import CARDS
from tests.games.kittens.matches import Story, follow, kittens, observed, play, random_start, table_of, world_of
from tests.games.kittens.reference import World


def surprise(expected: Mapping[World, float], found: Counter[World]) -> float:
    """How far chi-square is from its mean, in standard deviations (Wilson and Hilferty); rare worlds are pooled."""
    total = sum(found.values())
    cells, chance, count = [], 0.0, 0
    for world in sorted(expected, key=expected.__getitem__):
        chance, count = chance + expected[world], count + found[world]
        if chance * total >= 8:
            cells.append((chance * total, count))
            chance, count = 0.0, 0
    freedom = len(cells) - 1
    if freedom < 1:
        return 0.0
    square = sum((count - mean) ** 2 / mean for mean, count in cells)
    spread = 2 / (9 * freedom)
    return float(((square / freedom) ** (1 / 3) - 1 + spread) / math.sqrt(spread))


DRAWS = 400
"""Worlds that are drawn from a view and compared with enumeration."""


def compare(story: Story, seat: int, draws: int) -> list[float]:
    """Draws worlds and compares them with enumeration: what the deck, and what the other's hand, deviate by."""
    game, view = story.game, story.state.view(seat)
    expected = story.worlds(seat)
    assert world_of(game, story.state, seat) in expected
    chance = random.Random(" ".join(story.actions))
    found = Counter(world_of(game, view.sample(chance.getrandbits(60)), seat) for _ in range(draws))
    assert set(found) <= set(expected), story.actions
    hands, found_hands = defaultdict[World, float](float), Counter[World]()
    for (_, hand, _), weight in expected.items():
        hands[(), hand, ()] += weight
    for (_, hand, _), count in found.items():
        found_hands[(), hand, ()] += count
    for depth in range(view.deck_size):
        bombs = sum(weight for world, weight in expected.items() if world[0][depth] == "Bomb")
        assert view.bomb_chance(depth) == pytest.approx(bombs)
    return [surprise(expected, found), surprise(hands, found_hands)]


@pytest.mark.no_sanitize
@pytest.mark.parametrize(
    "spec",
    [
        "kittens:deck=bomb1+defuse1+skip1+safe2",
        "kittens:deck=bomb2+defuse1+see2+safe1",
        "kittens:deck=bomb1+defuse1+see2+shuffle2",
        "kittens:deck=bomb2+defuse2+bottom2",
        "kittens:deck=bomb1+defuse2+see2+bottom1,place=any",
        "kittens:rules=original,deck=bomb2+defuse1+shuffle1+bottom1+attack1",
        "kittens:rules=original,deck=bomb1+defuse2+skip1+shuffle1,place=any",
        "kittens:rules=original,deck=bomb1+see2+shuffle1+bottom1+skip1",
    ],
)
def test_samples_are_as_likely_as_enumeration_says(spec: str) -> None:
    game = kittens(spec)
    surprises: list[float] = []
    happened: Counter[str] = Counter()
    for number in range(12):
        story, seat = follow(game, 200 + number, 5 + number % 8), number % 2
        surprises += compare(story, seat, DRAWS)
        happened.update(what for who, what, _ in observed(story.state.view(seat)) if who != seat)
    assert max(surprises) < 4, surprises
    draws = sum(count for what, count in happened.items() if what.startswith("draws") and "bomb" not in what)
    assert min(draws, happened["puts the bomb back"]) > 2
    for card in ("bottom", "shuffle"):
        assert card not in spec or happened[f"plays {card}"] > 0, happened
    if "original" in spec:  # where `see` shows nothing, but draws are seen
        assert happened["draws another card from the top"] > 2, happened
    else:
        assert "see" not in spec or happened["looks"] > 0, happened


@pytest.mark.no_sanitize
@pytest.mark.parametrize(
    ("deck", "start"),
    [
        ("deck=bomb1+see1+safe2", "deck: see skip bomb safe; 0: defuse attack; 1: skip safe"),
        ("deck=bomb2+see2+bottom1", "deck: see bomb bottom skip bomb; 0: see; 1: defuse skip; owed: 2"),
        ("deck=bomb1+shuffle2", "deck: defuse bomb skip attack; 0: shuffle; 1: shuffle defuse; turn: 1"),
        ("deck=bomb1+see2+shuffle2", "deck: see skip attack skip; 0: shuffle; 1: shuffle see; turn: 1"),
        ("deck=bomb1+bottom2+safe1,place=any", "deck: bottom bomb skip safe; 0: defuse; 1: defuse bottom attack"),
        ("rules=original,deck=bomb2+see1+bottom1", "deck: see bomb skip attack; 0: defuse; 1: defuse bottom"),
        (
            "rules=original,deck=bomb1+shuffle1+safe1",
            "deck: safe bomb skip defuse; 0: skip; 1: defuse shuffle; turn: 1",
        ),
    ],
)
def test_samples_from_a_start_are_as_likely_as_enumeration_says(deck: str, start: str) -> None:
    game = kittens(f"kittens:{deck}")
    surprises: list[float] = []
    for number in range(10):
        story, seat = follow(game, 300 + number, number % 8, start=start), number // 2 % 2
        surprises += compare(story, seat, DRAWS)
    assert max(surprises) < 4, surprises


@pytest.mark.no_sanitize
@pytest.mark.parametrize(
    ("deck", "start", "lost", "loser"),
    [
        (
            "bomb1+bottom1+shuffle1+safe1",
            "deck: skip safe shuffle bomb; 0: defuse bottom; 1: attack skip; owed: 2",
            0,
            None,
        ),
        ("bomb2+bottom1+safe1", "deck: bomb skip safe bomb; 0: defuse defuse bottom; 1: attack skip; owed: 2", 1, None),
        (  # a later shuffle is of one bomb less
            "bomb3+bottom1+shuffle2",
            "deck: bomb skip bomb bomb; 0: defuse defuse bottom shuffle; 1: shuffle; owed: 2",
            1,
            None,
        ),
        ("bomb2+bottom1+safe1", "deck: bomb skip safe bomb; 0: defuse bottom; 1: attack skip; owed: 2", 1, 0),
    ],
)
@pytest.mark.parametrize("place", ["thirds", "any"])
def test_samples_know_of_bombs_from_the_bottom_in_the_original(
    deck: str, start: str, lost: int, loser: int | None, place: str
) -> None:
    game = kittens(f"kittens:rules=original,deck={deck},place={place}")
    surprises: list[float] = []
    shuffled = 0
    for number in range(6):
        story = follow(game, 500 + number, 1 + number % 6, start=start, first="bottom")
        view = story.state.view(0)
        out = game.deal_from(start, 0).view(0).gone[0]
        assert (view.gone[0] - out, view.loser if loser == 0 else None) == (lost, loser)
        shuffled += len(story.orders)
        for seat in (0, 1):
            surprises += compare(story, seat, DRAWS)
    assert max(surprises) < 4, surprises
    assert shuffled or "shuffle2" not in deck


@pytest.mark.no_sanitize
def test_samples_from_random_starts_are_as_likely_as_enumeration_says() -> None:
    surprises: list[float] = []
    for number in range(40):
        rules, place = ("clean", "original")[number % 2], ("any", "thirds")[number // 2 % 2]
        game = kittens(f"kittens:rules={rules},deck=bomb1+see1+bottom1+shuffle1,place={place}")
        start = random_start(game, random.Random(number))
        view = game.deal_from(start, number).view(0)
        if view.deck_size + max(view.hand_sizes) < 8:  # few enough to try them all
            story = follow(game, number, number % 9, start=start)
            surprises += compare(story, 0, DRAWS) + compare(story, 1, DRAWS)
    assert len(surprises) > 40
    assert max(surprises) < 4, surprises


@pytest.mark.no_sanitize
def test_samples_know_what_was_seen_going_into_a_shuffle() -> None:
    game = kittens("kittens:deck=see2+shuffle2+skip3")
    surprises: list[float] = []
    for seed in range(200):
        story, seat = follow(game, seed, 5 + seed % 8, eager=True), seed % 2
        seen = [what for who, what, _ in observed(story.state.view(seat)) if who == seat or what.startswith("draws")]
        if "looks" in seen and "plays shuffle" in seen[seen.index("looks") :] and len(story.orders) == 1:
            surprises += compare(story, seat, DRAWS)
    assert len(surprises) > 20
    assert max(surprises) < 4, surprises


@pytest.mark.no_sanitize
def test_samples_know_what_must_have_been_drawn() -> None:
    game = kittens("kittens:deck=skip4+safe4")
    surprises: list[float] = []
    for seed in range(40):
        state = game.deal(seed)
        if [CARDS[card] for card in game.deck_of(state)[:3]].count("Skip") < 2:
            continue
        actions = "draw, attack, draw, draw, skip, skip, draw, skip, draw, skip"  # two of the three Skips were drawn
        story = Story(game, state, table_of(game, state), actions.split(", "), [])
        play(state, actions)
        surprises += compare(story, 1, DRAWS)
    assert len(surprises) > 20
    assert max(surprises) < 4, surprises


def test_a_seat_that_exploded_had_no_defuse() -> None:
    game = kittens("kittens:deck=bomb3+defuse3+safe6")
    for seed in range(30):
        state = game.deal(seed)
        while state.turn is not None:
            state.apply(state.legal()[0])
        loser = state.view(0).loser
        assert loser is not None
        view = state.view(1 - loser)
        assert all(view.sample(sample).view(loser).hand[1] == 0 for sample in range(20))


@pytest.mark.parametrize(
    ("spec", "steps"),
    [
        ("kittens:deck=rich", 12),
        ("kittens:deck=rich,place=any", 12),
        ("kittens:deck=bomb8+defuse30+safe6,place=any", 50),  # hundreds of arrangements, all of them counted
        ("kittens:deck=bomb14+defuse46", 50),
    ],
)
def test_chances_of_bombs_add_up_to_their_number(spec: str, steps: int) -> None:
    game = kittens(spec)
    for seed in range(12):
        state = follow(game, seed, steps + seed).state
        for seat in (0, 1):
            view = state.view(seat)
            chances = [view.bomb_chance(depth) for depth in range(view.deck_size)]
            assert sum(chances) == pytest.approx(view.bombs)
            assert all(-1e-12 <= chance <= 1 + 1e-12 for chance in chances)
            assert view.bomb_chance(-1) == view.bomb_chance(view.deck_size) == 0
