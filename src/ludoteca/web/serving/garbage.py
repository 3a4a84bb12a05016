"""Full garbage collections run in quiet moments, since clicks wait while one runs.

With two hundred tabs open a full collection takes half a second, so Python never starts one by itself here. A task
checks every few seconds whether one is due and whether the server is idle. A closed tab leaves little to collect: see
`free_client`.
"""

from __future__ import annotations

import asyncio
import gc
import time

from nicegui.client import Client

YOUNG, MIDDLE = 2_000, 4
"""Thresholds of the two younger generations: low, so that each of their collections takes milliseconds."""
NEVER = 1_000_000
EVERY = 2.0
"""Seconds between two checks."""
QUIET = 0.1
"""The share of one processor below which the server counts as idle."""
WORTH = 10
"""Collections of the middle generation after which a full one is worthwhile: 100,000 objects."""
MOST = 100
"""Collections of the middle generation after which a full one is due even under load: a million objects."""


def configure_gc() -> None:
    """Makes automatic collections short, and exempts everything that is loaded by now."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)


def is_due(collections: int, load: float, quiet: float = QUIET) -> bool:
    """Whether a full collection is due.

    collections: of the middle generation since the last full one. load: the share of a processor used of late.
    """
    return collections >= MOST or (collections >= WORTH and load < quiet)


async def collect_when_idle(every: float = EVERY, quiet: float = QUIET) -> None:
    """Runs full collections when they are due, until cancelled. every: seconds between two checks."""
    while True:
        used = time.process_time()
        await asyncio.sleep(every)
        if is_due(gc.get_count()[2], (time.process_time() - used) / every, quiet):
            gc.collect()


def free_client(client: Client) -> None:
    """Breaks the reference cycles of a closed tab, so that its memory is freed at once; call it when it is deleted.

    In NiceGUI the classes, style and properties of an element refer to themselves through their change handlers, and
    an element and our page refer to each other through listeners.
    """
    for element in client.elements.values():
        for each in (element.classes, element.style, element.props):
            each._change_handlers.clear()
        element._event_listeners.clear()
    client.connect_handlers.clear()
    client.disconnect_handlers.clear()
    # Later: the delete handlers are being called right now.
    asyncio.get_running_loop().call_soon(client.delete_handlers.clear)
