from __future__ import annotations

from ludoteca.web.serving.addresses import AddressRateLimit, address_key


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
