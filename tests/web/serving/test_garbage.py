"""The collector's long walks come in quiet moments, unless too much has come together."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator
from typing import Any
from weakref import ref

import pytest
from nicegui import ui
from nicegui.client import Client
from nicegui.page import page

from ludoteca.web.serving.garbage import MOST, QUIET, WORTH, collect_when_idle, configure_gc, free_client, is_due


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)


class Ring:
    """Waste that only the collector finds."""

    def __init__(self) -> None:
        self.itself = self


def old_waste(collected: Callable[[ref[Ring]], None] | None = None) -> ref[Ring]:
    """Waste that has got into the oldest generation, where only a walk through everything finds it."""
    found = ref(kept := Ring(), collected)
    gc.collect(1)
    del kept
    return found


def test_a_busy_page_waits_until_too_much_has_come_together() -> None:
    assert not is_due(MOST - 1, load=1.0)
    assert is_due(MOST, load=1.0)


def test_a_quiet_page_collects_what_is_worth_while() -> None:
    assert not is_due(WORTH - 1, load=0.0)
    assert is_due(WORTH, load=0.0)
    assert not is_due(WORTH, load=QUIET)


def test_the_collector_never_walks_through_everything_by_itself() -> None:
    configure_gc()
    waste = old_waste()
    before = gc.get_stats()[2]["collections"]
    live = [[] for _ in range(200_000)]  # type: list[list[int]]
    assert gc.get_stats()[2]["collections"] == before and waste() is not None and live


def test_waste_is_collected_in_a_quiet_moment() -> None:
    async def look_on() -> None:
        configure_gc()
        collected = asyncio.Event()
        waste = old_waste(lambda _: collected.set())
        for _ in range(WORTH):
            gc.collect(1)
        assert waste() is not None
        task = asyncio.create_task(collect_when_idle(every=0.001, quiet=1e9))  # however busy this machine is
        await collected.wait()
        task.cancel()

    asyncio.run(asyncio.wait_for(look_on(), 60.0))


class Page:
    """A page as ours are: it knows its elements, and they know it."""

    def __init__(self) -> None:
        self.client = ui.context.client
        self.part = ui.html("", sanitize=False).classes("part").on("click", self.clicked)
        self.client.on_connect(self.clicked)
        self.client.on_delete(self.clicked)

    def clicked(self) -> None:
        """Somebody did something."""


def test_a_closed_tab_leaves_nothing_to_the_collector() -> None:
    async def open_and_close() -> list[object]:
        with Client(page("")) as client:
            client.on_delete(free_client)
            shown = Page()
        gone = asyncio.Event()
        parts = (shown, shown.part, shown.part.props, shown.part.classes)
        left: list[ref[Any]] = [ref(client, lambda _: gone.set()), *map(ref, parts)]
        del parts
        client.delete()
        del client, shown
        await asyncio.wait_for(gone.wait(), 60)  # its outbox notices after a while
        return [each() for each in left]

    gc.collect()
    gc.disable()
    try:
        assert asyncio.run(open_and_close()) == [None] * 5
    finally:
        gc.enable()
