"""Errors of an agent's code, explained to its author: the same on every machine, without the paths of folders."""

from __future__ import annotations

import re
import sysconfig
import traceback
from pathlib import Path

from ludoteca.errors import LudotecaError
from ludoteca.messages import Message, joined

FRAMES = 3
"""How many of the innermost lines of the player's own files a message names."""
LONGEST = 600
"""Characters that a message may have."""

_OURS = str(Path(__file__).parents[1])
_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_FOLDERS = re.compile(r"(?<![\w./~)\]])/(?:[^/\s'\"<>:]+/)+")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def explain(error: BaseException) -> str:
    """An exception as lines: the innermost one of the player's own files first, then their callers, then what it is.

    ::

        solution.py, line 12, in score: return 1 / len(paths)
        solution.py, line 30, in play: best = max(moves, key=score)
        ZeroDivisionError: division by zero

    What was raised while another exception was handled, or because of one, is explained by the first of them. What we
    raise about an agent says it all and is given as it is; so is what we have noted on an exception of theirs.
    """
    error = _first(error)
    every = traceback.extract_tb(error.__traceback__)
    others = [frame for frame in every if not _is_ours(frame.filename)]
    own = [frame for frame in others if not frame.filename.startswith(_LIBRARIES)]
    if not own and isinstance(error, LudotecaError):
        return error.message
    own = own or others or ([] if isinstance(error, SyntaxError) else every)
    lines = [_line(frame) for frame in reversed(own[-FRAMES:])]
    if isinstance(error, SyntaxError) and error.filename:
        text = f"{Path(error.filename).name}, line {error.lineno}: {(error.text or '').strip()}"
        lines.insert(0, _cut(_FOLDERS.sub("", text), 140))
        what = f"{type(error).__name__}: {error.msg}"
    else:
        what = "".join(traceback.format_exception_only(error)).strip()
    notes = [each for each in getattr(error, "__notes__", ()) if isinstance(each, Message)]
    for note in notes:
        what = what.replace(f"\n{note}", "")
    lines.append(_cut(_FOLDERS.sub("", _ADDRESS.sub("", what)), LONGEST - sum(len(line) + 1 for line in lines)))
    text = "\n".join(lines)
    return joined([text, *notes], "\n") if notes else text


_WHERE = re.compile(r"[^\n]+, line \d+(, in [^\n]+?)?: ")


def in_brief(explanation: str) -> str:
    r"""What `explain` said, or any other reason, in one line: what went wrong, and in brackets where.

    >>> in_brief("solution.py, line 12, in score: return 1 / n\nsolution.py, line 30, in play: x = score()\nIt broke")
    'It broke (solution.py, line 12, in score: return 1 / n)'
    """
    if isinstance(explanation, Message) and explanation.template.startswith("{part0}\n"):
        first, *rest = explanation.fields.values()
        return joined([in_brief(str(first)), *(each for each in rest if isinstance(each, Message))], ". ")
    lines = [line.strip() for line in explanation.splitlines() if line.strip()]
    where = [line for line in lines if _WHERE.match(line)]
    what = [line for line in lines if line not in where]
    if where and what:
        return f"{what[0]} ({where[0]})"
    return explanation if lines == [explanation] else (lines or [""])[0]


def shown(value: object) -> str:
    """What an agent answered, for a message: in one line of at most 80 characters, and the same every time.

    >>> shown(["x" * 100])
    "['xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
    """
    text = " ".join(_ADDRESS.sub("", repr(value)).split())  # an address would make equal play look different
    return _cut(text, 80)


def _first(error: BaseException) -> BaseException:
    """What this error was made from, if anything: ours about an agent are made from the agent's."""
    for _ in range(8):
        if error.__cause__ is None:
            break
        error = error.__cause__
    return error


def _is_ours(filename: str) -> bool:
    return filename.startswith((_OURS, "<frozen importlib"))


def _line(frame: traceback.FrameSummary) -> str:
    text = f"{Path(frame.filename).name}, line {frame.lineno}, in {frame.name}: {frame.line}"
    return _cut(_FOLDERS.sub("", text), 140)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
