"""The grammar of SGF (FF[4]) for any game: nodes with properties, and their offsets for error messages.

A parser of our own, because none of those on PyPI says where a file is wrong: sgfmill, the best known (its last release
is of 2018), raises ``ValueError("unexpected end of SGF data")`` and keeps no places by which an illegal move could be
found in its file. The tests compare this one with it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ludoteca.adapters.formats.format import after_white
from ludoteca.errors import InvalidFile
from ludoteca.messages import say

NAME = re.compile(r"[A-Za-z]+")
VALUE = re.compile(r"\[([^\]\\]*(?:\\.[^\]\\]*)*)\]", re.DOTALL)
BREAK = re.compile(r"\r\n|\n\r|\r|\n")


@dataclass
class Node:
    """One node of a game tree."""

    before: int
    """The index of the node before it; -1 for the root."""
    at: int
    """The offset of its semicolon in the text."""
    properties: dict[str, list[str]] = field(default_factory=dict)
    """By name the values, unescaped."""
    places: dict[str, int] = field(default_factory=dict)
    """By name the offset of the property."""

    def first(self, name: str, default: str = "") -> str:
        """The first value of a property, without white space around it."""
        return self.properties.get(name, [default])[0].strip()


def parse(text: str) -> list[list[Node]]:
    """The game trees of a collection, each as its nodes in the order of the file; so the root is the first.

    What stands before, between and after the trees is passed over, as the standard says. Raises InvalidFile.
    """
    trees: list[list[Node]] = []
    at = 0
    while (start := text.find("(", at)) >= 0:
        nodes, at = _tree(text, start)
        trees.append(nodes)
    if (stray := text.find(")", at)) >= 0:
        raise InvalidFile.at(text, stray, say("a ) without its ("))
    if not trees:
        raise InvalidFile.at(text, 0, say("this is no SGF: it should look like (;FF[4]GM[11]SZ[11];B[a1]…)"))
    return trees


def _tree(text: str, start: int) -> tuple[list[Node], int]:
    """The nodes of the tree that begins here, and the offset of its end."""
    nodes: list[Node] = []
    branches: list[tuple[int, int, int]] = []  # where a branch began, the node before it, how many nodes there were
    current, at = -1, start
    while True:
        at = after_white(text, at)
        character = text[at : at + 1]
        if character == "(":
            if branches and len(nodes) == branches[-1][2]:
                raise InvalidFile.at(text, at, say("a branch must begin with a node, as in (;B[a1])"))
            branches.append((at, current, len(nodes)))
            at += 1
        elif character == ")":
            _, current, before = branches.pop()
            if len(nodes) == before:
                raise InvalidFile.at(text, at, say("a branch must begin with a node, as in (;B[a1])"))
            at += 1
            if not branches:
                return nodes, at
        elif character == ";":
            nodes.append(Node(current, at))
            current = len(nodes) - 1
            at = _properties(text, at + 1, nodes[-1])
        elif character == "":
            raise InvalidFile.at(text, branches[-1][0], say("this ( has no ): the file ends before"))
        else:
            found = text[at : at + 20]
            raise InvalidFile.at(text, at, "{text!r} stands where a node should begin, with a ;", text=found)


def _properties(text: str, at: int, node: Node) -> int:
    """Reads the properties of a node; returns where they end."""
    while name := NAME.match(text, at := after_white(text, at)):
        at = after_white(text, name.end())
        if text[at : at + 1] != "[":
            why = say("the property {name} has no value in brackets", name=name[0][:20])
            raise InvalidFile.at(text, name.start(), why)
        values = node.properties.setdefault("".join(letter for letter in name[0] if letter.isupper()), [])
        node.places.setdefault("".join(letter for letter in name[0] if letter.isupper()), name.start())
        while text[at : at + 1] == "[":
            value = VALUE.match(text, at)
            if value is None:
                raise InvalidFile.at(text, at, say("this [ has no ]: the file ends before"))
            values.append(_plain(value[1]))
            at = after_white(text, value.end())
    return at


def _plain(value: str) -> str:
    """A value unescaped: wrapped lines are joined, and white space is blanks and line ends."""
    lines = BREAK.sub("\n", value)
    plain = re.sub(r"\\(.)", lambda found: "" if found[1] == "\n" else found[1], lines, flags=re.DOTALL)
    return re.sub(r"[\t\v\f]", " ", plain)


def escaped(text: str) -> str:
    """A text escaped for the brackets of a property."""
    return re.sub(r"([\]\\])", r"\\\1", text)
