"""The garbage collector does its long work in quiet moments: whoever clicks meanwhile waits for the end of it.

With two hundred tabs open a walk through everything takes half a second, so by itself the collector never makes one.
Somebody looks every few seconds whether it is worth while, and whether the page has little else to do just now. And a
tab that is closed leaves little behind for it: see `let_go`.
"""

from __future__ import annotations

import asyncio
import gc
import time

from nicegui.client import Client

__all__ = ["collect_when_idle", "configure_gc", "is_due", "let_go"]

YOUNG, MIDDLE = 2_000, 4
"""New objects until those are walked through, and how often that happens until those that are a little older are too:
few, so that each of these walks takes milliseconds."""
NEVER = 1_000_000
EVERY = 2.0
"""Seconds from one look to the next."""
QUIET = 0.1
"""Of one processor, what the page uses while hardly anybody clicks."""
WORTH = 10
"""Walks through the middle generation after which a walk through everything is worth while: 100,000 objects."""
MOST = 100
"""The same, after which it cannot wait any longer: a million objects, of which some are waste, are a lot of memory."""


def configure_gc() -> None:
    """Makes the collector's own walks short. What is loaded by now stays for good, and is never walked through."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)


def is_due(walks: int, load: float) -> bool:
    """Whether to walk through everything now, after so many walks through the middle generation.

    load: the share of a processor that the page has used of late.
    """
    return walks >= MOST or (walks >= WORTH and load < QUIET)


async def collect_when_idle() -> None:
    """Looks after the collector for as long as the page is served."""
    while True:
        used = time.process_time()
        await asyncio.sleep(EVERY)
        if is_due(gc.get_count()[2], (time.process_time() - used) / EVERY):
            gc.collect()


def let_go(client: Client) -> None:
    """Frees what a closed tab was made of at once; to be called when it is deleted.

    In NiceGUI each element's classes, style and properties know themselves by what they call when they change, and an
    element knows our pages by its listeners, as they know it. Such rings are not freed before the collector finds them.
    """
    for element in client.elements.values():
        for each in (element.classes, element.style, element.props):
            each._change_handlers.clear()
        element._event_listeners.clear()
    client.connect_handlers.clear()
    client.disconnect_handlers.clear()
    # The handlers of this very moment are being called one after another.
    asyncio.get_running_loop().call_soon(client.delete_handlers.clear)
