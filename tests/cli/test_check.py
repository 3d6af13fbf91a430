"""`pitbook sheets check`: findings with place, line and caret, and exit 1 for errors alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Ask
from tests.sheets.samples import CMS, IDS, OMS, changed

WRONG_LINE = ('flush = "6:1"', 'flsh = "6:1"')


@pytest.fixture
def misspelt(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(changed(CMS, WRONG_LINE), encoding="utf-8")
    return path


def test_error_is_told_with_its_place_its_line_and_a_caret(ask: Ask, misspelt: Path) -> None:
    answer = ask("sheets", "check", str(misspelt))
    assert answer.code == 1
    number = misspelt.read_text().splitlines().index('flsh = "6:1"') + 1
    assert answer.out.splitlines() == [
        f'{misspelt}:{number}:1: error: pays "flsh" is no five-card hand; '
        'did you mean "flush"? (CMS-9)',
        '    flsh = "6:1"',
        "    ^",
        "1 error and no notices.",
    ]


def test_notices_alone_are_exit_0_and_bundled_files_have_short_names(ask: Ask) -> None:
    answer = ask("sheets", "check", OMS)
    assert answer.code == 0
    assert answer.out.startswith("oceanfront/mississippi-stud.toml:")
    assert '\n    pays_max = "1000"\n               ^\n' in answer.out
    assert answer.out.endswith("No errors and 3 notices.\n")


def test_several_sheets_are_summed_up_in_one_sentence(ask: Ask, misspelt: Path) -> None:
    answer = ask("sheets", "check", CMS, str(misspelt), "no/such")
    assert answer.code == 1
    assert answer.out.endswith("3 sheets: 1 error and 1 notice; 1 could not be read.\n")
    assert answer.err.startswith('pitbook: there is no sheet "no/such"')


def test_caret_stays_under_its_column_in_a_long_line(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_text(changed(CMS, ('clause = "GEN-16", note', 'clause = "GEN-16", nnote')))
    for columns in (40, 60, 80, 200):
        _, line, caret, _ = ask("sheets", "check", str(path), columns=columns).out.splitlines()
        assert line[caret.index("^") :].startswith("nnote = ")
        assert len(line) <= columns


def test_caret_counts_what_a_terminal_shows(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    note = '\tchips_note = "密西西比\\u001b", nnote = 1'
    path.write_text(changed(CMS, ("[house.chips]", f"[house.chips]\nx = {{{note} }}")))
    _, line, caret, *_ = ask("sheets", "check", str(path)).out.splitlines()
    assert caret.strip() == "^"
    assert "\x1b" not in line
    assert "\t" not in line


def test_json_of_one_sheet(ask: Ask, misspelt: Path) -> None:
    answer = ask("sheets", "check", str(misspelt), "--json")
    assert answer.code == 1
    assert answer.err == ""
    document = answer.document
    finding = document["findings"][0]
    assert (document["sheet"], document["hash"], document["valid"]) == (None, None, False)
    assert finding["level"] == "error"
    assert finding["field"] == "main.pays.flsh"
    assert finding["clause"] == "CMS-9"
    assert finding["file"] == str(misspelt)
    assert finding["quoted"] == 'flsh = "6:1"'


def test_json_of_a_valid_sheet_has_id_and_hash(ask: Ask) -> None:
    document = ask("sheets", "check", CMS, "--json").document
    shown = ask("sheets", "show", CMS, "--json").document
    assert document["sheet"] == CMS
    assert document["hash"] == shown["hash"]
    assert document["valid"] is True
    assert {one["level"] for one in document["findings"]} == {"notice"}


def test_json_of_several_sheets_is_one_document(ask: Ask, misspelt: Path) -> None:
    answer = ask("sheets", "check", *IDS, str(misspelt), "no/such", "--json")
    assert answer.code == 1
    documents = answer.document["sheets"]
    assert [one["sheet"] for one in documents] == [*IDS, None, None]
    assert [one["valid"] for one in documents] == [True] * 5 + [False] * 2
    assert documents[-1]["error"].startswith('there is no sheet "no/such"')
