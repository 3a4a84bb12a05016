"""Runs ``ludoteca train mmd``.

A training writes to its folder: ``checkpoint``, from which it resumes; ``run.json`` and ``curve.jsonl`` (see
`ludoteca.learn.run_folder`); ``network.onnx`` for the agent ``mmd``, at every checkpoint and at the end; and at the end
``curve.png``.
"""

from __future__ import annotations

from dataclasses import asdict

from rich.console import Console

from ludoteca.errors import WorkerError
from ludoteca.learn.command import NETWORK_FILE, Place, Work, actors_text, loaded, run_training, show_resume
from ludoteca.learn.mmd.arguments import Arguments
from ludoteca.learn.mmd.export import write_network
from ludoteca.learn.mmd.training import Training


def train_mmd(place: Place, given: Arguments) -> int:
    """Train; given: the arguments of a new training. Returns the exit status."""
    console, folder = Console(emoji=False), place.folder
    if place.resume:
        training = loaded(place, lambda path: Training.load(path, place.spread))
        said = f"Resuming at {training.progress:.0%}"
    else:
        training = Training(given, place.spread)
        against = f" against {given.against}" if given.against else ""
        said = f"Training on {given.game}{against}"
    console.print(f"{said}; writing to {folder}", highlight=False)
    arguments = training.arguments
    work = Work(
        training,
        asdict(arguments),
        f"mmd on {arguments.game}",
        "positions",
        None if arguments.minutes > 0 else arguments.positions,
        arguments.checkpoint_every,
        count=lambda: training.positions,
        run=training.run,
        write=lambda path: write_network(training.average, path, training.about()),
        facts=lambda: {"positions": training.positions, "updates": training.updates},
        status=lambda: actors_text(training.remote),
    )
    try:
        ended = run_training(work, place, console)
    except KeyboardInterrupt:  # a second Ctrl-C
        show_resume(console, place, "")
        return 130
    except WorkerError:
        show_resume(console, place, "")
        raise
    finally:
        if training.remote is not None:
            training.remote.close()
    console.print(
        f"{training.positions:,} positions, {training.updates:,} updates in {training.seconds / 60:.1f} minutes",
        highlight=False,
    )
    if not ended:
        show_resume(console, place, f"{training.progress:.0%}")
        return 130
    console.print(
        f"Play against it: ludoteca play {training.games[0].spec} --against mmd:weights={folder / NETWORK_FILE}",
        highlight=False, soft_wrap=True,
    )  # fmt: skip
    return 0
