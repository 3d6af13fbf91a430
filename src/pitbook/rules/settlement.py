"""Settlement seat by seat. A hand is settled once no closed card can change its result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

from pitbook.cards import DECK, Card
from pitbook.money import Cents
from pitbook.rules import mishaps
from pitbook.rules.actions import PASSED, Play, Settle
from pitbook.rules.game import Game, Seat
from pitbook.rules.payout_caps import apply_payout_caps, due_under
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round, RoundDraft
from pitbook.rules.settlement_lines import AppliedCap, Line, Settlement, keep_settled_lines
from pitbook.sheets.model import Limit, Sheet
from pitbook.sheets.pay_tables import lines_under_limit

SUITS = 4
SEARCH_MAX = 25_000  # Three closed cards of many decks; beyond that, any hand counts as possible.
PricedRound = tuple[tuple[Settlement, ...], tuple[AppliedCap, ...]]


def settle(round: RoundDraft, action: Settle) -> Refusal | None:
    """Settle the next seat; with `at_once`, record its result before all hands are open."""
    if round.phase != "settle":
        return refuse(Code.NOT_NOW, "engine.settling.not-ready")
    refusal = _why_waiting(round) if action.at_once else _unknown_cards(round)
    if refusal is not None:
        return refusal
    if action.at_once:
        _pay_next(round)
    round.steps_settled += 1
    if round.steps_settled == len(round.to_settle):
        _end_settlement(round)
    return None


def _end_settlement(round: RoundDraft) -> None:
    """End the round: record every hand's settlement."""
    settlements, caps = price_round(round, round.seats)
    if round.paid:
        final_settlements = tuple(
            keep_settled_lines(settlement, round.paid) for settlement in settlements
        )
        # GEN-6: a hand settled before another one was void keeps its share.
        if final_settlements != settlements:
            settlements, caps = final_settlements, _merge_caps(round.applied_caps, caps)
    round.phase, round.ending = "over", "settled"
    round.settlements, round.applied_caps = settlements, caps


def price_round(round: Round, seats: Iterable[Seat]) -> PricedRound:
    """The settlements of hands with all caps applied, and the caps that reduced a payout."""
    game, common = round.game, round.common
    settlements = []
    for seat in seats:  # A comprehension would be a call of its own.
        if seat.void:
            settlements.append(mishaps.void_hand(round, seat))
        else:
            settlements.append(settle_allowed(game, seat, *common))
    return apply_payout_caps(game.sheet, settlements)


def opens_hand(round: Round, seat: Seat, group: tuple[str, ...]) -> bool:
    """Whether settling these wagers of a seat opens its hand."""
    group_wagers = tuple(wager_stake for wager_stake in seat.side if wager_stake[0] in group)
    main = seat.main if "main" in group else ()
    return round.game.looks_at_hand(seat._replace(main=main, side=group_wagers))


def _pay_next(round: RoundDraft) -> None:
    """Record the next seat's results."""
    number, _ = round.to_settle[round.steps_settled]
    settlements, caps = price_round(round, _readable_seats(round))
    (hand,) = (settlement for settlement in settlements if settlement.seat == number)
    round.paid += tuple((number, line) for line in _step_lines(round, hand.lines))
    settled_seats = {None, *(seat for seat, _ in round.paid)}
    settled_caps = tuple(cap for cap in caps if cap.seat in settled_seats)
    round.applied_caps = _merge_caps(round.applied_caps, settled_caps)


def lines_of_next_step(round: Round, after: Round) -> tuple[Line, ...]:
    """The lines that the next step settles, taken from the round after it."""
    number, _ = round.to_settle[round.steps_settled]
    return tuple(_step_lines(round, (line for seat, line in after.results if seat == number)))


def _step_lines(round: Round, lines: Iterable[Line]) -> Iterator[Line]:
    """The lines that the next step settles."""
    _, group = round.to_settle[round.steps_settled]
    sides = round.game.sheet.side
    for line in lines:
        if (line.wager if line.wager in sides else "main") in group:
            yield line


