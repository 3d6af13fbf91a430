"""A sheet tried out: the same as a file that says so, and refused for the same reasons."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.sheets.samples import CMS, IDS, LAS, MHL, OMS, Swap, changed, sheet_of

from pitbook.errors import MoneyError
from pitbook.exact.compare import with_line
from pitbook.exact.lab import (
    LOSES,
    Wishes,
    in_force,
    ladder,
    line_rates,
    measured,
    pay_of,
    tried,
)
from pitbook.exact.service import MathError, wager_figures
from pitbook.money import Cents, Odds
from pitbook.sheets.diff import diff
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import pays_of

DECIDES = ('decides = "pays"', 'decides = "prose"')


def read(sheet: str, *swaps: Swap) -> Sheet:
    return sheet_of(changed(sheet, *swaps))


@pytest.mark.parametrize(
    ("sheet", "swap", "wishes"),
    [
        (CMS, ('flush = "6:1"', 'flush = "7:1"'), Wishes({"main": {"flush": "7:1"}})),
        (CMS, ('pair-6-10 = "push"\n', ""), Wishes({"main": {"pair-6-10": ""}})),
        (CMS, ('pair = "1:1"', 'pair = "push"'), Wishes({"three-card-bonus": {"pair": "push"}})),
        (CMS, ('pays_max = "25000"', 'pays_max = "30000"'), Wishes(caps=["30000"])),
        (MHL, ('low = "1:1"', 'low = "2:1"'), Wishes({"main": {"low": "2 to 1"}})),
        (MHL, ('match-3 = "3:1"', 'match-3 = "4:1"'), Wishes({"matchem-bonus": {"match-3": "4"}})),
    ],
)
@pytest.mark.parametrize("ante", [None, Cents(10_000)])
def test_a_wish_comes_to_what_a_file_with_it_comes_to(
    sheet: str, swap: Swap, wishes: Wishes, ante: Cents | None
) -> None:
    found, written = tried(read(sheet), wishes).sheet, read(sheet, swap)
    assert found is not None
    assert diff(found, written) == []
    for wager, figures in measured(found, ante).items():
        assert figures == wager_figures(written, wager, ante)


@pytest.mark.parametrize("sheet", IDS)
def test_without_a_wish_everything_is_as_printed(sheet: str) -> None:
    printed = read(sheet)
    found = tried(printed, Wishes(caps=[None] * len(printed.limits))).sheet
    assert found is not None
    for wager, figures in measured(found).items():
        assert figures == wager_figures(printed, wager)


def test_where_the_prose_decides_its_pays_are_those_to_change() -> None:
    sheet = read(OMS, DECIDES)
    assert in_force(sheet).main.pays == pays_of(sheet, "main") != sheet.main.pays
    found = tried(sheet, Wishes({"main": {"flush": "7:1"}})).sheet
    assert found is not None
    assert pays_of(found, "main") == {**pays_of(sheet, "main"), "flush": Odds(7)}


def test_a_line_of_ones_own() -> None:
    sheet = read(CMS)
    found = tried(sheet, Wishes({"main": {"pair": "push"}})).sheet
    assert found is not None
    rates = line_rates(measured(found)["main"], ["pair", "pair-6-10", "fly"])
    assert rates["pair"] > 0
    assert rates["fly"] == 0


def test_rates_are_shares_of_all_rounds() -> None:
    sheet = read(CMS)
    figures = measured(sheet)["three-card-bonus"]
    rates = line_rates(figures, sheet.side["three-card-bonus"].pays)
    assert rates["straight-flush"] == Fraction(48, 22100)
    assert sum(rates.values()) == figures.share("win")


@pytest.mark.parametrize(
    ("wishes", "field", "words"),
    [
        (Wishes({"main": {"flush": "six"}}), ("main", "pays", "flush"), '"six" is no pay; write'),
        (Wishes({"main": {"flush": "0:1"}}), ("main", "pays", "flush"), "pay nothing"),
        (Wishes({"main": {"flush": "3:7"}}), ("main", "pays", "straight"), "pays more than"),
        (Wishes({"main": {"flsh": "3:1"}}), ("main", "pays", "flsh"), 'did you mean "flush"?'),
        (Wishes({"main": {"flush": "1" * 9}}), ("main", "pays", "full-house"), "pays more than"),
        (Wishes(caps=["much"]), ("limits", 0, "pays_max"), '"much" is no amount of money'),
        (Wishes(caps=["0"]), ("limits", 0, "pays_max"), "more than zero"),
        (Wishes(caps=["24999"]), ("limits", 0, "pays_max"), "at least $25,000"),
    ],
)
def test_what_no_sheet_may_say_is_found(
    wishes: Wishes, field: tuple[str | int, ...], words: str
) -> None:
    trial = tried(read(CMS), wishes)
    assert trial.sheet is None
    assert any(one.path == field for one in trial.findings) or "pays more" in words
    assert any(words in one.message for one in trial.findings)


def test_every_line_cannot_lose() -> None:
    sheet = read(CMS)
    none = dict.fromkeys(sheet.side["three-card-bonus"].pays, "")
    trial = tried(sheet, Wishes({"three-card-bonus": none}))
    (finding,) = trial.findings
    assert (trial.sheet, finding.path) == (None, ("side", "three-card-bonus", "pays"))


@pytest.mark.parametrize(
    ("sheet", "wishes", "words"),
    [
        (CMS, Wishes({"stax": {"pair": "1:1"}}), 'there is no wager "stax"'),
        (CMS, Wishes(caps=["30000", "30000"]), "has 1 cap; give one for each at most, not 2"),
        (LAS, Wishes(caps=["30000"]), "has 0 caps; give one for each at most, not 1"),
    ],
)
def test_what_is_not_there_cannot_be_wished(sheet: str, wishes: Wishes, words: str) -> None:
    with pytest.raises(MathError, match=words):
        tried(read(sheet), wishes)


def test_pays_as_people_write_them() -> None:
    assert [pay_of(text) for text in ("7", " 7:1 ", "7 to 1", "7TO1")] == [Odds(7)] * 4
    assert [pay_of(text) for text in ("push", "Pushes")] == ["push"] * 2
    assert [pay_of(text) for text in LOSES] == [None] * len(LOSES)
    for text in ("-1", "7:", ":1", "1.5", "7:1:1", "1" * 10, "٣:1", "\ud800"):
        with pytest.raises(MoneyError):
            pay_of(text)


def test_the_ladder_has_every_pay_in_order() -> None:
    sheet = with_line(read(CMS), "main", {**read(CMS).main.pays, "flush": Odds(13, 2)})
    rungs = ladder([sheet])
    assert rungs[:4] == ["", "push", "1:1", "2:1"]
    assert rungs[rungs.index("6:1") + 1] == "13:2"
    assert {str(pay) for pay in sheet.main.pays.values()} <= set(rungs)
    assert len(set(rungs)) == len(rungs)
