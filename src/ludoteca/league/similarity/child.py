"""``python -m ludoteca.league.similarity.child``: fingerprints and compares texts, under limits. Runs none of them.

The method is winnowing, as in MOSS, by the library copydetect: names, strings and comments do not count, so renaming
does not hide a copy. It reads a JSON object from its input and writes one.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import signal
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NoReturn

CPU_SECONDS, MEMORY, SECONDS_EACH = 600, 2 << 30, 10.0
"""Processor seconds of all, bytes beyond those of the libraries, and processor seconds for one text."""
NOISE, WINDOW = 25, 6
"""Shorter passages are chance; and how many fingerprints in a row one is chosen of. Both are the library's defaults."""
LEAST_SHARE = 0.2
"""Pairs that share less are left out."""


class _TooSlowError(Exception):
    """A text that takes too long."""


def _raise(*_: object) -> NoReturn:
    raise _TooSlowError


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    signal.setitimer(signal.ITIMER_PROF, SECONDS_EACH)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _main() -> int:
    setup = json.load(sys.stdin)
    sys.path[:] = setup["path"]
    import copydetect
    import copydetect.utils

    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    os.nice(10)
    signal.signal(signal.SIGPROF, _raise)

    def fingerprint(text: str) -> Any:
        with _limited():
            return copydetect.CodeFingerprint("source.py", NOISE, WINDOW, fp=io.StringIO(text))

    handed_out: set[int] = set()
    for text in setup["handouts"]:
        with contextlib.suppress(_TooSlowError, MemoryError, ValueError):
            # Every passage that was handed out, wherever a window begins in the copy.
            filtered = fingerprint(text).filtered_code
            handed_out.update(map(int, copydetect.utils.hashed_kgrams(filtered, NOISE)))
    prints, skipped = {}, []
    for version, person, text in setup["sources"]:
        try:
            found = fingerprint(text)
        except (_TooSlowError, MemoryError, ValueError, RecursionError):
            skipped.append(version)
            continue
        # Its own way to leave passages out takes repeated passages for some of them, too.
        found.hash_idx = {key: places for key, places in found.hash_idx.items() if int(key) not in handed_out}
        found.hashes = set(found.hash_idx)
        found.token_coverage = copydetect.utils.get_token_coverage(found.hash_idx, NOISE, len(found.filtered_code))
        prints[version] = (person, found)
    pairs = []
    for (one, (person, first)), (two, (other, second)) in combinations(prints.items(), 2):
        if person == other or not first.hashes & second.hashes:
            continue
        with contextlib.suppress(_TooSlowError, MemoryError), _limited():
            characters, shares, slices = copydetect.compare_files(first, second)
            shares = [min(1.0, float(each)) for each in shares]
            if max(shares) >= LEAST_SHARE:
                passages = [[[int(start), int(end)] for start, end in each.T] for each in slices]
                pairs.append([one, two, shares, int(characters), *passages])
    json.dump({"pairs": pairs, "skipped": skipped}, sys.stdout)
    return 0


if __name__ == "__main__":
    raise SystemExit(_main())
