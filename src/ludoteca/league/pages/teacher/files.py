"""Files that a teacher takes home: grades, the similarity report and the archive; the last two are made on demand."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from ludoteca.errors import LudotecaError
from ludoteca.league.database import Database
from ludoteca.league.final.archive import NAME as ARCHIVE
from ludoteca.league.final.archive import write_archive
from ludoteca.league.final.tournament import FOLDER
from ludoteca.league.settings import LeagueSettings
from ludoteca.league.similarity.report import SimilarityReport
from ludoteca.messages import Speaker, say

DOWNLOADS = {
    "grades.csv": "final/grades.csv",
    "moodle.csv": "final/moodle.csv",
    "canvas.csv": "final/canvas.csv",
    "site.zip": "final/site.zip",
    "archive.zip": f"final/{ARCHIVE}",
    "similarity.html": "similarity.html",
    "similarity.csv": "similarity.csv",
}
"""By the name in the address, where a file lies below the league's folder. No other file is ever sent."""


class FileJobs:
    """Makes one file at a time, in a thread of its own: no page waits for it."""

    def __init__(self, folder: Path, settings: LeagueSettings) -> None:
        self._folder, self._settings, self._lock = folder, settings, threading.Lock()
        self.running = ""
        """What is being made now; empty for nothing."""
        self.trouble = ""
        """Why the last one could not be made."""

    def start(self, name: str, language: str) -> None:
        """Begin to make ``similarity`` or ``archive``; nothing happens while another one is being made."""
        work = {"similarity": self._similarity, "archive": self._archive}.get(name)
        with self._lock:
            if self.running or work is None:
                return
            self.running, self.trouble = name, ""
        threading.Thread(target=self._run, args=[work, Speaker(language)], name=f"league-{name}", daemon=True).start()

    def _run(self, work: Callable[[Speaker], None], speaker: Speaker) -> None:
        try:
            work(speaker)
        except LudotecaError as error:
            self.trouble = error.message
        except Exception:
            logging.getLogger(__name__).exception("a file of the league could not be made")
            self.trouble = say("It could not be made; the log of the server says why.")
        finally:
            self.running = ""

    def _similarity(self, speaker: Speaker) -> None:
        with Database(self._folder) as database:
            report = SimilarityReport.of(database, self._settings.course.title, all_versions=True)
            report.write(self._folder, speaker)

    def _archive(self, speaker: Speaker) -> None:
        with Database(self._folder) as database:
            folder = self._folder / FOLDER
            folder.mkdir(exist_ok=True)
            write_archive(database, self._settings, folder, speaker)
