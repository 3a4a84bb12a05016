"""Each rule finds what breaks it, with the place, and nothing else."""

from __future__ import annotations

from pathlib import Path

from tools.architecture import circles, forwarders, game_tests, large_folders, read_sources


def package(root: Path, **files: str) -> Path:
    """A repository whose package holds these files, named as ``folder__file``."""
    for name, text in files.items():
        path = root / "src" / "ludoteca" / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_files_that_import_each_other_are_found_even_inside_a_function(tmp_path: Path) -> None:
    root = package(
        tmp_path,
        a="import ludoteca.b\n",
        b="def f():\n    from ludoteca import c\n",
        c="from ludoteca.a import x\n",
        d="from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ludoteca import e\n",
        e="from ludoteca import d\n",
    )
    (found,) = circles(read_sources(root))
    assert (found.file, found.line) == ("src/ludoteca/a.py", 1)
    assert "a → b → c → a" in found.text


def test_relative_imports_count(tmp_path: Path) -> None:
    root = package(tmp_path, p__a="from . import b\n", p__b="from .a import x\n", p__c="from ..q import y\n", q="")
    (found,) = circles(read_sources(root))
    assert "p.a → p.b → p.a" in found.text


def test_a_game_is_tested_for_only_in_its_own_files(tmp_path: Path) -> None:
    test = "def f(game):\n    return isinstance(game, Hex | Nim) or game.name == 'hex' or game.name in ('nim', 'hex')\n"
    match = "match view:\n    case _core.HexView():\n        pass\n"
    root = package(tmp_path, games__hex__board=test, web__hex_table=test, web__page=test, web__view=match)
    found = list(game_tests(read_sources(root), ["hex"]))
    assert [(each.file, each.line) for each in found] == 3 * [("src/ludoteca/web/page.py", 2)] + [
        ("src/ludoteca/web/view.py", 2)
    ]


def test_a_game_is_found_by_a_match_on_its_name_and_by_how_its_spec_begins(tmp_path: Path) -> None:
    match = "match game.name:\n    case 'hex' | 'nim':\n        pass\n    case 'horses':\n        pass\n"
    begins = "def f(game):\n    return game.spec.startswith('hex:') or game.name.startswith(('nim', 'hex'))\n"
    other = "match x.text:\n    case 'hex':\n        pass\ny = x.name.startswith('hexagon')\n"
    root = package(tmp_path, a=match, b=begins, c=other)
    found = list(game_tests(read_sources(root), ["hex", "horses"]))
    assert [(each.file, each.line) for each in found] == [("src/ludoteca/a.py", 1)] * 2 + [("src/ludoteca/b.py", 2)] * 2


def test_other_tests_are_not_taken_for_tests_of_a_game(tmp_path: Path) -> None:
    text = "def f(x):\n    return isinstance(x, str) or x.name == 'random' or x.text == 'hex'\n"
    assert not list(game_tests(read_sources(package(tmp_path, page=text)), ["hex"]))


def test_a_large_folder_needs_a_reason_and_a_small_one_none() -> None:
    files = [f"many/{number}.py" for number in range(21)] + ["few/1.py", "reasoned/1.py"]
    assert {each.file for each in large_folders(files, {})} == {"many"}
    assert {each.file for each in large_folders(files, {"many": "why", "reasoned": "why"})} == {"reasoned"}


def test_a_file_that_only_passes_on_is_found_if_one_file_uses_it(tmp_path: Path) -> None:
    forward = "import below\ndef f(x, *rest):\n    '''Doc.'''\n    return below.f(x, *rest)\n"
    work = "import below\ndef f(x):\n    return below.f(x + 1)\n"
    once, twice = "from ludoteca.forward import f\n", "from ludoteca.shared import f\n"
    root = package(
        tmp_path, forward=forward, shared=forward, work=work, a=once, b=twice, c=twice + "from ludoteca import work\n"
    )
    assert [(each.file, each.line) for each in forwarders(read_sources(root))] == [("src/ludoteca/forward.py", 2)]


def test_a_file_of_imports_alone_passes_on(tmp_path: Path) -> None:
    names = "'Doc.'\nfrom ludoteca.work import f\nfrom ludoteca import work\n__all__ = ['f', 'g']\ng = work.f\n"
    use, work = "from ludoteca.names import f\n", "def f():\n    return 1\n"
    root = package(tmp_path, names=names, work=work, a=use, b=use, p____init__=names, c="from ludoteca import p\n")
    assert [each.file for each in forwarders(read_sources(root))] == ["src/ludoteca/names.py"]
