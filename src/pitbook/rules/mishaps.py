"""Misdeals, void hands, exposed cards and interruptions."""

from __future__ import annotations

from functools import cache
from typing import get_args

from pitbook.cards import Card
from pitbook.rules.actions import (
    BOARD,
    Expose,
    Fouled,
    InformationPart,
    Interrupted,
    Misdeal,
    PlaceNumber,
    VoidHand,
    VoidReason,
    Warn,
)
from pitbook.rules.game import Place, Seat
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Ending, Round, RoundDraft
from pitbook.rules.round_progress import advance, advance_after_card
from pitbook.rules.settlement_lines import Settlement, forfeit_wagers, keep_settled_lines
from pitbook.text import Sentence, say
from pitbook.text.user_input import did_you_mean


def misdeal(round: RoundDraft, action: Misdeal) -> Refusal | None:
    """Void the round, or record a finding that comes too late (GEN-6)."""
    if round.phase == "wagers":
        return refuse(Code.NOT_NOW, "engine.mishaps.nothing-to-void")
    rules = round.game.sheet.irregularities
    clause = rules.wrong_card_count.clause if action.card_count else rules.misdeal.clause
    round.add_note(say("engine.mishaps.misdeal", reason=action.reason), clause)
    _void_round(round, clause)
    return None


def void_hand_action(round: RoundDraft, action: VoidHand) -> Refusal | None:
    """Void one hand, by the supervisor or for information given or taken."""
    seat = round.seat(action.seat)
    if seat is None:
        return refuse(Code.UNKNOWN_SEAT, "engine.wagers.nobody-there", seat=action.seat)
    if round.phase == "wagers":
        return refuse(Code.NOT_NOW, "engine.mishaps.no-hand")
    if seat.void is not None:
        return refuse(Code.ALREADY_VOID, "engine.mishaps.void-already", seat=seat.number)
    if (refusal := _reason_refusal(round, action)) is not None:
        return refusal
    rules = round.game.sheet.irregularities
    if _has_result(round, seat):
        late = say("engine.mishaps.void-too-late", seat=seat.number, reason=action.reason)
        round.add_note(late, rules.misdeal.clause)
        return None
    reason_text = _reason(action.part or action.reason)
    information_rule = rules.information if action.reason == "information" else None
    if information_rule is not None and (
        information_rule.result == "warn" or action.part in NOT_VOIDED[information_rule.whose.value]
    ):
        clause = (
            information_rule.clause
            if information_rule.result == "warn"
            else information_rule.whose.clause
        )
        round.add_note(say("engine.mishaps.warned", seat=seat.number, why=reason_text), clause)
        return None
    _void_seat(round, seat, action.reason, reason_text)
    return None


# CMS-16: hands that play on with a warning. A hand named without a part is always void.
NOT_VOIDED: dict[str, tuple[InformationPart, ...]] = {
    "giver-and-taker": (),
    "giver": ("took",),
    "taker": ("gave",),
}


def _reason_refusal(round: Round, action: VoidHand) -> Refusal | None:
    """The refusal of an invalid reason for voiding a hand."""
    if action.reason not in get_args(VoidReason):
        key, remedy = "engine.mishaps.no-reason", did_you_mean(action.reason, get_args(VoidReason))
        return refuse(Code.UNKNOWN_REASON, key, reason=action.reason, remedy=remedy)
    if action.part is not None and action.part not in get_args(InformationPart):
        key, remedy = "engine.mishaps.no-part", did_you_mean(action.part, get_args(InformationPart))
        return refuse(Code.UNKNOWN_REASON, key, part=action.part, remedy=remedy)
    if action.part is not None and action.reason != "information":
        return refuse(Code.UNKNOWN_REASON, "engine.mishaps.part-alone")
    if action.reason == "information" and round.game.sheet.irregularities.information is None:
        return refuse(Code.NO_RULE, "engine.mishaps.no-rule")
    return None


def expose(round: RoundDraft, action: Expose) -> Refusal | None:
    """A card was exposed early or to the wrong people (GEN-8)."""
    if round.phase not in ("deal", "play", "settle"):
        return refuse(Code.NOT_NOW, "engine.mishaps.no-card")
    refusal = cannot_name(round, action.place, action.card)
    if refusal is not None:
        return refusal
    if action.place <= BOARD:
        return _expose_board(round, action)
    _expose_hand(round, action)
    return None


def _expose_board(round: RoundDraft, action: Expose) -> Refusal | None:
    rule = round.game.sheet.irregularities.early_card
    if round.phase != "deal" and not round.waiting:
        return refuse(Code.NOT_NOW, "engine.mishaps.not-early")
    place = common_place_text(round.game.places[1 - action.place])
    round.name_in_pile(action.place, action.card)
    round.add_note(say("engine.mishaps.shown-early", card=action.card, place=place), rule.clause)
    if rule.value == "void-round":
        end_round(round, "misdeal", rule.clause)
    return None


def _expose_hand(round: RoundDraft, action: Expose) -> None:
    rule, seat = round.game.sheet.irregularities.exposed_card, round.seat(action.place)
    assert seat is not None
    seat = seat._replace(cards=(*seat.cards, action.card))
    round.set_seat(seat)
    message = say("engine.mishaps.shown", card=action.card, seat=seat.number)
    round.add_note(message, rule.clause)
    if rule.value == "void-round":
        _void_round(round, rule.clause)
    elif rule.value == "void-hand" and seat.void is None and not _has_result(round, seat):
        _void_seat(round, seat, "exposed")
    else:
        advance_after_card(round)


