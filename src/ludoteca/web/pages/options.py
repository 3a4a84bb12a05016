"""Options of games and agents as fields of a form, and what stands in the fields as a spec.

Each field's name says whose it is: ``game.size``, ``0.astar.depth``.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape

from ludoteca import spec
from ludoteca.catalogues import Language
from ludoteca.messages import translate
from ludoteca.web.asked import agent_options, game_options

__all__ = ["Given", "labelled", "option_fields", "select", "sent", "written"]

LONGEST_FIELD = 400
Given = tuple[tuple[str, str], ...]
"""Options and their values, both as they are written."""


def sent(arguments: object) -> dict[str, str]:
    """The fields of a form as a page sent them; whatever else stands there is left out."""
    given = arguments if isinstance(arguments, dict) else {}
    return {name: value for name, value in given.items() if isinstance(name, str) and isinstance(value, str)}


def written(owner: str, is_game: bool, prefix: str, fields: dict[str, str]) -> str:
    """What stands in the fields, as a spec such as ``hex:size=7``; whether it can be, the game or agent says."""
    parts = []
    for option in _options(owner, is_game):
        text = fields.get(f"{prefix}.{option.name}", "false" if option.kind is bool else "").strip()
        if text != spec.show(option.default):
            parts.append(f"{option.name}={text[:LONGEST_FIELD]}")
    return f"{owner}:{','.join(parts)}" if parts else owner


@lru_cache(maxsize=256)
def option_fields(owner: str, is_game: bool, prefix: str, given: Given, language: Language) -> str:
    """A field for each option of a game or agent, with the values that are given."""
    values, parts = dict(given), []
    for option in _options(owner, is_game):
        value = values.get(option.name, spec.show(option.default))
        title, hint = translate(option.title, language), translate(option.help, language)
        name = f"{prefix}.{option.name}"
        if option.kind is bool:
            checked = " checked" if value == "true" else ""
            field = f'<input type="checkbox" name="{name}" value="true"{checked}>{escape(title)}'
            parts.append(f'<label class="switch" title="{escape(hint, quote=True)}">{field}</label>')
        else:
            control = (
                select(name, {each: translate(option.value_title(each), language) for each in option.choices}, value)
                if option.choices
                else f'<input name="{name}" value="{escape(value, quote=True)}" maxlength="{LONGEST_FIELD}">'
            )
            parts.append(labelled(title, control, hint))
    return "".join(parts)


def _options(owner: str, is_game: bool) -> tuple[spec.Option, ...]:
    return game_options(owner) if is_game else agent_options(owner)


def labelled(label: str, control: str, hint: str = "") -> str:
    """A field with its name above and a hint below."""
    below = f"<small>{escape(hint)}</small>" if hint else ""
    return f'<label class="field"><span>{escape(label)}</span>{control}{below}</label>'


def select(name: str, choices: dict[str, str], chosen: str) -> str:
    """A choice of texts, by the value that is sent for each."""
    offered = "".join(
        f'<option value="{escape(value, quote=True)}"{" selected" if value == chosen else ""}>{escape(text)}</option>'
        for value, text in choices.items()
    )
    return f'<select name="{name}">{offered}</select>'
