"""A catalogue alone adds a language: to the menu, to what may be asked for, and it need not be complete."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoteca import catalogues, spec
from ludoteca.league.pages.document import _header
from ludoteca.messages import translate
from ludoteca.web.pages.frame import Visit, settings
from ludoteca.web.pages.language_menu import language_menu, own_name
from ludoteca.web.pages.learn.documentation import find
from tools import words

ESPERANTO = """\
msgid ""
msgstr "Language: eo\\n"

msgid "English"
msgstr "Esperanto"

msgid "Play"
msgstr "Ludi"
"""


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The catalogue of a third language beside ours."""
    for path in catalogues.OURS.iterdir():
        (tmp_path / path.name).symlink_to(path)
    path = tmp_path / "eo" / "LC_MESSAGES" / "ludoteca.po"
    path.parent.mkdir(parents=True)
    path.write_text(ESPERANTO, encoding="utf-8")
    monkeypatch.setattr(catalogues, "OURS", tmp_path)
    catalogues._files.cache_clear()
    yield path
    monkeypatch.undo()
    catalogues._files.cache_clear()
    catalogues._entries.cache_clear()


def test_a_partial_catalogue_is_a_language(catalogue: Path) -> None:
    visit = Visit("eo", "ana", "auto", "/watch?game=hex")
    for html in (language_menu(visit, "%2Fwatch"), settings(visit, "%2Fwatch"), _header(visit, None, "")):
        names = re.findall(r'lang="([^"]+)" href="/language/\1\?back=[^"]+"( aria-current=true)?>([^<]+)<', html)
        assert ("eo", " aria-current=true", "Esperanto") in names and ("es", "", "Español") in names
        assert [tag for tag, _, _ in names] == [*catalogues.languages()]
    assert visit.say("Play") == "Ludi" and visit.say("Watch") == "Watch"
    assert spec.language_of("play", "eo_XX.UTF-8") == "eo" == catalogues.accepted_language("eo, en;q=0.5")
    assert catalogues.read_document("course.toml", "eo") == catalogues.read_document("course.toml", "en")
    page = find("agents", "astar", "eo")
    assert page is not None and page.language == "en"


def test_it_is_not_demanded_complete_but_must_fit(catalogue: Path) -> None:
    assert not [*words.check(words.OURS, catalogue, whole=False)]
    text = 'msgid "{side} wins"\nmsgstr "venkis"\n'
    catalogue.write_text(ESPERANTO + "\n" + text, encoding="utf-8")
    assert [*words.check(words.OURS, catalogue, whole=False)] == ["other fields in 'venkis': '{side} wins'"]


def test_a_catalogue_without_its_own_name_is_called_by_its_tag(catalogue: Path) -> None:
    catalogue.write_text(ESPERANTO.replace("English", "Other"), encoding="utf-8")
    assert own_name("eo") == "eo"
    assert own_name("en") == "English" == translate("English", "eo")
