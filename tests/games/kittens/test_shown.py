"""What a seat is shown of a match: the tensor, the text, the picture and the sentences."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from ludoteca import _core
from ludoteca.games.kittens.game import Kittens
from tests.games.kittens.matches import follow, kittens, play


def features(view: _core.KittensView) -> dict[int, float]:
    """The tensor as the module's docstring tells it, zeros left out."""
    game: Kittens = view.game
    me, you, size = view.seat, 1 - view.seat, view.deck_size
    start = (0, 2, 2, 2, 0, 0, 0, 0)
    deck = list(game.counts.values())
    total = [count + more for count, more in zip(deck, start, strict=True)]
    inside = [count - gone for count, gone in zip(total, view.gone, strict=True)]
    out: dict[int, float] = {}
    for base, counts in ((0, view.hand), (8, view.holds), (16, view.played[me]), (24, view.played[you])):
        out.update({base + card: count / max(total[card], 1) for card, count in enumerate(counts)})
    out[40] = size / sum(deck)
    out[41] = view.bombs / max(deck[0], 1)
    out[42] = view.bombs / max(size, 1)
    out[43], out[44] = view.hand_sizes[me] / 16, view.hand_sizes[you] / 16
    out[45] = (view.hand_sizes[you] - sum(view.holds)) / 16
    out[46], out[50] = view.owed / 4, view.turns / game.options["max_turns"]
    out[47 if view.turn == me else -1] = 1
    out[(48 if view.turn == me else 49) if view.placing else -1] = 1
    for base, seat in ((51, me), (58, you)):
        last = view.last[seat]
        out[base + (None, 0, 1, 2, 6, 7, 8).index(last)] = 1
    for base, seat in ((65, me), (67, you)):
        draws = 0
        for event in reversed(game.events(view)):
            if event.what == "shuffle":
                break
            if (
                event.what.startswith("bomb")
                and event.seat == seat
                and not (draws == 0 and (view.placing or view.loser is not None))
            ):
                out[base], out[base + 1] = 1, 1 / (1 + draws)
                break
            draws += event.what.startswith(("draw", "bomb"))
    known, suspects = dict(view.known), set(view.suspects)
    if not suspects:
        unknown = size - len(known)
        bombs = [depth for depth, card in known.items() if card == 0]
        out[32] = (view.bombs - len(bombs)) / unknown if unknown else 0
        if bombs:
            out[69], out[70] = 1, min(bombs) / sum(deck)
        found = Counter(known.values())
        left = [
            inside[card]
            - view.hand[card]
            - view.holds[card]
            - view.played[0][card]
            - view.played[1][card]
            - found[card]
            for card in range(1, 8)
        ]
        out.update({33 + card: count / max(sum(left), 1) for card, count in enumerate(left)})
    places = [*((71 + 10 * depth, depth) for depth in range(6)), *((131 + 10 * i, size - 1 - i) for i in range(3))]
    for base, depth in places:
        if 0 <= depth < size:
            out[base + 1 + known.get(depth, -1)] = 1
            out[base + 9] = float(depth in suspects)
    return {index: value for index, value in out.items() if value and index >= 0}


@pytest.mark.parametrize(
    ("spec", "start"),
    [
        ("kittens", None),
        ("kittens:deck=rich", None),
        ("kittens:rules=original", None),
        ("kittens:deck=rich,place=any", None),
        ("kittens:deck=rich", "0: 6; 1: skip see see; turn: 1; owed: 2"),
        ("kittens:rules=original", "deck: safe see bomb safe skip attack bomb safe safe bottom; 1: 4"),
    ],
)
def test_the_tensor_is_as_documented(spec: str, start: str | None) -> None:
    game = kittens(spec)
    for seed in range(25):
        state = follow(game, seed, 4 + seed, start=start).state
        for seat in (0, 1):
            view = state.view(seat)
            tensor = {index: float(value) for index, value in enumerate(view.tensor()) if value}
            wanted = features(view)
            if view.suspects:  # these count a bomb whose place is open, which the reference does not
                for index in (*range(32, 40), 69, 70):
                    tensor.pop(index, None)
            assert tensor == pytest.approx(wanted)


