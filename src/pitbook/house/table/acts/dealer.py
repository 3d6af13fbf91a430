"""The dealer at work: cards laid, turned and settled until somebody has to speak."""

from __future__ import annotations

from collections.abc import Sequence

from pitbook.cards import Card
from pitbook.house.table import facts
from pitbook.house.table.desk import Desk
from pitbook.house.table.facts import Json
from pitbook.house.table.state import game_of
from pitbook.rules import actions
from pitbook.rules.actions import BOARD, Absent, Deal, PlaceNumber, Turn
from pitbook.rules.costs import cheapest_play
from pitbook.rules.flow import earlier_spot, next_turn
from pitbook.rules.refusals import Refusal
from pitbook.rules.report import report
from pitbook.shoe.packs import fresh_due, next_pack, next_shuffle

DECK_SIZE = 52


def deal_on(desk: Desk) -> None:
    """Everything that waits for nobody; then the clocks of what does."""
    if not desk.trial:
        while _one_thing(desk):
            pass
        wind(desk)


def _one_thing(desk: Desk) -> bool:
    """The dealer's next act, if there is one."""
    state = desk.state
    if state.round is None or state.awaiting is not None:
        return False
    phase = state.round.phase
    if phase == "deal":
        for place in state.round.to_deal:
            desk.must(Deal(place))
        return True
    if phase == "play":
        return _look(desk) or _too_poor(desk) or _board(desk)
    if phase == "settle" and not state.typed:
        desk.must(actions.Settle())
        return True
    if phase == "over" and state.finished != state.number:
        finish(desk)
    return False


def _look(desk: Desk) -> bool:
    """The owners look at their cards as soon as all are dealt, or as a spot before is played."""
    if desk.state.typed:
        return False
    for seat in desk.round.seats:
        closed = len(seat.cards) < seat.laid and not seat.folded and seat.void is None
        if closed and earlier_spot(desk.round, seat.number) is None:
            desk.must(Turn(seat.number, next_card(desk, seat.number)))
            return True
    return False


def _too_poor(desk: Desk) -> bool:
    """GEN-10: who cannot cover the smallest bet does not wait for a clock to fold."""
    for number in desk.round.waiting:
        if _is_short(desk, number):
            return play_absent(desk, number) is None
    return False


def play_absent(desk: Desk, number: int) -> Refusal | None:
    """The sheet's rule for an absent player; who has too few chips is told so (GEN-10)."""
    while _look(desk):  # At a hand that was closed while another spot was played.
        pass
    return desk.act(Absent(number, _is_short(desk, number) or None))


def _is_short(desk: Desk, number: int) -> bool:
    """Whether the player of a seat cannot pay for its smallest bet."""
    round, seat = desk.round, desk.round.seat(number)
    assert seat is not None
    return not desk.can_pay(seat.player, cheapest_play(round.game, seat, round.stage))


def _board(desk: Desk) -> bool:
    place = next_turn(desk.round)
    if place is None or desk.state.typed:
        return False
    desk.must(Turn(place, next_card(desk, place)))
    return True


def next_card(desk: Desk, place: PlaceNumber) -> Card:
    """The first card at a place that nobody has seen: it lies where it was dealt."""
    state, round = desk.state, desk.round
    seat = round.seat(place)
    seen = len(round.common[-place] if place <= BOARD else seat.cards if seat else ())
    dealt = [one.place for one in state.actions if type(one) is Deal]
    order = [position for position, where in enumerate(dealt) if where == place][seen]
    assert state.shoe is not None
    assert state.shoe["id"] == state.dealt_from
    past = {"past": state.past} if state.past else {}
    (card,) = desk.luck.cards(state.shoe, state.seat_seeds, state.first + order, 1, **past)
    return card


def finish(desk: Desk) -> None:
    """The round is over: its report, and the shoe's end where it has come."""
    state = desk.state
    desk.note(facts.Settled(state.round_id, report(desk.round)))
    assert state.shoe is not None
    left = state.shoe["decks"] * DECK_SIZE - state.drawn
    sheet = game_of(state.coming).sheet
    other = state.shoe_sheet != state.coming["hash"] or state.spot is not None
    if other or desk.round.ending != "settled" or fresh_due(sheet, left).due:
        end_shoe(desk)
        open_shoe(desk)


def end_shoe(desk: Desk) -> None:
    """Tell the shoe's seed, if there is a shoe."""
    shoe = desk.state.shoe
    if shoe is not None:
        seed, seeds = desk.luck.reveal(shoe), sorted(desk.state.seat_seeds.items())
        desk.note(facts.ShoeRevealed(shoe["id"], seed, tuple(seeds)))


def open_shoe(
    desk: Desk, *, first: Sequence[Card | None] = (), spot: Json | None = None
) -> Refusal | None:
    """A fresh shoe, committed to before the next wager; or why there can be none."""
    state = desk.state
    sheet = game_of(state.coming).sheet
    shuffled = next_shuffle(sheet, machine_works=state.shuffler)
    if isinstance(shuffled, Refusal):
        return shuffled
    record = desk.luck.shoe(
        f"{state.table}-shoe-{state.shoes + 1:06d}",
        decks=sheet.deck.decks,
        pack=next_pack(sheet, state.pack).pack,
        shuffle=shuffled.shuffle,
        times=shuffled.times,
        typed=state.typed,
        **({"first": first} if first else {}),
    )
    desk.note(facts.ShoeOpened(record, state.coming["hash"], spot))
    return None


def wind(desk: Desk) -> None:
    """Start the clock of whatever the table waits for."""
    state, round = desk.state, desk.state.round
    if state.awaiting:
        _wind(desk, "agree")
    if round is not None and round.phase == "wagers" and round.seats:
        _wind(desk, "betting")
    if state.awaiting is None and round is not None and round.phase == "play" and round.waits:
        _wind(desk, "decision")


def _wind(desk: Desk, what: str) -> None:
    state = desk.state
    if what not in state.deadlines and (seconds := state.clocks.get(what)) is not None:
        desk.note(facts.Deadline(what, desk.until(seconds)))
