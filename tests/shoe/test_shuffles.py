"""Our shuffle passes statistical checks that reject shuffles known to be bad."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from tests.chaos.results import result
from tests.shoe.shuffles import (
    CHECKS,
    HANDS,
    QUICK,
    SEED,
    SHUFFLES,
    SLOW,
    RandomNumbers,
    Row,
    first_numbers,
    judge,
    key_of,
    ours,
    shuffle_findings,
)

from pitbook.shoe.dealing import Dealing

BAD = [name for name in SHUFFLES if name != "ours"]


def assert_only_ours_is_fair(rows: Sequence[Row]) -> None:
    expected = {
        (name, check): "fair" if name == "ours" else "rejected"
        for name in SHUFFLES
        for check in CHECKS
    }
    verdicts = {(row.shuffle, row.check): row.verdict for row in rows}
    assert verdicts == expected, f"seed {SEED}: {rows}"


@pytest.mark.long
def test_ours_is_fair_and_every_check_rejects_every_bad_shuffle() -> None:
    assert_only_ours_is_fair(shuffle_findings(QUICK, SEED))


@pytest.mark.slow
def test_ours_is_fair_in_ten_million_shuffles() -> None:
    rows = shuffle_findings(SLOW, SEED)
    for row in rows:
        bounds = f"{row.least:,.0f} to {row.most:,.0f}"
        summary = f"{row.check}: {row.statistic:,.0f}, fair is {bounds}: {row.verdict}"
        result(f"shuffles, {row.shuffle}", on="one deck", count=SLOW, what=summary, seed=SEED)
    assert_only_ours_is_fair(rows)


def test_the_batch_deals_what_a_shoe_deals() -> None:
    keys = [key_of(number, SEED) for number in range(300)]
    dealt = ours(RandomNumbers(np.stack([first_numbers(key) for key in keys])))
    for key, row in zip(keys, dealt.tolist(), strict=True):
        shoe = Dealing(key, decks=1)
        assert [shoe.draw() for _ in range(52)] == row


def test_the_batch_rejects_numbers_as_a_shoe_does() -> None:
    """65,535 is rejected at most sizes: three in a row, then the numbers that follow."""
    numbers = np.arange(64, dtype=np.uint16)
    numbers[[0, 1, 2, 20]] = 65_535
    shoe = Dealing(bytes(32), decks=1)
    shoe._numbers = iter(numbers.tolist())
    assert ours(RandomNumbers(numbers[None]))[0].tolist() == [shoe.draw() for _ in range(52)]


def test_hand_classes_are_all_hands_there_are() -> None:
    assert sum(HANDS.values()) == 2_598_960
    assert len(HANDS) == 22


@pytest.mark.parametrize("name", BAD)
def test_bad_shuffles_deal_every_card_once_too(name: str) -> None:
    """Bad shuffles are complete permutations; only statistics can tell them apart."""
    numbers = np.stack([first_numbers(key_of(number, SEED)) for number in range(50)])
    dealt = SHUFFLES[name](RandomNumbers(numbers))
    assert (np.sort(dealt, axis=1) == np.arange(52)).all()


def test_too_even_shuffles_are_rejected_too() -> None:
    for statistic, verdict in ((2000.0, "rejected"), (2601.0, "fair"), (3300.0, "rejected")):
        assert judge(np.array([statistic, 2601.0]), 2601)[3] == verdict
    worst, least, most, _ = judge(np.array([2000.0, 2700.0]), 2601)
    assert (worst, round(least), round(most)) == (2000.0, 2121, 3125)
