"""The pen of a stream: taken over, lost, passed round; and sure of what was written with it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.streams.kit import FACTS, STREAM, Added

from pitbook.errors import RequestReused, Superseded
from pitbook.ledger.book import Ledger
from pitbook.streams.pen import Pen
from pitbook.streams.reading import Bookmark
from pitbook.streams.requests import KnownRequest, asked_by

SUE = KnownRequest("sue")
ONE = [FACTS.dump(Added(1))]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(f"sqlite:///{tmp_path / 'book.db'}") as ledger:
        yield ledger


def kinds(ledger: Ledger) -> list[list[str]]:
    return [[fact["fact"] for fact in entry.facts] for entry in ledger.entries(STREAM)]


def test_whoever_takes_it_over_writes_alone(ledger: Ledger) -> None:
    async def scene() -> None:
        first, second = Pen(ledger, STREAM), Pen(ledger, STREAM)
        await first.take_over(SUE, ONE)
        await first.write(SUE, ONE)
        await second.take_over(SUE)
        with pytest.raises(Superseded):
            await first.write(SUE, ONE)
        assert isinstance(first.lost, Superseded)
        await second.write(SUE, ONE)
        assert (first.epoch, second.epoch, second.lost) == (1, 2, None)

    asyncio.run(scene())
    assert kinds(ledger) == [["claimed", "added"], ["added"], ["claimed"], ["added"]]


def test_a_claim_that_comes_again_is_not_held_by_two(ledger: Ledger) -> None:
    async def scene() -> None:
        first, second = Pen(ledger, STREAM), Pen(ledger, STREAM)
        asked = asked_by("sue", "open", lambda: [1])
        await first.take_over(asked, ONE)
        again = await second.take_over(asked, ONE)
        assert (again.again, again.seq) == (True, 1)
        await second.write(SUE, ONE)
        with pytest.raises(Superseded):
            await first.write(SUE, ONE)

    asyncio.run(scene())
    assert kinds(ledger) == [["claimed", "added"], ["claimed"], ["added"]]


def test_in_turn_it_is_passed_round_with_what_is_written(ledger: Ledger) -> None:
    async def scene() -> None:
        first, second = Pen(ledger, STREAM), Pen(ledger, STREAM)
        for pen in (first, first, second, first):
            await pen.write_in_turn(SUE, ONE)
        first.let_go()
        await first.write_in_turn(SUE, ONE)

    asyncio.run(scene())
    both = ["claimed", "added"]
    assert kinds(ledger) == [["claimed"], both, ["added"], both, both, both]


def test_in_turn_a_request_that_comes_again_takes_nothing_over(ledger: Ledger) -> None:
    async def scene() -> None:
        first, second = Pen(ledger, STREAM), Pen(ledger, STREAM)
        asked = asked_by("sue", "r1", lambda: [1])
        written = await first.write_in_turn(asked, ONE)
        again = await second.write_in_turn(asked, ONE)
        assert (again.again, again.seq, second.epoch) == (True, written.seq, 0)
        with pytest.raises(RequestReused):
            await second.write_in_turn(asked_by("sue", "r1", lambda: [2]), ONE)

    asyncio.run(scene())


def test_after_a_doubt_an_empty_entry_comes_behind_what_was_under_way(ledger: Ledger) -> None:
    async def scene() -> None:
        pen, place = Pen(ledger, STREAM), Bookmark(ledger, STREAM)
        await pen.take_over(SUE)
        under_way = asyncio.ensure_future(pen.write(SUE, ONE))
        await asyncio.sleep(0)
        await pen.make_sure()
        assert [FACTS.told(entry) for entry in place.entries()] == [[], [Added(1)], []]
        assert (place.seq, list(place.entries())) == (3, [])
        await under_way

    asyncio.run(scene())


def test_a_place_knows_how_far_it_was_read_and_when_to_keep(ledger: Ledger) -> None:
    place, epoch = Bookmark(ledger, STREAM), ledger.claim(STREAM)
    assert place.taken_up() is None
    assert [entry.seq for entry in place.entries()] == [1]
    assert not place.is_due(2)
    written = ledger.append(STREAM, epoch, ONE)
    place.wrote(written, kept=False)
    assert (place.seq, place.is_due(2), place.is_due(3)) == (2, True, False)
    place.wrote(ledger.append(STREAM, epoch, ONE, keep={"sum": 1}), kept=True)
    assert (place.seq, place.is_due(1)) == (3, False)
    place.start_over()
    assert (place.seq, place.taken_up(), place.seq) == (0, {"sum": 1}, 2)
    assert [entry.seq for entry in place.entries()] == [3]
