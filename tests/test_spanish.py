"""Nothing that a player may read is left without a Spanish form: agents' notes and errors' messages."""

from __future__ import annotations

import ast
import doctest
import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import ludoteca
from ludoteca import agents, errors, spanish, words
from ludoteca.errors import LudotecaError
from ludoteca.games.kittens import ACTIONS
from ludoteca.play.match import agent_seed
from ludoteca.protocols import Decision, Limit
from ludoteca.web import phrases
from ludoteca.words import Phrasebook, Template

SOURCE = Path(ludoteca.__file__).parent
SHOWN = [
    *(SOURCE / "games").glob("*.py"),
    *(SOURCE / "agents").glob("*.py"),
    *(SOURCE / "web").rglob("*.py"),
    *(SOURCE / name for name in ("spec.py", "errors.py")),
    *(SOURCE / "arena" / f"{name}.py" for name in ("match", "limits", "sgf", "store", "answers", "hosted", "referee")),
]
"""Whose messages a page can show."""
PLACE = {"Fault": 1, "_failed": 1, "wrong": 0, "cls": 0, "NotFound": 0, "InvalidTable": 0, "Busy": 0, "Failed": 0}
PLACE |= {name: 0 for name in errors.__all__ if name != "WorkerError"}
"""What makes an error, and which of its arguments is the message."""
STANDS_FOR = {
    "said": ["act returned", "act returned a Decision whose action is"],
    "doing": ["", "to be built"],
    "specs.suggestion(name, names())": [""],
    "suggestion(card, [*DECKS, *known])": [""],
    "fields['error']": ["the match is over", "it chose {}, which is not legal"],
}
"""Where a part of a message is a phrase of its own: which ones, or nothing where it is a message around this one."""
FOREIGN = {"{}", "{}: {}"}
"""Nothing but what somebody else said."""


def forms(templates: list[Template]) -> set[str]:
    """The English sides, with ``{}`` for every field."""
    return {"{}".join(template.fixed) for template in templates}


def messages(path: Path) -> Iterator[tuple[int, str]]:
    """The messages in a file, ``{}`` standing for each part that is not written there."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            place = PLACE.get(name)
            if place is not None and len(node.args) > place:
                for text in written(node.args[place]):
                    yield node.lineno, re.sub(r"(\{\})+", "{}", text.split("\n")[0].strip())


def written(node: ast.expr) -> Iterator[str]:
    """All that an expression may come to."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        for parts in itertools.product(*(list(written(part)) for part in node.values)):
            yield "".join(parts)
    elif isinstance(node, ast.FormattedValue):
        yield from STANDS_FOR.get(ast.unparse(node.value), ["{}"])
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from written(node.left)  # what is added on the right is a suggestion
    elif isinstance(node, ast.Subscript):
        yield from written(node.value)
    else:
        yield "{}"


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_message_that_a_page_can_show_has_a_spanish_form(path: Path) -> None:
    known = forms([*spanish.MESSAGES.sentences, *spanish.MESSAGES.parts])
    missing = {f"line {line}: {text}" for line, text in messages(path) if text not in known | FOREIGN}
    assert not missing


