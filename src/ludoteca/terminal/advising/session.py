"""A person enters what happens at a real table; after each event the list is saved, and on their turn they are advised.

Input may come from a pipe: a line is one or more events, separated by commas, or a command.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from ludoteca.agents import short_spec
from ludoteca.catalogues import Language
from ludoteca.errors import ImpossibleEvent, InvalidAction, InvalidFile, InvalidPosition, LudotecaError
from ludoteca.games.details import details_of
from ludoteca.games.observed import Belief, Choice, Detail, observer_of
from ludoteca.games.side_names import goal
from ludoteca.games.start_notation import write_start
from ludoteca.messages import Speaker, joined, say, say_as
from ludoteca.play.observed import ObservedMatch, Unfit, split_events
from ludoteca.players.pool import Pool
from ludoteca.protocols import Game, Limit, Seat
from ludoteca.reports.chance import percent
from ludoteca.terminal.colours import painted
from ludoteca.terminal.playing.hint import give_hint
from ludoteca.terminal.playing.rules import short_rules
from ludoteca.terminal.playing.typed_commands import BOARD, HELP, QUIT, RULES, UNDO, CommandWords, unaccented

FIX, INSERT, DELETE = say_as("command", "fix"), say_as("command", "insert"), say_as("command", "delete")
LIST, EVENTS, ADVICE = say_as("command", "list"), say_as("command", "events"), say_as("command", "advice")
HOLDS, SAVE = say_as("command", "holds"), say_as("command", "save")
COMMANDS = {
    HELP: say("this list; ? works too"),
    EVENTS: say("what can be entered now"),
    ADVICE: say("the advice again"),
    HOLDS: say("what the other player probably holds"),
    LIST: say("everything that was entered, with its number"),
    UNDO: say("take the last event back"),
    FIX: say("fix 3 6-4: change event 3 and replay the rest"),
    INSERT: say("insert 3 draw: enter a forgotten event before event 3"),
    DELETE: say("delete 3: remove event 3 and replay the rest"),
    BOARD: say("the board again"),
    RULES: say("the rules in a minute"),
    SAVE: say("save FILE: also save the list in this file"),
    QUIT: say("leave; the list is saved, as with Ctrl-C"),
}
SHOWN = 30
"""More events than this are not listed at once."""


class SavedEvents:
    """The file in which the list of events is kept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.written = False

    def write(self, match: ObservedMatch, path: Path | None = None) -> None:
        """Replace the file. Raises InvalidFile."""
        target = self.path if path is None else path
        new = target.with_name(f"{target.name}.new")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(json.dumps(match.to_json(), indent=1) + "\n", encoding="utf-8")
            os.replace(new, target)
        except OSError as error:
            raise InvalidFile("{path} cannot be written: {reason}", path=target, reason=str(error)) from None
        self.written |= path is None


