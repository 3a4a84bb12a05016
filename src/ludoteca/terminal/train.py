"""``ludoteca train``: a command for each kind of training, and their comparison."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.main
from rich.console import Console

from ludoteca.catalogues import Language, preferred_language
from ludoteca.errors import InvalidFile, InvalidOption, extra
from ludoteca.learn.command import Place
from ludoteca.learn.curve import Result
from ludoteca.learn.dqn import arguments as dqn
from ludoteca.learn.mmd import arguments as mmd
from ludoteca.learn.run_folder import RunReader, RunStatus, last_evaluation
from ludoteca.learn.zero import arguments as zero
from ludoteca.messages import say, translate
from ludoteca.reports.json_output import JsonOption, print_json
from ludoteca.reports.text_table import TextTable
from ludoteca.terminal.training_options import add_training, limit_threads

training = typer.Typer(help="Train agents.", no_args_is_help=True, rich_markup_mode=None)


def train(words: Sequence[str]) -> int:
    """Run ``ludoteca train`` with these words. Returns the exit status. Raises what a person would read."""
    status = typer.main.get_command(training).main([*words], prog_name="ludoteca train", standalone_mode=False)
    return int(status or 0)


def train_dqn(place: Place, given: dqn.Arguments) -> int:
    """Train a Double DQN for Kittens against given opponents."""
    limit_threads(given.threads)
    with extra("learn", say("training")):
        from ludoteca.learn.dqn import command
    return command.train_dqn(place, given)


def train_mmd(place: Place, given: mmd.Arguments) -> int:
    """Train a network for any game by self-play, also with hidden hands (magnetic mirror descent).

    Dominoes and Kittens are played in C++. Any other game with a tensor, also one of yours in Python, trains too, only
    slower.
    """
    limit_threads(1)
    with extra("learn", say("training")):
        from ludoteca.learn.mmd import command
    return command.train_mmd(place, given)


def train_zero(place: Place, given: zero.Arguments) -> int:
    """Train a network for Hex or Horses by self-play with search (Gumbel AlphaZero)."""
    limit_threads(1)
    with extra("learn", say("training")):
        from ludoteca.learn.zero import command
    return command.train_zero(place, given)


add_training(training, train_zero, zero.PRESETS, on_ray=True)
add_training(training, train_mmd, mmd.PRESETS, on_ray=True)
add_training(training, train_dqn, dqn.PRESETS, implied=("observation", "seed", "original"))


@training.command("compare")
def compare(
    runs: Annotated[list[str], typer.Argument(metavar="RUN…", help="Folders of trainings, or their names in ./runs.")],
    as_json: JsonOption = False,
) -> None:
    """Compare trainings: the settings that differ, and the last evaluation of each."""
    console, language = Console(emoji=False), preferred_language()
    found = [_read(run) for run in dict.fromkeys(runs)]
    if as_json:
        print_json("trainings", {"trainings": [_fields(each) for each in found]})
        return
    _print(console, language, say("Last evaluation"), _results(found), found)
    settings = [dict(each.run.settings) if each.run else {} for each in found]
    names = [*dict.fromkeys(name for column in settings for name in column)]
    rows = [[name, *(column.get(name, "–") for column in settings)] for name in names]
    different = [row for row in rows if len(set(row[1:])) > 1]
    if different:
        _print(console, language, say("Different settings"), different, found)
    else:
        console.print(translate(say("No setting differs"), language), highlight=False)


def _fields(status: RunStatus) -> dict[str, Any]:
    """A training with its last evaluation and the last point of its curve, as plain values by name."""
    assert status.run is not None
    last = last_evaluation(status.points)
    results = {} if last is None else last.results
    end = status.points[-1].to_json() if status.points else {"at": 0, "seconds": 0.0, "loss": {}}
    kept = ("training", "unit", "total", "command", "started", "settings", "versions")
    return {
        "name": status.name,
        **{name: getattr(status.run, name) for name in kept},
        **{name: end.get(name) for name in ("at", "seconds", "loss", "epsilon")},
        "evaluated_at": None if last is None else last.at,
        "results": {name: vars(each) | {"score": each.score} for name, each in results.items()},
    }


def _print(console: Console, language: Language, title: str, rows: list[list[str]], found: list[RunStatus]) -> None:
    headings = ["", *(each.name for each in found)]
    console.print(TextTable(title, headings, rows, words=frozenset([""]), name="").rich(console.width, language))
    console.print()


def _read(text: str) -> RunStatus:
    """The training in a folder, or of a name in ./runs. Raises InvalidOption and InvalidFile."""
    folder = next((each for each in (Path(text), Path("runs") / text) if (each / "run.json").is_file()), None)
    if folder is None:
        raise InvalidOption("train compare: there is no training in {folder}", folder=text)
    reader = RunReader(folder.resolve(), text)
    status = reader.read()
    while status.run is not None and not status.fault and (more := reader.read()).points is not status.points:
        status = more  # a long curve is read in parts
    if status.run is None:
        raise InvalidFile(status.fault)
    return status


def _results(found: list[RunStatus]) -> list[list[str]]:
    """A row for each opponent, then how long each training has learnt, its loss and its epsilon."""

    def cell(result: Result | None) -> str:
        return "–" if result is None else f"{result.score:.1%} ({100 * result.low:.1f}–{100 * result.high:.1f})"

    lasts = [last_evaluation(each.points) for each in found]
    opponents = [*dict.fromkeys(name for last in lasts if last for name in last.results)]
    rows = [[name, *(cell(last.results.get(name) if last else None) for last in lasts)] for name in opponents]
    ends = [each.points[-1] if each.points else None for each in found]
    for name in dict.fromkeys(name for end in ends if end for name in end.loss):
        rows.append([name, *(f"{end.loss[name]:.3g}" if end and name in end.loss else "–" for end in ends)])
    rows.append(["epsilon", *("–" if end is None or end.epsilon is None else f"{end.epsilon:.3g}" for end in ends)])
    for unit in dict.fromkeys(each.run.unit for each in found if each.run):
        both = zip(ends, found, strict=True)
        counts = [end.at if end and each.run and each.run.unit == unit else None for end, each in both]
        rows.append([unit, *("–" if count is None else f"{count:,}" for count in counts)])
    return [*rows, ["minutes", *("–" if end is None else f"{end.seconds / 60:.1f}" for end in ends)]]
