"""The connection to a store's file. It says of a damaged file what to do, whichever statement meets the damage."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, TypeVar

from ludoteca.errors import InvalidStore

Value = TypeVar("Value")


def damaged(path: Path | str, why: object) -> InvalidStore:
    """The error for a file that was a store and is no longer whole."""
    return InvalidStore(
        "{path} is damaged: {why}. Restore a copy of it, or rescue what can still be read: "
        "ludoteca rescue {quoted} rescued.sqlite",
        path=path,
        quoted=shlex.quote(str(path)),
        why=why,
    )


class StoreConnection(sqlite3.Connection):
    """Raises InvalidStore where SQLite finds damage, and else what SQLite raises."""

    def __init__(self, path: Path | str, *arguments: Any, **settings: Any) -> None:
        super().__init__(path, *arguments, **settings)
        self.path = path

    def execute(self, *statement: Any) -> sqlite3.Cursor:
        """Execute one statement."""
        return super().cursor(_Cursor).execute(*statement)

    def executemany(self, *statement: Any) -> sqlite3.Cursor:
        """Execute one statement with many rows."""
        return super().cursor(_Cursor).executemany(*statement)


class _Cursor(sqlite3.Cursor):
    """Rows are read when they are asked for, so damage may be found then."""

    def execute(self, *statement: Any) -> Self:
        return self._explaining(super().execute, *statement)

    def executemany(self, *statement: Any) -> Self:
        return self._explaining(super().executemany, *statement)

    def __next__(self) -> Any:
        return self._explaining(super().__next__)

    def fetchone(self) -> Any:
        return self._explaining(super().fetchone)

    def fetchall(self) -> list[Any]:
        return self._explaining(super().fetchall)

    def _explaining(self, call: Callable[..., Value], *arguments: Any) -> Value:
        try:
            return call(*arguments)
        except sqlite3.DatabaseError as error:
            connection = self.connection
            assert isinstance(connection, StoreConnection)
            raise _explained(connection.path, error) from error


def _explained(path: Path | str, error: sqlite3.DatabaseError) -> Exception:
    """InvalidStore for damage; any other error as it is: a full disk, a lock, a broken constraint."""
    code = getattr(error, "sqlite_errorcode", None)
    not_utf8 = code is None and isinstance(error, sqlite3.OperationalError)
    broken = code is not None and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    if not_utf8 or broken or "no such table" in str(error):
        return damaged(path, str(error).splitlines()[0][:100])
    return error
