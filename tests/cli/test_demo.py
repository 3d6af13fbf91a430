"""`pitbook demo`: a complete, repeatable evening, created atomically."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from tests.cli.conftest import Demo
from tests.cli.ledger_folders import use_folder
from tests.command_line import Ask
from tests.exact.duels import TCP, UTH
from tests.sheets.samples import IDS

from pitbook.house.ledger.data_folder import Folder
from pitbook.house.nights.store import Night
from pitbook.house.nights.tournament import facts
from pitbook.house.table.round_history import rounds_page
from pitbook.house.table.round_records import table_rounds, table_streams
from pitbook.money import dollars
from pitbook_demo.house_evening import play_evening

SEED = "52"


@pytest.fixture(autouse=True)
def work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    use_folder(tmp_path, monkeypatch)
    return tmp_path


def recorded_rounds(path: Path) -> list[object]:
    """Every card, play and cent of an evening."""
    with Folder.open(path) as folder:
        return [
            (record.id, record.state.actions, record.settled)
            for stream in table_streams(folder.ledger).values()
            for record in table_rounds(folder.ledger, stream.name)
        ]


@pytest.mark.long
def test_demo_is_created_and_its_suggestions_work(ask: Ask, work_folder: Path) -> None:
    answer_of_demo = ask("demo", "--seed", SEED, "--rounds", "8")
    assert answer_of_demo.code == 0
    assert answer_of_demo.err == ""
    first, *lines = answer_of_demo.out.splitlines()
    assert first.startswith("Made pitbook-data with seed 52: 7 tables, 56 rounds, ")
    assert [path.name for path in work_folder.iterdir()] == ["pitbook-data"]
    commands = [line.split()[1:] for line in lines if line.startswith("  pitbook ")]
    assert len(commands) == 13
    assert lines[-1] == "In the browser: pitbook serve"
    for command in commands:
        answer = ask(*command)
        assert (answer.code, answer.err) == (0, ""), command
    verdict = ask("audit", "verify", "--json").document
    assert (verdict["result"], verdict["entries_since"]) == ("sound", 0)


@pytest.mark.slow
def test_demo_has_seven_games_and_every_irregularity(ask: Ask, work_folder: Path) -> None:
    (work_folder / "house").mkdir()
    document = ask("demo", "--data", "house", "--rounds", "8", "--json").document
    assert (work_folder / "house" / "keys.json").exists()
    assert sorted(table["sheet"] for table in document["tables"]) == sorted((*IDS, TCP, UTH))
    assert len(document["seed"]) == 8
    assert (document["night"]["event"], document["night"]["reconciles"]) == ("gala", True)
    assert sum("interruption" in notable["why"] for notable in document["notable"]) == 7
    with Folder.open(Path("house")) as folder:
        settlements = {
            record.id: record.settled
            for stream in table_streams(folder.ledger).values()
            for record in table_rounds(folder.ledger, stream.name)
        }
        assert len(rounds_page(folder.ledger, "ann").rounds) == 8
    endings = {settlement["result"] for settlement in settlements.values() if settlement}
    assert endings == {"settled", "misdeal", "dead"}
    assert settlements["catfish-bend-mississippi-stud-000007"]["limits"] == [  # type: ignore[index]
        {"clause": "CMS-12", "due": "55000.00", "paid": "25000.00"}
    ]


@pytest.mark.long
def test_demo_has_a_complete_charity_event(ask: Ask, demo: Demo) -> None:
    night = demo.report["night"]
    assert (night["event"], night["reconciles"]) == ("gala", True)
    statement = ask("night", "statement", "gala", "--data", str(demo.path), "--json").document
    assert (statement["phase"], statement["reconciles"], statement["findings"]) == (
        "closed",
        True,
        [],
    )
    assert statement["proceeds"] == night["proceeds"]
    assert dollars(statement["proceeds"]) > 0
    assert [table["rounds"] for table in statement["tables"]] == [6, 6, 6]
    assert [table["void_rounds"] for table in statement["tables"]] == [1, 0, 0]
    hourly, main = statement["tournaments"]
    assert (hourly["status"], main["status"]) == ("finished", "finished")
    assert (hourly["owed"], main["owed"]) == ("0.00", "0.00")
    assert (hourly["refunded"], main["entries"]) == ("30.00", 12)
    assert dollars(statement["chips"]["expired"]) > 0
    assert [slip["slip"] for slip in statement["slips_undone"]] == [14]
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
            balances = folder.ledger.balances(f"tournament:{name}")
            assert not [
                account for account, cents in balances.items() if cents and account.kind != "house"
            ]
            assert sum(balances.values()) == 0
    assert {"gala.hourly-1", "gala.main-1", "gala.main-2"} <= dealt.keys()
    main = night.tournaments["gala.main"]
    counts = [fact for _, fact in main.past if isinstance(fact, facts.ChipsCounted)]
    assert all(count.in_book for count in counts)
    assert len(counts) == len(dealt["gala.main-1"]) + len(dealt["gala.main-2"])
    assert any(isinstance(fact, facts.Moved) for _, fact in main.past)


@pytest.mark.slow
def test_same_seed_gives_the_same_demo(work_folder: Path) -> None:
    play_evening(work_folder / "one", SEED, 8)
    play_evening(work_folder / "other", SEED, 8)
    play_evening(work_folder / "another", "53", 8)
    assert recorded_rounds(work_folder / "one") == recorded_rounds(work_folder / "other")
    assert recorded_rounds(work_folder / "one") != recorded_rounds(work_folder / "another")


def test_existing_folder_is_refused(ask: Ask, work_folder: Path) -> None:
    (work_folder / "mine").mkdir()
    (work_folder / "mine" / "letter").write_text("precious")
    (work_folder / "file").write_text("precious")
    for name in ("mine", "file"):
        answer = ask("demo", "--data", name)
        assert (answer.code, answer.out) == (1, "")
        assert answer.err == (f"pitbook: {name} already exists; choose a new folder with --data.\n")
    assert sorted(path.name for path in work_folder.iterdir()) == ["file", "mine"]


def test_unwritable_folder_is_named(ask: Ask, work_folder: Path) -> None:
    (work_folder / "file").write_text("x")
    answer = ask("demo", "--data", "file/house")
    assert answer.code == 1
    assert answer.err == "pitbook: cannot create file/house: Not a directory.\n"


@pytest.mark.long
def test_interrupted_demo_leaves_no_files(
    ask: Ask, work_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: object) -> tuple[()]:
        signal.raise_signal(signal.SIGINT)  # Like Ctrl-C during the evening.
        return ()

    monkeypatch.setattr("pitbook_demo.house_evening._arranged_cards", interrupt)
    answer = ask("demo", "--data", "house")
    assert (answer.code, answer.out) == (130, "")
    assert list(work_folder.iterdir()) == []


@pytest.mark.parametrize("given", [("--rounds", "7"), ("--rounds", "many"), ("extra",)])
def test_misuse_is_exit_2_and_creates_nothing(
    ask: Ask, work_folder: Path, given: tuple[str, ...]
) -> None:
    assert ask("demo", *given).code == 2
    assert list(work_folder.iterdir()) == []
