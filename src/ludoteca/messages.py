"""Texts for people: English strings that keep their template and fields, so that they can be translated later.

Code that makes a text does not know its reader, so it calls `say` with an English template. The result is an ordinary
str; code that shows it to a person calls `translate`.

>>> wrong = say("{owner} has no option {key!r}; {offer}", owner="hex", key="colour", offer=say("it has no options"))
>>> print(wrong)
hex has no option 'colour'; it has no options
>>> print(translate(wrong, "es"))
hex no tiene la opción 'colour'; no tiene opciones

Templates are those of `str.format`, with plain names as fields: ``{name}``, ``{name!r}``, ``{value:.2f}``. A template
may come from a file or from untrusted code, so it cannot reach into a field (no ``{name.attribute}`` or ``{name[0]}``)
and cannot ask for a large width. In our code it is a literal in the call of `say`, where Babel finds it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from numbers import Integral, Real
from string import Formatter
from typing import Final, NamedTuple, TypeAlias

from ludoteca.catalogues import SOURCE, Language, look_up, number_signs

Field: TypeAlias = "str | int | float | bool | tuple[Field, ...] | None"
"""The value of a field: a text or Message, a number, or several of these, which are joined by commas."""

LONGEST: Final = 10_000
"""Characters of a message from a file or another process, at most."""
DEEPEST: Final = 8
"""How deep such messages may be nested."""


class Message(str):
    """An English text that keeps its template and fields. Made by `say`; equal to a plain str with the same text."""

    __slots__ = ("context", "fields", "plural", "template")

    template: str
    """The English text with its fields open; in `say_count` the singular."""
    fields: Mapping[str, Field]
    plural: str
    """The template for counts other than one; empty unless made by `say_count` (then `count` is a field)."""
    context: str
    """Tells this text from an equal one with another meaning; usually empty."""

    def __new__(cls, template: str, fields: Mapping[str, Field], plural: str = "", context: str = "") -> Message:
        """Raises ValueError for a malformed template or a missing field."""
        chosen = plural if plural and fields["count"] != 1 else template
        message = super().__new__(cls, fill(chosen, fields))
        message.template, message.fields, message.plural, message.context = template, fields, plural, context
        return message

    @classmethod
    def of(cls, template: str, fields: Mapping[str, object]) -> Message:
        """What `say` returns for these fields."""
        return cls(template, _plain(fields))

    def __reduce__(self) -> tuple[type[Message], tuple[str, Mapping[str, Field], str, str]]:
        return Message, (self.template, self.fields, self.plural, self.context)


def say(template: str, /, **fields: object) -> Message:
    """The English text with its fields filled in.

    A field is a text, a number, a Message or a list of these. An error with a Message becomes that Message; anything
    else becomes its `str`. Texts are made `printable`: a field may be the name of a file, and that holds any bytes.
    Raises ValueError for a malformed template or a missing field.
    """
    return Message.of(template, fields)


def say_as(context: str, template: str, /, **fields: object) -> Message:
    """`say` for a text that has another meaning elsewhere: ``say_as("action", "draw")`` is not a drawn match."""
    return Message(template, _plain(fields), context=context)


def say_count(one: str, many: str, count: int, /, **fields: object) -> Message:
    """`say` with a singular and a plural; the number is the field `count`.

    >>> say_count("{count} action", "{count} actions", 1)
    '1 action'
    """
    return Message(one, {"count": int(count), **_plain(fields)}, plural=many)


def joined(parts: Iterable[str], separator: str = ", ") -> Message:
    """Several texts as one Message; each part, and a separator that is a Message, is translated by itself."""
    fields: dict[str, object] = {f"part{place}": part for place, part in enumerate(parts)}
    names = [f"{{{name}}}" for name in fields]
    if isinstance(separator, Message):
        return Message("{between}".join(names), _plain(fields | {"between": separator}))
    return Message(separator.replace("{", "{{").replace("}", "}}").join(names), _plain(fields))


def translate(text: str, language: Language) -> str:
    """A Message in a language; a plain str, and what no catalogue has, is unchanged.

    Fields that are Messages are translated too. Never raises, whatever a Message or a catalogue holds.
    """
    if not isinstance(text, Message):
        return text
    if language == SOURCE:
        return str(text)
    fields = {name: _translated(field, language) for name, field in text.fields.items()}
    entry = look_up(language, text.template, text.context)
    count = fields.get("count")
    if entry is not None:
        form = entry.form_of(abs(count)) if text.plural and isinstance(count, int) else 0
        try:
            return fill(entry.forms[form], fields, language)
        except (IndexError, ValueError):
            pass  # the translation does not fit its template: use English
    return fill(text.plural if text.plural and count != 1 else text.template, fields, language)


@dataclass(frozen=True)
class Speaker:
    """`say` and its variants, translated into one language at once.

    >>> Speaker("es").say("as good: {names}", names=["c3", "d4"])
    'igual de buenas: c3, d4'
    """

    language: Language

    def translate(self, text: str) -> str:
        """`translate` into this language."""
        return translate(text, self.language)

    def say(self, template: str, /, **fields: object) -> str:
        """Like `say`, translated."""
        return translate(say(template, **fields), self.language)

    def say_as(self, context: str, template: str, /, **fields: object) -> str:
        """Like `say_as`, translated."""
        return translate(say_as(context, template, **fields), self.language)

    def number(self, value: float, form: str) -> str:
        """A number in a format of Python, as this language writes it: see `number_text`."""
        return number_text(value, form, self.language)

    def say_count(self, one: str, many: str, count: int, /, **fields: object) -> str:
        """Like `say_count`, translated."""
        return translate(say_count(one, many, count, **fields), self.language)


def to_json(text: str) -> object:
    """A text as JSON: a plain str as itself, a Message as an object that `from_json` reads back."""
    if not isinstance(text, Message):
        return str(text)
    value: dict[str, object] = {"template": text.template}
    value |= {"plural": text.plural} if text.plural else {}
    value |= {"context": text.context} if text.context else {}
    return value | {"fields": {name: _field_to_json(field) for name, field in text.fields.items()}}


_COMMANDS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a terminal obeys instead of showing, control characters and changes of text direction; and lone
surrogates, which no file, store or terminal can hold."""
_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Untrusted text, safe for a terminal, a file and a store: what these cannot show or hold becomes ``�``.

    That is every control character other than a line end, and every lone surrogate.

    >>> printable("lost\x1b[2J\ron time"), printable("caf\udce9")
    ('lost�[2J�on time', 'caf�')
    """
    return _COMMANDS.sub("�", text)


def is_utf8(name: str) -> bool:
    """Whether a file's name is text; one that is not holds lone surrogates, which no store and no page can hold."""
    return name.isascii() or _SURROGATES.search(name) is None


