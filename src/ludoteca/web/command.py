"""``ludoteca serve``: the page, which needs more packages than the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludoteca.errors import extra
from ludoteca.messages import say
from ludoteca.players.processes.memory import MEMORY


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8080,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A further host name of this server, such as that of a proxy; may be given several times. Requests "
            "for any other name are refused.",
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="The address of a reverse proxy in front of this server; may be given several times. Only a proxy "
            "named here is believed when it says, in X-Forwarded-For, where a visitor comes from.",
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Open the page in a browser.")] = False,
    thinkers: Annotated[
        int | None,
        typer.Option(min=1, help="How many agents think at once; by default one fewer than there are cores."),
    ] = None,
    queue: Annotated[int, typer.Option(min=1, help="How many agents may wait to think.")] = 256,
    memory: Annotated[int, typer.Option(min=64, help="The most memory of an agent, in MiB.")] = MEMORY,
    runs: Annotated[
        Path,
        typer.Option(
            metavar="FOLDER",
            help="The folder of trainings, which every visitor may watch at /training; or one training.",
        ),
    ] = Path("runs"),
) -> None:
    """Open the page: play, watch and understand in a browser."""
    with extra("web", say("the page")):
        from ludoteca.web import server

    server.serve(
        host,
        port,
        names=allow_host or (),
        proxies=proxy or (),
        show=show,
        thinkers=thinkers,
        queue=queue,
        memory=memory,
        runs=runs.resolve(),
    )
