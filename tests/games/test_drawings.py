"""Pictures of all games: what is dark on dark pages, and large enough on a phone."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.games.details import details_of
from ludoteca.games.display import marked_reasons, position_svg
from ludoteca.games.picture import Picture, Shade
from ludoteca.protocols import Decision, Drawable, Game, Limit, NarrowLayout, Reason, View

pytestmark = pytest.mark.no_sanitize

GAMES = ["hex:size=5", "horses:size=5", "dominoes", "dominoes:pips=9,hand=20", "kittens:place=any,deck=rich"]
REASONED = ["hex:size=5", "horses:size=5", "dominoes:pips=4", "kittens:deck=rich,place=any"]
"""Games that draw reasons."""
DARK = Path(ludoteca.__file__).parent / "web" / "static" / "boards.css"
PHONE = 366  # pixels for a board on a screen of 390


def views(game: Game, seeds: int = 3) -> Iterator[View]:
    """What both seats see, at every turn of some matches."""
    for seed in range(seeds):
        state, step = game.deal(seed), 0
        while state.turn is not None:
            yield state.view(state.turn)
            yield state.view(1 - state.turn)
            legal = state.legal()
            state.apply(legal[(7 * step + seed) % len(legal)])
            step += 1
        yield state.view(0)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def dark() -> dict[str, str]:
    """By class: the colour that dark pages give it."""
    found = re.findall(r"\.body--dark \.([fs]-[a-z0-9]+) { (?:fill|stroke): (#[0-9a-f]{6}); }", DARK.read_text())
    return dict(found)


def test_a_shade_is_a_colour_and_a_class() -> None:
    picture = Picture(10, 10)
    picture.add("rect", fill=Shade("ink", "#000000"), stroke=Shade("cell", "#ffffff"))
    assert "fill='#000000' stroke='#ffffff' class='f-ink s-cell'" in picture.svg()


@pytest.mark.parametrize("spec", GAMES)
def test_dark_pages_have_a_colour_for_every_part(spec: str) -> None:
    game, colours = ludoteca.game(spec), dark()
    assert isinstance(game, Drawable)
    used = set()
    for view in views(game, 1):
        for element in ElementTree.fromstring(game.svg(view, heat=dict.fromkeys(view.legal(), 1.0))).iter():
            used |= set((element.get("class") or "").split())
    assert used and used <= set(colours)


def test_what_is_written_can_be_read_in_both_lights() -> None:
    night = dark()
    light = {"paper": "#f7f3ea", "cell": "#fffdf8", "ink": "#2f2a26", "seat0": "#bf3b37", "seat1": "#2b68a6"}
    for ground in ("paper", "cell"):
        for ink in ("ink", "seat0", "seat1"):
            assert contrast(light[ink], light[ground]) >= 4.5, (ink, ground)
            assert contrast(night[f"f-{ink}"], night[f"f-{ground}"]) >= 4.5, (ink, ground)
    for card in range(8):
        assert contrast(night[f"f-card{card}"], night["f-cell"]) >= 4.5
        assert contrast(night["f-on"], night[f"f-card{card}"]) >= 4.5


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("spec", ["dominoes", "dominoes:pips=9,hand=20", "kittens", "kittens:place=any,deck=rich"])
def test_a_narrow_table_is_large_enough_for_a_phone(spec: str, language: str) -> None:
    game = ludoteca.game(spec)
    assert isinstance(game, NarrowLayout)
    for view in views(game, 1):
        drawn = ElementTree.fromstring(game.svg(view, narrow=True, language=language))
        _, _, width, height = map(float, (drawn.get("viewBox") or "").split())
        scale = PHONE / width
        for text in (each for each in drawn.iter() if each.tag.endswith("text")):
            size, wide = float(text.get("font-size", 0)), 0.62 * len(text.text or "")
            assert size * scale >= 12
            x, anchor = float(text.get("x", 0)), text.get("text-anchor")
            left = x - size * wide * {"start": 0, "middle": 0.5, "end": 1}[anchor or "start"]
            assert left >= -1 and left + size * wide <= width + 12, text.text
            assert float(text.get("y", 0)) < height
        for _, outline in game.click_areas(view, narrow=True):
            box = re.fullmatch(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z", outline)
            assert box, outline
            x, y, across, down = map(float, box.groups())
            assert across * scale >= 40 and down * scale >= 40
            assert x >= 0 and y >= 0 and x + across <= width and y + down <= height


@pytest.mark.parametrize("spec", ["dominoes:pips=9,hand=20", "kittens:place=any,deck=rich"])
def test_what_a_narrow_table_offers_is_what_a_wide_one_offers(spec: str) -> None:
    game = ludoteca.game(spec)
    assert isinstance(game, NarrowLayout)
    for view in views(game, 1):
        assert {spot.action for spot in game.click_areas(view, narrow=True)} == {
            spot.action for spot in game.click_areas(view)
        }


@pytest.mark.parametrize("spec", ["dominoes", "kittens", "kittens:place=any"])
@pytest.mark.parametrize("narrow", [False, True])
def test_a_picture_keeps_its_height_so_that_nothing_below_it_moves(spec: str, narrow: bool) -> None:
    game = ludoteca.game(spec)
    assert isinstance(game, NarrowLayout)
    drawn = [game.svg(view, narrow=narrow).partition("viewBox='")[2].partition("'")[0] for view in views(game, 2)]
    assert len(set(drawn)) == 1


# Reasons


def marked(svg: str) -> set[int]:
    """The actions whose places have a mark."""
    return {int(place) for each in ElementTree.fromstring(svg).iter() if (place := each.get("data-place"))}


@pytest.mark.parametrize("spec", REASONED)
def test_every_place_of_a_reason_that_the_picture_shows_has_a_mark_and_no_other_place(spec: str) -> None:
    game, chance = ludoteca.game(spec), random.Random(1)
    for view in views(game, 1):
        if not (legal := view.legal()):
            continue
        shown = places_shown(view)
        for _ in range(3):
            reasons = [
                Reason("because", chance.sample(range(game.num_actions), chance.randrange(min(8, game.num_actions))))
                for _ in range(3)
            ]
            decision = Decision(chance.choice(legal), reasons=reasons, value=1.0, proven=chance.random() < 0.5)
            wanted = {place for reason in reasons for place in reason.places}
            for narrow in (False, True):
                marks = marked_reasons(view, decision, narrow=narrow)
                assert marked(f"<svg>{marks}</svg>") == wanted & shown


def places_shown(view: View) -> set[int]:
    """The actions whose place the picture of this view shows."""
    match view:
        case _core.HexView():
            return set(range(len(view.stones)))
        case _core.HorsesView():
            return set(range(len(view.values)))
        case _core.DominoesView():
            last = view.game.num_actions - 1  # a pass has no place
            return set(range(last if view.boneyard else last - 1))
        case _core.KittensView():
            return {area.action for area in view.game.click_areas(view)}
    raise AssertionError(view)


@pytest.mark.parametrize("spec", REASONED)
def test_a_picture_with_reasons_knows_no_more_than_the_view(spec: str) -> None:
    game = ludoteca.game(spec)
    for view in views(game, 1):
        if not (legal := view.legal()):
            continue
        decision = Decision(legal[0], reasons=[Reason("because", range(game.num_actions))])
        drawn = [position_svg([each], reasons_of=decision) for each in (view, view.sample(3).view(view.seat))]
        assert drawn[0] == drawn[1]


def test_with_hidden_hands_only_the_seat_that_decides_sees_its_reasons() -> None:
    for spec in REASONED:
        game = ludoteca.game(spec)
        state = game.deal(1)
        assert state.turn is not None
        decision = Decision(state.legal()[0], reasons=[Reason("because", range(game.num_actions))])
        other = marked_reasons(state.view(1 - state.turn), decision)
        assert bool(other) != details_of(game).hidden_information
        assert marked_reasons(state.view(state.turn), decision)


def test_a_notebook_draws_the_reasons_of_an_engine() -> None:
    game = ludoteca.game("hex:size=4")
    state = game.deal(0)
    for name in ("b2", "c3", "b3"):
        state.apply(game.parse_action(name))
    view = state.view(1)
    decision = ludoteca.agent("engine")(game, 1, 0).act(view, Limit(nodes=50))
    assert isinstance(decision, Decision) and any(reason.places for reason in decision.reasons)
    wanted = {place for reason in decision.reasons for place in reason.places}
    figure = ludoteca.explain(view, decision)._repr_html_()
    assert marked(figure.removeprefix("<figure>").partition("<figcaption>")[0]) == wanted
