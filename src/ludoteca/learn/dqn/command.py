"""The command ``ludoteca train dqn``: options, progress bar, learning curve, checkpoints and Ctrl-C.

A training writes to its folder: ``checkpoint``, from which it resumes exactly; ``curve.png`` and TensorBoard events;
and at the end ``network.onnx`` for the agent ``dqn``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import MofNCompleteColumn

from ludoteca.learn.command import CHECKPOINT, given_options, progress_bar, show_resume
from ludoteca.learn.dqn.training import Arguments, Curve, Training, export


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
    about = "Train a Double DQN and write it as ONNX."
    other = ("--observation seed", Arguments.original())
    folder, resume, given = given_options(console, "dqn", Arguments, words, about, other)
    if resume:
        training = Training.load(folder / CHECKPOINT)
        said = f"Resuming at match {training.matches:,} of {training.arguments.matches:,}"
    else:
        basis = Arguments.original() if given.get("observation") == "seed" else Arguments()
        training = Training(replace(basis, **given))
        said = f"Training on {training.envs.game.spec} against {training.arguments.against}"
    console.print(f"{said}; writing to {folder}", highlight=False)
    if not _run_with_progress(training, folder, console):
        show_resume(console, "dqn", f"match {training.matches:,}", folder)
        return 130
    export(training, folder / "network.onnx")
    console.print(_summary(training), highlight=False, soft_wrap=True)
    console.print(f"Play against it: ludoteca play {training.envs.game.spec} --against "
                  f"dqn:weights={folder / 'network.onnx'}", highlight=False, soft_wrap=True)  # fmt: skip
    return 0


def _run_with_progress(training: Training, folder: Path, console: Console) -> bool:
    """Run the training with a progress bar, TensorBoard, checkpoints and Ctrl-C. Returns whether it got to the end."""
    arguments = training.arguments
    with progress_bar(console, folder, MofNCompleteColumn(), training.matches) as (bar, board, interrupted):
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
                now.save(folder / CHECKPOINT)
            return not stop

        return training.run(after_step)


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
