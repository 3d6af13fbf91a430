"""Every choice of a sheet has an observable effect."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from tests.clauses.choices import (
    change_descriptive,
    choices,
    descriptive_fields,
    two_houses,
    with_context,
)
from tests.clauses.one_line_rounds import CMS, LAS, LAS_STAX, MHL, OMS, with_field
from tests.clauses.scenes import difference

from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.sheets.check import check
from pitbook.sheets.check_unused_choices import check_idle
from pitbook.sheets.findings import errors
from pitbook.sheets.model import Sheet

SHEETS = (CMS, OMS, MHL, LAS, LAS_STAX)

# Alternatives that are refused, with the field of the error.
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
def test_a_choice_has_an_effect(sheet: Sheet, path: str, others: tuple[Any, ...]) -> None:
    assert others, f"{path} can be nothing else: it is no choice"
    # One other number is enough; each other word must have an effect.
    required = 1 if type(others[0]) is int else len(others)
    effective = list(
        islice((other for other in others if _has_effect(sheet, path, other)), required)
    )
    assert len(effective) >= required, (
        f"{path}: nobody can tell {_ineffective(others, effective)} from what it is"
    )


def _has_effect(sheet: Sheet, path: str, value: Any) -> bool:
    """Whether the choice has an observable effect, on the sheet or with the additions it needs."""
    other = with_context(sheet, path)
    assert not errors(check(other, thorough=False, on_record=True))
    return _differs(other, path, value) or (other is not sheet and _differs(sheet, path, value))


def _differs(sheet: Sheet, path: str, value: Any) -> bool:
    house, other = two_houses(sheet, path, value)
    findings = check(other, thorough=False, on_record=True)
    if problems := errors(findings) or errors(check_idle(other)):
        at = REFUSED.get((sheet.family, path), "sound")
        return any(".".join(map(str, finding.path)).startswith(at) for finding in problems)
    return difference(house, other, path) is not None


def _ineffective(others: tuple[Any, ...], effective: list[Any]) -> str:
    return " or ".join(repr(other) for other in others if other not in effective)


@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: str(sheet.id))
def test_descriptive_fields_have_no_effect(sheet: Sheet) -> None:
    other = change_descriptive(sheet)
    assert other != sheet
    assert not errors(check(other, thorough=False))
    assert difference(sheet, other) is None


def test_descriptive_fields_are_not_choices() -> None:
    marked = [kind for _, kind in descriptive_fields(StreetStud) + descriptive_fields(HiLo)]
    assert marked
    assert not any("Choice[" in str(kind) for kind in marked)
    names = {name for name, _ in descriptive_fields(HiLo)}
    assert names >= {"area", "high_laid", "low_laid", "layout", "fouled_deck"}


FALLBACK_TIMES = "deck.fallback_times"  # Idle together with the fallback.


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
def test_a_choice_without_effect_is_reported_as_idle(
    path: str, value: Any, sheets: tuple[Sheet, ...]
) -> None:
    for sheet in SHEETS:
        if path.startswith("fold.") and sheet is MHL:
            continue
        findings = check(with_field(sheet, path, value), thorough=False)
        idle_paths = [
            ".".join(map(str, finding.path)) for finding in findings if finding.code == "idle"
        ]
        assert [path_text for path_text in idle_paths if path_text != FALLBACK_TIMES] == (
            [path] if sheet in sheets else []
        ), sheet.id
        if sheet in sheets:
            assert not _differs(sheet, path, value)
