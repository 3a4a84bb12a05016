"""``ludoteca train dqn`` as a user meets it: options, bar, learning curve, checkpoints and Ctrl-C.

In its folder a training leaves ``checkpoint``, from which it goes on exactly; ``curve.png`` and TensorBoard's events;
and at the end ``network.onnx``, which the agent ``dqn`` plays.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from torch.utils.tensorboard import SummaryWriter

from ludoteca import spec
from ludoteca.errors import InvalidOption
from ludoteca.learn.dqn import Arguments, Curve, Training, export
from ludoteca.messages import say

__all__ = ["picture", "train_dqn"]


def picture(curve: Curve, path: Path, title: str) -> None:
    """The learning curve as PNG."""
    from matplotlib.figure import Figure  # slow to import, and only needed here

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot(curve.matches, [100 * score for score in curve.score], marker=".")
    axes.set(title=title, xlabel="matches learnt from", ylabel="score of the greedy network, %", ylim=(0, 100))
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=120)


def train_dqn(words: Sequence[str]) -> int:
    """The command line after ``ludoteca train dqn``; gives the exit status."""
    console = Console(emoji=False)
    given = _parse(words, console)
    folder = Path(given.pop("folder"))
    checkpoint = folder / "checkpoint"
    if given.pop("resume"):
        if not checkpoint.exists():
            raise InvalidOption(say("train dqn: there is no checkpoint in {folder}", folder=folder))
        training = Training.load(checkpoint)
        said = f"Going on at match {training.matches:,} of {training.arguments.matches:,}"
    else:
        if checkpoint.exists():
            raise InvalidOption(
                say(
                    "train dqn: {folder} holds a training already: --resume goes on with it, --folder chooses another",
                    folder=folder,
                )
            )
        basis = Arguments.original() if given.get("observation") == "seed" else Arguments()
        training = Training(replace(basis, **given))
        folder.mkdir(parents=True, exist_ok=True)
        said = f"Training on {training.table.game.spec} against {training.arguments.against}"
    console.print(f"{said}; all goes to {folder}", highlight=False)
    if not _watched(training, folder, console):
        console.print(f"Stopped at match {training.matches:,} and saved. Go on with:", highlight=False)
        console.print(f"  ludoteca train dqn --resume --folder {folder}", highlight=False, soft_wrap=True)
        return 130
    export(training, folder / "network.onnx")
    console.print(_summary(training), highlight=False, soft_wrap=True)
    console.print(f"Play against it: ludoteca play {training.table.game.spec} --against "
                  f"dqn:weights={folder / 'network.onnx'}", highlight=False, soft_wrap=True)  # fmt: skip
    return 0


def _watched(training: Training, folder: Path, console: Console) -> bool:
    """Runs the training with a bar, TensorBoard, checkpoints and care for Ctrl-C; whether it got to the end."""
    arguments = training.arguments
    columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    with (
        SummaryWriter(str(folder), purge_step=training.matches) as board,
        Progress(*columns, TextColumn("{task.fields[told]}"), console=console) as bar,
        _interruptible() as interrupted,
    ):
        task = bar.add_task("matches", total=arguments.matches, completed=training.matches, told="")
        shown, saved = len(training.curve.matches), training.matches // arguments.checkpoint_every

        def after_step(now: Training) -> bool:
            nonlocal shown, saved
            bar.update(task, completed=min(now.matches, arguments.matches))
            if len(now.curve.matches) > shown:
                shown = len(now.curve.matches)
                score = now.curve.score[-1]
                bar.update(task, told=f"score {score:.1%}, loss {now.loss:.4f}")
                if not console.is_terminal:  # a log file shows no bar
                    console.print(f"match {now.matches:,}: score {score:.1%}, loss {now.loss:.4f}", highlight=False)
                board.add_scalar("score", score, now.matches)
                board.add_scalar("loss", now.loss, now.matches)
                picture(now.curve, folder / "curve.png", f"dqn on {now.table.game.spec} against {arguments.against}")
            stop = interrupted()
            if stop or now.finished or now.matches // arguments.checkpoint_every > saved:
                saved = now.matches // arguments.checkpoint_every
                now.save(folder / "checkpoint")
            return not stop

        return training.run(after_step)


@contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """Gives a function that says whether Ctrl-C was pressed; a second Ctrl-C interrupts as usual."""
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


def _parse(words: Sequence[str], console: Console) -> dict[str, Any]:
    """The options as a dictionary: only those of `Arguments` that were given, besides folder and resume."""
    known = {option.name: option for option in spec.options(Arguments)}
    given: dict[str, Any] = {"folder": "runs/dqn", "resume": False}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, text = word.removeprefix("--").partition("=")
        name = name.replace("-", "_")
        if word in ("--help", "-h"):
            _help(console)
        if word == "--resume":
            given["resume"] = True
            continue
        if not word.startswith("--"):
            name, equals, text = "game", "=", word
        if name not in known and name != "folder":
            options = [f"--{each.replace('_', '-')}" for each in (*known, "folder", "resume")]
            wrong = say("train dqn has no option {word!r}: see --help", word=word)
            raise InvalidOption(spec.with_suggestion(wrong, word, options))
        if not equals:
            if not rest:
                raise InvalidOption(say("train dqn: {word} wants a value", word=word))
            text = rest.pop(0)
        given[name] = text if name == "folder" else known[name].parse("train dqn", text)
    if given["resume"] and len(given) > 2:
        raise InvalidOption(say("train dqn: --resume goes on with the arguments of its start; give only --folder"))
    return given


def _help(console: Console) -> NoReturn:
    def show(text: str) -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    show("Usage: ludoteca train dqn [GAME] [--OPTION VALUE]…\n")
    show("Train a Double DQN and write it as ONNX. Ctrl-C saves; --resume goes on exactly.\n")
    show("  --folder           where checkpoint, curve.png, events for TensorBoard and network.onnx go [runs/dqn]")
    show("  --resume           go on with the training in --folder")
    original = Arguments.original()
    for option in spec.options(Arguments):
        choices = f" ({', '.join(option.choices)})" if option.choices else ""
        value, other = (spec.show(each) for each in (option.default, getattr(original, option.name)))
        extra = f"; with --observation seed {other}" if other != value and option.name != "observation" else ""
        show(f"  --{option.name.replace('_', '-'):<16} {option.help}{choices} [{value}{extra}]")
    raise SystemExit(0)
