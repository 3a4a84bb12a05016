"""Generated replies of an agent's process: decisions, faults and bytes, right in parts and wrong in others."""

from __future__ import annotations

import json
import struct
from random import Random
from typing import Any

TEXTS = [
    "", "a", "\ud800", "\udcff x", "\x00", "\x1b[31m", "\u202e", "é", "{name}", "{name!r:>9}", "{0}", "{", "{{",
    "{a.b}", "x" * 700, "x" * 20_000, "\n" * 50, "\U0001f600",
]  # fmt: skip
NAMES = ["name", "count", "\ud800", "a b", "", "part0", "template", "x" * 300]


def value(chance: Random, depth: int = 0) -> Any:
    """Any JSON value."""
    simple = [
        None, True, False, 0, 1, -1, 7, 2**31, 2**63, 2**64, -(2**70), 10**400, 0.5, -0.0, 1e308, float("nan"),
        float("inf"), *TEXTS,
    ]  # fmt: skip
    if depth > 4 or chance.random() < 0.6:
        return chance.choice(simple)
    if chance.random() < 0.5:
        return [value(chance, depth + 1) for _ in range(chance.randrange(5))]
    return {chance.choice([*NAMES, *TEXTS[:6]]): value(chance, depth + 1) for _ in range(chance.randrange(5))}


def message(chance: Random, depth: int = 0) -> Any:
    """A message, more or less: a template with its fields."""
    if chance.random() < 0.3:
        return chance.choice(TEXTS)
    found: dict[str, Any] = {"template": chance.choice(TEXTS), "fields": {}}
    for _ in range(chance.randrange(4)):
        deeper = depth < 12 and chance.random() < 0.4
        found["fields"][chance.choice(NAMES)] = message(chance, depth + 1) if deeper else value(chance, 3)
    if chance.random() < 0.3:
        found["plural"] = chance.choice(TEXTS)
    if chance.random() < 0.3:
        found["context"] = chance.choice(TEXTS)
    if chance.random() < 0.1:
        found[chance.choice(NAMES)] = value(chance)
    return found


def reply(chance: Random) -> bytes:
    """The payload of a decision or of a fault."""
    parts = {
        "action": chance.choice([0, 1, 5, 48, 49, -1, 2**40, True, None, "a", 1.0]),
        "value": value(chance),
        "scores": [[chance.randrange(-2, 60), value(chance, 5)] for _ in range(chance.randrange(9))],
        "line": [chance.randrange(-2, 60) for _ in range(chance.randrange(300))], "note": message(chance),
        "nodes": value(chance), "depth": value(chance), "proven": value(chance),
        "ending": chance.choice(["error", "illegal", "finished", "nothing", 3]), "message": message(chance),
    }  # fmt: skip
    for name in chance.sample([*parts], chance.randrange(4)):
        parts[name] = value(chance)
    for name in chance.sample([*parts], chance.randrange(4)):
        del parts[name]
    data = json.dumps(parts, ensure_ascii=chance.random() < 0.9).encode(errors="surrogatepass")
    way = chance.random()
    if way < 0.1:
        return data[: chance.randrange(len(data))]
    if way < 0.2:
        at = chance.randrange(len(data))
        return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
    if way < 0.25:
        return chance.choice([b"[" * 100_000, b"", b"9" * 20, b"9" * 5000, b"-1", b"null", b'{"action":' * 5000])
    return data


def frames(chance: Random) -> bytes:
    """What a process may write to its wire: frames, wrong lengths, and bytes."""
    found = b""
    for _ in range(chance.randrange(6)):
        payload = reply(chance)
        length = chance.choice([len(payload)] * 4 + [0, len(payload) + 7, 2**32 - 1, 1 << 18, (1 << 18) + 1])
        found += struct.pack(
            "<cII", chance.choice([b"A", b"T", b"F", b"R", b"\0"]), chance.choice([1, 0, 2**32 - 1]), length
        )
        found += payload
    return found if chance.random() < 0.8 else found + chance.randbytes(chance.randrange(40))
