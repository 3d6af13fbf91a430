"""Interruptions of each kind with two to four players left, in every phase."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.house.nights.tournament.step_lines import (
    RULES,
    Evening,
    T,
    counts,
    enter_players,
    out,
    seat_players,
    start_play,
)

from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament.board import results
from pitbook.house.nights.tournament.decide import TournamentAccounts
from pitbook.house.nights.tournament.schedule import TournamentRules
from pitbook.money import money

PLAYERS = ("ann", "bob", "cal", "dee")
CHIPS = {"ann": "400", "bob": "900", "cal": "400", "dee": "1300"}
GONE = ("fay", "eli")  # Eliminated earlier, fay first.
LEFT = (2, 3, 4)


def before_seats(left: int, kind: str) -> Evening:
    return enter_players(*PLAYERS[:left], kind=kind).do(do.AddOn(T, "ann"))


def sitting(left: int, kind: str) -> Evening:
    return seat_players(*PLAYERS[:left], kind=kind).do(do.AddOn(T, "ann"))


def between_hands(left: int, kind: str) -> Evening:
    evening = start_play(*PLAYERS[:left], *GONE, kind=kind).do(do.ReBuy(T, "eli"))
    out(evening, *GONE)
    chip_counts = counts(**{name: CHIPS[name] for name in PLAYERS[:left]})
    return evening.do(do.CountChips(T, 1, chip_counts))


def in_hand(left: int, kind: str) -> Evening:
    return between_hands(left, kind).do(do.BeginRound(T, 1))


def on_break(left: int, kind: str) -> Evening:
    return between_hands(left, kind).do(do.Break(T, 10))


def after_elimination(left: int, kind: str) -> Evening:
    evening = start_play(*PLAYERS[:left], *GONE, kind=kind).do(do.ReBuy(T, "eli"))
    chip_counts = counts(**{name: CHIPS[name] for name in PLAYERS[:left]}, fay="0", eli="0")
    evening.do(do.CountChips(T, 1, chip_counts))
    return evening.do(do.Eliminate(T, ("fay",)), do.Eliminate(T, ("eli",)))


def prizes_partly_paid(left: int, kind: str) -> Evening:
    """One more place is paid than players are left, so eli has a prize."""
    shares = {2: [50, 30, 20], 3: [40, 30, 20, 10], 4: [40, 25, 20, 10, 5]}[left]
    rows = [{"entrants": 2, "shares": [100]}, {"entrants": left + 1, "shares": shares}]
    evening = start_play(*PLAYERS[:left], *GONE, kind=kind, prizes=rows).do(do.ReBuy(T, "eli"))
    out(evening.do(do.PostPrizes(T)), *GONE)
    chip_counts = counts(**{name: CHIPS[name] for name in PLAYERS[:left]})
    return evening.do(do.CountChips(T, 1, chip_counts)).pay()


NOT_BEGUN = (before_seats, sitting)
BEGUN = (between_hands, in_hand, on_break, after_elimination)
Phase = Callable[[int, str], Evening]


def cut(evening: Evening) -> Evening:
    """Interrupt; a hand that could be completed is dead."""
    evening.do(do.Interrupt(T, "power failure"))
    if evening.t.status == "interrupted":
        evening.do(do.RuleHand(T, 1, readable=False))
    return evening


def pay_and_check(evening: Evening, charity_share: str) -> None:
    """Pay everybody and check that the charity has its share and no chip is left."""
    evening.pay()
    assert evening.is_paid
    assert (evening.prizes, evening.charity_balance, evening.cash) == (
        "0.00",
        charity_share,
        charity_share,
    )
    chips = {
        account: cents
        for account, cents in evening.balances.items()
        if account.unit == TournamentAccounts(T).unit
    }
    assert not any(chips.values())


@pytest.mark.parametrize("phase", NOT_BEGUN)
@pytest.mark.parametrize("left", LEFT)
@pytest.mark.parametrize(("kind", "clause"), [("hourly", "OMS-14"), ("multi-table", "OMS-13")])
def test_everything_returns_before_the_first_card(
    phase: Phase, left: int, kind: str, clause: str
) -> None:
    evening = cut(phase(left, kind))
    assert evening.t.status == "void"
    assert evening.facts[-1].clause == clause  # type: ignore[union-attr]
    spent = {"ann": "70.00", "bob": "50.00", "cal": "50.00", "dee": "50.00"}
    assert evening.amounts_owed() == {name: spent[name] for name in PLAYERS[:left]}
    pay_and_check(evening, charity_share="0.00")


@pytest.mark.parametrize("phase", BEGUN)
def test_hourly_with_four_left_is_void(phase: Phase) -> None:
    evening = cut(phase(4, "hourly"))
    assert evening.t.status == "void"
    assert evening.amounts_owed() == dict.fromkeys(PLAYERS, "50.00") | {
        "fay": "50.00",
        "eli": "90.00",
    }
    pay_and_check(evening, charity_share="0.00")


@pytest.mark.parametrize("phase", BEGUN)
@pytest.mark.parametrize(
    ("left", "owed"),
    [
        # Five entered: $240 in 50, 30 and 20 parts; ann and cal have equal chips. Four: $200.
        (3, {"bob": "120.00", "ann": "60.00", "cal": "60.00"}),
        (2, {"bob": "100.00", "ann": "60.00", "eli": "40.00"}),
    ],
)
def test_hourly_with_three_or_two_left_is_placed_by_chips(
    phase: Phase, left: int, owed: dict[str, str]
) -> None:
    evening = cut(phase(left, "hourly"))
    assert evening.t.status == "finished"
    assert evening.amounts_owed() == owed
    pay_and_check(evening, charity_share=f"{10 * (left + 2)}.00")


@pytest.mark.parametrize("phase", BEGUN)
@pytest.mark.parametrize(("left", "part"), [(2, "80.00"), (3, "80.00"), (4, "70.00")])
def test_multi_table_divides_evenly(phase: Phase, left: int, part: str) -> None:
    evening = cut(phase(left, "multi-table"))
    assert evening.t.status == "finished"
    # Of four who entered, eli went out third: $40 of $200.
    third = {"eli": "40.00"} if left == 2 else {}
    assert evening.amounts_owed() == dict.fromkeys(PLAYERS[:left], part) | third
    assert {result.place for result in results(evening.t)[:left]} == {1}
    pay_and_check(evening, charity_share=f"{10 * (left + 2)}.00")


@pytest.mark.parametrize("left", LEFT)
def test_multi_table_divides_unpaid_money(left: int) -> None:
    evening = prizes_partly_paid(left, "multi-table")
    paid = sum(player.paid for player in evening.t.players.values())
    assert paid
    unpaid = evening.t.prize_money - paid
    cut(evening)
    even_share, odd_cents = divmod(unpaid, left)
    assert sorted(player.owed for player in evening.t.players.values() if player.owed) == [
        *[even_share] * (left - odd_cents),
        *[even_share + 1] * odd_cents,
    ]
    pay_and_check(evening, charity_share=f"{10 * (left + 2)}.00")


@pytest.mark.parametrize("left", [2, 3])
def test_hourly_by_chips_pays_the_remaining_places(left: int) -> None:
    evening = cut(prizes_partly_paid(left, "hourly"))
    assert evening.t.status == "finished"
    due = [money(result.due) for result in results(evening.t)]
    assert sum(result.due for result in results(evening.t)) == evening.t.prize_money
    assert due[:2] == (["96.00", "60.00"] if left == 3 else ["100.00", "60.00"])
    pay_and_check(evening, charity_share=f"{10 * (left + 2)}.00")


def test_hourly_void_deducts_prizes_already_paid() -> None:
    evening = prizes_partly_paid(4, "hourly")
    eli = evening.t.players["eli"]
    assert (money(eli.spent), money(eli.paid)) == ("90.00", "14.00")
    cut(evening)
    assert evening.amounts_owed() == dict.fromkeys(PLAYERS, "50.00") | {
        "fay": "50.00",
        "eli": "76.00",
    }
    pay_and_check(evening, charity_share="0.00")


def test_prize_above_its_players_spending_reduces_the_returns() -> None:
    rows = [{"entrants": 2, "shares": [100]}, {"entrants": 5, "shares": [10, 10, 10, 10, 60]}]
    evening = start_play(*PLAYERS, "eli", prizes=rows).do(do.PostPrizes(T))
    out(evening, "eli").pay()
    assert money(evening.t.players["eli"].paid) == "120.00"
    cut(evening)
    assert evening.amounts_owed() == dict.fromkeys(PLAYERS, "32.50")  # $250 less $120, over four.
    pay_and_check(evening, charity_share="0.00")


def test_unpaid_prize_is_void() -> None:
    rows = [{"entrants": 2, "shares": [100]}, {"entrants": 5, "shares": [10, 10, 10, 10, 60]}]
    evening = out(start_play(*PLAYERS, "eli", prizes=rows).do(do.PostPrizes(T)), "eli")
    assert evening.amounts_owed() == {"eli": "120.00"}
    cut(evening)
    assert evening.amounts_owed() == dict.fromkeys((*PLAYERS, "eli"), "50.00")
    pay_and_check(evening, charity_share="0.00")


def test_completed_hand_may_leave_one_player_or_none() -> None:
    for zero, owed in ((("ann",), {"bob": "80.00"}), (("ann", "bob"), {"ann": "40.00"})):
        evening = start_play("ann", "bob", kind="multi-table").do(do.BeginRound(T, 1))
        evening.do(do.Interrupt(T, "fire"), do.RuleHand(T, 1, readable=True, agreed=("ann", "bob")))
        evening.do(do.CountChips(T, 1, counts(**dict.fromkeys(zero, "0"))))
        assert evening.amounts_owed() == owed | ({"bob": "40.00"} if len(zero) == 2 else {})
        pay_and_check(evening, charity_share="20.00")


def test_each_table_has_its_own_ruling() -> None:
    evening = start_play(*PLAYERS, kind="multi-table", seats=2)
    first, second = evening.t.tables.values()
    evening.do(do.BeginRound(T, 1), do.BeginRound(T, 2), do.Interrupt(T, "fire"))
    evening.do(do.RuleHand(T, 1, readable=True, agreed=tuple(first)))
    assert "is neither finished nor dead" in evening.no(do.SettleInterruption(T)).message
    assert "The hand at table" in evening.no(do.RuleHand(T, 1, readable=False)).message
    assert "is not at table" in evening.no(do.RuleHand(T, 2, True, tuple(first))).message
    evening.do(do.CountChips(T, 1, counts(**{first[0]: "0"})))
    assert evening.t.status == "interrupted"
    evening.do(do.RuleHand(T, 2, readable=True, agreed=(second[0],)))
    assert set(evening.amounts_owed()) == {first[1], *second}
    pay_and_check(evening, charity_share="40.00")


def test_player_without_chips_is_out() -> None:
    evening = start_play(*PLAYERS, kind="multi-table").do(do.CountChips(T, 1, counts(dee="0")))
    cut(evening)
    assert set(evening.amounts_owed()) == {"ann", "bob", "cal"}


def test_clock_stops_during_an_interruption() -> None:
    evening = start_play(*PLAYERS, kind="multi-table").do(do.BeginRound(T, 1)).wait(3)
    evening.do(do.Interrupt(T, "fire"))
    assert evening.t.clock is not None
    assert (evening.t.clock.elapsed.seconds, evening.t.clock.since) == (180, None)


@pytest.mark.parametrize(
    "command", [do.Enter(T, "zoe"), do.BeginRound(T, 1), do.Finish(T), do.Interrupt(T, "again")]
)
def test_other_commands_are_refused_during_an_interruption(command: do.Command) -> None:
    evening = start_play(*PLAYERS, kind="multi-table").do(
        do.BeginRound(T, 1), do.Interrupt(T, "fire")
    )
    assert "suspended" in evening.no(command).message
    assert "No round can be played now" in evening.no(do.CountChips(T, 1, counts(ann="5"))).message


def test_an_interruption_can_be_undone_and_settled_again() -> None:
    evening = between_hands(4, "hourly")
    before = evening.t._replace(version=0)
    evening.do(do.Interrupt(T, "false alarm"))
    evening.do(do.Undo(T, evening.t.past[-1][0]))
    status_before = str(evening.t.status)
    evening.do(do.SettleInterruption(T))
    assert (status_before, evening.t.status) == ("interrupted", "void")
    evening.do(do.Undo(T, evening.t.past[-1][0]), do.Undo(T, evening.t.past[-2][0]))
    assert evening.t._replace(version=0) == before


def rules_with(**changed: Any) -> TournamentRules:
    """Oceanfront's rules with one table changed."""
    ((name, values),) = changed.items()
    return RULES.model_copy(update={name: getattr(RULES, name).model_copy(update=values)})


