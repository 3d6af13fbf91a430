"""Rounds, counts and eliminations: what the floor may record, and what it moves."""

from __future__ import annotations

import pytest
from tests.house.nights.tournament.step_lines import (
    T,
    counts,
    enter_players,
    out,
    seat_players,
    start_play,
)

from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament.decide import TournamentAccounts
from pitbook.money import Cents
from pitbook.rules.refusals import Code

FOUR = ("ann", "bob", "cal", "dee")


def test_two_players_with_seats_start() -> None:
    assert "two players" in seat_players("ann").no(do.Start(T)).message
    evening = enter_players("ann", "bob").do(do.Announce(T))
    assert evening.no(do.Start(T)).message == "ann has no seat. Draw seats first."
    evening.do(do.DrawSeats(T))
    assert "with the first card or later" in evening.no(do.StartClock(T)).message
    evening.do(do.Start(T))
    assert "has already started" in evening.no(do.Start(T)).message


@pytest.mark.parametrize(
    "command",
    [
        do.BeginRound(T, 1),
        do.CountChips(T, 1, ()),
        do.Eliminate(T, ("ann",)),
        do.PostPrizes(T),
        do.Finish(T),
    ],
)
def test_play_commands_are_refused_before_the_first_card(command: do.Command) -> None:
    assert seat_players(*FOUR).no(command).message == "gala.t1 is open. No round can be played now."


def test_a_round_ends_with_its_count() -> None:
    evening = start_play(*FOUR).do(do.BeginRound(T, 1))
    for command in (do.BeginRound(T, 1), do.Eliminate(T, ("ann",)), do.Finish(T)):
        assert "Count its chips first" in evening.no(command).message
    evening.do(do.CountChips(T, 1, ()), do.BeginRound(T, 1))
    assert evening.no(do.BeginRound(T, 2)).code is Code.UNKNOWN_PLACE


def test_count_moves_wins_and_losses() -> None:
    evening = start_play(*FOUR).do(do.CountChips(T, 1, counts(ann="1500", bob="0.01")))
    accounts = TournamentAccounts(T)
    assert [evening.has(accounts.wallet(name)) for name in FOUR[:3]] == [
        "1500.00",
        "0.01",
        "1000.00",
    ]
    assert evening.has(accounts.table) == "499.99"


def test_count_by_a_live_table_books_no_transfer() -> None:
    evening = start_play(*FOUR)
    balances_before = dict(evening.balances)
    evening.do(do.CountChips(T, 1, counts(ann="1500"), in_book=True))
    assert evening.balances == balances_before
    assert evening.t.players["ann"].chips == 150_000


@pytest.mark.parametrize(
    ("chip_counts", "message"),
    [
        ((("zoe", Cents(1)),), "zoe is not at table 1."),
        ((("ann", Cents(-1)),), "ann cannot have"),
        ((("ann", Cents(1)), ("ann", Cents(2))), "counted twice"),
    ],
)
def test_counts_are_checked(chip_counts: tuple[tuple[str, Cents], ...], message: str) -> None:
    evening = start_play(*FOUR)
    assert message in evening.no(do.CountChips(T, 1, chip_counts)).message
    assert "is empty" in evening.no(do.CountChips(T, 7, ())).message


def test_eliminated_player_gives_up_seat_and_chips() -> None:
    evening = start_play(*FOUR).do(do.Eliminate(T, ("dee",)))
    assert evening.t.players["dee"].seat is None
    assert evening.has(TournamentAccounts(T).wallet("dee")) == "0.00"
    assert evening.t.still_in == ["ann", "bob", "cal"]
    for command in (do.Eliminate(T, ("dee",)), do.ReBuy(T, "dee")):
        assert "dee has been eliminated" in evening.no(command).message


@pytest.mark.parametrize("players", [(), ("ann", "ann")])
def test_eliminated_players_are_named_once(players: tuple[str, ...]) -> None:
    assert (
        "List each eliminated player once" in start_play(*FOUR).no(do.Eliminate(T, players)).message
    )


def test_last_player_wins() -> None:
    evening = out(start_play("ann", "bob"), "bob").do(do.Finish(T))
    assert evening.amounts_owed() == {"ann": "80.00"}
