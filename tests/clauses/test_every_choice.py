"""Every choice acts: a house that chooses otherwise settles, offers, shows or reckons otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from tests.clauses.choices import (
    beside,
    choices,
    described,
    given_something_to_decide,
    reworded,
)
from tests.clauses.scenes import difference
from tests.clauses.table import CMS, LAS, LAS_STAX, MHL, OMS, altered

from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.sheets.check import check
from pitbook.sheets.check_unused import check_idle
from pitbook.sheets.findings import errors
from pitbook.sheets.model import Sheet

SHEETS = (CMS, OMS, MHL, LAS, LAS_STAX)

# Where the other value is refused, and at which field: the sheet would make no sense.
REFUSED = {
    ("street-stud", "deck.fresh"): "deck.fresh",  # Its figures are those of a whole deck.
    ("street-stud", "payouts.several_lines"): "main.pays",  # A royal flush paid as a flush.
    ("street-stud", "single_bet_max"): "ante.max",  # An ante above the flat maximum.
    ("hi-lo", "best_play.ties"): "best_play.ties",  # Nobody folds.
}


def _all() -> Iterator[Any]:
    for sheet in SHEETS:
        for path, others in choices(sheet):
            yield pytest.param(sheet, path, others, id=f"{sheet.id}: {path}")


@pytest.mark.parametrize(("sheet", "path", "others"), list(_all()))
def test_a_choice_acts(sheet: Sheet, path: str, others: tuple[Any, ...]) -> None:
    assert others, f"{path} can be nothing else: it is no choice"
    # One other number is enough; a word or a yes must act each.
    wanted = 1 if type(others[0]) is int else len(others)
    acts = list(islice((other for other in others if _acts(sheet, path, other)), wanted))
    assert len(acts) >= wanted, f"{path}: nobody can tell {_left(others, acts)} from what it is"


def _acts(sheet: Sheet, path: str, value: Any) -> bool:
    """Whether somebody sees it, on the sheet as it is or with what it lacks for that."""
    other = given_something_to_decide(sheet, path)
    assert not errors(check(other, thorough=False, on_record=True))
    return _differs(other, path, value) or (other is not sheet and _differs(sheet, path, value))


def _differs(sheet: Sheet, path: str, value: Any) -> bool:
    one, other = beside(sheet, path, value)
    sound = check(other, thorough=False, on_record=True)
    if found := errors(sound) or errors(check_idle(other)):
        at = REFUSED.get((sheet.family, path), "sound")
        return any(".".join(map(str, finding.path)).startswith(at) for finding in found)
    return difference(one, other, path) is not None


def _left(others: tuple[Any, ...], acts: list[Any]) -> str:
    return " or ".join(repr(one) for one in others if one not in acts)


@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: str(sheet.id))
def test_what_is_marked_descriptive_changes_nothing_that_anybody_does(sheet: Sheet) -> None:
    other = reworded(sheet)
    assert other != sheet
    assert not errors(check(other, thorough=False))
    assert difference(sheet, other) is None


def test_what_is_marked_descriptive_is_no_choice() -> None:
    marked = [kind for _, kind in described(StreetStud) + described(HiLo)]
    assert marked
    assert not any("Choice[" in str(kind) for kind in marked)
    names = {name for name, _ in described(HiLo)}
    assert names >= {"area", "high_laid", "low_laid", "layout", "fouled_deck"}


TOO = "deck.fallback_times"  # Idle with the fallback itself.


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "value", "sheets"),
    [
        ("payouts.several_lines", "first-listed", SHEETS),
        ("payouts.share_ties", "higher-seat", (OMS, LAS, LAS_STAX)),
        ("irregularities.misdeal_over_offence", False, (OMS, MHL)),
        ("deck.fallback", "no-game", (OMS,)),
        ("fold.board_when_all_fold", "always", (LAS_STAX,)),
    ],
)
def test_a_choice_that_a_sheet_leaves_nothing_to_decide_is_said_to_be_idle(
    path: str, value: Any, sheets: tuple[Sheet, ...]
) -> None:
    for sheet in SHEETS:
        if path.startswith("fold.") and sheet is MHL:
            continue
        found = check(altered(sheet, path, value), thorough=False)
        told = [".".join(map(str, one.path)) for one in found if one.code == "idle"]
        assert [one for one in told if one != TOO] == ([path] if sheet in sheets else []), sheet.id
        if sheet in sheets:
            assert not _differs(sheet, path, value)
