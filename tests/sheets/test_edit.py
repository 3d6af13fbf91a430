"""Changed sheets: made by one call, checked like a file, with a hash of their own."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from tests.sheets.samples import CMS, IDS, MHL, OMS, findings, modified_text, sheet_of, text_of

import pitbook
from pitbook.errors import PitbookError
from pitbook.money import odds
from pitbook.sheets.edit import take_fields
from pitbook.sheets.findings import SheetInvalid
from pitbook.sheets.hashes import digest


@pytest.mark.parametrize("sheet_id", IDS)
def test_no_changes_give_an_equal_sheet(sheet_id: str) -> None:
    sheet = pitbook.load(sheet_id)
    assert pitbook.changed(sheet, {}) == sheet
    assert digest(pitbook.changed(sheet_id, {"title": sheet.title})) == digest(sheet)


@pytest.mark.parametrize(
    ("field", "value", "swap"),
    [
        ("main.pays.flush", "10:1", ('flush = "6:1"', 'flush = "10:1"')),
        ("main.pays.flush", odds("10:1"), ('flush = "6:1"', 'flush = "10:1"')),
        ("main.pays.pair-6-10", None, ('pair-6-10 = "push"\n', "")),
        ("side.three-card-bonus.pays.pair", "2:1", ('pair = "1:1"\n', 'pair = "2:1"\n')),
        ("limits[0].pays_max", "30000", ('pays_max = "25000"', 'pays_max = "30000"')),
        (
            "effective",
            datetime.date(2020, 1, 1),
            ("effective = 2018-03-12", "effective = 2020-01-01"),
        ),
        ("seats.count", 5, ("count = 6", "count = 5")),
    ],
)
def test_a_changed_sheet_equals_the_changed_file(
    field: str, value: Any, swap: tuple[str, str]
) -> None:
    sheet = pitbook.load(CMS)
    edited = pitbook.changed(sheet, {field: value})
    assert digest(edited) == digest(sheet_of(modified_text(CMS, swap)))
    assert digest(edited) != digest(sheet) == digest(sheet_of(text_of(CMS)))


def test_a_choice_is_changed_by_its_name_or_by_its_is() -> None:
    by_name = pitbook.changed(CMS, {"payouts.several_lines": "first-listed"})
    assert by_name == pitbook.changed(CMS, {"payouts.several_lines.is": "first-listed"})
    assert by_name.payouts.several_lines.value == "first-listed"
    assert by_name.payouts.several_lines.clause == "GEN-2"


def test_several_fields_change_together_and_lists_by_number() -> None:
    sheet = pitbook.load(OMS)
    changes = {"id": "our-hall/stud", "streets[2].pieces": None, "house.chips.values[3]": None}
    edited = pitbook.changed(sheet, {**changes, "ante.max": "3", "single_bet_max": None})
    assert (edited.id, edited.house.chips.values) == ("our-hall/stud", (100, 200, 300))
    longer = pitbook.changed(edited, {"house.chips.values[3]": "5"})
    assert longer.house.chips.values == (100, 200, 300, 500)


@pytest.mark.long
@pytest.mark.parametrize(
    ("sheet_id", "field", "value", "swap"),
    [
        (CMS, "main.pays.flsh", "6:1", ('flush = "6:1"', 'flush = "6:1"\nflsh = "6:1"')),
        (CMS, "main.pays.flush", "six", ('flush = "6:1"', 'flush = "six"')),
        (CMS, "main.pays.flush", 6, ('flush = "6:1"', "flush = 6")),
        (CMS, "ante.min", "501", ('min = "5"', 'min = "501"')),
        (CMS, "seats.count", 40, ("count = 6", "count = 40")),
        (CMS, "house.vnue", "x", ("[house]", '[house]\nvnue = "x"')),
        (CMS, "main.clause", None, ('[main]\nclause = "CMS-9"', "[main]")),
        (CMS, "family", "street-stad", ('family = "street-stud"', 'family = "street-stad"')),
        (MHL, "dealer.shared", "ace", ('shared = "ace-then-highest"', 'shared = "ace"')),
    ],
)
def test_changes_and_files_have_the_same_errors(
    sheet_id: str, field: str, value: Any, swap: tuple[str, str]
) -> None:
    file_findings = [
        (finding.code, finding.message, finding.clause) for finding in findings(sheet_id, swap)
    ]
    with pytest.raises(SheetInvalid) as error:
        pitbook.changed(sheet_id, {field: value})
    edit_findings = error.value.findings
    assert [
        (finding.code, finding.message, finding.clause)
        for finding in edit_findings
        if finding.level == "error"
    ]
    assert {(finding.code, finding.message, finding.clause) for finding in edit_findings} <= set(
        file_findings
    )
    field_path = field if value is not None else field.rpartition(".")[0]
    assert str(error.value).startswith(f"{sheet_id}, {field_path}: error: ")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"": 1}, "Write it like main.pays.flush or streets[0].bets"),
        ({"main..pays": 1}, '"main..pays" is not a field'),
        ({3: 1}, "3 is not a field"),
        (
            {"streets.flop.bets": [1]},
            '"streets.flop.bets": name a list item by its number. This list',
        ),
        ({"streets[3].bets": [1]}, "This list has [0] to [2]"),
        ({"title.long": "x"}, '"Mississippi Stud" has no fields to change'),
        (
            {"main.pays.flsh": None},
            'does not exist, so it cannot be removed. Did you mean "flush"?',
        ),
        ({"limits[1]": None}, "This list has [0]"),
        (["main"], "Changes must be a dict of fields and values"),
    ],
)
def test_an_invalid_field_name_is_refused(changes: Any, reason: str) -> None:
    with pytest.raises(PitbookError) as error:
        pitbook.changed(CMS, changes)
    assert reason in str(error.value)


def test_a_sheet_takes_only_the_named_fields_of_another() -> None:
    a = pitbook.load(CMS)
    limit = {"per": "hand", "pays_max": "9000", "posted": True, "clause": "H-1"}
    changes: dict[str, Any] = {
        "seats.count": 5,
        "streets[1].bets": [1, 2],
        "limits[1]": limit,
        "fold.tucks_under": None,
    }
    b = pitbook.changed(a, changes)
    for path, name in (
        (("seats", "count"), "seats.count"),
        (("streets", "bets"), "streets[1].bets"),
        (("limits", 1), "limits[1]"),
        (("fold", "tucks_under"), "fold.tucks_under"),
    ):
        assert take_fields(a, b, [path]) == pitbook.changed(a, {name: changes[name]}), name
    assert take_fields(b, a, [("limits", 1)]) == pitbook.changed(
        a, {name: change for name, change in changes.items() if name != "limits[1]"}
    )
    assert take_fields(a, a, [("deck", "shuffle")]) == a


def test_fields_that_do_not_fit_the_sheet_are_refused() -> None:
    with pytest.raises(SheetInvalid, match="above the single-bet"):
        take_fields(pitbook.load(OMS), pitbook.load(CMS), [("ante", "min"), ("ante", "max")])
