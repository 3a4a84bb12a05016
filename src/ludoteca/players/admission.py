"""Where each agent may run: in the referee's process, in a subprocess or in a sandbox. The operator decides it once."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Self

from ludoteca import agents as registry


@dataclass(frozen=True)
class Admission:
    """Which agents may run where.

    By default our own agents run in the referee's process, students' files in sandboxes, and other agents in
    subprocesses.

    >>> import ludoteca
    >>> admission = ludoteca.Admission(trusted=("my_package.MyPlayer",), untrusted=True)
    >>> admission.is_trusted("my_package.MyPlayer"), admission.is_trusted("other.Player")
    (True, False)
    """

    isolated: bool = False
    """Our own and trusted agents run in subprocesses, too."""
    trusted: tuple[str, ...] = ()
    """Agents, by name or as they are written, that run in the referee's process. There they can do anything."""
    untrusted: bool = False
    """Every agent that is neither ours nor trusted runs in a sandbox, not only students' files.

    Where no sandbox can be made, SandboxError is raised and no match is played.
    """

    def is_trusted(self, spec: str) -> bool:
        """Whether the operator trusts this agent, by its name or as it is written. Raises InvalidAgent."""
        return spec in self.trusted or registry.name_of(spec) in self.trusted

    def to_json(self) -> str:
        """For another process."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """What `to_json` wrote."""
        fields = json.loads(text)
        return cls(fields["isolated"], tuple(fields["trusted"]), fields["untrusted"])


DEFAULT = Admission()
"""Nothing trusted, students' files in sandboxes."""
