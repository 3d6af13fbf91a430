"""The pit's register and the incident log: several write at once, each on what stands there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitbook.errors import RequestReused
from pitbook.game.refusals import Code, Refusal
from pitbook.ledger.batch import Append, Receipt
from pitbook.ledger.book import Ledger
from pitbook.ledger.database import connect
from pitbook.table.live.incidents import IncidentFollowed, IncidentNoted, Incidents
from pitbook.table.live.pit import Pit

NOTED = IncidentNoted("safety", "a guest fell ill", "stud-1", "")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(connect(f"sqlite:///{tmp_path / 'book.db'}", synchronous="OFF")) as ledger:
        yield ledger


def test_of_two_who_close_an_incident_at_once_one_is_told(ledger: Ledger) -> None:
    """Both had looked before either wrote, and both were on record."""
    closing = IncidentFollowed(2, "gone home", closed=True)

    async def scene() -> None:
        one, two = Incidents(ledger), Incidents(ledger)
        assert (await one.note(NOTED, actor="dee")).seq == 2
        said = await asyncio.gather(*(log.follow(closing, actor="sue") for log in (one, two)))
        (no,) = [each for each in said if isinstance(each, Refusal)]
        assert no.code is Code.OVER

    asyncio.run(scene())
    (found,) = Incidents(ledger).all()
    assert (found.closed, len(found.followed)) == (True, 1)


def test_what_came_before_is_answered_as_it_was(ledger: Ledger) -> None:
    closing = IncidentFollowed(2, "gone home", closed=True)

    async def scene() -> None:
        log = Incidents(ledger)
        first = await log.note(NOTED, actor="dee", request="1")
        assert await log.note(NOTED, actor="dee", request="1") == first._replace(again=True)
        closed = await log.follow(closing, actor="sue", request="2")
        assert isinstance(closed, Receipt)
        again = await log.follow(closing, actor="sue", request="2")
        assert again == closed._replace(again=True)
        with pytest.raises(RequestReused):
            await log.follow(closing._replace(told="well again"), actor="sue", request="2")
        unknown = await log.follow(closing._replace(of=7), actor="sue")
        assert isinstance(unknown, Refusal)
        assert unknown.code is Code.UNKNOWN_PLACE

    asyncio.run(scene())


def test_a_change_says_what_stood_there_when_it_was_written(ledger: Ledger) -> None:
    """Another process may shut a game between this one's look and its word."""
    one, two = Pit(ledger), Pit(ledger)
    written, meanwhile = ledger.written, ["slow"]

    async def write(append: Append) -> Receipt:
        if meanwhile:
            await two.shut("game", "a/b", why=meanwhile.pop(), actor="tim")
        return await written(append)

    async def scene() -> None:
        one._shell._seam = one._shell._seam._replace(write=write)
        await one.shut("game", "a/b", why="broken", actor="sue")

    asyncio.run(scene())
    last = list(ledger.entries("pit"))[-1]
    assert last.facts == [{"fact": "game-disabled", "game": "a/b", "why": "broken", "was": "slow"}]
    assert one.why_shut("game", "a/b") == "broken"
