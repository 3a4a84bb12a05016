"""Days and times as each language writes them. Their messages are translated like all others."""

from __future__ import annotations

from datetime import date, datetime

from ludoteca.catalogues import NUMBER
from ludoteca.messages import Message, say, say_as

# Translators: a number as your language writes it, with the same digits; all other numbers follow it
assert say_as("number", "1,234.5") == NUMBER  # here, where it is collected for the catalogues


def say_day(day: date) -> Message:
    """A day.

    >>> from ludoteca.messages import translate
    >>> day = say_day(date(2027, 5, 3))
    >>> day, translate(day, "es")
    ('2027-05-03', '3/5/2027')
    """
    # Translators: a date in figures, in the order of your language
    return say_as("date", "{year}-{month:02d}-{day:02d}", year=day.year, month=day.month, day=day.day)


def say_local_time(seconds: float) -> Message:
    """The day and time of a moment, in seconds since 1970, in the time zone of this machine: 2027-05-31 23:59."""
    moment = datetime.fromtimestamp(seconds)
    # Translators: the time of a day; {day} is the date
    return say("{day} {hour:02d}:{minute:02d}", day=say_day(moment), hour=moment.hour, minute=moment.minute)
