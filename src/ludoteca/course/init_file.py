"""``ludoteca course init``: a first ``course.toml``, in which every key is explained."""

from __future__ import annotations

from pathlib import Path

from ludoteca.catalogues import Language
from ludoteca.course.settings import FILE
from ludoteca.errors import InvalidOption


def begin(folder: Path, language: Language) -> Path:
    """Write the file into the folder, which is created if it is missing. Raises InvalidOption if the file exists."""
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(SPANISH if language.partition("-")[0] == "es" else ENGLISH)
    except FileExistsError as error:
        raise InvalidOption("{path} is there already; it is left as it is", path=path) from error
    except OSError as error:
        raise InvalidOption("{path} cannot be written: {why}", path=path, why=error.strerror or str(error)) from error
    return path


ENGLISH = """\
# A course: put every submission into this folder, then
#   ludoteca course check .      does each one load and play?
#   ludoteca course run .        the tournament; Ctrl-C stops it, the same command continues
#   ludoteca course report .     the site, in the folder site/
# A submission is a folder with a solution.py or another file with one player in it, or one .py file.
# The name of the folder or file is the name on every table.

# title = "Artificial intelligence, spring"    # by default the name of this folder

game = "hex"            # hex, horses, dominoes or kittens
time = 5.0              # seconds for each move
memory = 2048           # MiB for each player, beyond Python's own
matches = 2             # for each pairing, an even number: every deal is played from both seats

# round-robin: every submission meets every other; with n submissions n * (n - 1) / 2 pairings.
# swiss: a number of rounds, in which submissions with equal points meet; for large classes.
# references: submissions do not meet each other; each meets every reference.
format = "round-robin"
# rounds = 6                                   # only for swiss
# references = ["random", "astar:depth=2"]     # only for references

openings = "auto"       # where every deal is the same, as in Hex, matches begin from balanced openings; or "none"
deals = "same"          # all pairings play the same deals and openings; or "own": each its own

# Packages that submissions may import besides Python's own and ludoteca. Install them yourself before:
#   pip install numpy
packages = ["numpy"]

# submissions = "."     # where they are, from here

[options]               # of the game; see: ludoteca games hex
size = 7
layout = "axial"        # which cells touch: axial, even-r or odd-r. Submissions are written for one of them!
orientation = "left-right"  # player 1 connects left and right

# A submission with fewer points against this agent takes no part; without this table all take part.
[qualification]
against = "random"
matches = 10
points = 8

# Which class plays in a folder where more than one could; a student can say it in a submission.toml.
# [players]
# ana = "src/ai.py:MyPlayer"

# Arithmetic: + - * / ( ) min max round abs. It may speak of
#   score (share of the points, 0 to 1), points, matches, place (1 for the first), count (of those placed),
#   qualified (1 or 0), faults (matches lost by a fault), elo.
[grade]
formula = "4 * qualified + 6 * score"
"""

SPANISH = """\
# Un curso: pon cada entrega en esta carpeta y después
#   ludoteca course check .      ¿se carga y juega cada una?
#   ludoteca course run .        el torneo; Ctrl-C lo detiene y la misma orden continúa
#   ludoteca course report .     el sitio, en la carpeta site/
# Una entrega es una carpeta con un solution.py u otro archivo con un solo jugador, o un solo archivo .py.
# El nombre de la carpeta o del archivo es el que sale en todas las tablas.

# title = "Inteligencia artificial, primavera"    # si no se dice, el nombre de esta carpeta

game = "hex"            # hex, horses, dominoes o kittens
time = 5.0              # segundos por jugada
memory = 2048           # MiB por jugador, además de los de Python
matches = 2             # por emparejamiento, un número par: cada reparto se juega desde los dos asientos

# round-robin: todos contra todos; con n entregas son n * (n - 1) / 2 emparejamientos.
# swiss: tantas rondas, iguales contra iguales; para grupos grandes.
# references: ninguna entrega se enfrenta a otra, todas se enfrentan a cada referencia.
format = "round-robin"
# rounds = 6                                   # solo para swiss
# references = ["random", "astar:depth=2"]     # solo para references

openings = "auto"       # si todos los repartos son iguales, como en Hex, se parte de aperturas equilibradas; o "none"
deals = "same"          # todos juegan los mismos repartos y aperturas; o "own": cada emparejamiento los suyos

# Paquetes que las entregas pueden importar además de los de Python y ludoteca. Instálalos tú antes:
#   pip install numpy
packages = ["numpy"]

# submissions = "."     # dónde están, desde aquí

[options]               # del juego; véase: ludoteca games hex
size = 7
layout = "axial"        # qué casillas se tocan: axial, even-r u odd-r. ¡Las entregas se escriben para una de ellas!
orientation = "left-right"  # el jugador 1 une izquierda y derecha

# Quien no llegue a tantos puntos contra este agente no participa; sin esta tabla participan todos.
[qualification]
against = "random"
matches = 10
points = 8

# Qué clase juega en una carpeta donde podría hacerlo más de una; el estudiante puede decirlo en un submission.toml.
# [players]
# ana = "src/ai.py:MiJugador"

# Aritmética: + - * / ( ) min max round abs. Puede hablar de
#   score (parte de los puntos, de 0 a 1), points (puntos), matches (partidas), place (1 el primero),
#   count (cuántos hay clasificados), qualified (1 o 0), faults (partidas perdidas por una falta), elo.
[grade]
formula = "4 * qualified + 6 * score"
"""
