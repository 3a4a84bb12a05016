"""``--json``: the report of a command for scripts, one JSON document on the standard output.

Every document has the key ``kind``, which names its place in the schema, and ``version``. There are no infinities and
no NaN: a number without a limit is null. Progress goes to the standard error.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON document instead, for scripts; see docs/formats.md.")
]
VERSION = 1
"""Of all documents: grows when a key is removed or changes its meaning, not when one is added."""


def print_json(kind: str, fields: Mapping[str, Any]) -> None:
    """Write a document to the standard output."""
    document = {"kind": kind, "version": VERSION, **fields}
    json.dump(plain(document), sys.stdout, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write("\n")


def plain(value: Any) -> Any:
    """A value of JSON's types; what is not finite becomes null.

    >>> plain({"elo": float("inf"), "agents": ("a", "b")})
    {'elo': None, 'agents': ['a', 'b']}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, str | int | None):
        return value if value is None or isinstance(value, bool | int) else str(value)
    if isinstance(value, Sequence):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return str(value)
