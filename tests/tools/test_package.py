"""What is uploaded. The wheel is built, installed and played by ``make package``, as compiling takes minutes:
here only where the environment says ``LUDOTECA_PACKAGE=1``."""

from __future__ import annotations

import os
import subprocess
import tarfile
import tomllib
from email.parser import Parser
from pathlib import Path

import pytest

from tools.package import MOST_MEGABYTES, build_sdist, build_wheels, installed_megabytes, pythons, try_wheel

pytest.importorskip("build", reason="packages are built by build: pip install 'ludoteca[dev]'")
pytest.importorskip("scikit_build_core", reason="and by scikit-build-core")

ROOT = Path(__file__).parents[2]
EXTRAS = {"all", "dev", "docs", "gym", "learn", "nets", "openspiel", "plots", "ray", "similarity", "web"}


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_sdist(tmp_path_factory.mktemp("dist"))


def test_the_sdist_holds_what_git_holds_and_nothing_that_was_built(sdist: Path) -> None:
    with tarfile.open(sdist) as file:
        held = {name.partition("/")[2] for name in file.getnames()}
    try:
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no checkout of git")
    tracked = {name for name in listed.splitlines() if (ROOT / name).is_file()}
    assert tracked - held == {".ci/run", ".gitignore"}
    untracked = {name for name in held - tracked if (ROOT / name).is_file()}
    built = [
        name for name in untracked if name.endswith((".so", ".pyi", ".pyc")) or name.startswith(("build/", ".venv/"))
    ]
    assert built == []


def test_its_metadata_name_what_is_needed_and_what_is_extra(sdist: Path) -> None:
    with tarfile.open(sdist) as file:
        info = file.extractfile(next(name for name in file.getnames() if name.endswith("/PKG-INFO")))
        assert info is not None
        found = Parser().parsestr(info.read().decode())
    needed = found.get_all("Requires-Dist") or []
    assert {each.partition(">")[0] for each in needed if "extra ==" not in each} == {"numpy", "rich", "typer"}
    assert set(found.get_all("Provides-Extra") or []) == EXTRAS
    assert found["Requires-Python"] == ">=3.11"
    assert found["License-Expression"] == "Apache-2.0"
    assert found.get_payload().startswith("# Ludoteca")  # type: ignore[union-attr]  # a text, not parts


def test_all_means_all_that_a_user_may_add() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    named = extras["all"][0].partition("[")[2].rstrip("]").split(",")
    assert set(named) == EXTRAS - {"all", "dev", "docs"}


def test_what_is_known_to_work_together_is_said_of_everything_that_is_needed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    names = {each.partition(">")[0].partition("[")[0].replace("_", "-") for each in needed} - {"ludoteca"}
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = {line.partition("==")[0].replace("_", "-").lower() for line in lines if "==" in line}
    assert names - pinned == set()


def test_megabytes_are_counted_without_what_is_there_anyway(tmp_path: Path) -> None:
    for name, size in (("numpy", 300_000), ("pip", 5_000_000)):
        (tmp_path / name / "deep").mkdir(parents=True)
        (tmp_path / name / "deep" / "file").write_bytes(b"x" * size)
    (tmp_path / "module.py").write_bytes(b"x" * 200_000)
    assert 0.45 < installed_megabytes(tmp_path) < 0.6


@pytest.mark.skipif(
    os.environ.get("LUDOTECA_PACKAGE") != "1", reason="it takes minutes: LUDOTECA_PACKAGE=1, or make package"
)
def test_the_wheels_install_and_play_in_empty_environments(sdist: Path, tmp_path: Path) -> None:
    wheels = build_wheels(sdist, tmp_path)
    assert len({wheel for minor, wheel in wheels.items() if minor > 11}) <= 1
    for minor, wheel in wheels.items():
        assert try_wheel(wheel, pythons()[minor], tmp_path / f"3.{minor}") < MOST_MEGABYTES
