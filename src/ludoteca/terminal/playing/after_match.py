"""After a match nothing is hidden any more: its review, the agent's thoughts, the last board."""

from __future__ import annotations

from rich.console import Console

from ludoteca.agents import short_spec
from ludoteca.catalogues import Language
from ludoteca.errors import BrokenAgent
from ludoteca.messages import Speaker
from ludoteca.play.match import Match
from ludoteca.players.pool import Pool
from ludoteca.protocols import Seat
from ludoteca.terminal.colours import painted
from ludoteca.terminal.playing.reasons import reason
from ludoteca.terminal.playing.rules import short_rules
from ludoteca.terminal.playing.typed_commands import AFTER, CommandWords
from ludoteca.terminal.stored.review import reviewed_in_terminal


def after_match(match: Match, seat: Seat, console: Console, language: Language, pool: Pool) -> None:
    """Answer commands about a finished match until the person leaves; `seat` is theirs."""
    assert match.turn is None, "thoughts and reviews would give hidden hands away"
    _AfterMatch(match, seat, console, language, pool).ask()


class _AfterMatch:
    def __init__(self, match: Match, seat: Seat, console: Console, language: Language, pool: Pool) -> None:
        self.match, self.seat, self.console, self.language, self.pool = match, seat, console, language, pool
        self.speaker, self.words = Speaker(language), CommandWords(AFTER, language)

    def write(self, text: str, style: str | None = None) -> None:
        self.console.print(text, style=style, markup=False, highlight=False)

    def ask(self) -> None:
        self.offer()
        while True:
            try:
                text = self.console.input("> ").strip()
            except EOFError:
                return
            if not text:
                return
            match self.words.meant(text):
                case "quit":
                    return
                case "review":
                    self.review()
                case "thoughts":
                    self.thoughts()
                case "board":
                    self.console.print(painted(self.match.view(self.seat), self.language), soft_wrap=True)
                case "rules":
                    for paragraph in short_rules(self.match.game, self.speaker):
                        self.write(paragraph)
                case _:
                    names = " ".join(self.words.names())
                    self.write(self.speaker.say("Type one of these: {names}", names=names))

    def offer(self) -> None:
        self.write(self.speaker.say("The match is over. You can type:"))
        for line in self.words.lines():
            self.write(line)

    def review(self) -> None:
        if not self.match.actions:
            self.write(self.speaker.say("No move was played in this match."))
            return
        try:
            reviewed_in_terminal(self.console, self.match.record(), self.language, pool=self.pool)
        except BrokenAgent as error:
            self.write(self.speaker.translate(error.message))

    def thoughts(self) -> None:
        """What the agent thought at each of its moves."""
        found = False
        for place, turn in enumerate(self.match.turns, start=1):
            if turn.decision is None:
                continue
            found = True
            agent, game = self.match.who(place - 1).agent, self.match.game
            who, action = short_spec(agent), game.action_name(turn.action)
            self.write(self.speaker.say("{place}. {who} played {action}", place=place, who=who, action=action))
            if why := reason(game, turn.seat, agent, turn.decision, self.speaker):
                self.write(f"  {why}", "dim")
        if not found:
            self.write(self.speaker.say("The agent gave no reasons in this match."))
