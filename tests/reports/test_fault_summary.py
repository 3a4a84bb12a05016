"""What stands below a table of results: the reason of a fault in one line that its author can use."""

from __future__ import annotations

from ludoteca.messages import joined, say, translate
from ludoteca.players.faults import Ending, FaultTally
from ludoteca.reports.fault_summary import LONGEST, fault_lines

WHERE = "solution.py, line 8, in best: return 1 / len(paths)"
CALLER = "solution.py, line 30, in play: cell = self.best(board)"


def line_of(message: str, ending: Ending = Ending.error) -> str:
    tally = FaultTally()
    tally.add(ending, message)
    tally.add(ending, "another time something else")
    (line,) = fault_lines([("Ana", tally), ("random", FaultTally())])
    return line


def test_the_reason_comes_first_and_then_the_innermost_line_of_their_file() -> None:
    said = line_of(f"{WHERE}\n{CALLER}\nZeroDivisionError: division by zero")
    assert said == f"Ana: 2 × error: ZeroDivisionError: division by zero ({WHERE})"


def test_our_note_about_a_fault_is_shown_and_translated() -> None:
    note = say("{path}: the class {name} is not there", path="solution.py", name="P")
    said = line_of(joined([f"{WHERE}\nKeyError: 1", note], "\n"))
    assert said == f"Ana: 2 × error: KeyError: 1 ({WHERE}). {note}"
    assert translate(note, "es") != note and translate(note, "es") in translate(said, "es")


def test_a_message_without_a_line_is_shown_as_it_is_and_cut() -> None:
    assert line_of("killed by signal 9", Ending.crash) == "Ana: 2 × crashed: killed by signal 9"
    assert len(line_of("x" * 5000)) < LONGEST + 40
