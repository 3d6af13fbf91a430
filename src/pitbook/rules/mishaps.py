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
from pitbook.rules.round import Ending, Round, advance, advance_after_card
from pitbook.rules.settlement import Settlement, forfeit_wagers, keep_settled_lines
from pitbook.sheets.findings import did_you_mean
from pitbook.text import Sentence, say


def misdeal(round: Round, action: Misdeal) -> Round | Refusal:
    """Void the round, or record a finding that comes too late (GEN-6)."""
    if round.phase == "wagers":
        return refuse(Code.NOT_NOW, "engine.mishaps.nothing-to-void")
    rules = round.game.sheet.irregularities
    clause = rules.wrong_card_count.clause if action.card_count else rules.misdeal.clause
    with_note = round.with_note(say("engine.mishaps.misdeal", reason=action.reason), clause)
    if _results_stand(round):
        return with_note.with_note(say("engine.mishaps.too-late"), rules.misdeal.clause)
    return end_round(with_note, "misdeal", clause)


def void_hand_action(round: Round, action: VoidHand) -> Round | Refusal:
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
        return round.with_note(late, rules.misdeal.clause)
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
        return round.with_note(
            say("engine.mishaps.warned", seat=seat.number, why=reason_text), clause
        )
    return _void_lines(round, seat, action.reason, reason_text)


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


def expose(round: Round, action: Expose) -> Round | Refusal:
    """A card was exposed early or to the wrong people (GEN-8)."""
    if round.phase not in ("deal", "play", "settle"):
        return refuse(Code.NOT_NOW, "engine.mishaps.no-card")
    refusal = cannot_name(round, action.place, action.card)
    if refusal is not None:
        return refusal
    return _expose_board(round, action) if action.place <= BOARD else _expose_hand(round, action)


def _expose_board(round: Round, action: Expose) -> Round | Refusal:
    rule = round.game.sheet.irregularities.early_card
    if round.phase != "deal" and not round.waiting:
        return refuse(Code.NOT_NOW, "engine.mishaps.not-early")
    place = common_place_text(round.game.places[1 - action.place])
    message = say("engine.mishaps.shown-early", card=action.card, place=place)
    with_note = round.with_pile(action.place, cards=(action.card,)).with_note(message, rule.clause)
    return end_round(with_note, "misdeal", rule.clause) if rule.value == "void-round" else with_note


def _expose_hand(round: Round, action: Expose) -> Round:
    rules = round.game.sheet.irregularities
    rule, seat = rules.exposed_card, round.seat(action.place)
    assert seat is not None
    seat = seat._replace(cards=(*seat.cards, action.card))
    message = say("engine.mishaps.shown", card=action.card, seat=seat.number)
    with_note = round.with_seat(seat).with_note(message, rule.clause)
    if rule.value == "void-round":
        if _results_stand(round):
            return with_note.with_note(say("engine.mishaps.too-late"), rules.misdeal.clause)
        return end_round(with_note, "misdeal", rule.clause)
    if rule.value == "void-hand" and seat.void is None and not _has_result(round, seat):
        return _void_lines(with_note, seat, "exposed")
    return advance_after_card(with_note)


def foul_deck(round: Round, action: Fouled) -> Round | Refusal:
    """A card that the decks cannot hold voids the round (GEN-9), if found in time."""
    if round.phase == "wagers":
        return refuse(Code.NOT_NOW, "engine.mishaps.no-card")
    rules = round.game.sheet.irregularities
    clause = rules.fouled_deck.clause
    with_note = round.with_note(say("engine.mishaps.fouled", card=action.card), clause)
    if _results_stand(round):
        return with_note.with_note(say("engine.mishaps.too-late"), rules.misdeal.clause)
    return end_round(with_note, "misdeal", clause)


def warn(round: Round, action: Warn) -> Round | Refusal:
    """Record a breach; the hand is void if the sheet says so."""
    seat = round.seat(action.seat)
    if seat is None:
        return refuse(Code.UNKNOWN_SEAT, "engine.wagers.nobody-there", seat=action.seat)
    if round.phase in ("wagers", "over"):
        return refuse(Code.NOT_NOW, "engine.mishaps.no-card")
    rule = round.game.sheet.irregularities.cards_off_table
    message = say("engine.mishaps.warned", seat=seat.number, why=action.breach)
    with_note = round.with_note(message, rule.clause if rule else None)
    voids_hand = rule is not None and rule.value == "void"
    if voids_hand and seat.void is None and not _has_result(round, seat):
        return _void_lines(with_note, seat, "off-table")
    return with_note


def interrupt_play(round: Round, action: Interrupted) -> Round | Refusal:
    """Play was stopped: it resumes, or the hand is dead if the sheet says so."""
    if round.phase in ("wagers", "over"):
        return refuse(Code.NOT_NOW, "engine.mishaps.no-play")
    rule = round.game.sheet.irregularities.interruption
    if action.why is None:
        message = say("engine.mishaps.interrupted")
    else:
        message = say("engine.mishaps.interrupted-why", why=action.why)
    if rule.value == "resume":
        return round.with_note(say("engine.mishaps.resumed", cut=message), rule.clause)
    if action.agreed:
        return round.with_note(say("engine.mishaps.all-agree", cut=message), rule.clause)
    round = round.with_note(say("engine.mishaps.dead", cut=message), rule.clause)
    return end_round(round, "dead", rule.clause)


def cannot_name(round: Round, place: PlaceNumber, card: Card) -> Refusal | None:
    """The refusal of naming a card at a place, if any."""
    if place == BOARD:
        has_closed_card = len(round.board) < round.board_laid
    elif place < BOARD:
        has_closed_card = place in round.hidden
    else:
        seat = round.seat(place)
        has_closed_card = seat is not None and len(seat.cards) < seat.laid
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


def end_round(round: Round, ending: Ending, clause: str) -> Round:
    """The round ended as void: every wager returns, as far as the sheet says so.

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
    return round._replace(
        phase="over",
        ending=ending,
        paid=standing_lines,
        settlements=settlements,
        applied_caps=round.applied_caps if standing_lines else (),
    )


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


def _void_lines(round: Round, seat: Seat, reason: str, reason_text: str = "") -> Round:
    message = say("engine.mishaps.hand-void", seat=seat.number, why=reason_text or _reason(reason))
    voided = round.with_seat(seat._replace(void=reason)).with_note(message)
    return advance(voided) if round.phase == "play" else voided


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
