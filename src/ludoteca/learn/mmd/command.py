"""The command ``ludoteca train mmd``: options, progress bar, learning curve, checkpoints and Ctrl-C.

A training writes to its folder: ``checkpoint``, from which it resumes; ``run.json`` and ``curve.jsonl`` (see
`ludoteca.learn.run_folder`); ``network.onnx`` for the agent ``mmd``, at every checkpoint and at the end; and at the end
``curve.png``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.progress import TaskProgressColumn

from ludoteca.learn.command import (
    Place,
    about_run,
    given_options,
    picture,
    progress_bar,
    results_text,
    show_resume,
    watchable,
)
from ludoteca.learn.curve import Point
from ludoteca.learn.mmd.export import write_network
from ludoteca.learn.mmd.training import Arguments, Training
from ludoteca.learn.run_folder import CHECKPOINT, RunWriter


def train_mmd(words: Sequence[str]) -> int:
    """Run ``ludoteca train mmd`` with these words. Returns the exit status."""
    console = Console(emoji=False)
    about = "Train a network for a game with hidden hands (magnetic mirror descent) and write it as ONNX."
    place, given = given_options(console, "mmd", {"default": Arguments()}, words, about)
    folder = place.folder
    if place.resume:
        training = Training.load(folder / CHECKPOINT)
        said = f"Resuming at {training.progress:.0%}"
    else:
        training = Training(given)
        against = f" against {given.against}" if given.against else ""
        said = f"Training on {given.game}{against}"
    console.print(f"{said}; writing to {folder}", highlight=False)
    try:
        ended = _run_with_progress(training, place, console)
    except KeyboardInterrupt:  # a second Ctrl-C
        show_resume(console, place, "")
        return 130
    console.print(
        f"{training.choices:,} choices, {training.updates:,} updates in {training.seconds / 60:.1f} minutes",
        highlight=False,
    )
    if not ended:
        show_resume(console, place, f"{training.progress:.0%}")
        return 130
    console.print(
        f"Play against it: ludoteca play {training.games[0].spec} --against mmd:weights={folder / 'network.onnx'}",
        highlight=False, soft_wrap=True,
    )  # fmt: skip
    return 0


def _run_with_progress(training: Training, place: Place, console: Console) -> bool:
    """Run the training with a progress bar, its curve, checkpoints and Ctrl-C. Returns whether it got to the end."""
    arguments, folder = training.arguments, place.folder
    total = None if arguments.minutes > 0 else arguments.choices
    run = about_run(place, asdict(arguments), "positions", total)  # each with a choice
    with (
        RunWriter(folder, run, training.curve, resumed=place.resume) as writer,
        watchable(console, place),
        progress_bar(console, TaskProgressColumn()) as (bar, interrupted),
    ):
        task = bar.add_task("training", total=1.0, status="")
        saved = training.choices // arguments.checkpoint_every

        def after_step(now: Training) -> bool:
            nonlocal saved
            bar.update(task, completed=now.progress, status=f"{now.choices:,} choices")
            for point in writer.append(now.curve):
                if said := _line(point):
                    console.print(said, highlight=False, soft_wrap=True)
            stop = interrupted()
            if stop or now.progress >= 1 or now.choices // arguments.checkpoint_every > saved:
                saved = now.choices // arguments.checkpoint_every
                now.save(folder / CHECKPOINT)
                write_network(now.average, folder / "network.onnx", now.about())
            return not stop

        ended = training.run(after_step)
        picture(training.curve, folder / "curve.png", f"mmd on {arguments.game}", "positions")
        if ended:
            writer.finish({"choices": training.choices, "updates": training.updates})
        return ended


def _line(point: Point) -> str:
    """The evaluation of a point in one line; empty if it has none."""
    parts = [results_text(point)] if point.results else []
    if (gain := point.loss.get("exploitability")) is not None:
        parts.append(f"exploitability {gain:.4f}")
    return f"{point.at:,} choices: {', '.join(parts)}" if parts else ""
