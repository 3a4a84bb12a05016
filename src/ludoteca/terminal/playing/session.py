"""A person plays in the terminal: shows the board, reads moves, and lets the agent answer.

The match is saved after every action, so Ctrl-C, a closed window or a crash loses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack

from rich.console import Console

from ludoteca.agents import short_spec
from ludoteca.catalogues import Language
from ludoteca.errors import BrokenAgent, InvalidAction
from ludoteca.games.details import details_of
from ludoteca.games.side_names import aim, goal, side
from ludoteca.games.typed_actions import parse_typed_action
from ludoteca.messages import Speaker, joined, say, translate
from ludoteca.play.match import Match, Turn
from ludoteca.players.admission import Admission
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.player import Player
from ludoteca.players.pool import Pool
from ludoteca.protocols import Action, Game, Limit, Seat
from ludoteca.terminal.colours import painted
from ludoteca.terminal.playing.after_match import after_match
from ludoteca.terminal.playing.hint import LIMIT, give_hint
from ludoteca.terminal.playing.reasons import reason
from ludoteca.terminal.playing.rules import short_rules
from ludoteca.terminal.playing.saved_match import SavedMatch
from ludoteca.terminal.playing.typed_commands import DURING, CommandWords, unaccented

SHOWN = 24  # more legal actions than this are not listed at the prompt
FORGET = "\x1b[3J"
"""Clears what has scrolled off the terminal."""


def play(
    saved: SavedMatch,
    console: Console,
    language: Language,
    *,
    explain: bool = True,
    trust: bool = False,
    hint_limit: Limit = LIMIT,
) -> None:
    """Play a match until it is over or the person leaves.

    explain: show why the agent moved; in a game with hidden hands, after the match. trust: run an agent that is not
    ours in this process.
    """
    hidden = details_of(saved.match.game).hidden_information
    trusted = tuple(who.agent for who in saved.match.seats if trust)
    # What an agent prints could reveal its hand, so it is shown only in games without hidden hands.
    with Pool(Admission(trusted=trusted), prints=None if hidden else 1) as pool:
        session = _Session(saved, console, language, explain, pool, hint_limit)
        try:
            session.play()
        except (KeyboardInterrupt, EOFError):
            session.say_goodbye()
        finally:
            session.close_players()


class _Session:
    """The match and the conversation around it."""

    def __init__(
        self, saved: SavedMatch, console: Console, language: Language, explain: bool, pool: Pool, hint_limit: Limit
    ) -> None:
        self._hint_limit = hint_limit
        self.saved, self.console, self.language, self.explain, self.pool = saved, console, language, explain, pool
        self.speaker = Speaker(language)
        self.say = self.speaker.say
        self.game: Game = saved.match.game
        self.hidden = details_of(self.game).hidden_information
        self.persons = [seat for seat, who in enumerate(saved.match.seats) if who.person]
        self.players: dict[Seat, Player] = {}
        self.seated = ExitStack()
        self.words = CommandWords(DURING, language)

    @property
    def match(self) -> Match:
        return self.saved.match

    @property
    def own_seat(self) -> Seat:
        """The seat of the person at the terminal; the first of two."""
        return self.persons[0]

    @property
    def two(self) -> bool:
        """Whether two people share this terminal."""
        return len(self.persons) == 2

    def play(self) -> None:
        self.greet()
        shown: Seat | None = None
        while self.match.turn is not None:
            for turn in self.match.run(self.prepared()):
                self.saved.save()
                self.tell(turn)
            if (seat := self.match.turn) is None:
                break
            if self.play_forced(seat):
                continue
            if self.two and self.hidden and shown != seat:
                self.hand_over(seat, cover=shown is not None)
            self.show(seat)
            shown = seat
            self.ask(seat)
        self.saved.save()
        self.show(self.own_seat)
        self.result()
        after_match(self.match, self.own_seat, self.console, self.language, self.pool)

    def play_forced(self, seat: Seat) -> bool:
        """Pass for a person who can do nothing else, and say so; see `GameDetails.forced_pass`."""
        forced = details_of(self.game).forced_pass
        if forced is None or self.match.view(seat).legal() != [forced]:
            return False
        self.match.play(forced)
        self.saved.save()
        who = self.name(seat) if self.two else ""
        name = self.game.action_name(forced)
        self.console.print()
        text = self.speaker.translate(details_of(self.game).move_sentence(str(name), who))
        self.sentence(text, details_of(self.game).seat_styles[seat])
        return True

    def prepared(self) -> Mapping[Seat, Player]:
        """The agents, built when needed: after an undo again, from the views that they have seen."""
        for seat, who in enumerate(self.match.seats):
            if not who.person and seat not in self.players:
                seen = self.match.views_seen(seat)
                seated = self.pool.seated(self.game, who.identity, seat, who.seed or 0, seen)
                try:
                    self.players[seat] = self.seated.enter_context(seated)
                except Fault as fault:
                    wrong = say("{agent} cannot be built:\n{reason}", agent=self.name(seat), reason=fault.message)
                    raise BrokenAgent(wrong) from None
        return self.players

    def close_players(self) -> None:
        """Close the agents."""
        self.seated.close()
        self.players.clear()

    def say_goodbye(self) -> None:
        """Tell a person who leaves how to continue."""
        self.console.print()
        if self.match.turn is not None:
            self.write(self.say("The match is saved. Continue it with: ludoteca play --resume"))

    # What is said

    def name(self, seat: Seat) -> str:
        """The name of a player: the agent's, or the side's for a person."""
        who = self.match.seats[seat]
        return translate(side(self.game, seat), self.language) if who.person else short_spec(who.agent)

    def write(self, text: str, style: str | None = None) -> None:
        self.console.print(text, style=style, markup=False, highlight=False)

    def sentence(self, text: str, style: str | None = None) -> None:
        """Write a sentence; if it begins with the name of a side, with a capital letter."""
        self.write(self.begun(text), style)

    def begun(self, text: str) -> str:
        sides = tuple(translate(side(self.game, seat), self.language) for seat in (0, 1))
        return text[:1].upper() + text[1:] if text.startswith(sides) else text

    def greet(self) -> None:
        title = translate(getattr(self.game, "title", self.game.name), self.language)
        what = title if self.game.spec == self.game.name else f"{title} ({self.game.spec})"
        if self.two:
            self.write(self.say("{game}: two people at one terminal.", game=what), "bold")
            for seat in (0, 1):
                if what := aim(self.game, seat):
                    self.sentence(self.say("{side}: {aim}.", side=side(self.game, seat), aim=what))
        else:
            self.write(self.say("{game} against {agent}.", game=what, agent=self.name(1 - self.own_seat)), "bold")
            self.write(translate(goal(self.game, self.own_seat), self.language))
        self.write(self.say("Type a move, or ? for help."))

    def show(self, seat: Seat) -> None:
        self.console.print()
        self.console.print(painted(self.match.view(seat), self.language), soft_wrap=True)

    def tell(self, turn: Turn) -> None:
        """Say what the other player did, as far as the person may know it, and why, if nothing is hidden."""
        who, name = self.name(turn.seat), self.game.public_name(turn.action)
        sentence = self.speaker.translate(details_of(self.game).move_sentence(str(name), who))
        text = sentence or self.say("{who} plays {action}", who=who, action=name)
        self.console.print()
        self.sentence(text, details_of(self.game).seat_styles[turn.seat])
        thought = turn.decision if self.explain and not self.hidden else None
        if thought is not None and (
            why := reason(
                self.game, turn.seat, self.match.who(len(self.match.actions) - 1).agent, thought, self.speaker
            )
        ):
            self.write(f"  {why}", "dim")

    def hand_over(self, seat: Seat, *, cover: bool) -> None:
        """Wait for the other person; cover: first clear the hand that is on the screen."""
        if cover and self.console.is_terminal:
            self.console.clear()
            self.console.file.write(FORGET)
        name = self.name(seat)
        self.console.input(self.say("It is the turn of {side}: press Enter when you are ready.", side=name))
        for turn in self.since(seat):
            self.tell(turn)

    def since(self, seat: Seat) -> list[Turn]:
        """The other seat's actions since this seat's last turn."""
        turns = self.match.turns
        first = len(turns)
        while first and turns[first - 1].seat != seat:
            first -= 1
        return turns[first:]

    # What is asked

    def ask(self, seat: Seat) -> None:
        """Read until the person plays a move, resigns or leaves."""
        legal = self.match.view(seat).legal()
        self.list_legal(legal)
        prompt = self.say("{side}, your move: ", side=self.name(seat)) if self.two else self.say("Your move: ")
        while True:
            text = self.console.input(self.begun(prompt)).strip()
            command = self.words.meant(text)
            if command == "quit":
                raise EOFError
            if (command == "undo" and self.undo()) or (command == "resign" and self.resign(seat)):
                return
            if command:
                self.answer(command, seat, legal)
            elif text and (action := self.understood(text, legal)) is not None:
                self.match.play(action)
                self.saved.save()
                return

    def answer(self, command: str, seat: Seat, legal: list[Action]) -> None:
        """Answer a command that changes nothing."""
        match command:
            case "help":
                self.write(self.say("Type a move as it is listed (its first letters are enough), or one of these:"))
                for line in self.words.lines():
                    self.write(line)
            case "rules":
                self.tell_rules(seat)
            case "board":
                self.show(seat)
            case "legal":
                self.list_legal(legal, everything=True)
            case "hint":
                view, seen = self.match.view(seat), self.match.views_seen(seat)
                give_hint(self.console, self.speaker, self.pool, view, seen, self._hint_limit)

    def tell_rules(self, seat: Seat) -> None:
        if not self.two:
            self.write(translate(goal(self.game, seat), self.language), "bold")
        for paragraph in short_rules(self.game, self.speaker):
            self.write(paragraph)

    def list_legal(self, legal: list[Action], *, everything: bool = False) -> None:
        names = [self.game.action_name(action) for action in legal]
        if everything or len(names) <= SHOWN:
            self.write(self.say("You can play: {names}", names=joined(names, "  ")))
        else:
            some = names[:: len(names) // 4][:4]
            self.write(self.say("You can play {number} moves, such as {names}", number=len(names), names=some))
        if (swap := getattr(self.game, "swap", None)) is not None and swap in legal:
            name = self.game.action_name(swap)
            text = self.say("{swap} takes over the first stone: it becomes yours, mirrored along the board.", swap=name)
            self.write(text)

    def understood(self, text: str, legal: list[Action]) -> Action | None:
        """The legal action that was typed; None if there is none, after saying why."""
        try:
            return parse_typed_action(self.game, text, legal, self.language)
        except InvalidAction as error:
            self.write(translate(error.message, self.language))
            if near := self.words.near(text):
                self.write(self.say("Did you mean {command}?", command=near))
            else:
                self.list_legal(legal)
            return None

    def undo(self) -> bool:
        """Take back everything since this person's last move, if there was one."""
        forced = details_of(self.game).forced_pass  # would be played again at once
        choices = [
            ply
            for ply, (seat, action) in enumerate(zip(self.match.movers, self.match.actions, strict=True))
            if seat in self.persons and action != forced
        ]
        if not choices:
            self.write(self.say("There is nothing to take back."))
            return False
        self.close_players()  # an agent cannot go back: it is built again
        self.saved.match = self.match.before(choices[-1])
        self.saved.save()
        self.write(self.say("Taken back."))
        return True

    def resign(self, seat: Seat) -> bool:
        """Give up, after a question."""
        yes = self.speaker.say_as("answer", "yes")
        answer = self.console.input(self.say("Give up this match? Type {yes} to do it: ", yes=yes))
        if unaccented(answer) not in {unaccented(yes), yes[0], "yes", "y"}:
            self.write(self.say("The match goes on."))
            return False
        self.match.resign(seat)
        return True

    # How it ends

    def result(self) -> None:
        match = self.match
        loser = match.fault_seat
        if match.ending is Ending.resigned and loser is not None:
            self.sentence(self.say("{who} resigned.", who=self.name(loser)) if self.two else self.say("You resigned."))
        elif loser is not None:
            why = match.message or match.ending.words
            self.write(self.say("{who} has lost: {why}", who=self.name(loser), why=why))
        returns = match.returns()
        if returns[0] == returns[1]:
            self.write(self.say("A draw."), "bold")
            return
        winner = returns.index(max(returns))
        if self.two or winner not in self.persons:
            text = self.say("{who} wins.", who=self.name(winner))
        else:
            text = self.say("You win!")
        self.sentence(text, "bold")
