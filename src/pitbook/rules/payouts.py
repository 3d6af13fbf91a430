"""Pay and take, seat by seat. A hand is settled once no closed card can change its result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

from pitbook.cards import DECK, Card
from pitbook.money import Cents
from pitbook.rules import mishaps
from pitbook.rules.actions import Settle
from pitbook.rules.game import Game, Seat
from pitbook.rules.limits import apply_limits, due_under
from pitbook.rules.named_tuples import replacer
from pitbook.rules.plays import PASSED, Play
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round
from pitbook.rules.settlement import AppliedCap, Line, Settlement, keep_line
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Limit
from pitbook.sheets.pay_tables import lines_under_limit

SUITS = 4
SEARCH_MAX = 25_000  # Three closed cards of many decks; with more, any hand is held to be possible.
PricedRound = tuple[tuple[Settlement, ...], tuple[AppliedCap, ...]]


def settle(round: Round, action: Settle) -> Round | Refusal:
    """Pay and take at the next seat; at once, its result is on record before all hands are open."""
    if round.phase != "settle":
        return refuse(Code.NOT_NOW, "engine.settling.not-ready")
    refusal = _why_waiting(round) if action.at_once else _unknown_cards(round)
    if refusal is not None:
        return refusal
    return settle_next(_pay_next(round) if action.at_once else round)


def settle_next(round: Round) -> Round:
    """One seat further; after the last one the round is over."""
    done = round.steps_settled + 1
    if done < len(round.to_settle):
        return round._replace(steps_settled=done)
    settlements, bites = price_round(round, round.seats)
    stands = tuple(keep_line(one, round.paid) for one in settlements) if round.paid else settlements
    if stands != settlements:  # GEN-6: settled before another hand was void, it keeps its share.
        settlements, bites = stands, _merge_caps(round.bites, bites)
    return _over(round, "over", done, settlements, bites, "settled")


_over = replacer(Round, "phase", "steps_settled", "settlements", "bites", "ending")


def price_round(round: Round, seats: Iterable[Seat]) -> PricedRound:
    """The settlements of hands with every limit applied, and the limits that bit."""
    each = [
        mishaps.void_hand(round, seat)
        if seat.void
        else settle_allowed(round.game, seat, *round.common)
        for seat in seats
    ]
    if not round.game.sheet.limits:
        return tuple(each), ()
    return apply_limits(round.game.sheet, each)


def opens_hand(round: Round, seat: Seat, group: tuple[str, ...]) -> bool:
    """Whether settling these wagers of a seat opens its hand."""
    named = tuple(one for one in seat.side if one[0] in group)
    main = seat.main if "main" in group else ()
    return round.game.looks_at_hand(seat._replace(main=main, side=named))


def _pay_next(round: Round) -> Round:
    """The round with the results of the next seat's wagers on record."""
    number, _ = round.to_settle[round.steps_settled]
    settlements, bites = price_round(round, _readable_seats(round))
    (hand,) = (one for one in settlements if one.seat == number)
    paid = (*round.paid, *((number, line) for line in _step_lines(round, hand.lines)))
    done = {None, *(seat for seat, _ in paid)}
    bitten = tuple(one for one in bites if one.seat in done)
    return round._replace(paid=paid, bites=_merge_caps(round.bites, bitten))


def lines_of_next_step(round: Round, after: Round) -> tuple[Line, ...]:
    """The lines that the next step settles, as the round after it has them."""
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
    """The caps that bite now; one that hands have shared already stays as it was shared."""
    shared = tuple(one for one in before if one.seat is None)
    clauses = {one.clause for one in shared}
    return tuple(one for one in after if one.seat or one.clause not in clauses) + shared


def _readable_seats(round: Round) -> Iterator[Seat]:
    """Every seat with those of its wagers that no closed card bears on."""
    for seat in round.seats:
        if _is_known(round, seat):
            yield seat
            continue
        main = () if round.game.looks_at_hand(seat._replace(side=())) else seat.main
        alone = ((one, seat._replace(main=(), side=(one,))) for one in seat.side)
        side = tuple(one for one, only in alone if not round.game.looks_at_hand(only))
        if main or side:
            yield seat._replace(main=main, side=side)


# Whether it may be settled now --------------------------------------------------------------------


def _unknown_cards(round: Round) -> Refusal | None:
    number, group = round.to_settle[round.steps_settled]
    # A share under a round cap is known when every hand is; else hands are opened one by one.
    shared = any(limit.per == "round" for limit in round.game.sheet.limits)
    for seat in round.seats:
        mine = shared or seat.number == number
        if mine and not _is_known(round, seat) and opens_hand(round, seat, group):
            return _turn_first(round, seat)
    return None


