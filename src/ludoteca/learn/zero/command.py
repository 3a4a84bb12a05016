"""The command ``ludoteca train zero``: options, progress bar, learning curve, checkpoints and Ctrl-C.

A training writes to its folder: ``checkpoint``, from which it resumes exactly; ``curve.png`` and TensorBoard events;
``network.onnx`` for the agent ``zero``, at every checkpoint and at the end; and at the end ``network-int8.onnx``, which
is faster and almost as strong.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import TaskProgressColumn

from ludoteca.learn.command import CHECKPOINT, given_options, progress_bar, show_resume
from ludoteca.learn.quantize import quantize
from ludoteca.learn.zero.matches import Point
from ludoteca.learn.zero.training import Arguments, Training, sized, write

CALIBRATION_MATCHES = 8
"""Matches on each board size that calibrate the network in 8 bits."""


def picture(curve: Sequence[Point], path: Path, title: str) -> None:
    """Write the learning curve as PNG: a line with its intervals for each opponent."""
    from matplotlib.figure import Figure  # slow to import, and only needed here

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for name in dict.fromkeys(point.against for point in curve):
        points = [point for point in curve if point.against == name]
        x = [point.positions for point in points]
        axes.plot(x, [100 * point.score for point in points], marker=".", label=name)
        axes.fill_between(x, [100 * point.low for point in points], [100 * point.high for point in points], alpha=0.15)
    axes.set(title=title, xlabel="positions learnt from", ylabel="score of the policy without search, %", ylim=(0, 100))
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=120)


def train_zero(words: Sequence[str]) -> int:
    """Run ``ludoteca train zero`` with these words. Returns the exit status."""
    console = Console(emoji=False)
    about = "Train a network by self-play (Gumbel AlphaZero) and write it as ONNX."
    folder, resume, given = given_options(console, "zero", Arguments, words, about)
    if resume:
        training = Training.load(folder / CHECKPOINT)
        said = f"Resuming at {training.progress:.0%}"
    else:
        training = Training(Arguments(**given))
        said = f"Training on {training.arguments.game}, boards {training.arguments.curriculum}"
    console.print(f"{said}; writing to {folder}", highlight=False)
    ended = _run_with_progress(training, folder, console)
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
        show_resume(console, "zero", f"{training.progress:.0%}", folder)
        return 130
    size = training.stages[-1].groups[0][0]
    console.print(
        f"Play against it: ludoteca play {training.arguments.game}:size={size} --against zero:weights={small}",
        highlight=False, soft_wrap=True,
    )  # fmt: skip
    return 0


def _run_with_progress(training: Training, folder: Path, console: Console) -> bool:
    """Run the training with a progress bar, TensorBoard, checkpoints and Ctrl-C. Returns whether it got to the end."""
    with progress_bar(console, folder, TaskProgressColumn(), training.positions) as (bar, board, interrupted):
        task = bar.add_task("training", total=1.0, status="")
        shown, saved = len(training.curve), training.positions // training.arguments.checkpoint_every

        def after_step(now: Training) -> bool:
            nonlocal shown, saved
            if now.steps % 16 == 0:
                bar.update(task, completed=now.progress, status=f"{now.positions:,} positions")
            for point in now.curve[shown:]:
                shown += 1
                score = f"{point.score:.0%} ({point.low:.0%}–{point.high:.0%}) against {point.against}"
                console.print(f"{point.positions:,} positions: {score}, size {point.size}", highlight=False)
                board.add_scalar(f"score/{point.against}", point.score, point.positions)
                if shown == len(now.curve):
                    for index, name in enumerate(("policy", "value")):
                        board.add_scalar(f"loss/{name}", float(now.loss[index]), point.positions)
                    picture(now.curve, folder / "curve.png", f"zero on {now.arguments.game}")
            stop = interrupted()
            if stop or now.progress >= 1 or now.positions // now.arguments.checkpoint_every > saved:
                saved = now.positions // now.arguments.checkpoint_every
                now.save(folder / CHECKPOINT)
                write(now, folder / "network.onnx")
            return not stop

        return training.run(after_step)
