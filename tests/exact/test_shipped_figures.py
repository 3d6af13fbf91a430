"""The figures shipped with the package: complete, equal to fresh computation, and reproducible."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from docs.precompute import bundled_sheets, report_documents, sheet_documents, write_archive
from tests.lanes import spread

from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.dealer import boards_solve as boards
from pitbook.exact.methods.dealer import pairs_solve as pairs
from pitbook.exact.methods.dealer.shipped_solutions import board_solution, pair_solution
from pitbook.exact.methods.dealer.structure import Terms
from pitbook.exact.sheet_figures import wager_figures
from pitbook.exact.shipped_figures import (
    ARCHIVE,
    FIGURES,
    REPORT,
    computed_afresh,
    decode_figures,
    encode_figures,
    member_name,
    read_precomputed,
)
from pitbook.money import Cents
from pitbook.sheets.hashes import digest
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet

TODAY = date(2026, 1, 1)
SHEETS = {sheet.id: sheet for sheet in bundled_sheets()}
QUICK = ("classic/casino-war", "classic/ultimate-three-card-poker", "pennsylvania/let-it-ride")
BYTES_MAX = 4 * 2**20


def sheet(name: str) -> Sheet:
    return Library().load(name, TODAY)


def stored_documents(rules: Sheet) -> dict[str, Any]:
    folder = member_name(digest(rules), "")[: -len(".json")]
    with ZipFile(ARCHIVE) as archive:
        names = [name for name in archive.namelist() if name.startswith(folder)]
    document_names = [name.removeprefix(folder).removesuffix(".json") for name in names]
    return {name: read_precomputed(rules, name) for name in document_names}


def test_every_bundled_sheet_has_precomputed_figures() -> None:
    missing = [name for name, rules in SHEETS.items() if not read_precomputed(rules, FIGURES)]
    assert missing == [], "run `make figures`"


def test_precomputed_figures_stay_small() -> None:
    assert ARCHIVE.stat().st_size < BYTES_MAX


def test_nothing_is_stored_for_other_rules() -> None:
    hashes = {digest(rules) for rules in SHEETS.values()}
    with ZipFile(ARCHIVE) as archive:
        assert {name.split("/")[1] for name in archive.namelist()} == hashes


@pytest.mark.parametrize(
    "name",
    [
        *QUICK,
        *spread([name for name in SHEETS if name not in QUICK], 0),
    ],
)
@pytest.mark.long
def test_precomputed_figures_and_strategies_equal_fresh_ones(name: str) -> None:
    rules = SHEETS[name]
    stored = {key: part for key, part in stored_documents(rules).items() if key != REPORT}
    assert stored == sheet_documents(rules), "run `make figures`"


@pytest.mark.parametrize(
    "name",
    [
        "pennsylvania/let-it-ride",
        *spread([name for name in SHEETS if name != "pennsylvania/let-it-ride"], 0),
    ],
)
@pytest.mark.long
def test_precomputed_report_equals_a_fresh_one(name: str) -> None:
    rules = SHEETS[name]
    stored = {REPORT: read_precomputed(rules, REPORT)}
    assert stored == report_documents(rules), "run `make figures`"


def test_archive_is_the_same_every_time(tmp_path: Path) -> None:
    documents = {
        member_name(digest(rules), name): document
        for rules in SHEETS.values()
        for name, document in stored_documents(rules).items()
    }
    write_archive(documents, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == ARCHIVE.read_bytes()


def test_figures_survive_encoding() -> None:
    figures = wager_figures(sheet("pennsylvania/three-card-poker"), "main")
    assert decode_figures(encode_figures(figures)) == figures


def test_changed_sheet_is_computed() -> None:
    rules = sheet("classic/ultimate-three-card-poker")
    other_seats = rules.seats.model_copy(update={"count": rules.seats.count - 1})
    changed = rules.model_copy(update={"seats": other_seats})
    assert read_precomputed(rules, FIGURES) is not None
    assert digest(changed) != digest(rules)
    assert read_precomputed(changed, FIGURES) is None


@pytest.mark.long
def test_larger_ante_has_the_same_precomputed_best_play() -> None:
    rules = sheet("classic/ultimate-three-card-poker")
    terms = Terms(choose_method(rules)[0], Cents(25_00))
    stored, fresh = pair_solution(terms, "best"), pairs.count_solution(terms)
    assert stored is not None
    assert stored.figures == fresh.figures
    assert stored.fold_rates == fresh.fold_rates
    assert list(stored.entries()) == list(fresh.entries())


def test_side_wager_that_a_fold_loses_needs_its_own_best_play() -> None:
    game, _ = choose_method(sheet("pennsylvania/crazy-4-poker"))
    assert pair_solution(Terms(game, Cents(10_00)), "best") is not None
    assert pair_solution(Terms(game, Cents(10_00), {"queens-up": Cents(5_00)}), "best") is None


def test_ante_that_reaches_the_payout_limit_has_its_own_values() -> None:
    game, _ = choose_method(sheet("pennsylvania/ultimate-texas-holdem"))
    below, at_limit = (
        board_solution(boards.plan_of(Terms(game, ante))) for ante in (Cents(95_00), Cents(100_00))
    )
    assert below is not None
    assert at_limit is not None
    assert below.expected > at_limit.expected  # A royal flush pays $50,000 instead of $50,400.
    side = {"trips": Cents(5_00)}  # Shares the limit.
    assert board_solution(boards.plan_of(Terms(game, Cents(100_00), side))) is None


@pytest.mark.slow
def test_precomputed_holdem_at_the_payout_limit() -> None:
    game, _ = choose_method(sheet("pennsylvania/ultimate-texas-holdem"))
    plan = boards.plan_of(Terms(game, Cents(100_00)))
    stored, fresh = board_solution(plan), boards.solve_plan(plan)
    assert stored is not None
    assert stored.figures == fresh.figures
    assert list(stored.entries()) == list(fresh.entries())


@pytest.mark.slow
@pytest.mark.parametrize("purse", [None, Cents(0), Cents(10_00), Cents(35_00), Cents(40_00)])
@pytest.mark.parametrize("side", [{}, {"trips": Cents(5_00)}])
def test_precomputed_holdem_fits_other_stakes(side: dict[str, Cents], purse: Cents | None) -> None:
    game, _ = choose_method(sheet("pennsylvania/ultimate-texas-holdem"))
    plan = boards.plan_of(Terms(game, Cents(10_00), side, purse))
    stored, fresh = board_solution(plan), boards.solve_plan(plan)
    assert stored is not None
    assert stored.round_figures() == fresh.round_figures()
    assert stored.fold_rates == fresh.fold_rates
    assert stored.before_flop is not None
    assert fresh.before_flop is not None
    assert (stored.before_flop.worths == fresh.before_flop.worths).all()
    assert (stored.holes.counts == fresh.holes.counts).all()
    if not side:
        assert list(stored.entries()) == list(fresh.entries())


def test_computed_afresh_reads_nothing() -> None:
    rules = sheet("pennsylvania/ultimate-texas-holdem")
    with computed_afresh():
        assert read_precomputed(rules, FIGURES) is None
    assert read_precomputed(rules, FIGURES) is not None


@pytest.mark.long
def test_figures_of_a_bundled_sheet_need_no_numpy() -> None:
    program = (
        "import sys; from datetime import date; from pitbook.sheets.library import Library;"
        "from pitbook.exact.sheet_figures import fold_rates, wager_figures;"
        "rules = Library().load('pennsylvania/ultimate-texas-holdem', date(2026, 1, 1));"
        "edge = float(wager_figures(rules, 'main').house_edge);"
        "print(f'{edge:.4%}', len(fold_rates(rules)),"
        " {'numpy', 'numba'} & sys.modules.keys())"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert result.stdout.split() == ["2.1850%", "1", "set()"]
