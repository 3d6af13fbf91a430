"""A changed sheet is made by one call, checked like a file, and has a hash of its own."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from tests.sheets.samples import CMS, IDS, MHL, OMS, changed, findings, sheet_of, text_of

import pitbook
from pitbook.errors import PitbookError
from pitbook.money import odds
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import SheetInvalid


@pytest.mark.parametrize("sheet_id", IDS)
def test_nothing_changed_is_the_same_sheet(sheet_id: str) -> None:
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
def test_a_changed_sheet_is_what_the_changed_file_is(
    field: str, value: Any, swap: tuple[str, str]
) -> None:
    sheet = pitbook.load(CMS)
    made = pitbook.changed(sheet, {field: value})
    assert digest(made) == digest(sheet_of(changed(CMS, swap)))
    assert digest(made) != digest(sheet) == digest(sheet_of(text_of(CMS)))


def test_a_choice_is_changed_by_its_name_or_by_its_is() -> None:
    by_name = pitbook.changed(CMS, {"payouts.several_lines": "first-listed"})
    assert by_name == pitbook.changed(CMS, {"payouts.several_lines.is": "first-listed"})
    assert by_name.payouts.several_lines.value == "first-listed"
    assert by_name.payouts.several_lines.clause == "GEN-2"


def test_several_fields_change_together_and_lists_by_number() -> None:
    sheet = pitbook.load(OMS)
    changes = {"id": "our-hall/stud", "streets[2].pieces": None, "house.chips.values[3]": None}
    made = pitbook.changed(sheet, {**changes, "ante.max": "3", "single_bet_max": None})
    assert (made.id, made.house.chips.values) == ("our-hall/stud", (100, 200, 300))
    longer = pitbook.changed(made, {"house.chips.values[3]": "5"})
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
def test_what_a_file_is_refused_for_is_refused_in_the_same_words(
    sheet_id: str, field: str, value: Any, swap: tuple[str, str]
) -> None:
    wanted = [(one.code, one.message, one.clause) for one in findings(sheet_id, swap)]
    with pytest.raises(SheetInvalid) as refused:
        pitbook.changed(sheet_id, {field: value})
    found = refused.value.findings
    assert [(one.code, one.message, one.clause) for one in found if one.level == "error"]
    assert {(one.code, one.message, one.clause) for one in found} <= set(wanted)
    where = field if value is not None else field.rpartition(".")[0]
    assert str(refused.value).startswith(f"{sheet_id}, {where}: error: ")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"": 1}, '"" names no field; write it as in main.pays.flush or streets[0].bets'),
        ({"main..pays": 1}, '"main..pays" names no field; '),
        ({3: 1}, "3 names no field; "),
        (
            {"streets.flop.bets": [1]},
            '"streets.flop.bets": items of a list are named by number; this',
        ),
        ({"streets[3].bets": [1]}, "this has [0] to [2]"),
        ({"title.long": "x"}, '"Mississippi Stud" has no parts to change'),
        ({"main.pays.flsh": None}, 'not there to be taken out; did you mean "flush"?'),
        ({"limits[1]": None}, "this has [0]"),
        (["main"], "changes are a dict of fields and values"),
    ],
)
def test_a_name_that_leads_nowhere_is_refused(changes: Any, reason: str) -> None:
    with pytest.raises(PitbookError) as refused:
        pitbook.changed(CMS, changes)
    assert reason in str(refused.value)
