"""A change of a sheet changes the right paragraphs of its rules paper and no others."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from tests.lanes import examples
from tests.printing.pdf_reader import BUILT, SHEETS, blocks_by_key, pages, sheet_of

from pitbook.errors import PitbookError
from pitbook.money import Odds, money
from pitbook.printing import typeset
from pitbook.printing.packet import PAPERS
from pitbook.printing.rules import rules
from pitbook.printing.typeset import pdf
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import all_pay_tables

EXAMPLES = ("worked", "example")  # Settled examples depend on every pay and stake.


class Change(NamedTuple):
    """New values by field, the paragraph that must change, and those that may."""

    values: dict[str, Any]
    must: str
    may: tuple[str, ...] = ()


def _pay(sheet: Sheet, rng: random.Random) -> Change:
    wager = rng.choice(list(all_pay_tables(sheet)))
    table = all_pay_tables(sheet)[wager]
    line = rng.choice([name for name, pay in table.items() if isinstance(pay, Odds)])
    pay = table[line]
    assert isinstance(pay, Odds)
    path = "main.pays" if wager == "main" else f"side.{wager}.pays"
    values = {f"{path}.{line}": f"{pay.to + rng.randint(1, 3) * pay.one}:{pay.one}"}
    return Change(values, f"pays {wager}", EXAMPLES)


def _stake_max(sheet: Sheet, rng: random.Random) -> Change:
    main, field = sheet.main_wager, sheet.main_id
    higher = money(main.max + main.step * rng.randint(1, 9))
    return Change({f"{field}.max": higher}, "main.bounds", EXAMPLES)


def _cap(sheet: Sheet, rng: random.Random) -> Change:
    place = rng.randrange(len(sheet.limits))
    other = money(sheet.limits[place].pays_max + 100 * rng.randint(1, 5000))
    return Change({f"limits[{place}].pays_max": other}, f"limits[{place}]", ("posted", "worked"))


def _seats(sheet: Sheet, rng: random.Random) -> Change:
    count = rng.choice([number for number in range(3, 8) if number != sheet.seats.count])
    return Change({"seats.count": count}, "seats.count")


def _early(sheet: Sheet, rng: random.Random) -> Change:
    now = sheet.irregularities.early_card.value
    other = "plays" if now == "void-round" else "void-round"
    value = {"is": other, "clause": "GEN-8"}
    return Change({"irregularities.early_card": value}, "irregularities.early_card")


def _burn(sheet: Sheet, rng: random.Random) -> Change:
    step = f"Burn {rng.randint(2, 9)} cards."
    return Change(
        {"procedures": {"burn": {"steps": [step], "clause": "House 1"}}}, "procedures.burn[1]"
    )


def _sponsor(sheet: Sheet, rng: random.Random) -> Change:
    return Change({"filing": {"sponsor": f"River House {rng.randint(1, 99)}"}}, "filing.sponsor")


KINDS: tuple[Callable[[Sheet, random.Random], Change], ...] = (
    *(_pay, _pay, _stake_max, _cap, _seats, _early, _burn, _sponsor),
)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(examples(10, 100)))
def test_a_change_of_the_sheet_changes_only_its_paragraphs(seed: int) -> None:
    rng = random.Random(seed)
    before, change, after = _draw_change(rng)
    old, new = blocks_by_key(rules(before)), blocks_by_key(rules(after))
    differ = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
    assert change.must in differ, f"PITBOOK_SEED={seed}"
    unexpected = {key for key in differ - {change.must} if not key.startswith(change.may)}
    assert unexpected == set() if change.may else differ == {change.must}, (
        f"seed {seed}: {unexpected}"
    )


def _draw_change(rng: random.Random) -> tuple[Sheet, Change, Sheet]:
    """A random sheet and a valid change of it."""
    while True:
        sheet, kind = sheet_of(rng.choice(SHEETS)), rng.choice(KINDS)
        if kind is _cap and not sheet.limits:
            continue
        change = kind(sheet, rng)
        try:
            return sheet, change, change_sheet(sheet, change.values)
        except PitbookError:  # The change is not allowed here; draw another.
            continue


LONG = "Donaudampfschifffahrtsgesellschaft"
USER_SHEETS: dict[str, tuple[str, dict[str, Any]]] = {
    "street-stud": ("louisiana-stud/standard", {"main.pays.flush": "7:1"}),
    "hi-lo": ("catfish-bend/matchem-hi-lo", {"bet.title": LONG}),
    "versus": (
        "pennsylvania/three-card-poker",
        {"side": {}, "settlement.passes": [["main"]], "main.pays.straight": "2:1"},
    ),
}


@pytest.mark.long
@pytest.mark.parametrize(
    "family", ["street-stud", pytest.param("hi-lo", marks=pytest.mark.slow), "versus"]
)
def test_user_sheet_gets_every_paper(family: str) -> None:
    base, changes = USER_SHEETS[family]
    title = f"Свой {family} #1 <*_$>"
    sheet = change_sheet(sheet_of(base), {"id": "river/own", "title": title, **changes})
    for name, make in PAPERS.items():
        paper = make(sheet)
        assert paper.identity.title == title
        assert paper.id == name
        page_texts = pages(pdf(paper, built=BUILT))
        assert any(title.replace(" ", "") in page.replace(" ", "") for page in page_texts)
        if name in ("rack-card", "sign", "strategy-card"):
            assert len(page_texts) <= 2  # Both sides, and nothing overflows.


def test_characters_missing_from_the_fonts_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = typeset._compiler()
    monkeypatch.setattr(typeset, "_compiler", lambda machine=False: compiler)
    sheet = change_sheet(sheet_of("louisiana-stud/standard"), {"title": "Stud 密"})
    with pytest.raises(PitbookError, match="密"):
        pdf(PAPERS["sign"](sheet), built=BUILT)
