"""`check_game`: checks that a game keeps the promises of the protocols. For the tests of any game.

>>> import ludoteca
>>> from ludoteca.testing import check_game
>>> check_game(ludoteca.game("hex:size=4"), matches=2)
"""

from __future__ import annotations

import math
import random
import zlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from statistics import NormalDist

import numpy as np

from ludoteca.catalogues import Language, languages
from ludoteca.errors import IllegalAction, InvalidAction, InvalidOption
from ludoteca.games.deals import Deals, every_deal
from ludoteca.games.details import details_of
from ludoteca.protocols import Action, Clickable, Drawable, Game, Seat, State, View

TRIED = 12
"""Actions in a position of which the public names are compared."""
SAMPLES = 3
"""Worlds that are sampled in each position of a match."""
PUBLIC = 4
"""In one of so many positions the pictures for spectators are compared, which take time."""
DEALS = 300
"""Deals that are compared with sampled worlds, and with the deals that a game lists."""
DEPTH = 6
"""Actions after which sampled worlds are compared, at most."""
PLACES, DRAWN, BINS = 8, 100, 8
"""Positions, worlds in each and bins for them, by which a game that lists its deals is compared with them."""
FALSE_ALARM = 1e-7
"""The probability that one comparison calls a right sampler wrong."""


def check_game(
    game: Game,
    *,
    matches: int = 10,
    seed: int = 0,
    max_actions: int = 10_000,
    knows_all: Collection[Seat] = (),
) -> None:
    """Plays random matches and checks each promise of the protocols at every step.

    Where something is hidden, sampled worlds differ from the true one and have the right probabilities. In all of them
    the seat sees, reads and may do the same, and its view holds the same. knows_all: seats from which these options
    hide nothing, as when all cards are dealt and each seat can name the other's. Raises AssertionError with the game,
    the seed and the actions of the match that broke a promise.
    """
    check_names(game)
    varied: set[Seat] = set()
    sums: set[float] = set()
    for number in range(seed, seed + matches):
        played: list[Action] = []
        try:
            seats, total = check_match(game, number, played, max_actions)
        except AssertionError as error:
            names = " ".join(game.action_name(action) for action in played)
            raise AssertionError(f"{game.spec}, seed {number}, after [{names}]: {error}") from error
        varied |= seats
        sums.add(abs(round(total, 9)))
    check_sums(game, sums)
    if not details_of(game).hidden_information:
        assert not varied, f"{game.spec}: sampled worlds differ although the game says hidden_information = False"
        return
    for seat in {0, 1} - varied - set(knows_all):
        raise AssertionError(
            f"{game.spec}: every sampled world is the true one for seat {seat}. Either its view holds what is hidden, "
            "or nothing is hidden from it: then the game should say hidden_information = False, or this call "
            f"knows_all=[{seat}]"
        )
    check_samples(game, seed)
    check_deals(game, seed)


def check_sums(game: Game, sums: Collection[float]) -> None:
    """A game says truly whether its returns add up to 0. sums: those of some matches."""
    zero_sum, always = details_of(game).zero_sum, set(sums) == {0.0}
    assert always or not zero_sum, f"{game.spec} says zero_sum = True, but the returns of a match add up to {max(sums)}"
    assert zero_sum is not None or not always, (
        f"{game.spec}: the returns add up to 0 in every match: the game must say zero_sum = True, or False if another "
        "match would differ"
    )


def random_actions(game: Game, seed: int) -> list[Action]:
    """The actions of one random match dealt from `seed`; the same ones every time."""
    state, chance = game.deal(seed), random.Random(seed)
    played = []
    while state.turn is not None:
        played.append(chance.choice(state.legal()))
        state.apply(played[-1])
    return played


def check_names(game: Game) -> None:
    """Every action has its own name, and `parse_action` reads it back."""
    assert game.seats == 2, f"{game.spec}: {game.seats} seats"
    names = [game.action_name(action) for action in range(game.num_actions)]
    assert len(set(names)) == len(names), f"{game.spec}: two actions share a name"
    for action, name in enumerate(names):
        for text in (name, name.upper(), f" {name} "):
            assert game.parse_action(text) == action, f"{game.spec}: {text!r} is not action {action}"
    for text in ("", "no such action", "\u2603"):
        try:
            found = game.parse_action(text)
        except InvalidAction:
            continue
        raise AssertionError(f"{game.spec}: {text!r} was read as action {found}")


