"""Texts that know their templates: said in English, translated at the edge, kept as JSON, safe from strangers."""

from __future__ import annotations

import copy
import doctest
import json
import pickle
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

from ludoteca import catalogues, dates, messages, spec
from ludoteca.errors import InvalidOption
from ludoteca.messages import LONGEST, Message, Speaker, from_json, joined, say, say_as, say_count, to_json, translate

SPANISH = """
msgid ""
msgstr ""
"Language: es\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "{name!r} is no game"
msgstr "{name!r} no es un juego"

# a comment
msgid "value {value:+.2f}: {why}"
msgstr "{why}: vale "
"{value:+.1f}"

msgid "a draw"
msgstr "tablas"

msgctxt "action"
msgid "draw"
msgstr "robar"

msgid "draw"
msgstr "dibujar"

msgid "{count} tile of {whose}"
msgid_plural "{count} tiles of {whose}"
msgstr[0] "{count} ficha de {whose}"
msgstr[1] "{count} fichas de {whose}"

#, fuzzy
msgid "not sure"
msgstr "no sé"

msgid "does not fit {name}"
msgstr "no casa con {other}"

msgid "open"
msgstr ""

#~ msgid "gone"
#~ msgstr "ido"
"""
POLISH = """
msgid ""
msgstr "Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"

msgctxt "number"
msgid "1,234.5"
msgstr "1 234,5"

msgid "{count} card"
msgid_plural "{count} cards"
msgstr[0] "{count} karta"
msgstr[1] "{count} karty"
msgstr[2] "{count} kart"
"""


