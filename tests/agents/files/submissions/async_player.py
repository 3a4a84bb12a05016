"""play is a coroutine, to keep the time with asyncio."""
import asyncio

from player import Player


class MyPlayer(Player):
    async def play(self, board):
        await asyncio.sleep(0)
        return board.get_possible_moves()[0]
