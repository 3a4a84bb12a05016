"""Errors that only the page raises."""

from __future__ import annotations

from ludoteca.errors import LudotecaError


class NotFound(LudotecaError):
    """An address that leads nowhere."""


class InvalidTable(LudotecaError, ValueError):
    """A table that cannot be read, or cannot do now what was asked."""


class TableNotFound(InvalidTable, NotFound):
    """The visitor has no table at this address."""


class TableDeleted(InvalidTable):
    """The table was deleted, here or in another tab; nothing of it is kept."""
