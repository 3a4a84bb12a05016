"""The command ``ludoteca train zero``: options, progress bar, learning curve, checkpoints and Ctrl-C.

A training writes to its folder: ``checkpoint``, from which it resumes exactly; ``run.json`` and ``curve.jsonl`` (see
`ludoteca.learn.run_folder`); ``network.onnx`` for the agent ``zero``, at every checkpoint and at the end; and at the
end ``curve.png`` and ``network-int8.onnx``, which is faster and almost as strong.
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
from ludoteca.learn.quantize import quantize
from ludoteca.learn.run_folder import CHECKPOINT, RunWriter
from ludoteca.learn.zero.training import Arguments, Training, sized, write

CALIBRATION_MATCHES = 8
"""Matches on each board size that calibrate the network in 8 bits."""


def train_zero(words: Sequence[str]) -> int:
    """Run ``ludoteca train zero`` with these words. Returns the exit status."""
    console = Console(emoji=False)
    about = "Train a network by self-play (Gumbel AlphaZero) and write it as ONNX."
    place, given = given_options(console, "zero", {"default": Arguments()}, words, about)
    folder = place.folder
    if place.resume:
        training = Training.load(folder / CHECKPOINT)
        said = f"Resuming at {training.progress:.0%}"
    else:
        training = Training(given)
        said = f"Training on {training.arguments.game}, boards {training.arguments.curriculum}"
    console.print(f"{said}; writing to {folder}", highlight=False)
    try:
        ended = _run_with_progress(training, place, console)
    except KeyboardInterrupt:  # a second Ctrl-C
        show_resume(console, place, "")
        return 130
    network = folder / "network.onnx"
    write(training, network)
    small = folder / "network-int8.onnx"
    sizes = sorted({size for stage in training.stages for size, _ in stage.groups})
    quantize(
        network,
        small,
        [(sized(training.arguments.game, size), CALIBRATION_MATCHES) for size in sizes],
        training.arguments.seed,
    )
    counts = training.counts
    console.print(
        f"{counts['matches']:,} matches, {training.positions:,} positions, {counts['evaluations']:,} evaluations, "
        f"{training.updates:,} updates in {training.seconds / 60:.1f} minutes",
        highlight=False, soft_wrap=True,
    )  # fmt: skip
    if not ended:
        show_resume(console, place, f"{training.progress:.0%}")
        return 130
    size = training.stages[-1].groups[0][0]
    console.print(
        f"Play against it: ludoteca play {training.arguments.game}:size={size} --against zero:weights={small}",
        highlight=False, soft_wrap=True,
    )  # fmt: skip
    return 0


def _run_with_progress(training: Training, place: Place, console: Console) -> bool:
    """Run the training with a progress bar, its curve, checkpoints and Ctrl-C. Returns whether it got to the end."""
    arguments, folder = training.arguments, place.folder
    total = None if arguments.minutes > 0 else arguments.positions
    run = about_run(place, asdict(arguments), "positions", total)
    with (
        RunWriter(folder, run, training.curve, resumed=place.resume) as writer,
        watchable(console, place),
        progress_bar(console, TaskProgressColumn()) as (bar, interrupted),
    ):
        task = bar.add_task("training", total=1.0, status="")
        saved = training.positions // arguments.checkpoint_every

        def after_step(now: Training) -> bool:
            nonlocal saved
            if now.steps % 16 == 0:
                bar.update(task, completed=now.progress, status=f"{now.positions:,} positions")
            for point in writer.append(now.curve):
                if point.results:
                    console.print(f"{point.at:,} positions: {results_text(point)}", highlight=False, soft_wrap=True)
            stop = interrupted()
            if stop or now.progress >= 1 or now.positions // arguments.checkpoint_every > saved:
                saved = now.positions // arguments.checkpoint_every
                now.save(folder / CHECKPOINT)
                write(now, folder / "network.onnx")
            return not stop

        ended = training.run(after_step)
        picture(training.curve, folder / "curve.png", f"zero on {arguments.game}", "positions")
        if ended:
            writer.finish(training.counts)
        return ended
