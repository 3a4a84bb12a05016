"""How our agents think, for players."""

from __future__ import annotations

from ludoteca.messages import say

AGENTS = {
    "random": say(
        "It plays any legal action, all with the same chance. It never thinks, and everybody should beat it: that is "
        "why its rating is 0, and all others are measured from it."
    ),
    "astar": say(
        "It counts how many stones each side still needs: the length of a shortest path between its two sides, on"
        " which its own stones cost nothing, an empty cell costs one and the other's stones are walls. A position"
        " is worth the other's distance divided by its own: above 1 it is ahead.\n\nA move that wins at once is "
        "played at once. Otherwise it looks a few plies ahead, three by default, and assumes that both play their "
        "best. It looks only at the centre and at the neighbours of stones; below the first ply only at those of "
        "the last three moves of each seat.\n\nA shortest path does not say how easily it is cut. It never swaps."
    ),
    "beam": say(
        "It asks how hard it would be to cut it off. It takes a shortest path, blocks one of its empty cells at "
        "random, takes a shortest path again, four times in a row. The shorter the four are, the better: its "
        "score is the chance that an opponent who plays at random does not break them all.\n\nThen it looks ahead at"
        " the moves with the best scores alone: 8 of its own, 6 answers to each, then 4, then 2.\n\nThe blocked "
        "cells are drawn by lot, so another match may see another move in the same position. It never swaps."
    ),
    "mcts": say(
        "It knows nothing about the game except the rules: it plays the match to the end thousands of times in its "
        "head and counts the results. At first it tries every action; then more and more often those that did well, "
        "for both seats, and sometimes those that it knows little about. From there it plays at random.\n\n"
        "Hidden cards or tiles it guesses, each time anew, in a way that fits all it has seen. It plays what it tried "
        "most often. The more time you give it, the better it plays."
    ),
    "engine": say(
        "It looks as far ahead as its time allows, says how sure it is, and says when a result is proven.\n\nIn Hex a "
        "network that learnt by playing against itself tells it where to look, and connections that cannot be cut come "
        "before what the network thinks. In Horses it looks for the result first, then for the points. In Dominoes it "
        "solves many deals that fit what it has seen; small rounds it plays perfectly. In Kittens it weighs all that "
        "the other may hold, where the bombs may be, and how the other plays.\n\nAt level 1 to 8 it looks at less and "
        "overlooks small differences: among the moves that seem as good to it, it plays a beginner's first idea. The "
        "lower the level, the more it overlooks."
    ),
    "zero": say(
        "A network without a teacher: it began with random moves and learnt from a million matches against itself. At "
        "a glance it says which moves are worth a thought and who is ahead.\n\nThen it looks ahead, along the moves "
        "that it finds promising, and believes what it finds more, the more it has looked. With one simulation it "
        "plays its first thought, which is strong already."
    ),
    "minimax": say(
        "It looks 2, 4 or 6 plies ahead, as beginner, amateur or expert, and assumes that both play their best. "
        "Where it stops looking, it counts: its own points less the other's, and half a point for every square "
        "that it can move to more than the other.\n\nSo points come first, then freedom to move: a knight that "
        "cannot move pays. Of equally good actions it takes the first. Once it sees the end of the match, its "
        "value is the sure result."
    ),
    "tumbafichas": say(
        "It knows its own hand, and of the other's only how many tiles it holds. It looks ahead as if the other "
        "could answer with any tile that it has not seen, and the other always found the worst one for it; where "
        "it has to draw, any unseen tile that fits may come.\n\nWhere it stops, it counts how many tiles fewer it "
        "holds, weighted by how likely the last unseen tile was there. The more tiles are known, the further it "
        "looks: from 4 plies on.\n\nIt expects the worst too often: what the other has shown to lack, it does not "
        "use."
    ),
    "cases": say(
        "It decides by cases. It plays at the end of the line whose number fewer of its own tiles have, and leaves "
        "there the number that the other most likely holds. Its document calls that the worst play, and so it is: it "
        "plays no better than chance.\n\nAs “By cases, reversed” it turns that round: it leaves the number that most "
        "of its remaining tiles have, and of equal ones that which the other is least likely to hold; and where the "
        "other cannot hold a tile for an end, it keeps that end. A number that the other has shown to lack, by drawing "
        "or passing, both remember."
    ),
    "v1": say(
        "Three rules in order; the first that fires decides. Skip if more than 30% of the deck are bombs; attack "
        "with chance 0.3; else draw. It plays only cards that it holds, and does not remember where bombs are."
    ),
    "v2": say(
        "Six rules in order, some of which fire only by chance; the first that fires decides. It skips when more "
        "than 25% of the deck are bombs, attacks when it has many more cards than the other or the deck is "
        "dangerous, draws when the deck is safe.\n\nRisk is bombs by cards in the deck: it does not remember places."
        " A bomb that it defuses goes to the top of a large, safe deck, and an opponent who knows that habit will not "
        "draw there: that is its great weakness."
    ),
    "dqn": say(
        "A neural network that taught itself by playing against the other agents, many thousands of matches. For "
        "every action it says what result it expects, its Q, from 1 for a win to -1 for a loss; it plays the "
        "highest.\n\nIt sees all that its seat may know, as 161 numbers, remembered bombs included. It was given no"
        " rules of thumb: what it knows, it found out. With the original's rules it learnt the first seat only."
    ),
}
"""How our agents think, by name; other agents bring their own description."""
