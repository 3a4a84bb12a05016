from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from ludoteca.web.serving.cache import LOOP_TURNS, MOST_BYTES, StaticCache
from ludoteca.web.serving.overload import LoopLag, PageQueue


class Inner:
    """An application that notes what it is asked, and takes a given number of turns of the loop for a page."""

    def __init__(self, turns: int = 3, status: int = 200, body: bytes = b"content") -> None:
        self.turns, self.status, self.body = turns, status, body
        self.asked: list[tuple[str, dict[bytes, bytes]]] = []
        self.at_work = self.most_at_work = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked.append((scope["path"], dict(scope["headers"])))
        self.at_work += 1
        self.most_at_work = max(self.most_at_work, self.at_work)
        for _ in range(self.turns):
            await asyncio.sleep(0)
        self.at_work -= 1
        headers = [(b"set-cookie", b"session=secret"), (b"etag", b'"1"'), (b"vary", b"Cookie")]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body})


async def ask(front: StaticCache, path: str, method: str = "GET", query: str = "", **headers: str) -> list[Message]:
    given = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    answer: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        answer.append(message)

    scope = {"type": "http", "method": method, "path": path, "query_string": query.encode(), "headers": given}
    await front(scope, receive, send)
    return answer


def run(work: Callable[[StaticCache, Inner], Awaitable[None]], most_bytes: int = MOST_BYTES, **options: Any) -> None:
    async def all_of_it() -> None:
        inner = Inner(**options)
        await work(StaticCache(inner, PageQueue(LoopLag()), most_bytes=most_bytes), inner)

    asyncio.run(all_of_it())


def test_a_file_is_fetched_once_without_any_cookie() -> None:
    async def work(before: StaticCache, inner: Inner) -> None:
        for _ in range(3):
            start, body = await ask(before, "/static/style.css", cookie="session=mine", accept_encoding="gzip, br")
            names = [name for name, _ in start["headers"]]
            assert start["status"] == 200 and gzip.decompress(body["body"]) == b"content"
            assert b"set-cookie" not in names and b"content-security-policy" in names
            assert dict(start["headers"])[b"content-length"] == str(len(body["body"])).encode()
        assert inner.asked == [("/static/style.css", {})]
        _, body = await ask(before, "/static/style.css")  # who takes no gzip gets another
        assert inner.asked[1:] == [("/static/style.css", {})] and body["body"] == b"content"

    run(work)


def test_a_browser_that_has_a_file_gets_304() -> None:
    async def work(before: StaticCache, inner: Inner) -> None:
        start, body = await ask(before, "/static/style.css", if_none_match='"1"')
        assert (start["status"], body["body"]) == (304, b"")
        start, _ = await ask(before, "/static/style.css", if_none_match='"0"')
        assert start["status"] == 200

    run(work)


def test_what_is_no_file_is_not_kept() -> None:
    async def work(before: StaticCache, inner: Inner) -> None:
        for _ in range(2):
            start, _ = await ask(before, "/static/nothing.css", cookie="session=mine")
            assert start["status"] == 404
        assert len(inner.asked) == 4  # each time once as a file, then for the visitor, who gets a page that says so
        assert inner.asked[1][1] == {b"cookie": b"session=mine"}

    run(work, status=404)


def test_kept_files_have_a_bound_and_those_asked_for_last_stay() -> None:
    async def work(before: StaticCache, inner: Inner) -> None:
        for name in ("a", "b", "a", "c", "a"):  # each of about 11 kB: two fit
            await ask(before, f"/static/{name}")
        assert [path[-1] for path, _ in inner.asked] == ["a", "b", "c"]
        await ask(before, "/static/b")
        assert len(inner.asked) == 4

    run(work, most_bytes=25_000, body=b"x" * 10_000)


def test_a_million_addresses_of_one_picture_do_not_fill_the_memory() -> None:
    """The addresses, not the bodies, are what an attacker makes long; what no picture depends on is left out."""

    async def work(before: StaticCache, inner: Inner) -> None:
        for number in range(50):
            await ask(before, "/picture/hex.svg", query=f"theme=dark&language=en&x={number}{'y' * 1000}")
            await ask(before, f"/static/{number:01000}")
        assert [path for path, _ in inner.asked].count("/picture/hex.svg") == 1
        assert before._bytes > 50 * 1000

    run(work, body=b"")


def test_pages_are_built_one_at_a_time_in_order_and_for_each_visitor() -> None:
    async def work(before: StaticCache, inner: Inner) -> None:
        pages = [ask(before, f"/table/{number}", cookie=f"session={number}") for number in range(5)]
        answers = await asyncio.gather(*pages)
        assert inner.most_at_work == 1
        assert inner.asked == [(f"/table/{number}", {b"cookie": b"session=%d" % number}) for number in range(5)]
        for start, _ in answers:
            names = [name for name, _ in start["headers"]]
            assert b"set-cookie" in names and b"content-security-policy" in names

    run(work)


def test_a_click_is_not_kept_waiting_by_those_who_arrive() -> None:
    """A click takes some turns of the loop; between two pages there are as many in which no page is built."""

    async def work(before: StaticCache, inner: Inner) -> None:
        pages = asyncio.gather(*(ask(before, "/") for _ in range(5)))
        await asyncio.sleep(0)
        built = len(inner.asked)
        for _ in range(LOOP_TURNS):
            await asyncio.sleep(0)
        assert len(inner.asked) <= built + 1
        await pages

    run(work)


def test_a_visitor_who_does_not_read_delays_no_other() -> None:
    async def work(before: StaticCache, inner: Inner) -> None:
        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def stuck(message: Message) -> None:
            await asyncio.Event().wait()

        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": []}
        lazy = asyncio.create_task(before(scope, receive, stuck))
        start, _ = await asyncio.wait_for(ask(before, "/"), 30)
        assert start["status"] == 200 and not lazy.done()
        lazy.cancel()

    run(work)


@pytest.mark.parametrize("length", ["4000001", "", "-1", "1e3"])
def test_what_is_too_long_or_does_not_say_its_length_is_refused(length: str) -> None:
    async def work(before: StaticCache, inner: Inner) -> None:
        headers = {"content_length": length} if length else {}
        start, body = await ask(before, "/table", "POST", **headers)
        assert start["status"] == 413 and b"at most 4,000,000 bytes" in body["body"] and not inner.asked
        start, _ = await ask(before, "/table", "POST", content_length="100")
        assert start["status"] == 200 and len(inner.asked) == 1

    run(work)
