"""`pitbook demo`: an evening that can be looked at, repeated, and is there whole or not at all."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from tests.cli.books import alone
from tests.cli.conftest import Demo
from tests.command_line import Ask
from tests.exact.fights import TCP, UTH
from tests.sheets.samples import IDS

from pitbook.house.ledger.folder import Folder
from pitbook.house.nights.store import Night
from pitbook.house.nights.tournament import facts
from pitbook.house.table.history import rounds_page
from pitbook.house.table.round_records import table_rounds, table_streams
from pitbook.money import dollars
from pitbook_demo.house_evening import evening

SEED = "52"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    alone(tmp_path, monkeypatch)
    return tmp_path


def played(path: Path) -> list[object]:
    """Every card, play and cent of an evening."""
    with Folder.open(path) as folder:
        return [
            (record.id, record.state.actions, record.settled)
            for stream in table_streams(folder.ledger).values()
            for record in table_rounds(folder.ledger, stream.name)
        ]


@pytest.mark.long
def test_an_evening_is_made_and_what_it_recommends_works(ask: Ask, here: Path) -> None:
    made = ask("demo", "--seed", SEED, "--rounds", "8")
    assert made.code == 0
    assert made.err == ""
    first, *lines = made.out.splitlines()
    assert first.startswith("Made pitbook-data with seed 52: 7 tables, 56 rounds, ")
    assert [one.name for one in here.iterdir()] == ["pitbook-data"]
    commands = [line.split()[1:] for line in lines if line.startswith("  pitbook ")]
    assert len(commands) == 13
    assert lines[-1] == "In the browser: pitbook serve"
    for command in commands:
        answer = ask(*command)
        assert (answer.code, answer.err) == (0, ""), command
    verdict = ask("audit", "verify", "--json").document
    assert (verdict["result"], verdict["entries_since"]) == ("sound", 0)


@pytest.mark.slow
def test_an_empty_folder_gets_seven_games_and_everything_that_can_go_wrong(
    ask: Ask, here: Path
) -> None:
    (here / "house").mkdir()
    document = ask("demo", "--data", "house", "--rounds", "8", "--json").document
    assert (here / "house" / "keys.json").exists()
    assert sorted(one["sheet"] for one in document["tables"]) == sorted((*IDS, TCP, UTH))
    assert len(document["seed"]) == 8
    assert (document["night"]["event"], document["night"]["reconciles"]) == ("gala", True)
    assert sum("interruption" in one["why"] for one in document["notable"]) == 7
    with Folder.open(Path("house")) as folder:
        found = {
            record.id: record.settled
            for stream in table_streams(folder.ledger).values()
            for record in table_rounds(folder.ledger, stream.name)
        }
        assert len(rounds_page(folder.ledger, "ann").rounds) == 8
    endings = {one["result"] for one in found.values() if one}
    assert endings == {"settled", "misdeal", "dead"}
    assert found["catfish-bend-mississippi-stud-000007"]["limits"] == [  # type: ignore[index]
        {"clause": "CMS-12", "due": "55000.00", "paid": "25000.00"}
    ]


@pytest.mark.long
def test_it_has_a_charity_night_from_the_licence_to_the_statement(ask: Ask, demo: Demo) -> None:
    night = demo.told["night"]
    assert (night["event"], night["reconciles"]) == ("gala", True)
    told = ask("night", "statement", "gala", "--data", str(demo.path), "--json").document
    assert (told["phase"], told["reconciles"], told["findings"]) == ("closed", True, [])
    assert told["proceeds"] == night["proceeds"]
    assert dollars(told["proceeds"]) > 0
    assert [one["rounds"] for one in told["tables"]] == [6, 6, 6]
    assert [one["void_rounds"] for one in told["tables"]] == [1, 0, 0]
    hourly, main = told["tournaments"]
    assert (hourly["status"], main["status"]) == ("finished", "finished")
    assert (hourly["owed"], main["owed"]) == ("0.00", "0.00")
    assert (hourly["refunded"], main["entries"]) == ("30.00", 12)
    assert dollars(told["chips"]["expired"]) > 0
    assert [one["slip"] for one in told["slips_undone"]] == [14]
    tournaments_were_dealt_by_live_tables(demo.path)


def tournaments_were_dealt_by_live_tables(house: Path) -> None:
    with Folder.open(house) as folder:
        dealt = {
            stream.name.removeprefix("table/"): [
                record.settled for record in table_rounds(folder.ledger, stream.name)
            ]
            for stream in table_streams(folder.ledger).values()
        }
        night = Night(folder.ledger, "gala").state
        for name in night.tournaments:
            left = folder.ledger.balances(f"tournament:{name}")
            assert not [one for one, cents in left.items() if cents and one.kind != "house"]
            assert sum(left.values()) == 0
    assert {"gala.hourly-1", "gala.main-1", "gala.main-2"} <= dealt.keys()
    main = night.tournaments["gala.main"]
    counted = [one for _, one in main.past if isinstance(one, facts.ChipsCounted)]
    assert all(one.in_book for one in counted)
    assert len(counted) == len(dealt["gala.main-1"]) + len(dealt["gala.main-2"])
    assert any(isinstance(one, facts.Moved) for _, one in main.past)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_evening(here: Path) -> None:
    evening(here / "one", SEED, 8)
    evening(here / "other", SEED, 8)
    evening(here / "another", "53", 8)
    assert played(here / "one") == played(here / "other")
    assert played(here / "one") != played(here / "another")


def test_a_folder_in_use_is_left_alone(ask: Ask, here: Path) -> None:
    (here / "mine").mkdir()
    (here / "mine" / "letter").write_text("precious")
    (here / "file").write_text("precious")
    for name in ("mine", "file"):
        answer = ask("demo", "--data", name)
        assert (answer.code, answer.out) == (1, "")
        assert answer.err == (
            f"pitbook: {name}: there is something of that name; --data names a new folder.\n"
        )
    assert sorted(one.name for one in here.iterdir()) == ["file", "mine"]


def test_a_place_that_cannot_be_written_is_named(ask: Ask, here: Path) -> None:
    (here / "file").write_text("x")
    answer = ask("demo", "--data", "file/house")
    assert answer.code == 1
    assert answer.err == "pitbook: file/house cannot be made: Not a directory.\n"


@pytest.mark.long
def test_an_evening_that_is_interrupted_leaves_nothing(
    ask: Ask, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: object) -> tuple[()]:
        signal.raise_signal(signal.SIGINT)  # As Ctrl-C does, in the midst of an evening.
        return ()

    monkeypatch.setattr("pitbook_demo.house_evening._arranged", interrupt)
    answer = ask("demo", "--data", "house")
    assert (answer.code, answer.out) == (130, "")
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("given", [("--rounds", "7"), ("--rounds", "many"), ("extra",)])
def test_misuse_is_exit_2_and_makes_nothing(ask: Ask, here: Path, given: tuple[str, ...]) -> None:
    assert ask("demo", *given).code == 2
    assert list(here.iterdir()) == []
