"""No visitor reads where the server keeps its files."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoteca.web.serving.path_redaction import redact_paths
from tests.web.conftest import served
from tests.web.tabs import visitor
from tests.web.test_server import Visitor


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("there is no file /home/ana/net.onnx", "there is no file net.onnx"),
        ("[Errno 2] No such file: '/srv/my nets/net.onnx'", "[Errno 2] No such file: 'net.onnx'"),
        ("cannot import name 'X' from 'y' (/usr/lib/python3/y.py)", "cannot import name 'X' from 'y' (y.py)"),
        ("/var/lib/arena.sqlite holds no run '7'; it holds 0", "arena.sqlite holds no run '7'; it holds 0"),
        ("open ~/.local/state/x, ~ana/y and weights=/z/w.onnx", "open x, y and weights=w.onnx"),
        ("`/a/b c/d` or \"/e/f\"", "`d` or \"f\""),
        ("the folder /", "the folder /"),
        ("the folder '/srv/'", "the folder 'srv'"),
        ("horses:layout=W@a1/B@b1, 60s/match", "horses:layout=W@a1/B@b1, 60s/match"),
        ("person|random; 6-6/6-4, 1/2 and/or a / b", "person|random; 6-6/6-4, 1/2 and/or a / b"),
    ],
)  # fmt: skip
def test_of_a_path_only_the_last_part_is_left(text: str, shown: str) -> None:
    assert redact_paths(text) == shown


def nothing_of(state: Path, body: str) -> bool:
    """Whether a page names no folder of the server, and nothing else that looks like one."""
    found = re.sub(r"<script.*?</script>|<style.*?</style>", "", body, flags=re.DOTALL)
    return str(state) not in body and not re.search(r"(?<![\w/.<])/(home|root|tmp|srv|usr|var|etc)/", found)


def test_an_agents_error_names_no_folder(narrow: str) -> None:
    async def visit() -> None:
        async with visitor(narrow) as ana:
            table = await ana("hex:size=3", "blurts|person")
            await table.until(lambda: "I hold" in table.text("status"))
            assert "/net.onnx" not in table.text("status").replace("secret folder/", "")
            assert "/srv" not in table.text("status")
            asked = await ana("hex:size=3", "person|random")
            await asked.tab.tell("analysis", '"start"')
            await asked.until(lambda: "blurts" in asked.text("analysis") and "I hold" in asked.text("analysis"))
            assert "/srv" not in asked.text("analysis")

    asyncio.run(visit())


def test_the_error_of_an_unknown_run_does_not_show_the_folder_of_the_store(narrow: str, narrow_state: Path) -> None:
    status, body = Visitor(narrow).get("/watch/7")
    assert status == 404 and "There is no run 7 here" in body and nothing_of(narrow_state, body)
    assert "sqlite" not in body


@pytest.fixture(scope="module")
def robbed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A server whose store is taken from it, and where it keeps it."""
    state = tmp_path_factory.mktemp("robbed")
    with served(state, noisy=True) as address:
        yield address, state


@pytest.mark.parametrize("content", [b"this is no database", None])
def test_the_error_of_an_unreadable_store_does_not_show_its_folder(
    robbed: tuple[str, Path], content: bytes | None
) -> None:
    address, state = robbed
    ana, path = Visitor(address), state / "ludoteca" / "arena.sqlite"
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    if content is not None:
        path.write_bytes(content)
    for page in ("/watch", "/watch/1", "/watch/1/2", "/"):
        status, body = ana.get(page)
        assert nothing_of(state, body)
        assert page in ("/", "/watch") or status in (400, 404)
    _, body = ana.post("/table", {"game": "hex:size=3", "seats": "person|person"})
    assert nothing_of(state, body)
