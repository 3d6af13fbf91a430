"""Stakes, chips and caps: every bound just below, at and just above."""

from __future__ import annotations

from itertools import product

import pytest
from tests.sheets.samples import (
    CMS,
    LAS,
    MHL,
    OMS,
    Swap,
    finding_lines,
    findings,
    messages,
    modified_text,
)

from pitbook.sheets.check_stakes import is_payable

IN_CHIPS = " with the table's chips."
CHIPS = 'values = ["1", "5", "25", "100", "500", "1000"]'


def ante(low: str, high: str, step: str = "1") -> Swap:
    return (
        'min = "5"\nmax = "500"\nstep = "1"',
        f'min = "{low}"\nmax = "{high}"\nstep = "{step}"',
    )


def chips(*values: str) -> Swap:
    return CHIPS, "values = [" + ", ".join(f'"{chip_value}"' for chip_value in values) + "]"


@pytest.mark.parametrize(
    ("low", "high", "step", "expected"),
    [
        ("499", "500", "1", []),
        ("500", "500", "1", []),
        ("501", "500", "1", ["The minimum $501 is above the maximum $500."]),
        ("5", "500", "5", []),
        ("6", "500", "5", ["min $6 is not a multiple of $5."]),
        ("5", "501", "5", ["max $501 is not a multiple of $5."]),
        (
            "500",
            "500",
            "1000",
            [
                "min $500 is not a multiple of $1,000.",
                "max $500 is not a multiple of $1,000.",
            ],
        ),
    ],
)
def test_minimum_maximum_and_step_are_checked(
    low: str, high: str, step: str, expected: list[str]
) -> None:
    assert messages(LAS, ante(low, high, step)) == expected


def test_a_side_wager_has_bounds_too_at_its_own_place() -> None:
    (finding,) = findings(LAS, ('min = "1", max = "100"', 'min = "101", max = "100"'))
    assert (finding.code, finding.path) == ("stake-bounds", ("side", "three-up", "stake", "min"))


@pytest.mark.parametrize("values", [(2, 5), (3, 7, 11), (4, 6), (5,), (6, 10, 15), (1, 4), (7, 9)])
def test_payable_agrees_with_brute_force(values: tuple[int, ...]) -> None:
    reach = {0}
    for chip, count in product(values, range(61)):
        reach |= {amount + chip * count for amount in list(reach) if amount + chip * count <= 60}
    cents = tuple(chip_value * 100 for chip_value in values)
    assert [number for number in range(61) if is_payable(number * 100, cents)] == sorted(reach)  # type: ignore[arg-type]
    assert not is_payable(101, cents)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("swaps", "expected"),
    [
        ((chips("2", "5"), ante("4", "500")), []),
        ((chips("2", "5"), ante("3", "500")), ["A wager of $3 cannot be made" + IN_CHIPS]),
        ((chips("2", "5"), ante("2", "500")), ["A wager of $3 cannot be made" + IN_CHIPS]),
        ((chips("5"), ante("5", "500", "5")), []),
        ((chips("5"), ante("5", "500")), ["A wager of $6 cannot be made" + IN_CHIPS]),
        ((chips("0.50", "1"), ante("5", "500", "0.50")), []),
        ((chips("1", "5"), ante("5", "5.50", "0.50")),
         ["A wager of $5.50 cannot be made with the table's chips."]),
    ],
)  # fmt: skip
def test_chips_that_cannot_make_a_wager(swaps: tuple[Swap, ...], expected: list[str]) -> None:
    bonus = ('min = "1", max = "100", step = "1"', 'min = "100", max = "100", step = "100"')
    assert messages(LAS, bonus, bonus, *swaps) == expected


@pytest.mark.parametrize(
    ("odds", "step", "expected"),
    [
        ("2:1", "5", []),
        (
            "3:2",
            "5",
            ['$5 on "pair-J-A" at 3:2 wins an amount that the table\'s chips cannot pay.'],
        ),
        ("3:2", "2", []),
        (
            "3:2",
            "1",
            ['$5 on "pair-J-A" at 3:2 wins an amount that the table\'s chips cannot pay.'],
        ),
        (
            "5:4",
            "2",
            ['$6 on "pair-J-A" at 5:4 wins an amount that the table\'s chips cannot pay.'],
        ),  # $4 wins $5.
        ("6:5", "5", []),
        (
            "1:1000",
            "5",
            ['$5 on "pair-J-A" at 1:1000 wins an amount that the table\'s chips cannot pay.'],
        ),
    ],
)
def test_chips_that_cannot_pay_a_win(odds: str, step: str, expected: list[str]) -> None:
    high = ('two-pair = "2:1"', 'two-pair = "9:1"')
    others = [(f'{line} = "{pay}"', f'{line} = "9:1"') for line, pay in
              (("three-of-a-kind", "3:1"), ("straight", "4:1"), ("flush", "6:1"))]  # fmt: skip
    stakes = ante("4" if step == "2" else "5", "500", step)
    pays = ('pair-J-A = "1:1"', f'pair-J-A = "{odds}"')
    assert messages(LAS, high, *others, stakes, pays) == expected


