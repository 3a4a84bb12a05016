"""What our games, agents and errors say is said whole in every language that we have, and the check would notice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ludoteca
from ludoteca import agents, games, spec
from ludoteca.catalogues import look_up
from ludoteca.errors import LudotecaError
from ludoteca.messages import Field, Message, translate
from ludoteca.protocols import Decision, Limit
from tools import words

PLAYERS = [
    ("hex:size=4", "astar", None), ("hex:size=5", "astar:depth=1", None), ("hex:size=4", "astar", 1),
    ("hex:size=4", "beam", None), ("hex:size=4", "beam", 3), ("hex:size=3", "mcts", None), ("hex:size=3", "mcts", 1),
    ("hex:size=5", "engine", 300), ("hex:size=3", "engine", 2000), ("hex:size=5", "engine", 0),
    ("hex:size=5", "engine:level=1", 50), ("hex:size=5", "engine:network=none", 300),
    ("hex:size=5", "engine:network=none", 0), ("hex:size=4,swap=true", "zero", 20), ("hex:size=3", "zero", 300),
    ("horses:size=5", "mcts", 100), ("dominoes:pips=3", "mcts", 0),
    ("kittens", "mcts", 20),
    ("horses:size=5", "engine", 300), ("horses:size=5", "engine:level=2", 300), ("horses:size=6", "engine", 1),
    ("dominoes", "engine", 2000), ("dominoes:pips=3", "engine", 1), ("dominoes:variant=block", "engine:level=3", 500),
    ("kittens", "engine", 300), ("kittens:rules=original", "engine", 300), ("kittens", "engine:level=1", 100),
    ("horses:size=5", "minimax", None), ("horses:penalty=every", "minimax:level=beginner", None),
    ("horses:size=6", "minimax", 1), ("horses:size=6", "minimax:depth=3", 300),
    ("dominoes", "tumbafichas:depth=4", None), ("dominoes:pips=3", "tumbafichas", None),
    ("dominoes:pips=4", "tumbafichas:opponent=mean,depth=3", None), ("dominoes", "tumbafichas", 1),
    ("dominoes", "tumbafichas", 400), ("dominoes:start=seat", "cases", None), ("dominoes", "cases:reading=ours", None),
    ("dominoes", "tumbafichas:variant=program", 400), ("horses:size=5,charge=stuck", "minimax", None),
    ("kittens", "v1", None), ("kittens", "v1:variant=program", None), ("kittens", "v2", None),
    ("kittens:rules=original", "v2", None), ("kittens:place=any", "v2", None), ("kittens:deck=rich", "v2", None),
    ("kittens", "dqn", None), ("hex:size=4", "random", None),
]  # fmt: skip
"""A game, an agent of it, and a limit in nodes."""
OTHERS = [tag.replace("_", "-") for tag in words.complete()]


def untranslated(text: Field, language: str) -> Iterator[str]:
    """The parts of a text with letters of their own that no catalogue of a language has; plain texts are notation."""
    if isinstance(text, tuple):
        for part in text:
            yield from untranslated(part, language)
    elif isinstance(text, Message):
        for part in text.fields.values():
            yield from untranslated(part, language)
        fixed = re.sub(r"\{\w+[^}]*\}", "", text.template)
        if re.search("[^\\W\\d_]", fixed) and look_up(language, text.template, text.context) is None:
            yield text.template


def notes(game_spec: str, agent_spec: str, nodes: int | None) -> Iterator[str]:
    """The notes and reasons of an agent in both seats of matches that go on at random."""
    game, chance = ludoteca.game(game_spec), ludoteca.agent("random")
    for seed in range(8):
        state = game.deal(seed)
        players = {seat: ludoteca.agent(agent_spec)(game, seat, seed) for seat in (0, 1)}
        while (seat := state.turn) is not None:
            choice = players[seat].act(state.view(seat), Limit(nodes=nodes))
            if isinstance(choice, Decision):
                yield from filter(None, (choice.note, *(reason.text for reason in choice.reasons)))
            step = chance(game, seat, seed + len(state.legal())).act(state.view(seat), Limit())
            state.apply(step.action if isinstance(step, Decision) else step)


def test_the_notes_of_every_agent_are_looked_at() -> None:
    assert {agent.partition(":")[0] for _, agent, _ in PLAYERS} == set(agents.names())


@pytest.mark.parametrize(("game", "agent", "nodes"), PLAYERS)
def test_every_note_and_reason_is_said_in_every_language(game: str, agent: str, nodes: int | None) -> None:
    said = list(notes(game, agent, nodes))
    assert said
    for note in said:
        assert isinstance(note, Message), note
        for language in OTHERS:
            assert not [*untranslated(note, language)]
            assert translate(note, language) != note or note.startswith("Q: ")


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (lambda: ludoteca.game("hexx"),
         "ningún juego se llama 'hexx'; los juegos son dominoes, hex, horses, kittens; ¿querías decir 'hex'?"),
        (lambda: ludoteca.game("hex:size=99"), "hex: size=99 debe ser un número entero de 1 a 19"),
        (lambda: ludoteca.game("hex:size=x"), "hex: size=x no es un número entero; por ejemplo size=11"),
        (lambda: ludoteca.game("hex:sise=5"), "hex no tiene la opción 'sise'; sus opciones son size, orientation, "
         "layout, swap; ¿querías decir 'size'?"),
        (lambda: ludoteca.game("horses:layout=W@a1"), "horses: layout=W@a1: falta el caballo B; hacen falta W y B, "
         "como en W@b1/B@g8/+10@c3/-5@f6"),
        (lambda: ludoteca.game("horses").parse_action("z9"), "'z9' no es una acción de horses: las acciones son de a8 "
         "(arriba, izquierda) a h1 (abajo, derecha) y pass"),
        (lambda: ludoteca.game("kittens:deck=bom4"), "kittens: deck=bom4 no es un mazo ni números de cartas: es uno de "
         "v2, rich, v1, o números como bomb4+safe9 de bomb, defuse, skip, attack, see, bottom, shuffle, safe; "
         "¿querías decir 'bomb'?"),
        (lambda: ludoteca.game("kittens:deck=bomb99"), "kittens: deck=bomb99 tiene 99 cartas, no de 1 a 60"),
        (lambda: applied("hex:size=4", 0, 0), "'a1' (acción 0) no es legal para el asiento 1 de hex:size=4; "
         "legales: b1, c1, d1, a2, b2, c2, d2, a3, b3, c3, d3, a4 y 3 más"),
        (lambda: applied("kittens", 6), "'ver' (acción 6) no es legal para el asiento 0 de kittens; "
         "legales: robar, saltar, atacar"),
    ],
)  # fmt: skip
def test_errors_are_translated_whole(wrong: Callable[[], object], reason: str) -> None:
    with pytest.raises(LudotecaError) as caught:
        wrong()
    assert str(caught.value) == caught.value.message
    assert translate(caught.value.message, "es").split("\n")[0] == reason


def applied(spec: str, *actions: int) -> None:
    """Plays from a deal."""
    state = ludoteca.game(spec).deal(0)
    for action in actions:
        state.apply(action)


def test_errors_of_other_packages_are_shown_as_they_are() -> None:
    assert LudotecaError("I broke").message == "I broke"
    assert LudotecaError().message == ""


@pytest.mark.parametrize("language", OTHERS)
def test_every_option_has_words_for_people(language: str) -> None:
    known = [
        (name, option)
        for name in [*games.names(), *games.unlisted()]
        for option in spec.options(games.game_class(name))
    ]
    for name in [*agents.names(), *agents.unlisted()]:
        known += [(name, option) for option in spec.options(agents.agent_class(name), skip=agents.GIVEN)]
    for owner, option in known:
        said = [option.title, option.help, *(option.value_title(value) for value in option.choices)]
        for text in said:
            assert isinstance(text, Message), (owner, option.name, text)
            assert look_up(language, text.template) is not None, text
        assert len(set(said)) == len(said)


def test_options_of_others_need_no_words() -> None:
    def agent(game: object, seat: int, seed: int, max_depth: int = 3, bold: bool = False) -> None:
        """Somebody's agent."""

    depth, bold = spec.options(agent, skip=3)
    assert (depth.title, depth.help, depth.value_title("7")) == ("max depth", "", "7")
    assert [translate(bold.value_title(value), "es") for value in bold.choices] == ["no", "sí"]


