"""Reading sheets: all errors at once, each at its exact line and column."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sheets.samples import (
    CMS,
    IDS,
    MHL,
    finding_lines,
    findings,
    modified_text,
    path_of,
    text_of,
)

from pitbook.errors import SheetUnknown
from pitbook.sheets.findings import SheetInvalid, format_path
from pitbook.sheets.load import BYTES_MAX, examine, examine_file, load, parse, read_sheet, read_text
from pitbook.sheets.toml_positions import Places

HUGE = "9" * 5000
SEATS_AT = text_of(CMS).split("\n").index("count = 6") + 1


def finding_places(text: str) -> list[tuple[int, int, str]]:
    """Line, column and the rest of that line, for each finding."""
    lines = text.split("\n")
    parsed_findings = examine(text, "f.toml", thorough=False).findings
    return [
        (finding.line, finding.column, lines[finding.line - 1][finding.column - 1 :])
        for finding in parsed_findings
    ]


@pytest.mark.parametrize("sheet", IDS)
def test_a_sound_sheet_has_no_error_and_its_text_is_kept(sheet: str) -> None:
    reading = read_sheet(text_of(sheet), "f.toml")
    assert reading.findings == ()
    assert reading.text == text_of(sheet)
    assert parse(path_of(sheet)) == reading.sheet


def test_all_errors_come_at_once_in_the_order_of_the_text() -> None:
    text = modified_text(
        CMS,
        ("count = 6", 'count = "six"'),
        ("bets = [1, 2, 3]", "bets = [1, 2, -3]"),
        ('clause = "CMS-10"\n', ""),
        ("posted = true", "postd = true"),
        ('result = "misdeal"', 'result = "void"'),
        ('result = "forfeit"\nclause = "CMS-16"', "resul = 1"),
    )
    assert finding_lines(text) == [
        '35:9 error value: "count" must be a whole number, not "six".',
        '66:15 error value: "bets" is -3. It should be greater than or equal to 0.',
        '114:1 error missing: "clause" is missing in side.three-card-bonus.',
        '138:1 error unknown-field: There is no field "postd" here. Did you mean "posted"?',
        '158:10 error value: "result" cannot be "void". Did you mean "misdeal"?',
        '164:1 error missing: "clause" is missing in irregularities.information.',
        '164:1 error missing: "result" is missing in irregularities.information.',
        '165:1 error unknown-field: There is no field "resul" here. Did you mean "result"?',
    ]


def test_an_error_has_every_finding(tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text(modified_text(CMS, ("count = 6", "count = 0"), ("decks = 1", "decks = 0")))
    with pytest.raises(SheetInvalid) as raised:
        load(file)
    assert [format_path(finding.path) for finding in raised.value.findings] == [
        "seats.count",
        "deck.decks",
    ]
    assert str(raised.value).splitlines() == [
        f'{file}:35:9: error: "count" is 0. It should be greater than or equal to 1.',
        f'{file}:42:9: error: "decks" is 0. It should be greater than or equal to 1.',
    ]


BAD = "count = 0"
SHAPES = {  # Replacements of "count = 6", and the rest of the line that the finding points at.
    "plain": (BAD, "0"),
    "after a comment": (f"# count = 6\n{BAD} # six", "0 # six"),
    "indented": ("   count   =   0", "0"),
    "with a tab": ("\tcount\t=\t0", "0"),
    "quoted key": ('"count" = 0', "0"),
    "quoted key with an escape": ('"c\\u006funt" = 0', "0"),
    "literal key": ("'count' = 0", "0"),
    "unknown quoted key": ('count = 6\n"two words" = 0', '"two words" = 0'),
    "unknown dotted key": ("count = 6\nper_plyer.is = 2", "per_plyer.is = 2"),
    "after text that is not ASCII": ('note2 = "ü"\ncount = 6', 'note2 = "ü"'),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_finding_names_the_place_of_a_field(shape: str) -> None:
    new, rest = SHAPES[shape]
    ((_, _, pointed_at),) = finding_places(modified_text(CMS, ("count = 6", new)))
    assert pointed_at == rest


@pytest.mark.parametrize(
    ("swap", "rest"),
    [
        (("{ is = 1, clause", "{ is = 0, clause"), '0, clause = "CMS-14" }'),
        (("{ is = 1, clause", "{ note = '♠ ü 😀', is = 0, clause"), '0, clause = "CMS-14" }'),
        (("bets = [1, 2, 3]", "bets = [1, 2, # three\n  101]"), "101]"),
        (("bets = [1, 2, 3]", 'bets = [1, "♥", 2.5]'), '"♥", 2.5]'),
        (('passes = [["main",', 'passes = [["main", 7,'), '7, "three-card-bonus"]]'),
        (("posted = true", "posted = 1"), "1"),
        (('id = "river"', 'id = "The River"'), '"The River"'),
        (('reveals = { is = 1, clause = "CMS-7" }', "reveals.is = 9\nreveals.clause = 'X'"), "9"),
        (('reveals = { is = 1, clause = "CMS-7" }', "reveals.is = 1"), "reveals.is = 1"),
        (('straight = "4:1"', 'straight = """4:\n1"""'), '"""4:'),
    ],
    ids=lambda swap_case: str(swap_case)[:30],
)
def test_place_in_tables_lists_and_dotted_keys(swap: tuple[str, str], rest: str) -> None:
    assert rest in [pointed_at for _, _, pointed_at in finding_places(modified_text(CMS, swap))]


