"""What is to be said of a match that was played twice, because the machine may have caused its time-out."""

from __future__ import annotations

from ludoteca.messages import Message, say_count
from ludoteca.play.record import Record

__all__ = ["played_twice"]


def played_twice(record: Record) -> Message | None:
    """How the first try ended and which of them counts; None where there was only one."""
    if record.before is None:
        return None
    return say_count(
        "This match was played twice. The first time it ended after {count} move by a time-out of which the machine "
        "itself took more than the clock forgives; what counts is this second time.",
        "This match was played twice. The first time it ended after {count} moves by a time-out of which the machine "
        "itself took more than the clock forgives; what counts is this second time.",
        len(record.before.actions),
    )