def _merge_caps(
    before: tuple[AppliedCap, ...], after: tuple[AppliedCap, ...]
) -> tuple[AppliedCap, ...]:
    """The caps in effect. A cap already split among hands keeps its split."""
    shared = tuple(cap for cap in before if cap.seat is None)
    clauses = {cap.clause for cap in shared}
    return tuple(cap for cap in after if cap.seat or cap.clause not in clauses) + shared


def _readable_seats(round: Round) -> Iterator[Seat]:
    """Every seat with the wagers that closed cards cannot affect."""
    for seat in round.seats:
        if _is_known(round, seat):
            yield seat
            continue
        main = () if round.game.looks_at_hand(seat._replace(side=())) else seat.main
        single_wagers = (
            (wager_stake, seat._replace(main=(), side=(wager_stake,))) for wager_stake in seat.side
        )
        side = tuple(
            wager_stake
            for wager_stake, single_wager in single_wagers
            if not round.game.looks_at_hand(single_wager)
        )
        if main or side:
            yield seat._replace(main=main, side=side)


# Whether the next seat can be settled now.


def _unknown_cards(round: Round) -> Refusal | None:
    for seat in round.seats:
        if not _is_known(round, seat):
            number, group = round.to_settle[round.steps_settled]
            # A share under a round cap is known only with all hands; else hands open one by one.
            shared = any(limit.per == "round" for limit in round.game.sheet.limits)
            if (shared or seat.number == number) and opens_hand(round, seat, group):
                return _turn_first(round, seat)
    return None


def _why_waiting(round: Round) -> Refusal | None:
    """Why the next seat waits: its cards are closed, or a closed hand may share a cap with it."""
    number, group = round.to_settle[round.steps_settled]
    closed = [seat for seat in round.seats if not _is_known(round, seat)]
    for seat in closed:
        if seat.number == number and opens_hand(round, seat, group):
            return _turn_first(round, seat)
    if not closed or not round.game.sheet.limits:
        return None
    (next_seat,) = (seat for seat in _readable_seats(round) if seat.number == number)
    known_lines = (
        [] if next_seat.void else settle_allowed(round.game, next_seat, *round.common).lines
    )
    lines = list(_step_lines(round, known_lines))
    return _may_share_cap(round, number, lines, closed)


def _may_share_cap(
    round: Round, number: int, lines: list[Line], closed: list[Seat]
) -> Refusal | None:
    sheet = round.game.sheet
    for scope, hands in (
        ("hand", [seat for seat in closed if seat.number == number]),
        ("round", closed),
    ):
        caps = tuple(limit for limit in sheet.limits if limit.per == scope)
        applicable = [cap for cap in caps if any(due_under(sheet, cap, line) for line in lines)]
        for seat in hands if applicable else ():
            if _can_win_under_cap(round, seat, scope):
                cap = applicable[0].clause
                return refuse(
                    Code.CARDS_UNKNOWN,
                    "engine.settling.may-be-capped",
                    cap,
                    seat=number,
                    cap=cap,
                    closed=seat.number,
                )
    return None


def _turn_first(round: Round, seat: Seat) -> Refusal:
    clause = round.game.sheet.settlement.clause
    return refuse(Code.CARDS_UNKNOWN, "engine.settling.turn-first", clause, seat=seat.number)


def _is_known(round: Round, seat: Seat) -> bool:
    game = round.game
    cards = game.hand_size if game.is_linear else seat.cards_dealt
    if len(seat.cards) == cards or seat.void is not None:
        return True
    return not game.looks_at_hand(seat)


def _can_win_under_cap(round: Round, seat: Seat, scope: str) -> bool:
    """Whether cards not yet named could give a closed hand a win under a cap."""
    decks = round.game.sheet.deck.decks
    copies_left = tuple(decks - round.copies(card) for card in DECK)
    return _any_hand_wins(round.game, seat, round.common, copies_left, scope)