@pytest.mark.parametrize("number", range(3))
def test_place_in_arrays_of_tables(number: int) -> None:
    lines = text_of(CMS).split("\n")
    line = [index for index, row in enumerate(lines) if row == "fold = true"][number]
    lines[line] = "fold = 1"
    assert finding_places("\n".join(lines)) == [(line + 1, 8, "1")]


def test_place_in_nested_lists_of_tables() -> None:
    text = "[[a]]\n[[a.b]]\nc = 1\n[[a.b]]\nc = 2\n[[a]]\n[[a.b]]\nc = 3\n[a.b.d]\ne = 4\n"
    position_of = Places(text).value
    assert [position_of(("a", *path, "c")) for path in ((0, "b", 0), (0, "b", 1), (1, "b", 0))] == [
        *((3, 5), (5, 5), (8, 5)),
    ]
    assert position_of(("a", 1, "b", 0, "d", "e")) == (10, 5)
    assert Places(text).key(("a", 1, "b", 0, "d", "none")) == (9, 1)
    assert Places(text).key(("nowhere",)) == (1, 1)


def test_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path: Path) -> None:
    wrong = modified_text(CMS, ("count = 6", "count = 0"), ('title = "Ante"', 'title = "Änte"'))
    file = tmp_path / "windows.toml"
    file.write_bytes(b"\xef\xbb\xbf" + wrong.replace("\n", "\r\n").encode())
    (finding,) = examine_file(file).findings
    assert (finding.line, finding.column, finding.quoted) == (SEATS_AT, 9, "count = 0")
    (same,) = examine(wrong.replace("\n", "\r\n"), "f").findings
    assert (same.line, same.column, same.quoted) == (SEATS_AT, 9, "count = 0")


def test_a_wrong_byte_is_pointed_at_in_characters(tmp_path: Path) -> None:
    file = tmp_path / "latin.toml"
    raw = b"\xef\xbb\xbf" + text_of(CMS).replace('"Ante"', '"♠ Änte"').encode()
    file.write_bytes(raw.replace("Änte".encode(), "Änt".encode() + b"\xe9"))
    (finding,) = examine_file(file).findings
    assert str(finding) == (
        f"{file}:55:15: error: This byte is not valid UTF-8. Save the file as UTF-8 text."
    )
    assert finding.quoted == 'title = "♠ Änt�"'
    with pytest.raises(SheetInvalid, match="not valid UTF-8"):
        load(file)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-be"])
def test_other_encodings_are_refused_with_a_place(encoding: str, tmp_path: Path) -> None:
    file = tmp_path / "other.toml"
    file.write_bytes(text_of(CMS).encode(encoding))
    (finding,) = examine_file(file).findings
    assert finding.code in ("encoding", "syntax")
    assert (finding.line, finding.column) == (1, 1)


@pytest.mark.parametrize(
    ("new", "expected_start"),
    [
        ("count = ", "35:9 error syntax: Not valid TOML: invalid value"),
        ("count 6", "35:7 error syntax: Not valid TOML: expected '=' after a key"),
        (
            "count = 06",
            "35:10 error syntax: Not valid TOML: expected newline or end of document",
        ),
        (
            "count = 2018-02-30",
            "35:9 error syntax: Not valid TOML: invalid date or datetime",
        ),
        (
            "count = 6\ncount = 7",
            "36:10 error syntax: Not valid TOML: cannot overwrite a value",
        ),
        (f"count = {HUGE}", "35:9 error syntax: This number is too long."),
        (f"count = {'[' * 2000}", "35:1 error syntax: The text is nested too deeply."),
        (f"count = {'[' * 99}{']' * 99}", "35:1 error syntax: The text is nested too deeply."),
        (f"count = {'{a=' * 99}1{'}' * 99}", "35:1 error syntax: The text is nested too deeply."),
        (f"count{'.a' * 99} = 1", "35:1 error syntax: The text is nested too deeply."),
        (f"count{'.a' * 90000} = 1", "35:1 error syntax: The text is nested too deeply."),
        (
            "count = '\x00'",
            "35:10 error syntax: Not valid TOML: found invalid character '\\x00'",
        ),
    ],
    ids=lambda syntax_case: str(syntax_case)[:24],
)
def test_syntax_errors_are_reported(new: str, expected_start: str) -> None:
    (line,) = finding_lines(modified_text(CMS, ("count = 6", new)))
    assert line.startswith(expected_start)


