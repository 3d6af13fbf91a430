"""`pitbook audit export`: rows for other programs, reconciling totals, and whole days."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Furnish
from tests.cli.ledger_folders import small_book, tamper, use_folder
from tests.command_line import Ask

from pitbook.house.ledger.data_folder import Folder, ledger_url
from pitbook.house.ledger.ledger import Ledger

HEADER = "stream,seq,at,epoch,actor,request,row,fact,why,unit,debit,credit,amount,detail,hash"


@pytest.fixture
def house(tmp_path: Path, furnish: Furnish, monkeypatch: pytest.MonkeyPatch) -> Path:
    use_folder(tmp_path, monkeypatch)
    monkeypatch.setenv("PITBOOK_DATA", "house")
    return furnish(small_book, tmp_path / "house")


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


@pytest.mark.usefixtures("house")
def test_each_fact_and_each_transfer_is_a_row(ask: Ask) -> None:
    answer = ask("audit", "export")
    assert answer.code == 0
    assert answer.out.splitlines()[0] == HEADER
    rows = [row for row in rows_of(answer.out) if row["stream"] == "cage"]
    assert [(row["seq"], row["row"], row["fact"] or row["why"]) for row in rows] == [
        ("1", "fact", "claimed"),
        ("2", "fact", "buy-in"),
        ("2", "transfer", "buy-in"),
        ("3", "fact", "note"),
        ("3", "transfer", "'=1+1"),
        ("4", "fact", "cash-out"),
        ("4", "transfer", "cash-out"),
        ("5", "transfer", "chips"),
    ]
    fact, transfer = rows[1:3]
    assert fact["request"] == transfer["request"] == "kim/1"
    assert json.loads(fact["detail"]) == {"player": "ann", "amount": "100.00"}
    assert fact["hash"] == transfer["hash"]
    assert len(fact["hash"]) == 64
    assert transfer["detail"] == ""
    moved = [transfer[name] for name in ("unit", "debit", "credit", "amount")]
    assert moved == ["usd", "cash", "wallet:ann", "100.00"]
    assert transfer["at"] == "2026-03-02T12:00:00.000000+00:00"


@pytest.mark.usefixtures("house")
def test_no_cell_is_a_formula(ask: Ask) -> None:
    rows = rows_of(ask("audit", "export").out)
    assert {row["actor"] for row in rows} >= {"kim", "'@kim", "'+kim", "'-kim"}
    cells = [cell for row in rows for cell in row.values()]
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))] == []
    document = ask("audit", "export", "--json").document
    assert {row["actor"] for row in document["rows"]} >= {"kim", "@kim", "+kim", "-kim"}


@pytest.mark.usefixtures("house")
def test_totals_are_printed_beside_the_rows(ask: Ask) -> None:
    answer = ask("audit", "export", "--operator", "Three Rivers")
    lines = answer.err.splitlines()
    assert lines[:3] == [
        "Operator   Three Rivers",
        "From       start of the ledger",
        "To         end of the ledger",
    ]
    assert lines[3].startswith("Generated  20")
    assert " by pitbook " in lines[3]
    assert lines[4:] == [
        "Activity   9 entries, 4 transfers",
        "",
        "play          opening   debits  credits  closing",
        "issued           0.00  1000.00     0.00  1000.00",
        "wallet:guest     0.00     0.00  1000.00  1000.00",
        "total                  1000.00  1000.00",
        "",
        "usd          opening  debits  credits  closing",
        "cash            0.00  102.50    40.00    62.50",
        "wallet:=bob     0.00    0.00     2.50     2.50",
        "wallet:ann      0.00   40.00   100.00    60.00",
        "total                 142.50   142.50",
        "",
        "Owners of the closing balances, in dollars",
        "House               0.00",
        "Table racks         0.00",
        "Players' balances  62.50",
        "Bets on layouts     0.00",
        "Total              62.50",
        "",
        "Everything balances: opening plus movements equals closing in every account.",
    ]


@pytest.mark.usefixtures("house")
def test_one_day_has_opening_and_closing_balances(ask: Ask) -> None:
    document = ask("audit", "export", "--from", "2026-03-03", "--to", "2026-03-03", "--json")
    report: dict[str, Any] = document.document
    assert report["from"] == "2026-03-03T00:00:00.000000+00:00"
    assert report["to"] == "2026-03-04T00:00:00.000000+00:00"
    assert report["operator"] is None
    assert report["version"].startswith("pitbook ")
    assert report["reconciles"] is True
    assert report["note"] is None
    assert {account["account"]: list(account.values())[2:] for account in report["accounts"]} == {
        "cash": ["debit", "100.00", "2.50", "0.00", "102.50"],
        "wallet:=bob": ["credit", "0.00", "0.00", "2.50", "2.50"],
        "wallet:ann": ["credit", "100.00", "0.00", "0.00", "100.00"],
    }
    assert report["units"] == [{"unit": "usd", "debits": "2.50", "credits": "2.50"}]
    assert [row["seq"] for row in report["rows"] if row["stream"] == "cage"] == [3, 3]


@pytest.mark.parametrize(
    ("start", "end", "seqs"),
    [
        (None, None, [1, 2, 3, 4, 5]),
        ("2026-03-01", None, [1, 2, 3, 4, 5]),
        ("2026-03-02", None, [2, 3, 4, 5]),
        (None, "2026-03-02", [1, 2]),
        ("2026-03-02", "2026-03-03", [2, 3]),
        ("2026-03-02T12:00", "2026-03-03T12:00", [2]),
        ("2026-03-02T12:00:00.000001", "2026-03-03T12:00:00.000001", [3]),
        ("2026-03-02T12:00Z", "2026-03-03T12:00Z", [2]),
        ("2026-03-02T13:00+01:00", "2026-03-03T07:00:01-05:00", [2, 3]),
        ("20260302", "20260302", [2]),
        ("2026-03-02 12:00", "2026-03-04", [2, 3, 4]),
        ("2030-01-01", None, []),
        (None, "2020-01-01", []),
    ],
)
@pytest.mark.usefixtures("house")
def test_from_is_inclusive_and_to_is_exclusive_except_for_days(
    ask: Ask, start: str | None, end: str | None, seqs: list[int]
) -> None:
    options = [*(("--from", start) if start else ()), *(("--to", end) if end else ())]
    document = ask("audit", "export", "--json", *options).document
    seqs_found = {row["seq"] for row in document["rows"] if row["stream"] == "cage"}
    assert sorted(seqs_found) == seqs
    assert document["note"] == (None if seqs else "no activity")
    assert document["reconciles"] is True


@pytest.mark.usefixtures("house")
def test_days_without_activity_are_reported(ask: Ask) -> None:
    before = ask("audit", "export", "--to", "2020-01-01")
    assert before.code == 0
    assert before.out.splitlines() == [HEADER]
    assert "Activity   no activity\n" in before.err
    assert "cash" not in before.err
    after = ask("audit", "export", "--from", "2030-01-01").err
    assert "cash           62.50    0.00     0.00    62.50\n" in after


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("--from", "yesterday"), '"yesterday" is not a date or time. Write it like 2026-11-15'),
        (("--from", "2026-02-30"), '"2026-02-30" is not a date or time'),
        (("--to", "2026-13"), '"2026-13" is not a date or time'),
        (("--to", ""), '"" is not a date or time'),
        (("--to", "9999-12-31"), '"9999-12-31" is not a date or time'),
        (("--from", "0001-01-01T00:00+14:00"), "Write it like 2026-11-15 or 2026-11-15T18"),
        (("--from", "2026-03-02", "--to", "2026-03-01"), "2026-03-02 is not before 2026-03-01"),
        (
            ("--from", "2026-03-02T12:00", "--to", "2026-03-02T12:00"),
            "2026-03-02T12:00 is not before 2026-03-02T12:00. Swap --from and --to.",
        ),
        (("--format", "xml"), "'xml' is not one of 'csv', 'json'"),
    ],
)
@pytest.mark.usefixtures("house")
def test_invalid_days_are_misuse(ask: Ask, given: tuple[str, ...], why: str) -> None:
    answer = ask("audit", "export", *given)
    assert answer.code == 2
    assert answer.out == ""
    assert why in " ".join(answer.err.split())
    assert list(ask("audit", "export", *given, "--json").document) == ["error"]


@pytest.mark.usefixtures("house")
def test_csv_and_json_are_exclusive_on_the_screen(ask: Ask) -> None:
    answer = ask("audit", "export", "--json", "--format", "csv")
    assert answer.code == 2
    assert "Write the CSV to a file with -o" in answer.document["error"]


@pytest.mark.usefixtures("house")
def test_rows_and_totals_need_separate_files(ask: Ask) -> None:
    answer = ask("audit", "export", "-o", "march", "--summary", "march")
    assert answer.code == 2
    assert "Rows and totals need separate files." in answer.err


def test_rows_go_to_the_file_and_totals_to_the_screen(ask: Ask, house: Path) -> None:
    answer = ask("audit", "export", "-o", "march.csv")
    assert answer.code == 0
    assert answer.err == ""
    assert answer.out.startswith(
        "Wrote march.csv.\nOperator   not named (set it with --operator or PITBOOK_"
    )
    printed = ask("audit", "export").out
    assert (house.parent / "march.csv").read_text() == printed
    document = ask("audit", "export", "-o", "again.csv", "--json").document
    assert document["file"] == "again.csv"
    assert document["as"] == "csv"
    assert document["entries"] == 9
    assert (house.parent / "again.csv").read_text() == printed


def test_json_file_matches_the_screen_output(ask: Ask, house: Path) -> None:
    assert ask("audit", "export", "--format", "json", "-o", "march.json").code == 0
    written = json.loads((house.parent / "march.json").read_text())
    printed = ask("audit", "export", "--format", "json").document
    assert written | {"generated": ""} == printed | {"generated": ""}
    assert len(written["rows"]) == 16


def test_totals_can_be_written_to_a_file(ask: Ask, house: Path) -> None:
    assert ask("audit", "export", "-o", "march.csv", "--summary", "march.json").code == 0
    written = json.loads((house.parent / "march.json").read_text())
    assert "rows" not in written
    assert written["transfers"] == 4


@pytest.mark.parametrize("option", ["-o", "--summary"])
def test_existing_file_is_never_overwritten(ask: Ask, house: Path, option: str) -> None:
    existing_file = house.parent / "mine.csv"
    existing_file.write_text("precious")
    answer = ask("audit", "export", option, "mine.csv")
    assert answer.code == 1
    assert answer.out == ""
    assert answer.err == ("pitbook: mine.csv already exists. Choose another name.\n")
    assert existing_file.read_text() == "precious"


@pytest.mark.parametrize("option", ["-o", "--summary"])
def test_unwritable_file_is_named(ask: Ask, house: Path, option: str) -> None:
    answer = ask("audit", "export", "--format", "json", option, "no/where.csv")
    assert answer.code == 1
    assert answer.err.endswith("no/where.csv cannot be written: No such file or directory.\n")
    assert list(house.parent.iterdir()) == [house]


def test_interrupted_export_leaves_no_file(
    ask: Ask, house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pitbook.house.cli.audit_export._csv_cell", interrupt)
    answer = ask("audit", "export", "-o", "march.csv")
    assert (answer.code, answer.out) == (130, "")
    assert list(house.parent.iterdir()) == [house]


def test_unreadable_entry_is_named(ask: Ask, house: Path) -> None:
    tamper(house, "UPDATE entry SET content = 'x' WHERE seq = 3 AND actor = '@kim'")
    answer = ask("audit", "export", "-o", "march.csv")
    assert answer.code == 1
    assert answer.err == (
        "pitbook: Entry 3 of cage cannot be read (A ledger entry is damaged: "
        "it is not valid JSON). Run pitbook audit verify to see what was changed.\n"
    )
    assert list(house.parent.iterdir()) == [house]


@pytest.mark.parametrize("days", [(), ("--from", "2026-03-05"), ("--to", "2026-03-02")])
def test_changed_balance_does_not_reconcile(ask: Ask, house: Path, days: tuple[str, ...]) -> None:
    tamper(house, "UPDATE account SET balance = 9000 WHERE name = 'ann'")
    answer = ask("audit", "export", *days)
    assert answer.code == 1
    message = (
        "These accounts do not reconcile: wallet:ann in usd. Run pitbook audit verify for details."
    )
    assert answer.err.splitlines()[-1] == message
    assert ask("audit", "export", *days, "--json").document["reconciles"] is False


@pytest.mark.parametrize("damage", ["balance = 'much'", "balance = 1.5", "kind = 'x'"])
def test_unreadable_account_is_named(ask: Ask, house: Path, damage: str) -> None:
    tamper(house, f"UPDATE account SET {damage} WHERE id = 1")
    answer = ask("audit", "export", "-o", "march.csv")
    assert answer.code == 1
    assert answer.err == (
        "pitbook: Account 1 cannot be read. Run pitbook audit verify to see what was changed.\n"
    )
    assert list(house.parent.iterdir()) == [house]


def test_invented_account_does_not_reconcile(ask: Ask, house: Path) -> None:
    tamper(house, "INSERT INTO account (unit, kind, name, balance) VALUES ('usd', 'rack', 'x', 7)")
    answer = ask("audit", "export")
    assert answer.code == 1
    assert "These accounts do not reconcile: rack:x in usd." in answer.err


def test_empty_ledger_is_exported(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_folder(tmp_path, monkeypatch)
    Folder.make(tmp_path / "new").close()
    monkeypatch.setenv("PITBOOK_OPERATOR", "Three Rivers")
    document = ask("audit", "export", "--data", str(tmp_path / "new"), "--json").document
    assert document["operator"] == "Three Rivers"
    assert (document["note"], document["rows"], document["accounts"]) == ("no activity", [], [])


def test_rows_are_sorted_by_stream_and_number(ask: Ask, house: Path) -> None:
    with Ledger.open(ledger_url(house, None)) as ledger:
        ledger.claim("a-night")
    rows = ask("audit", "export", "--json").document["rows"]
    places = [(row["stream"], row["seq"]) for row in rows]
    assert places == sorted(places)
    assert {stream for stream, _ in places} == {"a-night", "cage", "clock"}
