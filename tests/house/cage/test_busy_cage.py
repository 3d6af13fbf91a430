"""Drawers, racks, statement and ledger agree after concurrent cage work."""

from __future__ import annotations

import asyncio
import time

import pytest
from fastapi import FastAPI
from tests.house.cage.busy_cage import TABLE, CageActor
from tests.house.cage.busy_totals import balance_errors
from tests.house.nights.night_over_http import Evening
from tests.house.web.conftest import NAMES, PASSWORD, WIDE, LoopRunner, SignedIn, client_of
from tests.lanes import examples

from pitbook import load
from pitbook.house.people.account_register import Person, Role
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.web.server import Server

SEED, STUD = 20261117, "oceanfront/mississippi-stud"
CAST: tuple[tuple[str, Role], ...] = (
    *(("cal1", "cashier"), ("cal2", "cashier"), ("cal3", "cashier")),
    *(("sue", "supervisor"), ("sam", "supervisor"), (NAMES["organiser"], "organiser")),
)


@pytest.mark.long
def test_cage_balances_agree_despite_lost_requests(
    run: LoopRunner, app: FastAPI, server: Server, signed_in: SignedIn
) -> None:
    """A minute in the slow lane; for servers that die, see chaos/test_cage_kill.py."""
    assert WIDE.requests_burst > 10**5
    Evening(run, signed_in).open_night()
    actors = run(_cast(app, server))
    stop = time.monotonic() + examples(0, 60)

    async def run_all() -> None:
        over = (actor.act_until(lambda: time.monotonic() > stop, acts_min=20) for actor in actors)
        await asyncio.gather(*over)

    run(run_all())
    seed_note = f"seed {SEED}"
    assert [wrong for actor in actors for wrong in actor.wrong] == [], seed_note
    answers = sum((actor.answers for actor in actors), actors[0].answers.__class__())
    assert {200, 403, 409} <= set(answers), answers
    assert balance_errors(server.house) == [], seed_note


async def _cast(app: FastAPI, server: Server) -> list[CageActor]:
    actors = []
    for name, role in CAST:
        if name not in server.people.catch_up().people:
            server.people.add(name, role, PASSWORD, actor="sue")
        client = client_of(app)
        client.cookies.set(SESSION_COOKIE, server.sessions.issue(Person(name, role)))
        actors.append(CageActor(name, role, client, SEED))
    sue = actors[3]._client
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
    return actors
