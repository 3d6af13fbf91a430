"""Places and prizes: shares by entrants, ties, odd cents, and all of it paid out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.house.nights.tournament.step_lines import Evening, T, counts, out, start_play, total

from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament.board import results
from pitbook.house.nights.tournament.prizes import award_prizes, split_money
from pitbook.money import Cents, money
from pitbook.rules.refusals import Code

FOUR = ("ann", "bob", "cal", "dee")


def dues(evening: Evening) -> list[tuple[int | None, str, str]]:
    return [(result.place, result.player, money(result.due)) for result in results(evening.t)]


def test_a_tournament_from_entry_to_payout() -> None:
    evening = out(start_play(*FOUR), "dee", "cal", "bob").do(do.Finish(T)).pay()
    assert dues(evening) == [
        (1, "ann", "80.00"),
        (2, "bob", "48.00"),
        (3, "cal", "32.00"),
        (4, "dee", "0.00"),
    ]
    assert (evening.cash, evening.prizes, evening.charity_balance) == ("40.00", "0.00", "40.00")
    assert evening.is_paid
    assert evening.no(do.PayOut(T, "ann")).code is Code.NOT_COVERED
    assert evening.no(do.PayOut(T, "zoe")).code is Code.UNKNOWN_SEAT
    assert evening.no(do.Enter(T, "zoe")).code is Code.OVER


@pytest.mark.parametrize(("entrants", "paid"), [(2, 1), (3, 1), (4, 3), (5, 3)])
def test_prize_table_depends_on_entrants(entrants: int, paid: int) -> None:
    evening = start_play(*FOUR, "eli") if entrants == 5 else start_play(*FOUR[:entrants])
    evening.do(do.PostPrizes(T))
    assert evening.t.posted is not None
    assert len(evening.t.posted) == paid
    assert sum(evening.t.posted) == evening.t.prize_money == entrants * 4000


def test_odd_cents_of_the_table_go_to_the_largest_remainder() -> None:
    rows = [{"entrants": 2, "shares": [50, 50]}, {"entrants": 3, "shares": [34, 33, 33]}]
    evening = start_play("ann", "bob", "cal", prizes=rows, buy_in={"costs": "33.34", "chips": "1"})
    evening.do(do.PostPrizes(T))
    assert evening.t.posted == (3401, 3301, 3300)  # Of $100.02: 34.0068, 33.0066, 33.0066.
    evening = start_play("ann", "bob", "cal", prizes=rows).do(do.ReBuy(T, "ann"), do.PostPrizes(T))
    assert evening.t.posted == (5440, 5280, 5280)


def test_players_eliminated_together_share() -> None:
    evening = out(start_play(*FOUR), "dee").do(do.PostPrizes(T))
    evening.do(do.CountChips(T, 1, counts(bob="0", cal="0")), do.Eliminate(T, ("bob", "cal")))
    assert evening.amounts_owed() == {"bob": "40.00", "cal": "40.00"}
    evening.do(do.Finish(T))
    assert [result_row[0] for result_row in dues(evening)] == [1, 2, 2, 4]


def test_last_two_may_be_eliminated_together() -> None:
    evening = out(start_play(*FOUR), "dee", "cal")
    evening.do(do.Eliminate(T, ("ann", "bob")), do.Finish(T))
    assert evening.amounts_owed() == {"ann": "64.00", "bob": "64.00", "cal": "32.00"}


def test_places_shift_and_prizes_wait_while_entries_are_open() -> None:
    evening = start_play("ann", "bob", "cal", enter_until_level=1)
    out(evening, "cal")
    assert evening.facts[-1].place == 3  # type: ignore[union-attr]
    evening.do(do.Enter(T, "dee"), do.Enter(T, "eli"), do.DrawSeats(T), do.PostPrizes(T))
    assert dues(evening)[-1] == (5, "cal", "0.00")
    assert not evening.amounts_owed()


def test_prizes_already_decided_are_due_when_they_are_posted() -> None:
    evening = out(start_play(*FOUR), "dee", "cal").do(do.PostPrizes(T))
    assert evening.amounts_owed() == {"cal": "32.00"}
    assert "are already posted" in evening.no(do.PostPrizes(T)).message


def test_clock_may_end_the_tournament_by_chips() -> None:
    evening = start_play(*FOUR, ends="clock").do(do.CountChips(T, 1, counts(ann="1", bob="5000")))
    evening.wait(44.9)
    assert "last level is not over" in evening.no(do.Finish(T)).message
    evening.wait(0.1).do(do.Finish(T))
    assert dues(evening) == [
        (1, "bob", "80.00"),
        (2, "cal", "40.00"),
        (2, "dee", "40.00"),
        (4, "ann", "0.00"),
    ]


def test_tournament_otherwise_ends_with_one_player() -> None:
    evening = start_play(*FOUR).wait(500)
    assert "4 players. It ends when one player is left" in evening.no(do.Finish(T)).message
    out(evening, "dee", "cal")
    assert "2 players. It ends when one player is left" in evening.no(do.Finish(T)).message
    out(evening, "bob").do(do.Finish(T))


@given(st.integers(0, 10_000), st.integers(1, 30), st.randoms(use_true_random=False))
def test_even_parts_differ_by_a_cent_and_add_up(
    cents: int, heads: int, random_source: object
) -> None:
    names = [f"p{n}" for n in range(heads)]
    share = split_money(Cents(cents), names, random_source.randrange)  # type: ignore[attr-defined]
    assert total(share.awards) == money(cents)
    parts = [amount for _, amount in share.awards] + [0] * (heads - len(share.awards))
    assert max(parts) - min(parts) <= 1
    assert len(share.drawn) == cents % heads


def test_drawn_number_decides() -> None:
    names = ("ann", "bob", "cal")
    for number, lucky in enumerate(names):
        share = split_money(Cents(100), names, lambda _, n=number: n)  # type: ignore[misc]
        assert dict(share.awards)[lucky] == 34
        assert share.drawn == (number,)


def test_odd_cents_may_go_to_who_entered_first() -> None:
    share = split_money(Cents(101), ("ann", "bob", "cal"), lambda _: 2, odd_cents="first-entered")
    assert share.awards == (("ann", 34), ("bob", 34), ("cal", 33))
    assert share.drawn == ()


@given(
    st.integers(0, 10_000),
    st.lists(st.integers(1, 50_000), min_size=1, max_size=30),
    st.randoms(use_true_random=False),
)
def test_shares_by_chips_add_up_to_the_cent(
    cents: int, chips: list[int], random_source: object
) -> None:
    names = [f"p{n}" for n in range(len(chips))]
    draw = random_source.randrange  # type: ignore[attr-defined]
    share = split_money(Cents(cents), names, draw, weights=chips)
    assert total(share.awards) == money(cents)
    has = dict(share.awards)
    for name, weight in zip(names, chips, strict=True):
        assert 0 <= has.get(name, 0) * sum(chips) - cents * weight + sum(chips) <= 2 * sum(chips)


def test_unpaid_places_share_only_when_tied_with_paid_ones() -> None:
    prizes = (Cents(100), Cents(51))
    share = award_prizes(prizes, [(("ann",), 3), (("bob", "cal"), 2)], lambda _: 1)
    assert share.awards == (("bob", 25), ("cal", 26))
