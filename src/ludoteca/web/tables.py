"""All tables of all visitors, on disk and in memory.

::

    <folder>/<digest of the visitor>/<table>.jsonl

A visitor is known by a signed cookie, a table by an unguessable key in its address. Looking a table up takes both, so
that nobody finds another visitor's match, not even with its address.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from ludoteca.messages import say
from ludoteca.web.table import Cleared, Head, InvalidTable, Table, check_head

__all__ = ["Tables", "default_folder", "fresh_seed"]

KEY = re.compile(r"[A-Za-z0-9_-]{22}")
OPEN_AT_ONCE = 2000  # tables kept in memory; the rest is read again when somebody comes back


def default_folder() -> Path:
    """Where tables are kept, by the XDG convention."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "ludoteca" / "tables"


def fresh_seed() -> int:
    """A seed that nobody can guess, so that nobody knows the cards."""
    return secrets.randbits(62)


class Tables:
    """Makes, finds and clears tables. A visitor has at most `limit`; finished ones make room first."""

    def __init__(self, folder: Path, limit: int = 40) -> None:
        self._folder = folder
        self.limit = limit
        self._open: OrderedDict[tuple[str, str], Table] = OrderedDict()

    def make(self, visitor: str, head: Head) -> tuple[str, Table]:
        """A new table and its key. Raises LudotecaError for what cannot be played, or when there is no room."""
        head = check_head(head)
        self._make_room(visitor)
        key = secrets.token_urlsafe(16)
        path = self._path(visitor, key)
        path.parent.mkdir(parents=True, exist_ok=True)
        table = Table(head, _writer(path))
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        _writer(path)(table.head_line())
        self._remember(visitor, key, table)
        return key, table

    def find(self, visitor: str, key: str) -> Table:
        """The visitor's table of this key. Raises InvalidTable."""
        known = self._open.get((visitor, key))
        if known is None:
            path = self._path(visitor, key)
            try:
                lines = path.read_text(encoding="utf-8").splitlines()
            except (OSError, UnicodeDecodeError):
                raise InvalidTable("no table of yours has this address") from None
            known = Table.from_lines(lines, _writer(path))
        self._remember(visitor, key, known)
        return known

    def keys(self, visitor: str) -> list[str]:
        """The visitor's tables, the one played at last first."""
        folder = self._path(visitor, "x" * 22).parent
        paths = sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
        return [path.stem for path in paths]

    def clear(self, visitor: str, key: str) -> None:
        """Takes a table away for good, if it is there."""
        self._open.pop((visitor, key), None)
        self._path(visitor, key).unlink(missing_ok=True)

    def _path(self, visitor: str, key: str) -> Path:
        if not KEY.fullmatch(key):
            raise InvalidTable("no table of yours has this address")
        return self._folder / hashlib.sha256(visitor.encode()).hexdigest()[:32] / f"{key}.jsonl"

    def _remember(self, visitor: str, key: str, table: Table) -> None:
        self._open[visitor, key] = table
        self._open.move_to_end((visitor, key))
        while len(self._open) > OPEN_AT_ONCE:
            self._open.popitem(last=False)

    def _make_room(self, visitor: str) -> None:
        """Clears the oldest finished tables of a visitor who has too many. Raises InvalidTable if none is."""
        keys = self.keys(visitor)
        for key in reversed(keys):
            if len(keys) < self.limit:
                return
            try:
                finished = self.find(visitor, key).over
            except InvalidTable:
                finished = True
            if finished:
                self.clear(visitor, key)
                keys.remove(key)
        if len(keys) >= self.limit:
            raise InvalidTable(
                f"you have {len(keys)} unfinished matches, and {self.limit} is the limit: clear some first"
            )


def _writer(path: Path) -> Callable[[str], None]:
    def write(line: str) -> None:
        # One write per event: a process that dies leaves whole lines and at most one cut off at the end.
        try:
            journal = os.open(path, os.O_WRONLY | os.O_APPEND)
        except FileNotFoundError:
            raise Cleared(say("this table was cleared away")) from None
        try:
            os.write(journal, (line + "\n").encode())
        finally:
            os.close(journal)

    return write
