"""step(round, action): the next round, or a refusal that changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from pitbook.rules import mishaps, wagers
from pitbook.rules.actions import (
    BOARD,
    Absent,
    Action,
    Close,
    Deal,
    Decide,
    Expose,
    Fouled,
    Interrupted,
    Misdeal,
    PlaceNumber,
    Play,
    Settle,
    Turn,
    VoidHand,
    Wager,
    Warn,
    Withdraw,
)
from pitbook.rules.cost_to_end import cheapest_play
from pitbook.rules.game import Seat
from pitbook.rules.named_tuples import replacer
from pitbook.rules.play_runs import play_run
from pitbook.rules.refusals import Code, Refusal, refuse, refuse_cached
from pitbook.rules.round import Round, RoundDraft, draft_of
from pitbook.rules.round_progress import advance, advance_after_card, next_turn_unchecked
from pitbook.rules.settlement import settle
from pitbook.text import Sentence, say

_with_dealt = replacer(Seat, "cards_dealt")
_with_cards = replacer(Seat, "cards")


def step(round: Round, action: Action) -> Round | Refusal:
    """The round after an action, or why it is refused."""
    draft = draft_of(round)
    refusal = _HANDLERS[type(action)](draft, action)
    return draft.freeze() if refusal is None else refusal


def play_actions(round: Round, actions: Iterable[Action]) -> Round | RefusedAction:
    """The round after all actions, or the first refusal; faster than one `step` at a time."""
    draft, actions = draft_of(round), list(actions)
    handlers, in_runs = _HANDLERS, round.game.plays_in_runs
    index, last = 0, len(actions)
    while index < last:
        action = actions[index]
        refusal = handlers[type(action)](draft, action)
        index += 1
        if refusal is not None:
            return RefusedAction(index, action, refusal)
        if in_runs and index < last and draft.phase in ("deal", "play"):
            index = play_run(draft, actions, index)
    return draft.freeze()


class RefusedAction(NamedTuple):
    """The first refused action of several, counted from 1."""

    number: int
    action: Action
    refusal: Refusal


# A handler changes the draft, or refuses and leaves it as it was.


def deal(round: RoundDraft, action: Deal) -> Refusal | None:
    """Deal the next card in the sheet's order."""
    if round.phase != "deal":
        return refuse(Code.NOT_NOW, "engine.step.no-card-now")
    place = action.place
    to_deal = round.to_deal
    if place != to_deal[0]:
        clause, place_text = round.game.sheet.deal.clause, place_name(round, to_deal[0])
        return refuse(Code.DEAL_ORDER, "engine.step.deal-order", clause, place=place_text)
    if place > BOARD:
        seat = _seat_at(round, place)
        round.set_seat(_with_dealt(seat, seat.cards_dealt + 1))
    else:
        round.deal_to_pile(place)
    round.to_deal = to_deal[1:]
    if not round.to_deal:  # Every hand may be void already.
        round.phase = "play"
        advance(round)
    return None


def turn(round: RoundDraft, action: Turn) -> Refusal | None:
    """Name a face-down card."""
    place, card = action
    seat = round.seat(place) if place > BOARD else None
    # Check the usual cases first.
    if seat is not None:
        is_face_down = len(seat.cards) < seat.cards_dealt
    else:
        is_face_down = place == BOARD and len(round.board) < round.board_laid
    if not is_face_down or round.copies(card) >= round.game.decks:
        refusal = mishaps.cannot_name(round, place, card)
        if refusal is not None:
            return refusal
    phase = round.phase
    if phase not in ("play", "settle"):
        return refuse(Code.NOT_NOW, "engine.step.not-all-dealt")
    if seat is None:
        if phase == "play" and round.waits():
            return refuse(Code.NOT_NOW, "engine.step.still-to-decide", seat=round.waiting[0])
        if next_turn_unchecked(round) != place:
            place_text = _next_place(round, action)
            return refuse(Code.NOT_NOW, "engine.step.nobody-needs", place=place_text)
        round.name_in_pile(place, card)
        advance(round)
        return None
    if seat.folded and not round.game.looks_at_hand(seat):
        return refuse(Code.NOT_NOW, "engine.step.cards-stay", "GEN-14", seat=seat.number)
    round.set_seat(_with_cards(seat, (*seat.cards, card)))
    if not round.game.is_linear:
        advance_after_card(round)
    return None


def _next_place(round: Round, action: Turn) -> Sentence:
    board = action.place == BOARD
    return say("engine.place.board") if board else place_name(round, action.place)


