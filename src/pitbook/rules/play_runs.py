"""Runs of ordinary actions, played on lists and counts instead of frozen seats.

This is the fast path of `play_actions`, for games in which every seat reaches every stage. It deals
cards, turns them and takes decisions. The handlers of `step` take every other action, and every
refusal.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from pitbook.cards import Card
from pitbook.rules.actions import BOARD, Action, Deal, Decide, PlaceNumber, Turn
from pitbook.rules.game import Seat, stakes_after
from pitbook.rules.round import RoundDraft
from pitbook.rules.round_progress import advance

_new_seat = tuple.__new__  # Twice as fast as the constructor.


def play_run(round: RoundDraft, actions: Sequence[Action], start: int) -> int:
    """Play ordinary actions from `start` on; returns the index of the first one not played."""
    seats = {seat.number: SeatInPlay(seat) for seat in round.seats if seat.void is None}
    if len(seats) < len(round.seats):
        return start
    index, must_advance = start, False
    if round.to_deal:
        index = _deal_run(round, seats, actions, start)
        must_advance = not (round.to_deal or _count_decisions(seats, round.stage)[0])
    if not (round.to_deal or must_advance):
        index, must_advance = _decision_run(round, seats, actions, index)
    if index > start:
        round.seats = tuple([seat.freeze() for seat in seats.values()])
        if must_advance:
            advance(round)
    return index


class SeatInPlay:
    """A seat that is not void; its cards and plays are lists."""

    __slots__ = ("cards", "cards_dealt", "folded", "main", "number", "player", "plays", "side")

    def __init__(self, seat: Seat) -> None:
        number, player, main, side, cards_dealt, cards, plays, folded, _ = seat[:]
        self.number, self.player, self.main, self.side = number, player, main, side
        self.cards_dealt, self.cards = cards_dealt, [*cards]
        self.plays, self.folded = [*plays], folded

    def freeze(self) -> Seat:
        """The seat as a record."""
        number, player, main, side = self.number, self.player, self.main, self.side
        dealt, cards, plays = self.cards_dealt, (*self.cards,), (*self.plays,)
        values = (number, player, main, side, dealt, cards, plays, self.folded, None)
        return _new_seat(Seat, values)


Seats = dict[int, SeatInPlay]


def _deal_run(round: RoundDraft, seats: Seats, actions: Sequence[Action], start: int) -> int:
    """Deal cards in the sheet's order."""
    index, to_deal = start, round.to_deal
    for place, action in zip(to_deal, islice(actions, start, None), strict=False):
        if type(action) is not Deal or action.place != place:
            break
        index += 1
    dealt, round.to_deal = to_deal[: index - start], to_deal[index - start :]
    round.board_laid += dealt.count(BOARD)
    for number, seat in seats.items():
        seat.cards_dealt += dealt.count(number)
    if not round.to_deal:
        round.phase = "play"
    return index


def _decision_run(
    round: RoundDraft, seats: Seats, actions: Sequence[Action], start: int
) -> tuple[int, bool]:
    """Turn cards and take decisions; also returns whether the round then has to `advance`."""
    game, stage, index, must_advance = round.game, round.stage, start, False
    decks, turned_by, plays_by_text = game.decks, game.turned_by, game.plays_by_text
    cards_at, closed, named = _cards_by_place(round, seats)
    board, (to_decide, live) = cards_at[BOARD], _count_decisions(seats, stage)
    for action in islice(actions, start, None):
        if type(action) is Turn:
            place, card = action
            if not closed.get(place) or named.count(card) >= decks:
                break
            if place == BOARD and to_decide:
                break
            cards_at[place].append(card)
            named.append(card)
            closed[place] -= 1
        elif type(action) is Decide:
            number, text = action
            player, play = seats.get(number), plays_by_text[stage].get(text)
            if player is None or play is None or player.folded or len(player.plays) != stage:
                break
            player.main = stakes_after(player.main, play)
            player.plays.append(play)
            to_decide -= 1
            if play.folds:
                player.folded, closed[number] = True, 0
                live -= 1
        else:
            break
        index += 1
        if not to_decide and (len(board) >= turned_by[stage] or not live):
            stage, to_decide = _next_stage(seats, len(board), turned_by, stage)
            must_advance = not (to_decide or (live and len(board) < turned_by[stage]))
            if must_advance:
                break
    round.board, round.stage = (*board,), stage
    return index, must_advance


def _cards_by_place(
    round: RoundDraft, seats: Seats
) -> tuple[dict[PlaceNumber, list[Card]], dict[PlaceNumber, int], list[Card]]:
    """By place, its named cards and the number of cards still to name; and all named cards."""
    board = [*round.board]
    cards_at, closed, named = {BOARD: board}, {BOARD: round.board_laid - len(board)}, [*board]
    for number, seat in seats.items():
        cards_at[number] = seat.cards
        named += seat.cards
        if not seat.folded:  # GEN-14: a folded hand's cards stay closed.
            closed[number] = seat.cards_dealt - len(seat.cards)
    return cards_at, closed, named


def _next_stage(
    seats: Seats, board_open: int, turned_by: tuple[int, ...], stage: int
) -> tuple[int, int]:
    """The stage that the open cards allow, and how many seats have to decide at it."""
    to_decide = 0
    while not to_decide and board_open >= turned_by[stage] and stage + 1 < len(turned_by):
        stage += 1
        to_decide, _ = _count_decisions(seats, stage)
    return stage, to_decide


def _count_decisions(seats: Seats, stage: int) -> tuple[int, int]:
    """How many seats have still to decide at a stage, and how many have not folded."""
    to_decide = live = 0
    for seat in seats.values():
        if not seat.folded:
            live += 1
            to_decide += len(seat.plays) == stage
    return to_decide, live
