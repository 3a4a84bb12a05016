"""Generated folders of submissions: names, encodings, links, pipes, sizes, archives and texts that nobody expects."""

from __future__ import annotations

import contextlib
import io
import os
import socket
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.course.made import FIRST

SECRET = "the teacher's own"
LETTERS = [
    b"a", b"A", b"z", b"1", b" ", b".", b"-", b"_", b"@12345678", b":Mine", b",x=1", b"\n", b"\t", b"\x07", b"\x1b[2J",
    b"\xff", b"\xe9", "é".encode(), "e\u0301".encode(), "李".encode(), "\u202e".encode(), "\u2028".encode(),
    "\U0001f600".encode(), b"'", b'"', b"<b>", b"&", b"=1+1", b"%00", b"\\", b"$(x)", b"{x}", b"|", b"*",
]  # fmt: skip
STEMS = [
    b"solution", b"player", b"main", b"numpy", b"this.x", b"json", b"__main__", b"__init__", b"src", b"site", b"test",
    b"ludoteca", b"con", b"course", b"antigravity.a.b", b"..x",
]  # fmt: skip
ENDINGS = [b".py", b".py", b".py", b".PY", b"", b"", b".zip", b".tar.gz", b".txt", b".pyc", b".py.py", b".so"]


def name(chance: Random) -> bytes:
    """The name of a file or folder, as bytes."""
    if chance.random() < 0.3:
        stem = chance.choice(STEMS)
    elif chance.random() < 0.1:
        stem = chance.choice([b"x", b"\xff", "é".encode()]) * 250
    else:
        stem = b"".join(chance.choices(LETTERS, k=chance.randrange(1, 8)))
    found = (stem[: 255 - 8] + chance.choice(ENDINGS)).replace(b"/", b"").replace(b"\0", b"")
    return found if found not in (b"", b".", b"..") else b"x"


def text(chance: Random) -> bytes:
    """The text of a file that should be Python."""
    good = FIRST.encode()
    choices: list[Callable[[], bytes]] = [
        lambda: good,
        lambda: good,
        lambda: b"",
        lambda: b"\0" + good,
        lambda: b"\xef\xbb\xbf" + good,
        lambda: good.replace(b"\n", b"\r\n"),
        lambda: (
            b"# coding: " + chance.choice([b"utf-16", b"rot13", b"nothing", b"unicode_escape", b"utf-7"]) + b"\n" + good
        ),
        lambda: b"x = '\xe9'\n" + good,
        lambda: b"raise ValueError('\\ud800')\n",
        lambda: b"(" * chance.choice([90, 300, 5000]) + b")" * 50,
        lambda: b"-" * 20_000 + b"1",
        lambda: b"x = " + b"+".join([b"1"] * chance.choice([900, 3000, 20_000])),
        lambda: b"from " + b"." * chance.randrange(1, 40) + b" import x\nfrom . import *\n" + good,
        lambda: (
            b"import "
            + chance.choice([b"a.b.c.d", b"solution", b"torch", b"os.path", "ñandú".encode(), b"a.b"])
            + b"\n"
        ),
        lambda: b"from src.a.b import c\nimport player, board\n" + good,
        lambda: b"try:\n    import torch\nexcept:\n    pass\n" + good,
        lambda: b"class A: pass\nclass B(A):\n    def play(self, board): return 0\nclass C(B): pass\n",
        lambda: b"class " + b"X" * 3000 + b"(Player): pass\n",
        lambda: b"match = 'x" + b"y" * 100_000 + b"'\n",
        lambda: good.replace(b"return", b"raise ValueError('\\ud800' * 99)\n        return"),
        lambda: good.replace(b"return", b"import os; os._exit(0)\n        return"),
        lambda: good.replace(b"[0]", b"[0], '\\ud800' * 9999"),
        lambda: good + b"\nerror = ValueError('x')\nerror.__notes__ = [1, '\\udfff']\nraise error\n",
        lambda: good + b"\nerror = SyntaxError('x')\nerror.filename, error.text = b'\\xff', 5\nraise error\n",
        lambda: good + b"\nclass Error(Exception):\n    def __str__(self): raise self\nraise Error\n",
        lambda: bytes(chance.randrange(256) for _ in range(chance.randrange(300))),
        lambda: bytes(each ^ (chance.random() < 0.01) for each in good),
    ]
    return chance.choice(choices)()


def archive(chance: Random) -> bytes:
    """A zip: with paths that lead out, with much in little, or with nothing right in it."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(chance.choice(["../../evil.py", "/etc/evil", "solution.py", "a/" * 60 + "x"]), FIRST)
        if chance.random() < 0.2:
            file.writestr("bomb", b"\0" * (4 << 20))
    found = data.getvalue()
    return found if chance.random() < 0.7 else found[: chance.randrange(len(found))]


def put(path: bytes, chance: Random, outside: bytes, depth: int = 0) -> None:
    """Something at this path."""
    kind = chance.choices(
        ["file", "folder", "link", "loop", "pipe", "socket", "sparse", "archive", "hard link", "closed"],
        [8, 6 if depth < 3 else 0, 2, 1, 1, 1, 1, 2, 1, 1],
    )[0]
    match kind:
        case "file":
            write(path, text(chance))
        case "folder":
            os.mkdir(path)
            if chance.random() < 0.7:
                with contextlib.suppress(FileExistsError):
                    put(path + b"/solution.py", chance, outside, 3)
            for _ in range(chance.randrange(4)):
                with contextlib.suppress(FileExistsError):
                    put(path + b"/" + name(chance), chance, outside, depth + 1)
            if chance.random() < 0.03:
                os.makedirs(path + b"/d" * chance.choice([40, 120, 900]))
            if chance.random() < 0.02:
                for number in range(2100):
                    write(path + b"/%d" % number, b"")
        case "link":
            os.symlink(
                chance.choice([outside, outside + b"/solution.py", b"/etc/passwd", b"nowhere", b".", b"..", b"/"]), path
            )
        case "loop":
            os.symlink(path, path)
        case "pipe":
            os.mkfifo(path)
        case "socket":
            with (
                socket.socket(socket.AF_UNIX) as server,
                contextlib.suppress(OSError),
            ):  # a path may be too long for one
                server.bind(path)
        case "sparse":
            write(path, b"")
            os.truncate(path, chance.choice([1 << 20, 300 << 20, 1 << 42]))
        case "archive":
            write(path, archive(chance))
        case "hard link":
            os.link(outside + b"/mine.py", path)
        case "closed":
            write(path, text(chance))
            os.chmod(path, 0)


def write(path: bytes, data: bytes) -> None:
    """Write a new file."""
    with open(path, "xb") as file:
        file.write(data)


def fill(folder: Path, chance: Random) -> None:
    """Some submissions in a folder, and one that is as it should be; beside the folder what none of them may see."""
    outside = os.fsencode(folder.parent / "outside")
    os.mkdir(outside)
    write(outside + b"/solution.py", f"{FIRST}# {SECRET}".encode())
    write(outside + b"/mine.py", FIRST.encode())
    for _ in range(chance.randrange(1, 8)):
        with contextlib.suppress(FileExistsError, OSError):
            put(os.fsencode(folder) + b"/" + name(chance), chance, outside)