@pytest.mark.parametrize(
    ("values", "message_start"),
    [
        (("5", "1"), "List chips in ascending order, each once."),
        (("1", "1", "5"), "List chips in ascending order, each once."),
        (("150", "200.01", "300"), None),
        (("100.01", "200", "300"), "The largest common unit of these chips is $0.01"),
    ],
)
def test_invalid_chip_sets(values: tuple[str, ...], message_start: str | None) -> None:
    found_said = messages(LAS, chips(*values), code="chips")
    if message_start:
        assert len(found_said) == 1
        assert found_said[0].startswith(message_start)
    else:
        assert found_said[0] == "A wager of $5 cannot be made with the table's chips."


def test_odd_chip_values_are_checked_quickly() -> None:
    chip_messages = messages(LAS, chips("100", "199.99"), code="chips")
    assert chip_messages[0] == "A wager of $5 cannot be made with the table's chips."


@pytest.mark.parametrize(("limit", "errors"), [("3", 4), ("4", 0), ("5", 0)])
def test_oms_8_no_bet_raise_or_re_raise_above_the_single_bet(limit: str, errors: int) -> None:
    bet_messages = messages(OMS, ('is = "4"', f'is = "{limit}"'), code="single-bet")
    assert len(bet_messages) == errors
    assert (
        bet_messages[:2]
        == [
            "The ante can be $4, above the single-bet maximum of $3.",
            "Each bet of 3rd street bet can be $4, above the single-bet maximum of $3.",
        ][: len(bet_messages)]
    )


def test_oms_8_without_raises_a_street_is_one_bet() -> None:
    without_pieces = ('pieces = ["bet", "raise", "re-raise"]\n', "")
    assert messages(OMS, without_pieces, code="single-bet") == [
        "Each bet of 3rd street bet can be $12, above the single-bet maximum of $4."
    ]
    assert (
        messages(
            OMS, without_pieces, ("fold = true", 'fold = true\nbet_max = "4"'), code="single-bet"
        )
        == []
    )


@pytest.mark.long
@pytest.mark.parametrize(("times", "errors"), [(1, 0), (2, 1)])
def test_a_double_is_a_single_bet(times: int, errors: int) -> None:
    flat = ("[dealer]", '[single_bet_max]\nis = "500"\nclause = "X"\n\n[dealer]')
    bet_messages = messages(MHL, flat, ("times = 1", f"times = {times}"), code="single-bet")
    assert (
        bet_messages == ["The double can be $1,000, above the single-bet maximum of $500."][:errors]
    )


@pytest.mark.parametrize(
    ("most", "wrong"), [("1999999999.99", False), ("2000000000", False), ("2000000000.01", True)]
)
def test_wins_above_the_supported_amount(most: str, wrong: bool) -> None:
    (before, after) = ante("0.01", most, "0.01")
    large_messages = [
        finding.message for finding in findings(LAS, (before, after)) if finding.code == "too-large"
    ]
    assert bool(large_messages) is wrong
    assert not wrong or large_messages[0].endswith(
        "above the largest amount that Pitbook supports."
    )


# --- caps -----------------------------------------------------------------------------------------

NEVADA = ('jurisdiction = "Iowa"', 'jurisdiction = "Nevada"')


def cap(amount: str) -> Swap:
    return 'pays_max = "25000"', f'pays_max = "{amount}"'


@pytest.mark.parametrize(
    ("amount", "below"), [("9999.99", True), ("10000", False), ("10000.01", False)]
)
def test_a_cap_below_the_award_at_minimum_bets(amount: str, below: bool) -> None:
    """An ante of $5 and 1x on each of three streets at 500 to 1."""
    cap_messages = messages(CMS, NEVADA, cap(amount), code="cap-below-minimum")
    expected = (
        f"The payout limit of ${float(amount):,.2f} is less than the $10,000 that "
        f'"royal-flush" on main wins'
    )
    assert cap_messages == [f"{expected} at the minimum bets."][:below]


