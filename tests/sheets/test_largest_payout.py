"""The largest payout of a round, compared with a brute-force search over boards and deals."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hands.reference_ranking import hand_name
from tests.lanes import examples
from tests.sheets.reference_exposure import PlainTable
from tests.sheets.samples import (
    CMS,
    LAS,
    MHL,
    OMS,
    UNUSUAL,
    document_of,
    hi_lo,
    modified_text,
    sheet_of,
)

from pitbook.sheets.check import check
from pitbook.sheets.findings import errors
from pitbook.sheets.largest_payout import Exposure, exposure
from pitbook.sheets.load import read_sheet

SEED = 31_000


def limit(per: str, pays_max: int, counts: str = "") -> str:
    inner = f"\ncounts = {{ {counts} }}" if counts else ""
    return f'[[limits]]\nper = "{per}"\npays_max = "{pays_max}"{inner}\nclause = "X"\n\n'


def louisiana(seats: int, *limits: str) -> str:
    text = modified_text(LAS, ("count = 6", f"count = {seats}"))
    start, end = text.index("[uncapped]"), text.index("[payouts]")
    return text[:start] + "".join(limits) + text[end:]


class PlainResult(NamedTuple):
    """The payouts found by the plain search for one hand and for all seats, in cents."""

    hand: int | Fraction
    round: int | Fraction
    complete: bool


def exact_and_plain(text: str) -> tuple[Exposure, PlainResult]:
    """Pitbook's exposure and the plain search's result."""
    document, sheet = tomllib.loads(text), read_sheet(text, "sheet.toml").sheet
    assert sheet is not None
    assert not errors(check(sheet, thorough=False, on_record=True))
    plain = PlainTable(document)
    hand, tried = plain.most(1)
    table, tried_too = plain.most(sheet.seats.count) if sheet.seats.count > 1 else (hand, tried)
    return exposure(sheet), PlainResult(hand * 100, table * 100, tried and tried_too)


def is_same(text: str) -> bool:
    exposure_found, plain = exact_and_plain(text)
    assert exposure_found.exact
    assert plain.complete
    return (exposure_found.hand, exposure_found.round) == (plain.hand, plain.round)


@pytest.mark.slow_cases("oceanfront/mississippi-stud-6")
@pytest.mark.long
@pytest.mark.parametrize("seats", [1, 2, 3, 6])
@pytest.mark.parametrize("sheet", [CMS, OMS, LAS])
def test_largest_payouts_of_bundled_sheets_equal_the_plain_search(sheet: str, seats: int) -> None:
    assert is_same(modified_text(sheet, ("count = 6", f"count = {seats}")))


ROYALS = 'odds_at_least = "500:1"'
EXACT = {
    "no cap": (),
    "a cap on every hand": (limit("hand", 100_000),),
    "a cap on every bet": (limit("bet", 20_000),),
    "a cap on high bets": (limit("bet", 20_000, ROYALS),),
    "a cap on the round": (limit("round", 100_000),),
    "a cap on the round's royals": (limit("round", 30_000, ROYALS),),
    "a cap on named lines": (
        limit("round", 60_000, 'lines = { main = ["straight-flush"], stax = ["royal-flush"] }'),
    ),
    "two caps on different wins": (
        limit("round", 30_000, 'lines = { main = ["royal-flush"] }'),
        limit("round", 40_000, 'lines = { stax = ["royal-flush"], three-up = ["pair"] }'),
    ),
    "bets and round": (limit("bet", 20_000), limit("round", 100_000, ROYALS)),
    "two caps on hands": (limit("hand", 100_000), limit("hand", 90_000)),
}


@pytest.mark.long
@pytest.mark.parametrize("seats", [1, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", EXACT)
def test_capped_payouts_equal_the_plain_search(name: str, seats: int) -> None:
    assert is_same(louisiana(seats, *EXACT[name]))


ALL = str([line for line, pay in document_of(LAS)["main"]["pays"].items() if pay != "push"])
UPPER_BOUNDS = {
    "a hand's cap within a round's": (limit("hand", 100_000), limit("round", 60_000, ROYALS)),
    "a hand's cap within two rounds'": (
        limit("hand", 100_000),
        limit("round", 10, "lines = { main = " + ALL + " }"),
        limit("round", 90_000, "lines = { stax = " + ALL + ", three-up = ['pair', 'flush'] }"),
    ),
    "a hand's cap on some wins": (limit("hand", 100_000, ROYALS),),
    "one win under two caps": (limit("round", 60_000, ROYALS), limit("round", 200_000)),
}


@pytest.mark.long
@pytest.mark.parametrize("seats", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", UPPER_BOUNDS)
def test_overlapping_caps_give_an_upper_bound(name: str, seats: int) -> None:
    exposure_found, plain = exact_and_plain(louisiana(seats, *UPPER_BOUNDS[name]))
    assert not exposure_found.exact
    assert exposure_found.hand >= plain.hand
    assert exposure_found.round >= plain.round


def test_a_bet_maximum_gives_an_upper_bound() -> None:
    text = modified_text(LAS, ("fold = true", 'fold = true\nbet_max = "700"'))
    limited, unlimited = exposure(sheet_of(text)), exposure(sheet_of(modified_text(LAS)))
    assert unlimited.exact
    assert not limited.exact
    assert limited.hand == unlimited.hand - (1500 - 700) * 500 * 100


@pytest.mark.slow_cases(
    "1-bets-withdrawn", "1-three-hole-cards", "2-bets-withdrawn", "2-three-hole-cards"
)
@pytest.mark.parametrize("name", ["three-hole-cards", "bets-withdrawn"])
@pytest.mark.parametrize("seats", [1, 2])
def test_exposure_with_other_hole_cards(name: str, seats: int) -> None:
    text = (UNUSUAL / f"{name}.toml").read_text()
    before = next(line for line in text.split("\n") if line.startswith("count ="))
    exposure_found, plain = exact_and_plain(text.replace(before, f"count = {seats}"))
    assert plain.complete
    assert exposure_found.hand >= plain.hand
    assert exposure_found.round >= plain.round
    assert not exposure_found.exact or (exposure_found.hand, exposure_found.round) == (
        plain.hand,
        plain.round,
    )


FOUR = "four-of-a-kind 50:1, straight-flush 40:1, three-of-a-kind 9:1, flush 4:1, straight 3:1, "


def four_and_one(hole: int, looks_at: str, seats: int) -> str:
    """Bets that may be withdrawn, on four cards and one; the bonus uses the four."""
    text = (UNUSUAL / "bets-withdrawn.toml").read_text()
    start, end = text.index("[side.three-card-bonus.pays]"), text.index("[settlement]")
    lines = [pay_line.split() for pay_line in f"{FOUR}two-pair 2:1, pair 1:1".split(",")]
    bonus = "".join(f'{line} = "{pay}"\n' for line, pay in lines)
    text = f"{text[:start]}[side.three-card-bonus.pays]\n{bonus}\n{text[end:]}"
    first, second = (1, 0) if hole == 4 else (2, 2)
    for old, new in (
        ("count = 7", f"count = {seats}"),
        ("hole = { is = 3", f"hole = {{ is = {hole}"),
        ("reveals = { is = 1", f"reveals = {{ is =  {first}"),
        ("reveals = { is = 1", f"reveals = {{ is =  {second}"),
        ('looks_at = "hole"', f'looks_at = "{looks_at}"'),
    ):
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


@pytest.mark.slow_cases("1")
@pytest.mark.long
@pytest.mark.parametrize("seats", [1, 2])
def test_four_hole_cards_and_one_in_common(seats: int) -> None:
    exposure_found, plain = exact_and_plain(four_and_one(4, "hole", seats))
    assert plain.complete
    assert exposure_found.hand == plain.hand
    assert exposure_found.round >= plain.round


@pytest.mark.long
@pytest.mark.parametrize("seats", [1, 7])
def test_one_hole_card_and_four_in_common(seats: int) -> None:
    exposure_found = exposure(sheet_of(four_and_one(1, "community", seats)))
    # K Q J T of one suit: the ace makes a royal flush, the nine a straight flush, two to eight a
    # flush; each has three bets of $200, and $25 at 40:1 on the board.
    table = [600 * 1000, 600 * 200, *[600 * 8] * 5][:seats]
    assert exposure_found.exact
    assert exposure_found.hand == (600 * 1000 + 25 * 40) * 100
    assert exposure_found.round == (sum(table) + seats * 25 * 40) * 100


@pytest.mark.long
@settings(max_examples=4)
@given(
    odds=st.lists(st.integers(1, 400), min_size=9, max_size=9).map(sorted),
    stakes=st.tuples(st.integers(1, 50), st.integers(1, 50)),
    caps=st.lists(
        st.tuples(
            st.sampled_from(["bet", "hand", "round"]),
            st.integers(100, 200_000),
            st.sampled_from(["", ROYALS, 'odds_at_least = "20:1"']),
        ),
        max_size=3,
    ),
    seats=st.integers(1, 3),
)
def test_exposure_of_random_pay_tables_and_caps(
    odds: list[int], stakes: tuple[int, int], caps: list[tuple[str, int, str]], seats: int
) -> None:
    text = louisiana(seats, *(limit(*cap) for cap in caps))
    rising = [
        *("pair-J-A", "two-pair", "three-of-a-kind", "straight", "flush", "full-house"),
        *("four-of-a-kind", "straight-flush", "royal-flush"),
    ]
    usual = (1, 2, 3, 4, 6, 10, 40, 100, 500)
    for line, new, old in zip(rising, odds, usual, strict=True):
        text = text.replace(f'\n{line} = "{old}:1"', f'\n{line} = "{new}:1"', 1)
    text = text.replace('min = "5"\nmax = "500"', f'min = "1"\nmax = "{stakes[0]}"')
    text = text.replace('max = "100"', f'max = "{stakes[1]}"')
    exposure_found, plain = exact_and_plain(text)
    assert exposure_found.hand >= plain.hand
    assert exposure_found.round >= plain.round
    if exposure_found.exact and plain.complete:
        assert (exposure_found.hand, exposure_found.round) == (plain.hand, plain.round)


# --- hi-lo: an upper bound, compared with play

LOW = {"A": 1, "T": 10, "J": 0, "Q": 0, "K": 0, **{str(n): n for n in range(2, 10)}}
HIGH = {**LOW, "A": 11}
POKER = {
    "suited-three-of-a-kind": 100, "straight-flush": 30, "three-of-a-kind": 10, "straight": 4,
    "mini-royal": 30, "suited-pair": 3, "suited-pair-flush": 3, "flush": 2, "pair": 1,
    "high-card": 0,
}  # fmt: skip
MATCHES = (0, 0, 1, 3, 30, 100)


def matchem_payout(dealer: Sequence[str], hands: Sequence[Sequence[str]]) -> int:
    """The payout of a Match'em round in dollars, with every spot at its maximum and perfect
    foresight.
    """
    uncapped, capped = 0, 0
    ordered = sorted(dealer, key=lambda card: LOW[card[0]])
    aces = [card for card in ordered[:3] if card[0] == "A"]
    high = [(aces or ordered[2:3])[0], *ordered[3:]]
    bars = sum(LOW[card[0]] for card in ordered[:3]), sum(HIGH[card[0]] for card in high)
    for hand in hands:
        low_wins = sum(LOW[card[0]] for card in hand) <= bars[0]
        uncapped += 1000 * (low_wins or sum(HIGH[card[0]] for card in hand) >= bars[1])
        ranks = {card[0] for card in hand}
        matched = MATCHES[sum(card[0] in ranks for card in dealer)]
        for odds in (matched, POKER[hand_name(hand, many_decks=True)]):
            capped += odds * 100 if odds >= 30 else 0
            uncapped += odds * 100 if odds < 30 else 0
    return uncapped + min(25_000, capped)


def test_mhl_13_wins_outside_the_cap_come_on_top_of_it() -> None:
    hands = [["7c", "7d", "7h"]] * 6
    assert max(Counter(card for hand in hands for card in hand).values()) <= 6
    assert matchem_payout(["7s"] * 5, hands) == 25_000 + 6 * (1000 + 1000)
    outside = 1000 + 300 + 1000  # Bet and double, three matches, three of a kind.
    assert exposure(hi_lo(MHL)).round == (25_000 + 6 * outside) * 100


@pytest.mark.random
@pytest.mark.parametrize("ranks", ["7", "7A", "A23", "TJQKA", "23456789TJQKA"])
def test_hi_lo_bound_holds_in_play(ranks: str) -> None:
    random_source = random.Random(SEED)
    shoe = [rank + suit for rank in ranks for suit in "cdhs"] * 6
    bound = exposure(hi_lo(MHL))
    top = 0
    for _ in range(examples(1_500, 4_000)):
        cards = random_source.sample(shoe, 23)
        hands = [cards[index : index + 3] for index in range(5, 23, 3)]
        table = matchem_payout(cards[:5], hands)
        assert table * 100 <= bound.round, (SEED, cards)
        assert matchem_payout(cards[:5], hands[:1]) * 100 <= bound.hand, (SEED, cards)
        top = max(top, table)
    assert len(ranks) > 1 or top > 31_000  # More than the top line of every wager would suggest.


def test_mhl_13_one_hand_can_reach_its_bound() -> None:
    assert (
        matchem_payout(["7s"] * 3 + ["7d", "7c"], [["7h"] * 3]) * 100 == exposure(hi_lo(MHL)).hand
    )


def test_hi_lo_caps_on_bets_and_hands_hold_too() -> None:
    bets = ('per = "round"', 'per = "bet"')
    flat = ('pays_max = "25000"', 'pays_max = "600"')
    every = (
        "\n[limits.counts.lines]\n"
        'matchem-bonus = ["match-5", "match-4"]\n'
        'poker-bonus = ["suited-three-of-a-kind", "straight-flush"]\n',
        "",
    )
    by_bet = exposure(hi_lo(MHL, bets, flat, every))
    assert by_bet.hand == (500 + 500 + 600 + 600) * 100
    by_hand = exposure(hi_lo(MHL, ('per = "round"', 'per = "hand"'), flat, every))
    assert (by_hand.hand, by_hand.round) == (600 * 100, 6 * 600 * 100)
    lines_only = exposure(hi_lo(MHL, bets, flat))
    assert lines_only.hand == (500 + 500 + 600 + 1000) * 100  # Three of a kind has no cap.
