"""The command ``ludoteca train dqn``: options, progress bar, learning curve, checkpoints and Ctrl-C.

A training writes to its folder: ``checkpoint``, from which it resumes exactly; ``curve.png`` and TensorBoard events;
and at the end ``network.onnx`` for the agent ``dqn``.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from torch.utils.tensorboard import SummaryWriter

from ludoteca.errors import InvalidOption
from ludoteca.learn.dqn.training import Arguments, Curve, Training, export
from ludoteca.learn.options import help_and_exit, parse
from ludoteca.messages import say

__all__ = ["expected_checkpoint", "interruptible", "picture", "train_dqn"]


def picture(curve: Curve, path: Path, title: str) -> None:
    """Write the learning curve as PNG."""
    from matplotlib.figure import Figure  # slow to import, and only needed here

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot(curve.matches, [100 * score for score in curve.score], marker=".")
    axes.set(title=title, xlabel="matches learnt from", ylabel="score of the greedy network, %", ylim=(0, 100))
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=120)


def train_dqn(words: Sequence[str]) -> int:
    """Run ``ludoteca train dqn`` with these words. Returns the exit status."""
    console = Console(emoji=False)
    given = parse("dqn", Arguments, words)
    if given is None:
        about = "Train a Double DQN and write it as ONNX."
        help_and_exit(console, "dqn", Arguments, about, ("--observation seed", Arguments.original()))
    folder, resume = Path(given.pop("folder")), given.pop("resume")
    checkpoint = expected_checkpoint("dqn", folder, resume)
    if resume:
        training = Training.load(checkpoint)
        said = f"Resuming at match {training.matches:,} of {training.arguments.matches:,}"
    else:
        basis = Arguments.original() if given.get("observation") == "seed" else Arguments()
        training = Training(replace(basis, **given))
        folder.mkdir(parents=True, exist_ok=True)
        said = f"Training on {training.envs.game.spec} against {training.arguments.against}"
    console.print(f"{said}; writing to {folder}", highlight=False)
    if not _run_with_progress(training, folder, console):
        console.print(f"Stopped at match {training.matches:,} and saved. Resume with:", highlight=False)
        console.print(f"  ludoteca train dqn --resume --folder {folder}", highlight=False, soft_wrap=True)
        return 130
    export(training, folder / "network.onnx")
    console.print(_summary(training), highlight=False, soft_wrap=True)
    console.print(f"Play against it: ludoteca play {training.envs.game.spec} --against "
                  f"dqn:weights={folder / 'network.onnx'}", highlight=False, soft_wrap=True)  # fmt: skip
    return 0


def expected_checkpoint(name: str, folder: Path, resume: bool) -> Path:
    """The path of the checkpoint. Raises InvalidOption if it is missing for --resume, or exists without it."""
    checkpoint, owner = folder / "checkpoint", f"train {name}"
    if resume and not checkpoint.exists():
        raise InvalidOption(say("{owner}: there is no checkpoint in {folder}", owner=owner, folder=folder))
    if checkpoint.exists() and not resume:
        raise InvalidOption(
            say(
                "{owner}: {folder} already holds a training; continue it with --resume or choose another --folder",
                owner=owner,
                folder=folder,
            )
        )
    return checkpoint


def _run_with_progress(training: Training, folder: Path, console: Console) -> bool:
    """Run the training with a progress bar, TensorBoard, checkpoints and Ctrl-C. Returns whether it got to the end."""
    arguments = training.arguments
    columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    with (
        SummaryWriter(str(folder), purge_step=training.matches) as board,
        Progress(*columns, TextColumn("{task.fields[status]}"), console=console) as bar,
        interruptible() as interrupted,
    ):
        task = bar.add_task("matches", total=arguments.matches, completed=training.matches, status="")
        shown, saved = len(training.curve.matches), training.matches // arguments.checkpoint_every

        def after_step(now: Training) -> bool:
            nonlocal shown, saved
            bar.update(task, completed=min(now.matches, arguments.matches))
            if len(now.curve.matches) > shown:
                shown = len(now.curve.matches)
                score = now.curve.score[-1]
                bar.update(task, status=f"score {score:.1%}, loss {now.loss:.4f}")
                if not console.is_terminal:  # a log file shows no bar
                    console.print(f"match {now.matches:,}: score {score:.1%}, loss {now.loss:.4f}", highlight=False)
                board.add_scalar("score", score, now.matches)
                board.add_scalar("loss", now.loss, now.matches)
                picture(now.curve, folder / "curve.png", f"dqn on {now.envs.game.spec} against {arguments.against}")
            stop = interrupted()
            if stop or now.finished or now.matches // arguments.checkpoint_every > saved:
                saved = now.matches // arguments.checkpoint_every
                now.save(folder / "checkpoint")
            return not stop

        return training.run(after_step)


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yields a function that returns whether Ctrl-C was pressed. A second Ctrl-C interrupts as usual."""
    pressed = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)


def _summary(training: Training) -> str:
    line = (
        f"{training.matches:,} matches, {training.decisions:,} decisions, {training.updates:,} updates in "
        f"{training.seconds / 60:.1f} minutes ({training.cpu_seconds / 60:.1f} of CPU)"
    )
    if training.strength is not None:
        wins, draws, losses = training.strength
        share = wins / sum(training.strength)
        line += f"; against {training.arguments.against} +{wins} ={draws} -{losses}: {share:.2%} won"
    return line
