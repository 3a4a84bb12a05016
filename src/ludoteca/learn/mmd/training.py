"""``ludoteca train mmd``: learn a game with hidden hands by self-play (magnetic mirror descent).

One network plays many matches side by side; it sees only the view of the seat on turn. After every `steps` choices in
each match it learns from them, by a policy gradient that two forces hold back:

    loss  =  - ratio x advantage    (clipped as in PPO: a small step away from the policy that played)
             - magnet x entropy     (towards the uniform policy)
             + value error  +  cross entropy of its belief about the other's hand

The small step is the mirror descent, the entropy is the magnet. With them self-play converges where a plain policy
gradient runs in circles: to the equilibrium of a game in which each seat pays for a policy that is not random. The
magnet gets weaker during the training, so the result comes close to an equilibrium of the game itself. A moving average
of the weights is exported.

With `against`, agents play the other seat of every match. Then the learner looks for a best response: its score is a
lower bound of what can be won against these agents.

On a CPU the same arguments give the same network, whether or not the training was interrupted and resumed; not so with
`against`, whose matches begin afresh.
"""

from __future__ import annotations

import json
import pickle
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import asdict
from functools import partial
from pathlib import Path

import torch
from torch import Tensor, nn

from ludoteca.agents.networks.view_networks import read_layers
from ludoteca.errors import InvalidOption
from ludoteca.learn.curve import Point, Result
from ludoteca.learn.device import device_of
from ludoteca.learn.mmd.arguments import Arguments
from ludoteca.learn.mmd.exploitability import Exploitability
from ludoteca.learn.mmd.matches import Actions, play_agents
from ludoteca.learn.mmd.played import Played
from ludoteca.learn.mmd.self_play import ILLEGAL, SelfPlay, network_for, sampled
from ludoteca.learn.sources import RaySource, Source, Spread
from ludoteca.protocols import Limit

NOTES = 10
"""Points of the learning curve for each evaluation."""
NEAR_ZERO = 1e-6


