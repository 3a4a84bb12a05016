"""A person at a terminal: the loop that shows the board, reads an action and lets the agents answer.

The match is written down after every action, so that Ctrl-C, a closed window or a crash loses nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ludoteca.agents import agent, short_name
from ludoteca.errors import InvalidAction
from ludoteca.games import game
from ludoteca.play.match import Match, agent_seed, play_out
from ludoteca.protocols import Action, Agent, Decision, Game, Limit, Seat
from ludoteca.spanish import note
from ludoteca.words import Language, Words

__all__ = ["HUMAN", "Sitting", "play", "unfinished_path"]

HUMAN = "human"
"""In place of an agent: a second person at the same terminal."""

SHOWN = 24  # legal actions listed at the prompt before they are only counted
WORDS = Words(
    start=(
        "{game}: you have seat {seat}, against {against} (seed {seed}). Type an action, or ? for help.",
        "{game}: tienes el asiento {seat}, contra {against} (semilla {seed}). Escribe una acción, o ? para ayuda.",
    ),
    help=(
        "Type an action as it is listed, or its unmistakable beginning.  legal: list all  board: show it again  "
        "undo: take back  quit or Ctrl-C: stop, the match is kept",
        "Escribe una acción como en la lista, o su comienzo inconfundible.  legal: todas  tablero: verlo otra vez  "
        "deshacer: retirar  salir o Ctrl-C: parar, la partida se guarda",
    ),
    legal=("Legal: {names}", "Acciones legales: {names}"),
    many=("{count} legal actions, such as {names}", "{count} acciones legales, como {names}"),
    prompt=("Seat {seat}, your action: ", "Asiento {seat}, tu acción: "),
    played=("{who} plays {action}", "{who} juega {action}"),
    invalid=("{text!r} is no action of this game.", "{text!r} no es una acción de este juego."),
    illegal=("{text!r} is not legal now.", "{text!r} no es legal ahora."),
    ambiguous=("{text!r} could be {names}.", "{text!r} puede ser {names}."),
    nothing=("There is nothing to take back.", "No hay nada que retirar."),
    win=("You win!", "¡Ganas tú!"),
    loss=("{who} wins.", "Gana {who}."),
    seat_wins=("Seat {seat} wins.", "Gana el asiento {seat}."),
    draw=("A draw.", "Empate."),
    kept=(
        "The match is kept. Go on with: ludoteca play --resume",
        "La partida queda guardada. Sigue con: ludoteca play --resume",
    ),
    turn=(
        "Seat {seat} is on turn: press Enter when you sit there.",
        "Turno del asiento {seat}: pulsa Intro al sentarte.",
    ),
)
COMMANDS = {
    "?": "help", "help": "help", "ayuda": "help",
    "legal": "legal", "legales": "legal",
    "board": "board", "tablero": "board",
    "undo": "undo", "deshacer": "undo",
    "quit": "quit", "exit": "quit", "salir": "quit",
}  # fmt: skip


@dataclass
class Sitting:
    """Who plays what here: all that is needed to go on with a match later."""

    game: str
    against: str
    seat: Seat
    seed: int
    actions: list[Action] = field(default_factory=list)
    start: str = ""

    def save(self) -> None:
        """Writes it down, whole or not at all."""
        path = unfinished_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps(asdict(self)), encoding="utf-8")
        fresh.replace(path)

    @classmethod
    def load(cls) -> Sitting | None:
        """The match that was left unfinished, if there is one."""
        path = unfinished_path()
        return cls(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def unfinished_path() -> Path:
    """Where the unfinished match is kept, by the XDG convention."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "ludoteca" / "unfinished.json"


def play(sitting: Sitting, console: Console, language: Language, limit: Limit, *, explain: bool = False) -> None:
    """Plays a sitting to its end, or until the person leaves; both ways end by returning."""
    table = _Table(sitting, console, language, explain)
    try:
        table.play(limit)
    except (KeyboardInterrupt, EOFError):
        console.print()
        console.print(WORDS("kept", language))


