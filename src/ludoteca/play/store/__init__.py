"""The store: one SQLite file that holds every match. A match is stored before it counts.

`file` opens the file, `schema` has its tables, `store` its runs and records, `people` the matches of people, and
`rescue` reads what is left of a damaged file. A file that another version made is refused and never changed.
"""

from ludoteca.play.store.people import StoredMatch
from ludoteca.play.store.store import PEOPLE_RUNS, Outcome, Run, Store, default_path

__all__ = ["PEOPLE_RUNS", "Outcome", "Run", "Store", "StoredMatch", "default_path"]
