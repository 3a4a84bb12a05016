"""Options of games and agents as fields of a form, and the fields as a spec.

A field's name includes its owner: ``game.size``, ``opponent.astar.depth``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from html import escape

from ludoteca import spec
from ludoteca.catalogues import Language
from ludoteca.errors import LudotecaError
from ludoteca.messages import translate
from ludoteca.play.record import LONGEST_NICKNAME
from ludoteca.protocols import Game
from ludoteca.web.serving.allowed_specs import agent_options, game_options

LONGEST_FIELD = 400
OptionValues = tuple[tuple[str, str], ...]
"""Options and their values, both as text."""


def form_fields(arguments: object) -> dict[str, str]:
    """The fields of a form as the browser sent them; ignores anything that is not text."""
    given = arguments if isinstance(arguments, dict) else {}
    return {name: value for name, value in given.items() if isinstance(name, str) and isinstance(value, str)}


def spec_from_fields(
    owner: str, is_game: bool, prefix: str, fields: Mapping[str, str], fixed: Mapping[str, str] | None = None
) -> str:
    """The fields as a spec such as ``hex:size=7``; it is not checked.

    An option without a field has its default. A switch that is off is not sent, so a missing switch is off if any other
    field of the same owner was sent.

    fixed: options, by name, that have no field.
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


def option_errors(
    owner: str, is_game: bool, prefix: str, fields: Mapping[str, str], check: Callable[[str], object]
) -> dict[str, LudotecaError]:
    """The errors of options by field name: each is checked alone, with defaults for all others.

    check: raises LudotecaError for an invalid spec.
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
    owner: str, is_game: bool, prefix: str, given: OptionValues, language: Language, without: tuple[str, ...] = ()
) -> str:
    """A field for each option of a game or agent except `without`, filled with the given values."""
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
            # The choices explain themselves; the hint is about how to write them on the command line.
            choices = {each: translate(option.value_title(each), language) for each in option.choices}
            parts.append(labelled(title, select(name, choices, value)))
        else:
            control = f'<input name="{name}" value="{escape(value, quote=True)}" maxlength="{LONGEST_FIELD}">'
            parts.append(labelled(title, control, hint))
    return "".join(parts)


def variant_text(game: Game, language: Language) -> str:
    """The options of a game that differ from its defaults, in words: ``board size: 8``; empty if none does."""
    given = getattr(game, "options", {})
    return ", ".join(
        f"{translate(option.title, language)}: {translate(option.value_title(value), language)}"
        for option in game_options(game.name)
        if (value := spec.show(given.get(option.name, option.default))) != spec.show(option.default)
    )


def _options(owner: str, is_game: bool) -> tuple[spec.Option, ...]:
    return game_options(owner) if is_game else agent_options(owner)


def labelled(label: str, control: str, hint: str = "") -> str:
    """A field with a label above and a hint below."""
    below = f"<small>{escape(hint)}</small>" if hint else ""
    return f'<label class="field"><span>{escape(label)}</span>{control}{below}</label>'


def name_field(name: str) -> str:
    """A field for a person's name, which the browser remembers; see ``data-remember`` in page.js."""
    return (
        f'<input name="{name}" maxlength="{LONGEST_NICKNAME}" autocomplete="off" spellcheck="false" '
        f'data-remember="{name}">'
    )


def select(name: str, choices: Mapping[str, str], chosen: str) -> str:
    """A select element; choices: by value the text."""
    return f'<select name="{name}">{option_tags(choices, chosen)}</select>'


def option_tags(choices: Mapping[str, str], chosen: str) -> str:
    """The option elements of a select."""
    return "".join(
        f'<option value="{escape(value, quote=True)}"{" selected" if value == chosen else ""}>{escape(text)}</option>'
        for value, text in choices.items()
    )
