"""A change of a sheet changes its paper where it should, and nowhere else."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from tests.lanes import examples
from tests.papers.read_back import BUILT, SHEETS, keyed, pages, sheet_of

from pitbook.errors import PitbookError
from pitbook.money import Odds, money
from pitbook.papers import typeset
from pitbook.papers.packet import PAPERS
from pitbook.papers.rules import rules
from pitbook.papers.typeset import pdf
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import all_pay_tables

SETTLED = ("worked", "example")  # What the engine settles follows from any rule of pay or stake.


class Change(NamedTuple):
    """Other values by field, which paragraphs must change, and which may."""

    values: dict[str, Any]
    must: str
    may: tuple[str, ...] = ()


def _pay(sheet: Sheet, luck: random.Random) -> Change:
    wager = luck.choice(list(all_pay_tables(sheet)))
    table = all_pay_tables(sheet)[wager]
    line = luck.choice([one for one, pay in table.items() if isinstance(pay, Odds)])
    pay = table[line]
    assert isinstance(pay, Odds)
    at = "main.pays" if wager == "main" else f"side.{wager}.pays"
    other = {f"{at}.{line}": f"{pay.to + luck.randint(1, 3) * pay.one}:{pay.one}"}
    return Change(other, f"pays {wager}", SETTLED)


def _most(sheet: Sheet, luck: random.Random) -> Change:
    main, field = sheet.main_wager, sheet.main_id
    higher = money(main.max + main.step * luck.randint(1, 9))
    return Change({f"{field}.max": higher}, "main.bounds", SETTLED)


def _cap(sheet: Sheet, luck: random.Random) -> Change:
    place = luck.randrange(len(sheet.limits))
    other = money(sheet.limits[place].pays_max + 100 * luck.randint(1, 5000))
    return Change({f"limits[{place}].pays_max": other}, f"limits[{place}]", ("posted", "worked"))


def _seats(sheet: Sheet, luck: random.Random) -> Change:
    count = luck.choice([one for one in range(3, 8) if one != sheet.seats.count])
    return Change({"seats.count": count}, "seats.count")


def _early(sheet: Sheet, luck: random.Random) -> Change:
    now = sheet.irregularities.early_card.value
    other = "plays" if now == "void-round" else "void-round"
    value = {"is": other, "clause": "GEN-8"}
    return Change({"irregularities.early_card": value}, "irregularities.early_card")


def _burn(sheet: Sheet, luck: random.Random) -> Change:
    step = f"Burn {luck.randint(2, 9)} cards."
    return Change(
        {"procedures": {"burn": {"steps": [step], "clause": "House 1"}}}, "procedures.burn[1]"
    )


def _sponsor(sheet: Sheet, luck: random.Random) -> Change:
    return Change({"filing": {"sponsor": f"River House {luck.randint(1, 99)}"}}, "filing.sponsor")


KINDS: tuple[Callable[[Sheet, random.Random], Change], ...] = (
    *(_pay, _pay, _most, _cap, _seats, _early, _burn, _sponsor),
)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(examples(10, 100)))
def test_a_change_shows_where_it_should_and_nowhere_else(seed: int) -> None:
    luck = random.Random(seed)
    before, change, after = _drawn(luck)
    old, new = keyed(rules(before)), keyed(rules(after))
    differ = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
    assert change.must in differ, f"PITBOOK_SEED={seed}"
    stray = {key for key in differ - {change.must} if not key.startswith(change.may)}
    assert stray == set() if change.may else differ == {change.must}, f"seed {seed}: {stray}"


def _drawn(luck: random.Random) -> tuple[Sheet, Change, Sheet]:
    """A sheet and a change that its checks allow."""
    while True:
        sheet, kind = sheet_of(luck.choice(SHEETS)), luck.choice(KINDS)
        if kind is _cap and not sheet.limits:
            continue
        change = kind(sheet, luck)
        try:
            return sheet, change, change_sheet(sheet, change.values)
        except PitbookError:  # Not allowed in this state, or out of step: another is drawn.
            continue


LONG = "Donaudampfschifffahrtsgesellschaft"
OWN: dict[str, tuple[str, dict[str, Any]]] = {
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
def test_a_users_own_sheet_gets_every_paper_with_no_code(family: str) -> None:
    base, changes = OWN[family]
    title = f"Свой {family} #1 <*_$>"
    own = change_sheet(sheet_of(base), {"id": "river/own", "title": title, **changes})
    for name, make in PAPERS.items():
        paper = make(own)
        assert paper.identity.title == title
        assert paper.id == name
        shown = pages(pdf(paper, built=BUILT))
        assert any(title.replace(" ", "") in page.replace(" ", "") for page in shown)
        if name in ("rack-card", "sign", "strategy-card"):
            assert len(shown) <= 2  # Both sides, and nothing runs over.


def test_letters_that_no_font_has_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = typeset._compiler()
    monkeypatch.setattr(typeset, "_compiler", lambda machine=False: ours)
    own = change_sheet(sheet_of("louisiana-stud/standard"), {"title": "Stud 密"})
    with pytest.raises(PitbookError, match="密"):
        pdf(PAPERS["sign"](own), built=BUILT)
