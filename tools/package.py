"""``make package``: what is uploaded, tried as a stranger would: built, and installed where there is nothing else.

    python -m tools.package            sdist and wheel into dist, the wheel installed in an empty environment and played
    python -m tools.package --sdist    only the sdist

The wheel is built from the sdist, so that the sdist is known to hold all that a build needs. It fails where something
does not work, or where the installed files take more than they may.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST_MEGABYTES = 150
"""What an installation without extras may take, Python itself and pip left out."""
NOT_OURS = ("pip", "setuptools", "_distutils_hack", "wheel")
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


def build_wheel(sdist: Path, folder: Path) -> Path:
    """The wheel of an sdist, which is unpacked elsewhere for it. It takes minutes: the core is compiled."""
    unpacked = folder / "unpacked"
    with tarfile.open(sdist) as file:
        file.extractall(unpacked, filter="data")
    _build("--wheel", next(unpacked.iterdir()), folder)
    shutil.rmtree(unpacked)
    return next(folder.glob("*.whl"))


def _build(kind: str, source: Path, folder: Path) -> None:
    command = [sys.executable, "-m", "build", kind, "--no-isolation", "--outdir", str(folder), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def try_wheel(wheel: Path, folder: Path) -> float:
    """Installs a wheel in a new environment in this folder and plays there; the megabytes that it took."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    limits = ["-c", str(ROOT / "constraints.txt")]
    subprocess.run([python, "-m", "pip", "-q", "--disable-pip-version-check", "install", *limits, wheel], check=True)
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
    wheel = build_wheel(sdist, dist)
    print(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.1f} MB")
    taken = try_wheel(wheel, tried)
    print(f"Installed and played in an empty environment: {taken:.0f} MB of {MOST_MEGABYTES} MB")
    if taken > MOST_MEGABYTES:
        raise SystemExit("That is too much.")


if __name__ == "__main__":
    main()
