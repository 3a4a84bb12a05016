"""The games in a minute: a title, a line and the rules, in English and in Spanish."""

from __future__ import annotations

__all__ = ["GAMES"]

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