def strings(path: Path) -> Iterator[str]:
    """All texts in a file, with ``{}`` for what is filled in."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr | ast.Constant):
            for text in written(node):
                yield re.sub(r"(\{\})+", "{}", text.split("\n")[0].strip())


def test_nothing_is_translated_that_nobody_says() -> None:
    said = {text for path in SOURCE.rglob("*.py") if path.name != "spanish.py" for text in strings(path)}
    said |= {f"{{}}: {text}" for text in said} | {"{}; did you mean {}?"}
    assert not forms(spanish.MESSAGES.sentences) - said
    # Notes and parts are put together from pieces, so their words must do.
    known = set(re.findall(r"\w+", " ".join([*said, *ACTIONS])))
    for form in forms([*spanish.NOTES.sentences, *spanish.NOTES.parts, *spanish.MESSAGES.parts]):
        assert set(re.findall(r"\w+", form)) <= known, form


@pytest.mark.parametrize("book", [spanish.NOTES, spanish.MESSAGES], ids=["notes", "messages"])
def test_no_sentence_is_taken_for_another(book: Phrasebook) -> None:
    for template in book.sentences:
        assert book("7".join(template.fixed)) == template.fill(dict.fromkeys(template.fields, "7")), template.fixed


@pytest.mark.parametrize("book", [spanish.NOTES, spanish.MESSAGES], ids=["notes", "messages"])
def test_both_languages_have_the_same_parts(book: Phrasebook) -> None:
    for template in [*book.sentences, *book.parts]:
        assert sorted(template.fields) == sorted(template.other[1::2]), template.fixed
        assert len(set(template.fields)) == len(template.fields), template.fixed


PLAYERS = [
    ("hex:size=4", "astar", None), ("hex:size=5", "astar:depth=1", None), ("hex:size=4", "astar", 1),
    ("hex:size=4", "beam", None), ("hex:size=4", "beam", 3),
    ("horses:size=5", "minimax", None), ("horses:penalty=every", "minimax:level=beginner", None),
    ("horses:size=6", "minimax", 1), ("horses:size=6", "minimax:depth=3", 300),
    ("dominoes", "tumbafichas:depth=4", None), ("dominoes:pips=3", "tumbafichas", None),
    ("dominoes:pips=4", "tumbafichas:opponent=mean,depth=3", None), ("dominoes", "tumbafichas", 1),
    ("dominoes", "tumbafichas", 400), ("dominoes:start=seat", "cases", None), ("dominoes", "cases:leave=other", None),
    ("kittens", "v1", None), ("kittens", "v1:variant=program", None), ("kittens", "v2", None),
    ("kittens:rules=original", "v2", None), ("kittens:place=any", "v2", None), ("kittens:deck=rich", "v2", None),
    ("kittens", "dqn", None), ("hex:size=4", "random", None),
]  # fmt: skip
"""A game, an agent of it, and a limit in nodes."""
ENGLISH = re.compile(
    r"\b(the|of|and|is|to|at|with|by|for|not|after|own|other|tiles?|plies|ply|draw|skip|attack|place|shuffle)\b"
)


def notes(game_spec: str, agent_spec: str, nodes: int | None) -> Iterator[str]:
    """What an agent says in both seats of matches that go on at random."""
    game, chance = ludoteca.game(game_spec), ludoteca.agent("random")
    for seed in range(24):
        match = ludoteca.Match(game, seed)
        strollers = {seat: chance(game, seat, agent_seed(seed, seat)) for seat in (0, 1)}
        players = {seat: ludoteca.agent(agent_spec)(game, seat, seed) for seat in (0, 1)}
        while (seat := match.turn) is not None:
            choice = players[seat].act(match.view(seat), Limit(nodes=nodes))
            if isinstance(choice, Decision) and choice.note:
                yield choice.note
            step = strollers[seat].act(match.view(seat), Limit())
            assert isinstance(step, int)
            match.play(step)


def test_the_notes_of_every_agent_are_looked_at() -> None:
    assert {agent.partition(":")[0] for _, agent, _ in PLAYERS} == set(agents.names())


@pytest.mark.parametrize(("game", "agent", "nodes"), PLAYERS)
def test_every_note_has_a_spanish_form(game: str, agent: str, nodes: int | None) -> None:
    said = set(notes(game, agent, nodes))
    assert said or agent == "random"
    for text in said:
        told = spanish.note(text, "es")
        assert all(spanish.NOTES(part) for part in text.split("; ")), text
        assert not ENGLISH.search(told), f"{text} became {told}"
        assert spanish.note(text, "en") == text


@pytest.mark.parametrize(
    ("wrong", "told"),
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
        (lambda: ludoteca.Match(ludoteca.game("hex:size=4"), 0, [0, 0]), "'a1' (action 0) no es legal para el asiento "
         "1 de hex:size=4; legales: b1, c1, d1, a2, b2, c2, d2, a3, b3, c3, d3, a4 y 3 más"),
    ],
)  # fmt: skip
def test_messages_are_told_whole(wrong: Callable[[], object], told: str) -> None:
    with pytest.raises(LudotecaError) as caught:
        wrong()
    assert spanish.message(str(caught.value).split("\n")[0], "es") == told


@pytest.mark.parametrize("module", [words, spanish, phrases])
def test_examples(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted and not result.failed


def test_what_is_not_ours_stays_as_it_is() -> None:
    assert spanish.note("I feel lucky", "es") == "I feel lucky"
    assert spanish.message("ZeroDivisionError: division by chance", "es") == "ZeroDivisionError: division by chance"
