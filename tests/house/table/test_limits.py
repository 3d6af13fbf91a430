"""A table's own limits: a copy of its sheet, checked like any other."""

from __future__ import annotations

import pytest

from pitbook import load
from pitbook.errors import RoundError
from pitbook.house.table.limits import (
    LimitsConflict,
    caps_of,
    changed_limits,
    limits_of,
    only_limits_differ,
    with_limits,
    with_posted_limits,
)
from pitbook.house.table.stored_sheets import dump_sheet, game_of
from pitbook.money import Cents
from pitbook.sheets.hashes import digest
from pitbook.sheets.library import BUNDLED
from pitbook.sheets.model import Sheet

SHEETS = (
    "catfish-bend/mississippi-stud",
    "oceanfront/mississippi-stud",
    "catfish-bend/matchem-hi-lo",
    "louisiana-stud/standard",
    "louisiana-stud/stax-required",
)
STUD = load(SHEETS[0])
BUNDLED_SHEETS = sorted(
    path.relative_to(BUNDLED).with_suffix("").as_posix() for path in BUNDLED.rglob("*.toml")
)


@pytest.mark.parametrize("name", SHEETS)
def test_every_wager_has_limits_and_equal_ones_change_nothing(name: str) -> None:
    sheet = load(name)
    limits = limits_of(sheet)
    main, _ = game_of(dump_sheet(sheet)).main
    assert list(limits) == [main, *sheet.side]
    assert digest(with_limits(sheet, limits)) == digest(sheet)
    assert changed_limits(sheet, sheet) == ({}, {})


def test_unnamed_limits_stay() -> None:
    after = with_limits(
        STUD, {"ante": {"max": "100"}, "three-card-bonus": {"min": "5", "step": "5"}}
    )
    main, ante = game_of(dump_sheet(after)).main
    bonus = after.side["three-card-bonus"].stake
    assert main == "ante"
    assert (ante.min, ante.max, ante.step) == (Cents(500), Cents(10_000), Cents(100))
    assert (bonus.min, bonus.max, bonus.step) == (Cents(500), Cents(10_000), Cents(500))
    assert (after.id, after.limits, after.seats) == (STUD.id, STUD.limits, STUD.seats)
    assert digest(after) != digest(STUD)
    assert only_limits_differ(STUD, after)


@pytest.mark.parametrize(
    ("wager", "bound", "text", "message"),
    [
        (
            "antee",
            "max",
            "5",
            'catfish-bend/mississippi-stud has no bet "antee". Did you mean "ante"?',
        ),
        ("ante", "min", "600", "The minimum $600 is above the maximum $500."),
        ("ante", "step", "3", "min $5 is not a multiple of $3."),
        ("ante", "min", "0", "ante min: a limit must be above $0."),
        ("ante", "max", "-5", "ante max: "),
        ("ante", "max", "ten", 'ante max: "ten" is not an amount'),
        ("ante", "min", "10", "Iowa 491-11.7: The limit must be at least $50,000."),
    ],
)
def test_invalid_limits_are_refused(wager: str, bound: str, text: str, message: str) -> None:
    with pytest.raises(RoundError) as refused:
        with_limits(STUD, {wager: {bound: text}})
    assert message in str(refused.value)


def test_different_game_is_not_a_limits_change() -> None:
    other = load(SHEETS[1])
    assert not only_limits_differ(STUD, other)
    before, now = changed_limits(STUD, other)
    assert list(before) == ["ante", "three-card-bonus"]
    assert list(now) == ["ante"], "what the other game has not, has no limits"
    harder = STUD.model_copy(update={"title": "Stud"})
    assert not only_limits_differ(STUD, harder)


def test_limits_forbidden_by_other_rules_are_refused() -> None:
    """A tournament level replaces the flat limit too, and the pit's list shows it."""
    flat = load("oceanfront/mississippi-stud")
    lifted = flat.model_copy(update={"single_bet_max": None})
    level = with_limits(lifted, {"ante": {"min": "25", "max": "100"}})
    assert not only_limits_differ(flat, level)
    assert changed_limits(flat, level)[1]["ante"]["max"] == "100.00"


@pytest.mark.parametrize("state", ["Iowa", "State of Iowa", "US-IA"])
def test_iowa_rule_applies_to_new_limits(state: str) -> None:
    house = STUD.house.model_copy(update={"jurisdiction": state})
    sheet = STUD.model_copy(update={"house": house})
    with pytest.raises(
        LimitsConflict, match=r"Iowa 491-11\.7: The limit must be at least \$30,000"
    ):
        with_posted_limits(sheet, {"ante": {"min": "6"}})
    assert limits_of(with_posted_limits(sheet, {"ante": {"max": "400"}}))["ante"]["max"] == "400.00"


