"""However the cards fall and hands are opened: paid one by one, it comes to the same cent."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.generated_sheets import sheets
from tests.house.table.kit import DEALER, SUPERVISOR, Live
from tests.lanes import examples
from tests.rules.rounds.play import known_sheets, play

from pitbook.cards import Card
from pitbook.house.table import commands
from pitbook.house.table.decide import Decision
from pitbook.money import Cents
from pitbook.rules.actions import Settle
from pitbook.rules.flow import next_turn
from pitbook.rules.report import report
from pitbook.rules.round import Round
from pitbook.rules.stored import replay
from pitbook.sheets.model import Sheet

pytestmark = pytest.mark.long

RICH = "20000000"
lucks = st.randoms(use_true_random=True)


def tried(quick: int, whole: int) -> settings:
    many = examples(quick, whole)
    return settings(max_examples=many, suppress_health_check=[HealthCheck.too_slow])


def in_one_go(sheet: Sheet, luck: Random) -> Round:
    """A round that is settled when every hand is known."""
    played = play(sheet, luck)
    acts = [Settle() if isinstance(one, Settle) else one for one in played.actions]
    first = next(at for at, one in enumerate(acts) if isinstance(one, Settle))
    late = [one for one in acts[first:] if not isinstance(one, Settle)]
    settles = [one for one in acts[first:] if isinstance(one, Settle)]
    return replay(played.states[0], [*acts[:first], *late, *settles])


def dealt_again(over: Round) -> Live:
    """The same round where a person deals, up to its settlement."""
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
            plays = next(one.plays for one in over.seats if one.number == number)
            live.do(DEALER, commands.Decide(number, plays[live.round.stage]))
        turn_on(live, over)
    return live


def turn_on(live: Live, over: Round) -> None:
    """Cards in common, and of hands where these say what comes next, up to a decision."""
    while live.round.phase == "play" and not live.round.waiting:
        place = next_turn(live.round)
        if place is not None:
            known, every = live.round.common[-place], over.common[-place]
        else:
            seat = next(one for one in live.round.seats if len(one.cards) < one.laid)
            place, known, every = seat.number, seat.cards, dealt_to(over, seat.number)
        live.do(DEALER, commands.TypeCard(place, every[len(known)]))


def dealt_to(over: Round, number: int) -> tuple[Card, ...]:
    return next(one.cards for one in over.seats if one.number == number)


def opened(live: Live, over: Round, luck: Random) -> Iterator[Live]:
    """Cards are typed, mostly in the paying order, and hands settled as early as can be."""
    while live.round.phase == "settle":
        settled = live.ask(DEALER, commands.Settle())
        if isinstance(settled, Decision):
            live.take(settled)
        else:
            to_come = [number for number, _ in live.round.to_settle[live.round.steps_settled :]]
            closed = [one for one in dict.fromkeys(to_come) if needs_cards(live, one)]
            first = closed[0] if luck.random() < 0.7 else luck.choice(closed)
            seat, known = over.seat(first), live.round.seat(first)
            assert seat is not None
            assert known is not None
            for card in seat.cards[len(known.cards) :]:
                live.do(DEALER, commands.TypeCard(first, card))
        yield live


def needs_cards(live: Live, number: int) -> bool:
    seat = live.round.seat(number)
    assert seat is not None
    return len(seat.cards) < seat.laid and live.round.game.looks_at_hand(seat)


def wallets(live: Live) -> dict[str, int]:
    return {one.name: cents for one, cents in live.book.items() if one.kind == "wallet"}


@tried(25, 60)
@given(st.one_of(st.sampled_from(known_sheets()), sheets()), lucks)
def test_gen_4_hand_by_hand_comes_to_the_same_cent_as_all_at_once(
    sheet: Sheet, luck: Random
) -> None:
    over = in_one_go(sheet, luck)
    live = dealt_again(over)
    for _ in opened(live, over, luck):
        live.sound()
    expected, found = report(over), report(live.round)
    assert {**found, "notes": []} == {**expected, "notes": []}
    for seat in over.seats:
        mine = [one for one in over.seats if one.player == seat.player]
        nets = {one.seat: one.net for one in over.settlements}
        assert wallets(live)[seat.player] == int(RICH) * 100 + sum(nets[one.number] for one in mine)


@tried(25, 60)
@given(st.one_of(st.sampled_from(known_sheets()), sheets()), lucks)
def test_gen_6_a_misdeal_at_any_step_takes_all_of_it_back(sheet: Sheet, luck: Random) -> None:
    over = in_one_go(sheet, luck)
    live = dealt_again(over)
    paid = None
    for _ in opened(live, over, luck):
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
    assert bool(gone) == any(fact["fact"] == "taken-back" for fact in live.kept)


@tried(25, 60)
@given(st.one_of(st.sampled_from(known_sheets()), sheets()), lucks)
def test_gen_6_what_is_settled_stands_when_the_rest_is_dead(sheet: Sheet, luck: Random) -> None:
    over = in_one_go(sheet, luck)
    live = dealt_again(over)
    for _ in opened(live, over, luck):
        if live.round.phase == "settle" and luck.random() < 0.3:
            paid = live.round.paid
            live.do(SUPERVISOR, commands.Interrupt("alarm"))
            if live.state.awaiting is None:
                continue
            closed = [seat.player for seat in live.round.seats if needs_cards(live, seat.number)]
            asked = set(live.state.awaiting)
            assert set(closed) <= asked
            done = {n for n, _ in paid} - {n for n, _ in live.round.to_settle[len_settled(live) :]}
            assert not asked & {one.player for one in over.seats if one.number in done} - {
                one.player for one in over.seats if one.number not in done
            }
            live.do(SUPERVISOR, commands.Unreadable())
            assert (live.round.ending, live.held) == ("dead", 0)
            assert set(paid) <= set(live.round.results)
            break
    live.sound()


def len_settled(live: Live) -> int:
    return live.round.steps_settled
