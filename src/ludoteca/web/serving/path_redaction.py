"""Removes the server's folders from texts for visitors: only the last part of a path stays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

__all__ = ["DIGEST", "AgentNames", "redact_agent", "redact_paths"]

QUOTED = re.compile(r"(?P<quote>['\"`])~?/(?:(?!(?P=quote)).)*(?P=quote)")
BARE = re.compile(r"(?<![\w/.<~])(?:~\w*)?/[^\s'\"`<>|:,;()\[\]{}=]+")
"""A path begins with a slash or a home folder: ``b1/B@b1`` and ``60s/match`` are no paths."""


DIGEST = re.compile(r"@[0-9a-f]{8}$")
"""What an agent's identity ends with."""


def redact_paths(text: str) -> str:
    """A message without the folders of the files that it names.

    >>> redact_paths("FileNotFoundError: [Errno 2] No such file or directory: '/home/ana/my nets/net.onnx'")
    "FileNotFoundError: [Errno 2] No such file or directory: 'net.onnx'"
    """
    quoted = QUOTED.sub(lambda found: found["quote"] + _last(found[0].strip("'\"`")) + found["quote"], text)
    return BARE.sub(lambda found: _last(found[0]), quoted)


def redact_agent(spec: str) -> str:
    """What to call an agent: of a file's path the folder that it lies in, by which students are told apart, and itself.

    >>> redact_agent("/srv/course/ana/solution.py:SmartPlayer@1f3a9c20")
    'ana/solution.py:SmartPlayer@1f3a9c20'
    """
    return BARE.sub(lambda found: "/".join(found[0].strip("/").split("/")[-2:]), spec)


class AgentNames:
    """What to call the agents of a run: without their digests, unless two differ in nothing else.

    >>> called = AgentNames(["astar@1f3a9c20", "random@563ac833", "random@00000000"])
    >>> called("astar@1f3a9c20"), called("random@563ac833")
    ('astar', 'random@563ac833')
    """

    def __init__(self, agents: Iterable[str]) -> None:
        plain = {agent: DIGEST.sub("", redact_agent(agent)) for agent in agents}
        count = Counter(plain.values())
        self._names = {agent: name if count[name] == 1 else redact_agent(agent) for agent, name in plain.items()}

    def __call__(self, agent: str) -> str:
        """The name of an agent by its identity."""
        return self._names.get(agent) or DIGEST.sub("", redact_agent(agent))


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2] or "…"
