"""``ludoteca replay``: a stored match, board by board, with the agents' thoughts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from ludoteca.agents.identity import short_names
from ludoteca.catalogues import Language, preferred_language
from ludoteca.errors import InvalidOption
from ludoteca.games.details import details_of
from ludoteca.games.side_names import seat_called, side
from ludoteca.messages import Speaker, translate
from ludoteca.play.match import Match, Turn
from ludoteca.play.record import Record
from ludoteca.players.faults import Ending
from ludoteca.protocols import Drawable, Seat
from ludoteca.reports.chance import outlook
from ludoteca.reports.fault_summary import replay_note
from ludoteca.terminal.colours import painted
from ludoteca.terminal.stored.open_store import RunName, StorePath, opened_store


def replay(
    run: RunName,
    index: Annotated[int, typer.Argument(min=0, help="The number of the match in the run; the first is 0.")],
    store: StorePath = None,
    seat: Annotated[
        str | None,
        typer.Option(metavar="SIDE", help="Show what this side saw, such as red; by default the side on turn."),
    ] = None,
    thoughts: Annotated[bool, typer.Option(help="Show the agents' thoughts.")] = True,
    first_try: Annotated[bool, typer.Option("--first-try", help="For a replayed match: show the first try.")] = False,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write a picture of every position to this folder.")] = None,
) -> None:
    """Show a stored match, board by board."""
    with opened_store(store) as opened:
        record = opened.record(opened.find(run).id, index)
    if first_try:
        if record.before is None:
            raise InvalidOption("match {index} of run {run} was not replayed", index=index, run=run)
        record = record.before
    shown = _Replay(record, Console(emoji=False), preferred_language(), seat, thoughts)
    if svg is not None:
        shown.draw(svg)
    shown.tell()


class _Replay:
    """A record in the terminal. An unfinished match shows only what the person saw while playing."""

    def __init__(self, record: Record, console: Console, language: Language, seat: str | None, thoughts: bool) -> None:
        self.record, self.console, self.language = record, console, language
        speaker = Speaker(language)
        self.say, self.say_count = speaker.say, speaker.say_count
        self.names = short_names(record.agents)
        self.whole = Match.of_record(record)
        self.game = self.whole.game
        persons = [each for each, who in enumerate(record.seats) if who.person]
        asked = None if seat is None else seat_called(self.game, seat)
        secret = details_of(self.game).hidden_information and not record.finished and bool(persons)
        if secret and asked is not None and asked not in persons:
            name = side(self.game, asked)
            raise InvalidOption("what {side} sees is hidden until the match is over", side=name)
        self.seat = persons[0] if secret and asked is None else asked
        self.thoughts = thoughts and not secret

    def tell(self) -> None:
        for seat in (0, 1):
            self.write(f"{self.side(seat)}: {self.name(seat)}", details_of(self.game).seat_styles[seat])
        if self.record.opening:
            self.write(
                self.say_count(
                    "The first action is an opening.", "The first {count} actions are an opening.", self.record.opening
                )
            )
        if (twice := replay_note(self.record)) is not None:
            self.write(translate(twice, self.language))
            self.write(self.say("--first-try shows the first try."))
        match = self.whole.before(0)
        for place, turn in enumerate(self.whole.turns, start=1):
            self.show(match, turn.seat if self.seat is None else self.seat)
            self.action(place, turn)
            match.play(turn.action)
        self.show(match, self.seat or 0)
        self.result()

    def name(self, seat: Seat, ply: int | None = None) -> str:
        who = self.record.seats[seat] if ply is None else self.record.who(ply)
        return self.say("a person") if who.person else self.names[who.identity]

    def side(self, seat: Seat) -> str:
        """The name of a side with a capital letter: ``Red``."""
        name = translate(side(self.game, seat), self.language)
        return name[:1].upper() + name[1:]

    def write(self, text: str, style: str | None = None) -> None:
        self.console.print(text, style=style, markup=False, highlight=False)

    def show(self, match: Match, seat: Seat) -> None:
        self.console.print(painted(match.view(seat), self.language), soft_wrap=True)
        self.console.print()

    def action(self, place: int, turn: Turn) -> None:
        seen = self.seat in (None, turn.seat)
        named = self.game.action_name(turn.action) if seen else self.game.public_name(turn.action)
        who = self.name(turn.seat, place - 1)
        text = self.say("{place}. {who} plays {action}", place=place, who=who, action=named)
        self.write(text, details_of(self.game).seat_styles[turn.seat])
        if self.thoughts and turn.decision is not None:
            agent = self.record.who(place - 1).agent
            value = translate(outlook(self.game, turn.seat, agent, turn.decision), self.language)
            line = " ".join(self.game.action_name(action) for action in turn.decision.line)
            parts = [value, translate(turn.decision.explanation, self.language), line]
            if text := "  ".join(part for part in parts if part):
                self.write(f"   {text}", "dim")

    def result(self) -> None:
        record = self.record
        if record.ending is Ending.unfinished:
            self.write(self.say("This match is not finished."))
            return
        if record.ending is Ending.resigned and record.fault is not None:
            self.write(self.say("{who} resigns.", who=self.name(record.fault)))
        elif record.fault is not None:
            why = translate(record.message, self.language)
            who = self.name(record.fault)
            self.write(self.say("{who} loses ({ending}): {why}", who=who, ending=record.ending.words, why=why))
        if record.score == 0.5:
            self.write(self.say("A draw."))
        else:
            winner = 0 if record.score == 1 else 1
            text = self.say("{side} wins: {who}.", side=side(self.game, winner), who=self.name(winner))
            self.write(text[:1].upper() + text[1:], details_of(self.game).seat_styles[winner])

    def draw(self, folder: Path) -> None:
        """Write a picture of every position. Raises InvalidOption."""
        if not isinstance(self.game, Drawable):
            raise InvalidOption("{game} has no picture, so --svg does not work here", game=self.record.game)
        folder.mkdir(parents=True, exist_ok=True)
        match = self.whole.before(0)
        for place in range(len(self.whole.actions) + 1):
            seat = self.seat if self.seat is not None else match.turn or 0
            picture = self.game.svg(match.view(seat), language=self.language)
            (folder / f"{place:03}.svg").write_text(picture, encoding="utf-8")
            if place < len(self.whole.actions):
                match.play(self.whole.actions[place])
