"""Every command prints money in the currency of the sheet's casino, in the requested language."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.command_line import Ask
from tests.sheets.samples import OMS, text_of

import pitbook

ROUND = {
    "format": 1,
    "community": ["2c", "3d", "5h"],
    "seats": [
        {"seat": 1, "wagers": {"ante": "2"}, "cards": ["Qs", "Qh"], "play": ["1x", "1x", "1x"]}
    ],
}


@pytest.fixture
def euros(tmp_path: Path) -> str:
    """A sheet in euros, as a file."""
    path = tmp_path / "euros.toml"
    text = text_of(OMS).replace(f'id = "{OMS}"', 'id = "euro/stud"', 1)
    path.write_text(text.replace("[house]\n", '[house]\ncurrency = "EUR"\n', 1), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("math {} --ante 2", "ante of €2"),
        ("advise {} --cards QsQh --ante 2", "In EUR fold -1.000000 16.167347 €32.3347"),
        ("simulate {} --rounds 1000 --seed 1", "-€0.5660 per round ± €0.3906"),
        ("session {} --bankroll 1000 --hours 1", "€1,000 for 1 hour"),
        ("--language es session {} --bankroll 1000 --hours 1", "€1,000 durante 1 hora"),
    ],
)
def test_command_prints_the_casino_currency(
    ask: Ask, euros: str, command: str, expected: str
) -> None:
    answer = ask(*command.format(euros).split())
    assert expected in " ".join(answer.out.split())
    assert "$" not in answer.out


def test_rack_card_prints_the_casino_currency(ask: Ask, euros: str) -> None:
    """The sheet's own texts are printed unchanged."""
    assert "€2 to €4 in increments of €1" in ask("sheets", "show", euros).out


def test_refusal_is_in_the_same_currency(ask: Ask, euros: str) -> None:
    assert ask("math", euros, "--ante", "1").err == "pitbook: Ante of €1 is outside €2 to €4.\n"
    assert "$2 to $4" in ask("sheets", "show", OMS).out  # The next sheet has its own currency.


def test_round_is_settled_in_the_houses_currency(ask: Ask, euros: str, tmp_path: Path) -> None:
    path = tmp_path / "round.json"
    path.write_text(json.dumps({**ROUND, "sheet": euros}), encoding="utf-8")
    settled = ask("settle", str(path)).out
    assert "€" in settled
    assert "$" not in settled


SPECIMENS = (
    "sheets check {}",
    "sheets diff {} {dollars}",
    "math {} --ante 2",
    "advise {} --cards QsQh --ante 2",
    "strategy {}",
    "compare {} {dollars}",
    "simulate {} --rounds 1000 --seed 1",
    "session {} --bankroll 1000 --hours 1",
    "drill {} --list",
)


@pytest.mark.parametrize("command", SPECIMENS)
@pytest.mark.parametrize("form", ["", " --json"])
def test_text_and_json_do_not_mention_dollars(
    ask: Ask, euros: str, tmp_path: Path, command: str, form: str
) -> None:
    text = Path(euros).read_text(encoding="utf-8").replace("$", "EUR ")
    Path(euros).write_text(text, encoding="utf-8")  # The sheet's own texts are printed unchanged.
    other = tmp_path / "other.toml"
    other.write_text(text.replace('"euro/stud"', '"euro/other"').replace("max = 4", "max = 3"))
    answer = ask(*f"{command}{form}".format(euros, dollars=other).split())
    assert "$" not in f"{answer.out}{answer.err}"


@pytest.mark.parametrize(
    "command",
    [
        "math {} --ante ten",
        "session {} --bankroll 1,00,0 --hours 1",
        "session {} --bankroll 1000 --hours 1",
        "advise {} --cards QsQh --purse 100",
        "math --help",
        "advise --help",
        "play --help",
        "bot --help",
    ],
)
@pytest.mark.parametrize("language", ["en", "es"])
def test_no_refusal_column_or_option_asks_for_dollars(
    ask: Ask, euros: str, command: str, language: str
) -> None:
    answer = ask("--language", language, *command.format(euros).split())
    output = f"{answer.out}{answer.err}".casefold()
    assert output
    assert "dollar" not in output
    assert "dólar" not in output


def test_json_refusal_uses_the_same_currency(ask: Ask, euros: str) -> None:
    document = json.loads(ask("math", euros, "--ante", "1", "--json").out)
    assert document["error"] == "Ante of €1 is outside €2 to €4."


def test_finding_uses_the_currency_of_its_sheet(ask: Ask, euros: str) -> None:
    """The finding's key and fields are unchanged; the currency is not a sentence of its own."""
    text = Path(euros).read_text(encoding="utf-8")
    Path(euros).write_text(text.replace("step = 1", "step = 3", 1), encoding="utf-8")
    sheet_document = json.loads(ask("sheets", "check", euros, OMS, "--json").out)["sheets"][0]
    findings = [finding for finding in sheet_document["findings"] if "€" in finding["message"]]
    assert findings
    assert all(finding["key"].startswith("findings.") for finding in findings)
    assert not [finding for finding in sheet_document["findings"] if "$" in finding["message"]]
    assert "€" in ask("--language", "es", "sheets", "check", euros).out


def test_clause_uses_language_and_currency(ask: Ask, euros: str) -> None:
    output = ask("--language", "es", "sheets", "clause", "OMS-8", "--sheet", euros).out
    assert "€2 a €4" in " ".join(output.split())


def test_python_answers_print_amounts_without_a_foreign_currency(euros: str) -> None:
    sheet = pitbook.load(euros)
    for answer in (
        pitbook.figures(sheet, ante="2"),
        pitbook.settle(ROUND, sheet=sheet),
        pitbook.simulate(sheet, 1000, seed=1),
    ):
        assert "$" not in str(answer)
