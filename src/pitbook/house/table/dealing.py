"""The dealer's work: shoes, seeds, cards, settlement and clocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pitbook.cards import Card, cards
from pitbook.errors import CardError
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.table import commands, facts
from pitbook.house.table.commands import TEXT_MAX, By
from pitbook.house.table.situation import PLACEHOLDER, Candidate, Situation
from pitbook.house.table.state import TableState
from pitbook.house.table.stored_sheets import game_of
from pitbook.house.table.unit_of_work import UnitOfWork
from pitbook.rules import actions
from pitbook.rules.actions import BOARD, Absent, Close, Deal, PlaceNumber, Turn
from pitbook.rules.cost_to_end import cheapest_play
from pitbook.rules.game import Game, Seat
from pitbook.rules.mishaps import common_place_text
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.result_json import report
from pitbook.rules.round import Round, new_round
from pitbook.rules.round_progress import earlier_spot, next_turn
from pitbook.rules.step import step
from pitbook.shoe.dealing import without
from pitbook.shoe.packs import fresh_due, next_pack, next_shuffle
from pitbook.text import sentence_of

DECK_SIZE = 52


def advance_dealer(work: UnitOfWork) -> None:
    """Do everything that needs no player, then start the clocks."""
    while _next_step(work):
        pass
    wind_clocks(work)


def _next_step(work: UnitOfWork) -> bool:
    """Do the dealer's next step; returns whether there may be another."""
    state = work.state
    if state.round is None or state.awaiting is not None:
        return False
    phase = state.round.phase
    if phase == "deal":
        for place in state.round.to_deal:
            work.apply_forced(Deal(place))
        return True
    if phase == "play":
        return _turn_hand(work) or _fold_short_player(work) or _turn_board(work)
    if phase == "settle" and not state.typed:
        work.apply_forced(actions.Settle())
        return True
    if phase == "over" and state.finished != state.number:
        finish_round(work)
    return False


def _turn_hand(work: UnitOfWork) -> bool:
    """Turn the next closed hand that its player may see now."""
    if work.state.typed:
        return False
    for seat in work.round.seats:
        closed = len(seat.cards) < seat.cards_dealt and not seat.folded and seat.void is None
        if closed and earlier_spot(work.round, seat.number) is None:
            work.apply_forced(Turn(seat.number, next_card(work, seat.number)))
            return True
    return False


def _fold_short_player(work: UnitOfWork) -> bool:
    """GEN-10: fold a player who cannot cover the smallest bet, without waiting for a clock."""
    for number in work.round.waiting:
        if _is_short(work, number):
            return play_absent(work, number) is None
    return False


def play_absent(work: UnitOfWork, number: int) -> Refusal | None:
    """Play the sheet's rule for an absent player; with too few chips the reason is GEN-10."""
    while _turn_hand(work):  # A hand that stayed closed while another spot was played.
        pass
    return work.apply_action(Absent(number, _is_short(work, number) or None))


def _is_short(work: UnitOfWork, number: int) -> bool:
    """Whether the player of a seat cannot pay for its smallest bet."""
    round, seat = work.round, work.round.seat(number)
    assert seat is not None
    return not work.can_pay(seat.player, cheapest_play(round.game, seat, round.stage))


def _turn_board(work: UnitOfWork) -> bool:
    place = next_turn(work.round)
    if place is None or work.state.typed:
        return False
    work.apply_forced(Turn(place, next_card(work, place)))
    return True


def next_card(work: UnitOfWork, place: PlaceNumber) -> Card:
    """The next unturned card at a place, in the order dealt."""
    state, round = work.state, work.round
    seat = round.seat(place)
    seen_count = len(round.common[-place] if place <= BOARD else seat.cards if seat else ())
    dealt = [action.place for action in state.actions if type(action) is Deal]
    order = [position for position, dealt_to in enumerate(dealt) if dealt_to == place][seen_count]
    assert state.shoe is not None
    assert state.shoe["id"] == state.dealt_from
    past = {"past": state.past} if state.past else {}
    (card,) = work.env.cards(
        state.shoe, state.seat_seeds, state.drawn_before_round + order, 1, **past
    )
    return card