def from_json(value: object) -> str:
    """The text that `to_json` wrote, made `printable`, because it may come from untrusted code or a file.

    Fields that the template does not use are left out. Raises ValueError for anything else, and for what is too long or
    too deeply nested.
    """
    return _text_from_json(value, DEEPEST)


def fill(template: str, fields: Mapping[str, Field], language: Language = SOURCE) -> str:
    """A template with its fields filled in. Raises ValueError for a malformed template or a missing field.

    Numbers in the forms ``,``, ``f``, ``e`` and ``%`` are written as the language writes them; those in the form ``g``
    and without one as they are typed in a command or a file.
    """
    texts = []
    for piece in _pieces(template):
        texts.append(piece.before)
        if piece.field:
            if piece.field not in fields:
                raise ValueError(f"the template {template!r} has a field {piece.field!r}, which is not given")
            texts.append(_formatted(fields[piece.field], piece, language))
    return "".join(texts)


class _Piece(NamedTuple):
    """Literal text and the field after it; an empty field at the end."""

    before: str
    field: str
    form: str
    conversion: str


NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_READ: Final = re.compile(r",|[fe%]$")
"""In the format of a number that is only read; others are typed too, in commands and files."""
FORM: Final = re.compile(r"[<>^]?[-+ ]?z?0?\d{0,2},?(?:\.\d\d?)?[defgs%]?")


@lru_cache(maxsize=1024)
def _pieces(template: str) -> tuple[_Piece, ...]:
    """A template parsed. Only plain names and short formats pass, so a template can neither read nor allocate much."""
    pieces = []
    for before, field, form, conversion in Formatter().parse(template):
        if field is not None and not NAME.fullmatch(field):
            raise ValueError(f"the template {template!r} has a field {field!r}, which is no plain name")
        if (form and not FORM.fullmatch(form)) or conversion not in (None, "r", "s"):
            raise ValueError(f"the template {template!r} writes {field!r} in a form that is not known")
        pieces.append(_Piece(before, field or "", form or "", conversion or ""))
    return tuple(pieces)


