"""`pitbook night`: an evening on the command line, in words and in JSON, with its refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.ledger_folders import tamper, use_folder
from tests.command_line import Answer, Ask, ask  # noqa: F401  A fixture.
from tests.house.nights.gaming_date import noon_date_and_zone
from tests.house.nights.kit import CMS
from tests.house.web.conftest import fast_folder

from pitbook.house.nights.house_rules import house_path
from pitbook.sheets.hashes import digest

DATA = "pitbook-data"
SCHEDULE = """
title = "Hourly stud"
kind = "hourly"
sheet = "oceanfront/mississippi-stud"
seats = 6
buy_in = { costs = "60", fee = "10", chips = "1000" }
levels = [{ minutes = 20 }, { minutes = 20 }]
prizes = [{ entrants = 2, shares = [100] }]
"""

Night = Callable[..., Answer]


@pytest.fixture
def night(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Night:  # noqa: F811
    """Runs `pitbook night` in a folder with a house."""
    use_folder(tmp_path, monkeypatch)
    monkeypatch.delenv("PITBOOK_CONFIG", raising=False)
    (tmp_path / DATA).mkdir()
    fast_folder(tmp_path / DATA).close()

    def run(*arguments: str) -> Answer:
        return ask("night", *arguments)

    return run


@pytest.fixture
def gala(night: Night) -> Night:
    """`night` with an open night named gala."""
    today = noon_date_and_zone()
    date_options = ("--date", today["gaming_date"], "--zone", today["zone"])
    options = ("--charity", "Shelter", "--license", "NH-1", *date_options)
    created = night("new", "gala", *options)
    assert created.code == 0, created.err
    assert night("open", "gala").out == "gala is open.\n"
    return night


def expect_error(answer: Answer, message: str, code: int = 1) -> None:
    assert answer.code == code
    assert answer.out == ""
    assert message in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.long
def test_night_from_the_first_chip_to_the_statement(gala: Night) -> None:
    sold = gala("sell", "gala", "ann", "20", "--by", "kim")
    assert "Receipt gala-000001" in sold.out
    assert "Chips sold, ann: $20" in sold.out
    slip = gala("redeem", "gala", "ann", "5", "--json").document
    assert (slip["receipt"], slip["what"], slip["amount"]) == ("gala-000002", "redeemed", "5.00")
    assert "Opening bank: $50" in gala("float", "gala", "50").out
    assert "VOID: wrong" in gala("undo", "gala", "2", "--why", "wrong").out
    assert gala("receipt", "gala", "2", "--json").document["undone"] == "wrong"
    view = gala("show", "gala", "--json").document
    assert (view["phase"], view["cash"], view["chips"]) == ("open", "70.00", {"ann": "20.00"})
    assert "ann: 20.00 in chips" in gala("show", "gala").out
    assert "all" not in gala("redeem", "gala", "ann", "all").out
    assert gala("show", "gala", "--json").document["chips"] == {}
    gala("sell", "gala", "bob", "8")
    assert "gala is closed" in gala("close", "gala").out
    end = gala("statement", "gala", "--json")
    assert end.code == 0
    assert end.document["chips"]["expired"] == end.document["proceeds"] == "8.00"
    assert end.document["reconciles"]
    assert "Closing statement: gala" in gala("statement", "gala").out


def test_refusals_say_the_clause_and_end_with_1(gala: Night) -> None:
    expect_error(gala("sell", "gala", "ann", "4.01"), "(OMS-18).")
    expect_error(gala("redeem", "gala", "ann", "1"), "(OMS-17).")
    gala("sell", "gala", "ann", "4")
    gala("close", "gala")
    late = gala("redeem", "gala", "ann", "4", "--json")
    assert late.code == 1
    assert (late.document["code"], late.document["clause"]) == ("over", "OMS-17")
    expect_error(gala("receipt", "gala", "9"), "gala has no slip 9")


def test_night_does_not_open_on_another_day(night: Night) -> None:
    created = night(
        "new", "far", "--charity", "A", "--license", "B", "--date", "2999-02-28", "--json"
    )
    assert created.document["phase"] == "made"
    expect_error(night("open", "far"), "licensed for 2999-02-28")
    expect_error(night("sell", "far", "ann", "4"), "is not open yet")
    old = ("new", "old", "--charity", "A", "--license", "B", "--date", "2020-02-29")
    expect_error(night(*old), "2020-02-29 has passed")
    expect_error(
        night("new", "x", "--charity", " ", "--license", "B", "--date", "2020-02-29"), "(OMS-19)."
    )


def test_misuse_is_exit_2(gala: Night) -> None:
    expect_error(gala("sell", "gala", "ann", "four"), "is not an amount", 2)
    expect_error(gala("sell", "gala", "ann", "5,0"), 'Write "5.00" or "50"', 2)
    expect_error(gala("undo", "gala", "0", "--why", "x"), "SLIP", 2)
    expect_error(gala("undo", "gala", "1"), "--why", 2)
    expect_error(gala("open-table", "gala", "t", CMS.id, "--limit", "ante"), "like ante.min=2", 2)
    expect_error(gala("tournament", "enter", "gala", "ann"), "like gala.t1", 2)
    expect_error(gala("tournament", "count-chips", "gala.t1", "1", "ann"), "like ann=1200", 2)
    expect_error(gala("tournament", "balance", "gala.t1", "--move", "ann"), "like ann=2/5", 2)


def test_unknown_night_suggests_the_nearest_name(gala: Night) -> None:
    expect_error(gala("show", "galla"), 'Did you mean "gala"?')
    expect_error(gala("show", "gala", "--data", "nowhere"), "the data folder does not exist")


def test_list_shows_every_night(night: Night) -> None:
    assert "No events yet" in night("list").out
    night("new", "a", "--charity", "A", "--license", "B", "--date", "2999-01-02")
    assert night("list").out == "a  2999-01-02  made    A\n"
    assert [entry["event"] for entry in night("list", "--json").document["nights"]] == ["a"]


def test_first_night_makes_the_data_folder(night: Night, tmp_path: Path) -> None:
    options = ("--charity", "A", "--license", "B", "--date", "2999-01-02", "--data", "fresh")
    assert night("new", "a", *options).code == 0
    assert (tmp_path / "fresh" / "keys.json").exists()


def test_data_folder_is_found_as_for_other_commands(
    night: Night, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--charity", "A", "--license", "B", "--date", "2999-01-02")
    (tmp_path / "pitbook.toml").write_text('data = "one"\n')
    assert night("new", "a", *options).code == 0
    monkeypatch.setenv("PITBOOK_DATA", "two")
    assert night("new", "b", *options).code == 0
    events_by_folder = {
        data: [
            entry["event"] for entry in night("list", "--data", data, "--json").document["nights"]
        ]
        for data in ("one", "two", DATA)
    }
    assert events_by_folder == {"one": ["a"], "two": ["b"], DATA: []}


def test_repeated_request_makes_one_slip(gala: Night) -> None:
    first = gala("sell", "gala", "ann", "4", "--request", "r1", "--json").document
    assert gala("sell", "gala", "ann", "4", "--request", "r1", "--json").document == first
    assert "already used" in gala("sell", "gala", "ann", "3", "--request", "r1").err
    assert gala("show", "gala", "--json").document["slips"] == 1


@pytest.mark.long
def test_tables_are_within_the_limits_or_derived(gala: Night) -> None:
    admitted = gala("open-table", "gala", "stud-1", "oceanfront/mississippi-stud")
    assert admitted.out.endswith(", unchanged\n")
    expect_error(gala("open-table", "gala", "stud-2", CMS.id), "(OMS-10).")
    assert gala("open-table", "gala", "stud-2", CMS.id, "--derived", "--json").document["derived"]
    limit = ("--limit", "bet.min=2", "--derived")
    derived = gala("open-table", "gala", "hi-lo", "catfish-bend/matchem-hi-lo", *limit, "--json")
    assert derived.document["limits"]["bet"] == {"min": "2.00", "max": "4.00", "step": "1.00"}
    listing = gala("tables", "gala").out
    assert f"derived from {digest(CMS)[:16]} of Catfish Bend Casino II" in listing
    assert f"stud-2: {CMS.id}, Oceanfront Gaming, Inc. (" in listing
    assert "exactly $1" in listing
    names = [table["table"] for table in gala("tables", "gala", "--json").document["tables"]]
    assert names == ["stud-1", "stud-2", "hi-lo"]
    stopped = gala("interrupted", "gala", "--why", "power failure", "--json").document
    assert {result["where"] for result in stopped["stopped"]} == set(names)
    assert "gala is suspended: storm." in gala("interrupted", "gala", "--why", "storm").out
    assert gala("close", "gala").code == 0


def test_night_without_tables(gala: Night) -> None:
    assert "No tables yet" in gala("tables", "gala").out


def test_statement_on_paper_and_a_tampered_balance(gala: Night, tmp_path: Path) -> None:
    gala("sell", "gala", "ann", "20")
    assert gala("statement", "gala", "--html", "-o", "gala.html").out == ""
    assert (tmp_path / "gala.html").read_text().startswith("<!doctype html>")
    where = "kind = 'cash' AND name = 'gala'"
    tamper(tmp_path / DATA, f"UPDATE account SET balance = balance + 1 WHERE {where}")
    statement = gala("statement", "gala", "--json")
    assert statement.code == 1
    assert not statement.document["reconciles"]
    assert {finding["off"] for finding in statement.document["findings"]} == {"0.01"}
    assert "Cash in the drawer: the records show 20.00 and the balances show 20.01" in statement.err


def test_house_rules_are_shown_and_checked(night: Night, tmp_path: Path) -> None:
    assert "Games of chance: $4 maximum" in night("rules").out
    assert len(night("rules", "--json").document["hash"]) == 64
    wrong = house_path("oceanfront").read_text().replace("bet_max", "bet_mx")
    (tmp_path / "mine.toml").write_text(wrong)
    answer = night("rules", "mine.toml")
    assert answer.code == 1
    assert answer.err.count("mine.toml:") == 2
    assert 'Did you mean "bet_max"?' in answer.err
    options = ("--charity", "A", "--license", "B", "--date", "2999-01-02", "--house", "mine.toml")
    assert len(night("new", "a", *options, "--json").document["findings"]) == 2
    expect_error(night("rules", "oceanfrnt"), 'Did you mean "oceanfront"?')


@pytest.mark.long
def test_tournament_by_commands(gala: Night, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(SCHEDULE)
    (tmp_path / "bad.toml").write_text(SCHEDULE.replace("seats", "seat").replace('"10"', '"70"'))
    bad = gala("tournament", "set-up", "gala.t1", "bad.toml")
    assert bad.code == 1
    assert "The 70.00 fee is more than the 60.00 total." in bad.err
    assert 'Did you mean "seats"?' in bad.err
    expect_error(gala("tournament", "show", "gala.t1"), "There is no tournament")
    steps = [
        ("set-up", "gala.t1", "s.toml"),
        ("announce", "gala.t1", "--brush", "bea"),
        ("enter", "gala.t1", "ann"),
        ("enter", "gala.t1", "bob"),
        ("draw-seats", "gala.t1"),
        ("start", "gala.t1"),
        ("start-clock", "gala.t1"),
        ("begin-round", "gala.t1", "1"),
        ("count-chips", "gala.t1", "1", "ann=1800", "bob=200"),
    ]
    for step in steps:
        answer = gala("tournament", *step)
        assert answer.code == 0, (step, answer.err)
        assert answer.out.startswith("gala.t1: ")
    view = gala("tournament", "show", "gala.t1", "--json").document
    assert view["players"]["ann"]["chips"] == "1800.00"
    assert (view["status"], view["clock"]["level"]) == ("playing", 1)
    assert "ann: 1800.00 in chips" in gala("tournament", "show", "gala.t1").out
    last = str(view["last"]["number"])
    assert gala("tournament", "undo", "gala.t1", last, "--why", "counted wrongly").code == 0
    cut = gala("tournament", "interrupt", "gala.t1", "--why", "storm", "--json").document
    assert json.dumps(cut)
    assert gala("statement", "gala").code == 0


def test_option_is_accepted_in_british_spelling(night: Night) -> None:
    night("new", "a", "--charity", "A", "--licence", "NH-1", "--date", "2999-01-02")
    night("correct", "a", "--licence", "NH-2")
    assert "NH-2" in night("show", "a").out
    assert "licence" not in night("new", "--help").out
