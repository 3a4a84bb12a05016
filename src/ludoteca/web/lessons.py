"""The games in a minute, and how our agents think: all in English and in Spanish."""

from __future__ import annotations

__all__ = ["AGENTS", "GAMES"]

GAMES: dict[str, dict[str, tuple[str, str]]] = {
    "hex": {
        "title": (
            "Hex",
            "Hex",
        ),
        "line": (
            "Connect your two sides; nobody can draw.",
            "Une tus dos lados; no hay empates.",
        ),
        "rules": (
            "Two seats put one stone per turn on an empty cell. Red, seat 0, connects its two red "
            "sides; blue, seat 1, its two blue ones.\n\nStones never move. A full board always joins "
            "exactly one pair of sides, so somebody wins.\n\nThe first seat has the better start. With "
            "the option swap the second seat may answer the first stone by taking it over, mirrored "
            "on the long diagonal.",
            "Dos asientos ponen por turno una piedra en una celda vacía. El rojo, asiento 0, une sus "
            "dos lados rojos; el azul, asiento 1, los azules.\n\nLas piedras no se mueven. Un tablero "
            "lleno une siempre exactamente un par de lados: alguien gana.\n\nEmpezar es una ventaja. "
            "Con la opción swap el segundo asiento puede responder a la primera piedra quedándosela, "
            "reflejada en la diagonal larga.",
        ),
    },
    "horses": {
        "title": (
            "Horses",
            "Caballos",
        ),
        "line": (
            "Two knights gather points on a board that falls away.",
            "Dos caballos recogen puntos en un tablero que se deshace.",
        ),
        "rules": (
            "White and black move in turn, like a knight in chess, to a square that still stands. Its "
            "value, good or bad, goes to the score of whoever enters it.\n\nEvery square that a knight "
            "has stood on is destroyed.\n\nWho cannot move while the other can loses 4 points and "
            "passes. When neither can move, more points win.",
            "Blanco y negro mueven por turno, como el caballo de ajedrez, a una casilla que siga en "
            "pie. Su valor, bueno o malo, es para quien la pisa.\n\nToda casilla pisada por un caballo "
            "queda destruida.\n\nQuien no puede mover mientras el otro sí pierde 4 puntos y pasa. "
            "Cuando nadie puede mover, gana quien tiene más puntos.",
        ),
    },
    "dominoes": {
        "title": (
            "Dominoes",
            "Dominó",
        ),
        "line": (
            "Lay matching tiles; get rid of yours first.",
            "Casa las fichas; acaba antes las tuyas.",
        ),
        "rules": (
            "In turn lay a tile that matches the left or the right end of the line.\n\nWho has none "
            "that fits draws from the boneyard until one does, and passes when nothing is left.\n\nThe "
            "first hand without a tile wins. When neither can go on, the fewer pips win. You see your "
            "tiles, not the other's.",
            "Por turno, pon una ficha que case con el extremo izquierdo o derecho de la línea.\n\n"
            "Quien no tiene roba del pozo hasta poder, y pasa cuando no queda nada.\n\nGana la primera "
            "mano sin fichas. Si nadie puede seguir, gana quien tiene menos puntos. Ves tus fichas, "
            "no las del otro.",
        ),
    },
    "kittens": {
        "title": (
            "Kittens",
            "Gatitos",
        ),
        "line": (
            "Draw, but not the bomb.",
            "Roba, pero no la bomba.",
        ),
        "rules": (
            "On your turn you owe a draw from the deck. Draw a bomb without a Defuse and you lose; "
            "with one you put the bomb back where you like, unseen.\n\nBefore drawing you may play "
            "cards: Skip cancels a draw, Attack ends your turn and the other owes two, See shows the "
            "top three cards, Bottom draws from the bottom, Shuffle shuffles.\n\nThe bar under the "
            "deck says how likely the top card is a bomb, from what you know.",
            "En tu turno debes robar una carta. Si robas una bomba sin Desactivar, pierdes; si lo "
            "tienes, devuelves la bomba donde quieras, sin que se vea.\n\nAntes de robar puedes jugar "
            "cartas: Saltar anula un robo, Atacar acaba tu turno y el otro debe dos, Ver enseña las "
            "tres de arriba, Fondo roba la de abajo, Barajar baraja.\n\nLa barra bajo el mazo dice "
            "cuán probable es una bomba arriba, según lo que sabes.",
        ),
    },
}
"""By the name of the game; a rule is a paragraph."""

