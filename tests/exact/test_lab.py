"""A sheet tried out: the same as a file that says so, and refused for the same reasons."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.sheets.samples import CMS, IDS, LAS, MHL, OMS, Swap, changed, sheet_of

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
from pitbook.sheets.diff import diff
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import pays_of

DECIDES = ('decides = "pays"', 'decides = "prose"')


def read(sheet: str, *swaps: Swap) -> Sheet:
    return sheet_of(changed(sheet, *swaps))


@pytest.mark.parametrize(
    ("sheet", "swap", "wishes"),
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
def test_a_wish_comes_to_what_a_file_with_it_comes_to(
    sheet: str, swap: Swap, wishes: PayTableEdits, ante: Cents | None
) -> None:
    found, written = apply_edits(read(sheet), wishes).sheet, read(sheet, swap)
    assert found is not None
    assert diff(found, written) == []
    for wager, figures in measure_wagers(found, ante).items():
        assert figures == wager_figures(written, wager, ante)


@pytest.mark.parametrize("sheet", IDS)
def test_without_a_wish_everything_is_as_printed(sheet: str) -> None:
    printed = read(sheet)
    found = apply_edits(printed, PayTableEdits(caps=[None] * len(printed.limits))).sheet
    assert found is not None
    for wager, figures in measure_wagers(found).items():
        assert figures == wager_figures(printed, wager)


def test_where_the_prose_decides_its_pays_are_those_to_change() -> None:
    sheet = read(OMS, DECIDES)
    assert effective_sheet(sheet).main.pays == pays_of(sheet, "main") != sheet.main.pays
    found = apply_edits(sheet, PayTableEdits({"main": {"flush": "7:1"}})).sheet
    assert found is not None
    assert pays_of(found, "main") == {**pays_of(sheet, "main"), "flush": Odds(7)}


def test_a_line_of_ones_own() -> None:
    sheet = read(CMS)
    found = apply_edits(sheet, PayTableEdits({"main": {"pair": "push"}})).sheet
    assert found is not None
    rates = line_rates(measure_wagers(found)["main"], ["pair", "pair-6-10", "fly"])
    assert rates["pair"] > 0
    assert rates["fly"] == 0


def test_rates_are_shares_of_all_rounds() -> None:
    sheet = read(CMS)
    figures = measure_wagers(sheet)["three-card-bonus"]
    rates = line_rates(figures, sheet.side["three-card-bonus"].pays)
    assert rates["straight-flush"] == Fraction(48, 22100)
    assert sum(rates.values()) == figures.share("win")


@pytest.mark.parametrize(
    ("wishes", "field", "words"),
    [
        (
            PayTableEdits({"main": {"flush": "six"}}),
            ("main", "pays", "flush"),
            '"six" is no pay; write',
        ),
        (PayTableEdits({"main": {"flush": "0:1"}}), ("main", "pays", "flush"), "pay nothing"),
        (PayTableEdits({"main": {"flush": "3:7"}}), ("main", "pays", "straight"), "pays more than"),
        (
            PayTableEdits({"main": {"flsh": "3:1"}}),
            ("main", "pays", "flsh"),
            'did you mean "flush"?',
        ),
        (
            PayTableEdits({"main": {"flush": "1" * 9}}),
            ("main", "pays", "full-house"),
            "pays more than",
        ),
        (PayTableEdits(caps=["much"]), ("limits", 0, "pays_max"), '"much" is no amount of money'),
        (PayTableEdits(caps=["0"]), ("limits", 0, "pays_max"), "more than zero"),
        (PayTableEdits(caps=["24999"]), ("limits", 0, "pays_max"), "at least $25,000"),
    ],
)
def test_what_no_sheet_may_say_is_found(
    wishes: PayTableEdits, field: tuple[str | int, ...], words: str
) -> None:
    trial = apply_edits(read(CMS), wishes)
    assert trial.sheet is None
    assert any(one.path == field for one in trial.findings) or "pays more" in words
    assert any(words in one.message for one in trial.findings)


def test_every_line_cannot_lose() -> None:
    sheet = read(CMS)
    none = dict.fromkeys(sheet.side["three-card-bonus"].pays, "")
    trial = apply_edits(sheet, PayTableEdits({"three-card-bonus": none}))
    (finding,) = trial.findings
    assert (trial.sheet, finding.path) == (None, ("side", "three-card-bonus", "pays"))


@pytest.mark.parametrize(
    ("sheet", "wishes", "words"),
    [
        (CMS, PayTableEdits({"stax": {"pair": "1:1"}}), 'there is no wager "stax"'),
        (
            CMS,
            PayTableEdits(caps=["30000", "30000"]),
            "has 1 cap; give one for each at most, not 2",
        ),
        (LAS, PayTableEdits(caps=["30000"]), "has 0 caps; give one for each at most, not 1"),
    ],
)
def test_what_is_not_there_cannot_be_wished(sheet: str, wishes: PayTableEdits, words: str) -> None:
    with pytest.raises(MathError, match=words):
        apply_edits(read(sheet), wishes)


def test_pays_as_people_write_them() -> None:
    assert [parse_pay(text) for text in ("7", " 7:1 ", "7 to 1", "7TO1")] == [Odds(7)] * 4
    assert [parse_pay(text) for text in ("push", "Pushes")] == ["push"] * 2
    assert [parse_pay(text) for text in LOSES] == [None] * len(LOSES)
    for text in ("-1", "7:", ":1", "1.5", "7:1:1", "1" * 10, "٣:1", "\ud800"):
        with pytest.raises(MoneyError):
            parse_pay(text)


def test_the_ladder_has_every_pay_in_order() -> None:
    sheet = with_pays(read(CMS), "main", {**read(CMS).main.pays, "flush": Odds(13, 2)})
    rungs = pay_steps([sheet])
    assert rungs[:4] == ["", "push", "1:1", "2:1"]
    assert rungs[rungs.index("6:1") + 1] == "13:2"
    assert {str(pay) for pay in sheet.main.pays.values()} <= set(rungs)
    assert len(set(rungs)) == len(rungs)
