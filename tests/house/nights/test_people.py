"""One person under any spelling of the name: limits, wallets and exclusions (OMS-12)."""

from __future__ import annotations

import pytest
from tests.house.nights.kit import Evening
from tests.house.nights.tournament.step_lines import schedule

from pitbook.house.ledger.accounts import move
from pitbook.house.nights import commands as do
from pitbook.house.nights.facts import SlipBooked, dump
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.people import roster_store
from pitbook.house.people.roster import NameAdded
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Code, Refusal

T = "gala.t1"
CYRILLIC = "zоe"  # The middle letter is Cyrillic.
WHOLLY = "сосо"  # All Cyrillic; it looks like coco.


@pytest.fixture(name="t1")
def a_tournament(evening: Evening) -> Evening:
    costs = {"costs": "100", "fee": "10", "chips": "1000"}
    evening.must(floor.SetUp(T, schedule(buy_in=costs)))
    return evening


@pytest.mark.parametrize("spelling", ["Zoe", "ZOE", "zoe", "ｚｏｅ", "z\u1d52e"])
def test_oms_12_one_person_spends_150_however_the_name_is_written(
    t1: Evening, spelling: str
) -> None:
    t1.must(floor.Enter(T, "zoe"))
    answer = t1.ask(floor.Enter(T, spelling))
    spent = sum(player.spent for player in t1.state.tournaments[T].players.values())
    assert isinstance(answer, Refusal), f"zoe and {spelling} spent ${spent / 100:.0f}"
    assert answer.message == "zoe has already entered gala.t1."


def test_oms_12_look_alike_name_of_another_script_is_refused(t1: Evening) -> None:
    t1.must(floor.Enter(T, "zoe"))
    assert "mixes Cyrillic and Latin letters" in t1.no(floor.Enter(T, CYRILLIC)).message
    t1.must(floor.Enter(T, "coco"))
    refusal = t1.no(floor.Enter(T, WHOLLY))
    assert refusal.code is Code.FORBIDDEN
    assert 'looks like "coco", who is already known. Write "coco"' in refusal.message
    assert refusal.message.endswith('"coco (2)" for someone else.')
    t1.must(floor.Enter(T, "coco (2)"))


def test_oms_12_spending_limit_counts_per_person(
    t1: Evening,
) -> None:
    t1.must(floor.Enter(T, "zoe"))
    t1.must(floor.AddOn(T, "ZOE"))
    assert list(t1.state.tournaments[T].players) == ["zoe"]
    assert t1.state.tournaments[T].players["zoe"].spent == dollars("120")
    t1.must(floor.Refund(T, "Zoe"))
    assert not t1.state.tournaments[T].players


def test_oms_12_two_spellings_in_an_old_ledger_count_together(evening: Evening) -> None:
    """Older facts: zoe spent $100, and Zoe, the same person, is recorded as well."""
    costs = {"costs": "100", "fee": "10", "chips": "1000"}
    evening.must(floor.SetUp(T, schedule(buy_in=costs)))
    evening.must(floor.Enter(T, "zoe"))
    persons = evening.night._persons
    persons._write(lambda _: [NameAdded("Zoe")], actor="")
    refusal = evening.no(floor.Enter(T, "Zoe"))
    assert (refusal.code, refusal.clause) == (Code.ABOVE_MAXIMUM, "OMS-12")
    assert "Zoe has $50 left of the $150 spending limit. The buy-in costs $100" in refusal.message


def test_player_with_an_odd_name_in_an_old_ledger_is_paid(evening: Evening) -> None:
    accounts, amount = evening.state.accounts, dollars("20")
    transfers = (
        move(accounts.cash, accounts.sales, amount, "sold"),
        move(accounts.issued, accounts.wallet(CYRILLIC), amount, "sold"),
    )
    at = "2026-11-21T20:00:00+00:00"
    slip = SlipBooked(1, "sold", CYRILLIC, amount, Cents(0), at, "kim")
    evening.ledger.append("night/gala", evening.ledger.claim("night/gala"), [dump(slip)], transfers)
    roster_store._INSTANCES.pop(
        evening.ledger
    )  # Read for the first time, as by a process of today.
    evening.night = evening.another()
    assert evening.redeem(CYRILLIC, "20") == 2