def finish_round(work: UnitOfWork) -> None:
    """Record the round's report, and end the shoe if it is due."""
    state = work.state
    work.emit(facts.Settled(state.round_id, report(work.round)))
    assert state.shoe is not None
    cards_left = state.shoe["decks"] * DECK_SIZE - state.drawn
    sheet = game_of(state.upcoming_sheet).sheet
    needs_new_shoe = state.shoe_sheet != state.upcoming_sheet["hash"] or state.spot is not None
    if needs_new_shoe or work.round.ending != "settled" or fresh_due(sheet, cards_left).due:
        end_shoe(work)
        open_shoe(work)


def end_shoe(work: UnitOfWork) -> None:
    """Reveal the seed of the current shoe, if there is one."""
    shoe = work.state.shoe
    if shoe is not None:
        seed, seeds = work.env.reveal(shoe), sorted(work.state.seat_seeds.items())
        work.emit(facts.ShoeRevealed(shoe["id"], seed, tuple(seeds)))


def open_shoe(
    work: UnitOfWork, *, first: Sequence[Card | None] = (), spot: Json | None = None
) -> Refusal | None:
    """Open a new shoe, committed to before the next wager; or return a refusal."""
    state = work.state
    sheet = game_of(state.upcoming_sheet).sheet
    shuffled = next_shuffle(sheet, machine_works=state.shuffler)
    if isinstance(shuffled, Refusal):
        return shuffled
    record = work.env.shoe(
        f"{state.table}-shoe-{state.shoes + 1:06d}",
        decks=sheet.deck.decks,
        pack=next_pack(sheet, state.pack).pack,
        shuffle=shuffled.shuffle,
        times=shuffled.times,
        typed=state.typed,
        **({"first": first} if first else {}),
    )
    work.emit(facts.ShoeOpened(record, state.upcoming_sheet["hash"], spot))
    return None


def check_shuffle(state: TableState) -> Refusal | None:
    """The refusal if the next shoe cannot be shuffled."""
    shuffled = next_shuffle(game_of(state.upcoming_sheet).sheet, machine_works=state.shuffler)
    return shuffled if isinstance(shuffled, Refusal) else None


def wind_clocks(work: UnitOfWork) -> None:
    """Start the clocks for whatever the table waits for."""
    state, round = work.state, work.state.round
    if state.awaiting:
        _start_clock(work, "agree")
    if round is not None and round.phase == "wagers" and round.seats:
        _start_clock(work, "betting")
    if state.awaiting is None and round is not None and round.phase == "play" and round.waits():
        _start_clock(work, "decision")


def _start_clock(work: UnitOfWork, clock_kind: str) -> None:
    state = work.state
    if clock_kind not in state.deadlines and (seconds := state.clocks.get(clock_kind)) is not None:
        work.emit(facts.Deadline(clock_kind, work.time_in(seconds)))


def replace_shoe(work: UnitOfWork) -> None:
    """Replace an unused shoe after its conditions changed."""
    if not work.state.has_live_wagers:
        end_shoe(work)
        open_shoe(work)


def arrange(work: UnitOfWork, by: By, command: commands.Arrange) -> Refusal | None:
    """Replace the unused shoe with one that leads the seat to a spot."""
    if work.state.has_live_wagers:
        return refuse(Code.NOT_NOW, "table.arranged.between-rounds")
    first: tuple[Card | None, ...] = ()
    game = game_of(work.state.upcoming_sheet)
    if command.hand or (command.board and not game.hand_size):
        arranged = _arranged_cards(game, command)
        if isinstance(arranged, Refusal):
            return arranged
        first = arranged
    end_shoe(work)
    spot = {"seat": command.seat, "stage": command.stage, "round": command.round}
    return open_shoe(work, first=first, spot=spot if first else None)


def _arranged_cards(game: Game, command: commands.Arrange) -> tuple[Card | None, ...] | Refusal:
    """The arranged cards in dealing order, with None for each random card."""
    try:
        hand, board = cards(command.hand), cards(command.board)
        without((*hand, *board), decks=game.sheet.deck.decks)
    except CardError as error:
        return Refusal(Code.NO_SUCH_CARD, sentence_of(error))
    if (refusal := _check_spot(game, command.stage, hand, board)) is not None:
        return refusal
    piles = {command.seat: iter(hand), BOARD: iter(board)}
    order = _deal_order(game, command.seat)
    first = tuple(next(piles.get(place, iter(())), None) for place in order)
    if unplaced := [card for pile in piles.values() for card in pile]:
        return refuse(Code.CARDS_UNKNOWN, "table.arranged.after-decision", cards=tuple(unplaced))
    return first


