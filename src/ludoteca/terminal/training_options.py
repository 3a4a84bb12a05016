"""The options of ``ludoteca train``: made from the arguments of each training, and those that all of them have."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
import typer.core

from ludoteca import spec
from ludoteca.errors import InvalidOption
from ludoteca.learn.command import Place
from ludoteca.learn.settings import Setting

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

A = TypeVar("A", bound="DataclassInstance")


class GroupedOptions(typer.core.TyperCommand):
    """A command whose --help lists its options under headings."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """One section for each heading, in the order of the options."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            if (record := parameter.get_help_record(ctx)) is not None:
                usual = "Arguments" if parameter.param_type_name == "argument" else "Options"
                sections.setdefault(getattr(parameter, "rich_help_panel", None) or usual, []).append(record)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)


def add_training(
    app: typer.Typer,
    train: Callable[[Place, A], int],
    presets: Mapping[str, A],
    implied: tuple[str, str, str] | None = None,
    on_ray: bool = False,
) -> None:
    """Add a command with an option for each argument of a training. on_ray: also --ray and --workers.

    train: called ``train_NAME``. presets: arguments by name, the default ones first; an option that is given wins.
    implied: an option, its value, and the preset that this value selects unless --preset is given.
    """
    name = train.__name__.removeprefix("train_")

    def command(**given: Any) -> None:
        given = {each: value for each, value in given.items() if value is not None}
        folder, resume, watch = (given.pop(each) for each in ("folder", "resume", "watch"))
        ray, workers = given.pop("ray", None), given.pop("workers", None)
        preset, words = given.pop("preset", ""), _words(given)
        if resume and (given or preset):
            raise InvalidOption(
                "{owner}: --resume keeps the arguments of the first run; give only --folder", owner=f"train {name}"
            )
        if workers and ray is None:
            raise InvalidOption("{owner}: --workers needs --ray", owner=f"train {name}")
        words = (*(("--preset", preset) if preset else ()), *words, *(() if ray is None else (f"--ray={ray}",)))
        place = Place(name, folder, resume, watch, words, ray, workers)
        place.check()
        raise typer.Exit(train(place, arguments_of(presets, preset, given, implied)))

    game, *arguments = map(_parameter_of(presets), _options_of(presets))
    parameters = [game, *_own_parameters(name, presets, implied), *(RAY if on_ray else ()), *arguments]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    command.__doc__ = (
        f"{inspect.getdoc(train)}\n\nCtrl-C saves, and --resume continues. The folder gets the checkpoint, the "
        "settings, the learning curve and the network. The page shows the curve: ludoteca serve --runs FOLDER"
    )
    app.command(name, cls=GroupedOptions)(command)


def arguments_of(
    presets: Mapping[str, A], preset: str, given: Mapping[str, Any], implied: tuple[str, str, str] | None = None
) -> A:
    """The arguments of a preset, empty for the default one, with those that are given."""
    if not preset:
        preset = implied[2] if implied and given.get(implied[0]) == implied[1] else next(iter(presets))
    return replace(presets[preset], **given)


def limit_threads(number: int) -> None:
    """Limit PyTorch to so many threads; call it before PyTorch is imported.

    On ARM, PyTorch's library for matrices starts threads of its own. It looks only at this variable, when it is loaded.
    A number that is set already stays.
    """
    os.environ.setdefault("OMP_NUM_THREADS", str(number))


def _words(given: Mapping[str, Any]) -> tuple[str, ...]:
    """The given options as words of the command line, the game first."""
    game = (given["game"],) if "game" in given else ()
    named = [(f"--{each.replace('_', '-')}", spec.show(value)) for each, value in given.items() if each != "game"]
    return (*game, *(word for pair in named for word in pair))


def _options_of(presets: Mapping[str, A]) -> list[spec.Option]:
    return spec.options(type(next(iter(presets.values()))))


def _own_parameters(
    name: str, presets: Mapping[str, A], implied: tuple[str, str, str] | None
) -> list[inspect.Parameter]:
    """Those that every training has besides its arguments."""
    default = next(iter(presets))
    selected = f", or {implied[2]} with --{implied[0]} {implied[1]}" if implied else ""
    about = _with_default(
        "Values for all options that you do not give; each option shows its default and where a preset differs.",
        default + selected,
    )

    def known(value: str | None) -> str | None:
        return None if value is None else spec.one_of(f"train {name}", "preset", value, presets)

    return [
        _parameter("folder", Path, typer.Option(help="The folder of the training."), Path("runs") / name),
        _parameter("resume", bool, typer.Option("--resume", help="Continue the training in --folder."), False),
        _parameter(
            "watch", bool,
            typer.Option("--watch", help="Serve the page with the learning curve meanwhile, and print its address."),
            False,
        ),
        _parameter(
            "preset", str | None,
            typer.Option(metavar="|".join(presets), help=about, show_default=False, callback=known),
            None,
        ),
    ]  # fmt: skip


def _with_default(text: str, shown: str) -> str:
    """The help of an option with its default, which depends on the preset."""
    return f"{text}  [default: {shown}]" if shown else text


def _parameter(name: str, kind: Any, about: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, about])


RAY = (
    _parameter(
        "ray", str | None,
        typer.Option(
            metavar="[ADDRESS]",
            help="Let actors on a Ray cluster play the matches: on the cluster at this address, or without one on a "
            "running or a new local cluster. This process learns. Also with --resume.",
        ),
        None,
    ),
    _parameter(
        "workers", int | None,
        typer.Option(
            min=1, help="With --ray: how many actors play, one on a core; by default all cores but one, which learns."
        ),
        None,
    ),
)  # fmt: skip


def _parameter_of(presets: Mapping[str, A]) -> Callable[[spec.Option], inspect.Parameter]:
    """Makes a parameter, by default None, of an argument of the training."""

    def make(option: spec.Option) -> inspect.Parameter:
        about = option.label
        assert isinstance(about, Setting)
        values = {name: spec.show(asdict(each)[option.name]) for name, each in presets.items()}
        usual = next(iter(values.values()))
        differs = [f"{name}: {value}" for name, value in values.items() if value != usual]
        text = _with_default(about.help, "; ".join([usual, *differs]))
        if option.name == "game":
            return _parameter("game", str | None, typer.Argument(help=text, show_default=False), None)
        bounds = {"min": about.low, "max": about.high} if option.kind in (int, float) else {}
        return _parameter(
            option.name,
            option.kind | None,
            typer.Option(
                f"--{option.name.replace('_', '-')}",
                help=text,
                show_default=False,
                rich_help_panel=about.group,
                **bounds,  # type: ignore[arg-type]
            ),
            None,
        )

    return make
