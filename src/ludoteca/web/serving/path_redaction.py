"""Removes the server's folders from texts for visitors: only the last part of a path stays."""

from __future__ import annotations

import re

QUOTED = re.compile(r"(?P<quote>['\"`])~?/(?:(?!(?P=quote)).)*(?P=quote)")
BARE = re.compile(r"(?<![\w/.<~])(?:~\w*)?/[^\s'\"`<>|:,;()\[\]{}=]+")
"""A path begins with a slash or a home folder: ``b1/B@b1`` and ``60s/match`` are no paths."""


def redact_paths(text: str) -> str:
    """A message without the folders of the files that it names.

    >>> redact_paths("FileNotFoundError: [Errno 2] No such file or directory: '/home/ana/my nets/net.onnx'")
    "FileNotFoundError: [Errno 2] No such file or directory: 'net.onnx'"
    """
    quoted = QUOTED.sub(lambda found: found["quote"] + _last(found[0].strip("'\"`")) + found["quote"], text)
    return BARE.sub(lambda found: _last(found[0]), quoted)


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2] or "…"
