"""The sheet check states the house edge of every wager, and any player advantage."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tests.exact.figures_json import math_document
from tests.sheets.samples import (
    CMS,
    IDS,
    LAS,
    MHL,
    OMS,
    Swap,
    document_of,
    modified_text,
    toml_text,
)

from pitbook.exact.compare import compare_wagers
from pitbook.exact.edge_findings import (
    SheetCheck,
    check_reading,
    format_edge,
    wager_edges,
    why_too_large,
)
from pitbook.exact.lab import PayTableEdits, apply_edits, measure_wagers
from pitbook.sheets.load import examine, load

GENEROUS = ('pair-J-A = "2:1"\n\n[settlement]', 'pair-J-A = "3:1"\n\n[settlement]')
TUESDAYS = (
    '[[player_advantage]]\nwager = "{}"\nclause = "X-1"\nnote = "Tuesdays only."\n\n[payouts]'
)


def check(sheet: str, *swaps: Swap) -> SheetCheck:
    return check_reading(examine(modified_text(sheet, *swaps), "s.toml", thorough=False))


def advantage_messages(sheet_check: SheetCheck) -> list[str]:
    return [str(finding) for finding in sheet_check.findings if finding.code == "player-advantage"]


def declare_advantage(wager: str) -> Swap:
    return "[payouts]", TUESDAYS.format(wager)


@pytest.mark.parametrize("sheet", IDS)
def test_bundled_wagers_have_the_edge_of_math(sheet: str) -> None:
    sheet_check = check(sheet)
    assert sheet_check.sheet is not None
    figures = math_document(sheet_check.sheet)["wagers"]
    assert list(sheet_check.wagers) == list(figures)
    for wager, edge in sheet_check.wagers.items():
        assert edge.document()["expected"] == figures[wager]["expected"]
        assert edge.document()["house_edge"] == figures[wager]["house_edge"]
    assert advantage_messages(sheet_check) == []


def test_undeclared_advantage_is_an_error_at_its_pay_table() -> None:
    sheet_check = check(LAS, GENEROUS)
    line = modified_text(LAS, GENEROUS).split("\n").index("[side.stax.pays]") + 1
    assert advantage_messages(sheet_check) == [
        f's.toml:{line}:1: error: The player has an edge of 6.6685% on "stax" with best play. '
        "Lower its payouts, or declare it in [[player_advantage]] with a note. (LAS-9)"
    ]
    assert sheet_check.document()["valid"] is False
    assert sheet_check.document()["sheet"] == LAS


@pytest.mark.parametrize(
    ("sheet", "swap"),
    [
        (CMS, ('two-pair = "2:1"', 'two-pair = "3:1"')),
        (MHL, ('high = "1:1" }', 'high = "2:1" }')),
    ],
)
def test_main_game_advantage_is_an_error(sheet: str, swap: Swap) -> None:
    (message,) = advantage_messages(check(sheet, swap))
    assert "error: The player has an edge of " in message
    assert '% on "main" with best play' in message


def test_declared_advantage_is_a_notice_with_its_note() -> None:
    (message,) = advantage_messages(check(LAS, GENEROUS, declare_advantage("stax")))
    assert ": notice: " in message
    assert message.endswith("with best play (declared: Tuesdays only). (LAS-9)")


def test_declaration_without_advantage_is_an_error_at_its_own_place() -> None:
    sheet_check = check(LAS, declare_advantage("stax"))
    line = modified_text(LAS, declare_advantage("stax")).split("\n").index('wager = "stax"') + 1
    assert advantage_messages(sheet_check) == [
        f's.toml:{line}:9: error: "stax" has a house edge of 6.3336%, so the player has no '
        "advantage. Remove the declaration. (X-1)"
    ]


def test_math_compare_and_lab_accept_an_advantage(tmp_path: Path) -> None:
    file = tmp_path / "generous.toml"
    file.write_text(modified_text(LAS, GENEROUS), encoding="utf-8")
    sheet = load(file)
    assert math_document(sheet, wager="stax")["wagers"]["stax"]["house_edge"] < 0
    assert compare_wagers(load(file), sheet) is not None
    trial = apply_edits(sheet, PayTableEdits(pays={"stax": {"two-pair": "5:1"}}))
    assert trial.sheet is not None
    assert measure_wagers(trial.sheet)["stax"].house_edge < 0


def test_edit_that_makes_a_cap_unreachable_still_has_figures() -> None:
    reading = examine(modified_text(CMS), "s.toml", thorough=False)
    assert reading.sheet is not None
    pays = {"main": {"royal-flush": "90:1", "straight-flush": "80:1"}}
    trial = apply_edits(reading.sheet, PayTableEdits(pays=pays))
    assert trial.sheet is not None
    assert [(finding.level, finding.code) for finding in trial.findings] == [("notice", "limit")]


def test_game_too_large_for_a_check_is_not_started() -> None:
    document = {**document_of(MHL), "side": {}}
    document["deal"] = {**document["deal"], "player": 7, "dealer": 9}
    document["settlement"] = {**document["settlement"], "passes": [["main"]]}
    document["limits"] = [{"per": "round", "pays_max": "25000", "clause": "X", "departs": "Ours."}]
    reading = examine(toml_text(document), "s.toml", thorough=False)
    assert reading.sheet is not None
    assert why_too_large(reading.sheet) is not None
    edge = wager_edges(reading.sheet)["main"]
    assert edge.document()["house_edge"] is None
    assert edge.document()["reason"].startswith(
        "is not computed here because it takes too long (50,388 player hands"
    )


@pytest.mark.long
@pytest.mark.parametrize("multiples", [3, 100])
def test_many_multiples_are_accepted(multiples: int) -> None:
    bets = ", ".join(map(str, range(1, multiples + 1)))
    swaps = [("bets = [1, 2, 3]", f"bets = [{bets}]")] * 3
    sheet_check = check(LAS, ('max = "500"', 'max = "50"'), *swaps)
    assert sheet_check.wagers["main"].house is not None


def test_edge_is_never_rounded_to_zero() -> None:
    assert format_edge(Fraction(53223, 1082900)) == "4.9149%"
    assert format_edge(Fraction(0)) == "0.0000%"
    assert format_edge(Fraction(-1, 10**8)) == "-0.000001%"


def test_prose_finding_states_its_effect() -> None:
    messages = [finding.message for finding in check(OMS).findings if finding.code == "prose"]
    assert messages[0].endswith("the house edge is 8.28 points higher than with the pay table.")
