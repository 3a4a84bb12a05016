"""Every word of the page, in English and in Spanish, side by side."""

from __future__ import annotations

from collections.abc import Iterable

from ludoteca.messages import translate
from ludoteca.words import Language, Words

__all__ = ["SAY", "accepted_language", "meant", "option_help", "spoken"]

SAY = Words(
    # the frame
    play=("Play", "Jugar"),
    learn=("Learn", "Aprender"),
    theme=("Light or dark", "Claro u oscuro"),
    language=("Español", "English"),
    skip=("Skip to the content", "Ir al contenido"),
    slogan=(
        "Play, watch and understand agents that play games",
        "Juega, mira y entiende a los agentes que juegan",
    ),
    # messages
    sorry=("This did not work", "Esto no ha funcionado"),
    no_page=("There is no such page: {path}", "No existe esta página: {path}"),
    our_fault=(
        "Something of ours failed. Your matches are kept; please try again.",
        "Ha fallado algo nuestro. Tus partidas están guardadas; inténtalo de nuevo.",
    ),
    back_home=("To the start page", "A la página inicial"),
    too_long=(
        "A request may have at most {most:,} bytes, and must say how many it has.",
        "Una petición puede tener como mucho {most:,} bytes, y debe decir cuántos tiene.",
    ),
    foreign_host=(
        "This server does not go by the name {host!r}. Whoever runs it can say so: ludoteca serve --allow-host NAME",
        "Este servidor no se llama {host!r}. Quien lo lleva puede decirlo: ludoteca serve --allow-host NOMBRE",
    ),
    foreign_origin=(
        "This request came from another site, so nothing was done.",
        "Esta petición vino de otro sitio, así que no se ha hecho nada.",
    ),
    no_cookie=(
        "Open the start page first, and let it keep a cookie: by that you are known.",
        "Abre antes la página inicial y deja que guarde una cookie: por ella se te conoce.",
    ),
    bad_message=("That message made no sense here.", "Ese mensaje no tiene sentido aquí."),
    # home
    your_matches=("Your matches", "Tus partidas"),
    go_on=("Go on", "Seguir"),
    look=("Look", "Ver"),
    clear=("Clear away", "Retirar"),
    no_matches=("No match yet: choose a game.", "Aún no hay partidas: elige un juego."),
    actions_played=("{count} actions", "{count} acciones"),
    damaged=("cannot be read", "no se puede leer"),
    how_to=("How it is played", "Cómo se juega"),
    # setting a match up
    new_match=("New match of {game}", "Nueva partida de {game}"),
    seat=("Seat {seat}", "Asiento {seat}"),
    starts=("starts", "empieza"),
    you=("You", "Tú"),
    person=("a person", "una persona"),
    options=("Options of the game", "Opciones del juego"),
    limit=("Time per action", "Tiempo por acción"),
    seconds=("{seconds:g} s", "{seconds:g} s"),
    seed=("Seed (empty: a new deal)", "Semilla (vacía: un reparto nuevo)"),
    begin=("Begin", "Empezar"),
    swap_seats=("Exchange the seats", "Intercambiar los asientos"),
    who=("Who plays?", "¿Quién juega?"),
    # playing
    your_turn=("Your turn", "Te toca"),
    seat_turn=("Seat {seat} to play", "Juega el asiento {seat}"),
    thinking=("{agent} is thinking …", "{agent} está pensando …"),
    waiting=("{agent} waits for a free worker: {ahead} ahead", "{agent} espera un proceso libre: {ahead} delante"),
    paused=("Paused", "En pausa"),
    busy=(
        "Too many matches wait for their agents just now: {agent} gets in line as soon as there is room …",
        "Demasiadas partidas esperan ahora a su agente: {agent} entra en la cola en cuanto haya sitio …",
    ),
    failed=("The agent failed. {why}", "El agente ha fallado. {why}"),
    hidden_failure=(
        "{agent} could not play; what it says of that might give its hand away.",
        "{agent} no ha podido jugar; lo que dice de ello podría revelar su mano.",
    ),
    cleared=("This table was cleared away.", "Esta mesa se ha retirado."),
    hurry=("Move now", "Que juegue ya"),
    again=("Try again", "Reintentar"),
    you_win=("You win!", "¡Has ganado!"),
    you_lose=("{agent} wins.", "Gana {agent}."),
    seat_wins=("Seat {seat} wins.", "Gana el asiento {seat}."),
    draw=("A draw.", "Empate."),
    resigned=("Seat {seat} resigned.", "El asiento {seat} abandona."),
    undo=("Undo", "Deshacer"),
    hint=("Hint", "Pista"),
    resign=("Resign", "Abandonar"),
    new=("New match", "Otra partida"),
    change=("Change seats", "Cambiar asientos"),
    pause=("Pause", "Pausa"),
    resume=("Go on", "Seguir"),
    type_action=("Type an action, such as {example}", "Escribe una acción, como {example}"),
    not_legal=("{name} is not legal now.", "{name} no es legal ahora."),
    not_your_turn=("It is not your turn.", "No te toca."),
    legal_now=("Legal: {names}", "Legales: {names}"),
    in_the_past=("This is the past. Go to the end to play.", "Esto es el pasado. Ve al final para jugar."),
    to_end=("To the present", "Al presente"),
    curtain=("Seat {seat} is on turn. Uncover when you sit there.", "Turno del asiento {seat}. Descubre al sentarte."),
    uncover=("Uncover", "Descubrir"),
    moves=("Actions", "Acciones"),
    share=("Share this position", "Compartir esta posición"),
    copied=("The address is copied: {address}", "Dirección copiada: {address}"),
    share_later=(
        "A match with hidden hands can be shared once it is over.",
        "Una partida con manos ocultas se puede compartir al acabar.",
    ),
    start_position=("start", "inicio"),
    # understanding
    thoughts=("What the agent thought", "Qué pensó el agente"),
    value=("Value for seat {seat}: {value:+.2f}", "Valor para el asiento {seat}: {value:+.2f}"),
    no_thought=("No thought to show here.", "Aquí no hay nada que mostrar."),
    hidden_thought=(
        "Shown when the match is over: it would give the other hand away.",
        "Se muestra al acabar: revelaría la otra mano.",
    ),
    line=("Line", "Línea"),
    effort=("{nodes:,} nodes · depth {depth}", "{nodes:,} nodos · profundidad {depth}"),
    show_heat=("Heat map", "Mapa de calor"),
    plot=("How the match stood: up is good for seat 0", "Cómo iba la partida: arriba es bueno para el asiento 0"),
    analysis=("Analysis", "Análisis"),
    analyse=("Ask every agent", "Preguntar a todos"),
    stop=("Stop", "Parar"),
    analysis_hidden=(
        "Only a position in which you see the hand on turn can be analysed.",
        "Solo se analiza una posición en la que ves la mano que juega.",
    ),
    agent=("Agent", "Agente"),
    hint_is=("{agent} suggests {action}", "{agent} propone {action}"),
    # watching
    watch=("Watch", "Mirar"),
    runs=("Tournaments and matches of agents", "Torneos y partidas de agentes"),
    run=("Run {number}", "Serie {number}"),
    complete=("complete", "completa"),
    in_progress=("in progress", "en curso"),
    interrupted=("interrupted: the same command goes on", "interrumpida: la misma orden sigue"),
    matches_played=("{count} matches", "{count} partidas"),
    played_of=("{count} of {total} matches", "{count} de {total} partidas"),
    no_runs=(
        "No match has been kept here yet; play some with: ludoteca tournament",
        "Aquí aún no se ha guardado ninguna partida; juega algunas con: ludoteca tournament",
    ),
    kind_round_robin=("round-robin", "todos contra todos"),
    kind_swiss=("Swiss tournament", "torneo suizo"),
    kind_gauntlet=("gauntlet", "uno contra todos"),
    kind_knockout=("knock-out", "eliminatoria"),
    kind_match=("match of two", "duelo"),
    kind_page=("Your finished matches", "Tus partidas acabadas"),
    kind_terminal=("Matches in the terminal", "Partidas en el terminal"),
    now_playing=("Being played now", "Se juega ahora"),
    stopped=("This match was broken off. It will be played anew.", "Esta partida se interrumpió. Se jugará de nuevo."),
    ranking=("Ranking", "Clasificación"),
    crosstable=("Who beat whom", "Quién ganó a quién"),
    crosstable_help=(
        "Share of the points of the row against the column; won, drawn and lost.",
        "Parte de los puntos de la fila contra la columna; ganadas, empatadas y perdidas.",
    ),
    elo_help=(
        "Elo with its 95% interval: 100 more are 64% of the points, 400 more are ten to one.",
        "Elo con su intervalo del 95 %: 100 más son el 64 % de los puntos, 400 más son diez a uno.",
    ),
    latest=("Latest matches", "Últimas partidas"),
    all_matches=("All matches, with replay", "Todas las partidas, para verlas"),
    newer=("Newer", "Más nuevas"),
    older=("Older", "Más antiguas"),
    won=("Won", "Ganadas"),
    drawn=("Drawn", "Tablas"),
    lost=("Lost", "Perdidas"),
    points=("Points", "Puntos"),
    points_share=("Score", "Puntos"),
    matches=("Matches", "Partidas"),
    interval=("95% interval", "Intervalo 95 %"),
    ending_illegal=("illegal action", "acción ilegal"),
    ending_timeout=("out of time", "fuera de tiempo"),
    ending_error=("error", "error"),
    ending_crash=("crashed", "se estrelló"),
    ending_memory=("out of memory", "sin memoria"),
    upload=("Replay a file", "Ver un archivo"),
    upload_help=(
        "Records as lines of JSON (ludoteca export), or Hex as SGF.",
        "Partidas como líneas de JSON (ludoteca export), o Hex como SGF.",
    ),
    upload_refused=(
        "That file is too large: {most} kB is the limit.",
        "Archivo demasiado grande: el límite es {most} kB.",
    ),
    play_on=("Play on from here", "Jugar desde aquí"),
    address=("Address of this position", "Dirección de esta posición"),
    # editing
    edit=("Edit", "Editar"),
    set_up=("Set up a position of {game}", "Preparar una posición de {game}"),
    edit_help=(
        "Choose a brush and click: a second click takes away. Then play or analyse from there.",
        "Elige un pincel y pulsa: otra vez lo quita. Después juega o analiza desde ahí.",
    ),
    edit_stones=(
        "Seat 0 has {first} stones and seat 1 has {second}: in a match seat 0 has as many, or one more.",
        "El asiento 0 tiene {first} piedras y el 1 tiene {second}: en una partida el 0 tiene las mismas o una más.",
    ),
    edit_connected=(
        "These stones connect two sides: the match is over.",
        "Estas piedras unen dos lados: la partida ha acabado.",
    ),
    edit_knights=("Put both knights, W and B, on the board.", "Pon los dos caballos, W y B, en el tablero."),
    edit_tiles_help=(
        "Choose where to, then click tiles; a second click takes one back. A hand in which you put none, and the "
        "boneyard, are drawn by chance. The other hand stays hidden in the match, and agents never see it.",
        "Elige adónde y pulsa fichas; otra vez la retira. La mano en la que no pongas ninguna y el pozo se reparten "
        "al azar. La otra mano queda oculta en la partida, y los agentes nunca la ven.",
    ),
    edit_cards_help=(
        "Choose where to, then click cards. In the deck they go below the last one, or above the one that you mark by "
        "a click; a deck in which you put none is shuffled of all that is left. In a hand a click takes a card away. "
        "The deck and the other hand stay hidden in the match, and agents never see them.",
        "Elige adónde y pulsa cartas. En el mazo van debajo de la última, o encima de la que marques con un clic; si "
        "no pones ninguna, se baraja todo lo que queda. En una mano, un clic quita la carta. El mazo y la otra mano "
        "quedan ocultos en la partida, y los agentes nunca los ven.",
    ),
    to_left=("← Line", "← Línea"),
    to_right=("Line →", "Línea →"),
    to_deck=("Deck", "Mazo"),
    your_hand=("Your hand", "Tu mano"),
    other_hand=("Other hand", "La otra mano"),
    on_turn=("On turn", "Le toca a"),
    tiles_drawn=("Tiles by chance: {whose}", "Fichas al azar: {whose}"),
    tile_free=("free", "libre"),
    tile_on_line=("on the line", "en la línea"),
    only_ends=(
        "Only the tiles at the ends of the line can be taken away.",
        "Solo se pueden retirar las fichas de los extremos de la línea.",
    ),
    no_fit=("{tile} does not fit there.", "{tile} no encaja ahí."),
    edit_blocked=(
        "Nobody can play: no tile of the hands fits, and none can be drawn.",
        "Nadie puede jugar: ninguna ficha de las manos encaja, y no se puede robar.",
    ),
    edit_few_tiles=(
        "{wanted} tiles are to be drawn by chance, but only {left} are left.",
        "Hay que sacar {wanted} fichas al azar, pero solo quedan {left}.",
    ),
    edit_no_cards=("No card is left for the deck.", "No queda ninguna carta para el mazo."),
    edit_no_more=(
        "The game has no more of these cards; its option deck says how many there are.",
        "El juego no tiene más cartas de estas; su opción deck dice cuántas hay.",
    ),
    edit_bomb_in_hand=("A bomb cannot be in a hand.", "Una bomba no puede estar en una mano."),
    edit_few_cards=(
        "{wanted} cards are to be drawn by chance, but only {left} that are no bombs are left.",
        "Hay que sacar {wanted} cartas al azar, pero solo quedan {left} que no son bombas.",
    ),
    cards_drawn=("Cards by chance: {whose}", "Cartas al azar: {whose}"),
    deck_is=("Deck from the top: {count} cards", "Mazo desde arriba: {count} cartas"),
    deck_open=("all that is left, shuffled", "todo lo que queda, barajado"),
    owed=("Draws owed", "Robos que debe"),
    higher=("Higher", "Más arriba"),
    lower=("Lower", "Más abajo"),
    take_away=("Take away", "Quitar"),
    fill_deck=("All that is left", "Todo lo que queda"),
    deal_again=("Draw the rest anew", "Repartir el resto otra vez"),
    empty_all=("Clear all", "Vaciar todo"),
    preview=("What you will see", "Lo que verás"),
    apply=("Apply", "Aplicar"),
    # learning
    rules_of=("{game} in a minute", "{game} en un minuto"),
    agents_of=("The agents", "Los agentes"),
    more=("More", "Más"),
    documentation=("Technical documentation", "Documentación técnica (en inglés)"),
    ladder=("How strong they are", "Cómo son de fuertes"),
    ladder_how=(
        "{matches} matches, {each} of every two agents, seats exchanged on every deal; limit: {limit}. "
        "0 is random, and the intervals are of the distance from there; that of two others is often surer. "
        "Measured on {date}: {command}.",
        "{matches} partidas, {each} entre cada dos agentes, con asientos cambiados en cada reparto; límite: {limit}. "
        "0 es random, y los intervalos son de la distancia hasta él; la de otros dos suele ser más segura. "
        "Medido el {date}: {command}.",
    ),
    ladder_opening=("The first action of each seat was random.", "La primera acción de cada asiento fue al azar."),
    rung=("{agent}, {share} of its actions at random", "{agent}, el {share} de sus acciones al azar"),
    limit_nodes=("{nodes} nodes per action", "{nodes} nodos por acción"),
    rating=("Rating", "Puntuación"),
    not_rated=("Not measured yet.", "Aún sin medir."),
    play_against=("Play against {agent}", "Jugar contra {agent}"),
)

