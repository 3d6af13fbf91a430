"""Pages of past rounds over several tables: each round once, in both directions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from tests.house.table.kit import SUPERVISOR
from tests.house.table.recorded_table import OnRecord, sheet_of
from tests.house.web.conftest import fast_ledger
from tests.postgres import fresh_ledger
from tests.sheets.samples import CMS, MHL

from pitbook.errors import RoundError
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.table import commands as c
from pitbook.house.table import round_history, streams_played
from pitbook.house.table.round_history import rounds_page
from pitbook.house.table.round_records import find_round, table_rounds, wallet_balances
from pitbook.house.table.stored_sheets import dump_sheet

ROUNDS = 23


@contextmanager
def open_ledger(kind: str, folder: Path) -> Iterator[Ledger]:
    """An empty ledger on either database."""
    if kind == "sqlite":
        with fast_ledger(folder / "book.db") as book:
            yield book
    else:
        with fresh_ledger() as url, Ledger.open(url) as book:
            yield book


@pytest.fixture(params=["sqlite", "postgresql"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(request.param, tmp_path) as book:
        yield book


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def evening(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Ledger, list[str]]]:
    """A read-only ledger, and the rounds played in it."""
    folder = tmp_path_factory.mktemp("evening")
    with open_ledger(request.param, folder) as book:
        yield book, play_rounds(book, folder)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows that must be widened, and streams that are not read whole."""
    for name, number in (("ENTRIES", 2), ("EARLIER", 3)):
        monkeypatch.setattr(round_history, name, number)


def play_rounds(ledger: Ledger, tmp_path: Path) -> list[str]:
    """Play ann's rounds at two tables among others; returns their ids, newest first."""
    stud = OnRecord(ledger, sheet_of(tmp_path, CMS))
    hi_lo = OnRecord(ledger, sheet_of(tmp_path, MHL), table="t2")
    other = sheet_of(tmp_path, CMS, ('flush = "6:1"', 'flush = "5:1"'))
    for number in range(ROUNDS):
        if number == ROUNDS // 2:
            stud.do(SUPERVISOR, c.ChangeSheet(dump_sheet(other)))
        if number % 3:
            stud.seat(1, "ann", ante=5).seat(2, "bob", ante=5)
            stud.one_round((1, "fold"), (2, "fold"))
            stud.seat(2, "bob", ante=5)
            stud.one_round((2, "fold"))
        else:
            hi_lo.seat(1, "ann", bet=5)
            hi_lo.one_round((1, "low"))
    mine = [record for name in ("table/t1", "table/t2") for record in table_rounds(ledger, name)]
    mine = [record for record in mine if record.steps_of_wallet("ann")]
    mine.sort(key=lambda record: record.steps[0].at, reverse=True)
    assert len(mine) == ROUNDS
    return [record.id for record in mine]


@pytest.mark.slow_cases("postgresql")
@pytest.mark.long
def test_every_round_is_on_one_page_in_both_directions(evening: tuple[Ledger, list[str]]) -> None:
    ledger, ids = evening
    for count in (1, 10, ROUNDS, 40):
        page = rounds_page(ledger, "ann", count=count)
        assert page.newer is None
        pages = [page]
        while page.older is not None:
            page = rounds_page(ledger, "ann", count=count, before=page.older)
            pages.append(page)
        assert [past_round["round"] for each in pages for past_round in each.rounds] == ids
        back = [page]
        while page.newer is not None:
            page = rounds_page(ledger, "ann", count=count, after=page.newer)
            back.append(page)
        round_ids = [past_round["round"] for each in reversed(back) for past_round in each.rounds]
        assert round_ids == ids


@pytest.mark.slow_cases("postgresql")
@pytest.mark.long
def test_balances_of_a_page_are_those_of_each_round(evening: tuple[Ledger, list[str]]) -> None:
    ledger, _ = evening
    for before in (None, "t1-000020", "t2-000002"):
        for past_round in rounds_page(ledger, "ann", count=6, before=before).rounds:
            held = wallet_balances(ledger, find_round(ledger, past_round["round"]), "ann")
            balance = past_round["balance"]
            assert [balance["before"], balance["after"]] == [f"{cents / 100:.2f}" for cents in held]


@pytest.mark.long
def test_page_of_one_table_has_only_its_rounds(evening: tuple[Ledger, list[str]]) -> None:
    ledger, everything = evening
    ids = [round_id for round_id in everything if round_id.startswith("t2")]
    page = rounds_page(ledger, "ann", stream="table/t2", count=100)
    assert [past_round["round"] for past_round in page.rounds] == ids
    assert (page.older, page.newer) == (None, None)
    assert rounds_page(ledger, "cleo").rounds == []


@pytest.mark.slow_cases("postgresql")
@pytest.mark.long
def test_new_table_is_listed_immediately(ledger: Ledger, tmp_path: Path) -> None:
    """The tables of a player are cached, and new ones are found."""
    ids = play_rounds(ledger, tmp_path)
    assert rounds_page(ledger, "ann", count=1).rounds[0]["round"] == ids[0]
    fresh = OnRecord(ledger, sheet_of(tmp_path, CMS), table="t3")
    fresh.env.time += timedelta(days=1)
    fresh.seat(1, "ann", ante=5)
    fresh.one_round((1, "fold"))
    assert rounds_page(ledger, "ann", count=1).rounds[0]["round"] == "t3-000001"


@pytest.mark.slow_cases("postgresql")
@pytest.mark.long
def test_new_table_is_listed_beyond_the_fresh_limit(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams_played, "FRESH_MAX", 1)
    test_new_table_is_listed_immediately(ledger, tmp_path)


def test_page_refuses_an_unknown_starting_round(ledger: Ledger, tmp_path: Path) -> None:
    OnRecord(ledger, sheet_of(tmp_path, CMS)).seat(1, "ann", ante=5)
    for wrong in ("t1-000999", "t9-000001", "t1", "", "t1-x", "\x1b[2J-1"):
        with pytest.raises(RoundError, match="There is no round"):
            rounds_page(ledger, "ann", before=wrong)
