"""Options of games and agents as fields of a form, and what stands in the fields as a spec.

Each field's name says whose it is: ``game.size``, ``opponent.astar.depth``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from html import escape

from ludoteca import spec
from ludoteca.catalogues import Language
from ludoteca.errors import LudotecaError
from ludoteca.messages import translate
from ludoteca.web.serving.allowed_specs import agent_options, game_options

__all__ = ["Given", "faults", "labelled", "offered", "option_fields", "select", "sent", "written"]

LONGEST_FIELD = 400
Given = tuple[tuple[str, str], ...]
"""Options and their values, both as they are written."""


def sent(arguments: object) -> dict[str, str]:
    """The fields of a form as a page sent them; whatever else stands there is left out."""
    given = arguments if isinstance(arguments, dict) else {}
    return {name: value for name, value in given.items() if isinstance(name, str) and isinstance(value, str)}


def written(
    owner: str, is_game: bool, prefix: str, fields: Mapping[str, str], fixed: Mapping[str, str] | None = None
) -> str:
    """What stands in the fields, as a spec such as ``hex:size=7``; whether it can be, the game or agent says.

    An option without a field has its default. But switches that are off are not sent: they are off where there is
    anything else of the same owner's.

    fixed: options, by name, that are chosen elsewhere than in a field of their own.
    """
    parts = []
    anything = any(name.startswith(f"{prefix}.") for name in fields)
    for option in _options(owner, is_game):
        missing = "false" if option.kind is bool and anything else spec.show(option.default)
        text = fields.get(f"{prefix}.{option.name}", missing).strip()
        if fixed and option.name in fixed:
            text = fixed[option.name]
        if text != spec.show(option.default):
            parts.append(f"{option.name}={text[:LONGEST_FIELD]}")
    return f"{owner}:{','.join(parts)}" if parts else owner


def faults(
    owner: str, is_game: bool, prefix: str, fields: Mapping[str, str], check: Callable[[str], object]
) -> dict[str, LudotecaError]:
    """By the names of fields what is wrong with them: each is tried alone, with all others as they are by default.

    check: raises LudotecaError for a spec that cannot be.
    """
    found: dict[str, LudotecaError] = {}
    for option in _options(owner, is_game):
        name = f"{prefix}.{option.name}"
        text = fields.get(name, spec.show(option.default)).strip()[:LONGEST_FIELD]
        if option.kind is bool or text == spec.show(option.default):
            continue
        try:
            check(f"{owner}:{option.name}={text}")
        except LudotecaError as error:
            found[name] = error
    return found


@lru_cache(maxsize=256)
def option_fields(
    owner: str, is_game: bool, prefix: str, given: Given, language: Language, without: tuple[str, ...] = ()
) -> str:
    """A field for each option of a game or agent, with the values that are given; none for those in `without`."""
    values, parts = dict(given), []
    for option in _options(owner, is_game):
        if option.name in without:
            continue
        value = values.get(option.name, spec.show(option.default))
        title, hint = translate(option.title, language), translate(option.help, language)
        name = f"{prefix}.{option.name}"
        if option.kind is bool:
            checked = " checked" if value == "true" else ""
            field = f'<input type="checkbox" name="{name}" value="true"{checked}>{escape(title)}'
            parts.append(f'<label class="switch" title="{escape(hint, quote=True)}">{field}</label>')
        elif option.choices:
            # Their values say what they mean; the hint explains how they are written on the command line.
            choices = {each: translate(option.value_title(each), language) for each in option.choices}
            parts.append(labelled(title, select(name, choices, value)))
        else:
            control = f'<input name="{name}" value="{escape(value, quote=True)}" maxlength="{LONGEST_FIELD}">'
            parts.append(labelled(title, control, hint))
    return "".join(parts)


def _options(owner: str, is_game: bool) -> tuple[spec.Option, ...]:
    return game_options(owner) if is_game else agent_options(owner)


def labelled(label: str, control: str, hint: str = "") -> str:
    """A field with its name above and a hint below."""
    below = f"<small>{escape(hint)}</small>" if hint else ""
    return f'<label class="field"><span>{escape(label)}</span>{control}{below}</label>'


def select(name: str, choices: Mapping[str, str], chosen: str) -> str:
    """A choice of texts, by the value that is sent for each."""
    return f'<select name="{name}">{offered(choices, chosen)}</select>'


def offered(choices: Mapping[str, str], chosen: str) -> str:
    """The lines of a choice."""
    return "".join(
        f'<option value="{escape(value, quote=True)}"{" selected" if value == chosen else ""}>{escape(text)}</option>'
        for value, text in choices.items()
    )