HELP = {
    "hex size": "lado del tablero, de 1 a 19",
    "hex orientation": "course: el asiento 0 une izquierda y derecha; standard: arriba y abajo, como en HTP y SGF",
    "hex layout": "cómo están las filas: inclinadas, o las pares o impares desplazadas a la derecha",
    "hex swap": "el asiento 1 puede quedarse la primera piedra",
    "horses size": "lado del tablero, de 5 a 8",
    "horses charge": "quien no puede mover paga al llegar su turno, o en cuanto se queda sin salida y el otro no",
    "horses penalty": "quien no puede mover paga 4 puntos una vez, o cada vez que pasa",
    "horses layout": "caballos y valores, como W@b1/B@g8/+10@c3/-5@f6; si no, al azar",
    "dominoes pips": "el número más alto, de 3 a 9; el doble seis tiene 28 fichas",
    "dominoes hand": "fichas por asiento, como mucho la mitad; 0: un cuarto del juego, como mucho 7",
    "dominoes variant": "draw: quien no puede jugar roba hasta poder; block: pasa",
    "dominoes start": "highest-double: empieza quien tiene el doble más alto; seat: el asiento 0, con cualquiera",
    "dominoes blocked": "si se cierra, gana quien tiene menos puntos, o nadie",
    "dominoes scoring": "el resultado es 1 y -1, o los puntos del perdedor entre -1 y 1",
    "kittens rules": "clean: como se cuenta; original: como el programa del que viene, rarezas incluidas",
    "kittens deck": "v2, rich, v1, o números de cartas como bomb4+defuse2+skip3+safe9",
    "kittens stack": "atacar debiendo dos o más pasa esos y dos más",
    "kittens place": "thirds: la bomba vuelve arriba, al medio o al fondo; any: a cualquier altura",
    "kittens max_turns": "turnos tras los que hay empate, de 1 a 10000",
    "astar depth": "jugadas que busca, de 1 a 9",
    "beam width": "jugadas en el primer nivel, dos menos en cada siguiente; múltiplo de 4, de 0 a 28",
    "cases leave": "el número que deja abierto: el que más tienen sus fichas, o el que más probablemente tiene el otro",
    "dqn observation": "qué red: la que ve todo lo que un asiento puede saber, o los once números de la original",
    "dqn weights": "una red tuya, un archivo .onnx; ella misma dice lo que quiere ver",
    "minimax level": "mira 2, 4 o 6 jugadas por delante",
    "minimax depth": "jugadas por delante, de 1 a 64, sea cual sea el nivel; 0: las del nivel",
    "minimax mobility": "puntos que vale un movimiento más, de 0 a 10",
    "tumbafichas depth": "jugadas por delante, de 1 a 64; 0: desde 4, y más cuantas más fichas se conocen",
    "tumbafichas opponent": "de las respuestas posibles del otro cuenta la peor, o la media de todas",
    "v1 variant": "document: como está escrito; program: como lo hace el programa detrás",
}
"""What the options of our games and agents mean, in Spanish; the English is in their constructors."""


