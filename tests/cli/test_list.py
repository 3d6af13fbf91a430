"""`pitbook sheets list`: all versions of all sheets, and broken files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.command_line import Ask
from tests.sheets.samples import ALL_IDS, CMS, UNUSUAL, modified_text

from pitbook.cli.options import library

ASSUMPTION = "Assumption: the source does not say this."


def test_wide_terminal_lists_one_line_per_sheet(ask: Ask) -> None:
    header, *rows, empty, legend = ask("sheets", "list", columns=200).out.splitlines()
    assert empty == ""
    assert legend.startswith("† Assumption:")
    assert " ".join(header.split()) == "SHEET TITLE VENUE FAMILY FROM MAIN WAGER SIDE WAGERS HASH"
    assert [row.split()[0] for row in rows] == sorted(ALL_IDS)
    (stud,) = (row for row in rows if row.startswith(CMS))
    assert "Mississippi Stud  " in stud
    stud_text = "street-stud 2018-03-12 Ante $5 to $500† 3 Card Bonus"
    assert stud_text in " ".join(stud.split())
    starts = {row.index(" street-stud  ") for row in rows if "  street-stud  " in row}
    assert len(starts) == 1, "columns do not stand under each other"


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_narrow_terminal_lists_three_lines_per_sheet(ask: Ask, columns: int) -> None:
    lines = ask("sheets", "list", columns=columns).out.splitlines()
    assert sum(line.startswith(tuple(ALL_IDS)) for line in lines) == len(ALL_IDS)
    assert max(map(len, lines)) <= max(columns, 49)  # A long id with the hash beside it.
    text = " ".join(" ".join(lines).split())
    assert "Mississippi Stud, Catfish Bend Casino II, from 2018-03-12" in text
    assert "street-stud: Ante $2 to $4. Side wagers: none" in text


def test_json_has_limits_hash_and_file(ask: Ask) -> None:
    document = ask("sheets", "list", "--json").document
    assert document["broken"] == []
    (stud,) = (listed_sheet for listed_sheet in document["sheets"] if listed_sheet["id"] == CMS)
    assert len(stud.pop("hash")) == 64
    assert stud == {
        "id": CMS,
        "title": "Mississippi Stud",
        "venue": "Catfish Bend Casino II",
        "family": "street-stud",
        "effective": "2018-03-12",
        "wagers": {
            "ante": {"min": "5.00", "max": "500.00", "required": True, "ours": ASSUMPTION},
            "three-card-bonus": {
                "min": "1.00",
                "max": "100.00",
                "required": False,
                "ours": ASSUMPTION,
            },
        },
        "file": "catfish-bend/mississippi-stud.toml",
    }


def test_folders_come_from_options_and_from_the_environment(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOOK_SHEETS", os.pathsep.join([str(UNUSUAL), ""]))
    (tmp_path / "new.toml").write_text(modified_text(CMS, ("2018-03-12", "2024-01-01")))
    answer = ask("sheets", "list", "--folder", str(tmp_path), "--json")
    assert answer.code == 0
    listed = [
        (listed_sheet["id"], listed_sheet["effective"])
        for listed_sheet in answer.document["sheets"]
    ]
    assert [day for name, day in listed if name == CMS] == ["2018-03-12", "2024-01-01"]
    assert ("unusual/four-card-hi-lo", "2020-01-01") in listed


@pytest.mark.long
def test_environment_folders_apply_to_every_command(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "unusual/bets-withdrawn"
    assert ask("sheets", "show", name).code == 1
    monkeypatch.setenv("PITBOOK_SHEETS", str(UNUSUAL))
    assert ask("sheets", "show", name).code == 0
    assert ask("sheets", "check", name).code == 0
    assert ask("sheets", "diff", name, CMS).code == 0


def test_folder_named_twice_or_inside_another_is_read_once(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    folder_names = [str(inner), str(tmp_path), f"{tmp_path}/.", str(inner)]
    assert library(folder_names).folders == [tmp_path]


def test_broken_files_are_listed_as_broken_and_exit_is_1(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(modified_text(CMS, ('flush = "6:1"', 'flsh = "6:1"')))
    (tmp_path / "b.toml").write_text("family = ")
    (tmp_path / "c.toml").mkdir()
    answer = ask("sheets", "list", "--folder", str(tmp_path))
    assert answer.code == 1
    assert f"{tmp_path}/a.toml  broken\n" in answer.out
    assert '"flsh" is not a five-card hand. Did you mean "flush"?' in answer.out
    assert f"{tmp_path}/b.toml  broken\n  1:10: Not valid TOML: " in answer.out
    assert f"{tmp_path}/c.toml  broken\n" in answer.out
    assert (
        answer.err == "pitbook: 3 files have errors. For details, run: pitbook sheets check FILE\n"
    )
    document = ask("sheets", "list", "--folder", str(tmp_path), "--json").document
    assert [broken_file["file"] for broken_file in document["broken"]] == [
        f"{tmp_path}/{n}.toml" for n in "abc"
    ]
    assert document["broken"][0]["findings"][0]["code"] == "pay-unknown"
    assert len(document["sheets"]) == len(ALL_IDS)


def test_wide_character_titles_keep_their_columns(ask: Ask, tmp_path: Path) -> None:
    text = modified_text(
        CMS, ('title = "Mississippi Stud"', 'title = "密西西比"'), ("-03-12", "-03-13")
    )
    (tmp_path / "wide.toml").write_text(text, encoding="utf-8")
    rows = ask("sheets", "list", "--folder", str(tmp_path), columns=200).out.splitlines()
    (wide,) = (row for row in rows if "密西西比" in row)
    (plain,) = (row for row in rows if "2018-03-12" in row)
    assert wide.index("Catfish") + 4 == plain.index("Catfish Bend Casino II")
