"""Our SGF grammar beside sgfmill's: the same nodes and values from the same files."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoteca.adapters.formats.sgf_nodes import Node, escaped, parse
from ludoteca.errors import InvalidFile

sgf_grammar = pytest.importorskip("sgfmill.sgf_grammar", reason="sgfmill is not installed")

values = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\v\f\t"), max_size=8)
nodes = st.dictionaries(st.sampled_from(["B", "W", "C", "SZ", "GM", "XX"]), st.lists(values, min_size=1, max_size=3))


@st.composite
def collections(draw: st.DrawFn) -> str:
    """A collection of game trees with branches, and white space wherever it may stand."""

    def tree(depth: int) -> str:
        white = draw(st.sampled_from(["", " ", "\n", "\n\n "]))
        text = "("
        for properties in draw(st.lists(nodes, min_size=1, max_size=3)):
            text += f"{white};" + "".join(
                name + "".join(f"{white}[{escaped(value)}]" for value in values) for name, values in properties.items()
            )
        if depth:
            text += white + "".join(tree(depth - 1) for _ in range(draw(st.integers(0, 2))))
        return text + ")"

    return "\n".join(tree(2) for _ in range(draw(st.integers(1, 2))))


def ours(tree: list[Node]) -> list[tuple[int, dict[str, list[str]]]]:
    return [(node.before, node.properties) for node in tree]


def theirs(coarse: Any) -> list[tuple[int, dict[str, list[str]]]]:
    found: list[tuple[int, dict[str, list[str]]]] = []

    def add(tree: Any, before: int) -> None:
        for properties in tree.sequence:
            read = {name: [sgf_grammar.text_value(value).decode() for value in raw] for name, raw in properties.items()}
            found.append((before, read))
            before = len(found) - 1
        for child in tree.children:
            add(child, before)

    add(coarse, -1)
    return found


@given(collections())
def test_both_read_the_same(text: str) -> None:
    trees = sgf_grammar.parse_sgf_collection(text.encode())
    assert [ours(tree) for tree in parse(text)] == [theirs(tree) for tree in trees]


@settings(max_examples=50)
@given(st.text(alphabet="(;)[]\\BC a\n", max_size=25))
def test_what_sgfmill_refuses_is_refused_here(text: str) -> None:
    try:
        sgf_grammar.parse_sgf_collection(text.encode())
    except ValueError:
        with pytest.raises(InvalidFile):
            parse(text)
