"""The page: play any game against any agent, see why it moved, analyse, replay and learn.

::

    table.py      a Match with what people may do around it                 } no page, no network:
    tab.py      what one tab may see of it                                } ordinary unit tests
    tables.py     all tables of all visitors, in the store and in memory    }
    keeping.py    writes them, in a thread of its own                       }
    thinking.py   players at work, through a bounded queue                  }
    asking.py     one question to an agent that plays in no match           }
    judging.py    how the engine sees a match while it is played            }
    host.py       a table while somebody looks at it                        }
    gate.py       whom to let in                                            }
    front.py      files from memory, pages one at a time                    }
    asked.py      what visitors may ask for by name                         }
    opponents.py  agents as people choose them, with their strength         }
    guesses.py    how often a code may be mistyped                          }
    public.py     what those see who only look on                           }
    folders.py    what they need not know of the server                     }
    board.py      a picture with its clickable spots                        }
    frame.py      header, languages, messages: what all pages share
    pages         home, setup, play, …: one file each
    server.py     puts it all together and serves it
"""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
"""The folder of stylesheets and scripts."""
