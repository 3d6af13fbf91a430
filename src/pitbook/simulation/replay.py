"""Replays any simulated round by its number, in plain Python, and settles it with the engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pitbook.cards import Card, name
from pitbook.money import money
from pitbook.rules.actions import (
    BOARD,
    PASSED,
    Action,
    Close,
    Deal,
    Decide,
    Play,
    Settle,
    Turn,
    Wager,
)
from pitbook.rules.game import Game, Seat, Showdown
from pitbook.rules.round import Round, new_round
from pitbook.rules.round_progress import next_turn
from pitbook.rules.step import step
from pitbook.simulation.dealing import DealtRound, deal
from pitbook.simulation.plan import Plan
from pitbook.simulation.strategy import play_or_mistake

VisibleCards = tuple[tuple[Card, ...], ...]  # The open cards at each place of the game.


class PlayedSeats(NamedTuple):
    """The seats of a round after every decision, seat 1 first, and the showdown of each."""

    seats: tuple[Seat, ...]
    showdowns: tuple[Showdown, ...]


def play_round(plan: Plan, number: int, dealt: DealtRound | None = None) -> PlayedSeats:
    """Round `number`, played to its end."""
    cards = dealt or deal(plan.game, plan.seed, number, plan.seats)
    seats_and_cards = [
        play_seat(plan, number, seat_index, cards) for seat_index in range(plan.seats)
    ]
    seats, common = [], open_counts(plan.game, [visible for _, visible in seats_and_cards])[1:]
    for (seat, visible), hand in zip(seats_and_cards, cards.hands, strict=True):
        own_count = open_counts(plan.game, [visible])[0]
        seats.append(seat._replace(cards=hand[:own_count], cards_dealt=own_count))
    board = [
        place_cards[:size_open] for place_cards, size_open in zip(cards.common, common, strict=True)
    ]
    return PlayedSeats(tuple(seats), tuple(plan.game.read(seat.cards, *board) for seat in seats))


def play_seat(plan: Plan, number: int, place: int, dealt: DealtRound) -> tuple[Seat, VisibleCards]:
    """A seat after its decisions, and the cards it has seen by then."""
    game, seat = plan.game, plan.seat
    all_cards: VisibleCards = (dealt.hands[place], *dealt.common)
    cards: VisibleCards = tuple(() for _ in all_cards)
    for stage, rule in enumerate(game.stages):
        if seat.folded:
            break
        reached = _stage_reached(game, stage, seat, cards)
        if reached is not False:
            opens = zip(all_cards, cards, rule.opens, strict=True)
            cards = tuple(
                cards[: max(len(before), size_open)] for cards, before, size_open in opens
            )
        if not rule.plays or not (reached or _stage_reached(game, stage, seat, cards)):
            seat = seat.after_play(PASSED)
            continue
        plays = plan.strategy.choices(stage, seat, cards)
        rate, decision = plan.strategy.mistakes, place * len(game.stages) + stage
        seat = seat.after_play(
            play_or_mistake(rate, plays, seed=plan.seed, number=number, decision=decision)
        )
    return seat, cards


def _stage_reached(game: Game, stage: int, seat: Seat, cards: VisibleCards) -> bool | None:
    """Whether a seat reaches a stage, or None if the cards it sees do not decide it."""
    when, holding = game.stages[stage].when, seat._replace(cards=cards[0])
    if when is not None and game.hand_value(when.hand, holding, *cards[1:]) is None:
        return None
    return game.reaches(stage, holding, *cards[1:])


def open_counts(game: Game, cards_by_seat: list[VisibleCards]) -> tuple[int, ...]:
    """Number of open cards at each place; later cards count only if a seat's stage opened them."""
    return tuple(
        max(place.cards - place.later, *(len(cards[number]) for cards in cards_by_seat))
        for number, place in enumerate(game.places)
    )


def round_document(plan: Plan, number: int, sheet: str | None = None) -> dict[str, Any]:
    """Round `number` as a round file for `pitbook settle`; `sheet` defaults to the sheet's id."""
    cards = _deal_plan(plan, number)
    main, _ = plan.game.main
    wagers = {main: money(plan.ante), **{wager: money(stake) for wager, stake in plan.side}}
    return {
        "format": 1,
        "sheet": sheet or plan.sheet.id,
        plan.sheet.board_word: _names(cards.board),
        "seats": [
            {
                "seat": seat + 1,
                "wagers": wagers,
                "cards": _names(cards.hands[seat]),
                "play": list(plays),
            }
            for seat, plays in enumerate(plays_of(plan, number, cards))
        ],
    }


def settle_round(plan: Plan, number: int) -> Round:
    """Round `number` played through the engine to its end."""
    dealt = _deal_plan(plan, number)
    plays = [iter(seat_plays) for seat_plays in plays_of(plan, number, dealt)]
    common = [iter(place) for place in dealt.common]
    game_round = new_round(plan.game)
    for action in _opening(plan):
        game_round = _apply(game_round, action)
    while game_round.phase != "over":
        if game_round.to_deal:
            game_round = _deal_due(game_round, dealt)
        elif game_round.phase == "settle":
            game_round = _apply(game_round, Settle())
        elif waiting := game_round.waiting:
            game_round = _apply(game_round, Decide(waiting[0], next(plays[waiting[0] - 1])))
        else:
            place = next_turn(game_round)
            assert place is not None
            game_round = _apply(game_round, Turn(place, next(common[BOARD - place])))
    return game_round


def _deal_due(round: Round, dealt: DealtRound) -> Round:
    """Deal all cards that are due, and turn the cards of the seats."""
    while round.to_deal:
        round = _apply(round, Deal(round.to_deal[0]))
    for seat in round.seats:
        for card in dealt.hands[seat.number - 1][len(seat.cards) : seat.cards_dealt]:
            round = _apply(round, Turn(seat.number, card))
    return round


def _opening(plan: Plan) -> Iterator[Action]:
    for seat in range(1, plan.seats + 1):
        for wager, stake in ((plan.game.main[0], plan.ante), *plan.side):
            yield Wager(seat, f"seat {seat}", wager, stake)
    yield Close()


def _apply(round: Round, action: Action) -> Round:
    after = step(round, action)
    assert isinstance(after, Round), after  # A plan contains only what the table accepts.
    return after


def plays_of(plan: Plan, number: int, dealt: DealtRound) -> list[tuple[Play, ...]]:
    """The plays of every seat at its decisions, seat 1 first."""
    seats = play_round(plan, number, dealt).seats
    return [tuple(play for play in seat.plays if play != PASSED) for seat in seats]


def _deal_plan(plan: Plan, number: int) -> DealtRound:
    return deal(plan.game, plan.seed, number, plan.seats)


def _names(cards: tuple[Card, ...]) -> list[str]:
    return [name(card) for card in cards]
