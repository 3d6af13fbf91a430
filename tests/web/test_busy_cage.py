"""The Must of the cage: whoever acts at once, drawers, racks, statement and book agree."""

from __future__ import annotations

import asyncio
import time

from fastapi import FastAPI
from tests.lanes import examples
from tests.web.busy_cage import TABLE, Actor
from tests.web.conftest import NAMES, PASSWORD, WIDE, Running, SignedIn, client_of
from tests.web.night_evening import Evening

from pitbook import load
from pitbook.ledger.accounts import Account
from pitbook.ledger.interval import ALWAYS
from pitbook.ledger.verify import verify
from pitbook.nights.book.implied import followed
from pitbook.table.cage.counter import Counter, evolve
from pitbook.table.cage.slips import drawer_account
from pitbook.table.past.takings import takings
from pitbook.web.people.people import Person
from pitbook.web.people.register import Role
from pitbook.web.people.sign_ins import COOKIE
from pitbook.web.running.server import Server
from pitbook.web.tables import counted

SEED, STUD = 20261117, "oceanfront/mississippi-stud"
CAST: tuple[tuple[str, Role], ...] = (
    *(("cal1", "cashier"), ("cal2", "cashier"), ("cal3", "cashier")),
    *(("sue", "supervisor"), ("sam", "supervisor"), (NAMES["organiser"], "organiser")),
)


def test_drawers_racks_statement_and_book_agree_whatever_is_lost(
    run: Running, app: FastAPI, server: Server, signed_in: SignedIn
) -> None:
    """Ten minutes in the slow lane, as many acts as fit in a few seconds here."""
    assert WIDE.requests_burst > 10**5
    Evening(run, signed_in).opened()
    actors = run(_cast(app, server))
    stop = time.monotonic() + examples(0, 600)

    async def all_at_once() -> None:
        await asyncio.gather(*(one.act_until(stop, acts_min=20) for one in actors))

    run(all_at_once())
    told = f"seed {SEED}"
    assert [wrong for one in actors for wrong in one.wrong] == [], told
    answers = sum((one.answers for one in actors), actors[0].answers.__class__())
    assert {200, 403, 409} <= set(answers), answers
    assert _wrong(server) == [], told


async def _cast(app: FastAPI, server: Server) -> list[Actor]:
    made = []
    for name, role in CAST:
        if name not in server.people.read_on().people:
            server.people.add(name, role, PASSWORD, actor="sue")
        client = client_of(app)
        client.cookies.set(COOKIE, server.sessions.issue(Person(name, role)))
        made.append(Actor(name, role, client, SEED))
    sue = made[3]._client
    await server.house.open_table(
        TABLE, "typed", unit="usd", sheet=load("oceanfront/mississippi-stud")
    )
    for path, body in (
        ("cage/fund", {"amount": "5000"}),
        (f"tables/{TABLE}/commands", {"command": {"do": "fill", "amount": "900"}}),
        (f"tables/{TABLE}/commands", {"command": {"do": "sit", "seat": 1, "player": "ann"}}),
    ):
        answer = await sue.post(f"/api/{path}", json={**body, "request": str(body)})
        assert answer.is_success, answer.text
    return made


def _wrong(server: Server) -> list[str]:
    """Where two of drawers, racks, statement, receipts and book differ; and what the book finds."""
    ledger = server.house.ledger
    counter, held = server.house.cage.read_on(), ledger.balances("usd")
    again = evolve(Counter(), ledger.entries("cage"))
    wrong = [] if again == counter else ["the counter is not the fold of its slips"]
    for name, drawer in counter.drawers.items():
        if drawer.holds != held[drawer_account(name)]:
            wrong.append(f"drawer {name}: {drawer.holds}, the book {held[drawer_account(name)]}")
    closed = [one for one in held if one.name.startswith("drawer/") and held[one]]
    if extra := {one.name[7:] for one in closed} - set(counter.drawers):
        wrong.append(f"money in closed drawers: {extra}")
    rack = held[Account("usd", "rack", TABLE)]
    if server.house.tables[TABLE].state.rack != rack:
        wrong.append(f"the rack is {rack}")
    wrong += [f"{one.table} is off by {one.off}" for one in takings(ledger, ALWAYS) if one.off]
    if not counted.statement(ledger)["agrees"]:
        wrong.append("the statement does not agree")
    numbers = [one.number for one in counter.receipts]
    if numbers != list(range(1, len(numbers) + 1)):
        wrong.append("a receipt is missing")
    return wrong + [str(one) for one in verify(ledger, following=followed).findings]
