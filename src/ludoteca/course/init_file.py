"""``ludoteca course init``: a first ``course.toml``, in which every key is explained."""

from __future__ import annotations

from pathlib import Path

from ludoteca.catalogues import Language, read_document
from ludoteca.course.settings import FILE
from ludoteca.errors import InvalidOption


def begin(folder: Path, language: Language) -> Path:
    """Write the file into the folder, which is created if it is missing. Raises InvalidOption if the file exists.

    Its comments are in the language, or else in English: see ``locale/<language>/course.toml``.
    """
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(read_document(FILE, language))
    except FileExistsError as error:
        raise InvalidOption("{path} is there already; it is left as it is", path=path) from error
    except OSError as error:
        raise InvalidOption("{path} cannot be written: {why}", path=path, why=error.strerror or str(error)) from error
    return path
