"""The command ``ludoteca train dqn``: options, progress bar, learning curve, checkpoints and Ctrl-C.

A training writes to its folder: ``checkpoint``, from which it resumes exactly; ``run.json`` and ``curve.jsonl`` (see
`ludoteca.learn.run_folder`); and at the end ``curve.png`` and ``network.onnx`` for the agent ``dqn``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.progress import MofNCompleteColumn

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
from ludoteca.learn.dqn.training import Arguments, Training, export, strength
from ludoteca.learn.run_folder import CHECKPOINT, RunWriter

PRESETS = {"default": Arguments(), "original": Arguments.original()}
"""Named settings; the first is the default."""


def train_dqn(words: Sequence[str]) -> int:
    """Run ``ludoteca train dqn`` with these words. Returns the exit status."""
    console = Console(emoji=False)
    about = "Train a Double DQN and write it as ONNX."
    place, given = given_options(console, "dqn", PRESETS, words, about, ("observation", "seed", "original"))
    folder = place.folder
    if place.resume:
        training = Training.load(folder / CHECKPOINT)
        said = f"Resuming at match {training.matches:,} of {training.arguments.matches:,}"
    else:
        training = Training(given)
        said = f"Training on {training.envs.game.spec} against {training.arguments.against}"
    console.print(f"{said}; writing to {folder}", highlight=False)
    try:
        if not _run_with_progress(training, place, console):
            show_resume(console, place, f"match {training.matches:,}")
            return 130
    except KeyboardInterrupt:  # a second Ctrl-C
        show_resume(console, place, "")
        return 130
    export(training, folder / "network.onnx")
    console.print(_summary(training), highlight=False, soft_wrap=True)
    seat = training.arguments.seat
    side = "" if seat == "both" else f" --side {1 - int(seat)}"
    console.print(f"Play against it: ludoteca play {training.envs.game.spec} --against "
                  f"dqn:weights={folder / 'network.onnx'}{side}", highlight=False, soft_wrap=True)  # fmt: skip
    return 0


def _run_with_progress(training: Training, place: Place, console: Console) -> bool:
    """Run the training with a progress bar, its curve, checkpoints and Ctrl-C. Returns whether it got to the end."""
    arguments, folder = training.arguments, place.folder
    run = about_run(place, asdict(arguments), "matches", arguments.matches)
    with (
        RunWriter(folder, run, training.curve, resumed=place.resume) as writer,
        watchable(console, place),
        progress_bar(console, MofNCompleteColumn()) as (bar, interrupted),
    ):
        task = bar.add_task("matches", total=arguments.matches, completed=training.matches, status="")
        saved = training.matches // arguments.checkpoint_every

        def after_step(now: Training) -> bool:
            nonlocal saved
            bar.update(task, completed=min(now.matches, arguments.matches))
            for point in writer.append(now.curve):
                bar.update(task, status=f"loss {now.loss:.4f}, epsilon {now.epsilon:.2f}")
                if point.results:
                    line = f"match {point.at:,}: {results_text(point)}, loss {now.loss:.4f}"
                    console.print(line, highlight=False, soft_wrap=True)
            stop = interrupted()
            if stop or now.finished or now.matches // arguments.checkpoint_every > saved:
                saved = now.matches // arguments.checkpoint_every
                now.save(folder / CHECKPOINT)
            return not stop

        ended = training.run(after_step)
        title = f"dqn on {training.envs.game.spec} against {arguments.against}"
        picture(training.curve, folder / "curve.png", title, "matches")
        if ended:
            writer.finish(strength(training))
        return ended


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
