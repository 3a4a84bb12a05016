"""The public interface: whole, documented, and every example in it true."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import ludoteca
from tools import api

griffe = pytest.importorskip(
    "griffe", reason="docstrings are read as the site reads them: pip install 'ludoteca[docs]'"
)

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def package() -> Any:
    return griffe.load("ludoteca", search_paths=[str(ROOT / "src")], resolve_aliases=True)


def test_every_public_name_is_there() -> None:
    assert sorted(ludoteca.__all__, key=lambda name: (not name[0].isupper(), name)) == ludoteca.__all__
    assert [name for name in ludoteca.__all__ if getattr(ludoteca, name, None) is None] == []
    assert set(ludoteca.__all__) <= set(dir(ludoteca))
    assert ludoteca.__version__


def test_the_checker_of_types_and_the_program_find_the_same(package: Any) -> None:
    """Names are imported for the one under TYPE_CHECKING, for the other when they are asked for."""
    homes = {name: package[name].target_path for name in ludoteca.__all__}
    for name, home in homes.items():
        module, _, attribute = home.rpartition(".")
        assert getattr(sys.modules[module], attribute) is getattr(ludoteca, name)


def test_what_is_not_there_is_missed_as_usual() -> None:
    with pytest.raises(AttributeError, match="module 'ludoteca' has no attribute 'nothing'"):
        _ = ludoteca.nothing  # type: ignore[attr-defined]


def test_a_star_imports_it_all() -> None:
    code = "from ludoteca import *\nimport ludoteca\nassert set(ludoteca.__all__) <= set(globals())"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ludoteca.__all__)
def test_every_name_has_a_docstring_with_an_example_that_runs(name: str, package: Any) -> None:
    found = package[name].final_target.docstring
    assert found is not None
    test = doctest.DocTestParser().get_doctest(found.value, {}, name, str(package[name].filepath), found.lineno)
    assert test.examples
    failures: list[str] = []
    doctest.DocTestRunner().run(test, out=failures.append)
    assert "".join(failures) == ""


def test_the_page_of_the_interface_lists_every_name() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    listed = [line.removeprefix("::: ludoteca.") for line in page.splitlines() if line.startswith("::: ludoteca.")]
    assert sorted(listed) == sorted(ludoteca.__all__)


def test_every_promise_of_this_version_is_kept() -> None:
    """If this fails on purpose, the change needs a new major version: see docs/api.md."""
    promised = api.listed(api.LIST.read_text("utf-8"))
    assert len(promised) > 400
    assert api.broken(promised, api.interface()) == []


@pytest.mark.parametrize(
    ("now", "kept"),
    [
        ("(a, b=1, *, c=2)", True),
        ("(a, b=1, d=None, *, c=2, e=3)", True),
        ("(a, b=1, *more, c=2)", True),
        ("(a, b=1)", False),
        ("(a, b=2, *, c=2)", False),
        ("(b=1, a=0, *, c=2)", False),
        ("(a, b=1, *, c=2, e)", False),
        ("(a, *, b=1, c=2)", False),
    ],
)
def test_what_may_be_added_to_a_function_and_what_may_not_change(now: str, kept: bool) -> None:
    broken = api.broken({"f": "(a, b=1, *, c=2)"}, {"f": now})
    assert broken == ([] if kept else [f"f(a, b=1, *, c=2) is now f{now}"])
    assert api.broken({"f": "(a)"}, {}) == ["f(a) is gone"]


def test_the_version_is_the_same_wherever_it_is_written() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    newest = re.search(r"^## (\S+) · (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest is not None
    assert newest[1] == version
    assert f"version: {version}\ndate-released: {newest[2]}\n" in citation
