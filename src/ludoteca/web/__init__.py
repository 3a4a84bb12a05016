"""The page: play any game against any agent, see why it moved, analyse, replay and learn.

::

    table.py      one match with its seats, as a journal of events          } no page, no network:
    tables.py     all tables of all visitors, on disk and in memory         } ordinary unit tests
    thinking.py   agents in worker processes, through a bounded queue       }
    thinker.py    what runs in such a process                               }
    front.py      files from memory, pages one at a time                    }
    board.py      a picture with its clickable spots                        }
    lessons.py    the games in a minute, and how our agents think           }
    frame.py      header, languages, messages: what all pages share
    pages         home, setup, play, …: one file each
    server.py     puts it all together and serves it
"""
