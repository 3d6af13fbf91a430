"""Money and odds in and out of text, to the cent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitbook.errors import MoneyError
from pitbook.money import CENTS_MAX, Cents, Odds, dollar_text, dollars, money, odds

COMMAS = '. Commas only separate thousands. Write it like "1000" or "10.00".'
PLAIN = '. Write it like "10" or "10.00".'


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("0", 0),
        ("0.00", 0),
        ("0.01", 1),
        ("5", 500),
        ("05", 500),
        ("10.00", 1000),
        ("2.50", 250),
        ("25000", 2_500_000),
        ("9999999999999.99", CENTS_MAX - 1),
        ("0" * 5000 + "7", 700),
    ],
)
def test_amounts_are_read(text: str, cents: int) -> None:
    assert dollars(text) == cents


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("10.5", '. Write "10.50".'),
        ("$10.5", '. Write "10.50".'),
        ("-3", ". It must not be negative."),
        ("-$3", ". It must not be negative."),
        ("1.0050", ". Amounts cannot include fractions of a cent."),
        ("1.005", '. Amounts cannot include fractions of a cent. For thousands write "1005".'),
        ("1.000", '. Amounts cannot include fractions of a cent. For thousands write "1000".'),
        ("5,0", '. A comma is not a decimal point. Write "5.00" or "50".'),
        ("$1,5", '. A comma is not a decimal point. Write "1.50" or "15".'),
        ("1,00", '. A comma is not a decimal point. Write "1.00" or "100".'),
        ("1,00,0", COMMAS),
        ("1,0000", COMMAS),
        ("1000,000", COMMAS),
        ("1,000,00", COMMAS),
        ("1.000,50", COMMAS),
        (",5", COMMAS),
        ("1,000.5", '. Write "1000.50".'),
        ("$5", '. Write "5".'),
        ("€5", '. Write "5".'),
        ("£1,000", '. Write "1000".'),
        ("MX$5.5", '. Write "5.50".'),
        ("1,000", '. Write "1000".'),
        ("$1,000.00", '. Write "1000.00".'),
        (" 5", '. Write "5".'),
        ("5\n", '. Write "5".'),
        ("", PLAIN),
        ("٣", PLAIN),
        ("٣.٣", PLAIN),
        ("\u00a05", PLAIN),  # A non-breaking space.
        ("1_000", PLAIN),
        ("NaN", PLAIN),
        ("inf", PLAIN),
        ("1e3", PLAIN),
        ("+5", PLAIN),
        (".50", PLAIN),
        ("5.", PLAIN),
        ("0x10", PLAIN),
        ("five", PLAIN),
    ],
)
def test_invalid_amounts_are_refused(text: str, remedy: str) -> None:
    with pytest.raises(MoneyError) as error:
        dollars(text)
    assert str(error.value) == f'"{text}" is not an amount{remedy}'


@pytest.mark.parametrize("text", ["10000000000000", "9" * 5000])
def test_amounts_above_the_maximum_are_refused(text: str) -> None:
    message = f'^"{text}" is above the largest amount that Pitbook supports'
    with pytest.raises(MoneyError, match=message):
        dollars(text)


@pytest.mark.parametrize(
    ("cents", "plain_text", "spoken_text"),
    [
        (0, "0.00", "$0"),
        (1, "0.01", "$0.01"),
        (250, "2.50", "$2.50"),
        (-250, "-2.50", "-$2.50"),
        (-5, "-0.05", "-$0.05"),
        (100_000, "1000.00", "$1,000"),
        (2_500_000, "25000.00", "$25,000"),
    ],
)
def test_money_formats(cents: int, plain_text: str, spoken_text: str) -> None:
    assert (money(cents), dollar_text(cents)) == (plain_text, spoken_text)


@given(st.integers(0, CENTS_MAX - 1))
def test_money_round_trips(cents: int) -> None:
    assert dollars(money(cents)) == cents


@pytest.mark.parametrize(
    ("text", "to", "stake_units"),
    [("500:1", 500, 1), ("3:2", 3, 2), ("1:1", 1, 1), ("6:5", 6, 5), ("999999999:1", 999999999, 1)],
)
def test_odds_are_read(text: str, to: int, stake_units: int) -> None:
    assert odds(text) == Odds(to, stake_units)
    assert str(odds(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "5:1:1",
        "",
        ":",
        "5",
        "5:",
        ":1",
        "5-1",
        "5 : 1",
        " 5:1",
        "5:1\n",
        "-5:1",
        "1.5:1",
        "٣:1",
        "push",
    ],
)
def test_invalid_odds_are_refused(text: str) -> None:
    with pytest.raises(MoneyError) as error:
        odds(text)
    assert str(error.value) == f'"{text}" is not valid odds. Write odds like "3:1".'


@pytest.mark.parametrize("text", ["500:0", "0:1", "0:0"])
def test_odds_of_zero_are_refused(text: str) -> None:
    with pytest.raises(MoneyError, match=f'"{text}" pay nothing. Both sides must be 1 or more'):
        odds(text)


@pytest.mark.parametrize(
    ("text", "stake", "won"),
    [
        ("500:1", 500, 250_000),
        ("3:2", 1000, 1500),
        ("3:2", 1, None),
        ("6:5", 5, 6),
        ("1:3", 100, None),
    ],
)
def test_gen_3_winnings_are_counted_without_the_stake(
    text: str, stake: int, won: int | None
) -> None:
    if won is not None:
        assert odds(text).wins(Cents(stake)) == won
        return
    with pytest.raises(MoneyError, match=f"at {text} does not come to whole cents"):
        odds(text).wins(Cents(stake))


def test_odds_compare_by_payout_and_keep_their_notation() -> None:
    mixed = [odds(text) for text in ("500:1", "3:2", "1:2", "2:1", "6:5", "1:1")]
    assert " ".join(map(str, sorted(mixed))) == "1:2 1:1 6:5 3:2 2:1 500:1"
    assert odds("3:2") < odds("2:1") <= odds("4:2") <= odds("2:1")
    assert odds("2:1") > odds("3:2") >= odds("6:4")
    assert not odds("4:2") < odds("2:1")
    assert odds("4:2") != odds("2:1")