@pytest.fixture(autouse=True)
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of catalogues instead of ours."""
    for language, text in {"es": SPANISH, "pl": POLISH, "pt_BR": 'msgid "a"\nmsgstr "b"'}.items():
        folder = tmp_path / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        (folder / "ludoteca.po").write_text(text, encoding="utf-8")
    monkeypatch.setattr(catalogues, "OURS", tmp_path)
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def forget() -> None:
    catalogues._files.cache_clear()
    catalogues._entries.cache_clear()


def test_a_message_is_its_english_text() -> None:
    message = say("{name!r} is no game", name="chess")
    assert message == "'chess' is no game" and isinstance(message, str)
    assert hash(message) == hash("'chess' is no game")
    assert (message.template, message.fields) == ("{name!r} is no game", {"name": "chess"})
    assert str(ValueError(message)) == "'chess' is no game"
    assert translate(message, "es") == "'chess' no es un juego"
    assert translate(message, "en") == message


def test_forms_and_order_of_fields_are_the_language_s_own() -> None:
    message = say("value {value:+.2f}: {why}", value=0.25, why=say("a draw"))
    assert message == "value +0.25: a draw"
    assert translate(message, "es") == "tablas: vale +0.2"


def test_what_no_catalogue_knows_stays_english_but_its_fields_do_not() -> None:
    assert translate(say("after all {what}", what=say("a draw")), "es") == "after all tablas"
    assert translate("a draw", "es") == "a draw"  # a plain text may be anybody's
    assert translate(say("a draw"), "xx") == translate(say("a draw"), "../es") == "a draw"
    assert translate(say("not sure"), "es") == "not sure"  # fuzzy
    assert translate(say("open"), "es") == "open"  # not translated
    assert translate(say("gone"), "es") == "gone"  # obsolete


def test_a_catalogue_that_does_not_fit_is_not_used() -> None:
    assert translate(say("does not fit {name}", name=1), "es") == "does not fit 1"


def test_counts_choose_the_form_of_the_language() -> None:
    def tiles(count: int) -> Message:
        return say_count("{count} tile of {whose}", "{count} tiles of {whose}", count, whose="seat 0")

    assert [tiles(count) for count in (0, 1, 2)] == ["0 tiles of seat 0", "1 tile of seat 0", "2 tiles of seat 0"]
    assert translate(tiles(1), "es") == "1 ficha de seat 0"
    assert translate(tiles(0), "es") == "0 fichas de seat 0"
    cards = [translate(say_count("{count} card", "{count} cards", count), "pl") for count in (1, 2, 5, 12, 22)]
    assert cards == ["1 karta", "2 karty", "5 kart", "12 kart", "22 karty"]


def test_contexts_tell_equal_words_apart() -> None:
    assert say_as("action", "draw") == say("draw") == "draw"
    assert translate(say_as("action", "draw"), "es") == "robar"
    assert translate(say("draw"), "es") == "dibujar"


def test_numbers_are_written_as_the_catalogue_writes_its_example() -> None:
    message = say("{a:,} {b:+.2f} {c:.1%} {d:g} {e} x={f:.1f}", a=1234567, b=-0.5, c=0.125, d=0.5, e=2.5, f=1)
    assert translate(message, "pl") == "1 234 567 -0,50 12,5% 0.5 2.5 x=1,0"  # what is also typed stays as it is
    assert translate(message, "es") == "1,234,567 -0.50 12.5% 0.5 2.5 x=1.0"  # its catalogue has no example
    assert Speaker("pl").number(1234.5, ",.2f") == "1 234,50" and Speaker("en").number(1234.5, ",.2f") == "1,234.50"


def test_lists_and_joined_texts() -> None:
    message = say("there are {names!r} and {more}", names=["a", "b"], more=[say("a draw"), 3])
    assert message == "there are 'a', 'b' and a draw, 3"
    assert translate(message, "es") == "there are 'a', 'b' and tablas, 3"
    both = joined([say("a draw"), "{odd}", say_as("action", "draw")], "; ")
    assert both == "a draw; {odd}; draw"
    assert translate(both, "es") == "tablas; {odd}; robar"
    assert translate(joined(["x", "y"], say("a draw")), "es") == "xtablasy"
    assert joined([]) == "" and joined(["{x}"], "{}") == "{x}"


def test_fields_are_plain_values() -> None:
    class Known(ValueError):
        message = say("a draw")

    message = say(
        "{path!r} {one:,} {half:.1f} {why} {other} {nothing}",
        path=Path("a/b"), one=np.int64(1000), half=np.float32(0.5), why=Known(), other=ValueError("x"), nothing=None,
    )  # fmt: skip
    assert message == "'a/b' 1,000 0.5 a draw x None"
    assert {type(value) for value in message.fields.values()} == {str, int, float, Message, type(None)}
    assert translate(message, "es") == "'a/b' 1,000 0.5 tablas x None"


@pytest.mark.parametrize(
    "message",
    [
        say("plain"),
        say("{name!r} is no game", name="chess"),
        say("value {value:+.2f}: {why}", value=0.25, why=say_as("action", "draw")),
        say_count("{count} tile of {whose}", "{count} tiles of {whose}", 2, whose=say("a draw")),
        joined([say("a draw"), "x"], "; "),
        say("{all}", all=[1, None, True, say("a draw"), ["x"]]),
    ],
)
def test_messages_survive_pickling_copying_and_json(message: Message) -> None:
    for again in (
        pickle.loads(pickle.dumps(message)),
        copy.deepcopy(message),
        from_json(json.loads(json.dumps(to_json(message)))),
    ):
        assert isinstance(again, Message) and again == message
        assert (again.template, again.fields, again.plural, again.context) == (
            message.template, message.fields, message.plural, message.context,
        )  # fmt: skip
        assert translate(again, "es") == translate(message, "es")


def test_plain_texts_stay_plain_in_json() -> None:
    assert to_json("I feel {lucky}") == from_json("I feel {lucky}") == "I feel {lucky}"
    assert type(from_json("x")) is str


def test_numbers_that_json_does_not_know_are_written_as_texts() -> None:
    value = json.dumps(to_json(say("{x:+.2f}", x=float("nan"))), allow_nan=False)
    assert from_json(json.loads(value)) == "nan"


@pytest.mark.parametrize(
    "template",
    ["{x.__class__}", "{x[0]}", "{x.__class__.__init__.__globals__}", "{}", "{0}", "{x!a}", "{x:{x}}", "{x:>9999999}",
     "{x:.999999999f}", "{", "}", "{x", "{y}"],
)  # fmt: skip
def test_no_template_reaches_into_its_fields(template: str) -> None:
    with pytest.raises(ValueError, match=r"template|brace|'[{}]'|expected"):
        say(template, x="secret")
    with pytest.raises(ValueError, match=r"template|brace|'[{}]'|expected"):
        from_json({"template": template, "fields": {"x": "secret"}})


def test_a_catalogue_reaches_into_nothing_either(catalogue: Path) -> None:
    path = catalogue / "es" / "LC_MESSAGES" / "ludoteca.po"
    path.write_text('msgid "for {x}"\nmsgstr "por {x.__class__}"\n', encoding="utf-8")
    assert translate(say("for {x}", x="y"), "es") == "for y"


@pytest.mark.parametrize(
    "value",
    [3, None, [], {}, {"template": "x"}, {"template": 3, "fields": {}}, {"template": "x", "fields": []},
     {"template": "x", "fields": {}, "more": 1}, {"template": "x", "fields": {}, "plural": 3},
     {"template": "x", "fields": {}, "plural": "y"}, {"template": "x", "fields": {"count": "1"}, "plural": "y"},
     {"template": "{y}", "fields": {"y": {"z": 1}}}, "x" * (LONGEST + 1),
     {"template": "{x:99}" * 1000, "fields": {"x": 1}}, {"template": "{x}" * 1000, "fields": {"x": "y" * 1000}}],
)  # fmt: skip
def test_nonsense_is_no_message(value: object) -> None:
    with pytest.raises(ValueError, match="message"):
        from_json(value)


def test_a_message_from_elsewhere_holds_no_more_than_it_shows() -> None:
    message = from_json({"template": "{x}", "fields": {"x": 1, "count": 2, "y": {"z": 1}, "hidden": "h" * 5000}})
    assert isinstance(message, Message) and message == "1" and message.fields == {"x": 1, "count": 2}
    with pytest.raises(ValueError, match="message is longer"):  # its list is written once, not 3000 times
        from_json({"template": "{x}" * 3000, "fields": {"x": [1] * LONGEST}})
    with pytest.raises(ValueError, match="list has more"):
        from_json({"template": "{x}", "fields": {"x": [None] * (LONGEST + 1)}})


def test_no_message_from_elsewhere_commands_a_terminal() -> None:
    """Neither a plain text, nor a template, nor a field in a field."""
    found = say("{what}\x1b[2J", what=say("{each}", each=["\x9b31m", "two\nlines\tlong"]))
    read = from_json(json.loads(json.dumps(to_json(found))))
    assert read == "�31m, two\nlines\tlong�[2J" == translate(read, "es")
    assert from_json("\u202egpj\x07") == "�gpj�"


def test_nested_messages_cannot_grow_without_end() -> None:
    grown: object = "x" * 100
    for _ in range(60):
        grown = {"template": "{x}{x}", "fields": {"x": grown}}
    with pytest.raises(ValueError, match="within each other"):
        from_json(grown)
    grown = []
    for _ in range(60):
        grown = [grown]
    with pytest.raises(ValueError, match="within each other"):
        from_json({"template": "{x}", "fields": {"x": grown}})


def test_a_text_where_a_number_is_expected_is_shown_as_it_is() -> None:
    assert from_json({"template": "{x:.2f}!", "fields": {"x": "y"}}) == "y!"


def test_output_is_in_one_language() -> None:
    speaker = Speaker("es")
    assert speaker.say("{name!r} is no game", name="x") == "'x' no es un juego"
    assert speaker.say_as("action", "draw") == "robar"
    assert speaker.say_count("{count} tile of {whose}", "{count} tiles of {whose}", 1, whose="x") == "1 ficha de x"


def test_languages_are_those_that_have_a_catalogue() -> None:
    assert catalogues.languages() == ("en", "es", "pl", "pt-BR")


@pytest.mark.parametrize(
    ("header", "language"),
    [("es-MX,es;q=0.9", "es"), ("fr, pl;q=0.8, en;q=0.9", "en"), ("fr, pl;q=0.8, en;q=0.3", "pl"), ("", "en"),
     ("*", "en"), ("pt-br", "pt-BR"), ("pt-PT,pt;q=0.9,en;q=0.8", "pt-BR"), ("pt", "pt-BR"),
     ("es;q=x", "en"), ("../es", "en")],
)  # fmt: skip
def test_a_browser_is_answered_in_its_language(header: str, language: str) -> None:
    assert catalogues.accepted_language(header) == language


@pytest.mark.parametrize(
    ("setting", "language"),
    [("es_ES.UTF-8", "es"), ("es", "es"), ("C.UTF-8", "en"), ("POSIX", "en"), ("de_DE", "en"), ("pt_BR.UTF-8", "pt-BR"),
     ("pt_PT@euro", "pt-BR"), ("pt", "pt-BR"), ("Portuguese_Brazil.1252", "pt-BR"), ("Spanish_Spain", "es"),
     ("esperanto", "en")],
)  # fmt: skip
def test_the_terminal_speaks_the_language_of_the_environment(
    setting: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.setenv("LANG", setting)
    assert catalogues.preferred_language() == language


def test_a_list_of_languages_in_the_environment_comes_first_but_for_the_c_locale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LANGUAGE", "fr:pt:es")
    for setting, language in (("es_ES.UTF-8", "pt-BR"), ("C.UTF-8", "en")):
        monkeypatch.setenv("LC_ALL", setting)
        assert catalogues.preferred_language() == language


def test_a_typed_language_may_have_another_region_or_spelling() -> None:
    assert [spec.language_of("play", typed) for typed in ("pt", "PT_br", "es-AR", "en_GB")] == [
        "pt-BR", "pt-BR", "es", "en",
    ]  # fmt: skip
    with pytest.raises(InvalidOption, match="play: language=fr is none of en, es, pl, pt-BR"):
        spec.language_of("play", "fr")


def install(folder: Path, catalogues_: dict[str, str], value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package of others with these catalogues, which must not be imported to find them."""
    package = folder / "their_words"
    for path, text in catalogues_.items():
        (package / "locale" / path).parent.mkdir(parents=True, exist_ok=True)
        (package / "locale" / path).write_text(text, encoding="utf-8")
    (package / "__init__.py").write_text("raise RuntimeError('somebody imported this')")
    monkeypatch.syspath_prepend(folder)
    point = EntryPoint("theirs", value, "ludoteca.locale")
    monkeypatch.setattr(catalogues, "entry_points", lambda group: [point] if group == "ludoteca.locale" else [])
    forget()