def _check_spot(
    game: Game, stage: int, hand: Sequence[Card], board: Sequence[Card]
) -> Refusal | None:
    if not 0 <= stage < len(game.stages):
        last = len(game.stages) - 1
        return refuse(Code.NOT_NOW, "table.arranged.no-decision", stage=stage, last=last)
    hand_size, board_size, *others = game.stages[stage].opens
    if any(others):
        return refuse(Code.CARDS_UNKNOWN, "table.arranged.several-places")
    if len(hand) != hand_size:
        fields = {"needed": hand_size, "given": len(hand)}
        return refuse(Code.CARDS_UNKNOWN, "table.arranged.hand", **fields)
    if len(board) != board_size:
        places = {
            "place": common_place_text(game.places[1]),
            "needed": board_size,
            "given": len(board),
        }
        return refuse(Code.CARDS_UNKNOWN, "table.arranged.board", **places)
    return None


def _deal_order(game: Game, number: int) -> tuple[int, ...]:
    """Where each card goes if only that seat is dealt in."""
    main, rule = game.main
    side = tuple((wager, side_wager.stake.min) for wager, side_wager in game.sheet.side.items())
    seat = Seat(number, "", ((main, rule.min),), side)
    closed = step(replace(new_round(game), seats=(seat,)), Close())
    assert isinstance(closed, Round), closed
    return closed.to_deal


# Seeds that players add to the shuffle.


def legal_at(state: TableState, seat: int) -> Iterator[Candidate]:
    """The commands about the shuffle at a seat."""
    yield Candidate(commands.SeatSeed(seat, PLACEHOLDER), check_seat_seed)


def seat_seed(work: UnitOfWork, by: By, command: commands.SeatSeed) -> Refusal | None:
    """Add a player's seed, once per deal and before its first card."""
    if (refusal := check_seat_seed(work, by, command)) is None:
        work.emit(facts.SeatSeed(command.seat, command.text))
    return refusal


def check_seat_seed(table: Situation, by: By, command: commands.SeatSeed) -> Refusal | None:
    """The refusal of a seed, or None."""
    history = command.history or table.state.history
    return _check_seed(table.state, command.seat, command.text, history)


def add_wager_seed(
    work: UnitOfWork, command: commands.PutWager | commands.Rebet, history: str | None
) -> None:
    """Add the seed that comes with a bet; an unusable seed never refuses the bet.

    `history` is the shoe history when the bet came in: a shoe that it opens is shuffled after
    the seed.
    """
    if command.seed is None:
        return
    made_for = command.history or history
    if _check_seed(work.state, command.seat, command.seed, made_for) is None:
        work.emit(facts.SeatSeed(command.seat, command.seed))


def _check_seed(state: TableState, seat: int, text: str, history: str | None) -> Refusal | None:
    refusal = _check_open(state, seat)
    if refusal is not None:
        return refusal
    if history != state.history:
        return refuse(Code.NOT_NOW, "table.seeds.stale")
    if not 0 < len(text) <= TEXT_MAX or not text.isprintable():
        return refuse(Code.FORBIDDEN, "table.seeds.no-seed", most=TEXT_MAX)
    return None


def _check_open(state: TableState, seat: int) -> Refusal | None:
    if state.shoe is None or state.typed:
        return refuse(Code.NOT_NOW, "table.seeds.no-shoe")
    closed = state.has_live_wagers and state.round is not None and state.round.phase != "wagers"
    if closed or (state.drawn and not state.card_commitments):
        return refuse(Code.NOT_NOW, "table.seeds.closed")
    if seat in state.seat_seeds and _is_own_seed(state, seat):
        key = "table.seeds.added-to-deal" if state.card_commitments else "table.seeds.added-to-shoe"
        return refuse(Code.ALREADY_DECIDED, key, seat=seat)
    return None


def _is_own_seed(state: TableState, seat: int) -> bool:
    """Whether the seat's seed is its current player's."""
    return not state.card_commitments or state.seed_authors.get(seat) == state.seats.get(seat)
