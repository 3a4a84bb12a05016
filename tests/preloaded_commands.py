"""Imports what commands import, for the fork server of `tests.commands`; no extra that a test wants to be missing."""

from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec

from ludoteca.cli import COMMANDS

EXTRAS = ("terminal.train", "web.command")
"""They import PyTorch and NiceGUI."""

for place in {command.place.partition(":")[0] for command in COMMANDS.values()}.difference(EXTRAS):
    import_module(f"ludoteca.{place}")
for group in ("ludoteca.games", "ludoteca.agents"):  # not by our registries: they would keep which agents there are now
    for point in entry_points(group=group):
        if point.module.startswith("ludoteca."):
            import_module(point.module)
for name in (
    "pydantic.type_adapter",
    "rich.live",
    "rich.progress",
    "typer._adapters",
):  # Typer and Rich import them late
    if find_spec(name):
        import_module(name)