@pytest.mark.parametrize("path", words.catalogues(words.OURS), ids=lambda path: path.parts[-3])
def test_words_that_people_type_differ_from_each_other(path: Path) -> None:
    for context in ("command", "action", "card", "drawn", "side"):
        typed = [str(entry.string).lower() for entry in words.read(path) if entry.context == context and entry.string]
        assert len(typed) > 2 and len(set(typed)) == len(typed), context


@pytest.mark.parametrize("spec_of", ["hex", "horses", "dominoes", "kittens:rules=original", "kittens:place=any"])
def test_names_of_actions_are_notation_and_words(spec_of: str) -> None:
    game = ludoteca.game(spec_of)
    for action in range(game.num_actions):
        name = game.action_name(action)
        assert game.parse_action(str(name)) == action
        assert not [*untranslated(name, "es")]
    if spec_of == "kittens:place=any":
        assert translate(game.action_name(12), "es") == "bomba a 3"
        assert translate(game.public_name(12), "es") == "poner la bomba"


# The check of our own catalogues is a part of `make check`; here are catalogues that it must refuse.


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with a Spanish catalogue that is in order."""
    (tmp_path / "code.py").write_text('say("one {thing}", thing=1)\nsay_count("{count} tile", "{count} tiles", 3)\n')
    words.update(tmp_path, "es")
    path = words.catalogues(tmp_path)[0]
    text = path.read_text().replace('msgid "one {thing}"\nmsgstr ""', 'msgid "one {thing}"\nmsgstr "una {thing}"')
    path.write_text(text.replace('[0] ""', '[0] "{count} ficha"').replace('[1] ""', '[1] "{count} fichas"'))
    words.extract.cache_clear()
    assert not [*words.complaints([tmp_path], ["es"])]
    return tmp_path


UNFINISHED = ("not translated", "fuzzy", "missing", "stale")
"""What is an error only in a language that is declared complete."""


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("una {thing}", "", UNFINISHED[0]),
        ("una {thing}", "una {cosa}", "other fields"),
        ("una {thing}", "una", "other fields"),
        ("una {thing}", "una {thing.__class__}", "no plain name"),
        ("{count} fichas", "", UNFINISHED[0]),
        ("{count} fichas", "{thing} fichas", "other fields"),
        ('msgstr[1] "{count} fichas"', "", UNFINISHED[0]),
        ('msgstr "una {thing}"', "msgstr una", "is no line of a catalogue"),
        ('msgid "one {thing}"', '#, fuzzy\nmsgid "one {thing}"', UNFINISHED[1]),
        ('msgid "one {thing}"', 'msgid "two {thing}"', UNFINISHED[2]),
        ('msgid "one {thing}"', 'msgid "two {thing}"', UNFINISHED[3]),
        ('msgid "one {thing}"\nmsgstr "una {thing}"', '#~ msgid "old"\n#~ msgstr "viejo"', UNFINISHED[3]),
    ],
)
def test_a_damaged_catalogue_is_noticed_and_an_unfinished_one_where_it_is_declared_complete(
    package: Path, old: str, new: str, complaint: str
) -> None:
    path = words.catalogues(package)[0]
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    assert any(complaint in each for each in words.complaints([package], ["es"]))
    assert any(words.complaints([package], [])) == (complaint not in UNFINISHED)


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("say('two {thing}')", "fields"),
        ("say('two', thing=1)", "fields"),
        ("say(text)", "literal"),
        ("say('two {thing}', **fields)", "literal"),
        ("say('two {thing.name}', thing=1)", "fields"),
        ("visit.say_count('{count} thing', things, 2)", "literal"),
        ("say_as('card', 'two {thing}')", "fields"),
        ("raise InvalidOption(f'{x} is wrong')", "not said"),
        ("raise InvalidOption('wrong')", "not said"),
        ("raise Fault(Ending.error, 'wrong ' + why)", "not said"),
        ("Decision(3, note='because')", "not said"),
    ],
)
def test_what_is_not_said_well_is_noticed(package: Path, code: str, complaint: str) -> None:
    (package / "more.py").write_text(code)
    assert any("more.py: line 1" in each and complaint in each for each in words.complaints([package]))


def test_two_plurals_of_one_text_are_noticed(package: Path) -> None:
    (package / "more.py").write_text("say_count('{count} tile', '{count} other tiles', 3)")
    assert any("the plural of '{count} tile' is" in each for each in words.complaints([package]))


def test_an_update_keeps_translations_and_drops_unused_ones(package: Path) -> None:
    (package / "code.py").write_text('say("one {thing}", thing=1)\nsay("new")\n')
    words.extract.cache_clear()
    words.update(package, "es")
    text = words.catalogues(package)[0].read_text()
    assert 'msgstr "una {thing}"' in text and 'msgid "new"\nmsgstr ""' in text and "ficha" not in text


def test_a_comment_for_translators_stands_above_the_text_in_the_catalogue(package: Path) -> None:
    note = "# Translators: of wood,\n# not of clay"
    (package / "code.py").write_text(f"{note}\nsay('tile')\n# not for translators\nsay('box')\n{note}\n\nsay('lid')\n")
    words.extract.cache_clear()
    words.update(package, "es")
    text = words.catalogues(package)[0].read_text()
    assert '#. of wood, not of clay\n#: code.py\nmsgid "tile"' in text and text.count("#. ") == 1


def test_a_new_language_brings_its_own_name(package: Path) -> None:
    (package / "code.py").write_text('say("English")\n')
    words.extract.cache_clear()
    words.update(package, "pt-BR")
    made = package / "locale" / "pt_BR" / "LC_MESSAGES" / f"{package.name}.po"
    assert 'msgid "English"\nmsgstr "Português (Brasil)"' in made.read_text("utf-8")
    assert "nplurals=2; plural=(n > 1)" in made.read_text("utf-8")