@pytest.mark.parametrize("cut", ["", "[", 'id = "', "a = [1,", "a = {", "\ufeff"])
def test_truncated_text(cut: str) -> None:
    (finding,) = read_sheet(cut, "f").findings
    assert finding.line == 1
    assert 1 <= finding.column <= len(cut) + 1


LONG = "(too long to print)"
TEXT = 'must be text in quotes such as "10" or "10.00", not'
SEATS = '"clause", "note", "ours", "count", "per_player", "adjacent", "ends_meet"'
FAMILIES = 'Use one of "street-stud", "hi-lo", "versus".'
EXTREME_VALUES = [  # Old text, new text, and the message.
    (
        "count = 6",
        f"count = 0x{HUGE}",
        f'"count" is {LONG}. It should be less than or equal to 12.',
    ),
    ("count = 6", "count = nan", '"count" must be a whole number, not NaN.'),
    (
        "count = 6",
        'count = 6\n"\\u001b\\n" = 1',
        f'There is no field "\\x1b\\n" here. Use one of {SEATS}.',
    ),
    ('min = "5"', f"min = 0x{HUGE}", f'"min" {TEXT} {LONG}.'),
    ('min = "5"', "min = 2018-03-12", f'"min" {TEXT} 2018-03-12.'),
    (
        'min = "5"',
        f'min = "{HUGE}"',
        f'"min": "{HUGE}" is above the largest amount that Pitbook supports. Write less.',
    ),
    ("format = 1", f"format = 0x{HUGE}", f'"format" must be 1, not {LONG}.'),
    ("format = 1", "format = true", '"format" must be 1, not true.'),
    ('= "street-stud"', f"= 0x{HUGE}", f"There is no family {LONG}. {FAMILIES}"),
    ('= "street-stud"', "= []", f"There is no family []. {FAMILIES}"),
    ('= "street-stud"', '= "hilo"', 'There is no family "hilo". Did you mean "hi-lo"?'),
    ("= 2018-03-12", "= 07:30:00", '"effective" must be a date such as 2018-03-12, not 07:30:00.'),
]


@pytest.mark.parametrize(
    ("old", "new", "message"), EXTREME_VALUES, ids=lambda value_case: str(value_case)[:24]
)
def test_extreme_values(old: str, new: str, message: str) -> None:
    assert [finding.message for finding in findings(CMS, (old, new))] == [message]


def test_findings_point_at_wrong_names() -> None:
    assert finding_lines(modified_text(MHL, ("K = 0 }", "K = 0, Z = 0 }"))) == [
        '50:105 error value: The name cannot be "Z". Use one of "2", "3", "4", "5", "6", "7", '
        '"8", "9", "10", "J", "Q", "K", ...'
    ]


def test_a_lone_surrogate_is_reported() -> None:
    assert finding_lines(modified_text(CMS, ("count = 6", "count = '\udc80'"))) == [
        '35:9 error value: "count" must be a whole number, not "\\udc80".'
    ]


@pytest.mark.parametrize("read_path", [read_text, load, examine_file, parse])
def test_unreadable_files_are_refused(read_path: object, tmp_path: Path) -> None:
    assert callable(read_path)
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (BYTES_MAX + 1))
    refused = {
        tmp_path / "none.toml": "none.toml does not exist",
        tmp_path: "is a folder. Name a TOML file in it",
        large: "large.toml is larger than 200,000 bytes, too large for a rule sheet.",
        large / "inner.toml": "cannot be read: Not a directory",
        Path("a\0b.toml"): r"a\\x00b.toml is not a file name.",
    }
    for path, sentence in refused.items():
        with pytest.raises(SheetUnknown, match=sentence):
            read_path(path)


def test_file_size_limit(tmp_path: Path) -> None:
    largest = tmp_path / "largest.toml"
    text = text_of(CMS)
    largest.write_text(text + "#" * (BYTES_MAX - len(text.encode())), encoding="utf-8")
    assert load(largest).id == CMS
    if Path("/dev/zero").exists():
        with pytest.raises(SheetUnknown, match="is not a regular file"):
            load(Path("/dev/zero"))


def test_file_without_permission_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(SheetUnknown, match=r"secret\.toml cannot be read: Permission denied"):
        load(tmp_path / "secret.toml")