def test_the_seed_observation() -> None:
    game = kittens("kittens:rules=original")
    state = game.deal(3)
    assert state.view(0).seed_observation == pytest.approx([1, 1, 4 / 30, 1, 1, 1, 1, 3 / 31, 0, 0, 0])
    play(state, "attack")
    assert state.view(1).seed_observation == pytest.approx([1, 1, 4 / 30, 1, 1, 1, 2, 2 / 31, 0, 1, 0])
    play(state, "skip")  # and draws a bomb
    assert state.view(1).placing and state.view(1).seed_observation[6] == 1
    play(state, "place bottom")
    assert state.view(0).last[1] == 1 and state.view(0).seed_observation[8:10] == [0, 0]  # a Defuse came after it
    assert state.turn == 0
    play(state, "draw, skip")
    assert state.view(0).seed_observation[8:10] == [0, 0] and state.view(0).last[1] == 0  # a Skip that it has no more
    while not (state.view(0).placing and state.turn == 0):
        state.apply(state.legal()[0])
    view = state.view(0)
    deck = view.deck_size
    assert view.seed_observation[:4] == pytest.approx([deck / 30, 3 / 4, 3 / deck, view.hand[1]])
    assert view.seed_observation[10] == 1 and state.view(1).seed_observation[10] == 0


def test_text_in_both_languages() -> None:
    state = kittens("kittens:deck=bomb1").deal(0)
    play(state, "draw, place top")
    game = state.game
    assert game.text(state.view(0)).splitlines() == [
        "deck: 1 card, 1 bomb; top card: 100% bomb",
        "known: top Bomb",
        "hand: Skip, Attack",
        "blue: 3 cards, has at least: Defuse, Skip, Attack",
        "red: last: draw, played: Defuse",
        "blue must draw 1 card",
    ]
    assert game.text(state.view(1), language="es").splitlines()[-1] == "Tienes que robar 1 carta."


def test_the_picture_marks_actions() -> None:
    game = kittens("kittens:deck=rich")
    view = game.deal(2).view(0)
    plain = game.svg(view)
    assert "Defuse" in plain and "Desactivar" in game.svg(view, language="es")
    for more in (game.svg(view, heat={0: 0.1, 1: 0.9}), game.svg(view, last=2), game.svg(view, line=[8, 0, 4])):
        assert len(more) > len(plain)


def test_a_drawn_bomb_is_shown_with_the_places_to_hide_it_only_to_the_seat_that_hides_it() -> None:
    for spec, places in (("kittens", [3, 4, 5]), ("kittens:place=any", [*range(9, 13)])):
        game = kittens(spec)
        state = game.deal_from("deck: bomb safe safe safe; 0: defuse; 1: skip", 1)
        assert "data-event" not in game.svg(state.view(0))
        play(state, "draw")
        mine, theirs = state.view(0), state.view(1)
        for narrow in (False, True):
            assert "Your Defuse saves you." in game.svg(mine, narrow=narrow)
            assert [area.action for area in game.click_areas(mine, narrow=narrow)] == places
            assert "You drew" not in game.svg(theirs, narrow=narrow)
            assert "data-event='bomb'" in game.svg(theirs, narrow=narrow)
        hidden = []
        for place in places:
            after = state.copy()
            after.apply(place)
            hidden.append((game.svg(after.view(1)), game.public_svg(after.view(0)), game.public_svg(after.view(1))))
        assert len(set(hidden)) == 1 and hidden[0][1] == hidden[0][2], "nobody else sees where it is"
        said = " ".join(re.findall("<text[^>]*>([^<]*)<", hidden[0][0]))
        assert "Red drew a bomb! Red used a Defuse and hid the bomb in the deck. You did not see where." in said


@pytest.mark.parametrize(
    ("moves", "seat", "said"),
    [
        ("see", 0, "The next cards are: Safe, Bomb, Skip."),
        ("see", 1, "Red looked at the top three cards. Red must draw 1 card."),
        ("skip", 1, "Red skipped a draw. You must draw 1 card"),
        ("attack", 1, "Red attacked you. You must draw 2 cards"),
        ("shuffle", 0, "You shuffled: the order of the deck is new. You must draw 1 card"),
        ("draw", 0, "You drew: Safe."),
        ("draw", 1, "Red drew a card."),
    ],
)
def test_one_sentence_says_what_a_card_did(moves: str, seat: int, said: str) -> None:
    game = kittens("kittens:deck=rich")
    state = game.deal_from("deck: safe bomb skip safe; 0: see skip attack shuffle; 1: skip", 1)
    play(state, moves)
    found = re.findall("<text[^>]*>([^<]*)<", game.svg(state.view(seat)))
    assert said in " ".join(found)