def foul_deck(round: RoundDraft, action: Fouled) -> Refusal | None:
    """A card that cannot be in the decks voids the round (GEN-9), if found in time."""
    if round.phase == "wagers":
        return refuse(Code.NOT_NOW, "engine.mishaps.no-card")
    clause = round.game.sheet.irregularities.fouled_deck.clause
    round.add_note(say("engine.mishaps.fouled", card=action.card), clause)
    _void_round(round, clause)
    return None


def warn(round: RoundDraft, action: Warn) -> Refusal | None:
    """Record a breach; the hand is void if the sheet says so."""
    seat = round.seat(action.seat)
    if seat is None:
        return refuse(Code.UNKNOWN_SEAT, "engine.wagers.nobody-there", seat=action.seat)
    if round.phase in ("wagers", "over"):
        return refuse(Code.NOT_NOW, "engine.mishaps.no-card")
    rule = round.game.sheet.irregularities.cards_off_table
    message = say("engine.mishaps.warned", seat=seat.number, why=action.breach)
    round.add_note(message, rule.clause if rule else None)
    voids_hand = rule is not None and rule.value == "void"
    if voids_hand and seat.void is None and not _has_result(round, seat):
        _void_seat(round, seat, "off-table")
    return None


def interrupt_play(round: RoundDraft, action: Interrupted) -> Refusal | None:
    """Play was stopped: it resumes, or the hand is dead if the sheet says so."""
    if round.phase in ("wagers", "over"):
        return refuse(Code.NOT_NOW, "engine.mishaps.no-play")
    rule = round.game.sheet.irregularities.interruption
    if action.why is None:
        message = say("engine.mishaps.interrupted")
    else:
        message = say("engine.mishaps.interrupted-why", why=action.why)
    if rule.value == "resume":
        round.add_note(say("engine.mishaps.resumed", cut=message), rule.clause)
    elif action.agreed:
        round.add_note(say("engine.mishaps.all-agree", cut=message), rule.clause)
    else:
        round.add_note(say("engine.mishaps.dead", cut=message), rule.clause)
        end_round(round, "dead", rule.clause)
    return None


def cannot_name(round: Round, place: PlaceNumber, card: Card) -> Refusal | None:
    """The refusal of naming a card at a place, if any."""
    if place == BOARD:
        has_closed_card = len(round.board) < round.board_laid
    elif place > BOARD:
        seat = round.seat(place)
        has_closed_card = seat is not None and len(seat.cards) < seat.cards_dealt
    else:
        has_closed_card = place in round.hidden
    if not has_closed_card:
        return refuse(Code.NO_CARD_THERE, "engine.mishaps.none-face-down")
    decks = round.game.decks
    if round.copies(card) >= decks:
        key, clause = "engine.mishaps.too-often", round.game.sheet.irregularities.fouled_deck.clause
        return refuse(Code.NO_SUCH_CARD, key, clause, card=card, decks=decks)
    return None


@cache
def common_place_text(place: Place) -> Sentence:
    """A shared place in the dealer's words."""
    return say("engine.place.common", place=place.id, title=place.title)


def _void_round(round: RoundDraft, clause: str) -> None:
    """End the round as a misdeal, or note that it was found too late (GEN-6)."""
    if _results_stand(round):
        rule = round.game.sheet.irregularities.misdeal
        round.add_note(say("engine.mishaps.too-late"), rule.clause)
    else:
        end_round(round, "misdeal", clause)


def end_round(round: RoundDraft, ending: Ending, clause: str) -> None:
    """End the round as void: every wager returns, as far as the sheet says so.

    GEN-6: a dead hand keeps earlier settlements; a misdeal reverses them too.
    """
    rules = round.game.sheet.irregularities
    keeps_offense = not rules.misdeal_over_offence.value  # GEN-7
    settlements = tuple(
        void_hand(round, seat)
        if seat.void == "information" and keeps_offense
        else round.game.void(seat, clause)
        for seat in round.seats
    )
    standing_lines = round.paid if ending == "dead" else ()
    if standing_lines:
        settlements = tuple(
            keep_settled_lines(settlement, standing_lines) for settlement in settlements
        )
    round.phase, round.ending = "over", ending
    round.paid, round.settlements = standing_lines, settlements
    if not standing_lines:
        round.applied_caps = ()


def void_hand(round: Round, seat: Seat) -> Settlement:
    """The lines of a hand that was voided alone."""
    rules = round.game.sheet.irregularities
    if seat.void == "information" and rules.information is not None:
        clause = rules.information.clause
        if rules.information.result == "forfeit":
            return forfeit_wagers(seat.number, seat.stakes, clause)
        return round.game.void(seat, clause)
    if seat.void == "exposed":
        return round.game.void(seat, rules.exposed_card.clause)
    rule = rules.cards_off_table if seat.void == "off-table" else None
    return round.game.void(seat, rule.clause if rule else rules.misdeal.clause)


def _void_seat(round: RoundDraft, seat: Seat, reason: str, reason_text: str = "") -> None:
    message = say("engine.mishaps.hand-void", seat=seat.number, why=reason_text or _reason(reason))
    round.set_seat(seat._replace(void=reason))
    round.add_note(message)
    if round.phase == "play":
        advance(round)


@cache
def _reason(reason: str) -> Sentence:
    """The reason for a void hand or a warning, in words."""
    return say("engine.mishaps.reason", reason=reason)


def _results_stand(round: Round) -> bool:
    """GEN-6: whether results stand even if the deal was wrong."""
    until = round.game.sheet.irregularities.misdeal.until
    settling = until == "first-seat-settled" and round.steps_settled > 0
    return settling or round.phase == "over"


def _has_result(round: Round, seat: Seat) -> bool:
    """GEN-6 for one hand: all of it is settled."""
    pending = [number for number, _ in round.to_settle[round.steps_settled :]]
    return round.phase == "over" or (round.phase == "settle" and seat.number not in pending)
