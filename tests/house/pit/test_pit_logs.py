"""The disabled register and the incident log: concurrent writers decide on the latest state."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from pitbook.errors import RequestReused
from pitbook.house.incidents.log import IncidentNoted, Incidents
from pitbook.house.ledger.append_batch import Append, Receipt
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.pit.disabled import Pit
from pitbook.rules.refusals import Code, Refusal

NOTED = IncidentNoted("safety", "a guest fell ill", "stud-1", "")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(connect(f"sqlite:///{tmp_path / 'book.db'}", synchronous="OFF")) as ledger:
        yield ledger


def test_incident_closed_concurrently_is_closed_once(ledger: Ledger) -> None:
    """Both looked before either wrote, and once both were recorded."""

    async def scene() -> None:
        logs = Incidents(ledger), Incidents(ledger)
        number, _ = await logs[0].note(NOTED, actor="dee")
        answers = await asyncio.gather(
            *(log.follow(number, "gone home", closed=True, actor="sue") for log in logs)
        )
        (refusal,) = [answer for answer in answers if isinstance(answer, Refusal)]
        assert refusal.code is Code.OVER

    asyncio.run(scene())
    (incident,) = Incidents(ledger).all()
    assert (incident.closed, len(incident.followed)) == (True, 1)


def test_repeated_request_gets_its_earlier_answer(ledger: Ledger) -> None:
    async def scene() -> None:
        log = Incidents(ledger)
        number, first = await log.note(NOTED, actor="dee", request="1")
        again = await log.note(NOTED, actor="dee", request="1")
        assert again == (number, first._replace(again=True))
        follow = partial(log.follow, actor="sue", closed=True)
        closed = await follow(number, "gone home", request="2")
        assert isinstance(closed, Receipt)
        assert await follow(number, "gone home", request="2") == closed._replace(again=True)
        with pytest.raises(RequestReused):
            await follow(number, "well again", request="2")
        unknown = await follow(7, "gone home")
        assert isinstance(unknown, Refusal)
        assert unknown.code is Code.UNKNOWN_PLACE

    asyncio.run(scene())


def test_incident_numbers_have_no_gap_after_retries_refusals_races_and_restarts(
    ledger: Ledger,
) -> None:
    async def scene() -> None:
        log, other = Incidents(ledger), Incidents(ledger)
        numbers = [(await log.note(NOTED, actor="dee", request="1"))[0]]
        assert (await log.note(NOTED, actor="dee", request="1"))[0] == numbers[0]  # A retry.
        await log.follow(1, "a doctor came", closed=False, actor="sue")
        assert isinstance(await log.follow(9, "?", closed=True, actor="sue"), Refusal)
        numbers += [(await other.note(NOTED, actor="kim"))[0]]  # Takes over the stream.
        racing = (
            incident_log.note(NOTED, actor=f"dee {n}")
            for n in range(4)
            for incident_log in (log, other)
        )
        numbers += sorted(number for number, _ in await asyncio.gather(*racing))
        restarted = Incidents(ledger)
        numbers += [(await restarted.note(NOTED, actor="dee"))[0]]
        assert isinstance(
            await restarted.follow(numbers[-1], "closed", closed=True, actor="sue"), Receipt
        )
        assert numbers == list(range(1, 12))

    asyncio.run(scene())
    incidents = Incidents(ledger).all()
    assert [incident.number for incident in incidents] == list(range(1, 12))
    followed = {incident.number for incident in incidents if incident.followed}
    assert followed == {1, 11}


def test_change_records_the_state_at_writing(ledger: Ledger) -> None:
    """Another process may disable a game between this one's read and write."""
    first_pit, second_pit = Pit(ledger), Pit(ledger)
    submit, reasons = ledger.submit_async, ["slow"]

    async def write(append: Append) -> Receipt:
        if reasons:
            await second_pit.disable("game", "a/b", why=reasons.pop(), actor="tim")
        return await submit(append)

    async def scene() -> None:
        first_pit._writer._adapter = first_pit._writer._adapter._replace(write=write)
        await first_pit.disable("game", "a/b", why="broken", actor="sue")

    asyncio.run(scene())
    last = list(ledger.entries("pit"))[-1]
    assert last.facts == [{"fact": "game-disabled", "game": "a/b", "why": "broken", "was": "slow"}]
    assert first_pit.reason_for("game", "a/b") == "broken"
