"""Limits count by address, and an address cannot be made up."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path

import pytest

from ludoteca.web.serving.addresses import AddressRateLimit, address_key
from ludoteca.web.tables.registry import MOST_WRONG_CODES
from tests.web.conftest import served


def test_too_many_events_of_one_address_stop_that_address_alone() -> None:
    now = 0.0
    limit = AddressRateLimit(60, 60.0, addresses=100, clock=lambda: now)
    for _ in range(60):
        assert not limit.is_exceeded("1.2.3.4")
        limit.count("1.2.3.4")
    assert limit.is_exceeded("1.2.3.4") and not limit.is_exceeded("1.2.3.5")
    now = 59.9
    assert limit.is_exceeded("1.2.3.4")
    now = 60.0
    assert not limit.is_exceeded("1.2.3.4")


def test_a_million_addresses_are_not_all_remembered() -> None:
    limit = AddressRateLimit(2, 60.0, addresses=100, clock=lambda: 0.0)
    for number in range(10_000):
        limit.count(str(number))
    assert len(limit._events) == 100


def test_an_owner_of_a_network_counts_once() -> None:
    assert address_key("2001:db8::1") == address_key("2001:db8::ffff:2") != address_key("2001:db8:0:1::1")
    assert address_key("::ffff:10.0.0.1") == address_key("10.0.0.1") != address_key("10.0.0.2")
    assert address_key("") == "" and address_key("unix:") == "unix:"


@pytest.mark.parametrize(("options", "believed"), [((), False), (("--proxy", "127.0.0.1"), True)])
def test_only_a_named_proxy_says_where_a_visitor_comes_from(
    tmp_path: Path, options: tuple[str, ...], believed: bool
) -> None:
    """A guesser of codes who claims another address for each guess is stopped, unless our proxy says so."""
    with served(tmp_path, *options) as address:
        start = urllib.request.urlopen(address)
        cookie = start.headers["Set-Cookie"].partition(";")[0]
        texts = [guess(address, cookie, number) for number in range(MOST_WRONG_CODES + 1)]
    assert "too many wrong codes" not in texts[0]
    assert ("too many wrong codes" in texts[-1]) is not believed


def guess(address: str, cookie: str, number: int) -> str:
    """What the page says to a wrong code from a claimed address."""
    headers = {"Cookie": cookie, "X-Forwarded-For": f"203.0.113.{number}"}
    try:
        urllib.request.urlopen(urllib.request.Request(f"{address}/join?code=AAAA-{2000 + number}", headers=headers))
    except urllib.error.HTTPError as error:
        return error.read().decode()
    raise AssertionError("a wrong code leads to a seat")