class Training:
    """A training in progress."""

    def __init__(self, arguments: Arguments, spread: Spread[Played] | None = None, begun: int = 0) -> None:
        """spread: actors on a cluster that play in place of this process. begun: actors of earlier runs."""
        arguments.check()
        self.arguments, self.games = arguments, arguments.games
        self.device = device_of("mmd", arguments.device)
        self.cuda = self.device.type != "cpu"
        if not self.cuda:
            torch.set_num_threads(1)
            torch.use_deterministic_algorithms(True)
        torch.manual_seed(arguments.seed)
        self.network = network_for(self.games, arguments).to(self.device)
        if arguments.begin:
            self._load_network(Path(arguments.begin))
        self.average = deepcopy(self.network).requires_grad_(False)
        self.adam = torch.optim.Adam(self.network.parameters(), lr=arguments.rate, fused=True)
        self.local: SelfPlay | None = None
        self.remote: RaySource[Played] | None = None
        self.source: Source[Played]
        if spread is None:
            self.source = self.local = SelfPlay(arguments, self.network, self.device, arguments.seed)
        else:
            self.source = self.remote = spread(partial(SelfPlay.of_actor, arguments), begun)
        self.begun = begun
        self._publish()
        self.exploitability = Exploitability.of(self.games[0]) if len(self.games) == 1 else None
        self.positions, self.rounds, self.updates = 0, 0, 0
        self.seconds = 0.0
        self.loss = torch.zeros(len(LOSSES), device=self.device)
        """Exponential moving averages."""
        self.curve: list[Point] = []

    def _load_network(self, path: Path) -> None:
        """Load the network of another training, from its checkpoint or ONNX file. Raises InvalidOption."""
        try:
            if path.suffix == ".onnx":
                weights = {name: torch.from_numpy(each) for name, each in read_layers(path).items()}
            else:
                weights = torch.load(path, weights_only=False, map_location=self.device)["average"]
            self.network.load_state_dict(weights)
        except (OSError, ValueError, TypeError, KeyError, RuntimeError, pickle.UnpicklingError) as error:
            raise InvalidOption(
                "train mmd: begin={path} does not hold such a network: {reason}",
                path=path,
                reason=str(error).split("\n")[0],
            ) from None

    @property
    def progress(self) -> float:
        """From 0 to 1."""
        if self.arguments.minutes > 0:
            return min(1.0, self.seconds / 60 / self.arguments.minutes)
        return min(1.0, self.positions / self.arguments.positions)

    @property
    def magnet(self) -> float:
        """The current weight of the entropy."""
        first, last = (max(each, NEAR_ZERO) for each in (self.arguments.magnet, self.arguments.final_magnet))
        return float(first * (last / first) ** self.progress)

    def _publish(self) -> None:
        """Send the weights to actors on a cluster. Here the network itself plays."""
        if self.remote is not None:
            self.remote.update({name: each.cpu() for name, each in self.network.state_dict().items()})

    def step(self) -> None:
        """Take what self-play has played, and learn from it."""
        arguments = self.arguments
        found = self.source.play()
        if found is None:
            return
        played = found.to(self.device)
        advantages = played.advantages(arguments.trace)
        rows = played.mine.flatten().nonzero().squeeze(1)
        for group in self.adam.param_groups:
            group["lr"] = arguments.rate + self.progress * (arguments.final_rate - arguments.rate)
        for _ in range(arguments.epochs):
            for some in torch.split(rows[torch.randperm(len(rows), device=self.device)], arguments.batch):
                self._learn(played, advantages.flatten(), some)
        with torch.no_grad():
            self.rounds += 1
            follow = max(1 - arguments.average, 9 / (9 + self.rounds))  # the first weights fade quickly
            for old, new in zip(self.average.parameters(), self.network.parameters(), strict=True):
                old.lerp_(new, follow)
        self.positions += len(rows)
        self._publish()

    def _learn(self, played: Played, advantages: Tensor, rows: Tensor) -> None:
        """One step of Adam from these choices."""
        arguments = self.arguments
        gain, legal = advantages[rows], played.legal.flatten(0, 1)[rows]
        logits, values, belief = self.network(played.seen.flatten(0, 1)[rows])
        logs = torch.log_softmax(logits.masked_fill(~legal, ILLEGAL), 1)
        acted = logs.gather(1, played.acted.flatten()[rows][:, None]).squeeze(1)
        ratio = (acted - played.chance.flatten()[rows]).exp()
        clipped = ratio.clamp(1 - arguments.clip, 1 + arguments.clip)
        policy_loss = -torch.minimum(ratio * gain, clipped * gain).mean()
        entropy = -(logs.exp() * logs.masked_fill(~legal, 0.0)).sum(1).mean()
        target = gain + played.values.flatten()[rows]
        value_loss = (values - target).square().mean()
        hands = played.hands.flatten(0, 1)[rows]
        belief_loss = nn.functional.binary_cross_entropy_with_logits(belief, hands)
        self.adam.zero_grad(set_to_none=True)
        loss = policy_loss - self.magnet * entropy + arguments.value * value_loss + arguments.belief * belief_loss
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.adam.step()
        self.updates += 1
        with torch.no_grad():
            self.loss.lerp_(torch.stack([entropy, value_loss, belief_loss]), max(0.01, 1 / self.updates))

    @torch.no_grad()
    def evaluate(self) -> dict[str, Result]:
        """Results of the averaged network's policy. Uses no random numbers of the training."""
        network = deepcopy(self.average).cpu()
        chance = torch.Generator().manual_seed(self.arguments.seed)

        def policy(seen: Tensor, legal: Tensor) -> Actions:
            found: Actions = sampled(network(seen)[0], legal, chance)[0].to(torch.int32).numpy()
            return found

        arguments, limit = self.arguments, Limit(nodes=self.arguments.evaluate_nodes)
        names = filter(None, dict.fromkeys(f"{arguments.evaluate_against}+{arguments.against}".split("+")))
        return {
            name: play_agents(
                self.games, policy, name,
                Limit(nodes=arguments.against_nodes) if name in arguments.against.split("+") else limit,
                arguments.evaluate, arguments.seed + 1,
            )
            for name in names
        }  # fmt: skip

    @torch.no_grad()
    def exploited(self) -> dict[str, float]:
        """The exact exploitability of the averaged network in a small game; else empty."""
        if self.exploitability is None:
            return {}
        network = deepcopy(self.average).cpu()
        return {"exploitability": self.exploitability.measure(network(self.exploitability.seen)[0].numpy())}

    def run(self, after_step: Callable[[Training], bool] = lambda training: True) -> bool:
        """Train to the end or until `after_step` returns False. Returns whether it got to the end."""
        each = self.arguments.evaluate_every
        then = time.perf_counter()
        while self.progress < 1:
            before = self.positions
            self.step()
            self.seconds += time.perf_counter() - then
            then = time.perf_counter()
            if self.positions * NOTES // each > before * NOTES // each or self.progress >= 1:
                due = self.positions // each > before // each or self.progress >= 1
                losses = dict(zip(LOSSES, self.loss.tolist(), strict=True))
                losses |= self.exploited() if due else {}
                results = self.evaluate() if due else {}
                self.curve.append(Point(self.positions, self.seconds, losses, None, results))
                then = time.perf_counter()
            if not after_step(self):
                return False
        return True

    def save(self, path: Path) -> None:
        """Write a checkpoint, atomically."""
        fresh = path.with_suffix(".new")
        state = {
            "arguments": asdict(self.arguments), "network": self.network.state_dict(),
            "average": self.average.state_dict(), "adam": self.adam.state_dict(), "loss": self.loss,
            "counts": (self.positions, self.rounds, self.updates, self.seconds),
            "matches": [] if self.local is None else self.local.matches.save(),  # those of actors are lost with them
            "begun": self.begun if self.remote is None else self.remote.begun,
            "curve": self.curve, "chance": torch.get_rng_state(),
        }  # fmt: skip
        torch.save(state, fresh)
        fresh.replace(path)

    @classmethod
    def load(cls, path: Path, spread: Spread[Played] | None = None) -> Training:
        """Read a checkpoint. It is a pickle: load only what you trust."""
        state = torch.load(path, weights_only=False, map_location="cpu")
        training = cls(Arguments(**state["arguments"]), spread, state["begun"])
        training.network.load_state_dict(state["network"])
        training.average.load_state_dict(state["average"])
        training.adam.load_state_dict(state["adam"])
        training.loss.copy_(state["loss"])
        training.positions, training.rounds, training.updates, training.seconds = state["counts"]
        training.curve = state["curve"]
        if training.local is not None and training.local.opponents is None and state["matches"]:
            training.local.matches.load(state["matches"])
        torch.set_rng_state(state["chance"])
        training._publish()
        return training

    def about(self) -> dict[str, str]:
        """The metadata of its ONNX file."""
        curve = [point.to_json() for point in self.curve if point.results]
        return {
            "training": "mmd", "game": " ".join(game.spec for game in self.games),
            "arguments": json.dumps(asdict(self.arguments)), "curve": json.dumps(curve),
            "counts": json.dumps({"positions": self.positions, "updates": self.updates, "minutes": self.seconds / 60}),
        }  # fmt: skip


LOSSES = ("entropy", "value", "belief")