def check_match(game: Game, seed: int, played: list[Action], max_actions: int) -> tuple[set[Seat], float]:
    """One random match dealt from `seed`; its actions are appended to `played`.

    Returns the seats for which a sampled world differed from the true one, and the sum of the returns.
    """
    chance, varied = random.Random(seed), set[Seat]()
    state, twin = game.deal(seed), game.deal(seed)
    while state.turn is not None:
        assert len(played) < max_actions, f"not over after {max_actions} actions"
        varied |= check_state(game, state, chance)
        check_refusals(game, state)
        check_public_names(game, state)
        check_equal(state, twin)
        action = chance.choice(state.legal())
        before = bytes(state.view(0))
        branch = state.copy()
        branch.apply(action)
        assert bytes(state.view(0)) == before, "applying to a copy changed the original"
        state.apply(action)
        twin.apply(action)
        check_equal(state, branch)
        played.append(action)
    check_state(game, state, chance)
    check_equal(state, twin)
    return varied, sum(state.returns())


def check_equal(state: State, twin: State) -> None:
    """Two states that must be equal look the same from both seats."""
    assert state.turn == twin.turn, "the same deal and actions gave another turn"
    assert state.legal() == twin.legal(), "the same deal and actions gave other legal actions"
    assert state.returns() == twin.returns(), "the same deal and actions gave other returns"
    for seat in (0, 1):
        view, other = state.view(seat), twin.view(seat)
        assert view == other, "the same deal and actions gave another view"
        assert hash(view) == hash(other), "equal views have different hashes"
        assert bytes(view) == bytes(other), "equal views have different bytes"


def check_state(game: Game, state: State, chance: random.Random) -> set[Seat]:
    """The promises about one position. Returns the seats for which a sampled world differed from the true one."""
    legal = state.legal()
    assert legal == sorted(set(legal)), f"legal actions are not ascending: {legal}"
    assert all(0 <= action < game.num_actions for action in legal), f"legal actions out of range: {legal}"
    assert (state.turn is None) == (not legal), "legal actions must be empty exactly when the match is over"
    returns = state.returns()
    assert len(returns) == 2 and all(-1 <= value <= 1 for value in returns), f"returns {returns}"
    if details_of(game).stake is None:
        assert set(returns) <= {-1, 0, 1}, (
            f"returns {returns} are more than win, draw and loss: the game must say its stake"
        )
    if state.turn is not None:
        assert returns == (0, 0), f"returns {returns} before the end"
    return {seat for seat in (0, 1) if check_view(game, state, seat, chance)}


def check_view(game: Game, state: State, seat: Seat, chance: random.Random) -> bool:
    """The promises about one seat's view: it fits the state and reveals nothing hidden.

    Returns whether a sampled world differed from the true one.
    """
    view = state.view(seat)
    assert (view.seat, view.turn) == (seat, state.turn), "the view has another seat or turn"
    assert view.legal() == (state.legal() if state.turn == seat else []), "the view has other legal actions"
    tensor = view.tensor()
    assert tensor.shape == game.tensor_shape and tensor.dtype == np.float32, f"tensor {tensor.shape}"
    assert np.isfinite(tensor).all(), "the tensor has infinities or NaN"
    language = chance.choice(languages())  # over a match all of them are tried
    truly = _shown(game, view, language)
    assert truly["text board"], f"the text board is empty in the language {language!r}"
    assert str(truly.get("picture", "<svg")).startswith("<svg"), "the picture is no SVG"
    varied, others = False, state.view(1 - seat)
    for _ in range(SAMPLES):
        world = view.sample(chance.getrandbits(63))
        seen = world.view(seat)
        assert seen == view and bytes(seen) == bytes(view), f"seat {seat} sees something else in a sampled world"
        assert seen.legal() == view.legal(), "the legal actions depend on what is hidden"
        assert np.array_equal(seen.tensor(), tensor), "the tensor depends on what is hidden"
        if not varied and _differ(game, world, state, 1 - seat):  # once is enough: texts and pictures take time
            varied = True
            for what, shown in _shown(game, seen, language).items():
                assert shown == truly[what], f"the {what} depends on what is hidden"
            if state.turn is not None and not chance.randrange(PUBLIC):
                public = details_of(game).public_svg(world.view(1 - seat)) == details_of(game).public_svg(others)
                assert public, "the picture for spectators depends on what is hidden"
            assert _contents(seen) == _contents(view), (
                "the view holds something that depends on what is hidden, and an agent could read it"
            )
        if world.turn is not None:
            world.apply(chance.choice(world.legal()))  # a sampled world can be played
    return varied


