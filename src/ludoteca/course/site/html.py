"""The parts that all pages of a course's site are made of."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ludoteca.messages import Speaker


def page(
    title: str, body: str, speaker: Speaker, *, up: str = "", scripts: Sequence[str] = (), inline: str = ""
) -> str:
    """A whole page; `up` leads from it to the site's root. It loads nothing from anywhere else."""
    home = f"<header><a href='{up}index.html'>{escape(speaker.say('Ranking'))}</a></header>" if up else ""
    code = f"<script>{inline}</script>" if inline else ""
    code += "".join(f"<script src='{up}{each}'></script>" for each in scripts)
    return (
        f"<!doctype html>\n<html lang='{escape(speaker.language, quote=True)}'>\n<head>\n<meta charset='utf-8'>\n"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
        f"<title>{escape(title)}</title>\n<link rel='stylesheet' href='{up}style.css'>\n</head>\n"
        f"<body>\n{home}<main>\n{body}\n</main>\n{code}</body>\n</html>\n"
    )


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[int] = (), kind: str = "") -> str:
    """Rows of HTML under headings; the columns in `words` are set to the left."""
    heads = "".join(f"<th{_word(x, words)}>{escape(text)}</th>" for x, text in enumerate(headings))
    body = "".join(
        "<tr>"
        + "".join(cell if cell.startswith("<td") else f"<td{_word(x, words)}>{cell}</td>" for x, cell in enumerate(row))
        + "</tr>"
        for row in rows
    )
    chosen = f" class='{kind}'" if kind else ""
    return f"<div class='wide'><table{chosen}><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"


def _word(column: int, words: Sequence[int]) -> str:
    return " class='word'" if column in words else ""


def link(target: str, text: str) -> str:
    """A link to a page of the site."""
    return f"<a href='{escape(target, quote=True)}'>{escape(text)}</a>"


def result_word(score: float, speaker: Speaker) -> str:
    """What came of a match, as HTML."""
    if score == 1:
        return f"<span class='won'>{escape(speaker.say_as('match', 'won'))}</span>"
    if score == 0:
        return f"<span class='lost'>{escape(speaker.say_as('match', 'lost'))}</span>"
    return escape(speaker.say_as("match", "drawn"))
