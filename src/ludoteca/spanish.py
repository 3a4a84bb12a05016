"""What agents and errors say, in Spanish: the English stands where it is thought, the Spanish here, form by form.

An agent's note is one string by protocol, and an error's message too; neither knows who will read it. So whoever shows
one to a person asks here. What comes from elsewhere, such as another's agent, is shown as it is. The tests walk over
our agents' notes and over all messages in our code, and fail for one that is missing here.
"""

from __future__ import annotations

from functools import lru_cache

from ludoteca.words import Language, Phrasebook

__all__ = ["MESSAGES", "NOTES", "message", "note"]

LONGEST = 1000  # characters that are looked at; nobody reads more


def note(text: str, language: Language) -> str:
    """An agent's note in this language.

    >>> note("nothing fits: draws", "es")
    'nada casa: roba'
    """
    return _note(text) if language == "es" else text


def message(text: str, language: Language) -> str:
    """An error's message in this language."""
    return _message(text) if language == "es" else text


@lru_cache(maxsize=1024)
def _note(text: str) -> str:
    return "; ".join(NOTES(part[:LONGEST]) or part for part in text.split("; "))


@lru_cache(maxsize=256)
def _message(text: str) -> str:
    return MESSAGES(text[:LONGEST]) or text


NOTES = Phrasebook(
    sentences={
        # everybody
        "no time to look ahead: the first legal action": "sin tiempo para mirar: la primera acción legal",
        "as good: {names}": "igual de buenas: {names}",
        "the limit left no time for {plies} plies": "el límite no dio tiempo para {plies} jugadas",
        "seen to the end: <told>": "visto hasta el final: <told>",
        "1 ply ahead: <told>": "1 jugada por delante: <told>",
        "{plies} plies ahead: <told>": "{plies} jugadas por delante: <told>",
        "{names} wins at once": "{names} gana ya",
        # astar and beam
        "no time to search: the first candidate, {names}": "sin tiempo para buscar: la primera candidata, {names}",
        "wins by {names}": "gana con {names}",
        "loses, as after {names}": "pierde, como tras {names}",
        "ratio {ratio}: after {names} I am {own} away, the other {other}":
            "razón {ratio}: tras {names} me faltan {own}, al otro {other}",
        "out of time after {count} candidates": "sin más tiempo tras {count} candidatas",
        "score {score}: after {name} four paths of <paths> stones":
            "puntuación {score}: tras {name}, cuatro caminos de <paths> piedras",
        "out of time after {count} of the best moves": "sin más tiempo tras {count} de las mejores jugadas",
        # minimax
        "this seat has to pass": "este asiento tendrá que pasar",
        "the other seat has to pass": "el otro asiento tendrá que pasar",
        # tumbafichas and cases
        "nothing fits: draws": "nada casa: roba",
        "nothing fits and nothing can be drawn: passes": "nada casa y no queda qué robar: pasa",
        "forced: the only legal action": "obligada: la única acción legal",
        "the first tile": "la primera ficha",
        "both ends are {number}": "los dos extremos son {number}",
        "only {number} can be played at": "solo se puede jugar en el {number}",
        "the other cannot play at {number}, so it is kept": "el otro no puede jugar en el {number}: se guarda",
        "as many own tiles have {one} as {other} ({count})":
            "tantas fichas propias tienen {one} como {other} ({count})",
        "fewer own tiles have {one} ({few}) than {other} ({many})":
            "menos fichas propias tienen {one} ({few}) que {other} ({many})",
        "leaves {number}, for <own> and {expected} expected of the other":
            "deja {number}, para <own> y {expected} esperadas del otro",
        "leaves {one}, for <own> and {expected} expected of the other and "
        "leaves {other}, for <more> and {likewise} expected of the other":
            "deja {one}, para <own> y {expected} esperadas del otro, y "
            "{other}, para <more> y {likewise} esperadas del otro",
        # v1 and v2
        "rule {name}: <why>, bomb risk {risk}": "regla {name}: <why>, riesgo de bomba {risk}",
        "reinsertion <where>: <why>, bomb risk {risk}": "la bomba vuelve <where>: <why>, riesgo de bomba {risk}",
        # dqn
        "Q: <a>": "Q: <a>",
        "Q: <a>, <b>": "Q: <a>, <b>",
        "Q: <a>, <b>, <c>": "Q: <a>, <b>, <c>",
    },
    parts={
        "none, none, none, none": "ninguna, ninguna, ninguna, ninguna",
        "{a}, none, none, none": "{a}, ninguna, ninguna, ninguna",
        "{a}, {b}, none, none": "{a}, {b}, ninguna, ninguna",
        "{a}, {b}, {c}, none": "{a}, {b}, {c}, ninguna",
        "points {points}, moves {moves}, utility {utility}": "puntos {points}, movimientos {moves}, utilidad {utility}",
        "{points} points": "{points} puntos",
        "a draw": "empate",
        "{value} on average over all replies": "{value} de media entre todas las respuestas",
        "goes out first against every reply": "acaba antes contra toda respuesta",
        "the other may go out first": "el otro puede acabar antes",
        "at worst nothing fits any more": "en el peor caso ya nada casa",
        "at worst nothing fits any more, value {value}": "en el peor caso ya nada casa, valor {value}",
        "at worst {own} tiles against {theirs}": "en el peor caso {own} fichas contra {theirs}",
        "at worst {own} tiles against {theirs}, value {value}":
            "en el peor caso {own} fichas contra {theirs}, valor {value}",
        "1 own tile": "1 ficha propia",
        "{count} own tiles": "{count} fichas propias",
        "top": "arriba",
        "middle": "al medio",
        "bottom": "al fondo",
        "a bomb is near": "hay una bomba cerca",
        "more cards than the other": "más cartas que el otro",
        "dangerous deck": "mazo peligroso",
        "late and dangerous": "tarde y con peligro",
        "moderate risk": "riesgo moderado",
        "safe deck": "mazo seguro",
        "some risk, late": "algún riesgo, tarde",
        "late, with some risk": "tarde, con algún riesgo",
        "nothing else applies": "no se cumple otra cosa",
        "an attack now and then": "un ataque de vez en cuando",
        "large, safe deck": "mazo grande y seguro",
        "small, dangerous deck": "mazo pequeño y peligroso",
        "draw {q}": "robar {q}",
        "skip {q}": "saltar {q}",
        "attack {q}": "atacar {q}",
        "see {q}": "ver {q}",
        "bottom {q}": "fondo {q}",
        "shuffle {q}": "barajar {q}",
        "place {depth} {q}": "bomba a {depth} {q}",
        "place top {q}": "bomba arriba {q}",
        "place middle {q}": "bomba al medio {q}",
        "place bottom {q}": "bomba al fondo {q}",
    },
)  # fmt: skip

