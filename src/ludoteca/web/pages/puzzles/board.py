"""One puzzle on a page: the board, the question, what refutes a wrong answer, and the solution with its reasons."""

from __future__ import annotations

import json
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludoteca.agents.puzzles.makers import hidden_pieces_of, race_of
from ludoteca.agents.reasons import with_reasons
from ludoteca.games.details import details_of, seat_variables
from ludoteca.games.side_names import side
from ludoteca.play.match import Match
from ludoteca.protocols import Action, Decision
from ludoteca.reports.puzzles.puzzle import LEVELS, Kind, Puzzle
from ludoteca.web.drawing.board import actions_as_words, board, first_reason, picture_shape
from ludoteca.web.pages.frame import Visit, control, raw
from ludoteca.web.pages.match_links import play_form, position_address
from ludoteca.web.pages.setup.option_fields import variant_text
from ludoteca.web.pages.thoughts import capital, reasons_text
from ludoteca.web.serving.allowed_specs import cached_game


def kind_title(visit: Visit, kind: Kind) -> str:
    """The question of a kind of puzzle, in short."""
    if kind == "win":
        return visit.say("Find the winning move")
    return visit.say("Save the match") if kind == "save" else visit.say("What does the other hold?")


class PuzzleBoard:
    """One tab that shows a puzzle."""

    def __init__(self, visit: Visit, puzzle: Puzzle, key: str, after: str, day: str = "") -> None:
        """key: by which the browser remembers it. after: the address of the next one. day: of the daily puzzle."""
        self.visit, self.puzzle, self.key, self.after, self.day = visit, puzzle, key, after, day
        self.game = cached_game(puzzle.game)
        self.match = self._match(puzzle.start)
        self.seat = self.match.turn or 0
        self.view = self.match.view(self.seat)
        self.tried: Action | None = None
        """The wrong action that is being refuted; of kind ``hold`` the wrong piece."""
        self.solved, self.found = False, False
        """Whether the answer is shown, and whether the visitor found it."""

    def _match(self, start: str, *more: str) -> Match:
        names = (*self.puzzle.actions, *more)
        actions = [self.game.parse_action(name) for name in names]
        return Match(self.game, self.puzzle.seed, actions, start=start)

    def build(self) -> None:
        """Makes the elements."""
        shape = picture_shape(self.view, narrow=self.visit.narrow)
        whole = ui.element("div").classes("play puzzle").style(f"{seat_variables(self.game)};--shape:{shape}")
        with whole.on("click", self._clicked, js_handler="(e) => ludoteca.command(e, emit)"):
            with ui.element("div").classes("board-side"):
                self.status = raw().classes("status").props('role=status aria-live="polite"')
                asks = " holding" if self.puzzle.kind == "hold" else ""
                self.board_html = raw().classes(f"board {self.game.name}{asks}")
                self.board_html.on("keydown", self._clicked, js_handler="(e) => ludoteca.key(e, emit, 'play')")
                self.words_html = raw().classes("words")
            with ui.element("aside").classes("side"):
                self.side_html = raw(tag="section").classes("card")
        self._refresh()

    def _clicked(self, event: GenericEventArguments) -> None:
        what, value = event.args if isinstance(event.args, list) and len(event.args) == 2 else ("", None)
        if what == "do" and value == "again":
            self.tried = None
        elif what == "do" and value == "answer":
            self.tried, self.solved = None, True
        elif what == "play" and type(value) is int and not self.solved and self.tried is None:
            if not self._answer(value):
                return
        else:
            return
        self._refresh()

    def _answer(self, value: int) -> bool:
        """Takes an answer. Returns whether it is one."""
        puzzle = self.puzzle
        if value not in (puzzle.choices if puzzle.kind == "hold" else self.view.legal()):
            return False
        right = puzzle.answer if puzzle.kind == "hold" else self.game.parse_action(puzzle.answer)
        if str(value) == str(right):
            self.solved = self.found = True
            ui.run_javascript(f"ludoteca.solved({json.dumps(self.key)}, {json.dumps(self.day)})")
        else:
            self.tried = value
        return True

    def _refresh(self) -> None:
        if self.solved:
            self._show_solution()
        elif self.tried is not None and self.puzzle.kind != "hold":
            self._show_refutation(self.tried)
        else:
            self._show_question()
        self.side_html.set_content(self._side())

    def _board(
        self, match: Match, *, playable: bool, decision: Decision | None = None, last: Action | None = None
    ) -> None:
        self.board_html.set_content(
            board(
                match.view(self.seat), playable=playable, narrow=self.visit.narrow, last=last,
                reasons_of=first_reason(decision), line=decision.line if decision else (),
                language=self.visit.language,
            )
        )  # fmt: skip

    @property
    def task(self) -> str:
        """What is asked."""
        visit, who = self.visit, side(self.game, self.seat)
        if self.puzzle.kind == "hold":
            return visit.say("You are {side}. What does the other hold for certain?", side=who)
        if self.puzzle.kind == "save":
            return visit.say("You are {side}. All moves but one lose. Which one saves the match?", side=who)
        if details_of(self.game).hidden_information:
            return visit.say("You are {side}. Only one move wins for sure, whatever is hidden. Which?", side=who)
        return visit.say("You are {side}. Only one move wins. Which?", side=who)

    def _show_question(self) -> None:
        visit, puzzle = self.visit, self.puzzle
        said = f"<p>{escape(self.task)}</p>"
        if self.tried is not None:
            wrong = visit.say("Not for certain: {piece}.", piece=visit.translate(self._piece(self.tried)))
            said = f'<p class="trouble">{escape(wrong)}</p>{said}'
            self.tried = None
        self.status.set_content(said)
        self._board(self.match, playable=puzzle.kind != "hold")
        if puzzle.kind == "hold":
            self.words_html.set_content("".join(map(self._piece_button, puzzle.choices)))
            return
        names = {action: self.game.action_name(action) for action in actions_as_words(self.view)}
        self.words_html.set_content(
            "".join(
                f'<button type="button" class="button" data-action="{action}">'
                f"{escape(capital(visit.spoken(name)))}</button>"
                for action, name in names.items()
            )
        )

    def _piece(self, piece: int) -> str:
        pieces = hidden_pieces_of(self.game.name)
        assert pieces is not None
        return pieces.piece_name(piece)

    def _piece_button(self, piece: int) -> str:
        name = escape(self.visit.translate(self._piece(piece)), quote=True)
        picture = details_of(self.game).piece_svg(piece)
        return (
            f'<button type="button" class="piece" data-action="{piece}" aria-label="{name}">{picture}'
            f"<small>{name}</small></button>"
        )

    def _show_refutation(self, tried: Action) -> None:
        """The board after the wrong action and what refutes it."""
        visit, game = self.visit, self.game
        name = game.action_name(tried)
        reply, start = self.puzzle.replies[str(name)]
        match = self._match(start or self.puzzle.start, str(name))
        if reply:
            match.play(game.parse_action(reply))
        saving = self.puzzle.kind == "save"
        text = visit.say("{action} loses.", action=visit.spoken(name)) if saving else visit.say(
            "{action} does not win.", action=visit.spoken(name)
        )  # fmt: skip
        parts = [f'<p class="trouble">{escape(text)}</p>']
        other = 1 - self.seat
        if start and (held := details_of(game).hand_text(match.view(other))):
            held = visit.say("For example, the other may have: {cards}.", cards=held)
            parts.append(f'<p class="why">{escape(visit.translate(held))}</p>')
        if reply:
            spoken = visit.spoken(game.action_name(game.parse_action(reply)))
            answer = visit.say("{side} answers {action}.", side=side(game, other), action=spoken)
            parts.append(f'<p class="why">{escape(capital(answer))}</p>')
        if match.turn is None:
            ends = [visit.translate(each) for each in details_of(game).end_reasons(match.view(self.seat))]
            parts.append(f'<p class="why">{escape(" ".join(ends))}</p>')
        self.status.set_content("".join(parts))
        self._board(match, playable=False, last=match.actions[-1])
        self.words_html.set_content(control("again", visit.say("Try again"), "undo"))

    def _show_solution(self) -> None:
        visit, game, puzzle = self.visit, self.game, self.puzzle
        if puzzle.kind == "hold":
            name = visit.translate(self._piece(int(puzzle.answer)))
            self._board(self.match, playable=False)
            why = visit.say("It is in every hand that fits all that you have seen.")
        else:
            action = game.parse_action(puzzle.answer)
            name = visit.spoken(game.action_name(action))
            won = puzzle.kind == "win"
            value = float(won or race_of(game.name) is not None)
            decision = with_reasons(self.view, Decision(action, value, line=(action,), proven=True))
            sure = (
                visit.say("It wins whatever the other does.") if won else visit.say("Every other move loses for sure.")
            )
            why = f"{sure} {reasons_text(visit, 'engine', decision)}"
            self._board(self.match, playable=False, decision=decision)
        answer = visit.say("Answer: {action}.", action=name)
        if self.found:
            answer = visit.say("Well done: {action} it is.", action=name)
        self.status.set_content(f'<p class="result">{escape(answer)}</p><p class="why">{escape(why)}</p>')
        following = f'<a class="button" href="{escape(self.after, quote=True)}">{escape(visit.say("Next puzzle"))}</a>'
        playing = play_form(self.match, "", visit.say("Play it to the end"))
        self.words_html.set_content(f"{following}{playing}")

    def _side(self) -> str:
        visit, puzzle = self.visit, self.puzzle
        grade = visit.say("Level {level} of the engine and all above it find it.", level=puzzle.grade)
        if puzzle.grade > LEVELS:
            grade = visit.say("No level of the engine finds it for sure.")
        elif puzzle.kind == "hold":
            grade = visit.say("Grade {grade} of {most}.", grade=puzzle.grade, most=LEVELS)
        proof = visit.say("The answer is proven: it is the only one.")
        aim = visit.say("Your aim: {aim}.", aim=details_of(self.game).aim(self.seat))
        variant = variant_text(self.game, visit.language)
        rules = f'<p class="soft">{escape(capital(variant))}</p>' if variant else ""
        if self.solved:
            address = escape(position_address(self.match), quote=True)
            link = f'<a class="button quiet" href="{address}">{escape(visit.say("Analysis"))}</a>'
        else:
            link = control("answer", visit.say("Show the answer"), "lightbulb")
        return (
            f'<h2 class="subtitle">{escape(kind_title(visit, puzzle.kind))}</h2>'
            f"<p>{escape(aim)}</p>"
            f"{self._unseen()}<p>{escape(proof)} {escape(grade)}</p>{rules}{link}"
        )

    def _unseen(self) -> str:
        """The pieces that the player does not see, which they would otherwise have to work out."""
        hidden = hidden_pieces_of(self.game.name)
        pieces = () if hidden is None else hidden.unseen(self.puzzle.position)
        if not pieces or self.puzzle.kind == "hold":  # then they are the choices
            return ""
        shown = "".join(
            f'<span class="piece" title="{name}">{details_of(self.game).piece_svg(piece)}<small>{name}</small></span>'
            for piece in pieces
            for name in [escape(self.visit.translate(self._piece(piece)), quote=True)]
        )
        about = self.visit.say("What you do not see, in the other hand or face down:")
        return f'<p>{escape(about)}</p><div class="pieces">{shown}</div>'
