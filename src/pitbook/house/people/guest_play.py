"""Guests' play: link it to an account, and find whose a practice table is."""

from __future__ import annotations

from pitbook.errors import LedgerError
from pitbook.house.people.account_register import Person
from pitbook.house.people.sessions import Session
from pitbook.house.school.facts import PUPIL
from pitbook.house.table.round_records import streams_of_player
from pitbook.house.table.stream_names import PRACTICE
from pitbook.house.web.server import Server


def link_guest_play(server: Server, session: Session | None, person: Person) -> None:
    """Attribute a guest's rounds and drills to the person who signed in on the same browser.

    The signed guest cookie proves who played, and it ends here. Recorded rounds stay as they
    are; one event links guest and person, and the first link counts.
    """
    if session is None or session.role != "guest":
        return
    ledger, name = server.house.ledger, session.name
    drilled = ledger.stream(f"{PUPIL}{name}") is not None
    if drilled or streams_of_player(ledger, name):
        server.people.persons.join(session.name, person.name)


def all_names(server: Server, person: Person) -> tuple[str, ...]:
    """The person's name and the guests whose play was linked to it."""
    return (person.name, *server.people.persons.recent().guests_of(person.name))


def is_owner(server: Server, person: Person, owner: str) -> bool:
    """Whether the person opened a practice table, perhaps as a guest."""
    return person.name == server.people.persons.recent().joined.get(owner, owner)


def owns_table(server: Server, person: Person, table: str) -> bool:
    """Whether a practice table belongs to the person, in this process or another."""
    if (live_table := server.house.get(table)) is not None:
        return live_table.state.kind == "practice" and is_owner(
            server, person, live_table.state.owner
        )
    try:
        opened = next(iter(server.house.ledger.entries(f"{PRACTICE}{table}")), None)
    except LedgerError:
        return True  # Opening the table reports the error.
    facts = opened.facts if opened is not None else ()
    return any(is_owner(server, person, fact["owner"]) for fact in facts if fact.get("owner"))
