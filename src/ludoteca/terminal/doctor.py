"""``ludoteca doctor``: which layers of the sandbox work on this machine, and what to do where one does not."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from ludoteca.catalogues import preferred_language
from ludoteca.messages import Speaker, say, translate
from ludoteca.players.sandbox.layers import Layer, check_layers
from ludoteca.reports.json_output import JsonOption, print_json
from ludoteca.reports.text_table import whole_table


def doctor(as_json: JsonOption = False) -> None:
    """Check every layer of the sandbox in which other people's code runs, and say what is missing.

    The exit status is 1 when a layer is missing that match and tournament need with --untrusted.
    """
    layers = check_layers()
    if as_json:
        names = ("name", "works", "required", "prevents", "reason", "remedy")
        print_json("doctor", {"layers": [{name: getattr(layer, name) for name in names} for layer in layers]})
        complete = all(layer.works or not layer.required for layer in layers)
    else:
        complete = report(layers)
    if not complete:
        raise SystemExit(1)


def report(layers: Sequence[Layer]) -> bool:
    """Prints which layers work, and what to do about the others. Returns whether all that are required work."""
    language = preferred_language()
    console, speaker = Console(emoji=False), Speaker(language)
    table = whole_table(3, padding=(0, 2, 0, 0))
    for layer in layers:
        state = say("works") if layer.works else say("missing") if layer.required else say("missing (optional)")
        style = "green" if layer.works else "red" if layer.required else "yellow"
        if layer.works:
            prevents = speaker.say("prevents: {what}", what=layer.prevents)
        else:
            prevents = speaker.say("no longer prevented: {what}", what=layer.prevents)
        table.add_row(f"[{style}]{translate(state, language)}[/{style}]", translate(layer.name, language), prevents)
    console.print(table, highlight=False)
    missing = [layer for layer in layers if not layer.works]
    for layer in missing:
        text = speaker.say("{layer} does not work: {reason}", layer=layer.name, reason=layer.reason)
        console.print(text, markup=False, highlight=False, soft_wrap=True)
    for remedy in dict.fromkeys(layer.remedy for layer in missing if layer.remedy):
        console.print(speaker.say("To fix it: {remedy}", remedy=remedy), markup=False, highlight=False, soft_wrap=True)
    if all(layer.works or not layer.required for layer in layers):
        console.print(speaker.say("Sandboxes work here: --untrusted plays."), highlight=False)
        return True
    console.print(speaker.say("Sandboxes do not work here: --untrusted refuses to play."), highlight=False)
    return False
