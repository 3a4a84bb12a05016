"""The identities of agents as they are now: what decides an agent's play, and the digest of it.

That is its source with the modules that it uses, its weights, the files that its options name, every file that its
sandbox can see; and for our own agents the core of the game that is played. Nothing else: another game's core does not
make it another agent. Edited code does.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from ludoteca import _core
from ludoteca import spec as specs
from ludoteca.agents import registry, source_files
from ludoteca.agents.descriptions import canonical, describe
from ludoteca.agents.files.submission import Submission
from ludoteca.agents.files.visible_files import module_files
from ludoteca.agents.identity import DIGITS, Identity, short_spec, split_version
from ludoteca.agents.source_files import Sources
from ludoteca.errors import InvalidAgent


def identity_of(text: str, game: str) -> Identity:
    """The identity that the agent named by a text has now, in the game of this name. Runs no foreign code here.

    Raises InvalidAgent, also when the text gives a digest and the agent has changed since; and InvalidOption.
    """
    spec, prefix = split_version(text)
    spec = canonical(spec)
    found = Identity(spec, _digest(spec, game))
    if not found.digest.startswith(prefix):
        raise _changed(spec, found.digest, prefix)
    return found


def check_unchanged(identity: Identity, game: str) -> None:
    """Raises InvalidAgent when the agent's files are no longer those of this identity."""
    digest = _digest(identity.spec, game)
    if digest != identity.digest:
        raise _changed(identity.spec, digest, identity.digest)


def _changed(spec: str, now: str, then: str) -> InvalidAgent:
    name = short_spec(spec)
    now, then = (str(Identity(name, digest)) for digest in (now, then))
    return InvalidAgent("{agent} has changed: it is {now} now, not {then}", agent=name, now=now, then=then)


def state_of(identity: Identity, game: str) -> object:
    """A value that changes when a file behind the agent is touched; cheaper than its digest."""
    return source_files.state(_sources(identity.spec, game))


def _digest(spec: str, game: str) -> str:
    whole = hashlib.sha256()
    for name, path in sorted(_sources(spec, game).items()):
        whole.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode(errors="surrogateescape"))
    if registry.is_ours(spec):
        whole.update(core_digest(game).encode())
    return whole.hexdigest()[:DIGITS]


def core_digest(game: str) -> str:
    """The digest of the C++ sources that play the game of this name; empty for a game that has none."""
    return _core.source_digest(game) if game in CORE_GAMES else ""


def _sources(spec: str, game: str) -> Sources:
    """All files that decide how the agent of a canonical spec plays."""
    if registry.is_file(spec):
        return source_files.of_submission(Submission.of(spec))
    name, texts = specs.split(spec, InvalidAgent)
    module = registry.module_of(name)
    if not registry.is_ours(name):
        return module_files(module) | _named_files(texts)
    own = source_files.of_ours(module, game)
    if (named_files := getattr(registry.agent_class(name), "named_files", None)) is not None:
        return own | {f"network={number}": path for number, path in enumerate(named_files(texts))}
    networks = [option.name for option in describe(name).options if option.opens_file]
    uses_networks = bool(networks) or NETWORKS in own
    if uses_networks and not any(option in texts for option in networks):  # it plays by the networks that we ship
        own |= {path.name: path for path in (registry.PACKAGE / "weights").glob(f"{game}-*.onnx")}
    return own | _named_files(texts)


CORE_GAMES = frozenset(["dominoes", "hex", "horses", "kittens"])
"""The games that the core plays."""
NETWORKS = "agents/networks/board_networks.py"
"""An agent that imports this plays by the networks that come with us."""


def _named_files(texts: dict[str, str]) -> Sources:
    """The files that options name, under the option's name; of a command line see `source_files.of_command`.

    A log is written, not read, so it does not count.
    """
    found: Sources = {}
    for option, text in texts.items():
        if option == "command":
            paths = source_files.of_command(text)
        elif option == "files":
            paths = source_files.of_paths(text.split(os.pathsep))
        else:
            paths = [path] if option != "log" and (path := Path(text).expanduser()).is_file() else []
        found |= {f"{option}={number or ''}": path for number, path in enumerate(paths)}
    return found
