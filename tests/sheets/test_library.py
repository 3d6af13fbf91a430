"""Sheets by id, path and day; several versions of one id; further folders."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from tests.sheets.samples import ALL_IDS, CMS, MHL, OMS, UNUSUAL, modified_text, path_of, text_of

from pitbook.errors import SheetUnknown
from pitbook.sheets import library, load
from pitbook.sheets.findings import SheetInvalid
from pitbook.sheets.library import BUNDLED, Library

DAY = datetime.date(2026, 1, 1)


def day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


def version(folder: Path, name: str, effective: str | None, title: str) -> Path:
    """A version of Catfish Bend's Mississippi Stud in a house's folder."""
    line = f"effective = {effective}\n" if effective else ""
    text = modified_text(
        CMS,
        (f'id = "{CMS}"', 'id = "house/stud"'),
        ('title = "Mississippi Stud"', f'title = "{title}"'),
        ("effective = 2018-03-12\n", line),
    )
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("sheet", ALL_IDS)
def test_bundled_sheets_are_found_by_id(sheet: str) -> None:
    assert Library().find(sheet, DAY) == path_of(sheet)
    assert Library().load(sheet, DAY).id == sheet


def test_the_library_lists_the_bundled_sheets_and_nothing_else() -> None:
    entries = Library().entries()
    assert [entry.path for entry in entries] == sorted(BUNDLED.rglob("*.toml"))
    assert {entry.sheet.id for entry in entries if entry.sheet} == set(ALL_IDS)
    assert all(entry.findings == () for entry in entries)


def test_a_path_needs_no_id(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text_of(MHL), encoding="utf-8")
    assert Library().find(str(file), DAY) == file
    assert Library().load(str(file), DAY).id == MHL
    bare = tmp_path / "mine"
    bare.write_text(text_of(OMS), encoding="utf-8")
    assert Library().load(str(bare), DAY).id == OMS
    with pytest.raises(SheetUnknown, match=r"none\.toml does not exist"):
        Library().load(str(tmp_path / "none.toml"), DAY)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("catfish-bend/missisippi-stud", 'Did you mean "catfish-bend/mississippi-stud"?'),
        ("Oceanfront/Mississippi-Stud", 'Did you mean "oceanfront/mississippi-stud"?'),
        ("blackjack", 'Use one of "catfish-bend/matchem-hi-lo", "catfish-bend/mississippi-stud", '),
        ("", 'Use one of "catfish-bend/matchem-hi-lo"'),
        ("a\0b", "Use one of"),
    ],
)
def test_an_unknown_id_names_the_nearest_or_all(name: str, remedy: str) -> None:
    with pytest.raises(SheetUnknown) as raised:
        Library().find(name, DAY)
    assert str(raised.value).startswith(f'There is no sheet "{name}". {remedy}')


@pytest.mark.parametrize(
    ("on", "title"),
    [
        ("2019-12-31", None),
        ("2020-01-01", "first"),
        ("2020-01-02", "first"),
        ("2022-06-30", "first"),
        ("2022-07-01", "second"),
        ("2022-07-02", "second"),
        ("2024-02-28", "second"),
        ("2024-02-29", "third"),
        ("2030-01-01", "third"),
    ],
)
def test_the_version_in_force_the_day_before_the_day_and_the_day_after(
    on: str, title: str | None, tmp_path: Path
) -> None:
    version(tmp_path, "c.toml", "2022-07-01", "second")  # Files are in no particular order.
    version(tmp_path, "a.toml", "2024-02-29", "third")
    version(tmp_path / "old", "b.toml", "2020-01-01", "first")
    library = Library([tmp_path])
    if title is None:
        sentence = "There are no rules for 2019-12-31."
        with pytest.raises(SheetUnknown, match=sentence):
            library.find("house/stud", day(on))
        return
    assert library.load("house/stud", day(on)).title == title
    assert library.load(f"house/stud@{on}", DAY).title == title


def test_a_sheet_without_a_day_was_always_in_force_until_a_dated_one(tmp_path: Path) -> None:
    version(tmp_path, "always.toml", None, "always")
    version(tmp_path, "new.toml", "2022-07-01", "new")
    library = Library([tmp_path])
    assert library.load("house/stud", day("0001-01-01")).title == "always"
    assert library.load("house/stud", day("2022-06-30")).title == "always"
    assert library.load("house/stud", day("2022-07-01")).title == "new"


@pytest.mark.parametrize("form", ["on", "at"])
def test_oms_6_a_day_before_31_october_2014_is_refused(form: str) -> None:
    library = Library()
    for text, exists in (("2014-10-30", False), ("2014-10-31", True), ("2014-11-01", True)):
        argument, on = (OMS, day(text)) if form == "on" else (f"{OMS}@{text}", DAY)
        if exists:
            assert library.load(argument, on).id == OMS
        else:
            with pytest.raises(SheetUnknown) as raised:
                library.find(argument, on)
            assert str(raised.value) == (
                "oceanfront/mississippi-stud is effective from 2014-10-31. Other rules applied on "
                "2014-10-30, but they are not known (OMS-6)."
            )


@pytest.mark.parametrize("date", ["", "yesterday", "2018-02-30", "12.03.2018", "2018-03-12@x"])
def test_invalid_days_are_refused(date: str) -> None:
    with pytest.raises(SheetUnknown) as raised:
        Library().find(f"{CMS}@{date}", DAY)
    assert str(raised.value) == f'"{CMS}@{date}": write the date like @2018-03-12.'


@pytest.mark.parametrize("effective", ["2020-01-01", None])
def test_two_files_of_one_id_and_day_are_refused_by_name(
    effective: str | None, tmp_path: Path
) -> None:
    first = version(tmp_path, "a.toml", effective, "one")
    second = version(tmp_path, "b.toml", effective, "other")
    with pytest.raises(SheetUnknown) as raised:
        Library([tmp_path]).find("house/stud", DAY)
    assert str(raised.value) == (
        f"{first} and {second} are both house/stud from the same day. "
        "Change the id or the effective date of one."
    )
    assert Library([tmp_path]).load(CMS, DAY).id == CMS


def test_a_house_may_not_silently_replace_a_bundled_sheet(tmp_path: Path) -> None:
    (tmp_path / "copy.toml").write_text(text_of(CMS), encoding="utf-8")
    with pytest.raises(SheetUnknown, match="are both catfish-bend/mississippi-stud from the same"):
        Library([tmp_path]).find(CMS, DAY)


def test_overlapping_folders_are_read_once(tmp_path: Path) -> None:
    file = version(tmp_path / "inner", "a.toml", "2020-01-01", "one")
    library = Library([tmp_path, tmp_path / "inner", tmp_path, BUNDLED / "oceanfront"])
    assert library.find("house/stud", DAY) == file
    assert library.load(OMS, DAY).id == OMS
    assert len(library.entries()) == len(ALL_IDS) + 1


def test_a_house_s_own_folder_comes_after_the_bundled_sheets() -> None:
    ids = [entry.sheet.id for entry in Library([UNUSUAL]).entries() if entry.sheet]
    assert ids[len(ALL_IDS) :] == [
        "unusual/bets-withdrawn",
        "unusual/four-card-hi-lo",
        "unusual/three-hole-cards",
    ]


def test_a_broken_file_is_listed_with_its_findings(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(
        modified_text(CMS, ("count = 6", "count = 0")), encoding="utf-8"
    )
    (tmp_path / "latin.toml").write_bytes(b"title = '\xe9'")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "notes.txt").write_text("no sheet", encoding="utf-8")
    library = Library([tmp_path])
    broken = {entry.path.name: entry for entry in library.entries() if entry.sheet is None}
    assert sorted(broken) == ["bad.toml", "folder.toml", "latin.toml"]
    first_findings = {name: str(entry.findings[0]) for name, entry in broken.items()}
    assert first_findings["bad.toml"].startswith(f"{tmp_path / 'bad.toml'}:35:9: error: ")
    assert "is a folder" in first_findings["folder.toml"]
    assert first_findings["latin.toml"].startswith(
        f"{tmp_path / 'latin.toml'}:1:10: error: This byte is no"
    )
    assert library.load(MHL, DAY).id == MHL


def test_a_sheet_with_errors_is_found_but_not_fit_for_play(tmp_path: Path) -> None:
    file = version(tmp_path, "a.toml", "2020-01-01", "one")
    file.write_text(file.read_text().replace('straight = "4:1"', 'straight = "7:1"', 1))
    library = Library([tmp_path])
    assert library.find("house/stud", DAY) == file
    with pytest.raises(SheetInvalid, match='pays more than the higher hand "flush"'):
        library.load("house/stud", DAY)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SheetUnknown, match=r"none is not a folder of rule sheets."):
        Library([tmp_path / "none"]).find(CMS, DAY)


def test_load_parses_the_chosen_sheet_once_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed_files = []
    read_sheet = load.read_sheet

    def note(text: str, file: str) -> load.Reading:
        parsed_files.append(Path(file))
        return read_sheet(text, file)

    load._read_cached.cache_clear()
    monkeypatch.setattr(load, "read_sheet", note)
    Library().load(MHL, DAY)
    assert parsed_files == [path_of(MHL)]


def test_id_written_with_escapes_is_found(tmp_path: Path) -> None:
    path = version(tmp_path, "stud.toml", "2020-01-01", "Escaped")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('id = "house/stud"', 'id = "hous\\u0065/stud"'), encoding="utf-8")
    assert Library([tmp_path]).load("house/stud", DAY).title == "Escaped"


def test_changed_bundled_file_is_checked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "BUNDLED", tmp_path)
    path = tmp_path / f"{CMS}.toml"
    path.parent.mkdir()
    path.write_text(modified_text(CMS, ('\nflush = "6:1"', '\nflsh = "6:1"')), encoding="utf-8")
    with pytest.raises(SheetInvalid):
        Library().load(CMS, DAY)


def test_recorded_hashes_are_of_the_bundled_files() -> None:
    hashes = {f"{sheet}.toml": library.file_hash(path_of(sheet)) for sheet in ALL_IDS}
    assert library._checked_hashes() == hashes
