"""Who an agent is: its name, its options and a digest of what decides its play. Edited code is another agent."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from ludoteca import _core
from ludoteca import spec as specs
from ludoteca.agents import entries, files, sources
from ludoteca.agents.descriptions import canonical, describe
from ludoteca.agents.sources import Sources
from ludoteca.errors import InvalidAgent
from ludoteca.messages import say

__all__ = ["Identity", "identity_of", "state_of"]


@dataclass(frozen=True)
class Identity:
    """An agent as results know it. Equal identities may share results, different ones never do.

    >>> Identity.parse("minimax:depth=4@1f3a9c20")
    Identity(spec='minimax:depth=4', digest='1f3a9c20')
    """

    spec: str
    """Its name and options: see `canonical`."""
    digest: str = ""
    """Eight hexadecimal digits; empty where nobody knows, as in old records."""

    def __str__(self) -> str:
        return f"{self.spec}@{self.digest}" if self.digest else self.spec

    @classmethod
    def parse(cls, text: str) -> Self:
        """What `str` wrote; the digest may be missing."""
        found = entries.VERSION.search(text)
        return cls(text[: found.start()], found[1]) if found else cls(text)


def identity_of(text: str) -> Identity:
    """The identity of the agent that a text names as it is now. Runs no stranger's code in this process.

    Raises InvalidAgent, also where the text says a digest and the agent has been changed since; and InvalidOption.
    """
    named = Identity.parse(text.strip())
    spec = canonical(named.spec)
    digest = _digest(spec)
    if named.digest and named.digest != digest:
        raise InvalidAgent(
            say(
                "{agent} has been changed since: it is {agent}@{now} now, not {agent}@{then}",
                agent=entries.short_name(spec),
                now=digest,
                then=named.digest,
            )
        )
    return Identity(spec, digest)


def state_of(identity: Identity) -> object:
    """Something that is different when a file behind the agent has been touched; cheaper than its digest."""
    return sources.state(_sources(identity.spec))


def _digest(spec: str) -> str:
    whole = hashlib.sha256()
    for name, path in sorted(_sources(spec).items()):
        whole.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    if entries.is_ours(spec):
        whole.update(_core.DIGEST.encode())
    return whole.hexdigest()[:8]


def _sources(spec: str) -> Sources:
    """All the files that decide how the agent of a canonical spec plays."""
    if entries.is_file(spec):
        return sources.of_file(files.source_file(spec))
    name, texts = specs.split(spec, InvalidAgent)
    module = entries.module_of(name)
    if not entries.is_ours(name):
        return sources.of_module(module) | _named_files(texts)
    own = sources.of_ours(module)
    learnt = [option.name for option in describe(name).options if option.opens_file]
    if not any(option in texts for option in learnt):  # it plays by what we ship, if it plays by a network at all
        kinds = [f"{game}-*.onnx" for game in describe(name).games or ()] if learnt else []
        kinds += ["*-zero.onnx"] if BOARDS in own else []
        own |= {path.name: path for kind in kinds for path in (entries.PACKAGE / "weights").glob(kind)}
    return own | _named_files(texts)


BOARDS = "agents/networks.py"
"""Whoever imports this plays by the networks of boards that come with us."""


def _named_files(texts: dict[str, str]) -> Sources:
    """The files that options name, whatever they are called there; of a command line the program and its scripts.

    A log is written, not read: it decides nothing.
    """
    words = [(option, word) for option, text in texts.items() if option != "log"
             for word in (text.split() if option == "command" else [text])]  # fmt: skip
    paths = [(option, Path(word).expanduser()) for option, word in words]
    return {f"{option}={number or ''}": path for number, (option, path) in enumerate(paths) if path.is_file()}
