"""A player in this process, for agents of ours and trusted ones. It cannot be killed, but a Thinker can be stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ludoteca.agents.tracebacks import explain
from ludoteca.errors import IllegalAnswer, LateAnswer
from ludoteca.players.decisions import to_decision
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.thought_stream import stopped, stream_choices
from ludoteca.protocols import Action, Agent, AgentFactory, Decision, Game, Limit, Seat, View


class Inside:
    """See `Player`. An agent that can only `act` cannot be stopped: the caller waits until it answers."""

    def __init__(self, game: Game, factory: AgentFactory) -> None:
        self._game, self._factory = game, factory
        self._num_actions: int | None = game.num_actions
        self._agent: Agent | None = None
        self._act: Callable[[View, Limit], Decision | Action] | None = None
        self._stopped = False

    @classmethod
    def around(cls, agent: Agent) -> Inside:
        """A player for an existing agent object; it needs no `prepare`."""
        player = cls.__new__(cls)
        player._num_actions, player._stopped = None, False
        player._agent, player._act = agent, getattr(agent, "act", None)
        return player

    def prepare(self, seat: Seat, seed: int, seen: Sequence[View] = ()) -> None:
        """Builds the agent and shows it the views that it has seen."""
        try:
            self._agent = self._factory(self._game, seat, seed)
            self._act = getattr(self._agent, "act", None)
        except Exception as error:
            raise _fault(error) from error
        for view in seen:
            self.decide(view, Limit(nodes=1), 1.0)

    def decide(self, view: View, limit: Limit, timeout: float) -> Decision:
        """Its answer; for a Thinker without `act`, its last thought."""
        if (act := self._act) is not None:  # on this thread, which is faster
            try:
                choice = act(view, limit)
            except Exception as error:
                raise _fault(error) from error
            return to_decision(choice, self._num_actions or view.game.num_actions)
        decision = None
        for thought in self.think(view, limit, timeout):
            decision = thought
        if decision is None:
            raise stopped()
        return decision

    def think(self, view: View, limit: Limit, timeout: float) -> Iterator[Decision]:
        """All its thoughts."""
        assert self._agent is not None, "prepare comes first"
        self._stopped = False
        thinking = stream_choices(self._agent, view, limit, timeout, lambda: self._stopped)
        try:
            for choice in thinking:
                yield to_decision(choice, self._num_actions or view.game.num_actions)
        except Fault:
            raise
        except Exception as error:
            raise _fault(error) from error
        finally:
            thinking.close()  # type: ignore[attr-defined]

    def stop(self) -> None:
        """Stops a Thinker at its next thought."""
        self._stopped = True

    def close(self) -> None:
        """Drops the agent."""
        self._stopped = True
        self._agent = self._act = None


def _fault(error: Exception) -> Fault:
    if isinstance(error, IllegalAnswer):
        return Fault(Ending.illegal, error.message)
    if isinstance(error, LateAnswer):
        return Fault(Ending.timeout, error.message)
    return Fault(Ending.memory if isinstance(error, MemoryError) else Ending.error, explain(error))
