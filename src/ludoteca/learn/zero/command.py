"""Runs ``ludoteca train zero``.

A training writes to its folder: ``checkpoint``, from which it resumes exactly; ``run.json`` and ``curve.jsonl`` (see
`ludoteca.learn.run_folder`); ``network.onnx`` for the agent ``zero``, at every checkpoint and at the end; and at the
end ``curve.png`` and ``network-int8.onnx``, which is faster and almost as strong.
"""

from __future__ import annotations

from dataclasses import asdict

from rich.console import Console

from ludoteca.errors import WorkerError
from ludoteca.learn.command import NETWORK_FILE, Place, Work, actors_text, loaded, run_training, show_resume
from ludoteca.learn.quantize import quantize
from ludoteca.learn.zero.arguments import Arguments, sized
from ludoteca.learn.zero.training import Training, write

CALIBRATION_MATCHES = 8
"""Matches on each board size that calibrate the network in 8 bits."""


def train_zero(place: Place, given: Arguments) -> int:
    """Train; given: the arguments of a new training. Returns the exit status."""
    console, folder = Console(emoji=False), place.folder
    if place.resume:
        training = loaded(place, lambda path: Training.load(path, place.spread))
        said = f"Resuming at {training.progress:.0%}"
    else:
        training = Training(given, place.spread)
        said = f"Training on {training.arguments.game}, boards {training.arguments.curriculum}"
    console.print(f"{said}; writing to {folder}", highlight=False)
    arguments = training.arguments
    work = Work(
        training,
        asdict(arguments),
        f"zero on {arguments.game}",
        "positions",
        None if arguments.minutes > 0 else arguments.positions,
        arguments.checkpoint_every,
        count=lambda: training.positions,
        run=training.run,
        write=lambda path: write(training, path),
        facts=lambda: training.counts,
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
    counts = training.counts
    console.print(
        f"{counts['matches']:,} matches, {training.positions:,} positions, {counts['evaluations']:,} evaluations, "
        f"{training.updates:,} updates in {training.seconds / 60:.1f} minutes",
        highlight=False, soft_wrap=True,
    )  # fmt: skip
    if not ended:
        show_resume(console, place, f"{training.progress:.0%}")
        return 130
    small = folder / "network-int8.onnx"
    sizes = sorted({size for stage in training.stages for size, _ in stage.groups})
    matches = [(sized(arguments.game, size), CALIBRATION_MATCHES) for size in sizes]
    quantize(folder / NETWORK_FILE, small, matches, arguments.seed)
    game = sized(arguments.game, training.stages[-1].groups[0][0]).spec
    console.print(
        f"Play against it: ludoteca play {game} --against zero:weights={small}", highlight=False, soft_wrap=True
    )
    return 0
