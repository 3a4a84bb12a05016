"""``ludoteca doctor``: what holds on this machine, and what to do where it does not."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from ludoteca.catalogues import preferred_language
from ludoteca.messages import Speaker, say, translate
from ludoteca.players.sandbox.layers import examine

__all__ = ["doctor"]


def doctor() -> None:
    """Try every layer of the sandbox in which strangers' code runs, and say what is missing.

    The exit status is 1 when one is missing that match and tournament require with --untrusted.
    """
    language = preferred_language()
    console, speaker = Console(emoji=False), Speaker(language)
    layers = examine()
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for layer in layers:
        state = say("holds") if layer.holds else say("missing") if layer.required else say("missing, not required")
        style = "green" if layer.holds else "red" if layer.required else "yellow"
        kept_out = speaker.say("keeps out: {what}", what=layer.keeps_out)
        table.add_row(f"[{style}]{translate(state, language)}[/{style}]", translate(layer.name, language), kept_out)
    console.print(table, highlight=False)
    missing = [layer for layer in layers if not layer.holds]
    for layer in missing:
        text = speaker.say("{layer} does not hold: {reason}", layer=layer.name, reason=layer.reason)
        console.print(text, markup=False, highlight=False, soft_wrap=True)
    for remedy in dict.fromkeys(layer.remedy for layer in missing if layer.remedy):
        console.print(speaker.say("What helps: {remedy}", remedy=remedy), markup=False, highlight=False, soft_wrap=True)
    if all(layer.holds or not layer.required for layer in layers):
        console.print(speaker.say("Strangers' code can be locked up here: --untrusted plays."), highlight=False)
        return
    console.print(
        speaker.say("Strangers' code cannot be locked up here: --untrusted refuses to play."), highlight=False
    )
    raise SystemExit(1)
