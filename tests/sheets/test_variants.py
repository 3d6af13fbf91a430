"""Variants: sheets with another pay table of the same document, as id+variant."""

from __future__ import annotations

import pytest

import pitbook
from pitbook.errors import SheetError, SheetUnknown
from pitbook.sheets.check import check
from pitbook.sheets.edit import apply_variant
from pitbook.sheets.field_types import Entries
from pitbook.sheets.hashes import digest
from pitbook.sheets.library import Library
from pitbook.sheets.model import Variant

ULTIMATE = "pennsylvania/ultimate-texas-holdem"
VARIANTS = [
    (entry.sheet.id, name)
    for entry in Library().entries()
    if entry.sheet
    for name in entry.sheet.variants or ()
]


@pytest.mark.parametrize(("sheet", "name"), VARIANTS)
def test_every_bundled_variant_is_a_valid_sheet(sheet: str, name: str) -> None:
    base, other = pitbook.load(sheet), pitbook.load(f"{sheet}+{name}")
    assert digest(base) != digest(other)
    assert base.variants is not None
    assert other.title == f"{base.title} ({base.variants[name].title})"
    assert not other.variants


def test_a_variant_changes_lines_and_leaves_lines_out() -> None:
    by_d = pitbook.load(f"{ULTIMATE}+trips-d").side["trips"].pays
    assert [str(by_d[line]) for line in ("four-of-a-kind", "full-house", "flush", "straight")] == [
        "20:1",
        "7:1",
        "6:1",
        "5:1",
    ]
    assert "straight" not in pitbook.load(f"{ULTIMATE}+blind-b").main.pays


def test_names_of_variants_do_not_affect_the_hash() -> None:
    sheet = pitbook.load(ULTIMATE)
    assert digest(sheet) == digest(sheet.model_copy(update={"variants": None}))


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        (f"{ULTIMATE}+trips-c", 'pennsylvania/ultimate-texas-holdem has no variant "trips-c"'),
        ("oceanfront/mississippi-stud+x", 'oceanfront/mississippi-stud has no variant "x"'),
        ("nowhere/nothing+x", 'There is no sheet "nowhere/nothing"'),
    ],
)
def test_unknown_variants_are_refused(argument: str, message: str) -> None:
    with pytest.raises(SheetUnknown, match=message):
        pitbook.load(argument)


def test_an_invalid_variant_is_reported() -> None:
    bad = Variant.model_validate(
        {"title": "x", "clause": "X-1", "changes": {"main.pays.flush": "600:1"}}
    )
    sheet = pitbook.load(ULTIMATE).model_copy(update={"variants": Entries({"bad": bad})})
    (finding,) = [candidate for candidate in check(sheet) if candidate.code == "variant"]
    assert finding.path == ("variants", "bad")
    assert "pays more than the higher" in finding.message
    with pytest.raises(SheetError):
        apply_variant(sheet, "bad")


RIDE, STUD = "pennsylvania/let-it-ride", "pennsylvania/mississippi-stud"
THREE, WAR = "pennsylvania/three-card-poker", "classic/casino-war"
EDGES = {  # House edges of the usual table and of the variant, with published figures in comments.
    (STUD, "straight-5"): ("main", "4.9149%", "3.7591%"),  # E. Jacobson, 888casino blog.
    (STUD, "mini-royal"): ("three-card-bonus", "7.2760%", "7.0950%"),
    (RIDE, "flush-4"): ("three-card-bonus", "7.2760%", "2.3167%"),
    (RIDE, "mini-royal"): ("three-card-bonus", "7.2760%", "7.0950%"),
    (THREE, "pair-plus-flush-4"): ("pair-plus", "7.2760%", "2.3167%"),  # 7.28%, 2.32%.
    (WAR, "bonus"): ("main", "2.8771%", "2.3301%"),  # 2.88%, 2.33%.
    (ULTIMATE, "blind-b"): ("main", "2.1850%", "5.9128%"),
    (ULTIMATE, "trips-a"): ("trips", "3.4979%", "0.9018%"),
    (ULTIMATE, "trips-b"): ("trips", "3.4979%", "1.9040%"),
    (ULTIMATE, "trips-d"): ("trips", "3.4979%", "6.1808%"),
}


def test_every_variant_has_its_figures_here() -> None:
    assert set(EDGES) == set(VARIANTS)


@pytest.mark.parametrize(
    ("sheet", "name"),
    [
        pytest.param(*edge_key, marks=() if edge_key[0] in (RIDE, STUD) else pytest.mark.slow)
        for edge_key in EDGES
    ],
)
def test_edges_of_variants(sheet: str, name: str) -> None:
    wager, usual, other = EDGES[sheet, name]
    wager_comparison = pitbook.compare(sheet, f"{sheet}+{name}")[wager]
    assert wager_comparison.a is not None
    assert wager_comparison.b is not None
    assert (f"{float(wager_comparison.a):.4%}", f"{float(wager_comparison.b):.4%}") == (
        usual,
        other,
    )
