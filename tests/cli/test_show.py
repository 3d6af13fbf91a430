"""`pitbook sheets show`: a complete rack card at any terminal width."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.command_line import Ask
from tests.sheets.samples import CMS, IDS, LAS, MHL, OMS, STAX, UNUSUAL

from pitbook.cli import main
from pitbook.sheets.hashes import digest
from pitbook.sheets.library import BUNDLED
from pitbook.sheets.load import load

SHEETS = [*(BUNDLED / f"{sheet_id}.toml" for sheet_id in IDS), *sorted(UNUSUAL.glob("*.toml"))]
WIDTHS = [40, 60, 80, 100, 120, 200]


def words(text: str) -> str:
    """The text in one line, without the terminal's line ends."""
    return " ".join(text.split())


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_card_fits_its_terminal_and_names_every_clause(ask: Ask, path: Any, columns: int) -> None:
    lines = ask("sheets", "show", str(path), columns=columns).out.splitlines()
    assert max(map(len, lines)) <= min(columns, 120)
    assert not [line for line in lines if line != line.rstrip()]
    printed_clauses = set(re.findall(r"[A-Z]+-[0-9]+", "\n".join(lines)))
    assert set(load(path).clause_ids) <= printed_clauses


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_clauses_are_right_aligned(ask: Ask, path: Any) -> None:
    lines = ask("sheets", "show", str(path)).out.splitlines()
    ends = [len(line) for line in lines if re.search(r"\S  +([A-Z]+-[0-9]+)(, [A-Z0-9-]+)*$", line)]
    assert len(ends) > 20
    assert ends.count(80) >= 0.85 * len(ends)  # The rest are heads of pay tables.


def test_mississippi_stud_card_matches_the_document(ask: Ask) -> None:
    card = words(ask("sheets", "show", CMS, columns=120).out)
    for line in (
        "MISSISSIPPI STUD",
        "Catfish Bend Casino II, Iowa",
        "six seats†, one deck, effective March 12, 2018",
        "Ante $5 to $500 in increments of $1, required† CMS-2",
        "3 Card Bonus $1 to $100 in increments of $1, optional† CMS-2",
        "Deal Three community cards, then players, left to right CMS-4",
        "Flop bet 1x, 2x or 3x the Ante, or fold; one card is then turned up†",
        "A fold Loses every main wager placed so far CMS-6",
        "3 Card Bonus Remains in action after a fold CMS-11",
        "The aggregate payout on winning wagers at odds of 100:1 or more in one round shall not",
        "The main wagers, then the 3 Card Bonus† CMS-8",
        "Voids the hand of each player involved and forfeits every wager on it†",
        "Approval Iowa Racing and Gaming Commission, March 12, 2018† CMS-17",
    ):
        assert line in card


@pytest.mark.parametrize(
    ("sheet", "line"),
    [
        (
            OMS,
            "1x, 2x or 3x the Ante (bet, raise and re-raise), or fold; one card is then turned up",
        ),
        (
            OMS,
            "of one hand shall not exceed $1,000, shared",
        ),
        (OMS, "Any bet $4 at most† OMS-8"),
        (OMS, "jacks or better pays 1:1 and a pair of sevens to tens OMS-7"),
        (OMS, "completed if the cards can be read and every player agrees;"),
        (LAS, "Payouts Not limited† LAS-11"),
        (
            LAS,
            "First the 3-UP Bonus at every position and then, position by position, the main",
        ),
        (LAS, "5 Card Poker STAX $1 to $100 in increments of $1, optional† LAS-2"),
        (STAX, "5 Card Poker STAX $1 to $100 in increments of $1, required† LAS-2"),
        (
            MHL,
            "Points 2 to 10 at face value; J, Q and K as 0; A as 1 MHL-3 "
            "In a high hand A as 11 MHL-3",
        ),
        (MHL, "Ties Win for the player MHL-9"),
        (
            MHL,
            "The aggregate payout on the Match'em Bonus for five matches or four matches and",
        ),
        (MHL, "Double Exactly the Bet, in the area not covered by cards MHL-7"),
    ],
)
def test_cards_of_other_sheets(ask: Ask, sheet: str, line: str) -> None:
    assert line in words(ask("sheets", "show", sheet, columns=120).out)


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_every_line_of_every_pay_table_is_on_the_card(ask: Ask, path: Any) -> None:
    sheet = load(path)
    card = ask("sheets", "show", str(path)).out
    pays = re.findall(r"\. (?:([\d,]+) to (\d+)|(push))\b", card)
    tables = [sheet.main.pays, *(side.pays for side in sheet.side.values())]
    printed = sorted(
        f"{to.replace(',', '')}:{divisor}" if to else push for to, divisor, push in pays
    )
    assert printed == sorted(str(pay) for table in tables for pay in table.values())


def test_pay_tables_are_side_by_side_if_there_is_room(ask: Ask) -> None:
    def heads(columns: int) -> list[str]:
        lines = ask("sheets", "show", LAS, columns=columns).out.splitlines()
        return [line for line in lines if re.search(r"LAS-[789]$", line) and "  " in line]

    assert any("3-UP Bonus" in line and "Ante and street bets" in line for line in heads(80))
    assert any(all(t in line for t in ("Ante", "3-UP", "STAX")) for line in heads(120))
    assert not any("3-UP Bonus" in line and "Ante" in line for line in heads(60))


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_notes_option_adds_all_notes(ask: Ask, path: Any) -> None:
    plain = words(ask("sheets", "show", str(path), columns=120).out)
    card = words(ask("sheets", "show", str(path), "--notes", columns=120).out)
    raw = re.findall(r"note = (\"[^\"]*\"|'[^']*')", path.read_text(encoding="utf-8"))
    for note in {words(note_literal[1:-1])[:60] for note_literal in raw}:
        assert note in card
        assert note not in plain


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_json_has_the_whole_sheet_and_its_hash(ask: Ask, path: Any) -> None:
    sheet = load(path)
    document = ask("sheets", "show", str(path), "--json").document
    assert document.pop("hash") == digest(sheet)
    assert document == json.loads(sheet.model_dump_json(by_alias=True))
    assert document["deck"]["fresh"]["is"] == "each-round"


def test_version_in_force_on_a_date_is_shown(ask: Ask) -> None:
    assert ask("sheets", "show", f"{OMS}@2014-10-31").code == 0
    refused = ask("sheets", "show", f"{OMS}@2014-10-30")
    assert refused.code == 1
    assert "pitbook: oceanfront/mississippi-stud is effective from 2014-10-31" in refused.err


def test_color_depends_on_the_terminal(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;36mWAGERS" in ask("sheets", "show", CMS).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "36m" not in ask("sheets", "show", CMS).out


@pytest.mark.parametrize("columns", ["0", "1", "none", "-5"])
def test_card_is_shown_at_any_terminal_width(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    with pytest.raises(SystemExit) as ended:
        main(["sheets", "show", CMS])
    assert ended.value.code == 0
