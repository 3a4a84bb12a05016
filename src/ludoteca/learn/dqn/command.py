"""Runs ``ludoteca train dqn``.

A training writes to its folder: ``checkpoint``, from which it resumes exactly; ``run.json`` and ``curve.jsonl`` (see
`ludoteca.learn.run_folder`); ``network.onnx`` for the agent ``dqn``; and at the end ``curve.png``.
"""

from __future__ import annotations

from dataclasses import asdict

from rich.console import Console

from ludoteca.learn.command import NETWORK_FILE, Place, Work, loaded, run_training, show_resume
from ludoteca.learn.dqn.arguments import Arguments
from ludoteca.learn.dqn.training import Training, export, strength


def train_dqn(place: Place, given: Arguments) -> int:
    """Train; given: the arguments of a new training. Returns the exit status."""
    console, folder = Console(emoji=False), place.folder
    if place.resume:
        training = loaded(place, Training.load)
        said = f"Resuming at match {training.matches:,} of {training.arguments.matches:,}"
    else:
        training = Training(given)
        said = f"Training on {training.envs.game.spec} against {training.arguments.against}"
    console.print(f"{said}; writing to {folder}", highlight=False)
    arguments = training.arguments
    work = Work(
        training,
        asdict(arguments),
        f"dqn on {training.envs.game.spec} against {arguments.against}",
        "matches",
        arguments.matches,
        arguments.checkpoint_every,
        count=lambda: training.matches,
        run=training.run,
        write=lambda path: export(training, path),
        facts=lambda: strength(training),
        status=lambda: f"loss {training.loss:.4f}, epsilon {training.epsilon:.2f}",
    )
    try:
        if not run_training(work, place, console):
            show_resume(console, place, f"match {training.matches:,}")
            return 130
    except KeyboardInterrupt:  # a second Ctrl-C
        show_resume(console, place, "")
        return 130
    console.print(_summary(training), highlight=False, soft_wrap=True)
    side = "" if arguments.seat == "both" else f" --side {1 - int(arguments.seat)}"
    console.print(f"Play against it: ludoteca play {training.envs.game.spec} --against "
                  f"dqn:weights={folder / NETWORK_FILE}{side}", highlight=False, soft_wrap=True)  # fmt: skip
    return 0


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
