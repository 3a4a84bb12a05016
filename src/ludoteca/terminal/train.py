"""``ludoteca train``: the trainings read their own options."""

from __future__ import annotations

import typer

from ludoteca.errors import extra
from ludoteca.messages import say

training = typer.Typer(help="Train agents.", no_args_is_help=True, rich_markup_mode=None)
PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}
"""A training reads its own options: PyTorch takes seconds to import, and may not be installed."""


@training.command("dqn", add_help_option=False, context_settings=PASSED_ON)
def train_dqn(context: typer.Context) -> None:
    """Train a Double DQN for Kittens; its options: ludoteca train dqn --help."""
    with extra("learn", say("training")):
        from ludoteca.learn.dqn.command import train_dqn
    raise SystemExit(train_dqn(context.args))


@training.command("zero", add_help_option=False, context_settings=PASSED_ON)
def train_zero(context: typer.Context) -> None:
    """Train a network for Hex or Horses by self-play; its options: ludoteca train zero --help."""
    with extra("learn", say("training")):
        from ludoteca.learn.zero.command import train_zero
    raise SystemExit(train_zero(context.args))
