"""A sheet edited in the lab equals the edited file, and is refused for the same reasons."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.sheets.samples import CMS, IDS, LAS, MHL, OMS, Swap, modified_text, sheet_of

from pitbook.errors import MoneyError
from pitbook.exact.compare import with_pays
from pitbook.exact.lab import (
    LOSES,
    PayTableEdits,
    apply_edits,
    effective_sheet,
    line_rates,
    measure_wagers,
    parse_pay,
    pay_steps,
)
from pitbook.exact.sheet_figures import MathError, wager_figures
from pitbook.money import Cents, Odds
from pitbook.sheets.diff import find_differences
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import pays_of

DECIDES = ('decides = "pays"', 'decides = "prose"')


def read(sheet: str, *swaps: Swap) -> Sheet:
    return sheet_of(modified_text(sheet, *swaps))


@pytest.mark.parametrize(
    ("sheet", "swap", "edits"),
    [
        (CMS, ('flush = "6:1"', 'flush = "7:1"'), PayTableEdits({"main": {"flush": "7:1"}})),
        (CMS, ('pair-6-10 = "push"\n', ""), PayTableEdits({"main": {"pair-6-10": ""}})),
        (
            CMS,
            ('pair = "1:1"', 'pair = "push"'),
            PayTableEdits({"three-card-bonus": {"pair": "push"}}),
        ),
        (CMS, ('pays_max = "25000"', 'pays_max = "30000"'), PayTableEdits(caps=["30000"])),
        (MHL, ('low = "1:1"', 'low = "2:1"'), PayTableEdits({"main": {"low": "2 to 1"}})),
        (
            MHL,
            ('match-3 = "3:1"', 'match-3 = "4:1"'),
            PayTableEdits({"matchem-bonus": {"match-3": "4"}}),
        ),
    ],
)
@pytest.mark.parametrize("ante", [None, Cents(10_000)])
def test_edited_sheet_equals_the_edited_file(
    sheet: str, swap: Swap, edits: PayTableEdits, ante: Cents | None
) -> None:
    edited, file_sheet = apply_edits(read(sheet), edits).sheet, read(sheet, swap)
    assert edited is not None
    assert find_differences(edited, file_sheet) == []
    for wager, figures in measure_wagers(edited, ante).items():
        assert figures == wager_figures(file_sheet, wager, ante)


@pytest.mark.parametrize("sheet", IDS)
def test_empty_edits_change_no_figures(sheet: str) -> None:
    original = read(sheet)
    edited = apply_edits(original, PayTableEdits(caps=[None] * len(original.limits))).sheet
    assert edited is not None
    for wager, figures in measure_wagers(edited).items():
        assert figures == wager_figures(original, wager)


def test_governing_prose_pays_are_edited() -> None:
    sheet = read(OMS, DECIDES)
    assert effective_sheet(sheet).main.pays == pays_of(sheet, "main") != sheet.main.pays
    edited = apply_edits(sheet, PayTableEdits({"main": {"flush": "7:1"}})).sheet
    assert edited is not None
    assert pays_of(edited, "main") == {**pays_of(sheet, "main"), "flush": Odds(7)}


def test_line_can_be_added() -> None:
    sheet = read(CMS)
    edited = apply_edits(sheet, PayTableEdits({"main": {"pair": "push"}})).sheet
    assert edited is not None
    rates = line_rates(measure_wagers(edited)["main"], ["pair", "pair-6-10", "fly"])
    assert rates["pair"] > 0
    assert rates["fly"] == 0


def test_rates_are_shares_of_all_rounds() -> None:
    sheet = read(CMS)
    figures = measure_wagers(sheet)["three-card-bonus"]
    rates = line_rates(figures, sheet.side["three-card-bonus"].pays)
    assert rates["straight-flush"] == Fraction(48, 22100)
    assert sum(rates.values()) == figures.share("win")


@pytest.mark.parametrize(
    ("edits", "field", "words"),
    [
        (
            PayTableEdits({"main": {"flush": "six"}}),
            ("main", "pays", "flush"),
            '"six" is not a payout. Write',
        ),
        (PayTableEdits({"main": {"flush": "0:1"}}), ("main", "pays", "flush"), "pay nothing"),
        (PayTableEdits({"main": {"flush": "3:7"}}), ("main", "pays", "straight"), "pays more than"),
        (
            PayTableEdits({"main": {"flsh": "3:1"}}),
            ("main", "pays", "flsh"),
            'Did you mean "flush"?',
        ),
        (
            PayTableEdits({"main": {"flush": "1" * 9}}),
            ("main", "pays", "full-house"),
            "pays more than",
        ),
        (
            PayTableEdits(caps=["much"]),
            ("limits", 0, "pays_max"),
            '"much" is not an amount',
        ),
        (PayTableEdits(caps=["0"]), ("limits", 0, "pays_max"), "above zero"),
        (PayTableEdits(caps=["24999"]), ("limits", 0, "pays_max"), "at least $25,000"),
    ],
)
def test_invalid_edits_have_findings(
    edits: PayTableEdits, field: tuple[str | int, ...], words: str
) -> None:
    trial = apply_edits(read(CMS), edits)
    assert trial.sheet is None
    assert any(finding.path == field for finding in trial.findings) or "pays more" in words
    assert any(words in finding.message for finding in trial.findings)


def test_all_lines_cannot_lose() -> None:
    sheet = read(CMS)
    all_empty = dict.fromkeys(sheet.side["three-card-bonus"].pays, "")
    trial = apply_edits(sheet, PayTableEdits({"three-card-bonus": all_empty}))
    (finding,) = trial.findings
    assert (trial.sheet, finding.path) == (None, ("side", "three-card-bonus", "pays"))


@pytest.mark.parametrize(
    ("sheet", "edits", "words"),
    [
        (CMS, PayTableEdits({"stax": {"pair": "1:1"}}), 'There is no wager "stax"'),
        (
            CMS,
            PayTableEdits(caps=["30000", "30000"]),
            "Give at most one amount for each, not 2",
        ),
        (LAS, PayTableEdits(caps=["30000"]), "Give at most one amount for each, not 1"),
    ],
)
def test_unknown_wager_or_cap_is_refused(sheet: str, edits: PayTableEdits, words: str) -> None:
    with pytest.raises(MathError, match=words):
        apply_edits(read(sheet), edits)


def test_pay_notations_are_parsed() -> None:
    assert [parse_pay(text) for text in ("7", " 7:1 ", "7 to 1", "7TO1")] == [Odds(7)] * 4
    assert [parse_pay(text) for text in ("push", "Pushes")] == ["push"] * 2
    assert [parse_pay(text) for text in LOSES] == [None] * len(LOSES)
    for text in ("-1", "7:", ":1", "1.5", "7:1:1", "1" * 10, "٣:1", "\ud800"):
        with pytest.raises(MoneyError):
            parse_pay(text)


def test_pay_steps_are_in_order_and_complete() -> None:
    sheet = with_pays(read(CMS), "main", {**read(CMS).main.pays, "flush": Odds(13, 2)})
    steps = pay_steps([sheet])
    assert steps[:4] == ["", "push", "1:1", "2:1"]
    assert steps[steps.index("6:1") + 1] == "13:2"
    assert {str(pay) for pay in sheet.main.pays.values()} <= set(steps)
    assert len(set(steps)) == len(steps)
