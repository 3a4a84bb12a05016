"""True matches, written down as one seat sees them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ludoteca.games.dominoes.tiles import tile_name
from ludoteca.games.kittens.cards import CARD_ACTIONS, NAMES
from ludoteca.protocols import Action, Game, Seat, State, View


class Story(NamedTuple):
    """What a person in one seat of a true match enters, and what the seat saw."""

    start: str
    events: Sequence[str]
    views: Sequence[View | None]
    """After each event; None where no seat is asked."""
    seen: Sequence[View]
    """The views on which the seat decided."""
    states: Sequence[State]
    """The truth after each event."""


def story_of(
    game: Game,
    seat: Seat,
    seed: int,
    rng: random.Random,
    choose: Callable[[State], Action] | None = None,
    *,
    begun: State | None = None,
) -> Story:
    """A match from this seed, or from a position in its middle, by default of random actions."""
    state: Any = begun or game.deal(seed)
    write = WRITERS.get(game.name, _Open)(game, seat, state)
    story = Story(write.start, [], [], [], [])
    while state.turn is not None:
        action = choose(state) if choose else rng.choice(state.legal())
        before, mover = state.copy(), state.turn
        if mover == seat:
            story.seen.append(state.view(seat))  # type: ignore[attr-defined]
        state.apply(action)
        for event, view in write.events(before, action, state):
            story.events.append(event)  # type: ignore[attr-defined]
            story.views.append(view)  # type: ignore[attr-defined]
            story.states.append(state.copy())  # type: ignore[attr-defined]
    return story


class _Open:
    """Nothing is hidden: an event is the name of an action."""

    def __init__(self, game: Any, seat: Seat, state: Any) -> None:
        self.game, self.seat, self.start = game, seat, ""
        self.told: list[str] = []

    def events(self, before: Any, action: Action, after: Any) -> list[tuple[str, View | None]]:
        return [(str(self.game.action_name(action)), after.view(self.seat))]


class _Horses(_Open):
    def __init__(self, game: Any, seat: Seat, state: Any) -> None:
        super().__init__(game, seat, state)
        board, names = state.view(0), game._names
        knights = [f"{knight}@{names[square]}" for knight, square in zip("WB", board.squares, strict=True)]
        values = [f"{value:+}@{names[square]}" for square, value in enumerate(board.values) if value]
        self.start = "layout: " + " ".join(knights + values)

    def events(self, before: Any, action: Action, after: Any) -> list[tuple[str, View | None]]:
        return [(str(self.game.action_name(action)), None)]  # the observer's game has the layout as an option


class _Dominoes(_Open):
    def __init__(self, game: Any, seat: Seat, state: Any) -> None:
        super().__init__(game, seat, state)
        self.start = "hand: " + " ".join(map(tile_name, state.view(seat).hand))
        if game.options["start"] == "highest-double":
            self.start += f"; begins: {'me' if state.turn == seat else 'other'}"

    def events(self, before: Any, action: Action, after: Any) -> list[tuple[str, View | None]]:
        event, view = str(self.game.action_name(action)), after.view(self.seat)
        if action == self.game.draw_action and before.turn == self.seat:
            (tile,) = set(view.hand) - set(before.view(self.seat).hand)
            event = f"draw {tile_name(tile)}"
        if view.turn is not None or not view.boneyard or not view.revealed[1 - self.seat]:
            return [(event, view)]
        # The person does not see that the round is over, or what the other holds, until it is shown.
        return [(event, None), ("shows " + " ".join(map(tile_name, view.revealed[1 - self.seat])), view)]


class _Kittens(_Open):
    """Reads the log of the seat, and merges the other's bombs with where they went."""

    def events(self, before: Any, action: Action, after: Any) -> list[tuple[str, View | None]]:
        view, mine = after.view(self.seat), before.turn == self.seat
        placing = before.view(self.seat).placing
        log = view.log[len(before.view(self.seat).log) :]
        drawn = {1, 2, 3, 4} if self.game.options["rules"] == "original" else {1, 2, 3, 4, 7}
        words = []
        for _, event, cards, _, counted in log:
            if event not in drawn:
                continue
            if mine:
                words += [NAMES[card] for card in cards]
            elif event in (2, 4):
                words.append("explodes" if view.loser == 1 - self.seat and event == log[-1][1] else "bomb")
            elif event != 7:
                words.append({True: "common", False: "rare", None: ""}[counted])
        if not mine and len(words) > 1 and view.loser == 1 - self.seat:
            words = ["bomb" if word == "explodes" else word for word in words[:-1]] + words[-1:]
        plays = (
            action if action in CARD_ACTIONS and (mine or before.view(1 - self.seat).hand[CARD_ACTIONS[action]]) else 0
        )
        name = str(self.game.action_name(action if mine else plays))
        if not mine and placing:
            self.told += words
        else:
            self.told = [name, *words]
        if not mine and view.placing and view.turn != self.seat:
            return []  # until the bomb is put back, which the person does not see
        return [(" ".join(filter(None, self.told)), view)]


WRITERS: dict[str, type[_Open]] = {"dominoes": _Dominoes, "horses": _Horses, "kittens": _Kittens}