def _why_waiting(round: Round) -> Refusal | None:
    """Why the next seat waits: its cards are down, or a closed hand may share a cap with it."""
    number, group = round.to_settle[round.steps_settled]
    closed = [seat for seat in round.seats if not _is_known(round, seat)]
    for seat in closed:
        if seat.number == number and opens_hand(round, seat, group):
            return _turn_first(round, seat)
    if not closed or not round.game.sheet.limits:
        return None
    (mine,) = (one for one in _readable_seats(round) if one.number == number)
    open = [] if mine.void else settle_allowed(round.game, mine, *round.common).lines
    lines = list(_step_lines(round, open))
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
        under = [one for one in caps if any(due_under(sheet, one, line) for line in lines)]
        for seat in hands if under else ():
            if _can_win_under_cap(round, seat, scope):
                cap = under[0].clause
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
    cards = round.game.hand_size if round.game.straight else seat.laid
    if len(seat.cards) == cards or seat.void is not None:
        return True
    return not round.game.looks_at_hand(seat)


def _can_win_under_cap(round: Round, seat: Seat, scope: str) -> bool:
    """Whether some cards that are not yet named would give a closed hand a win under a cap."""
    decks = round.game.sheet.deck.decks
    left = tuple(decks - round.copies(card) for card in DECK)
    return _search_hands(round.game, seat, round.common, left, scope)


@lru_cache(maxsize=1_000)  # A dealer's screen asks again and again.
def _search_hands(
    game: Game,
    seat: Seat,
    common: tuple[tuple[Card, ...], ...],
    left: tuple[int, ...],
    scope: str,
) -> bool:
    sheet = game.sheet
    caps = [limit for limit in sheet.limits if limit.per == scope]
    wagers = _wagers_under_caps(game, seat, caps)
    ranks_alone = all(_is_rank_only(sheet, wager) for wager in wagers)
    there = _collapse_suits(left) if ranks_alone and sheet.deck.decks >= game.hand_size else left
    closed, kinds = game.hand_size - len(seat.cards), sum(map(bool, there))
    if wagers and comb(kinds + closed - 1, closed) > SEARCH_MAX:
        return True
    return bool(wagers) and any(
        due_under(sheet, limit, line)
        for cards in _hands(there, closed)
        for line in settle_allowed(game, seat._replace(cards=(*seat.cards, *cards)), *common).lines
        for limit in caps
    )


def _wagers_under_caps(game: Game, seat: Seat, caps: list[Limit]) -> set[str]:
    """The wagers of a seat that a cap counts at all."""
    wagers = {wager for wager, _ in seat.side} | (set() if seat.folded else {"main"})
    return {
        wager for limit in caps for wager, _, _ in lines_under_limit(game.sheet, limit)
    } & wagers


def _is_rank_only(sheet: Sheet, wager: str) -> bool:
    """Whether a wager asks for ranks alone."""
    return wager in sheet.side and sheet.side[wager].looks_at == "dealer-match"


def _collapse_suits(left: tuple[int, ...]) -> tuple[int, ...]:
    """Of each rank the suit of which most is left, where suits do not matter."""
    ranks = [DECK[at : at + SUITS] for at in range(0, len(DECK), SUITS)]
    most = {max(cards, key=lambda card: left[card]) for cards in ranks}
    return tuple(count if card in most else 0 for card, count in zip(DECK, left, strict=True))


def _hands(left: tuple[int, ...], size: int) -> Iterator[tuple[Card, ...]]:
    """Every hand of so many cards that the decks still hold."""
    there = [card for card in DECK if left[card]]
    for cards in combinations_with_replacement(there, size):
        if all(cards.count(card) <= left[card] for card in cards):
            yield cards


Common = tuple[tuple[Card, ...], ...]


def settle_allowed(game: Game, seat: Seat, *common: tuple[Card, ...]) -> Settlement:
    """The hand's lines before any limit, for what its plays may have put."""
    over = _excess_stakes(game, seat, common)
    if not over:
        return game.settle(seat, *common)
    kept = tuple((wager, Cents(stake - over.get(wager, 0))) for wager, stake in seat.main)
    lines = game.settle(seat._replace(main=kept), *common).lines
    whole = tuple(_add_returned_stake(line, over.get(line.wager, 0)) for line in lines)
    return Settlement(seat.number, whole)


def _excess_stakes(game: Game, seat: Seat, common: Common) -> dict[str, int]:
    """By wager, what a seat's hand did not allow."""
    over: dict[str, int] = {}
    for stage, play in enumerate(seat.plays):
        if play.needs is None:
            continue
        opens = game.stages[stage].opens[1:]
        seen = tuple(cards[:open] for cards, open in zip(common, opens, strict=True))
        if not game.allows(play, seat, *seen):
            less = dict(_best_allowed_play(game, stage, seat, seen).puts)
            for wager, times in play.puts:
                more = (times - less.get(wager, 0)) * seat.main[0][1]
                over[wager] = over.get(wager, 0) + more
    return over


def _best_allowed_play(game: Game, stage: int, seat: Seat, seen: Common) -> Play:
    """The dearest play that the hand allows; a hand that was played is not given up.

    Where it allows none, nothing is put.
    """
    may = [play for play in game.may(stage, seat, *seen) if not play.folds]
    return max(may, key=lambda play: play.times, default=PASSED)


def _add_returned_stake(line: Line, rest: int) -> Line:
    """The line with its whole stake, of which the rest comes back whatever became of it."""
    if not rest:
        return line
    lost = line.result in ("lose", "forfeit")
    return line._replace(
        stake=Cents(line.stake + rest), back=Cents(line.back + rest if lost else line.back)
    )