THEIRS = """
msgid ""
msgstr "Plural-Forms: nplurals=1; plural=0;\\n"
msgid "a draw"
msgstr "otra cosa"
msgid "{count} stone"
msgid_plural "{count} stones"
msgstr[0] "piedras: {count}"
"""


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


def test_a_package_brings_its_own_catalogues(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {
        "es/LC_MESSAGES/theirs.po": THEIRS,
        "fr/LC_MESSAGES/theirs.po": THEIRS,
        "de/LC_MESSAGES/ludoteca.po": THEIRS,
    }
    install(site, texts, "their_words.locale", monkeypatch)
    stone = say_count("{count} stone", "{count} stones", 1)
    assert translate(stone, "es") == "piedras: 1"  # by their own rule for plurals
    assert translate(say("a draw"), "es") == "tablas"  # ours comes first
    assert translate(stone, "fr") == "1 stone"
    assert catalogues.languages() == ("en", "de", "es", "pl", "pt-BR")  # only a whole catalogue makes a language


@pytest.mark.filterwarnings("default")
def test_a_broken_catalogue_of_a_plugin_gives_a_warning_and_breaks_nothing(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(site, {"es/LC_MESSAGES/theirs.po": "msgid"}, "their_words.locale", monkeypatch)
    with pytest.warns(UserWarning, match=r"theirs\.po cannot be read as a catalogue: line 1"):
        assert translate(say("a draw"), "es") == "tablas"
    install(site, {}, "nobodys_words", monkeypatch)
    with pytest.warns(UserWarning, match="nobodys_words is no folder"):
        assert translate(say("a draw"), "es") == "tablas"


def test_a_damaged_catalogue_of_ours_is_an_error(catalogue: Path) -> None:
    path = catalogue / "es" / "LC_MESSAGES" / "ludoteca.po"
    path.write_text('msgid "a"\nmsgstr b\n', encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        translate(say("a"), "es")


def test_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    forget()
    monkeypatch.setattr(catalogues, "OURS", Path(catalogues.__file__).parent / "locale")
    for module in (messages, catalogues, dates):
        result = doctest.testmod(module)
        assert result.attempted and not result.failed


def test_nothing_is_minus_nothing() -> None:
    assert say("value {value:+z.2f}", value=-0.001) == "value +0.00"
