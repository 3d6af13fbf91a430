"""Invalid arguments give one sentence, exit code 1 and no traceback."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.command_line import Ask
from tests.sheets.samples import CMS, MHL, OMS, modified_text

Case = tuple[str, str]


@pytest.fixture(scope="module")
def no_sheets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of files that are not sheets; read-only."""
    tmp_path = tmp_path_factory.mktemp("no-sheets")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "plain").mkdir()
    (tmp_path / "empty.toml").write_bytes(b"")
    (tmp_path / "binary.toml").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "zeros.toml").write_bytes(b"\0" * 1000)
    (tmp_path / "huge.toml").write_bytes(b"# " + b"x" * 1_100_000)
    (tmp_path / "latin.toml").write_text(
        modified_text(CMS, ("Flop bet", "Flöp bet")), encoding="latin-1"
    )
    (tmp_path / "utf16.toml").write_text(modified_text(CMS), encoding="utf-16")
    (tmp_path / "half.toml").write_text(modified_text(CMS)[:2000], encoding="utf-8")
    (tmp_path / "yaml.toml").write_text("id: x\nfamily: street-stud\n")
    (tmp_path / "json.toml").write_text('{"family": "street-stud"}')
    (tmp_path / "list.toml").write_text('family = ["street-stud"]')
    (tmp_path / "deep.toml").write_text("family = " + "[" * 2000 + "]" * 2000)
    (tmp_path / "dots.toml").write_text(".".join("a" * 3000) + " = 1")
    (tmp_path / "digits.toml").write_text("format = " + "9" * 5000)
    (tmp_path / "dangling.toml").symlink_to("nowhere.toml")
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    (tmp_path / "two.toml").write_text(modified_text(CMS, ("decks = 1", "decks = 2")))
    return tmp_path


