"""Who an agent is: its name, its options and a digest of everything that decides its play."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final, Self

from ludoteca import spec as specs
from ludoteca.errors import InvalidAgent
from ludoteca.messages import printable

DIGITS: Final = 32
"""Hexadecimal digits of a digest: 128 bits, so that no two agents ever share one by chance."""
SHOWN: Final = 8
"""Digits that people read, and the fewest that they may type."""
_PATH = re.compile(r"(?<==)[^,=\"]*/[^,=\"]+")
"""An option's value that is a path."""
_VERSION = re.compile(rf"@([0-9a-f]{{{SHOWN},{DIGITS}}})$")


@dataclass(frozen=True, order=True)
class Identity:
    """An agent as results know it. Equal identities may share results, different ones never do.

    >>> print(Identity("minimax:depth=4", "1f3a9c20" + "0" * 24))
    minimax:depth=4@1f3a9c20
    """

    spec: str
    """Its name and options; see `canonical`."""
    digest: str = ""
    """32 hexadecimal digits; empty where the code behind the name is unknown."""

    def __str__(self) -> str:
        """For people and log lines: two agents may read the same."""
        return f"{self.spec}@{self.digest[:SHOWN]}" if self.digest else self.spec

    def is_called(self, text: str) -> bool:
        """Whether a person who typed this text means this agent: its spec, or its spec and the digest's beginning."""
        spec, prefix = split_version(text)
        return spec == self.spec and self.digest.startswith(prefix)

    def to_json(self) -> dict[str, str]:
        """As a dictionary that JSON can hold."""
        return {"agent": self.spec, "digest": self.digest}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        """What `to_json` made. Raises ValueError."""
        spec, digest = fields.get("agent"), fields.get("digest")
        if not (isinstance(spec, str) and spec and isinstance(digest, str)):
            raise ValueError(f"an agent is a name and a digest, not {str(fields)[:80]}")
        return cls(spec, digest)


PERSON: Final = Identity("person")
"""Stands for a person where results are counted by identities."""


def split_version(text: str) -> tuple[str, str]:
    """``name@digest`` as a person types it: the name, and the digest's first digits, at least 8; mostly empty.

    >>> split_version("minimax:depth=4@1f3a9c20")
    ('minimax:depth=4', '1f3a9c20')
    >>> split_version("ana@home")
    ('ana@home', '')
    """
    text = text.strip()
    found = _VERSION.search(text)
    return (text[: found.start()], found[1]) if found else (text, "")


def short_names(identities: Iterable[Identity]) -> dict[Identity, str]:
    """What people read for each agent: see `short_spec`; with the digest, or else a number, where two read the same.

    >>> [*short_names([Identity("astar:depth=4"), Identity("/home/a/solution.py")]).values()]
    ['astar:depth=4', 'a/solution.py']
    >>> [*short_names([Identity("random", "1" * 32), Identity("random", "2" * 32)]).values()]
    ['random@11111111', 'random@22222222']
    """
    plain = {each: short_spec(each.spec) for each in identities}
    often = Counter(plain.values())
    versioned = {each: str(Identity(name, each.digest)) if often[name] > 1 else name for each, name in plain.items()}
    names: dict[Identity, str] = {}
    seen: Counter[str] = Counter()
    for each, name in versioned.items():
        seen[name] += 1
        names[each] = name if seen[name] == 1 else f"{name} ({seen[name]})"
    return names


def short_spec(spec: str) -> str:
    """A spec without the folders of the paths in it: each keeps its last folder, which tells students' files apart.

    >>> short_spec("/srv/course/ana/solution.py:SmartPlayer"), short_spec("dqn:weights=/srv/nets/a.onnx")
    ('ana/solution.py:SmartPlayer', 'dqn:weights=nets/a.onnx')
    >>> short_spec("htp:command=/usr/bin/mohex --fast,log=/tmp/log")
    'htp:mohex --fast'
    """
    spec = printable(spec)
    if spec.startswith("htp:"):
        program, _, arguments = specs.split(spec, InvalidAgent)[1].get("command", "").partition(" ")
        return f"htp:{PurePath(program).name} {arguments}".rstrip()
    name, colon, options = spec.partition(":")
    return _last_parts(name) + colon + _PATH.sub(lambda found: _last_parts(found[0]), options)


def _last_parts(path: str) -> str:
    return "/".join(PurePath(path).parts[-2:])
