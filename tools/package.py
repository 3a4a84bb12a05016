"""``make package``: what is uploaded, tried as a stranger would: built, and installed where there is nothing else.

    python -m tools.package            sdist and wheels into dist, installed in empty environments and played
    python -m tools.package --sdist    only the sdist

One wheel is built with Python 3.11 and one, for the stable ABI, with 3.12 or newer; each is tried with every Python of
this machine that it is for. They are built from the sdist, so that the sdist is known to hold all that a build needs.
The command fails if something does not work, or if the installed files take more than they may. These wheels are for
this machine; cibuildwheel builds those that are published, with the same settings.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSIONS = range(11, 15)
"""The minor versions of Python 3 for which there are wheels."""
STABLE = ["-C", "wheel.py-api=cp312", "-C", "cmake.version=>=3.26"]
"""Settings of a build; those of cibuildwheel in pyproject.toml are the same. Python 3.11 ignores them."""
MOST_MEGABYTES = 150
"""What an installation without extras may take, Python itself and pip left out."""
NOT_OURS = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "wheel")
"""What an empty environment may hold already."""
TRIED = [
    ["--version"],
    ["games"],
    ["match", "dominoes", "tumbafichas:depth=2", "random", "-n", "4", "--workers", "1"],
    ["tournament", "horses:size=6", "minimax:depth=2", "mcts", "--matches", "2", "--limit", "200n", "--workers", "1"],
    ["analyze", "hex:size=5", "--limit", "200n"],
    ["show"],
]  # fmt: skip
"""Commands that work without any extra."""


def build_sdist(folder: Path) -> Path:
    """The sdist, written into this folder; the build's needs are those of this environment."""
    _build("--sdist", ROOT, folder)
    return next(folder.glob("*.tar.gz"))


def pythons() -> dict[int, str]:
    """The interpreters of this machine by minor version: this one, those of pyenv, and those in the path."""
    found = {sys.version_info.minor: sys.executable}
    installed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in VERSIONS:
        candidates = [shutil.which(f"python3.{minor}"), *map(str, sorted(installed.glob(f"3.{minor}.*/bin/python")))]
        for candidate in filter(None, reversed(candidates)):
            works = subprocess.run([candidate, "-c", "import venv, ensurepip"], capture_output=True, check=False)
            if works.returncode == 0:
                found.setdefault(minor, candidate)
    return {minor: found[minor] for minor in VERSIONS if minor in found}


def build_wheels(sdist: Path, folder: Path) -> dict[int, Path]:
    """The wheel for each Python of this machine, built from an sdist. It takes minutes: the core is compiled."""
    wheels: dict[int, Path] = {}
    for minor, python in pythons().items():
        shared = next((wheel for wheel in wheels.values() if "abi3" in wheel.name), None)
        if shared is not None:
            wheels[minor] = shared
        else:
            before = set(folder.glob("*.whl"))
            command = [python, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps", *STABLE]
            _run([*command, "-w", str(folder), str(sdist)])
            (wheels[minor],) = set(folder.glob("*.whl")) - before
    return wheels


def _build(kind: str, source: Path, folder: Path) -> None:
    _run([sys.executable, "-m", "build", kind, "--no-isolation", "--outdir", str(folder), str(source)])


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def try_wheel(wheel: Path, python: str, folder: Path) -> float:
    """Installs a wheel in a new environment in this folder and plays there; the megabytes that it took."""
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    inside = folder / "bin" / "python"
    limits = ["-c", str(ROOT / "constraints.txt")]
    subprocess.run([inside, "-m", "pip", "-q", "--disable-pip-version-check", "install", *limits, wheel], check=True)
    store = {"XDG_STATE_HOME": str(folder / "state"), "PATH": "/usr/bin:/bin"}
    for words in TRIED:
        command = [str(folder / "bin" / "ludoteca"), *words]
        done = subprocess.run(command, cwd=folder, env=store, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
    missing = subprocess.run(
        [folder / "bin" / "ludoteca", "serve"], cwd=folder, env=store, capture_output=True, text=True
    )
    if "pip install 'ludoteca[web]'" not in missing.stderr:
        raise SystemExit(f"`ludoteca serve` without its extra said: {missing.stdout}{missing.stderr}")
    return installed_megabytes(next((folder / "lib").glob("python*/site-packages")))


def installed_megabytes(packages: Path) -> float:
    """What the packages in this folder take on a disk, those left out that are there anyway."""
    files = (
        file
        for folder in packages.iterdir()
        if not folder.name.startswith(NOT_OURS)
        for file in ([folder] if folder.is_file() else folder.rglob("*"))
    )
    return sum(file.stat().st_blocks * 512 for file in files) / 1e6


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sdist", action="store_true", help="only the sdist")
    given = parser.parse_args()
    dist, tried = ROOT / "dist", ROOT / "build" / "package"
    shutil.rmtree(dist, ignore_errors=True)
    shutil.rmtree(tried, ignore_errors=True)
    sdist = build_sdist(dist)
    print(f"{sdist.relative_to(ROOT)}: {sdist.stat().st_size / 1e6:.1f} MB")
    if given.sdist:
        return
    wheels = build_wheels(sdist, dist)
    for wheel in dict.fromkeys(wheels.values()):
        print(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.1f} MB")
    for minor, wheel in wheels.items():
        taken = try_wheel(wheel, pythons()[minor], tried / f"3.{minor}")
        print(f"Python 3.{minor}: installed and played in an empty environment, {taken:.0f} MB of {MOST_MEGABYTES} MB")
        if taken > MOST_MEGABYTES:
            raise SystemExit("That is too much.")
    for minor in set(VERSIONS) - set(wheels):
        print(f"Python 3.{minor}: not on this machine, not tried")


if __name__ == "__main__":
    main()
