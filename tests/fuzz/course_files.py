"""Generated ``course.toml`` files: right keys with wrong values, wrong keys, and texts that are no TOML."""

from __future__ import annotations

from random import Random

from ludoteca.catalogues import languages, read_document
from ludoteca.course.settings import FILE

KEYS = [
    "title", "submissions", "game", "time", "memory", "format", "matches", "rounds", "references", "openings", "deals",
    "packages", "options", "qualification", "grade", "players", "options.size", "options.layout", "grade.formula",
    "qualification.against", "qualification.matches", "qualification.points", '"a b"', "''", "mathces",
]  # fmt: skip
VALUES = [
    "1", "0", "-1", "2", "4", "7", "1e400", "-inf", "nan", "1.5", "9" * 40, "9" * 5000, "true", '""', '"hex"',
    '"swiss"', '"references"', '"round-robin"', '"random"', '"random:"', '"astar:depth=2"', '"x:y=z"', '"hex:size=3"',
    '"none"', '"own"', '"."', '".."', '"/"', '"a\\u0000b"', '"\\u202e"', '"é"', "[]", '["numpy"]', '[""]', '["."]',
    '["a.b"]', '["..a"]', '["random", "random"]', '["nobody"]', "[1]", "[[]]", "{}", "{a = 1}", "{ana = 'Mine'}",
    "1979-05-27", "07:32:00",
    '"10 * score"', '"1/0"', '"elo"', '"(((((1)))))"', '"' + "-" * 390 + '1"', '"min(1,2)/place"',
    '"score."', '"__import__"',
    "'''" + "x" * 3000 + "'''", '"' + "(" * 399 + '"',
]  # fmt: skip
TABLES = ["[options]", "[qualification]", "[grade]", "[[options]]", "[players]", "[a.b.c]", "[options.size]", "["]


def course_file(chance: Random) -> bytes:
    """The bytes of a course's file."""
    way = chance.random()
    if way < 0.4:  # the first file with something changed
        lines = read_document(FILE, chance.choice(languages())).splitlines()
        for _ in range(chance.randrange(1, 5)):
            at = chance.randrange(len(lines))
            change = chance.randrange(4)
            if change == 0:
                lines.pop(at)
            elif change == 1:
                lines.insert(at, _line(chance))
            elif change == 2 and "=" in lines[at]:
                lines[at] = f"{lines[at].partition('=')[0].lstrip('# ')}= {chance.choice(VALUES)}"
            else:
                lines[at] = lines[at].lstrip("# ")
        return "\n".join(lines).encode()
    if way < 0.8:  # one of our own making
        return "\n".join(_line(chance) for _ in range(chance.randrange(8))).encode()
    data = bytearray(read_document(FILE, "en").encode())  # bytes that went wrong
    for _ in range(chance.randrange(1, 20)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def _line(chance: Random) -> str:
    if chance.random() < 0.2:
        return chance.choice(TABLES)
    return f"{chance.choice(KEYS)} = {chance.choice(VALUES)}"
