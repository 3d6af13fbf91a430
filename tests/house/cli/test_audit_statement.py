"""`pitbook audit statement` and the owners in an export: every dollar has one owner."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.ledger_folders import tamper, use_folder
from tests.command_line import Ask
from tests.house.nights.kit import Evening
from tests.house.nights.tournament.step_lines import schedule

from pitbook.house.nights import commands as do
from pitbook.house.nights.tournament import commands as floor
from pitbook.money import dollars

OWNERS = ("house", "chips", "charity", "prizes", "owed")


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A float of $100, $20 of chips in play, and an entry of $50, of which $10 is for the
    charity.
    """
    use_folder(tmp_path, monkeypatch)
    monkeypatch.setenv("PITBOOK_DATA", "house")
    evening = Evening(tmp_path / "house")
    evening.must(do.BringFloat(dollars("100")))
    evening.sell("ann", "20")
    evening.must(floor.SetUp("gala.t1", schedule()))
    evening.must(floor.Enter("gala.t1", "ann"))
    evening.close()
    return tmp_path / "house"


@pytest.mark.usefixtures("house")
def test_statement_names_every_owner(ask: Ask) -> None:
    answer = ask("audit", "statement")
    assert answer.code == 0
    lines = {" ".join(line.split()) for line in answer.out.splitlines()}
    assert {
        *("House 100.00", "Event cage: gala 170.00", "Total 170.00"),
        "Held for charity: Seacoast Shelter (gala) 10.00",
        *("Chips held by players: gala 20.00", "Prizes held: gala 40.00"),
    } <= lines
    spanish = ask("--language", "es", "audit", "statement")
    assert "Retenido para la entidad benéfica: Seacoast Shelter (gala)" in spanish.out


@pytest.mark.usefixtures("house")
def test_statement_export_and_event_agree(ask: Ask) -> None:
    house = json.loads(ask("audit", "statement", "--json").out)
    assert [house[owner] for owner in OWNERS] == ["100.00", "20.00", "10.00", "40.00", "170.00"]
    assert house["agrees"]
    event = json.loads(ask("night", "statement", "gala", "--json").out)
    (share,) = house["events"]
    assert (share["charity"], share["cash"]) == (event["proceeds"], event["cash"])
    exported = json.loads(ask("audit", "export", "--json").out)
    assert exported["owners"] == {name: house[name] for name in exported["owners"]}
    spoken = ask("audit", "export", "-o", "journal.csv").out
    assert "Owners of the closing balances, in dollars" in spoken
    assert "Held for charity: Seacoast Shelter (gala)" in spoken


@pytest.mark.usefixtures("house")
def test_export_that_ends_before_an_event_has_no_share_for_it(ask: Ask) -> None:
    exported = json.loads(ask("audit", "export", "--to", "2020-01-01", "--json").out)
    assert (exported["owners"]["owed"], exported["owners"]["events"]) == ("0.00", [])


def test_statement_that_does_not_balance_exits_with_1(ask: Ask, house: Path) -> None:
    tamper(
        house,
        "INSERT INTO account (unit, kind, name, balance) VALUES ('usd', 'house', '', 900)",
        "UPDATE account SET balance = balance - 900 WHERE kind = 'house' AND name = 'gala.t1'",
    )
    answer = ask("audit", "statement", "--json")
    document = json.loads(answer.out)
    assert (answer.code, document["agrees"], document["lies"] == document["owed"]) == (
        1,
        False,
        True,
    )
    assert ask("audit", "verify").code == 1


@pytest.mark.usefixtures("house")
def test_statement_is_written_as_a_page_and_as_a_paper(ask: Ask) -> None:
    assert ask("audit", "statement", "--html", "-o", "statement.html").code == 0
    assert "Held for charity: Seacoast Shelter (gala)" in Path("statement.html").read_text("utf-8")
    assert ask("audit", "statement", "--pdf", "statement.pdf").code == 0
    assert Path("statement.pdf").read_bytes().startswith(b"%PDF-")
