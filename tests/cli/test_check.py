"""`pitbook sheets check`: findings with position, line and caret; only errors exit with 1."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.command_line import Ask
from tests.sheets.samples import CMS, IDS, LAS, OMS, modified_text

WRONG_LINE = ('flush = "6:1"', 'flsh = "6:1"')


@pytest.fixture
def misspelt(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(modified_text(CMS, WRONG_LINE), encoding="utf-8")
    return path


def test_error_shows_place_line_and_caret(ask: Ask, misspelt: Path) -> None:
    answer = ask("sheets", "check", str(misspelt))
    assert answer.code == 1
    number = misspelt.read_text().splitlines().index('flsh = "6:1"') + 1
    assert answer.out.splitlines() == [
        f'{misspelt}:{number}:1: error: "flsh" is not a five-card hand. '
        'Did you mean "flush"? (CMS-9)',
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


def test_several_sheets_are_summarized_in_one_sentence(ask: Ask, misspelt: Path) -> None:
    answer = ask("sheets", "check", CMS, str(misspelt), "no/such")
    assert answer.code == 1
    assert answer.out.endswith("3 sheets checked: 1 error and 1 notice. 1 could not be read.\n")
    assert answer.err.startswith('pitbook: There is no sheet "no/such"')


def test_caret_stays_under_its_column_in_a_long_line(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_text(modified_text(CMS, ('clause = "GEN-16", note', 'clause = "GEN-16", nnote')))
    for columns in (40, 60, 80, 200):
        _, line, caret, _ = ask("sheets", "check", str(path), columns=columns).out.splitlines()
        assert line[caret.index("^") :].startswith("nnote = ")
        assert len(line) <= columns


def test_caret_position_counts_terminal_columns(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    note = '\tchips_note = "密西西比\\u001b", nnote = 1'
    path.write_text(modified_text(CMS, ("[house.chips]", f"[house.chips]\nx = {{{note} }}")))
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


@pytest.mark.long
def test_json_of_a_valid_sheet_has_id_and_hash(ask: Ask) -> None:
    document = ask("sheets", "check", CMS, "--json").document
    sheet_document = ask("sheets", "show", CMS, "--json").document
    assert document["sheet"] == CMS
    assert document["hash"] == sheet_document["hash"]
    assert document["valid"] is True
    assert {finding["level"] for finding in document["findings"]} == {"notice"}


@pytest.mark.long
def test_json_of_several_sheets_is_one_document(ask: Ask, misspelt: Path) -> None:
    answer = ask("sheets", "check", *IDS, str(misspelt), "no/such", "--json")
    assert answer.code == 1
    documents = answer.document["sheets"]
    assert [sheet_document["sheet"] for sheet_document in documents] == [*IDS, None, None]
    assert [sheet_document["valid"] for sheet_document in documents] == [True] * 5 + [False] * 2
    assert documents[-1]["error"].startswith('There is no sheet "no/such"')


GENEROUS = ('pair-J-A = "2:1"\n\n[settlement]', 'pair-J-A = "3:1"\n\n[settlement]')
DECLARED = '[[player_advantage]]\nwager = "stax"\nclause = "X"\nnote = "Tuesdays."\n\n[payouts]'


def test_house_edge_of_every_wager_is_shown(ask: Ask) -> None:
    lines = ask("sheets", "check", LAS).out.splitlines()
    assert lines[-3] == (
        "louisiana-stud/standard.toml: house edge with best play: "
        "main 4.9149%, three-up 7.2760%, stax 6.3336%."
    )
    wagers = ask("sheets", "check", CMS, "--json").document["wagers"]
    assert wagers["main"] == {"expected": "-53223/1082900", "house_edge": 53223 / 1082900}
    assert wagers["three-card-bonus"] == {"expected": "-402/5525", "house_edge": 402 / 5525}


@pytest.mark.long
def test_a_players_advantage_is_an_error_unless_it_is_declared(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(modified_text(LAS, GENEROUS), encoding="utf-8")
    answer = ask("sheets", "check", str(path), "--json")
    assert (answer.code, answer.document["valid"], answer.document["sheet"]) == (1, False, LAS)
    assert answer.document["wagers"]["stax"]["house_edge"] < 0
    assert ask("math", str(path), "--wager", "stax").code == 0
    assert ask("compare", str(path), LAS).code == 0
    path.write_text(modified_text(LAS, GENEROUS, ("[payouts]", DECLARED)), encoding="utf-8")
    answer = ask("sheets", "check", str(path))
    assert answer.code == 0
    assert "(declared: Tuesdays)." in answer.out


@pytest.mark.parametrize(("wrong", "last"), [(100, None), (101, "and 1 more error"), (123, None)])
def test_errors_past_the_first_hundred_are_counted(
    wrong: int, last: str | None, ask: Ask, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    fields = "".join(f"x{number} = 1\n" for number in range(wrong))
    path.write_text(modified_text(CMS, ("[payouts]\n", f"[payouts]\n{fields}")), encoding="utf-8")
    answer = ask("sheets", "check", str(path))
    assert answer.out.count(": error: ") == min(wrong, 100)
    lines = answer.out.splitlines()
    assert lines[-1] == f"{wrong} errors and no notices."
    if last:
        assert lines[-2] == f"{path}: {last}"
    document = ask("sheets", "check", str(path), "--json").document
    assert len(document["findings"]) == min(wrong, 100)
    assert document["left_out"] == {"error": max(0, wrong - 100), "notice": 0}


def test_other_commands_count_further_errors(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    fields = "".join(f"x{number} = 1\n" for number in range(123))
    path.write_text(modified_text(CMS, ("[payouts]\n", f"[payouts]\n{fields}")), encoding="utf-8")
    for command in (("math", str(path)), ("sheets", "list", "--folder", str(tmp_path))):
        document = ask(*command, "--json").document
        sheet_document = document["broken"][0] if "broken" in document else document
        assert len(sheet_document["findings"]) == 100
        assert sheet_document["left_out"]["error"] == 23


def hostile_files(folder: Path) -> dict[str, Path]:
    """Files that are not rule sheets at all."""
    valid_text = modified_text(CMS)
    contents = {
        "empty": b"",
        "blank": b"  \n\t\n",
        "comment": b"# nothing\n",
        "binary": bytes(range(256)) * 40,
        "zeros": bytes(5000),
        "utf-16": valid_text.encode("utf-16"),
        "latin": valid_text.replace('"Ante"', '"Ant\u00e9"').encode("latin-1"),
        "cut short": valid_text.encode()[:700],
        "old Mac": valid_text.replace("\n", "\r").encode(),
        "JSON": b'{"format": 1, "family": "street-stud"}',
        "YAML": b"format: 1\nfamily: street-stud\n",
        "deep": b"a = " + b"[" * 9000 + b"]" * 9000,
        "dotted": b".".join([b"a"] * 9000) + b" = 1",
        "long number": b"format = " + b"9" * 9000,
        "many tables": b"".join(b"[t%d]\n" % n for n in range(5000)),
        "many limits": valid_text.encode() + b'[[limits]]\nper = "hand"\nclause = "X"\n' * 3000,
        "too large": b"#" * 1_000_001,
        "twice": valid_text.encode() * 2,
    }
    paths = {}
    for name, raw in contents.items():
        paths[name] = folder / f"{name.replace(' ', '-')}.toml"
        paths[name].write_bytes(raw)
    paths["folder"] = folder / "folder.toml"
    paths["folder"].mkdir()
    paths["loop"] = folder / "loop.toml"
    paths["loop"].symlink_to(paths["loop"])
    paths["nowhere"] = folder / "nowhere.toml"
    paths["nowhere"].symlink_to(folder / "gone.toml")
    paths["pipe"] = folder / "pipe.toml"
    os.mkfifo(paths["pipe"])
    return paths


@pytest.mark.long
def test_hostile_files_are_refused_without_a_traceback(ask: Ask, tmp_path: Path) -> None:
    for name, path in hostile_files(tmp_path).items():
        answer = ask("sheets", "check", str(path))
        output = answer.out + answer.err
        assert answer.code == 1, name
        assert "Traceback" not in output, name
        assert path.name in output, name
        assert output.isascii() or "\ufffd" in output, name
        assert len(output.splitlines()) <= 303, name
