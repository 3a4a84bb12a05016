"""The page ``/solved``: what perfect play gives from many starts, proven by ``ludoteca solve``.

Openings that win or lose are drawn on the board, deals as shares with some of their boards, and openings that are worth
a number as a table with heat.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from nicegui import ui
from starlette.requests import Request

from ludoteca import games
from ludoteca.games.side_names import side
from ludoteca.play.match import Match
from ludoteca.protocols import Clickable, Game, NarrowLayout
from ludoteca.ratings.wilson import wilson
from ludoteca.reports.solutions import Solutions, SolvedStart, all_solutions
from ludoteca.reports.text_table import percent
from ludoteca.web.drawing.board import still_picture
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, game_title, page, raw
from ludoteca.web.pages.match_links import position_address
from ludoteca.web.pages.setup.option_fields import variant_text
from ludoteca.web.pages.thoughts import capital

SIGNS = {1.0: "+", 0.0: "=", -1.0: "−", None: "?"}
KINDS = {1.0: "won", 0.0: "drawn", -1.0: "lost", None: "open"}
"""By value the sign and the class of a start; None: not settled."""
HATCH = (
    "<pattern id='hatch' width='6' height='6' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'>"
    "<path d='M0 0V6' class='hatch'/></pattern>"
)
CURRENT = ' aria-current="page"'
EXAMPLES: tuple[float | None, ...] = (1.0, -1.0, None)
"""One deal with each of these values is drawn."""


def register_solved() -> None:
    """The page at ``/solved``; ``?game=`` chooses one of several boards."""

    @page("/solved")
    def solved(visit: Visit, request: Request) -> None:
        say, chosen = visit.say, request.query_params.get("game", "")
        if chosen and chosen not in {each.game for each in all_solutions()}:
            raise NotFound("There is no such page: {path}", path=visit.path[:200])
        ui.page_title(f"{say('Solved')} · Ludoteca")
        raw(f'<a href="/learn">← {escape(say("Learn"))}</a>')
        raw(escape(say("Solved")), tag="h1").classes("title")
        raw(
            escape(
                say(
                    "What happens if neither player makes a mistake? In small games a computer can work that out to "
                    "the end. Nothing here is an estimate: each result is proven. The command below it solves the same "
                    "starts again; how many it settles depends on how long you let it run."
                )
            ),
            tag="p",
        )
        for name in dict.fromkeys(games.game(each.game).name for each in all_solutions()):
            found = [each for each in all_solutions() if games.game(each.game).name == name]
            with ui.element("section").classes("card solved").props(f'id="{name}"'):
                raw(escape(game_title(name, visit.language)), tag="h2").classes("title")
                _game(visit, found, chosen)


def link_to_solved(visit: Visit) -> None:
    """A card with a link to the page."""
    title, about = (
        visit.say("Solved"),
        visit.say("Who wins if neither player makes a mistake: proven, opening by opening."),
    )
    raw(
        f'<h2 class="subtitle">{escape(title)}</h2><p class="row"><a class="button quiet" href="/solved">'
        f"{escape(title)}</a> {escape(about)}</p>",
        tag="section",
    ).classes("card")


def _game(visit: Visit, found: Sequence[Solutions], chosen: str) -> None:
    if found[0].starts[0].start.startswith("seed="):
        for solutions in found:
            _deals(visit, solutions)
    elif isinstance(games.game(found[0].game), Clickable) and all(each.value in SIGNS for each in found[0].starts):
        shown = next((each for each in found if each.game == chosen), found[-1])
        links = [
            f'<a class="button quiet" href="/solved?game={escape(each.game, quote=True)}#{games.game(each.game).name}"'
            f"{CURRENT if each is shown else ''}>{escape(_options(visit, each))}</a>"
            for each in found
        ]
        raw("".join(links), tag="nav").classes("row sizes").props(f'aria-label="{escape(visit.say("Boards"))}"')
        _openings(visit, shown)
    else:
        _values(visit, found)


def _options(visit: Visit, solutions: Solutions) -> str:
    """What tells a variant from others: ``8×8`` where it is the size of the board, otherwise its options in words."""
    game = games.game(solutions.game)
    size = getattr(game, "size", None)
    return capital(variant_text(game, visit.language)) if size is None else f"{size}×{size}"


def _command(visit: Visit, solutions: Solutions) -> str:
    effort = visit.say(
        "{nodes:,} positions, {seconds:.0f} s of processor time", nodes=solutions.nodes, seconds=solutions.seconds
    )
    return f'<p class="soft"><code>{escape(solutions.command)}</code><br>{escape(effort)}</p>'


# Openings that win or lose


def _openings(visit: Visit, solutions: Solutions) -> None:
    """The board with each first move coloured by the winner, and the same as text."""
    game, say = games.game(solutions.game), visit.say
    first, second = side(game, 0), side(game, 1)
    kinds = [1.0, -1.0, *([None] if solutions.count(None) else [])]
    names = {
        1.0: say("{side} wins", side=first), -1.0: say("{side} wins", side=second), None: say("not proven yet"),
    }  # fmt: skip
    raw(
        escape(
            say(
                "{side} begins. The colour of a cell says who wins if the first stone lies there and both play "
                "perfectly. Click a cell to look at that opening.",
                side=first,
            )
        ),
        tag="p",
    ).classes("sentence")
    legend = "".join(
        f'<li><span class="swatch {KINDS[value]}" aria-hidden="true">{SIGNS[value]}</span> '
        f"{escape(names[value])}: {solutions.count(value)}</li>"
        for value in kinds
    )
    raw(
        f'<figure class="solved-board">{_board(visit, game, solutions, names)}</figure><ul class="legend">{legend}</ul>'
    )
    lists = "".join(
        f"<p><b>{escape(names[value])}</b>: "
        f"{escape(' '.join(sorted(each.start for each in solutions.starts if each.value == value)))}</p>"
        for value in kinds
    )
    raw(f"<details><summary>{escape(say('As a list'))}</summary>{lists}</details>{_command(visit, solutions)}")


def _board(visit: Visit, game: Game, solutions: Solutions, names: dict[float | None, str]) -> str:
    assert isinstance(game, Clickable)
    view = game.deal(0).view(0)
    layout = {"narrow": True} if visit.narrow and isinstance(game, NarrowLayout) else {}
    outlines = {area.action: area.outline for area in game.click_areas(view, **layout)}
    cells = []
    for each in solutions.starts:
        action = game.parse_action(each.start)
        match = Match(game, 0)
        match.play(action)
        numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", outlines[action])]
        x, y = sum(numbers[::2]) / len(numbers[::2]), sum(numbers[1::2]) / len(numbers[1::2])
        cells.append(
            f"<a href='{escape(position_address(match), quote=True)}' "
            f"aria-label='{escape(f'{each.start}: {names[each.value]}', quote=True)}' class='{KINDS[each.value]}'>"
            f"<path d='{outlines[action]}'/><text x='{x:.1f}' y='{y:.1f}' dy='.35em' text-anchor='middle' "
            f"aria-hidden='true'>{SIGNS[each.value]}</text></a>"
        )
    picture = still_picture(view, narrow=visit.narrow, language=visit.language)
    label = escape(visit.say("Who wins from each first move"), quote=True)
    opened = f"<svg role='group' aria-label='{label}'{picture.removeprefix('<svg').removesuffix('</svg>')}"
    return f"{opened}<defs>{HATCH}</defs>{''.join(cells)}</svg>"


# Deals


def _deals(visit: Visit, solutions: Solutions) -> None:
    """Shares as bars, with intervals, and a board with each result."""
    say, count = visit.say, len(solutions.starts)
    raw(escape(_options(visit, solutions)), tag="h3").classes("subtitle")
    names = {1.0: say("the first player wins"), 0.0: say("a draw"), -1.0: say("the second player wins"),
             None: say("not settled")}  # fmt: skip
    bar, legend = "", ""
    for value, name in names.items():
        if not (number := solutions.count(value)):
            continue
        bar += f'<span class="{KINDS[value]}" style="flex-grow:{number}">{SIGNS[value]}</span>'
        interval = ""
        if value is not None:  # each that is not settled may have this result
            low, high = wilson(number / count, count)[0], wilson((number + solutions.count(None)) / count, count)[1]
            interval = f" ({percent(low)}–{percent(high)})"
        legend += (
            f'<li><span class="swatch {KINDS[value]}" aria-hidden="true">{SIGNS[value]}</span> {escape(name)}: '
            f"{number / count:.0%}{interval}</li>"
        )
    about = say(
        "{count} random starts, with best play by both. The intervals (95%) are those of all starts; a start that is "
        "not settled may have any result.",
        count=count,
    )
    raw(
        f'<p>{escape(about)}</p><div class="shares" aria-hidden="true">{bar}</div><ul class="legend">{legend}</ul>'
        f'<div class="figures">{"".join(_example(visit, solutions, value, names) for value in EXAMPLES)}</div>'
        f"{_command(visit, solutions)}"
    )


def _example(visit: Visit, solutions: Solutions, value: float | None, names: dict[float | None, str]) -> str:
    """The board of the deal that was hardest to prove among those with this value."""
    alike = [each for each in solutions.starts if each.value == value]
    if not alike:
        return ""
    each = max(alike, key=lambda start: start.nodes)
    match = Match(games.game(solutions.game), int(each.start.removeprefix("seed=")))
    picture = still_picture(match.view(0), narrow=visit.narrow, language=visit.language)
    text = visit.say("Start {number}: {result}", number=each.start.removeprefix("seed="), result=names[value])
    return (
        f'<figure><div aria-hidden="true">{picture}</div><figcaption>'
        f'<a href="{escape(position_address(match), quote=True)}">{escape(text)}</a></figcaption></figure>'
    )


# Openings that are worth a number


def _values(visit: Visit, found: Sequence[Solutions]) -> None:
    """A table of values: a row for each start, a column for each variant."""
    say = visit.say
    whole = [each for each in found if [start.start for start in each.starts] == [""]]
    columns = [each for each in found if each not in whole]
    raw(
        escape(
            say(
                "The best tile of all that were dealt begins. The number is what the round is worth to the player who "
                "begins, on average over all deals and with perfect play by both, who do not see each other's tiles: "
                "+1 is a sure win, −1 a sure loss."
            )
        ),
        tag="p",
    )
    head = "".join(f'<th scope="col">{escape(_options(visit, each))}</th>' for each in columns)
    names = list(dict.fromkeys(start.start for each in columns for start in each.starts))
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(_value_cell(visit, next((start for start in each.starts if start.start == name), None))
                  for each in columns)
        + "</tr>"
        for name in names
    )  # fmt: skip
    means = "".join(f"<td><b>{_mean(visit, each)}</b></td>" for each in columns)
    first, last = escape(say("First tile")), escape(say("all rounds"))
    raw(
        f'<div class="scroll"><table class="plain heat"><thead><tr><th scope="col">{first}</th>{head}</tr></thead>'
        f'<tbody>{rows}<tr><th scope="row">{last}</th>{means}</tr></tbody></table></div>'
    )
    for each in whole:
        raw(
            f"<p>{escape(_options(visit, each))}; {escape(say('the player who begins may choose any tile'))}: "
            f"<b>{_number(visit, each.starts[0])}</b></p>"
        )
    raw("".join(_command(visit, each) for each in found))


def _value_cell(visit: Visit, start: SolvedStart | None) -> str:
    if start is None:
        return "<td></td>"
    if start.value is None:
        return f"<td>{escape(visit.say('not settled'))}</td>"
    often = visit.say("{share:.2%} of rounds", share=start.share)
    warm = round(50 * (start.value + 1))
    return f'<td style="--warm:{warm}%">{_number(visit, start)} <small>{escape(often)}</small></td>'


def _number(visit: Visit, start: SolvedStart) -> str:
    return "?" if start.value is None else visit.number(start.value, "+.3f").replace("-", "−")


def _mean(visit: Visit, solutions: Solutions) -> str:
    if solutions.count(None):
        return "?"
    mean = sum(each.share * (each.value or 0) for each in solutions.starts)
    return visit.number(mean, "+.3f").replace("-", "−")
