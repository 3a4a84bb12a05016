"""Network addresses, as limits count visitors by them."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict, deque
from collections.abc import Callable

PREFIX = 64
"""Bits of an IPv6 address that belong to one network; the rest costs its owner nothing."""


def address_key(host: str) -> str:
    """The text by which limits count an address: of IPv6 only its network.

    >>> address_key("2001:db8:1:2:a:b:c:d"), address_key("::ffff:192.0.2.7"), address_key("")
    ('2001:db8:1:2::', '192.0.2.7', '')
    """
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(number, ipaddress.IPv4Address):
        return str(number)
    if number.ipv4_mapped is not None:
        return str(number.ipv4_mapped)
    return str(ipaddress.ip_network((int(number) >> PREFIX << PREFIX, PREFIX)).network_address)


class AddressRateLimit:
    """Counts events by address, and says when an address had too many of late."""

    def __init__(
        self, most: int, within: float, addresses: int = 4096, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """most: events of one address in `within` seconds. addresses: how many are remembered, the last ones."""
        self._most, self._within, self._addresses, self._clock = most, within, addresses, clock
        self._events: OrderedDict[str, deque[float]] = OrderedDict()

    def is_exceeded(self, address: str) -> bool:
        """Whether this address may do no more for now."""
        times = self._events.get(address)
        return times is not None and len(times) == self._most and self._clock() - times[0] < self._within

    def count(self, address: str) -> None:
        """Counts one event of this address."""
        self._events.setdefault(address, deque(maxlen=self._most)).append(self._clock())
        self._events.move_to_end(address)
        if len(self._events) > self._addresses:
            self._events.popitem(last=False)
