"""How a player's class and its ``play`` are called, whatever parameters its author gave them.

``play(board)``, ``play(board, seconds)``, ``play(seconds, board)`` are all about, as are ``(player_id)``,
``(player_id, seconds)`` and ``(size, player_id)``. A parameter is known by a word in its name; the first that is not
known is what the call is about, and one more that must be given after it is the time.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

COURSE_SECONDS = 5.0
"""The time that a player gets as an argument where there is no limit: the course's own."""
SPARE = 0.1
"""Seconds, or the share of a limit below a second, that are kept back for the way to the referee's clock."""
WORDS: Mapping[str, frozenset[str]] = {
    "time": frozenset(
        [
            "time",
            "timeout",
            "timelimit",
            "tiempo",
            "seconds",
            "second",
            "secs",
            "sec",
            "segundos",
            "seg",
            "clock",
            "reloj",
            "deadline",
        ]
    ),
    "board": frozenset(["board", "tablero", "state", "estado", "grid"]),
    "opponent": frozenset(["opponent", "enemy", "rival", "oponente", "adversario", "contrario"]),
    "size": frozenset(["size", "dim", "dimension", "tam"]),
    "player": frozenset(["player", "jugador", "id", "playerid", "me", "colour", "color", "number", "turn", "symbol"]),
}
"""By what is offered: a parameter with one of these words in its name wants it, the first kind that fits."""


def announced_time(seconds: float | None) -> float | None:
    """The time that a player gets as an argument: its limit minus 0.1 s, or minus a tenth of a limit below a second.

    >>> announced_time(5.0), round(announced_time(0.5), 3), announced_time(None)
    (4.9, 0.45, None)
    """
    return None if seconds is None else seconds - SPARE * min(1.0, seconds)


def call(function: Callable[..., Any], about: str, offered: Mapping[str, Any]) -> Any:
    """Call a player's class or method with the arguments that its parameters ask for; a coroutine is awaited.

    about: the kind of argument that it always gets. offered: the possible arguments by kind (see `WORDS`); the time is
    None where there is no limit, and a whole number, at least 1, for a parameter that is annotated as ``int``. A
    parameter with a default keeps it, except for the time.
    """
    try:
        parameters = [*inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):  # such as of a class that is written in C
        return _awaited(function(offered[about]))
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    named = [each for each in parameters if each.kind in (*positional, inspect.Parameter.KEYWORD_ONLY)]
    variadic = any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in parameters)
    if not named:
        return _awaited(function(offered[about]) if variadic else function())
    given = _given(named, about, offered)
    before = [each.name for each in named if each.kind is inspect.Parameter.POSITIONAL_ONLY and each.name in given]
    return _awaited(function(*(given.pop(name) for name in before), **given))


def _given(parameters: list[inspect.Parameter], about: str, offered: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by parameter name."""
    kinds = _kinds(parameters, about, offered)
    given = {}
    for each in parameters:
        kind, required = kinds.get(each.name), each.default is inspect.Parameter.empty
        if kind is None:
            continue
        value = offered[kind]
        if kind == "time" and value is None and required:
            value = COURSE_SECONDS
        if kind == "time" and value is not None and each.annotation in (int, "int"):
            value = max(1, int(value))
        if required or kind == about or (kind == "time" and value is not None):
            given[each.name] = value
    return given


def _kinds(parameters: list[inspect.Parameter], about: str, offered: Mapping[str, Any]) -> dict[str, str]:
    """The kind of argument by parameter name; each kind goes to one parameter."""
    kinds: dict[str, str] = {}
    for kind in ("time", "opponent", about, *(each for each in WORDS if each not in ("time", "opponent", about))):
        if kind in offered:
            fits = (each.name for each in parameters if each.name not in kinds and _means(each.name, kind))
            if (name := next(fits, None)) is not None:
                kinds[name] = kind
    for kind in (about, "time"):  # by position where the name says nothing
        if kind not in kinds.values():
            free = [each for each in parameters if each.name not in kinds]
            needed = [each for each in free if each.default is inspect.Parameter.empty]
            for each in (needed or free[:1]) if kind == about else needed:
                kinds[each.name] = kind
                break
    return kinds


def _means(name: str, kind: str) -> bool:
    """Whether ``max_time`` or ``maxTime`` has a word of this kind."""
    words = re.sub("(?<=[a-z])([A-Z])", r"_\1", name).lower().split("_")
    return not WORDS[kind].isdisjoint(words)


def _awaited(answer: Any) -> Any:
    if not inspect.iscoroutine(answer):
        return answer
    import asyncio  # slow to import, and hardly any file needs it

    return asyncio.run(answer)
