"""The card of a table of two screens: the invitation to the free seat, and the link for spectators."""

from __future__ import annotations

from functools import lru_cache
from html import escape

from ludoteca.web.pages.frame import Visit, icon
from ludoteca.web.tables.session import TableSession


def spaced_code(code: str) -> str:
    """A code in two halves, easier to read out.

    >>> spaced_code("ABCD2345")
    'ABCD-2345'
    """
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}"


def invitation_card(visit: Visit, session: TableSession, who: str, origin: str) -> str:
    """The links that the visitor `who` may send, in a pop-up that is open as long as it matters.

    Empty at a table of one screen.

    origin: scheme and host of this server, without a slash at the end.
    """
    invitation, say = session.table.invitation, visit.say
    if invitation is None or session.table.deleted:
        return ""
    parts, urgent = [], True
    if session.next_table is not None and session.next_table.done() and session.next_table.exception() is None:
        new = session.next_table.result()[0]
        parts.append(
            f"<p><b>{escape(say('The next match is ready, with sides swapped.'))}</b> "
            f'<a class="button" href="/table/{new}">{escape(say("Go there"))}</a></p>'
        )
    elif invitation.token is not None and invitation.code is not None and who == invitation.host:
        parts.append(
            f'<p class="subtitle">{escape(say("Invite somebody to the other seat"))}</p>'
            f"<p>{escape(say('Send this link. The first person to take the seat plays.'))}</p>"
            f"{_link(visit, f'{origin}/join/{invitation.token}', say('Invitation link'))}"
            f"{_qr_code(f'{origin}/join/{invitation.token}', say('QR code of the invitation'))}"
            f"<p>{escape(say('Or have them type this code on the start page:'))} "
            f'<b class="code">{spaced_code(invitation.code)}</b></p>'
        )
    else:
        urgent = False
    if not session.table.over:
        hint = say("With this link people can watch but not play; hidden hands stay hidden.")
        fair = say("Between two screens there is no undo, no hint and no swapping of sides.")
        parts.append(
            f'<p class="subtitle">{escape(say("Link for spectators"))}</p><p>{escape(hint)}</p>'
            f"{_link(visit, f'{origin}/look/{invitation.watch}', say('Link for spectators'))}<p>{escape(fair)}</p>"
        )
    if not parts:
        return ""
    return (
        f'<details{" open" if urgent else ""}><summary class="control">{icon("person_add")}'
        f"<span>{escape(say('Invite'))}</span></summary>"
        f'<div class="card">{"".join(parts)}</div></details>'
    )


@lru_cache(maxsize=64)
def _qr_code(address: str, label: str) -> str:
    """The address as a picture for the camera of a phone; empty where segno is missing: there are link and code."""
    try:
        import segno
    except ModuleNotFoundError:
        return ""
    drawn = segno.make(address, error="m", micro=False)
    picture: str = drawn.svg_inline(omitsize=True, border=4, dark="#000", light="#fff", svgclass="qr", lineclass=None)
    return picture.replace("<svg ", f'<svg role="img" aria-label="{escape(label, quote=True)}" ', 1)


def _link(visit: Visit, address: str, label: str) -> str:
    """A read-only field with an address and a button that copies it."""
    return (
        f'<div class="row link"><input class="grow" readonly value="{escape(address, quote=True)}" '
        f'aria-label="{escape(label, quote=True)}"><button type="button" class="button" data-copy '
        f'data-copied="{escape(visit.say("Copied"), quote=True)}">{escape(visit.say("Copy"))}</button></div>'
    )