@pytest.fixture
def folder(no_sheets: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, from which those files are named."""
    monkeypatch.chdir(no_sheets)
    return no_sheets


CASES: list[Case] = [
    ("no/such", 'There is no sheet "no/such". Use one of "catfish-bend'),
    ("catfish-bend/missisippi-stud", f'Did you mean "{CMS}"?'),
    ("", 'There is no sheet ""'),
    ("@", "write the date like @2018-03-12"),
    ("@2018-03-12", 'There is no sheet ""'),
    (f"{CMS}@", "write the date like @2018-03-12"),
    (f"{CMS}@yesterday", "write the date like @2018-03-12"),
    (f"{CMS}@2018-02-30", "write the date like @2018-03-12"),
    (f"{CMS}@2018-03-11", "is effective from 2018-03-12"),
    (f"{OMS}@2014-10-30", "but they are not known (OMS-6)"),
    ("missing.toml", "The file missing.toml does not exist."),
    ("no/folder/missing.toml", "does not exist"),
    ("folder.toml", "folder.toml is a folder"),
    ("plain", 'There is no sheet "plain"'),
    ("empty.toml/x.toml", "empty.toml/x.toml cannot be read: Not a directory"),
    ("empty.toml", '"family" is missing'),
    ("binary.toml", "This byte is not valid UTF-8"),
    ("zeros.toml", "Not valid TOML"),
    ("huge.toml", "larger than 200,000 bytes"),
    ("latin.toml", "This byte is not valid UTF-8"),
    ("utf16.toml", "This byte is not valid UTF-8"),
    ("half.toml", "half.toml:"),
    ("yaml.toml", "Not valid TOML: expected '='"),
    ("json.toml", "Not valid TOML: invalid statement"),
    ("list.toml", 'There is no family ["street-stud"]'),
    ("deep.toml", "nested too deeply"),
    ("dots.toml", "nested too deeply"),
    ("digits.toml", "too long"),
    ("dangling.toml", "does not exist"),
    ("loop.toml", "loop.toml cannot be read: Too many levels of symbolic links"),
    ("two.toml", "Street-stud games use one deck"),
    ("x" * 5000, "There is no sheet"),
    ("x" * 5000 + ".toml", "File name too long"),
    ("a\x1b[31mb", r'There is no sheet "a\x1b[31mb"'),
    ("two\nlines", "There is no sheet"),
    ("[bold]red[/bold]", 'There is no sheet "[bold]red[/bold]"'),
    ("♠", 'There is no sheet "♠"'),
]
COMMANDS: dict[str, Callable[[str], tuple[str, ...]]] = {
    "show": lambda sheet: ("sheets", "show", sheet),
    "diff-a": lambda sheet: ("sheets", "diff", sheet, CMS),
    "diff-b": lambda sheet: ("sheets", "diff", CMS, sheet),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case[0])[:30])
@pytest.mark.usefixtures("folder")
def test_bad_sheet_is_refused_in_one_sentence(ask: Ask, command: str, case: Case) -> None:
    sheet, reason = case
    answer = ask(*COMMANDS[command](sheet))
    assert answer.code == 1
    assert answer.out == ""
    assert reason in answer.err
    assert answer.err.startswith("pitbook: ")
    assert answer.err.count("\n") == 1
    assert answer.err.rstrip().endswith((".", "?"))
    assert "\x1b" not in answer.err


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case[0])[:30])
@pytest.mark.usefixtures("folder")
def test_bad_sheet_is_refused_in_json_too(ask: Ask, case: Case) -> None:
    sheet, reason = case
    answer = ask("sheets", "show", sheet, "--json")
    assert answer.code == 1
    assert reason in answer.document["error"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case[0])[:30])
@pytest.mark.usefixtures("folder")
def test_other_sheets_are_checked_after_a_bad_one(ask: Ask, case: Case) -> None:
    sheet, reason = case
    answer = ask("sheets", "check", sheet, MHL)
    assert answer.code == 1
    assert reason in answer.out + answer.err
    assert "catfish-bend/matchem-hi-lo.toml:" in answer.out
    documents = ask("sheets", "check", sheet, MHL, "--json").document["sheets"]
    assert [sheet_document["valid"] for sheet_document in documents] == [False, True]


def test_whole_folder_of_bad_files_is_listed(ask: Ask, folder: Path) -> None:
    answer = ask("sheets", "list", "--folder", ".")
    assert answer.code == 1
    assert answer.out.count("  broken\n") == len(list(folder.glob("*.toml")))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_file_without_permission_is_refused(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "locked.toml"
    path.write_text(modified_text(CMS))
    path.chmod(0)
    answer = ask("sheets", "show", str(path))
    assert answer.code == 1
    assert "Permission denied" in answer.err


@pytest.mark.parametrize("given", ["--folder", "environment"])
def test_missing_folder_is_refused(
    ask: Ask, given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = str(tmp_path / "missing")
    if given == "environment":
        monkeypatch.setenv("PITBOOK_SHEETS", missing)
        answer = ask("sheets", "show", CMS)
    else:
        answer = ask("sheets", "list", "--folder", missing)
    assert answer.code == 1
    assert answer.err == f"pitbook: {missing} is not a folder of rule sheets.\n"


def test_two_versions_with_one_date_are_refused(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "copy.toml").write_text(modified_text(CMS))
    answer = ask("sheets", "show", CMS, "--folder", str(tmp_path))
    assert answer.code == 1
    assert f"are both {CMS} from the same day" in answer.err


def test_sheet_cannot_print_control_characters(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "evil.toml"
    note = r'note = "\u001b[31mred\nline [bold]x[/bold]"'
    for evil in (r"\u001b[31mMississippi Stud", r"Mississippi\nStud"):
        path.write_text(modified_text(CMS, ('title = "Mississippi Stud"', f'title = "{evil}"')))
        answer = ask("sheets", "show", str(path))
        assert (answer.code, "\x1b" in answer.err) == (1, False)
        assert '"title" has an invisible character' in answer.err
    title = 'title = "Mississippi [bold]x[/bold] :smile:"'
    path.write_text(modified_text(CMS, ('title = "Mississippi Stud"', title)))
    for arguments in (("show", str(path)), ("diff", str(path), CMS)):
        answer = ask("sheets", *arguments, columns=120)
        assert answer.code == 0
        assert "mississippi [bold]x[/bold] :smile:" in answer.out.lower()
    path.write_text(modified_text(CMS, ("[source]", f"[source]\n{note}")))
    listed = ask("sheets", "list", "--folder", str(tmp_path)).out
    assert "\x1b" not in listed


def test_internal_error_is_reported_without_a_traceback(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise ZeroDivisionError("a test")

    monkeypatch.delenv("PITBOOK_TRACEBACK")
    monkeypatch.setattr("pitbook.cli.sheets_show.digest", fail)
    answer = ask("sheets", "show", CMS, "--json")
    assert answer.code == 1
    assert "pitbook: This is a bug in Pitbook (ZeroDivisionError: a test)" in answer.err
    assert list(answer.document) == ["error"]


def test_ctrl_c_is_exit_130(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pitbook.cli.sheets_show.load_sheet", interrupt)
    answer = ask("sheets", "show", CMS)
    assert (answer.code, answer.out, answer.err) == (130, "", "pitbook: Stopped by Ctrl-C.\n")
