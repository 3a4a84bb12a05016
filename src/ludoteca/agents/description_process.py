"""The process that imports foreign classes and describes them, started by `descriptions`.

In comes JSON ``{"names", "path"}``, out goes JSON by name: a description, or why there is none.
"""

from __future__ import annotations

import json
import os
import sys

from ludoteca.agents.descriptions import Description
from ludoteca.agents.registry import agent_class
from ludoteca.agents.tracebacks import explain


def main() -> None:
    """Describe the classes of the request."""
    out = int(sys.argv[1])
    sys.argv[1:] = []
    request = json.loads(sys.stdin.buffer.read())
    sys.path[:] = request["path"]
    answers: dict[str, object] = {}
    for name in request["names"]:
        try:
            answers[name] = Description.of(agent_class(name)).to_json()
        except BaseException as error:  # a foreign module may raise anything
            answers[name] = explain(error)
    with open(out, "w", encoding="utf-8") as answer:
        json.dump(answers, answer)
        answer.flush()
        os._exit(0)  # what a module registered for the exit does not run


if __name__ == "__main__":
    main()