def test_chips_are_sold_to_and_redeemed_by_one_person(evening: Evening) -> None:
    evening.sell("zoe", "20")
    evening.sell("ZOE", "20")
    assert evening.chips("zoe") == "40.00"
    evening.redeem("Ｚoe", "40")
    assert [slip.player for slip in evening.state.slips] == ["zoe"] * 3


def test_repeated_request_in_another_spelling_is_recognized(evening: Evening) -> None:
    first = evening.must(do.Sell("zoe", dollars("20")), request="r1")
    assert evening.must(do.Sell("zoe", dollars("20")), request="r1") == first
    assert evening.no(do.Sell("Zoe", dollars("20")), request="r1").code is Code.REQUEST_REUSED


def test_two_processes_sell_to_one_person(evening: Evening) -> None:
    other = evening.another()
    evening.sell("zoe", "20")
    other.give(do.Sell("Zoe", dollars("20")), actor="lee")
    assert evening.chips("zoe") == "40.00"
    assert isinstance(other.give(do.Sell("Zoë", dollars("20")), actor="lee"), Refusal)


# Exclusion ---------------------------------------------------------------------------------------


def exclude(evening: Evening, name: str, until: str | None = "2026-11-21") -> None:
    evening.night._persons.exclude(
        name, until=until, why="asked for it", actor="sue", now=evening.now
    )


def test_excluded_person_cannot_buy_or_enter_and_is_paid_out(t1: Evening) -> None:
    t1.sell("zoe", "20")
    t1.must(floor.Enter(T, "zoe"))
    exclude(t1, "Zoe")
    for command in (
        do.Sell("ZOE", dollars("20")),
        floor.CheckIn(T, "zoe"),
        floor.AddOn(T, "Zoe"),
        floor.ReBuy(T, "zoe"),
        floor.DrawSeats(T),
    ):
        refusal = t1.no(command)
        assert refusal.code is Code.EXCLUDED
        assert "zoe is excluded until the end of 2026-11-21" in refusal.message
    draw_refusal = t1.no(floor.DrawSeats(T))
    assert draw_refusal.message.endswith("Refund zoe before the seat draw.")
    t1.redeem("zoe", "20")
    t1.must(floor.Refund(T, "zoe"))


def test_unknown_person_can_be_excluded(t1: Evening) -> None:
    exclude(t1, "Max Muster", None)
    refusal = t1.no(floor.Enter(T, "max muster"))
    assert "Max Muster is permanently excluded" in refusal.message
    assert "looks like" in t1.no(floor.Enter(T, "Max Müster")).message


def test_prizes_are_paid_to_an_excluded_winner(t1: Evening) -> None:
    for name in ("ann", "zoe"):
        t1.must(floor.Enter(T, name))
    for command in (floor.Announce(T), floor.DrawSeats(T), floor.Start(T)):
        t1.must(command)
    t1.must(floor.Eliminate(T, ("ann",)))
    t1.must(floor.Finish(T))
    exclude(t1, "zoe")
    assert dump(t1.must(floor.PayOut(T, "ZOE")).facts[0])["player"] == "zoe"


def test_exclusion_ends_after_its_last_day(evening: Evening) -> None:
    exclude(evening, "zoe")
    assert evening.no(do.Sell("zoe", dollars("20"))).code is Code.EXCLUDED
    evening.later(hours=3, minutes=59, seconds=59)
    assert evening.no(do.Sell("zoe", dollars("20"))).code is Code.EXCLUDED
    evening.later(seconds=1)
    evening.sell("zoe", "20")
