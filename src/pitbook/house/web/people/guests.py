"""A guest who signs in is joined to a name: rounds and decisions go along, by one fact."""

from __future__ import annotations

from pitbook.errors import LedgerError
from pitbook.house.table.past.records import streams_of
from pitbook.house.table.streams import PRACTICE
from pitbook.house.web.people.register import Person
from pitbook.house.web.people.sign_ins import SignedIn
from pitbook.house.web.running.server import Server
from pitbook.train.school.facts import PUPIL

__all__ = ["is_own", "names_of", "owns", "take_along"]


def take_along(server: Server, before: SignedIn | None, person: Person) -> None:
    """What the guest of this very browser played is the person's from now on.

    The guest's cookie is the proof: it is signed, and it ends with this. What was written stays as
    it was written; one fact says whose it is, and the first who says so has it.
    """
    if before is None or before.role != "guest":
        return
    ledger, name = server.house.ledger, before.name
    drilled = ledger.stream(f"{PUPIL}{name}") is not None
    if drilled or streams_of(ledger, name):
        server.people.persons.join(before.name, person.name)


def names_of(server: Server, person: Person) -> tuple[str, ...]:
    """The name of somebody, and the guests that they were."""
    return (person.name, *server.people.persons.recent().guests_of(person.name))


def is_own(server: Server, person: Person, owner: str) -> bool:
    """Whether a practice table is somebody's, who may have opened it as a guest."""
    return person.name == server.people.persons.recent().joined.get(owner, owner)


def owns(server: Server, person: Person, table: str) -> bool:
    """Whether a practice table of that name is somebody's, here or at another process."""
    if (held := server.house.held(table)) is not None:
        return held.state.kind == "practice" and is_own(server, person, held.state.owner)
    try:
        opened = next(iter(server.house.ledger.entries(f"{PRACTICE}{table}")), None)
    except LedgerError:
        return True  # Whoever looks for the table hears of it.
    facts = opened.facts if opened is not None else ()
    return any(is_own(server, person, fact["owner"]) for fact in facts if fact.get("owner"))
