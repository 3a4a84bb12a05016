"""A match followed from one seat: the views are those of the true match, and what cannot have happened is refused."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from ludoteca.errors import ImpossibleEvent, InvalidAction, InvalidFile, InvalidPosition
from ludoteca.games import game as game_of
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.dominoes.observed import DominoesObserver
from ludoteca.games.dominoes.tiles import chain, numbers
from ludoteca.games.observed import observer_of
from ludoteca.messages import translate
from ludoteca.play.observed import ObservedMatch
from ludoteca.players.build_check import check_build
from ludoteca.players.player import Player
from ludoteca.players.pool import Pool
from ludoteca.protocols import Limit, State
from tests.play.observing import story_of

GAMES = [
    "dominoes", "dominoes:variant=block", "dominoes:pips=9", "dominoes:pips=4,variant=block",
    "dominoes:start=seat,blocked=draw", "dominoes:pips=3,scoring=points", "kittens",
    "kittens:deck=rich,stack=true,place=any", "kittens:rules=original",
    "kittens:rules=original,deck=bomb3+bottom6+shuffle3+see3+defuse5+safe2", "hex:size=4,swap=true", "horses:size=5",
]  # fmt: skip


@pytest.mark.parametrize("spec", GAMES)
def test_an_observer_sees_what_the_seat_of_the_true_match_sees(spec: str) -> None:
    for seed in range(8):
        for seat in (0, 1):
            story = story_of(game_of(spec), seat, seed, random.Random(seed))
            match = ObservedMatch(game_of(spec), seat, story.start)
            for event, view in zip(story.events, story.views, strict=True):
                wasted = "original" in spec  # there a card that is not held can be played, as a plain draw
                assert wasted or any(f"{event} ".startswith(f"{choice.text} ") for choice in match.choices())
                match.add(event)
                assert view is None or match.view == view
            assert match.view.turn is None and not match.choices()
            assert [bytes(view) for view in match.seen] == [bytes(view) for view in story.seen]
            again = ObservedMatch.from_json(json.loads(json.dumps(match.to_json())))
            assert again.view == match.view and again.events == match.events


@pytest.mark.parametrize("spec", ["dominoes", "dominoes:variant=block", "dominoes:pips=4"])
def test_a_match_that_has_begun_is_followed_from_its_position(spec: str) -> None:
    game = expect(game_of(spec), Dominoes)
    for seed in range(12):
        rng, state, seat = random.Random(seed), game.deal(seed), seed % 2
        for _ in range(1 + seed // 2):
            if state.turn is not None:
                state.apply(rng.choice(state.legal()))
        if state.turn is None:
            continue
        views = [state.view(each) for each in (0, 1)]
        line = [(each.left, each.right) for each in chain(views[0].line)]
        hands = tuple([numbers(tile) for tile in view.hand] for view in views)
        truth = game.deal_from(game.start(line=line, hands=(hands[0], hands[1]), turn=state.turn), seed)
        match = ObservedMatch(game, seat, DominoesObserver(game).begun_start(state.view(seat)))
        assert match.view == truth.view(seat)
        belief = match.belief()
        assert belief is not None and "happened before" in belief.assumption
        assert sum(each.expected for each in belief.holdings) == pytest.approx(belief.count)
        story = story_of(game, seat, seed, rng, begun=truth)
        for event, view in zip(story.events, story.views, strict=True):
            match.add(event)
            assert view is None or match.view == view
        assert match.view.turn is None


def test_only_what_the_tiles_do_not_decide_is_asked() -> None:
    def asked(spec: str, hand: str) -> list[str]:
        observer = observer_of(game_of(spec))
        assert observer is not None
        return [each.key for each in observer.start_form(0, {"hand": hand.split()})]

    assert asked("dominoes", "") == asked("dominoes", "5-5 5-4 3-1 2-2 6-1 4-0 5-0") == ["hand", "begins"]
    assert asked("dominoes", "6-6 5-4 3-1 2-2 6-1 4-0 5-0") == ["hand"]
    assert asked("dominoes", "6-6 6-6") == ["hand"]  # which is wrong, and has to be said first
    few = "dominoes:pips=3,hand=5"  # all tiles are dealt
    assert asked(few, "2-2 1-1 0-0 3-2 3-1") == ["hand"]
    assert ObservedMatch(game_of(few), 0, "hand: 2-2 1-1 0-0 3-2 3-1").view.turn == 1


HAND = "hand: 6-5 5-4 3-1 2-2 6-1 4-0 5-0"


def following(*events: str, spec: str = "dominoes", hand: str = HAND, begins: str = "other") -> ObservedMatch:
    return ObservedMatch(game_of(spec), 0, f"{hand}; begins: {begins}", events)


DOMINOES_LIES = [
    ("draw", "6-6", "6-6", "6-6 lies on the table already"),
    ("draw", "", "6-5", "6-5 is in your hand, and it is the other player's turn"),
    ("draw", "", "1-1", "the best tile begins, and your 2-2 ranks above 1-1"),
    ("draw", "", "draw", "no tile lies on the table yet"),
    ("draw", "6-6", "6-3", "6-3 is not in your hand, and it is your turn"),
    ("draw", "6-6", "5-4", "5-4 does not fit: the ends are 6"),
    ("draw", "6-6,6-5", "6-3@left", "6-3 does not fit there: that end is 5"),
    ("draw", "6-6", "draw 3-3", "it is your turn, and your 6-1 fits: lay a tile"),
    ("draw", "6-6", "pass", "it is your turn, and your 6-1 fits: lay a tile"),
    ("draw", "6-6,6-1", "pass", "nobody passes while the boneyard has tiles (14)"),
    ("draw", "6-6,6-1", "draw 3-3", "you do not see what it draws"),
    ("draw", "6-6,6-1,draw,6-3,3-1@right,draw,1-1,draw 3-2,draw 4-4", "draw 6-6", "6-6 lies on the table already"),
    # The other drew while 6 and 1 were open and laid what it drew: it kept no 6 and no 1.
    ("draw", "6-6,6-1,draw,1-0,4-0", "6-4@right", "the other player has no 6: it had to draw or pass at event 3"),
    ("draw", "5-5,6-5", "6-6", "a player who was dealt 6-6 would have begun with it"),
    ("draw", "6-6,6-1", "shows 3-3", "the other player holds 6 tiles, not 1"),
    ("draw", "6-6,6-1", "shows 3-3 3-2 3-0 4-3 4-2 4-4", "the round is not blocked"),
    ("block", "6-6,6-1", "draw", "nobody draws in this game"),
    ("block", "6-6,6-1,pass,3-1", "6-4", "the other player has no 6"),
    ("block", "5-5,6-5", "6-6", "a player who was dealt 6-6 would have begun with it"),
]  # fmt: skip


KITTENS_LIES = [
    ("", "see safe safe safe", "it is your turn, and you have no See"),
    ("", "place top", "no bomb was drawn"),
    ("draw bomb", "draw safe", "first say where it goes"),
    ("draw bomb,place top", "draw", "this card is certainly a bomb"),
    ("draw safe", "place top", "you do not see where the other player hides a bomb"),
    ("draw safe", "draw explodes", "the other player has a Defuse, which saves it"),
    ("draw safe,draw bomb,draw safe", "draw bomb", "the other player cannot have a Defuse"),
    ("draw safe,skip,draw safe", "skip", "it cannot have a Skip"),
    ("draw see,draw,see safe skip bomb,draw safe", "draw bomb", "this card is certainly no bomb"),
    ("draw see,draw,see safe skip bomb,draw safe,draw", "draw safe", "you know that this card is Bomb"),
    ("draw see,draw,see safe skip bomb", "draw bomb", "you know that this card is Safe"),
    ("draw defuse,draw,draw defuse,draw", "draw defuse", "the game has 4 Defuse, and you know where all of them are"),
    ("draw bomb,place bottom,draw,draw bomb", "draw", "the match is over"),
]


def test_what_cannot_have_happened_in_kittens_is_refused_with_the_reason() -> None:
    for events, event, reason in KITTENS_LIES:
        match = ObservedMatch(game_of("kittens"), 0, "", filter(None, events.split(",")))
        with pytest.raises(ImpossibleEvent) as refused:
            match.add(event)
        assert reason in str(refused.value), (events, event)
        assert translate(refused.value.message, "es") != str(refused.value)
    match = ObservedMatch(game_of("kittens"), 0)
    for wrong, reason in (("draw", "which card did you draw"), ("drow", "no event"), ("draw 6-6", "only Bomb")):
        with pytest.raises(InvalidAction, match=reason):
            match.add(wrong)
    match.add("robar segura", "es")
    assert match.events == ("draw safe",)


@pytest.mark.parametrize(("variant", "events", "event", "reason"), DOMINOES_LIES)
def test_what_cannot_have_happened_is_refused_with_the_reason(
    variant: str, events: str, event: str, reason: str
) -> None:
    match = following(*filter(None, events.split(",")), spec=f"dominoes:variant={variant}")
    before = match.view, match.events
    with pytest.raises(ImpossibleEvent) as refused:
        match.add(event)
    assert reason in str(refused.value)
    assert translate(refused.value.message, "es") != str(refused.value)
    assert (match.view, match.events) == before
    assert event not in {choice.text for choice in match.choices()}


def test_the_best_tile_begins() -> None:
    with pytest.raises(ImpossibleEvent, match="you begin with 2-2"):
        following(begins="me").add("6-5")


def test_the_boneyard_can_be_empty_and_a_round_blocked() -> None:
    game = game_of("dominoes:pips=3,hand=4")
    match = ObservedMatch(game, 0, "hand: 3-3 3-2 3-0 0-0; begins: me", ["3-3", "draw", "draw"])
    with pytest.raises(ImpossibleEvent, match="the boneyard is empty"):
        match.add("draw")
    assert [choice.text for choice in match.choices()] == ["3-1@left"]
    assert {each.chance for each in match.belief().holdings} == {1.0}  # type: ignore[union-attr]
    with pytest.raises(ImpossibleEvent, match="one of the other player's tiles must fit 3"):
        match.add("pass")


def test_every_choice_can_have_happened_and_nothing_else_can() -> None:
    for spec in ("dominoes:pips=4", "dominoes:pips=4,variant=block", "hex:size=3"):
        game = game_of(spec)
        story = story_of(game, 1, 5, random.Random(5))
        match = ObservedMatch(game, 1, story.start)
        for event in story.events:
            offered = {choice.text for choice in match.choices() if not choice.details}
            for action in range(game.num_actions):
                name = str(game.action_name(action))
                try:
                    taken = match.observer.after(match.view, name).text == name
                except (ImpossibleEvent, InvalidAction):
                    taken = False
                assert taken == (name in offered)
            match.add(event)


def test_a_chance_is_the_share_of_the_deals() -> None:
    """Against every deal of a small set, replayed with the actions that were seen."""
    game = game_of("dominoes:pips=3,hand=2")
    for seed in range(12):
        story = story_of(game, 0, seed, random.Random(seed))
        match = ObservedMatch(game, 0, story.start, story.events[: 2 + len(story.events) // 2])
        belief = match.belief()
        if match.view.turn is None or belief is None:
            continue
        held: Counter[int] = Counter()
        worlds = [match.view.sample(each).view(1).hand for each in range(400)]  # type: ignore[attr-defined]
        held.update(tile for hand in worlds for tile in hand)
        assert {each.item for each in belief.holdings if each.chance > 0} >= set(held)
        for each in belief.holdings:
            assert each.chance == pytest.approx(held[each.item] / len(worlds), abs=0.12)
        assert sum(each.chance for each in belief.holdings) == pytest.approx(belief.count)


@pytest.mark.parametrize(
    ("spec", "agent"),
    [("dominoes", "engine"), ("dominoes:variant=block", "cases"), ("kittens", "engine"), ("kittens", "v2")],
)
def test_the_advice_is_what_the_agent_in_that_seat_of_the_true_match_does(spec: str, agent: str) -> None:
    game, limit, seed = game_of(spec), Limit(nodes=60), 7
    with Pool() as pool:
        identity = check_build(pool, game, agent)
        for seat in (0, 1):
            done: list[int] = []
            with pool.seated(game, identity, seat, seed, ()) as player:

                def choose(state: State, seat: int = seat, player: Player = player, done: list[int] = done) -> int:
                    if state.turn != seat:
                        return random.Random(len(done)).choice(state.legal())
                    done.append(player.decide(state.view(seat), limit, 60.0).action)
                    return done[-1]

                story = story_of(game, seat, 3 + seat, random.Random(0), choose)
            match = ObservedMatch(game, seat, story.start)
            advised = []
            for event in story.events:
                if match.view.turn == seat and not event.startswith("shows"):
                    with pool.seated(match.view.game, identity, seat, seed, match.seen) as player:
                        advised.append(player.decide(match.view, limit, 60.0).action)
                match.add(event)
            assert advised == done and len(done) >= 3


def test_a_mistake_is_corrected_and_what_no_longer_fits_is_named() -> None:
    match = following("6-6", "6-1", "draw", "1-0", "4-0", "4-2")
    changed, unfit = match.changed(3, "1-1")
    assert changed.events == ("6-6@left", "6-1@left", "draw", "1-1@left")
    assert unfit is not None and (unfit.number, unfit.text, unfit.behind) == (4, "4-0@left", ("4-2@left",))
    assert "4-0 does not fit" in unfit.reason
    fine, unfit = match.changed(5, "4-4")
    assert unfit is None and fine.events[5] == "4-4@left" and match.events[5] == "4-2@left"
    more, unfit = match.inserted(3, "draw")
    assert unfit is None and len(more.events) == 7
    less, unfit = more.without(2)
    assert unfit is None and less.view == match.view
    with pytest.raises(ImpossibleEvent):
        match.changed(0, "6-5")
    with pytest.raises(InvalidAction, match="no event 9"):
        match.changed(8, "draw")
    assert match.undo() == "4-2@left" and len(match.events) == 5
    assert following().undo() == ""


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        ("", "your hand has 0 tiles"),
        ("hand: 6-6 6-6 3-1 2-2 6-1 4-0 5-0", "6-6 is there twice"),
        ("hand: 7-6 6-6 3-1 2-2 6-1 4-0 5-0", "is no tile"),
        (HAND, "who begins?"),
        (f"{HAND}; begins: 7", "must be me or other"),
        ("hand: 6-6 5-4 3-1 2-2 6-1 4-0 5-0; begins: other", "no tile ranks above your 6-6"),
        ("cards: 6-6", "is no part of a start"),
    ],
)
def test_a_start_that_cannot_be_is_refused(start: str, reason: str) -> None:
    with pytest.raises(InvalidPosition, match=reason.replace("?", r"\?")):
        ObservedMatch(game_of("dominoes"), 0, start)


def test_other_starts_and_files_are_refused() -> None:
    with pytest.raises(InvalidPosition, match="seat 0 begins"):
        ObservedMatch(game_of("dominoes:start=seat"), 1, f"{HAND}; begins: me")
    with pytest.raises(InvalidPosition, match="where are the knights"):
        ObservedMatch(game_of("horses"), 0)
    with pytest.raises(InvalidPosition, match="neither a knight"):
        ObservedMatch(game_of("horses"), 0, "layout: x")
    with pytest.raises(InvalidPosition, match="needs no start"):
        ObservedMatch(game_of("hex"), 0, "hand: 6-6")
    for fields in ({}, {"game": "hex", "seat": 2, "start": "", "events": []}, {"game": "hex", "seat": 0, "start": "",
                                                                               "events": [1]}):  # fmt: skip
        with pytest.raises(InvalidFile):
            ObservedMatch.from_json(fields)


def test_words_are_read_in_the_language_of_the_person() -> None:
    match = following()
    for text in ("6 6", "6-1 izq", "robar", "1-0"):
        match.add(text, "es")
    assert match.events == ("6-6@left", "6-1@left", "draw", "1-0@left")
    with pytest.raises(InvalidAction, match="no event"):
        match.add("hello")
