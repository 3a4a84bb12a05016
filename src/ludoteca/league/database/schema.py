"""The tables of a league, beside those of a store in the same file.

::

    league_people      id, name, ident, pseudonym, code, standing, extension
    league_versions    id, person, number, digest, spec, identity, status, reason, handed_in, paused, failures
    league_findings    version, place, title, verdict, text, details
    league_challenges  id, person, first, second, pairs, asked
    league_pairs       id, first, second, opening, challenge, given_up
    league_openings    number, game, actions
    league_ratings     version, elo, low, high, matches, score, league_group, faults
    league_better      one, two, probability
    league_status      written, matches_an_hour, unfinished, checking, workers, load, cores, computed, waited
    league_final       frozen, entrants, played
    league_state       name, value
    league_teachers    id, name, code
    league_sessions    token, code, begun

The league's matches are one run of the store: pair n is at the places 2n and 2n + 1. A pair is written before it is
played, so after a crash exactly the matches without a record are played again, from the same deals. A code is kept only
as a digest: someone who reads the file cannot sign in. The process that plays writes the ratings and the status; the
page only reads them. In `league_state`, `changes` counts the changes that this process must see: of versions,
challenges, pauses and the end.
"""

TABLES = (
    """CREATE TABLE IF NOT EXISTS league_people (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, ident TEXT NOT NULL UNIQUE, pseudonym TEXT NOT NULL UNIQUE,
        code BLOB UNIQUE, standing INTEGER REFERENCES league_versions, extension REAL)""",
    """CREATE TABLE IF NOT EXISTS league_versions (
        id INTEGER PRIMARY KEY, person INTEGER REFERENCES league_people, number INTEGER NOT NULL, digest TEXT NOT NULL,
        spec TEXT NOT NULL, identity TEXT, status TEXT NOT NULL, reason TEXT NOT NULL, handed_in REAL NOT NULL,
        paused INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0, UNIQUE (person, number))""",
    """CREATE TABLE IF NOT EXISTS league_findings (
        version INTEGER NOT NULL REFERENCES league_versions, place INTEGER NOT NULL, title TEXT NOT NULL,
        verdict TEXT NOT NULL, text TEXT NOT NULL, details TEXT NOT NULL, PRIMARY KEY (version, place))""",
    """CREATE TABLE IF NOT EXISTS league_challenges (
        id INTEGER PRIMARY KEY, person INTEGER REFERENCES league_people,
        first INTEGER NOT NULL REFERENCES league_versions, second INTEGER NOT NULL REFERENCES league_versions,
        pairs INTEGER NOT NULL, asked REAL NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS league_pairs (
        id INTEGER PRIMARY KEY, first INTEGER NOT NULL REFERENCES league_versions,
        second INTEGER NOT NULL REFERENCES league_versions, opening INTEGER NOT NULL,
        challenge INTEGER REFERENCES league_challenges, given_up INTEGER NOT NULL DEFAULT 0)""",
    "CREATE INDEX IF NOT EXISTS league_pairs_by_first ON league_pairs (first)",
    "CREATE INDEX IF NOT EXISTS league_pairs_by_second ON league_pairs (second)",
    """CREATE INDEX IF NOT EXISTS league_pairs_by_challenge ON league_pairs (challenge)
        WHERE challenge IS NOT NULL""",
    """CREATE TABLE IF NOT EXISTS league_openings (
        number INTEGER PRIMARY KEY, game TEXT NOT NULL, actions TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS league_ratings (
        version INTEGER PRIMARY KEY REFERENCES league_versions, elo REAL NOT NULL, low REAL NOT NULL,
        high REAL NOT NULL, matches INTEGER NOT NULL, score REAL NOT NULL, league_group INTEGER NOT NULL,
        faults INTEGER NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS league_better (
        one INTEGER NOT NULL REFERENCES league_versions, two INTEGER NOT NULL REFERENCES league_versions,
        probability REAL NOT NULL, PRIMARY KEY (one, two)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS league_status (
        only INTEGER PRIMARY KEY CHECK (only = 1), written REAL NOT NULL, matches_an_hour REAL NOT NULL,
        unfinished INTEGER NOT NULL, checking INTEGER NOT NULL, workers INTEGER NOT NULL, load REAL NOT NULL,
        cores INTEGER NOT NULL, computed REAL NOT NULL, waited REAL NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS league_final (
        only INTEGER PRIMARY KEY CHECK (only = 1), frozen REAL NOT NULL, entrants TEXT, played REAL)""",
    "CREATE TABLE IF NOT EXISTS league_state (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS league_teachers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, code BLOB UNIQUE)",
    "CREATE TABLE IF NOT EXISTS league_sessions (token BLOB PRIMARY KEY, code BLOB NOT NULL, begun REAL NOT NULL)",
    "INSERT OR IGNORE INTO league_state VALUES ('changes', 0), ('paused', 0)",
    *(
        f"""CREATE TRIGGER IF NOT EXISTS {table}_{event.split()[0].lower()} AFTER {event} ON {table}
        BEGIN UPDATE league_state SET value = value + 1 WHERE name = 'changes'; END"""
        for table in ("league_versions", "league_challenges", "league_final")
        for event in ("INSERT", "UPDATE")
    ),
)