def _differ(game: Game, world: State, state: State, other: Seat) -> bool:
    """Whether two states that one seat cannot tell apart differ in what the other sees, or in chance to come."""
    if world.view(other) != state.view(other):
        return True
    return details_of(game).hidden_information and _future(world) != _future(state)


def _shown(game: Game, view: View, language: Language) -> dict[str, object]:
    """All that people are shown of a view, by what it is."""
    shown: dict[str, object] = {"text board": game.text(view, language=language)}
    if isinstance(game, Drawable):
        shown["picture"] = game.svg(view, language=language)
    if isinstance(game, Clickable):
        areas = game.click_areas(view)
        shown["list of click areas"] = areas
        shown["name of a click area"] = [game.area_name(view, area.action) for area in areas]
    shown["text of the hand"] = details_of(game).hand_text(view)
    if view.turn == view.seat:
        shown["task"] = details_of(game).task(view)
    return shown


def _contents(value: object) -> object:
    """What an object holds, in plain values: what its pickle would hold, in which views of games in Python travel."""
    if value is None or isinstance(value, (bool, int, float, str, bytes)) or callable(value):
        return value
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {repr(_contents(key)): _contents(each) for key, each in value.items()}
    if isinstance(value, (set, frozenset)):
        return {repr(_contents(each)) for each in value}
    if isinstance(value, (list, tuple)):
        return [_contents(each) for each in value]
    if hasattr(value, "num_actions") and hasattr(value, "spec"):
        return value.spec  # a game
    return [_contents(each) for each in value.__reduce_ex__(2)[1:]]


def check_public_names(game: Game, state: State) -> None:
    """Two actions that look alike to the other seat have one public name."""
    assert state.turn is not None
    names: dict[bytes, str] = {}
    details, view = details_of(game), state.view(state.turn)
    for action in state.legal()[:TRIED]:
        if details.may_waste_actions and details.is_wasted(view, action):
            continue  # it does something else than its name says
        after = state.copy()
        after.apply(action)
        name = game.public_name(action)
        known = names.setdefault(bytes(after.view(1 - state.turn)), name)
        assert name == known, f"the other seat cannot tell {known!r} from {name!r}, but their public names do"


def check_samples(game: Game, seed: int) -> None:
    """Sampled worlds are as likely as chance makes them: on average the other seat sees the same in both.

    Compares each number of the other seat's tensor over many deals, at the start and after a few random actions. There
    a match counts once for each way to choose its actions, so that how many were legal makes no difference.
    """
    chance = random.Random(seed)  # a sampler may use the same generator as the deal: no seed may be that of a deal
    for deepest, seat in ((0, 0), (0, 1), (DEPTH, 0), (DEPTH, 1)):
        apart = []
        for number in range(seed, seed + DEALS):
            state, weight = game.deal(number), 1.0
            for _ in range(chance.randint(0, deepest)):
                if state.turn is not None:
                    weight *= len(state.legal())
                    state.apply(chance.choice(state.legal()))
            world = state.view(seat).sample(chance.getrandbits(63))
            seen, truly = world.view(1 - seat).tensor().ravel(), state.view(1 - seat).tensor().ravel()
            apart.append(weight * (seen - truly))
        difference = np.array(apart, dtype=np.float64)
        error = difference.std(axis=0) / np.sqrt(DEALS)
        surprise = np.abs(difference.mean(axis=0)) / np.where(error > 0, error, 1.0)
        worst = int(surprise.argmax())
        assert surprise[worst] < _most_errors(len(surprise)), (
            f"{game.spec}: sampled worlds are not as likely as deals: number {worst} of the tensor of seat {1 - seat} "
            f"differs by {surprise[worst]:.1f} standard errors, at most {deepest} actions after the deal"
        )


def _most_errors(comparisons: int) -> float:
    """Standard errors by which the largest of so many comparisons may differ."""
    return NormalDist().inv_cdf(1 - FALSE_ALARM / comparisons)