AGENTS: dict[str, tuple[str, str]] = {
    "random": (
        "It plays any legal action, each as likely as the other. It never thinks, and everybody should beat it: "
        "that is why its rating is 0, and all others are measured from it.",
        "Juega cualquier acción legal, todas con la misma probabilidad. Nunca piensa, y todos deberían ganarle: "
        "por eso su puntuación es 0, y las demás se miden desde ella.",
    ),
    "astar": (
        "It counts how many stones each side still needs: the length of a shortest path between its two sides, on "
        "which its own stones cost nothing, an empty cell costs one and the other's stones are walls. A position "
        "is worth the other's distance divided by its own: above 1 it is ahead.\n\nA move that wins at once is "
        "played at once. Else it looks some plies ahead, three unless you say otherwise, and takes it that both "
        "play their best. It looks only at the centre and at the neighbours of stones; below the first ply only at "
        "those of the last three moves of each seat.\n\nA shortest path does not tell how easily it is cut. It "
        "never swaps.",
        "Cuenta cuántas piedras le faltan a cada lado: la longitud de un camino más corto entre sus dos lados, en "
        "el que las piedras propias no cuestan nada, una celda vacía cuesta una y las piedras del otro son muros. "
        "Una posición vale la distancia del otro dividida por la propia: por encima de 1 va ganando.\n\nUna jugada "
        "que gana ya, la juega ya. Si no, mira algunas jugadas por delante, tres si no dices otra cosa, y supone "
        "que los dos juegan lo mejor que pueden. Solo mira el centro y los vecinos de las piedras; tras la primera "
        "jugada, solo los de las tres últimas de cada asiento.\n\nUn camino más corto no dice lo fácil que es "
        "cortarlo. Nunca usa swap.",
    ),
    "beam": (
        "It asks how hard it would be to cut it off. It takes a shortest path, blocks one of its empty cells at "
        "random, takes a shortest path again, four times in a row. The shorter the four are, the better: its score "
        "is the chance that an opponent who plays at random does not break them all.\n\nThen it looks ahead at the "
        "moves with the best scores alone: 8 of its own, 6 answers to each, then 4, then 2.\n\nThe blocked cells "
        "are drawn by lot, so another match may see another move in the same position. It never swaps.",
        "Se pregunta lo difícil que sería cortarle el paso. Toma un camino más corto, bloquea al azar una de sus "
        "celdas vacías, vuelve a tomar un camino más corto, y así cuatro veces. Cuanto más cortos los cuatro, "
        "mejor: su puntuación es la probabilidad de que un rival que juega al azar no los rompa todos.\n\nDespués "
        "mira por delante solo las jugadas con mejor puntuación: 8 suyas, 6 respuestas a cada una, luego 4, luego "
        "2.\n\nLas celdas bloqueadas se sortean, así que otra partida puede ver otra jugada en la misma posición. "
        "Nunca usa swap.",
    ),
    "minimax": (
        "It looks 2, 4 or 6 plies ahead, as beginner, amateur or expert, and takes it that both play their best. "
        "Where it stops looking, it counts: its own points less the other's, and half a point for every square "
        "that it can move to more than the other.\n\nSo points come first, then freedom to move: a knight that "
        "cannot move pays. Of equally good actions it takes the first. Once it sees the end of the match, its "
        "value is the sure result.",
        "Mira 2, 4 o 6 jugadas por delante, como beginner, amateur o expert (principiante, aficionado o experto), "
        "y supone que los dos juegan lo mejor que pueden. Donde deja de mirar, cuenta: sus puntos menos los del "
        "otro, y medio punto por cada casilla a la que puede ir de más.\n\nPrimero los puntos, después la "
        "libertad: un caballo que no puede mover paga. De acciones igual de buenas toma la primera. Cuando ve el "
        "final de la partida, su valor es el resultado seguro.",
    ),
    "tumbafichas": (
        "It knows its own hand, and of the other's only how many tiles it holds. It looks ahead as if the other "
        "could answer with any tile that it has not seen, and the other always found the worst one for it; where "
        "it has to draw, any unseen tile that fits may come.\n\nWhere it stops, it counts how many tiles fewer it "
        "holds, weighted by how likely the last unseen tile was there. The more tiles are known, the further it "
        "looks: from 4 plies on.\n\nIt expects the worst too often: what the other has shown to lack, it does not "
        "use.",
        "Conoce su mano, y de la del otro solo cuántas fichas tiene. Mira por delante como si el otro pudiera "
        "responder con cualquier ficha que no ha visto, y siempre encontrara la peor para él; donde tiene que "
        "robar, puede llegar cualquier ficha no vista que case.\n\nDonde deja de mirar, cuenta cuántas fichas "
        "menos tiene, según lo probable que era la última ficha no vista. Cuantas más fichas se conocen, más lejos "
        "mira: desde 4 jugadas.\n\nEspera lo peor demasiado a menudo: lo que el otro ha mostrado no tener, no lo "
        "usa.",
    ),
    "cases": (
        "It decides by cases. It plays at the end of the line whose number fewer of its own tiles have; but if the "
        "other cannot hold a tile for that end, nobody can hurt it there, so it keeps that end and plays at the "
        "other.\n\nThen it leaves the number that most of its remaining tiles have, and of equal ones that which "
        "the other is least likely to hold. A number that the other has shown to lack, by drawing or passing, it "
        "remembers.",
        "Decide por casos. Juega en el extremo cuyo número tienen menos fichas suyas; pero si el otro no puede "
        "tener una ficha para ese extremo, ahí nadie le hace daño: lo guarda y juega en el otro.\n\nDespués deja "
        "el número que tienen más de las fichas que le quedan y, entre iguales, el que menos probablemente tiene "
        "el otro. Recuerda los números que el otro ha mostrado no tener, al robar o pasar.",
    ),
    "v1": (
        "Three rules in order; the first that fires decides. Skip if more than 30% of the deck are bombs; attack "
        "with chance 0.3; else draw. It plays only cards that it holds, and does not remember where bombs are.",
        "Tres reglas en orden; decide la primera que se cumple. Saltar si más del 30 % del mazo son bombas; atacar "
        "con probabilidad 0,3; si no, robar. Solo juega cartas que tiene, y no recuerda dónde están las bombas.",
    ),
    "v2": (
        "Six rules in order, some of which fire only by chance; the first that fires decides. It skips when more "
        "than 25% of the deck are bombs, attacks when it has many more cards than the other or the deck is "
        "dangerous, draws when the deck is safe.\n\nRisk is bombs by cards in the deck: it does not remember "
        "places. A bomb that it defuses goes to the top of a large, safe deck, and whoever knows that habit will "
        "not draw there: that is its great weakness.",
        "Seis reglas en orden, algunas solo con cierta probabilidad; decide la primera que se cumple. Salta si más "
        "del 25 % del mazo son bombas, ataca si tiene muchas más cartas que el otro o el mazo es peligroso, roba "
        "si es seguro.\n\nEl riesgo son las bombas entre las cartas del mazo: no recuerda lugares. La bomba que "
        "desactiva la pone arriba de un mazo grande y seguro, y quien conoce esa costumbre no robará ahí: es su "
        "gran debilidad.",
    ),
    "dqn": (
        "A neural network that taught itself by playing against the other agents, many thousands of matches. For "
        "every action it says what result it expects, its Q, from 1 for a win to -1 for a loss; it plays the "
        "highest.\n\nIt sees all that its seat may know, as 161 numbers, remembered bombs included. Nobody told it "
        "a rule of thumb: what it knows, it found out. In rules=original it learnt seat 0 only.",
        "Una red neuronal que aprendió sola jugando contra los otros agentes, muchos miles de partidas. Para cada "
        "acción dice qué resultado espera, su Q, de 1 si gana a -1 si pierde; juega la más alta.\n\nVe todo lo que "
        "su asiento puede saber, en 161 números, incluidas las bombas que recuerda. Nadie le dio consejos: lo que "
        "sabe, lo descubrió. En rules=original solo aprendió el asiento 0.",
    ),
}
"""How our agents think, by name; another's agent is told by its own description."""