MESSAGES = Phrasebook(
    sentences={
        "<what>; did you mean {near}?": "<what>; ¿querías decir {near}?",
        # games, agents and their options
        "no game is called {name}; the games are {names}": "ningún juego se llama {name}; los juegos son {names}",
        "no game is called {name}": "ningún juego se llama {name}",
        "the game {name} is installed but cannot be loaded: {error}":
            "el juego {name} está instalado, pero no se puede cargar: {error}",
        "no agent is called {name}; the agents are {names}": "ningún agente se llama {name}; los agentes son {names}",
        "the agent {name} is installed but cannot be loaded: {error}":
            "el agente {name} está instalado, pero no se puede cargar: {error}",
        "{name} is no agent: importing {what} from {module} gave {reason}":
            "{name} no es un agente: al importar {what} de {module} pasó {reason}",
        "{name} does not play {game}; the agents that do are {names}":
            "{name} no juega a {game}; los agentes que juegan son {names}",
        "no agent of {game} is called {name}; there are {names}":
            "ningún agente de {game} se llama {name}; los que hay son {names}",
        "{spec}: {part} is not of the form key=value, as in name:key=value,key=value":
            "{spec}: {part} no tiene la forma clave=valor, como en nombre:clave=valor,clave=valor",
        "{spec} gives {key} twice": "{spec} da {key} dos veces",
        "{owner} has no option {key}; <offer>": "{owner} no tiene la opción {key}; <offer>",
        "limit={value} is none of {choices}": "limit={value} no es ninguno de {choices}",
        "{owner}: {name}={value} is none of {choices}": "{owner}: {name}={value} no es ninguno de {choices}",
        "{owner}: {name}={value} is not <noun>; for example {same}={example}":
            "{owner}: {name}={value} no es <noun>; por ejemplo {same}={example}",
        "{owner}: {name}={value} must be a whole number from {low} to {high}":
            "{owner}: {name}={value} debe ser un número entero de {low} a {high}",
        "beam: width={width} must be a multiple of 4, so that the last ply is its own":
            "beam: width={width} debe ser múltiplo de 4, para que la última jugada sea la suya",
        "minimax: mobility={value} must be a number from 0 to {most}":
            "minimax: mobility={value} debe ser un número de 0 a {most}",
        "dqn: there is no file {path}": "dqn: no existe el archivo {path}",
        "dqn: {path} holds no network that `ludoteca train dqn` wrote: {error}":
            "dqn: {path} no contiene una red escrita por `ludoteca train dqn`: {error}",
        "dqn: no network with observation={seen} is shipped for {game}; "
        "train one with `ludoteca train dqn {spec} --observation {same}` and give it as weights=PATH":
            "dqn: no hay red con observation={seen} para {game}; "
            "entrena una con `ludoteca train dqn {spec} --observation {same}` y dala como weights=RUTA",
        "dqn: the network was trained on {trained}, with {inputs} inputs and {actions} actions; "
        "{game} has {wanted} and {possible}":
            "dqn: la red se entrenó con {trained}, con {inputs} entradas y {actions} acciones; "
            "{game} tiene {wanted} y {possible}",
        "horses: layout={layout} must be a text such as {example}":
            "horses: layout={layout} debe ser un texto como {example}",
        "horses: layout={layout}: <why>": "horses: layout={layout}: <why>",
        "kittens: deck={deck} <why>: it is one of {decks}, or counts such as bomb4+safe9 of {cards}":
            "kittens: deck={deck} <why>: es uno de {decks}, o números como bomb4+safe9 de {cards}",
        "kittens: deck={deck} has {count} cards, not 1 to {most}":
            "kittens: deck={deck} tiene {count} cartas, no de 1 a {most}",
        "kittens: stack=true needs rules=clean: in rules=original an attack always sets two":
            "kittens: stack=true necesita rules=clean: en rules=original un ataque siempre impone dos",
        # actions
        "'swap' is not played in {game}: its option swap is off":
            "'swap' no se juega en {game}: su opción swap está desactivada",
        "{text} is no cell of {game}: cells are a1 to {last}": "{text} no es una celda de {game}: van de a1 a {last}",
        "{text} is no action of {game}: actions are {names}":
            "{text} no es una acción de {game}: las acciones son {names}",
        "{text} is no action of {game}: actions are like 3-1@left or 3-1@right, draw and pass":
            "{text} no es una acción de {game}: las acciones son como 3-1@left o 3-1@right, draw y pass",
        "{text} is no action of {game}: actions are <squares> and pass":
            "{text} no es una acción de {game}: las acciones son <squares> y pass",
        "{text} is no tile of {game}: tiles are 0-0 to {high}-{low}":
            "{text} no es una ficha de {game}: van de 0-0 a {high}-{low}",
        "action {action} does not exist in {game}: actions are 0 to {last}":
            "la acción {action} no existe en {game}: van de 0 a {last}",
        "{action} cannot be played: this match of {game} is over":
            "{action} no se puede jugar: esta partida de {game} ha terminado",
        "{action} is not legal for seat {seat} of {game}; legal: <names>; the position:":
            "{action} no es legal para el asiento {seat} de {game}; legales: <names>",
        "{text} could be {names}": "{text} puede ser {names}",
        "{text} is not legal now": "{text} no es legal ahora",
        # limits and seeds
        "the limit {limit} is not of the form 0.1s, 50ms, 2000n, 60s/match or 9000n/match":
            "el límite {limit} no tiene la forma 0.1s, 50ms, 2000n, 60s/match o 9000n/match",
        "the limit {limit} must be a whole number of nodes": "el límite {limit} debe ser un número entero de nodos",
        "the limit of {count} nodes must be a whole number from 1 to {most}":
            "el límite de {count} nodos debe ser un número entero de 1 a {most}",
        "the limit of {amount} seconds must be from {least} to {most}":
            "el límite de {amount} segundos debe estar entre {least} y {most}",
        "the limit {limit} gives {what} twice": "el límite {limit} da {what} dos veces",
        "the limit {limit} must give at most {most} seconds for an action":
            "el límite {limit} debe dar como mucho {most} segundos por acción",
        "the seed {seed} is not a whole number from 0 to {most}":
            "la semilla {seed} no es un número entero de 0 a {most}",
        "the seed {seed} must be a whole number from 0 to {most}":
            "la semilla {seed} debe ser un número entero de 0 a {most}",
        "the seed {seed} is not a whole number from 0 on": "la semilla {seed} no es un número entero desde 0",
        # addresses and files
        "the actions of an address are numbers with dots between them, as in 12.0.7":
            "las acciones de una dirección son números separados por puntos, como 12.0.7",
        "a game or a start is written in at most {most} characters":
            "un juego o un comienzo se escribe en {most} caracteres como mucho",
        "a game, a start or an agent is written in at most {most} characters":
            "un juego, un comienzo o un agente se escribe en {most} caracteres como mucho",
        "{game} begins with a deal: the start {start} means nothing to it":
            "{game} empieza con un reparto: el comienzo {start} no le dice nada",
        "the file has {bytes} bytes, and {most} is the limit": "el archivo tiene {bytes} bytes, y el límite es {most}",
        "the file is no text in UTF-8, so neither SGF nor lines of JSON":
            "el archivo no es texto en UTF-8: ni SGF ni líneas de JSON",
        "the file is empty": "el archivo está vacío",
        "the file cannot be read: <why>": "el archivo no se puede leer: <why>",
        "record {place} cannot be replayed: <why>": "la partida {place} no se puede reproducir: <why>",
        "only Hex is written as SGF, not {game}; use JSON Lines, which hold every game":
            "solo Hex se escribe como SGF, no {game}; usa líneas de JSON, que valen para todos",
        "SGF's Hex has an axial board, and {game} has layout={layout}; use JSON Lines":
            "el Hex de SGF tiene un tablero axial, y {game} tiene layout={layout}; usa líneas de JSON",
        "this SGF holds game GM[{game}], and Hex is GM[11]": "este SGF contiene el juego GM[{game}], y Hex es GM[11]",
        "SZ[{size}] is no size of a Hex board; boards are 1 to 19":
            "SZ[{size}] no es un tamaño de tablero de Hex; van de 1 a 19",
        "move {number}, {colour}[{move}], is out of turn; {other} moves there":
            "la jugada {number}, {colour}[{move}], está fuera de turno; ahí juega {other}",
        "move {number}, {move}: <why>": "jugada {number}, {move}: <why>",
        "swap-sides exchanges the seats, which no record of ours can say; only swap-pieces":
            "swap-sides cambia los asientos, lo que nuestras partidas no pueden decir; solo swap-pieces",
        "this is no SGF: {text} stands where a node should begin":
            "esto no es SGF: hay {text} donde debería empezar un nodo",
        "this is no whole SGF: it should look like (;FF[4]GM[11]SZ[11];B[a1]…)":
            "este SGF no está completo: debería ser como (;FF[4]GM[11]SZ[11];B[a1]…)",
        "SGF says {text}": "SGF dice {text}",
        # tables
        "seats={seats} must be two, as in person|random": "seats={seats} deben ser dos, como en person|random",
        "{given} is not {name}": "{given} no es {name}",
        "no table of yours has this address": "ninguna mesa tuya tiene esta dirección",
        "this table cannot be read: <why>": "esta mesa no se puede leer: <why>",
        "unknown event {event}": "suceso desconocido {event}",
        "you have {count} unfinished matches, and {most} is the limit: clear some first":
            "tienes {count} partidas sin acabar, y el límite es {most}: retira alguna antes",
        "every hand has been shown: nothing of this match can be taken back":
            "ya se han mostrado todas las manos: nada de esta partida se puede retirar",
        "this match is over: a seat has resigned": "esta partida ha terminado: un asiento abandonó",
        "there is nothing to take back": "no hay nada que retirar",
        "seat {seat} cannot resign now": "el asiento {seat} no puede abandonar ahora",
        "seats cannot be changed in a match with hidden hands, nor after its end":
            "no se cambia de asiento en una partida con manos ocultas, ni después del final",
        "{count} matches are waiting for an agent already": "ya hay {count} partidas esperando a un agente",
        "{agent}: no answer within {seconds} seconds": "{agent}: no hubo respuesta en {seconds} segundos",
        "{agent}: its process could not be started": "{agent}: no se pudo iniciar su proceso",
        "{agent}: its process died": "{agent}: su proceso murió",
        "{agent}: it needed more than {memory} MiB of memory": "{agent}: necesitó más de {memory} MiB de memoria",
        "{agent}: the match is over": "{agent}: la partida ha terminado",
        "{agent}: it chose {action}, which is not legal": "{agent}: eligió {action}, que no es legal",
        # watching
        "no match has been kept here yet; play some with: ludoteca tournament":
            "aquí aún no se ha guardado ninguna partida; juega algunas con: ludoteca tournament",
        "{text} is no number of a run or a match": "{text} no es el número de una serie ni de una partida",
        "{name} is no run; runs are numbers, as 'ludoteca show' lists them, or 'last'":
            "{name} no es una serie; las series son números, como los lista 'ludoteca show', o 'last'",
        "{store} holds no run {name}; it holds {count}, see: ludoteca show":
            "{store} no contiene la serie {name}; contiene {count}, mira: ludoteca show",
        "run {run} holds no match {place}; it holds {count} matches, from 0 on":
            "la serie {run} no contiene la partida {place}; contiene {count} partidas, desde la 0",
        "run {run} is of kind {kind}, which this Ludoteca does not know":
            "la serie {run} es de la clase {kind}, que esta Ludoteca no conoce",
        "run {run} has a description that cannot be read: {key}":
            "la serie {run} tiene una descripción que no se puede leer: {key}",
        "{store} cannot be used as a store of matches: {error}": "{store} no sirve como almacén de partidas: {error}",
        "the folder of {store} cannot be made: {error}": "la carpeta de {store} no se puede crear: {error}",
        "{store} is a database, but no store of matches; choose another file":
            "{store} es una base de datos, pero no un almacén de partidas; elige otro archivo",
        "{store} was written by a newer Ludoteca: it has version {version}, and this one knows up to {known}; "
        "update Ludoteca, or choose another file with --store":
            "{store} lo escribió una Ludoteca más nueva: tiene la versión {version}, y esta conoce hasta la {known}; "
            "actualiza Ludoteca, o elige otro archivo con --store",
        "{store} cannot be written: {error}": "{store} no se puede escribir: {error}",
        "run {run} of {store} is being played by another process just now":
            "la serie {run} de {store} la está jugando ahora otro proceso",
        # setting positions up
        "{part} is no part of a start; these are: {keys}": "{part} no es parte de un comienzo; son: {keys}",
        "{key} is there twice in the start {start}": "{key} está dos veces en el comienzo {start}",
        "{key}: {word} must be a whole number from {low} to {high}":
            "{key}: {word} debe ser un número entero de {low} a {high}",
        "the hand of seat {seat} is empty: it needs at least one tile, or a number":
            "la mano del asiento {seat} está vacía: necesita al menos una ficha, o un número",
        "the start draws <wanted>, but only {left} of {all} tiles are left":
            "el comienzo roba <wanted>, pero solo quedan {left} de {all} fichas",
        "nobody can play<drawn>: no tile of the hands fits <ends>, and none can be drawn":
            "nadie puede jugar<drawn>: ninguna ficha de las manos casa con <ends>, y no se puede robar",
        "{part}: {word} is no tile of {game}: tiles are 0-0 to {high}-{low}":
            "{part}: {word} no es una ficha de {game}: van de 0-0 a {high}-{low}",
        "{tile} is there twice: in <places>": "{tile} está dos veces: en <places>",
        "line: {high}-{low} does not match <beside> {other}-{end}, which lies left of it":
            "line: {high}-{low} no casa con <beside> {other}-{end}, a su izquierda",
        "{part}: a bomb cannot be in a hand; it can only lie in the deck":
            "{part}: una bomba no puede estar en una mano; solo en el mazo",
        "the start has {count} {card} ({where}), but the game only {total}":
            "el comienzo tiene {count} {card} ({where}), pero el juego solo {total}",
        "the start draws <wanted>, but only {free} cards that are no bombs are left":
            "el comienzo roba <wanted>, pero solo quedan {free} cartas que no son bombas",
        "the deck of the start has {count} cards, not 1 to {most}":
            "el mazo del comienzo tiene {count} cartas, no de 1 a {most}",
        "{part}: {word} is no card of Kittens: <known>": "{part}: {word} no es una carta de Kittens: <known>",
        "tile {tile} cannot be put to {place}": "la ficha {tile} no se puede poner en {place}",
        "card {card} cannot be put to {place}": "la carta {card} no se puede poner en {place}",
        "the deck has no card {place}": "el mazo no tiene la carta {place}",
        "seat {seat} has no card {card}": "el asiento {seat} no tiene la carta {card}",
        "positions of {name} cannot be set up by hand; those of {names} can":
            "las posiciones de {name} no se pueden preparar a mano; las de {names} sí",
        "{name} cannot be set up by hand": "{name} no se puede preparar a mano",
        "{what} cannot be put on {cell}": "{what} no se puede poner en {cell}",
        # faults of agents
        "the agent needed more than {seconds} seconds": "el agente necesitó más de {seconds} segundos",
        "the agent needed more than {seconds} seconds to be built":
            "el agente necesitó más de {seconds} segundos para empezar",
        "the agent has used up its {seconds} seconds": "el agente ha gastado sus {seconds} segundos",
        "act returned {value} of type {type}, which is no action; an action is a whole number":
            "act devolvió {value} de tipo {type}, que no es una acción; una acción es un número entero",
        "act returned a Decision whose action is {value} of type {type}, which is no action; "
        "an action is a whole number":
            "act devolvió una Decision cuya acción es {value} de tipo {type}; una acción es un número entero",
        "the agent's process answered with no action: {reply}": "el proceso del agente respondió sin acción: {reply}",
        "the agent's process broke the protocol: {error}": "el proceso del agente rompió el protocolo: {error}",
        "the agent's process answered nonsense: {reply}": "el proceso del agente respondió algo sin sentido: {reply}",
        "the agent ran out of memory, and its process died of it":
            "el agente se quedó sin memoria, y su proceso murió por ello",
        "the agent closed the pipe to the arena": "el agente cerró su conexión con la arena",
        "the agent's process died by {signal}": "el proceso del agente murió por {signal}",
        "the agent's process ended by itself, with status {status}":
            "el proceso del agente terminó por sí mismo, con estado {status}",
    },
    parts={
        "its options are {names}": "sus opciones son {names}",
        "it has no options": "no tiene opciones",
        "a whole number": "un número entero",
        "a number": "un número",
        "{item} is neither a knight on a square nor a value on a square; write {example}":
            "{item} no es ni un caballo ni un valor en una casilla; escribe {example}",
        "{item} lies off the board, whose squares are {first} to {last}":
            "{item} está fuera del tablero, cuyas casillas van de {first} a {last}",
        "two things on {square}; each knight and each value needs a square of its own":
            "dos cosas en {square}; cada caballo y cada valor necesita su propia casilla",
        "{knight} stands on two squares, {one} and {other}": "{knight} está en dos casillas, {one} y {other}",
        "{item} has no value from -{most} to -1 or from +1 to +{same}":
            "{item} no tiene un valor de -{most} a -1 ni de +1 a +{same}",
        "no knight {knight}; both W and B are needed, as in {example}":
            "falta el caballo {knight}; hacen falta W y B, como en {example}",
        "gives a card twice": "da una carta dos veces",
        "is neither a deck nor counts of cards": "no es un mazo ni números de cartas",
        "{first} (top left) to {last} (bottom right)": "de {first} (arriba, izquierda) a {last} (abajo, derecha)",
        "{names} and {count} more": "{names} y {count} más",
        "it holds {count} records, and {most} is the limit": "contiene {count} partidas, y el límite es {most}",
        "line {number} is no record: <why>": "la línea {number} no es una partida: <why>",
        "this is no record of a match: {text}": "esto no es una partida: {text}",
        "its game, seed or actions are of the wrong kind": "su juego, semilla o acciones no son de la clase debida",
        "it is too long": "es demasiado larga",
        "it must name two agents": "debe nombrar dos agentes",
        "its values or times are no numbers": "sus valores o tiempos no son números",
        "it has no result": "no tiene resultado",
        "{count} for seat {seat}": "{count} para el asiento {seat}",
        "{count} for seat 0 and {more} for seat 1": "{count} para el asiento 0 y {more} para el asiento 1",
        " with seed {seed}": " con la semilla {seed}",
        "{one} or {other}": "{one} o {other}",
        "the line": "la línea",
        "the hand of seat {seat}": "la mano del asiento {seat}",
        "<one> and in <other>": "<one> y en <other>",
        "either number of": "ninguno de los números de",
        "the {end} of": "el {end} de",
        "cards are {names}": "las cartas son {names}",
    },
)  # fmt: skip