@lru_cache(maxsize=1_000)  # The dealer's screen asks repeatedly.
def _any_hand_wins(
    game: Game,
    seat: Seat,
    common: tuple[tuple[Card, ...], ...],
    copies_left: tuple[int, ...],
    scope: str,
) -> bool:
    """Whether any hand that the seat may still hold wins under a cap of this scope."""
    sheet = game.sheet
    caps = [limit for limit in sheet.limits if limit.per == scope]
    wagers = _wagers_under_caps(game, seat, caps)
    ranks_only = all(_is_rank_only(sheet, wager) for wager in wagers)
    copies = (
        _collapse_suits(copies_left)
        if ranks_only and sheet.deck.decks >= game.hand_size
        else copies_left
    )
    closed, kinds = game.hand_size - len(seat.cards), sum(map(bool, copies))
    if wagers and comb(kinds + closed - 1, closed) > SEARCH_MAX:
        return True
    return bool(wagers) and any(
        due_under(sheet, limit, line)
        for cards in _hands(copies, closed)
        for line in settle_allowed(game, seat._replace(cards=(*seat.cards, *cards)), *common).lines
        for limit in caps
    )


def _wagers_under_caps(game: Game, seat: Seat, caps: list[Limit]) -> set[str]:
    """The wagers of a seat that a cap covers."""
    wagers = {wager for wager, _ in seat.side} | (set() if seat.folded else {"main"})
    return {
        wager for limit in caps for wager, _, _ in lines_under_limit(game.sheet, limit)
    } & wagers


def _is_rank_only(sheet: Sheet, wager: str) -> bool:
    """Whether a wager depends on ranks only."""
    return wager in sheet.side and sheet.side[wager].looks_at == "dealer-match"


def _collapse_suits(copies_left: tuple[int, ...]) -> tuple[int, ...]:
    """For each rank, keep only the suit with the most copies left; for wagers without suits."""
    ranks = [DECK[start : start + SUITS] for start in range(0, len(DECK), SUITS)]
    kept_cards = {max(cards, key=lambda card: copies_left[card]) for cards in ranks}
    return tuple(
        count if card in kept_cards else 0 for card, count in zip(DECK, copies_left, strict=True)
    )


def _hands(copies_left: tuple[int, ...], size: int) -> Iterator[tuple[Card, ...]]:
    """Every hand of that size that the decks still hold."""
    available = [card for card in DECK if copies_left[card]]
    for cards in combinations_with_replacement(available, size):
        if all(cards.count(card) <= copies_left[card] for card in cards):
            yield cards


Common = tuple[tuple[Card, ...], ...]


def settle_allowed(game: Game, seat: Seat, *common: tuple[Card, ...]) -> Settlement:
    """The hand's lines before payout caps; stakes that it was not allowed to place are returned."""
    if not game.restricts_plays:
        return game.settle(seat, *common)
    excess = _excess_stakes(game, seat, common)
    if not excess:
        return game.settle(seat, *common)
    allowed_stakes = tuple(
        (wager, Cents(stake - excess.get(wager, 0))) for wager, stake in seat.main
    )
    lines = game.settle(seat._replace(main=allowed_stakes), *common).lines
    all_lines = tuple(_add_returned_stake(line, excess.get(line.wager, 0)) for line in lines)
    return Settlement(seat.number, all_lines)


def _excess_stakes(game: Game, seat: Seat, common: Common) -> dict[str, int]:
    """By wager, the stake that a seat's hand did not allow."""
    excess: dict[str, int] = {}
    for stage, play in enumerate(seat.plays):
        if play.needs is None:
            continue
        opens = game.stages[stage].opens[1:]
        open_cards = tuple(cards[:open] for cards, open in zip(common, opens, strict=True))
        if not game.allows(play, seat, *open_cards):
            allowed_times = dict(_best_allowed_play(game, stage, seat, open_cards).puts)
            for wager, times in play.puts:
                amount = (times - allowed_times.get(wager, 0)) * seat.main[0][1]
                excess[wager] = excess.get(wager, 0) + amount
    return excess


def _best_allowed_play(game: Game, stage: int, seat: Seat, open_cards: Common) -> Play:
    """The largest play that the hand allows; a played hand never counts as folded.

    If no play is allowed, nothing is staked.
    """
    allowed = [play for play in game.allowed_plays(stage, seat, *open_cards) if not play.folds]
    return max(allowed, key=lambda play: play.times, default=PASSED)


def _add_returned_stake(line: Line, excess: int) -> Line:
    """The line with its whole stake, of which the excess returns on any result."""
    if not excess:
        return line
    lost = line.result in ("lose", "forfeit")
    return line._replace(
        stake=Cents(line.stake + excess), back=Cents(line.back + excess if lost else line.back)
    )
