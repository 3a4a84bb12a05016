"""``ludoteca calibrate``: fit chances to win from stored matches."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from ludoteca.catalogues import preferred_language
from ludoteca.errors import InvalidOption
from ludoteca.games import game as game_of
from ludoteca.messages import say, translate
from ludoteca.ratings.calibration import Estimate
from ludoteca.reports.calibrate import FEWEST, CalibrationTest, band_name, calibrate, reliability_table
from ludoteca.reports.json_output import JsonOption, print_json
from ludoteca.terminal.stored.convert import write_text
from ludoteca.terminal.stored.open_store import StorePath, opened_store


def calibrate_values(
    game: Annotated[str, typer.Argument(help="The game, such as hex:size=7; see: ludoteca games")],
    also: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Also count matches of the game with this option, such as size=9."),
    ] = None,
    store: StorePath = None,
    out: Annotated[Path | None, typer.Option(help="Write the maps to this file, as JSON.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Fit what the values of agents mean as chances to win, from all stored matches of a game.

    Each agent gets a map from its value to the share of matches won; a draw counts as half a win. Two thirds of the
    deals or openings make the map, the rest test it. The table shows for the tested matches the Brier score (0 is
    perfect, 0.25 is always saying 50%), and for each band of stated chances how many per cent were really won, with
    95% intervals that count pairs of matches.
    """
    options: dict[str, list[str]] = defaultdict(list)
    for each in also or []:
        key, equals, value = each.partition("=")
        if not (key and equals and value):
            raise InvalidOption("--also {text!r} is not of the form key=value", text=each)
        options[key].append(value)
    with opened_store(store) as opened:
        records = (record for run in opened.runs() for record in opened.records(run.id))
        tests = calibrate(records, game_of(game).spec, options)
    if not tests:
        raise InvalidOption("no agent gave values in {fewest} pairs of matches of {game}", fewest=FEWEST, game=game)
    console, language = Console(emoji=False, highlight=False, stderr=as_json), preferred_language()
    if as_json:
        print_json("calibration", {"game": game_of(game).spec, "agents": [_fields(each) for each in tests]})
    else:
        console.print(reliability_table(tests).rich(console.width, language))
    if out is not None:
        write_text(json.dumps([each.fitted.to_json() for each in tests], indent=1) + "\n", out)
        console.print(translate(say("{count} maps are in {path}", count=len(tests), path=out), language), markup=False)


def _fields(test: CalibrationTest) -> dict[str, Any]:
    """A map's test as plain values by name; a band without enough matches has only its name."""
    brier = test.brier
    bands = [
        {"stated": band_name(place)} | ({} if band is None else _estimate(band))
        for place, band in enumerate(test.in_bands)
    ]
    return {
        "agent": test.fitted.agent,
        "matches": test.fitted.matches,
        "brier": _estimate(brier),
        "raw_brier": _estimate(test.raw_brier),
        "bands": bands,
    }


def _estimate(found: Estimate) -> dict[str, Any]:
    return {"mean": found.mean, "low": found.low, "high": found.high, "pairs": found.clusters}