def test_oms_9_the_cap_is_below_the_award_at_minimum_bets() -> None:
    cap_messages = messages(OMS, code="cap-below-minimum")
    expected = 'The payout limit of $1,000 is less than the $2,000 that "royal-flush" on main wins'
    assert cap_messages == [f"{expected} at the minimum bets."]


@pytest.mark.parametrize(("amount", "below"), [("999.99", 1), ("1000", 0), ("4999.99", 0)])
def test_oms_9_cap_per_bet(amount: str, below: int) -> None:
    swap = ('per = "hand"\npays_max = "1000"', f'per = "bet"\npays_max = "{amount}"')
    wins = ('royal-flush = "250:1"', 'royal-flush = "500:1"')
    assert len(messages(OMS, swap, wins, code="cap-below-minimum")) == below


@pytest.mark.parametrize(("odds", "legal"), [("49:1", False), ("50:1", False), ("51:1", True)])
def test_iowa_allows_a_cap_only_above_50_to_1(odds: str, legal: bool) -> None:
    swaps = (('straight-flush = "100:1"', f'straight-flush = "{odds}"'),
             ('odds_at_least = "100:1"', f'odds_at_least = "{odds}"'))  # fmt: skip
    iowa_messages = messages(CMS, *swaps, code="iowa")
    breach = (
        f'Iowa 491-11.7: Only payouts above 50:1 may be limited, not "straight-flush" at {odds}.'
    )
    assert iowa_messages == ([] if legal else [breach])


@pytest.mark.long
@pytest.mark.parametrize(
    ("amount", "low", "expected"),
    [
        ("24999.99", "5", ["Iowa 491-11.7: The limit must be at least $25,000."]),
        ("25000", "5", []),
        ("25000", "1", []),
        ("24999.99", "1", ["Iowa 491-11.7: The limit must be at least $25,000."]),
        ("25000", "6", ["Iowa 491-11.7: The limit must be at least $30,000."]),
        ("29999.99", "6", ["Iowa 491-11.7: The limit must be at least $30,000."]),
        ("30000", "6", []),
    ],
)
def test_iowa_asks_for_25000_or_the_top_award_at_the_minimum(
    amount: str, low: str, expected: list[str]
) -> None:
    assert messages(CMS, cap(amount), ante(low, "500"), code="iowa") == expected


def test_iowa_requires_the_limit_posted() -> None:
    (finding,) = findings(CMS, ("posted = true", "posted = false"))
    assert (finding.level, finding.message) == (
        "error",
        "Iowa 491-11.7: The limit must be posted.",
    )
    assert finding.path == ("limits", 0, "posted")


@pytest.mark.parametrize("place", ["Iowa", "iowa", " IOWA "])
def test_iowas_rule_holds_in_any_spelling(place: str) -> None:
    swap = ('jurisdiction = "Iowa"', f'jurisdiction = "{place}"')
    assert len(messages(CMS, swap, cap("100"), code="iowa")) == 1
    assert messages(CMS, NEVADA, cap("100"), code="iowa") == []


def test_mhl_13_a_declared_departure_from_iowas_rule_is_a_notice() -> None:
    departs = (
        'departs = "The document caps four matches and the straight flush at 30 to 1 as well."\n'
    )
    (declared,) = findings(MHL)
    (undeclared,) = findings(MHL, (departs, ""))
    assert (declared.level, undeclared.level) == ("notice", "error")
    breach = (
        'Only payouts above 50:1 may be limited, not "match-4" at 30:1, "straight-flush" at 30:1.'
    )
    assert undeclared.message == f"Iowa 491-11.7: {breach}"
    assert declared.message.startswith(f"{undeclared.message[:-1]} (declared: The document caps")


def test_iowas_rule_is_about_aggregate_limits_only() -> None:
    for per in ("hand", "bet"):
        swaps = (
            ('per = "round"', f'per = "{per}"'),
            cap("100"),
            ("posted = true", "posted = false"),
        )
        assert messages(CMS, *swaps, code="iowa") == []


def test_a_limit_without_counts_covers_every_win() -> None:
    iowa_messages = messages(CMS, ('counts = { odds_at_least = "100:1" }\n', ""), code="iowa")
    assert len(iowa_messages) == 1
    assert '"pair-J-A" at 1:1' in iowa_messages[0]


@pytest.mark.parametrize("sheet", [CMS, OMS, MHL, LAS])
def test_bundled_sheets_have_no_money_errors(sheet: str) -> None:
    assert [
        finding_line
        for finding_line in finding_lines(modified_text(sheet))
        if " error " in finding_line
    ] == []