@pytest.mark.parametrize(("drawn", "best"), [(0, "cal"), (1, "ann")])
def test_house_may_draw_for_places_of_equal_chips(drawn: int, best: str) -> None:
    evening = between_hands(3, "hourly")  # bob has 900, ann and cal have 400 each.
    evening.draw, evening.rules = lambda _: drawn, rules_with(hourly={"equal_chips": "draw"})
    evening.do(do.Interrupt(T, "x"))
    ended: Any = evening.facts[-1]
    assert ended.drawn == (drawn,)
    assert [len(group) for group in ended.groups] == [1, 1, 1]
    assert [result.player for result in results(evening.t)][:2] == ["bob", best]
    total_due = sum(player.due for player in evening.t.players.values())
    assert total_due == evening.t.prize_money


def test_a_house_may_divide_by_chips() -> None:
    evening = between_hands(3, "multi-table")
    evening.rules = rules_with(multi_table={"divided": "by-chips", "odd_cents": "first-entered"})
    evening.do(do.Interrupt(T, "x"))
    prize_money, chips = evening.t.prize_money, {"ann": 400, "bob": 900, "cal": 400}
    parts = {name: prize_money * count // 1_700 for name, count in chips.items()}
    for name in list(parts)[: prize_money - sum(parts.values())]:
        parts[name] += 1
    assert evening.amounts_owed() == {name: money(part) for name, part in parts.items()}
    ended: Any = evening.facts[-1]
    assert ended.drawn == ()


@pytest.mark.parametrize("paused", [True, False])
def test_paused_clock_stays_paused_after_an_interruption(paused: bool) -> None:
    evening = start_play("ann", "bob", "cal", "dee", kind="multi-table").do(do.BeginRound(T, 1))
    evening.do(*((do.PauseClock(T),) if paused else ()))
    for tables in ((1,), (1, 2)):
        evening.do(do.Stopped(T, evening.now, "power", tables))
    evening.do(do.GoOn(T))
    assert evening.t.clock is not None
    assert (evening.t.clock.since is None) is paused
