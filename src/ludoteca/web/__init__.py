"""The page: play any game against any agent, see why it moved, analyse, replay and learn.

::

    command.py     ludoteca serve
    server.py      puts everything together and serves it
    pages/         frame (header, language, errors), home, join, …; a folder for each larger page
    app_state.py   what all pages share
    tables/        matches on the page: registry, session, what a tab may show, saving
    editing/       positions set up by hand
    thinking/      agents at work: the queue, reviews, the list of opponents
    drawing/       boards to click on, charts and curves
    serving/       access, caching, polling, garbage collection
    errors.py      errors that only the page raises

Each imports only what is below it. Everything below `server` and `pages` runs without a browser or a network, so its
tests are ordinary unit tests.
"""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
"""The folder of stylesheets and scripts."""
