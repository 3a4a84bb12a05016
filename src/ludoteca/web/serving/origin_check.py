"""ASGI middleware: refuses requests for another host name and requests from pages of other sites.

A page elsewhere can make a visitor's browser send requests here. It can point its own name to our address (DNS
rebinding): then the browser sends that name as ``Host``. It can post forms and open websockets across sites: then the
browser sends that site as ``Origin``. Both are refused before anything is done.

A numeric address cannot be rebound, so with ``--host 0.0.0.0`` the address at which a request arrived is accepted;
other names are accepted when the operator allows them.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection
from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from ludoteca.messages import say
from ludoteca.web.serving.cache import refuse

LOOPBACK = ("localhost", "127.0.0.1", "::1")
ANY_ADDRESS = ("0.0.0.0", "::", "")
PORTS = {"http": 80, "https": 443}
AUTHORITY = re.compile(r"(?P<host>\[[0-9a-fA-F:.]+\]|[^\s:\[\]/@?#\\]+)(:(?P<port>\d{1,5}))?")
SAFE = ("GET", "HEAD", "OPTIONS")


class _Address(NamedTuple):
    host: str
    port: int | None


class OriginCheck:
    """Wraps an ASGI application.

    host: the address that the server listens on. names: further names by which visitors may reach it.
    """

    def __init__(self, app: ASGIApp, host: str = "127.0.0.1", names: Collection[str] = ()) -> None:
        self.app = app
        self._everywhere = host in ANY_ADDRESS
        self._named = {_canonical(name) for name in names}
        self._known = {*LOOPBACK, *self._named, _canonical(socket.gethostname() if self._everywhere else host)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or websocket."""
        if scope["type"] in ("http", "websocket"):
            headers = [(name.lower(), value.decode("latin-1")) for name, value in scope["headers"]]
            hosts = [value for name, value in headers if name == b"host"]
            host = _address(hosts[0]) if len(hosts) == 1 else None
            if host is None or not self._is_own_host(host, scope):
                reason = say(
                    "This server does not answer to the name {host!r}. Its operator can allow it: "
                    "ludoteca serve --allow-host NAME",
                    host=hosts[0][:80] if hosts else "",
                )
                await _refuse(scope, receive, send, 421, reason)
                return
            if not self._is_own_origin(host, scope, headers):
                reason = say("This request came from another site and was refused.")
                await _refuse(scope, receive, send, 403, reason)
                return
        await self.app(scope, receive, send)

    def _is_own_host(self, host: _Address, scope: Scope) -> bool:
        """Whether a request names this server as its host."""
        arrived = scope.get("server")
        here = self._everywhere and arrived is not None and host.host == _canonical(str(arrived[0]))
        return here or host.host in self._known

    def _is_own_origin(self, host: _Address, scope: Scope, headers: list[tuple[bytes, str]]) -> bool:
        """Whether a request came from one of our pages, or from no page at all."""
        origins = [value for name, value in headers if name == b"origin"]
        if not origins:
            sites = [value for name, value in headers if name == b"sec-fetch-site"]
            changes = scope["type"] == "websocket" or scope["method"] not in SAFE
            return not changes or all(site in ("same-origin", "none") for site in sites)
        scheme, _, rest = origins[0].partition("://")
        origin = _address(rest)
        if len(origins) > 1 or origin is None or scheme not in PORTS:
            return False
        port = origin.port or PORTS[scheme]
        if origin.host == host.host:
            return port == (host.port or PORTS[scheme])
        # A proxy may put another name into Host, but then the origin is a name that the operator has allowed.
        return origin.host in self._named and port in (PORTS[scheme], host.port)


def _address(text: str) -> _Address | None:
    """A host and its port from a header; None for anything else."""
    found = AUTHORITY.fullmatch(text)
    return None if found is None else _Address(_canonical(found["host"]), int(found["port"]) if found["port"] else None)


def _canonical(host: str) -> str:
    """The canonical form of a host name or address."""
    host = host.lower().removeprefix("[").removesuffix("]")
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return host
    mapped = getattr(number, "ipv4_mapped", None)
    return str(mapped or number)


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "http":
        await refuse(scope, send, status, reason)
    else:
        await receive()
        await send({"type": "websocket.close", "code": 1008})
