"""The show match on the page Watch: the board, who plays, who is ahead, and why each action was played.

Every tab shows the same HTML, which is made once per action, language, screen and seat; see `ShowMatch.shared`.
"""

from __future__ import annotations

from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludoteca.games.details import details_of, seat_variables
from ludoteca.games.side_names import side
from ludoteca.play.match import Match
from ludoteca.protocols import Seat
from ludoteca.reports.chance import chance_to_win, outlook
from ludoteca.web.drawing.board import board, first_reason
from ludoteca.web.pages.frame import Visit, game_title, raw, while_connected
from ludoteca.web.pages.match_links import position_address
from ludoteca.web.pages.play import parts
from ludoteca.web.pages.play.ending import result, why
from ludoteca.web.pages.replay.parts import seat_choice
from ludoteca.web.pages.thoughts import capital, sentences, value_bar
from ludoteca.web.tables.show_match import ShowMatch
from ludoteca.web.tables.tab_state import SPECTATOR, TabState
from ludoteca.web.tables.table import Table

LISTED = 12
"""Of the latest actions."""


class ShowTab:
    """The show match in one tab."""

    def __init__(self, visit: Visit, show: ShowMatch) -> None:
        self.visit, self.show = visit, show
        self.seat: Seat = 0
        """Whose hand is shown, in a game with hidden hands."""

    def build(self) -> None:
        """Makes the elements and shows the position in the document itself, so that nothing is blank or moves later."""
        say = self.visit.say
        about = say("Two agents of about the same strength, one game after another. Everybody here sees this match.")
        with ui.element("section").classes("card show"):
            raw(
                f"<h2 class='subtitle'><span class='pulse' aria-hidden='true'></span>{escape(say('Show match'))}</h2>"
                f'<p class="soft">{escape(about)}</p>'
            )
            with ui.element("div").classes("show-match"):
                with ui.element("div").classes("board-side"):
                    self.players = raw().classes("show-players")
                    self.board = raw(f"<p>{escape(say('The first match is about to begin …'))}</p>").classes("board")
                self.side = raw().classes("show-side")
                self.side.on("click", self._choose_seat, js_handler="(e) => ludoteca.command(e, emit)")
        self._refresh()
        while_connected(self._subscribe, self._unsubscribe)

    def _subscribe(self) -> None:
        self.show.subscribe(self._refresh)
        self._refresh()

    def _unsubscribe(self) -> None:
        self.show.unsubscribe(self._refresh)

    def _choose_seat(self, event: GenericEventArguments) -> None:
        if event.args in (["do", "seat0"], ["do", "seat1"]):
            self.seat = int(event.args[1] == "seat1")
            self._refresh()

    def _refresh(self) -> None:
        visit, show, seat = self.visit, self.show, self.seat
        language, narrow = visit.language, visit.narrow
        players = show.shared(("players", language), lambda match: _players(visit, match))
        picture = show.shared(("board", language, narrow, seat), lambda match: _board(visit, match, seat))
        beside = show.shared(("side", language, seat), lambda match: _side(visit, match, seat))
        if players is not None and picture is not None and beside is not None:
            self.players.set_content(players)
            self.board.set_content(picture)
            self.side.set_content(beside)


def _tab(match: Match) -> TabState:
    return TabState(Table(match), SPECTATOR)


def _players(visit: Visit, match: Match) -> str:
    names = parts.players(visit, _tab(match))
    return f'<div class="players" style="{seat_variables(match.game)}">{names}</div>'


def _board(visit: Visit, match: Match, seat: Seat) -> str:
    before = match.decisions[-1] if match.decisions else None
    return board(
        match.view(seat),
        playable=False,
        named=False,
        narrow=visit.narrow,
        reasons_of=first_reason(before),
        language=visit.language,
    )


def _side(visit: Visit, match: Match, seat: Seat) -> str:
    """Whose turn it is or who has won, who is ahead, the latest actions with their first reasons, and where to go."""
    game, say = match.game, visit.say
    title = escape(game_title(game, visit.language))
    actions, whose = _actions(visit, match), ""
    if not actions:
        starting = say("The agents are starting. Each move will appear here, with its reason.")
        actions = f'<li class="soft">{escape(starting)}</li>'
    if details_of(game).hidden_information:
        whose = f'<p class="row">{seat_choice(visit, game, seat)}</p>'
    play = escape(say("Play {game} yourself", game=game_title(game, visit.language)))
    replay, moves = escape(position_address(match, 0), quote=True), escape(say("Moves"), quote=True)
    return (
        f'<div style="{seat_variables(game)}"><h3 class="when">{title}</h3>'
        f'<div class="show-status">{_status(visit, match)}{_ahead(visit, match)}</div>{whose}'
        f'<ol class="show-actions" tabindex="0" aria-label="{moves}">{actions}</ol></div>'
        f'<p class="row"><a class="button quiet" href="/new/{game.name}">{play}</a>'
        f'<a class="button quiet" href="{replay}">{escape(say("Replay from the start"))}</a></p>'
    )


def _status(visit: Visit, match: Match) -> str:
    if match.turn is not None:
        thinks = visit.say("{agent} is thinking …", agent=visit.agent(match.seats[match.turn].agent))
        return f"<p>{escape(thinks)}</p>"
    tab = _tab(match)
    reasons = "".join(f"<p>{escape(each)}</p>" for each in why(visit, tab.table))
    return f'<p class="result">{escape(result(visit, tab))}</p>{reasons}'


def _ahead(visit: Visit, match: Match) -> str:
    """Who is ahead, as the agent sees it that decided last: in words, and as a bar."""
    if match.turn is None:
        return ""
    known = [(turn.seat, turn.decision) for turn in match.turns if turn.decision is not None]
    if not known or known[-1][1].value is None:
        return f"<p>{escape(visit.say('The agent has not said yet who is ahead.'))}</p>{value_bar(0, 0.0)}"
    seat, decision = known[-1]
    agent = match.seats[seat].agent
    chance = chance_to_win(match.game, agent, decision)
    value = decision.value or 0.0
    words = capital(visit.translate(outlook(match.game, seat, agent, decision)))
    return f"<p>{escape(words)}</p>{value_bar(seat, value if chance is None else 2 * chance - 1)}"


def _actions(visit: Visit, match: Match) -> str:
    """The latest actions, the newest first, each with its first reason."""
    rows = []
    for ply, turn in list(enumerate(match.turns, 1))[-LISTED:]:
        name = escape(visit.spoken(match.game.action_name(turn.action)))
        reasons = turn.decision.reasons if turn.decision is not None else ()
        reason = escape(sentences(visit.note(reasons[0].text))) if reasons else ""
        if ply <= match.opening:
            reason = escape(visit.say("part of the opening"))
        mover = escape(visit.translate(side(match.game, turn.seat)))
        rows.append(
            f'<li value="{ply}"><span class="seat{turn.seat}">{name}</span> <small>{mover}</small>'
            f"{f'<br>{reason}' if reason else ''}</li>"
        )
    return "".join(reversed(rows))
