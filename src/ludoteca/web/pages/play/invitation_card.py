"""Who else is at a table of two screens: the invitation for the free seat, and the link for those who look on."""

from __future__ import annotations

from html import escape

from ludoteca.web.pages.frame import Visit
from ludoteca.web.tables.session import TableSession

__all__ = ["company", "spaced_code"]


def spaced_code(code: str) -> str:
    """A code as it is easier to read out.

    >>> spaced_code("ABCD2345")
    'ABCD-2345'
    """
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}"


def company(visit: Visit, session: TableSession, who: str, origin: str) -> str:
    """What whoever is known as `who` may pass on; nothing at a table of one screen.

    origin: what comes before the path in an address of this server, without a slash at its end.
    """
    invitation, say = session.table.invitation, visit.say
    if invitation is None or session.table.cleared:
        return ""
    parts = []
    if session.next is not None and session.next.done() and session.next.exception() is None:
        new = session.next.result()[0]
        parts.append(
            f"<p><b>{escape(say('The next match is set up, with the sides exchanged.'))}</b> "
            f'<a class="button" href="/table/{new}">{escape(say("Go there"))}</a></p>'
        )
    elif invitation.token is not None and invitation.code is not None and who == invitation.host:
        parts.append(
            f'<p class="subtitle">{escape(say("Invite somebody to the other seat"))}</p>'
            f"<p>{escape(say('Send this link; the first to take the seat has it.'))}</p>"
            f"{_link(visit, f'{origin}/join/{invitation.token}', say('Invitation link'))}"
            f"<p>{escape(say('Or let them type this code on the start page:'))} "
            f'<b class="code">{spaced_code(invitation.code)}</b></p>'
        )
    if not session.table.over:
        hint = say("Whoever has it sees what is public and plays nothing.")
        parts.append(
            f"<details><summary>{escape(say('Link for spectators'))}</summary><p>{escape(hint)}</p>"
            f"{_link(visit, f'{origin}/look/{invitation.watch}', say('Link for spectators'))}</details>"
        )
    return "".join(parts)


def _link(visit: Visit, address: str, label: str) -> str:
    """An address that can be read, marked and copied."""
    return (
        f'<div class="row link"><input class="grow" readonly value="{escape(address, quote=True)}" '
        f'aria-label="{escape(label, quote=True)}"><button type="button" class="button" data-copy '
        f'data-copied="{escape(visit.say("Copied"), quote=True)}">{escape(visit.say("Copy"))}</button></div>'
    )