def decide(round: RoundDraft, action: Decide) -> Refusal | None:
    """Apply a seat's play at this stage."""
    playable = playable_plays(round, action)
    if isinstance(playable, Refusal):
        return playable
    seat, play = playable
    round.set_seat(seat.after_play(play))
    advance(round)
    return None


def playable_plays(round: Round, action: Decide) -> tuple[Seat, Play] | Refusal:
    """The deciding seat and its play, or the refusal."""
    if round.phase != "play":
        return refuse(Code.NOT_NOW, "engine.step.nothing-to-decide")
    seat = round.seat(action.seat)
    if seat is None:
        return refuse(Code.UNKNOWN_SEAT, "engine.wagers.nobody-there", seat=action.seat)
    if (refusal := _cannot_decide(round, seat)) is not None:
        return refusal
    game, stage = round.game, round.stage
    play = game.play(stage, action.play)
    if play is None:
        return game.unknown_play(stage, action.play)
    if (clause := game.exceeded_clause(seat, stage, play)) is not None:
        key, number = "engine.step.above-maximum", seat.number
        return refuse(Code.ABOVE_MAXIMUM, key, clause, play=action.play, seat=number)
    if play.needs is not None and not game.allows(play, seat, *round.common):
        key, clause = "engine.step.hand-too-low", game.stages[stage].clause
        return refuse(Code.HAND_TOO_LOW, key, clause, seat=seat.number, play=play)
    return seat, play


def play_absent(round: RoundDraft, action: Absent) -> Refusal | None:
    """Play for an absent player, or one short of chips, by the sheet's rule (GEN-10)."""
    seat = round.seat(action.seat)
    if seat is None:
        return refuse(Code.UNKNOWN_SEAT, "engine.wagers.nobody-there", seat=action.seat)
    if round.phase != "play":
        return refuse(Code.NOT_NOW, "engine.step.nothing-to-decide")
    if (refusal := _cannot_decide(round, seat)) is not None:
        return refusal
    fold = round.game.fold(round.stage) if action.short else None
    play = fold or round.game.absent_play(seat, round.stage)
    if play is None:
        key, clause = "engine.step.absent-cards", round.game.absent_clause
        return refuse(Code.CARDS_UNKNOWN, key, clause, seat=seat.number)
    if action.short:
        note = _short_note(round, seat, play)
    else:
        note = say("engine.step.was-absent", seat=seat.number, play=play)
    refusal = decide(round, Decide(action.seat, play))
    if refusal is None:
        round.add_note(note, round.game.absent_clause)
    return refusal


def _short_note(round: Round, seat: Seat, play: Play) -> Sentence:
    """The note that a seat lacks chips for a bet, and its play."""
    title = round.game.stages[round.stage].title
    cheapest = cheapest_play(round.game, seat, round.stage)
    key = "engine.step.too-dear"
    return say(key, seat=seat.number, title=title, least=cheapest, play=play)


def place_name(round: Round, place: PlaceNumber) -> Sentence:
    """A place in the dealer's words."""
    if place > BOARD:
        return say("engine.place.seat", seat=place)
    return mishaps.common_place_text(round.game.places[1 - place])


def _cannot_decide(round: Round, seat: Seat) -> Refusal | None:
    if len(seat.plays) == round.stage and not seat.folded and seat.void is None:
        return None
    if seat.folded:
        return refuse(Code.ALREADY_FOLDED, "engine.step.has-folded", seat=seat.number)
    if seat.void is not None:
        return refuse(Code.ALREADY_VOID, "engine.step.hand-void", seat=seat.number)
    if round.stage < 0:
        return refuse(Code.NOT_NOW, "engine.step.card-first")
    if len(seat.plays) > round.stage:
        return refuse_cached(Code.ALREADY_DECIDED, "engine.step.has-decided", seat=seat.number)
    return None


def _seat_at(round: Round, number: int) -> Seat:
    seat = round.seat(number)
    assert seat is not None
    return seat


_HANDLERS: dict[type, Callable[[RoundDraft, Any], Refusal | None]] = {
    Wager: wagers.wager,
    Withdraw: wagers.withdraw,
    Close: wagers.close,
    Deal: deal,
    Turn: turn,
    Decide: decide,
    Absent: play_absent,
    Settle: settle,
    Misdeal: mishaps.misdeal,
    VoidHand: mishaps.void_hand_action,
    Expose: mishaps.expose,
    Fouled: mishaps.foul_deck,
    Warn: mishaps.warn,
    Interrupted: mishaps.interrupt_play,
}