def check_deals(game: Game, seed: int) -> None:
    """The deals that a game lists are those that it deals, and sampled worlds have the probabilities that follow.

    Nothing is checked in a game that does not list its deals.
    """
    try:
        listed = every_deal(game)
    except InvalidOption:
        return
    dealt = Counter(_future(game.deal(number)) for number in range(seed, seed + DEALS))
    check_frequencies(f"{game.spec}: deals() and deal(seed)", [(_distribution(listed), dealt)])
    chance = random.Random(seed)
    sampled = []
    for number in range(seed, seed + PLACES):
        state = game.deal(number)
        played: list[Action] = []
        for _ in range(chance.randint(0, DEPTH)):
            if state.turn is not None:
                played.append(chance.choice(state.legal()))
                state.apply(played[-1])
        if any(game.public_name(action) != game.action_name(action) for action in played):
            continue  # worlds with other actions would be possible too
        after = [(world, share) for deal, share in listed if (world := _replayed(deal, played)) is not None]
        for seat in (0, 1):
            view = state.view(seat)
            worlds = [(world, share) for world, share in after if world.view(seat) == view]
            drawn = Counter(_future(view.sample(chance.getrandbits(63))) for _ in range(DRAWN))
            sampled.append((_distribution(worlds), drawn))
    check_frequencies(f"{game.spec}: deals() and sample(seed)", sampled)


def check_frequencies(what: str, compared: Sequence[tuple[Mapping[bytes, float], Mapping[bytes, int]]]) -> None:
    """Pearson's test of all comparisons together: each has the probabilities of worlds, and how often they came.

    Worlds are put together in a few bins, because the test needs numbers that are not small.
    """
    squares, freedom = 0.0, 0
    for expected, found in compared:
        assert set(found) <= set(expected), f"{what} differ: a world of the one is impossible for the other"
        shares, counts = [0.0] * BINS, [0] * BINS
        for place, (world, share) in enumerate(sorted(expected.items())):
            shares[place % BINS] += share
            counts[place % BINS] += found.get(world, 0)
        drawn = sum(counts)
        pairs = [(share, count) for share, count in zip(shares, counts, strict=True) if share]
        squares += sum((count - drawn * share) ** 2 / (drawn * share) for share, count in pairs)
        freedom += len(pairs) - 1
    if freedom:
        part = 2 / (9 * freedom)  # Wilson and Hilferty's approximation of the distribution of the sum
        surprise = ((squares / freedom) ** (1 / 3) - 1 + part) / math.sqrt(part)
        assert surprise < _most_errors(1), f"{what} differ in probability, by {surprise:.1f} standard errors"


def _replayed(deal: State, actions: Sequence[Action]) -> State | None:
    """The state after these actions; None if one of them is not legal."""
    state = deal.copy()
    for action in actions:
        if action not in state.legal():
            return None
        state.apply(action)
    return state


def _future(state: State) -> bytes:
    """What both seats see now and at the end of a match from here, in which they act by what they see."""
    seen = [bytes(state.view(seat)) for seat in (0, 1)]
    end = state.copy()
    while (turn := end.turn) is not None:
        legal = end.legal()
        end.apply(legal[zlib.crc32(bytes(end.view(turn))) % len(legal)])
    return repr([*seen, *(bytes(end.view(seat)) for seat in (0, 1))]).encode()


def _distribution(worlds: Deals) -> dict[bytes, float]:
    """The probability of each future of these worlds, of which exactly one is true."""
    total = math.fsum(share for _, share in worlds)
    found: dict[bytes, float] = {}
    for world, share in worlds:
        future = _future(world)
        found[future] = found.get(future, 0.0) + share / total
    return found


def check_refusals(game: Game, state: State) -> None:
    """Illegal actions raise and change nothing."""
    seen = [bytes(state.view(seat)) for seat in (0, 1)]
    legal = set(state.legal())
    illegal = [action for action in range(game.num_actions) if action not in legal]
    for action in (-1, game.num_actions, *illegal[:5], *illegal[-5:]):
        try:
            state.apply(action)
        except IllegalAction:
            assert [bytes(state.view(seat)) for seat in (0, 1)] == seen, "a refused action changed the state"
        else:
            raise AssertionError(f"action {action} was played although it is not legal")
