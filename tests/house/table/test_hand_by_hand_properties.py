"""Paying hands one at a time gives the same result to the cent."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.house.table.kit import DEALER, SUPERVISOR, Live
from tests.lanes import examples
from tests.random_sheets.sheets import sheets
from tests.rules.random_rounds import known_sheets, play

from pitbook.cards import Card
from pitbook.house.table import commands
from pitbook.house.table.decide import Decision
from pitbook.money import Cents
from pitbook.rules.actions import Settle
from pitbook.rules.result_json import report
from pitbook.rules.round import Round
from pitbook.rules.round_progress import next_turn
from pitbook.rules.stored_rounds import replay
from pitbook.sheets.model import Sheet

pytestmark = pytest.mark.long

RICH = "20000000"
lucks = st.randoms(use_true_random=True)


def example_settings(quick: int, whole: int) -> settings:
    many = examples(quick, whole)
    return settings(max_examples=many, suppress_health_check=[HealthCheck.too_slow])


def in_one_go(sheet: Sheet, luck: Random) -> Round:
    """The same round settled after all hands are known."""
    played = play(sheet, luck)
    acts = [Settle() if isinstance(action, Settle) else action for action in played.actions]
    first = next(at for at, action in enumerate(acts) if isinstance(action, Settle))
    late = [action for action in acts[first:] if not isinstance(action, Settle)]
    settles = [action for action in acts[first:] if isinstance(action, Settle)]
    return replay(played.states[0], [*acts[:first], *late, *settles])


def dealt_again(over: Round) -> Live:
    """The same round with a live dealer, up to its settlement."""
    live = Live(over.game.sheet, "typed")
    for player in {seat.player for seat in over.seats}:
        live.buy_in(player, RICH)
    for seat in over.seats:
        live.do(DEALER, commands.Sit(seat.number, seat.player))
    for seat in over.seats:
        main = seat.main[:1]
        for wager, amount in (*main, *seat.side):
            live.do(DEALER, commands.PutWager(seat.number, wager, Cents(amount)))
    live.do(DEALER, commands.CloseBetting())
    while live.round.phase == "play":
        for number in live.round.waiting:
            plays = next(seat.plays for seat in over.seats if seat.number == number)
            live.do(DEALER, commands.Decide(number, plays[live.round.stage]))
        turn_on(live, over)
    return live


def turn_on(live: Live, over: Round) -> None:
    """Turn the common cards up to a decision, and hands if they come next."""
    while live.round.phase == "play" and not live.round.waiting:
        place = next_turn(live.round)
        if place is not None:
            turned, every = live.round.common[-place], over.common[-place]
        else:
            seat = next(seat for seat in live.round.seats if len(seat.cards) < seat.cards_dealt)
            place, turned, every = seat.number, seat.cards, dealt_to(over, seat.number)
        live.do(DEALER, commands.TypeCard(place, every[len(turned)]))


def dealt_to(over: Round, number: int) -> tuple[Card, ...]:
    return next(seat.cards for seat in over.seats if seat.number == number)


def open_hands(live: Live, over: Round, luck: Random) -> Iterator[Live]:
    """Type cards mostly in paying order, and settle hands as early as possible."""
    while live.round.phase == "settle":
        settled = live.ask(DEALER, commands.Settle())
        if isinstance(settled, Decision):
            live.take(settled)
        else:
            to_come = [number for number, _ in live.round.to_settle[live.round.steps_settled :]]
            closed = [
                seat_number
                for seat_number in dict.fromkeys(to_come)
                if needs_cards(live, seat_number)
            ]
            first = closed[0] if luck.random() < 0.7 else luck.choice(closed)
            seat, live_seat = over.seat(first), live.round.seat(first)
            assert seat is not None
            assert live_seat is not None
            for card in seat.cards[len(live_seat.cards) :]:
                live.do(DEALER, commands.TypeCard(first, card))
        yield live


def needs_cards(live: Live, number: int) -> bool:
    seat = live.round.seat(number)
    assert seat is not None
    return len(seat.cards) < seat.cards_dealt and live.round.game.looks_at_hand(seat)


def wallets(live: Live) -> dict[str, int]:
    return {account.name: cents for account, cents in live.book.items() if account.kind == "wallet"}


@example_settings(25, 60)
@given(st.one_of(st.sampled_from(known_sheets()), sheets()), lucks)
def test_gen_4_hand_by_hand_payouts_equal_settling_all_at_once(sheet: Sheet, luck: Random) -> None:
    over = in_one_go(sheet, luck)
    live = dealt_again(over)
    for _ in open_hands(live, over, luck):
        live.sound()
    expected, actual = report(over), report(live.round)
    assert {**actual, "notes": []} == {**expected, "notes": []}
    for seat in over.seats:
        mine = [own_seat for own_seat in over.seats if own_seat.player == seat.player]
        nets = {settlement.seat: settlement.net for settlement in over.settlements}
        assert wallets(live)[seat.player] == int(RICH) * 100 + sum(
            nets[own_seat.number] for own_seat in mine
        )


@example_settings(25, 60)
@given(st.one_of(st.sampled_from(known_sheets()), sheets()), lucks)
def test_gen_6_misdeal_at_any_step_reverses_everything(sheet: Sheet, luck: Random) -> None:
    over = in_one_go(sheet, luck)
    live = dealt_again(over)
    paid = None
    for _ in open_hands(live, over, luck):
        if live.round.phase == "settle" and luck.random() < 0.3:
            paid = live.round.paid
            live.do(DEALER, commands.Misdeal("a boxed card"))
            break
    live.sound()
    rule = sheet.irregularities.misdeal
    if paid is None or live.round.ending != "misdeal":
        return
    assert live.held == 0
    if rule.returns == "every-wager" and sheet.irregularities.misdeal_over_offence.value:
        assert set(wallets(live).values()) == {int(RICH) * 100}
    # A wager that a fold lost may stay lost, where the sheet says so.
    gone = set(paid) - set(live.round.results)
    assert bool(gone) == any(fact["fact"] == "taken-back" for fact in live.facts_json)


@example_settings(25, 60)
@given(st.one_of(st.sampled_from(known_sheets()), sheets()), lucks)
def test_gen_6_settled_hands_stand_when_the_rest_is_dead(sheet: Sheet, luck: Random) -> None:
    over = in_one_go(sheet, luck)
    live = dealt_again(over)
    for _ in open_hands(live, over, luck):
        if live.round.phase == "settle" and luck.random() < 0.3:
            paid = live.round.paid
            live.do(SUPERVISOR, commands.Interrupt("alarm"))
            if live.state.awaiting is None:
                continue
            closed = [seat.player for seat in live.round.seats if needs_cards(live, seat.number)]
            players_asked = set(live.state.awaiting)
            assert set(closed) <= players_asked
            done = {n for n, _ in paid} - {n for n, _ in live.round.to_settle[len_settled(live) :]}
            assert not players_asked & {
                seat.player for seat in over.seats if seat.number in done
            } - {seat.player for seat in over.seats if seat.number not in done}
            live.do(SUPERVISOR, commands.Unreadable())
            assert (live.round.ending, live.held) == ("dead", 0)
            assert set(paid) <= set(live.round.results)
            break
    live.sound()


def len_settled(live: Live) -> int:
    return live.round.steps_settled