def test_existing_breach_does_not_block_other_limits() -> None:
    house = STUD.house.model_copy(update={"jurisdiction": "State of Iowa"})
    cap = STUD.limits[0].model_copy(update={"posted": False})
    sheet = STUD.model_copy(update={"house": house, "limits": (cap,)})
    assert limits_of(with_posted_limits(sheet, {"ante": {"max": "400"}}))["ante"]["max"] == "400.00"


# Payout caps --------------------------------------------------------------------------------------


def test_minimum_needing_a_higher_cap_is_explained_in_form_terms() -> None:
    with pytest.raises(LimitsConflict) as refused:
        with_posted_limits(STUD, {"ante": {"min": "10"}})
    assert str(refused.value) == (
        "The maximum payout per round (pays_max) is too low for these limits: "
        "Iowa 491-11.7: The limit must be at least $50,000. "
        "Raise it, or lower the minimum bet."
    )


@pytest.mark.parametrize(("cap", "fits"), [("49999.99", False), ("50000", True), ("60000", True)])
def test_cap_can_be_raised_with_the_minimum(cap: str, fits: bool) -> None:
    if not fits:
        with pytest.raises(LimitsConflict, match="The limit must be at least"):
            with_posted_limits(STUD, {"ante": {"min": "10"}}, [cap])
        return
    after = with_posted_limits(STUD, {"ante": {"min": "10"}}, [cap])
    assert caps_of(after) == [{"per": "round", "pays_max": f"{cap}.00"}]
    assert after.limits[0].note == "Set by the house for this table. The rules have $25,000."
    assert only_limits_differ(STUD, after)


def test_same_caps_change_nothing() -> None:
    assert digest(with_posted_limits(STUD, {}, ["25000"])) == digest(STUD)
    assert with_posted_limits(STUD, {}, ["25000"]).limits == STUD.limits


@pytest.mark.parametrize(
    ("caps", "message"),
    [
        ([], "has one maximum payout. Give pays_max one amount"),
        (["1", "2"], "has one maximum payout. Give pays_max one amount"),
        (["0"], r"The maximum payout per round \(pays_max\) must be above \$0"),
        (["much"], r"Maximum payout per round \(pays_max\): \"much\" is not an amount"),
    ],
)
def test_invalid_caps_are_refused(caps: list[str], message: str) -> None:
    with pytest.raises(RoundError, match=message):
        with_posted_limits(STUD, {}, caps)


def test_limit_above_the_flat_maximum_says_which_field_to_lower() -> None:
    with pytest.raises(
        LimitsConflict, match=r"above the single-bet maximum of \$4. Lower the maximum bet.$"
    ):
        with_posted_limits(load("oceanfront/mississippi-stud"), {"ante": {"max": "5"}})


# The form in the pit has the minimum, the maximum and the payout caps, and no other field.
AMOUNTS = [("7", "500"), ("7.50", "100"), ("600", "500"), ("25", "100"), ("1000", "10000")]


@pytest.mark.parametrize(("least", "most"), AMOUNTS)
@pytest.mark.parametrize("name", BUNDLED_SHEETS)
def test_limits_refusal_names_a_field_of_the_pit_form(name: str, least: str, most: str) -> None:
    sheet = load(name)
    main = next(iter(limits_of(sheet)))
    caps = [cap["pays_max"] for cap in caps_of(sheet)]
    refused = refusal_of(sheet, {main: {"min": least, "max": most}}, caps)
    if refused is None:
        return
    on_form = {(main, "min"): "min", (main, "max"): "maximum"}
    field = tuple(map(str, refused.path))
    assert on_form.get((field[0], field[-1]), "maximum payout") in str(refused)
    if field not in on_form:
        assert (field[0], field[-1]) == ("limits", "pays_max")
        enough = ["10000000"] * len(caps)
        assert refusal_of(sheet, {main: {"min": least, "max": most}}, enough) is None


def refusal_of(
    sheet: Sheet, limits: dict[str, dict[str, str]], caps: list[str]
) -> LimitsConflict | None:
    try:
        with_posted_limits(sheet, limits, caps)
    except LimitsConflict as refused:
        return refused
    return None
