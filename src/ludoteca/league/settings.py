"""``league.toml``: a course's settings, and what only a league has: dates, quotas, baselines and names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ludoteca.course.settings import KEYS, CourseReader, Settings
from ludoteca.errors import InvalidOption
from ludoteca.messages import say

FILE = "league.toml"
NAMES = ("real", "pseudonyms")
FORMATS = ("auto", "round-robin", "swiss")
"""Of the final."""
OWN_KEYS = ("baselines", "names", "deadline", "quota")


@dataclass(frozen=True)
class Quota:
    """What one student may hand in."""

    versions_a_day: int = 10
    """Within any 24 hours."""
    kilobytes: int = 4096
    """Of one version, unpacked."""
    files: int = 200
    """Of one version."""


@dataclass(frozen=True)
class LeagueSettings:
    """The contents of a ``league.toml``."""

    course: Settings
    """What is played and how the final is graded."""
    baselines: tuple[str, ...]
    """Agents that always take part and hold the scale still: the mean of their ratings is 0."""
    pseudonyms: bool
    """Whether students appear under invented names to each other. The teacher always sees the real ones."""
    deadline: datetime | None
    """After it no version is taken, except from students who were given longer."""
    quota: Quota


def read(path: Path) -> LeagueSettings:
    """The settings in a file. Raises InvalidOption, which names key, value and line."""
    reader = LeagueReader.of(path, "ludoteca league init")
    reader.only("", (*(key for key in KEYS if key not in ("submissions", "references", "players")), *OWN_KEYS))
    return reader.league()


class LeagueReader(CourseReader):
    """Reads what a league has beyond a course."""

    formats = FORMATS

    def league(self) -> LeagueSettings:
        """All settings. Raises InvalidOption."""
        baselines = self.agents("baselines") or ("random",)
        if len({*baselines}) < len(baselines):
            raise self.wrong("baselines", say("different agents"))
        names = self.choice("names", NAMES, "real")
        return LeagueSettings(self.settings(), baselines, names == "pseudonyms", self.deadline(), self.quota())

    def deadline(self) -> datetime | None:
        """The deadline with its time zone; without one in the file, that of this machine."""
        value = self.value("deadline")
        if value is None:
            return None
        if not isinstance(value, datetime):
            raise self.wrong("deadline", say("a date with a time, without quotation marks, as in 2027-05-31 23:59:00"))
        return value.astimezone(UTC)

    def quota(self) -> Quota:
        """What one student may hand in."""
        self.only("quota", ("versions_a_day", "kilobytes", "files"))
        usual = Quota()
        a_day = self.whole("quota.versions_a_day", usual.versions_a_day, 1, 1000)
        kilobytes = self.whole("quota.kilobytes", usual.kilobytes, 1, 1 << 18)
        files = self.whole("quota.files", usual.files, 1, 2000)
        assert a_day is not None and kilobytes is not None and files is not None
        return Quota(a_day, kilobytes, files)


def begin(folder: Path, language: str) -> list[Path]:
    """Write a first league.toml and roster.csv into a folder. Raises InvalidOption if one of them exists."""
    spanish = language.partition("-")[0] == "es"
    written = []
    for name, text in ((FILE, SPANISH if spanish else ENGLISH), ("roster.csv", ROSTER)):
        path = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError as error:
            raise InvalidOption("{path} is there already; it is left as it is", path=path) from error
        except OSError as error:
            why = error.strerror or str(error)
            raise InvalidOption("{path} cannot be written: {why}", path=path, why=why) from error
        written.append(path)
    return written


ROSTER = """\
name,id,email,section
Ana Pérez Gómez,ana.perez,ana.perez@example.org,A
Luis Peña Díaz,luis.pena,luis.pena@example.org,B
"""
"""The last two columns are optional; the files for Moodle and Canvas have them."""
ENGLISH = """\
# A league: students hand in versions of a player at any time, and the league plays on.
#   ludoteca league codes .      a personal link for everybody on roster.csv
#   ludoteca league serve .      the page; plays all the time; Ctrl-C loses nothing
#   ludoteca league finish .     freezes it and plays the final

# title = "Artificial intelligence, spring"    # by default the name of this folder

game = "hex"            # hex, horses, dominoes or kittens
time = 1.0              # seconds for each move
memory = 2048           # MiB for each player, beyond Python's own
packages = ["numpy"]    # what players may import besides Python's own; install it yourself before
# deadline = 2027-05-31 23:59:00
names = "real"          # or "pseudonyms": students see invented names of each other

# Agents that always take part. They hold the scale still: the mean of their ratings is 0.
baselines = ["random", "mcts:simulations=1000"]

# The final, played on fresh deals by: ludoteca league finish
# round-robin: everybody meets everybody. swiss: a number of rounds, in which those with equal points meet.
format = "auto"         # round-robin for up to 30 students on the roster, swiss for more
# rounds = 10           # only for format = "swiss"; by default twice what is needed to find a winner
matches = 4             # for each pairing, an even number: every deal is played from both seats

[options]               # of the game; see: ludoteca games hex
size = 7

[quota]                 # what one student may hand in
versions_a_day = 10
kilobytes = 4096
files = 200

[grade]
formula = "10 * score"
"""
SPANISH = """\
# Una liga: los estudiantes entregan versiones de un jugador cuando quieren, y la liga sigue jugando.
#   ludoteca league codes .      un enlace personal para cada persona de roster.csv
#   ludoteca league serve .      la página; juega todo el tiempo; Ctrl-C no pierde nada
#   ludoteca league finish .     la cierra y juega la final

# title = "Inteligencia artificial, primavera"    # por defecto, el nombre de esta carpeta

game = "hex"            # hex, horses, dominoes o kittens
time = 1.0              # segundos por jugada
memory = 2048           # MiB por jugador, además de lo que ocupa Python
packages = ["numpy"]    # lo que pueden importar además de lo propio de Python; instálalo tú antes
# deadline = 2027-05-31 23:59:00
names = "real"          # o "pseudonyms": los estudiantes ven nombres inventados de los demás

# Agentes que siempre participan. Mantienen fija la escala: la media de su puntuación es 0.
baselines = ["random", "mcts:simulations=1000"]

# La final, con repartos nuevos: ludoteca league finish
# round-robin: todos contra todos. swiss: un número de rondas en las que se enfrentan quienes tienen los mismos puntos.
format = "auto"         # round-robin hasta 30 estudiantes en la lista, swiss con más
# rounds = 10           # solo con format = "swiss"; por defecto, el doble de las que hacen falta para tener un ganador
matches = 4             # por emparejamiento, un número par: cada reparto se juega desde los dos lados

[options]               # del juego; mira: ludoteca games hex
size = 7

[quota]                 # lo que puede entregar cada estudiante
versions_a_day = 10
kilobytes = 4096
files = 200

[grade]
formula = "10 * score"
"""
