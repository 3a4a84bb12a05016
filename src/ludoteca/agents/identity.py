"""What an agent is known by: its name, its options and a digest of what decides its play."""

from __future__ import annotations

import hashlib
import inspect
import sys
from dataclasses import dataclass
from pathlib import Path

from ludoteca import _core
from ludoteca.agents import registry
from ludoteca.errors import InvalidAgent
from ludoteca.spec import split

__all__ = ["Identity", "identity_of"]


@dataclass(frozen=True)
class Identity:
    """An agent of one version. Equal identities may share results; different ones never do."""

    spec: str
    """Its shortest spec."""
    digest: str
    """8 hexadecimal digits of what decides its play."""

    def __str__(self) -> str:
        return f"{self.spec}@{self.digest}"

    @classmethod
    def parse(cls, text: str) -> Identity:
        """What `str` wrote."""
        spec, _, digest = text.rpartition("@")
        return cls(spec or digest, digest if spec else "")


def identity_of(spec: str) -> Identity:
    """The identity of the agent that a spec names now. Raises InvalidAgent and InvalidOption."""
    short = registry.canonical(spec)
    if registry.is_file(spec):
        path, _, version = short.rpartition("@")
        return Identity(path, version)
    kind = registry.agent_class(split(short, InvalidAgent)[0])
    return Identity(short, _digest(Path(inspect.getfile(sys.modules[kind.__module__]))))


def _digest(file: Path) -> str:
    total = hashlib.sha256(getattr(_core, "DIGEST", "").encode())
    total.update(file.read_bytes())
    return total.hexdigest()[:8]
