"""A trusted agent in a seat, in this process. It cannot be killed; a Thinker is stopped when its time is over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludoteca.agents.tracebacks import explain
from ludoteca.players.answers import understand
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.thinking import choices, stopped
from ludoteca.protocols import Agent, AgentFactory, Decision, Game, Limit, Seat, View

__all__ = ["Inside"]


class Inside:
    """See `Player`. An agent that can only `act` is not stopped: whoever asks it waits until it answers."""

    def __init__(self, game: Game, factory: AgentFactory) -> None:
        self._game: Game | None = game
        self._factory = factory
        self._agent: Agent | None = None
        self._stopped = False

    @classmethod
    def around(cls, agent: Agent) -> Inside:
        """A player for an agent object that is there already: it needs no preparation."""
        player = cls.__new__(cls)
        player._game, player._agent, player._stopped = None, agent, False
        return player

    def prepare(self, seat: Seat, seed: int, seen: Sequence[View] = ()) -> None:
        """Builds the agent and shows it what it has seen."""
        assert self._game is not None
        try:
            self._agent = self._factory(self._game, seat, seed)
        except Exception as error:
            raise _fault(error) from error
        for view in seen:
            self.decide(view, Limit(nodes=1), 1.0)

    def decide(self, view: View, limit: Limit, patience: float) -> Decision:
        """What it answers at once; a Thinker's last thought where it cannot act."""
        if self._agent is not None and hasattr(self._agent, "act"):  # on this thread, which is faster
            try:
                choice = self._agent.act(view, limit)
            except Exception as error:
                raise _fault(error) from error
            return understand(choice, (self._game or view.game).num_actions)
        decision = None
        for thought in self.think(view, limit, patience):
            decision = thought
        if decision is None:
            raise stopped()
        return decision

    def think(self, view: View, limit: Limit, patience: float) -> Iterator[Decision]:
        """Each of its thoughts."""
        assert self._agent is not None, "prepare comes first"
        self._stopped = False
        thinking = choices(self._agent, view, limit, patience, lambda: self._stopped)
        try:
            for choice in thinking:
                yield understand(choice, (self._game or view.game).num_actions)
        except Fault:
            raise
        except Exception as error:
            raise _fault(error) from error
        finally:
            thinking.close()  # type: ignore[attr-defined]

    def stop(self) -> None:
        """A Thinker ends its decision at its next thought."""
        self._stopped = True

    def close(self) -> None:
        """Lets the agent go."""
        self._stopped = True
        self._agent = None


def _fault(error: Exception) -> Fault:
    return Fault(Ending.memory if isinstance(error, MemoryError) else Ending.error, explain(error))
