"""A deck and hands of Kittens set up by clicking on cards."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludoteca.errors import LudotecaError
from ludoteca.games.core_game import expect
from ludoteca.games.kittens.cards import CARDS, MAX_DECK
from ludoteca.games.kittens.game import Kittens
from ludoteca.games.kittens.picture import draw_icon
from ludoteca.games.picture import Picture
from ludoteca.games.side_names import side
from ludoteca.messages import say, translate
from ludoteca.protocols import Game
from ludoteca.web.drawing.board import board
from ludoteca.web.editing.kittens import TARGETS, KittensEditor
from ludoteca.web.pages.edit.options import EditOptions
from ludoteca.web.pages.edit.outcome import NONSENSE, Outcome
from ludoteca.web.pages.frame import Visit, game_title, raw
from ludoteca.web.pages.thoughts import capital
from ludoteca.web.tables.match_request import fresh_seed

DECK, HANDS = 100, (200, 300)
"""The number of a click: a card to add, from DECK on a place in the deck, from HANDS on a card in a hand."""
HELP = say(
    "Choose a place, then click cards to put them there. New cards go to the bottom of the deck, or above the card "
    "that you mark with a click; a deck that you leave empty is shuffled from all cards left. In a hand, click a card "
    "to remove it. The deck and the other hand stay hidden in the match, and agents never see them."
)


class KittensPage:
    """One tab that sets up a Kittens position."""

    def __init__(self, visit: Visit, editor: KittensEditor) -> None:
        self.visit, self.editor = visit, editor
        self.names = [translate(card, visit.language) for card in CARDS]
        sides = [visit.translate(side(editor.game, seat)) for seat in (0, 1)]
        self.whose = (f"{visit.say('Your hand')} ({sides[0]})", f"{visit.say('Other hand')} ({sides[1]})")

    def build(self) -> None:
        """Makes the elements."""
        visit, say = self.visit, self.visit.say
        title = say("Set up a position of {game}", game=game_title("kittens", visit.language))
        raw(escape(title), tag="h1").classes("title")
        raw(_drawings()).classes("drawings")
        with ui.element("div").classes("play"):
            with ui.element("div").classes("board-side"):
                names = (say("Deck"), *self.whose)
                self.target = ui.toggle(dict(zip(TARGETS, names, strict=True)), value="deck", on_change=self.refresh)
                self.target.props("no-caps dense spread").classes("targets")
                self.deck = self._pieces()
                with ui.element("div").classes("row"):
                    self.tools = [
                        # Translators: a button: move the card up in the deck
                        self._button(say("Higher"), "arrow_back", lambda: self.editor.move(-1)),
                        self._button(say("Lower"), "arrow_forward", lambda: self.editor.move(1)),
                        self._button(say("Remove"), "backspace", self.editor.take),
                    ]
                    self._button(say("All that are left"), "casino", lambda: self.editor.fill(fresh_seed()))
                    self._button(say("Clear all"), "clear", self.editor.clear)
                self.hands = self._pieces()
                raw(escape(say("What you will see")), tag="h2").classes("subtitle")
                self.preview = raw().classes("board kittens")
            with ui.element("aside").classes("side"):
                with ui.element("section").classes("card"):
                    raw(f"<p>{escape(visit.translate(HELP))}</p>")
                    self.outcome = Outcome(visit)
                with ui.element("section").classes("card fields"):
                    raw(escape(say("On turn")), tag="h2").classes("subtitle")
                    turns = {seat: capital(visit.translate(side(self.editor.game, seat))) for seat in (0, 1)}
                    turns[0] += f" ({say('You').lower()})"
                    chosen = ui.toggle(turns, value=self.editor.turn, on_change=self._on_turn)
                    chosen.props("no-caps dense").classes("turns")
                    self.owed = ui.number(
                        say("Cards to draw"), value=self.editor.owed, min=1, max=self.editor.game.max_owed, step=1
                    )
                    self.owed.classes("field").on_value_change(self._owed)
                    self.numbers = [self._number(seat) for seat in (0, 1)]
                EditOptions(visit, self.editor.game, self._change)
        self.refresh()

    def _pieces(self) -> ui.html:
        element = raw().classes("pieces kittens")
        element.on("click", self._clicked, js_handler="(e) => ludoteca.click(e, emit)")
        element.on("keydown", self._clicked, js_handler="(e) => ludoteca.key(e, emit)")
        return element

    def _number(self, seat: int) -> ui.number:
        label = self.visit.say("Random cards: {whose}", whose=self.whose[seat].lower())
        field = ui.number(label, value=self.editor.counts[seat], min=0, max=MAX_DECK, step=1).classes("field")
        field.on_value_change(lambda event, seat=seat: self._count(seat, event))
        return field

    def _button(self, text: str, icon: str, do: Callable[[], None]) -> ui.button:
        def pressed() -> None:
            self._try(do)

        return ui.button(text, icon=icon, on_click=pressed).props("flat no-caps dense")

    def refresh(self) -> None:
        """Shows the cards, the outcome, and what the person will see."""
        editor, say = self.editor, self.visit.say
        cards = "".join(self._offer(card) for card in range(len(CARDS)))
        deck = [
            self._piece(DECK + place, card, "marked" if place == editor.marked else "", str(place + 1))
            for place, card in enumerate(editor.deck)
        ]
        title = self.visit.say_count("Deck from the top: {count} card", "Deck from the top: {count} cards", len(deck))
        piled = _pile(title, "deck", deck or [escape(say("all that are left, shuffled"))])
        self.deck.set_content(f"<span class='group'>{cards}</span>{piled}")
        self.hands.set_content("".join(
            _pile(whose, f"hand{seat}", [self._piece(first + card, card, f"in{seat}") for card in hand])
            for seat, (whose, first, hand) in enumerate(zip(self.whose, HANDS, editor.hands, strict=True))
        ))  # fmt: skip
        for tool in self.tools:
            tool.set_enabled(editor.marked is not None)
        for seat, field in enumerate(self.numbers):
            field.set_enabled(not editor.hands[seat])
        match = self.outcome.show(editor)
        self.preview.set_content(
            board(match.view(0), playable=False, language=self.visit.language, narrow=self.visit.narrow)
            if match is not None
            else ""
        )

    def _offer(self, card: int) -> str:
        """A card to place, with how many are left."""
        look = "fits" if self.editor.fits(card, str(self.target.value)) else "free"
        return self._piece(card, card, f"offer {look}", f"{self.names[card]} ×{self.editor.left(card)}")

    def _piece(self, number: int, card: int, look: str, badge: str = "") -> str:
        name = escape(self.names[card], quote=True)
        label = badge if self.names[card] in badge else f"{name} {badge}".strip()
        return (
            f"<button type='button' class='piece {look}' data-action='{number}' title='{name}' "
            f"aria-label='{label}'{' aria-pressed=true' if look == 'marked' else ''}>"
            f"<svg viewBox='-24 -24 48 48' aria-hidden='true'><use href='#card{card}'/></svg>"
            f"<small>{badge or name}</small></button>"
        )

    def _clicked(self, event: GenericEventArguments) -> None:
        number = event.args

        def press() -> None:
            if not isinstance(number, int) or isinstance(number, bool):
                raise LudotecaError(NONSENSE)
            if number < DECK:
                self.editor.add(number, str(self.target.value))
            elif number < HANDS[0]:
                self.editor.mark(number - DECK)
            else:
                self.editor.drop(int(number >= HANDS[1]), number - HANDS[number >= HANDS[1]])

        self._try(press)

    def _try(self, do: Callable[[], None]) -> None:
        try:
            do()
        except LudotecaError as error:
            ui.notify(self.visit.explain(error), type="warning")
        else:
            self.refresh()

    def _on_turn(self, event: Any) -> None:
        if event.value in (0, 1):
            self.editor.turn = int(event.value)
            self.refresh()

    def _owed(self, event: Any) -> None:
        if isinstance(event.value, (int, float)) and 1 <= event.value <= self.editor.game.max_owed:
            self.editor.owed = int(event.value)
            self.refresh()

    def _count(self, seat: int, event: Any) -> None:
        if isinstance(event.value, (int, float)) and 0 <= event.value <= MAX_DECK:
            self.editor.counts[seat] = int(event.value)
            self.refresh()

    def _change(self, game: Game) -> None:
        self.editor.change(expect(game, Kittens))
        self.owed.max = self.editor.game.max_owed
        self.owed.set_value(self.editor.owed)
        self.refresh()


def _pile(title: str, name: str, pieces: list[str]) -> str:
    inner = "".join(pieces) or "–"
    return f"<div class='pile {name}'><b>{escape(title)}</b><span class='group'>{inner}</span></div>"


def _drawings() -> str:
    """The icon of every card as an SVG symbol."""
    signs = ""
    for card in range(len(CARDS)):
        picture = Picture(1, 1)
        draw_icon(picture, card, 0, 0, 1)
        signs += f"<g id='card{card}'>{picture.inside()}</g>"
    return f"<svg width='0' height='0' aria-hidden='true'><defs>{signs}</defs></svg>"