class AdviceSession:
    """The match and the conversation about it."""

    def __init__(
        self,
        game: Game,
        seat: Seat,
        match: ObservedMatch | None,
        agent: str,
        limit: Limit,
        saved: SavedEvents,
        console: Console,
        language: Language,
        *,
        begun: bool = False,
    ) -> None:
        """begun: the match has already begun, so where that is possible its position is asked for."""
        self.begun = begun
        self.game, self.seat, self.agent, self.limit = game, seat, agent, limit
        self.saved, self.console, self.language = saved, console, language
        self.speaker = Speaker(language)
        self.say = self.speaker.say
        self.words = CommandWords(COMMANDS, language)
        self._match = match
        self._assumed = False

    @property
    def match(self) -> ObservedMatch:
        """The match, once its start is known."""
        assert self._match is not None
        return self._match

    def run(self) -> None:
        """Ask, advise and listen until the person leaves."""
        with Pool() as self.pool:
            try:
                self.greet()
                if self._match is None:
                    self._match = self.ask_start()
                self.save()
                while True:
                    self.show()
                    while not self.listen():
                        pass
            except (KeyboardInterrupt, EOFError):
                self.say_goodbye()

    # What is said

    def write(self, text: str, style: str | None = None) -> None:
        """Print a text in the language of the person."""
        self.console.print(self.speaker.translate(text), style=style, markup=False, highlight=False)

    def greet(self) -> None:
        """Say what this is."""
        title = getattr(self.game, "title", self.game.name)
        what = title if self.game.spec == self.game.name else joined([title, f"({self.game.spec})"], " ")
        self.write(say("{game} at a real table, advised by {agent}.", game=what, agent=short_spec(self.agent)), "bold")
        self.write(goal(self.game, self.seat))
        self.write(say("Enter everything that happens, yours and the other player's, or ? for help."))

    def show(self) -> None:
        """The board, and on the person's turn the advice."""
        view = self.match.view
        self.console.print()
        self.console.print(painted(view, self.language), soft_wrap=True)
        if view.turn is None:
            self.tell_end()
        elif view.turn == self.seat:
            self.tell_belief()
            self.advise()

    def tell_end(self) -> None:
        """How the match ended."""
        for reason in details_of(self.game).end_reasons(self.match.view):
            text = self.speaker.translate(reason)
            self.write(text[:1].upper() + text[1:], "bold")
        self.write(say("The match is over. You can still correct it: list, fix, undo; or quit."))

    def advise(self) -> None:
        """What to do now, with the reasons and the chance to win."""
        view = self.match.view
        legal = view.legal()
        if view.turn != self.seat:
            self.write(say("It is the other player's turn: enter what it does."))
        elif len(legal) == 1:
            self.write(say("You can only do this: {action}.", action=view.game.action_name(legal[0])), "bold")
        else:
            give_hint(self.console, self.speaker, self.pool, view, self.match.seen, self.limit, agent=self.agent)

    def tell_belief(self) -> None:
        """What the other player probably holds, in groups of equal chances."""
        belief = self.match.belief()
        if belief is None or not belief.holdings or self.match.view.turn is None:
            return
        self.write(say("The other player holds {count}; the chance of each:", count=belief.count))
        for line in self._belief_lines(belief):
            self.write(f"  {line}")
        if not self._assumed:
            self.write(belief.assumption, "dim")
            self._assumed = True

    def _belief_lines(self, belief: Belief) -> list[str]:
        groups: dict[str, list[str]] = {}
        for each in sorted(belief.holdings, key=lambda each: -each.chance):
            chance = f"{percent(each.chance):>4}%"
            if each.error:
                chance += f" ± {self.speaker.number(100 * each.error, '.1f')}"
            name = self.speaker.translate(each.name)
            if abs(each.expected - each.chance) > 0.005:
                name = self.say("{card} ({number:.1f} on average)", card=name, number=each.expected)
            groups.setdefault(chance, []).append(name)
        return [f"{chance}  {'  '.join(names)}" for chance, names in groups.items()]

    def tell_choices(self) -> None:
        """What can be entered now."""
        choices = self.match.choices()
        if not choices:
            self.write(say("Nothing more can happen: the match is over."))
            return
        mine = choices[0].mine
        self.write(say("You can enter what you do:") if mine else say("You can enter what the other player does:"))
        for choice in choices[:SHOWN]:
            self.write(f"  {self._choice_line(choice)}")
        if len(choices) > SHOWN:
            self.write(self.say("and {number} more", number=len(choices) - SHOWN))

    def _choice_line(self, choice: Choice) -> str:
        text = choice.text
        for detail in choice.details:
            some = "|".join(self.speaker.translate(option.label).lower() for option in detail.options[:8])
            more = "|…" if len(detail.options) > 8 else ""
            text += f" <{some}{more}>" + (f" × {detail.count}" if detail.count > 1 else "")
        label = self.speaker.translate(choice.label)
        return text if label == choice.text else f"{text:<14} {label}"

    def say_goodbye(self) -> None:
        """Tell a person who leaves how to continue."""
        self.console.print()
        if self.saved.written:
            self.write(say("Saved. Continue with: ludoteca advise --from {path}", path=self.saved.path))

    # What is asked

    def ask_start(self) -> ObservedMatch:
        """Ask until the start is possible."""
        observer = observer_of(self.game)
        assert observer is not None  # the command has checked it
        asked = observer.begun_form() if self.begun else ()
        if self.begun and not asked:
            self.write(say("It has already begun: enter all that happened so far, separated by commas."))
        while True:
            said: dict[str, list[str]] = {asked[0].key: []} if asked else {}
            while missing := [each for each in observer.start_form(self.seat, said) if not said.get(each.key)]:
                said[missing[0].key] = self.ask_detail(missing[0]).split()
            try:
                return ObservedMatch(self.game, self.seat, write_start(said))
            except InvalidPosition as error:
                self.write(error.message, "red")

    def ask_detail(self, detail: Detail) -> str:
        """The answer to a question, in the notation of a start."""
        question = self.speaker.translate(detail.question)
        few = 0 < len(detail.options) <= 4
        if few:
            question += " " + self.say("{one} or {two}", one="1 " + self.speaker.translate(detail.options[0].label),
                                       two="2 " + self.speaker.translate(detail.options[1].label))  # fmt: skip
        elif detail.count > 1:
            question += " " + self.say("({number}, such as {example})", number=detail.count,
                                       example=f"{detail.options[-1].text} {detail.options[-3].text} …")  # fmt: skip
        while True:
            answer = self.console.input(f"{question} ", markup=False).strip().replace(",", " ").replace(";", " ")
            if self.words.meant(answer) == "quit":
                raise EOFError
            if not few and answer:
                return answer
            for number, option in enumerate(detail.options, start=1):
                label = unaccented(self.speaker.translate(option.label))
                if answer and (answer == str(number) or answer == option.text or label.startswith(unaccented(answer))):
                    return option.text

    def listen(self) -> bool:
        """Read a line and do what it says; whether the match has changed."""
        if self.play_forced():
            return True
        mine = self.match.view.turn == self.seat
        over = self.match.view.turn is None
        prompt = say("Correct, or quit: ") if over else say("You: ") if mine else say("The other player: ")
        line = self.console.input(self.speaker.translate(prompt), markup=False).strip()
        word, _, rest = line.partition(" ")
        command = self.words.meant(word)
        if not line or (not rest and command == "quit"):
            if command == "quit":
                raise EOFError
            return False
        try:
            if command and (not rest or command in ("fix", "insert", "delete", "save")):
                return self.obey(command, rest.strip())
            return self.enter(line)
        except LudotecaError as error:
            self.write(error.message, "red")
            if near := self.words.near(word):
                self.write(say("Did you mean {command}?", command=near))
            return False

    def play_forced(self) -> bool:
        """Enter a pass that is all that can happen, which people do not say; see `GameDetails.forced_pass`."""
        forced = details_of(self.game).forced_pass
        choices = [] if forced is None or self.match.view.turn is None else self.match.choices()
        if len(choices) != 1 or choices[0].action != forced:
            return False
        step = self.match.add(choices[0].text)
        self.write(step.sentence)
        self.save()
        return True

    def enter(self, line: str) -> bool:
        """One or more events; those before the first mistake are kept."""
        entered = False
        try:
            for text in split_events(self.game, line):
                step = self.match.add(text, self.language)
                entered = True
                self.write(step.sentence, "dim")
        except (ImpossibleEvent, InvalidAction) as error:
            if not entered:
                raise
            self.write(error.message, "red")
        if entered:
            self.save()
        return entered

    def obey(self, command: str, rest: str) -> bool:
        """Do what a command says; whether the match has changed."""
        match command:
            case "help":
                self.write(say("Enter what happened, as in these examples, or a command:"))
                self.tell_choices()
                for line in self.words.lines():
                    self.write(line)
            case "undo":
                return self.undo()
            case "fix" | "insert":
                number, text = self.numbered(rest)
                do: Callable[..., tuple[ObservedMatch, Unfit | None]] = (
                    self.match.changed if command == "fix" else self.match.inserted
                )
                return self.replace(*do(number, text, self.language))
            case "delete":
                return self.replace(*self.match.without(self.numbered(rest)[0]))
            case "save":
                self.saved.write(self.match, Path(rest).expanduser() if rest else None)
                self.write(say("Saved in {path}.", path=rest or self.saved.path))
            case "rules":
                for paragraph in short_rules(self.game, self.speaker):
                    self.write(paragraph)
            case "board":
                self.console.print(painted(self.match.view, self.language), soft_wrap=True)
            case _:
                {"list": self.tell_list, "events": self.tell_choices, "advice": self.advise, "holds": self.tell_holds}[
                    command
                ]()
        return False

    def tell_holds(self) -> None:
        """What the other player holds, with what the chances rest on."""
        self._assumed = False
        self.tell_belief()

    def tell_list(self) -> None:
        """Everything that was entered."""
        if self.match.start:
            self.write(f"  0  {self.match.start}")
        for number, (event, sentence) in enumerate(zip(self.match.events, self.match.sentences, strict=True), start=1):
            self.write(f"{number:>3}  {event:<12} {self.speaker.translate(sentence)}")

    def numbered(self, rest: str) -> tuple[int, str]:
        """The place of an event, from 0, and the text after it. Raises InvalidAction."""
        word, _, text = rest.partition(" ")
        if not word.isdecimal():
            raise InvalidAction(say("which event? write its number, as in fix 3 6-4; list shows the numbers"))
        return int(word) - 1, text.strip()

    def undo(self) -> bool:
        """Take the last event back; whether there was one."""
        text = self.match.undo()
        if not text:
            self.write(say("There is nothing to take back."))
            return False
        self.write(say("Taken back: {event}.", event=text))
        self.save()
        return True

    def replace(self, match: ObservedMatch, unfit: Unfit | None) -> bool:
        """Go on with a corrected match; what no longer fits is named, and lost only if the person agrees."""
        if unfit is not None:
            self.write(say("Event {number}, {event}, no longer fits: {reason}", number=unfit.number + 1,
                           event=unfit.text, reason=unfit.reason), "red")  # fmt: skip
            lost: Sequence[str] = (unfit.text, *unfit.behind)
            yes = self.speaker.say_as("answer", "yes")
            self.write(say("These would be left out: {events}", events=list(lost)))
            answer = self.console.input(self.say("Correct it all the same? Type {yes} to do it: ", yes=yes))
            if unaccented(answer) not in {unaccented(yes), yes[0], "yes", "y"}:
                self.write(say("Nothing was changed."))
                return False
        self._match = match
        self.save()
        return True

    def save(self) -> None:
        """Save the list of events."""
        self.saved.write(self.match)
