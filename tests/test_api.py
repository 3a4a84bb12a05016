"""The public interface: whole, documented, and every example in it true."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ludoteca

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
