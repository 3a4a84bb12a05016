"""A person at a terminal: shows the board, reads an action and lets the agent answer.

The match is in the store after every action, so that Ctrl-C, a closed window or a crash loses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.text import Text

from ludoteca.agents import short_name
from ludoteca.catalogues import Language
from ludoteca.errors import InvalidAction
from ludoteca.games.typed import understand
from ludoteca.messages import Speaker, joined, say_as, translate
from ludoteca.play.match import Match, Turn
from ludoteca.players.faults import Ending
from ludoteca.players.player import Player
from ludoteca.players.pool import Pool
from ludoteca.protocols import Action, Game, Seat
from ludoteca.terminal.kept import KeptMatch

__all__ = ["play"]

SHOWN = 24  # legal actions listed at the prompt before they are only counted
COMMANDS = (
    say_as("command", "help"), say_as("command", "legal"), say_as("command", "board"), say_as("command", "undo"),
    say_as("command", "quit"),
)  # fmt: skip
OTHER_NAMES = {"?": "help", "exit": "quit"}


def play(kept: KeptMatch, console: Console, language: Language, *, explain: bool = False, trust: bool = False) -> None:
    """Plays a match to its end, or until the person leaves; both ways end by returning.

    explain: show what the agent thought, in a game with hidden hands when the match is over. trust: run an agent that
    is not ours in this process.
    """
    with Pool(prints=True, trust=frozenset(who.agent for who in kept.match.seats if trust)) as pool:
        table = _Table(kept, console, language, explain, pool)
        try:
            table.play()
        except (KeyboardInterrupt, EOFError):
            console.print()
            table.write(table.say("The match is kept. Go on with: ludoteca play --resume"))
        finally:
            table.leave()


class _Table:
    """The match with what is said around it."""

    def __init__(self, kept: KeptMatch, console: Console, language: Language, explain: bool, pool: Pool) -> None:
        self.kept, self.console, self.language, self.explain, self.pool = kept, console, language, explain, pool
        self.speaker = Speaker(language)
        self.say = self.speaker.say
        self.game: Game = kept.match.game
        self.secrets = bool(getattr(self.game, "secrets", True))
        self.persons = [seat for seat, who in enumerate(kept.match.seats) if who.person]
        self.players: dict[Seat, Player] = {}

    @property
    def match(self) -> Match:
        return self.kept.match

    @property
    def own_seat(self) -> Seat:
        """The seat from which the person at the terminal looks."""
        return self.persons[0]

    def play(self) -> None:
        self.greet()
        shown: Seat | None = None
        while self.match.turn is not None:
            for turn in self.match.run(self.prepared()):
                self.kept.save()
                self.tell(turn)
            if (seat := self.match.turn) is None:
                break
            if len(self.persons) == 2 and shown not in (None, seat):
                self.console.clear()  # the other person must not see this hand
                self.console.input(self.say("Seat {seat} is on turn: press Enter when you sit there.", seat=seat))
            self.show(seat)
            shown = seat
            self.ask(seat)
        self.kept.save()
        self.show(self.own_seat)
        if self.secrets and self.explain:
            self.explain_all()
        self.result()

    def prepared(self) -> Mapping[Seat, Player]:
        """The agents, built when they are needed: after an undo anew, from the views that they had seen until then."""
        for seat, who in enumerate(self.match.seats):
            if not who.person and seat not in self.players:
                player = self.pool.player(self.game, who.identity)
                player.prepare(seat, who.seed or 0, self.match.views_seen(seat))
                self.players[seat] = player
        return self.players

    def leave(self) -> None:
        """Lets go of the agents."""
        for player in self.players.values():
            player.close()
        self.players.clear()

    def name(self, seat: Seat) -> str:
        """What to call whoever sits there."""
        return short_name(self.match.seats[seat].agent)

    def write(self, text: str) -> None:
        self.console.print(text, markup=False, highlight=False)

    def greet(self) -> None:
        if len(self.persons) == 2:
            text = self.say("{game}: two people at one terminal. Type an action, or ? for help.", game=self.game.spec)
        else:
            text = self.say(
                "{game}: you have seat {seat}, against {against}. Type an action, or ? for help.",
                game=self.game.spec, seat=self.own_seat, against=self.name(1 - self.own_seat),
            )  # fmt: skip
        self.write(text)

    def show(self, seat: Seat) -> None:
        board = Text(self.game.text(self.match.view(seat), language=self.language))
        board.highlight_regex("●", "bold red")
        board.highlight_regex("○", "bold blue")
        self.console.print()
        self.console.print(board)

    def tell(self, turn: Turn) -> None:
        """What the agent did, as the person may know it; with --explain also why, where nothing is hidden."""
        self.write(
            self.say("{who} plays {action}", who=self.name(turn.seat), action=self.game.public_name(turn.action))
        )
        if self.explain and not self.secrets:
            self.show_thought(turn)

    def show_thought(self, turn: Turn) -> None:
        decision = turn.decision
        if decision is None:
            return
        value = "" if decision.value is None else f"{decision.value:+z.2f}  "
        text = f"  {value}{translate(decision.note, self.language)}"
        self.console.print(text, style="dim", markup=False, highlight=False)

    def explain_all(self) -> None:
        """What the agent thought all along, now that nothing is hidden any more."""
        for place, turn in enumerate(self.match.turns, start=1):
            if turn.decision is not None:
                self.write(self.say(
                    "{place}. {who} played {action}",
                    place=place, who=self.name(turn.seat), action=self.game.action_name(turn.action),
                ))  # fmt: skip
                self.show_thought(turn)

    def ask(self, seat: Seat) -> None:
        """Reads until an action is played or the person leaves."""
        self.list_legal(self.match.view(seat).legal())
        while True:
            text = self.console.input(self.say("Seat {seat}, your action: ", seat=seat)).strip()
            command = self.command(text.lower())
            if command == "quit":
                raise EOFError
            if command == "undo":
                if self.undo():
                    return
            elif command == "help":
                self.write(
                    self.say(
                        "Type an action as it is listed, or its unmistakable beginning.  legal: list all  board: show "
                        "it again  undo: take back  quit or Ctrl-C: stop, the match is kept"
                    )
                )
            elif command == "board":
                self.show(seat)
            elif command == "legal":
                self.list_legal(self.match.view(seat).legal(), everything=True)
            elif text and (action := self.understood(text, self.match.view(seat).legal())) is not None:
                self.match.play(action)
                self.kept.save()
                return

    def command(self, word: str) -> str:
        """The command that is meant, in English or in the person's language; empty for anything else."""
        known = {translate(each, self.language): each for each in COMMANDS}
        return str(known.get(word) or OTHER_NAMES.get(word) or (word if word in COMMANDS else ""))

    def list_legal(self, legal: list[Action], *, everything: bool = False) -> None:
        names = [self.game.action_name(action) for action in legal]
        if everything or len(names) <= SHOWN:
            self.write(self.say("Legal: {names}", names=joined(names, "  ")))
        else:
            some = names[:: len(names) // 4][:4]
            self.write(self.say("{number} legal actions, such as {names}", number=len(names), names=some))

    def understood(self, text: str, legal: list[Action]) -> Action | None:
        """The legal action that is meant; None where there is none, and then it says why."""
        try:
            return understand(self.game, text, legal, self.language)
        except InvalidAction as error:
            self.write(translate(error.message, self.language))
            self.list_legal(legal)
            return None

    def undo(self) -> bool:
        """Goes back to this person's last choice, if there was one."""
        choices = [ply for ply, seat in enumerate(self.match.movers) if seat in self.persons]
        if not choices:
            self.write(self.say("There is nothing to take back."))
            return False
        self.leave()  # agents live for one match, and this one now goes another way
        self.kept.match = self.match.before(choices[-1])
        self.kept.save()
        return True

    def result(self) -> None:
        match = self.match
        returns = match.returns()
        if match.ending.is_fault and match.fault_seat is not None:
            self.write(
                self.say(
                    "{who} has lost: {why}", who=self.name(match.fault_seat), why=match.message or match.ending.value
                )
            )
        if match.ending is Ending.unfinished:
            return
        if returns[0] == returns[1]:
            self.write(self.say("A draw."))
        elif len(self.persons) == 2:
            self.write(self.say("Seat {seat} wins.", seat=returns.index(max(returns))))
        elif returns[self.own_seat] > 0:
            self.write(self.say("You win!"))
        else:
            self.write(self.say("{who} wins.", who=self.name(1 - self.own_seat)))
