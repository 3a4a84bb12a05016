"""Opens its weights as if it were started in its own folder, on import and while it plays, and writes notes."""
import json

with open("weights.json") as file:
    WEIGHTS = json.load(file)


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board, time: int):
        assert isinstance(time, int) and time == 4
        with open("data/order.txt") as lines:
            assert lines.read().strip() == "last"
        return board.get_possible_moves()[WEIGHTS["index"]]