def spoken(name: str, language: Language) -> str:
    """An action's name, as its game gives it, for a person to read.

    >>> spoken("6-4@left", "en")
    '6-4 ←'
    """
    return translate(name, language).replace("@left", " ←").replace("@right", " →")


def meant(text: str, language: Language, names: Iterable[str] = ()) -> str:
    """What a person typed, as the game's own notation has it: the words of their language stand for actions too."""
    word = " ".join(text.lower().split())
    return next((name for name in names if translate(name, language).lower() == word), text)


def option_help(owner: str, name: str, english: str, language: Language) -> str:
    """What an option means; where nobody has translated it, in English."""
    return HELP.get(f"{owner} {name}", english) if language == "es" else english


def accepted_language(header: str) -> Language:
    """The one of our languages that a browser's Accept-Language prefers; English when it names none.

    >>> accepted_language("fr, es-MX;q=0.8, en;q=0.3")
    'es'
    """
    best, chosen = 0.0, "en"
    for part in header.split(",")[:20]:
        tag, _, rest = part.partition(";")
        quality = rest.strip().removeprefix("q=") or "1"
        try:
            weight = float(quality)
        except ValueError:
            continue
        if tag.strip().lower()[:2] in ("en", "es") and weight > best:
            best, chosen = weight, tag.strip().lower()[:2]
    return "es" if chosen == "es" else "en"