class _Table:
    """The match with what is said around it."""

    def __init__(self, sitting: Sitting, console: Console, language: Language, explain: bool) -> None:
        self.sitting, self.console, self.language, self.explain = sitting, console, language, explain
        self.game: Game = game(sitting.game)
        self.match = Match(self.game, sitting.seed, sitting.actions, start=sitting.start)
        self.agents = self._agents()
        self.who = short_name(sitting.against)

    def _agents(self) -> Mapping[Seat, Agent]:
        if self.sitting.against == HUMAN:
            return {}
        seat = 1 - self.sitting.seat
        return {seat: agent(self.sitting.against)(self.game, seat, agent_seed(self.sitting.seed, seat))}

    def play(self, limit: Limit) -> None:
        at = self.sitting
        self.say("start", game=at.game, seat=at.seat, against=self.who, seed=at.seed)
        self.sitting.save()
        shown: Seat | None = None
        while self.match.turn is not None:
            for seat, decision in play_out(self.match, self.agents, limit):
                self.keep()
                self.tell(seat, decision)
            if (seat_on_turn := self.match.turn) is None:
                break
            if not self.agents and shown not in (None, seat_on_turn):
                self.console.clear()  # the other person must not see this hand
                self.console.input(WORDS("turn", self.language, seat=seat_on_turn))
            self.show(seat_on_turn)
            shown = seat_on_turn
            self.ask(seat_on_turn)
        self.show(self.sitting.seat)
        self.result()
        unfinished_path().unlink(missing_ok=True)

    def say(self, key: str, **values: object) -> None:
        self.console.print(WORDS(key, self.language, **values), markup=False, highlight=False)

    def keep(self) -> None:
        self.sitting.actions = list(self.match.actions)
        self.sitting.save()

    def show(self, seat: Seat) -> None:
        board = Text(self.game.text(self.match.view(seat), language=self.language))
        board.highlight_regex("●", "bold red")
        board.highlight_regex("○", "bold blue")
        self.console.print()
        self.console.print(board)

    def tell(self, seat: Seat, decision: Decision) -> None:
        """What the other seat did, as this seat may know it; with --explain also why."""
        self.say("played", who=self.who, action=self.game.public_name(decision.action))
        if self.explain:
            value = "" if decision.value is None else f"{decision.value:+.2f}  "
            self.console.print(
                f"  {value}{note(decision.note, self.language)}", style="dim", markup=False, highlight=False
            )

    def ask(self, seat: Seat) -> None:
        """Reads until an action is played or the person leaves."""
        self.list_legal(self.match.view(seat).legal())
        while True:
            text = self.console.input(WORDS("prompt", self.language, seat=seat)).strip()
            command = COMMANDS.get(text.lower())
            if command == "quit":
                raise EOFError
            if command == "undo":
                if self.undo():
                    return
            elif command == "help":
                self.say("help")
            elif command == "board":
                self.show(seat)
            elif command == "legal":
                self.list_legal(self.match.view(seat).legal(), everything=True)
            elif text and (action := self.understand(text, self.match.view(seat).legal())) is not None:
                self.match.play(action)
                self.keep()
                return

    def list_legal(self, legal: list[Action], *, everything: bool = False) -> None:
        names = [self.game.action_name(action) for action in legal]
        if everything or len(names) <= SHOWN:
            self.say("legal", names="  ".join(names))
        else:
            self.say("many", count=len(names), names=", ".join(names[:: len(names) // 4][:4]))

    def understand(self, text: str, legal: list[Action]) -> Action | None:
        """The legal action that is meant, by its name or its unmistakable beginning; else says what is wrong."""
        try:
            action = self.game.parse_action(text)
            if action in legal:
                return action
            problem = "illegal"
        except InvalidAction:
            problem = "invalid"
        names = {self.game.action_name(each): each for each in legal}
        meant = [name for name in names if name.lower().startswith(text.lower())]
        if len(meant) == 1:
            return names[meant[0]]
        if meant:
            self.say("ambiguous", text=text, names=", ".join(meant))
        else:
            self.say(problem, text=text)
            self.list_legal(legal)
        return None

    def undo(self) -> bool:
        """Goes back to this person's last choice, if there was one."""
        replay = self.match.before(0)
        last_choice = None
        for index, action in enumerate(self.match.actions):
            if replay.turn not in self.agents:
                last_choice = index
            replay.play(action)
        if last_choice is None:
            self.say("nothing")
            return False
        self.match = self.match.before(last_choice)
        self.keep()
        return True

    def result(self) -> None:
        returns = self.match.returns()
        mine = returns[self.sitting.seat]
        if mine == 0:
            self.say("draw")
        elif not self.agents:
            self.say("seat_wins", seat=returns.index(max(returns)))
        elif mine > 0:
            self.say("win")
        else:
            self.say("loss", who=self.who)
