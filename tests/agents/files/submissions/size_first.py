"""The board's size comes before the player's id."""


class HexAgent:
    def __init__(self, size, player, opponent):
        assert {player, opponent} == {1, 2}
        self.centre = (size // 2, size // 2)
        self.mine = player

    def play(self, tablero):
        if tablero.board[self.centre[0]][self.centre[1]] == 0:
            return self.centre
        return tablero.get_possible_moves()[0]
