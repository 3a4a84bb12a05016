"""Reads uploaded files in a process of their own, so that no file can stop the page.

A file may be made to take minutes to parse, to need gigabytes, or to end the process that reads it. So the page starts
a process for each file and gives it limits::

    the page  ── bytes of the file ──►  python -m ludoteca.web.tables.upload_process
              ◄── checked records  ──   at most CPU_SECONDS, MEMORY, and no file to write

One file is read at a time, and few may wait. What comes back is JSON that this module wrote, never an object.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections import Counter, OrderedDict
from dataclasses import dataclass
from typing import Any

from ludoteca.agents.identity import Identity
from ludoteca.errors import LudotecaError
from ludoteca.messages import from_json, say, to_json
from ludoteca.play.record import Record
from ludoteca.web.errors import InvalidTable
from ludoteca.web.serving.limited_process import LimitedProcessFailed, limit_process, run_limited, write_and_exit
from ludoteca.web.tables.uploads import MOST_BYTES, read_file

CPU_SECONDS = 5
"""Processor time that reading a file may take. The largest ordinary ones, of 2 MB, take about one second."""
MEMORY = 512 * 2**20
"""Bytes of memory besides what Python takes."""
WALL_SECONDS = 60.0
"""On a busy machine the processor time may take this long."""
MOST_ANSWER = 4 * MOST_BYTES
"""Bytes of the checked records."""
MOST_WAITING, MOST_WAITING_PER_ADDRESS = 16, 4
"""Files that may wait to be read."""
MOST_KEPT = 64 * 2**20
"""Bytes of all files that tabs show; the oldest go first."""
OUR_FAULT = say("reading the file failed by our own fault; it may well be right, and the operator's log says more")
TOO_MUCH = say("the file takes too long or too much memory to read; a file of a match is small")


@dataclass(frozen=True)
class UploadTitle:
    """What the list of a file's matches says of one."""

    game: str
    agents: tuple[Identity, Identity]
    score: float
    """The return of seat 0."""


@dataclass(frozen=True)
class Upload:
    """The matches of one file, checked. A match is parsed only when it is shown."""

    titles: tuple[UploadTitle, ...]
    lines: tuple[str, ...]
    """By match its record as JSON."""

    def record(self, place: int) -> Record:
        """The match of this number."""
        return Record.from_json(self.lines[place])

    @property
    def size(self) -> int:
        """How much memory it takes, in bytes."""
        return sum(map(len, self.lines))


class UploadReader:
    """Reads files, and keeps what was read while tabs show it. Belongs to one event loop."""

    def __init__(
        self,
        most_kept: int = MOST_KEPT,
        *,
        memory: int = MEMORY,
        most_answer: int = MOST_ANSWER,
        wall_seconds: float = WALL_SECONDS,
    ) -> None:
        self._memory, self._most_answer, self._wall_seconds = memory, most_answer, wall_seconds
        self._one = asyncio.Semaphore(1)
        self._waiting: Counter[str] = Counter()
        self._most_kept = most_kept
        self._kept: OrderedDict[str, Upload] = OrderedDict()

    async def read(self, data: bytes, address: str) -> Upload:
        """The matches of a file that a visitor at this address sent. Raises InvalidTable when it is refused."""
        if len(data) > MOST_BYTES:
            raise InvalidTable("the file has {bytes:,} bytes; the limit is {most:,}", bytes=len(data), most=MOST_BYTES)
        if self._waiting.total() >= MOST_WAITING or self._waiting[address] >= MOST_WAITING_PER_ADDRESS:
            raise InvalidTable(say("many files are being read just now; please try again in a minute"))
        self._waiting[address] += 1
        try:
            async with self._one:
                answer = await self._ask(data)
        finally:
            self._waiting -= Counter([address])
        return await asyncio.to_thread(_understood, answer)

    async def _ask(self, data: bytes) -> bytes:
        """The answer of the process that reads a file. Raises InvalidTable if it gave none."""
        try:
            answer = await run_limited(__name__, CPU_SECONDS, self._memory, data, self._wall_seconds)
        except LimitedProcessFailed:
            logging.getLogger(__name__).exception("an uploaded file could not be read")
            raise InvalidTable(OUR_FAULT) from None
        if answer is None or len(answer) > self._most_answer:
            raise InvalidTable(TOO_MUCH)
        return answer

    def keep(self, tab: str, upload: Upload) -> None:
        """Keeps what a tab shows, in place of its last file."""
        self.forget(tab)
        self._kept[tab] = upload
        while len(self._kept) > 1 and sum(each.size for each in self._kept.values()) > self._most_kept:
            self._kept.popitem(last=False)

    def kept(self, tab: str) -> Upload:
        """What a tab shows. Raises InvalidTable if it had to make room."""
        if tab not in self._kept:
            raise InvalidTable(say("this file is no longer kept here; please choose it again"))
        return self._kept[tab]

    def forget(self, tab: str) -> None:
        """Drops what a tab shows."""
        self._kept.pop(tab, None)


def _understood(answer: bytes) -> Upload:
    """What the process wrote."""
    head, *lines = answer.decode().split("\n")
    fields: dict[str, Any] = json.loads(head)
    if "refused" in fields:
        raise InvalidTable(from_json(fields["refused"]))
    titles = []
    for game, first, second, score in fields["titles"]:
        titles.append(UploadTitle(game, (_identity(first), _identity(second)), score))
    return Upload(tuple(titles), tuple(lines))


def _identity(fields: list[str]) -> Identity:
    return Identity(*fields)


def main() -> None:
    """Reads a file from standard input, within limits; writes a line of JSON, then one for each match.

    Its arguments are the seconds of processor time and the bytes of memory that it may take.
    """
    limit_process()
    try:
        records = read_file(sys.stdin.buffer.read(MOST_BYTES + 1))
        titles = [
            [record.game, *([each.spec, each.digest] for each in record.agents), record.returns[0]]
            for record in records
        ]
        answer = "\n".join([json.dumps({"titles": titles}), *(record.to_json() for record in records)])
    except LudotecaError as error:
        answer = json.dumps({"refused": to_json(error.message)})
    write_and_exit(answer.encode())


if __name__ == "__main__":
    main()