def _formatted(value: Field, piece: _Piece, language: Language) -> str:
    if type(value) is str and not piece.form and not piece.conversion:
        return value
    if isinstance(value, tuple):
        return ", ".join(_formatted(each, piece, language) for each in value)
    if piece.conversion == "r":
        value = repr(str(value)) if isinstance(value, str) else repr(value)
    elif piece.conversion == "s" or isinstance(value, Message):
        value = str(value)
    try:
        if isinstance(value, float | int) and _READ.search(piece.form):
            return number_text(value, piece.form, language)
        return format(value, piece.form)
    except (ValueError, TypeError, OverflowError):
        return str(value)  # for example a text where a number was expected


def number_text(value: float, form: str, language: Language) -> str:
    """A number in a format of Python, with the signs of a language between thousands and before decimals.

    >>> number_text(1234.5, ",.1f", "en")
    '1,234.5'
    """
    between, before = number_signs(language)
    return format(value, form).translate({ord(","): between, ord("."): before})


_NUMBER: Final = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?![\w.])")


def numbers_translated(text: str, language: Language) -> str:
    """A text with the numbers in it as a language writes them; one with a unit as it is typed (0.05s) stays.

    >>> numbers_translated("+1.19 ± 0.22 of 1,234, 0.05s", "pt-BR")
    '+1,19 ± 0,22 of 1.234, 0.05s'
    """
    between, before = number_signs(language)
    signs = {ord(","): between, ord("."): before}
    return _NUMBER.sub(lambda number: number[0].translate(signs), text)


def _plain(fields: Mapping[str, object]) -> dict[str, Field]:
    return {name: _field(value) for name, value in fields.items()}


PLAIN: Final = frozenset({int, float, bool, type(None), Message})


def _field(value: object) -> Field:
    """A value as a field: only texts and numbers, which can be stored, sent and compared."""
    if type(value) is str:
        return value if value.isprintable() else printable(value)
    if type(value) in PLAIN:
        return value  # type: ignore[return-value]
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, list | tuple):
        return tuple(_field(each) for each in value)
    message = getattr(value, "message", None) if isinstance(value, Exception) else None
    return message if isinstance(message, Message) else printable(str(value))


def _translated(field: Field, language: Language) -> Field:
    if isinstance(field, tuple):
        return tuple(_translated(each, language) for each in field)
    return translate(field, language) if isinstance(field, Message) else field


def _field_to_json(field: Field) -> object:
    if isinstance(field, tuple):
        return [_field_to_json(each) for each in field]
    if isinstance(field, float) and not math.isfinite(field):
        return str(field)  # JSON has no such numbers
    return to_json(field) if isinstance(field, str) else field


def _text_from_json(value: object, deeper: int) -> str:
    if isinstance(value, str):
        return printable(_short(value))
    if not isinstance(value, dict) or not value.keys() <= {"template", "fields", "plural", "context"}:
        raise ValueError("a message is a text, or an object with a template and its fields")
    template, fields = value.get("template"), value.get("fields")
    plural, context = value.get("plural", ""), value.get("context", "")
    if not (isinstance(template, str) and isinstance(plural, str) and isinstance(context, str)):
        raise ValueError("the template of a message is a text, as are its plural and its context")
    if not isinstance(fields, dict) or not all(isinstance(name, str) and NAME.fullmatch(name) for name in fields):
        raise ValueError("the fields of a message are an object, each with a plain name")
    if not deeper:
        raise ValueError(f"more than {DEEPEST} messages stand within each other")
    used = {piece.field for each in (template, plural) for piece in _pieces(_short(each))} | {"count"}
    read = {name: _field_from_json(fields[name], deeper - 1) for name in fields if name in used}
    if plural and not isinstance(read.get("count"), int):
        raise ValueError("a message with a plural has a whole number as its field 'count'")
    lengths = {name: len(str(field)) for name, field in read.items()}
    for each in (template, plural):
        if sum(lengths.get(piece.field, 0) for piece in _pieces(each)) > LONGEST:
            raise ValueError(f"the message is longer than {LONGEST} characters")
    message = Message(printable(template), read, printable(plural), printable(_short(context)))
    _short(message)
    return message


def _field_from_json(value: object, deeper: int) -> Field:
    if isinstance(value, list):
        if not deeper:
            raise ValueError(f"more than {DEEPEST} lists stand within each other")
        if len(value) > LONGEST:
            raise ValueError(f"a list has more than {LONGEST} elements")
        return tuple(_field_from_json(each, deeper - 1) for each in value)
    if value is None or isinstance(value, bool | int | float):
        return value
    return _text_from_json(value, deeper)


def _short(text: str) -> str:
    if len(text) > LONGEST:
        raise ValueError(f"the message is longer than {LONGEST} characters")
    return text
