"""Irregularities, and where the source document has a rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pitbook.cards import DECK, Card
from pitbook.drills.memorized_facts import fold_reason, has_fold_and_sides
from pitbook.drills.paying import deal_to_limit, has_caps, limit_reasons
from pitbook.drills.question import Item, Layout, Question, Reason, label_options
from pitbook.drills.random_rounds import Draws, PlayedRound, deal, layout_of, payments, round_file
from pitbook.drills.reasons import deal_reason, line_reasons, settlement_reason
from pitbook.drills.spot_error import describe_round
from pitbook.rules.actions import (
    Action,
    Expose,
    Fouled,
    InformationPart,
    Interrupted,
    Misdeal,
    PlaceNumber,
    VoidHand,
    Warn,
)
from pitbook.rules.game import Game
from pitbook.rules.mishaps import void_hand
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round
from pitbook.rules.settlement_lines import Line
from pitbook.rules.step import step
from pitbook.sheets import provenance
from pitbook.sheets.clauses import clause_texts, is_general
from pitbook.text import Sentence, say

OUTCOMES = ("void-round", "dead", "hand-back", "hand-lost", "warned", "goes-on")
SEATS_MAX = 3


class Mishap(NamedTuple):
    """An irregularity: the state before it, the action, and its description."""

    played: PlayedRound
    at: int
    action: Action
    sentence: Sentence
    hidden: int = 0  # A seat whose cards are not shown.

    @property
    def round(self) -> Round:
        """The round just before."""
        return self.played.states[self.at]


def what_now(game: Game, draws: Draws) -> Item | None:
    """What happens to the round or the hand after an irregularity."""
    dealt = deal_mishap(game, draws)
    if dealt is None:
        return None
    mishap, after = dealt
    outcome, _ = mishap_outcome(mishap, after)
    outcomes = draws.shuffle(OUTCOMES)
    options = label_options([(say("drills.outcome", outcome=outcome), ()) for outcome in outcomes])
    question = Question(
        say("drills.what-now"), "choice", mishap_layout(mishap), (mishap.sentence,), options
    )
    answer = options[outcomes.index(outcome)].id
    why = (mishap_reason(mishap, after),)
    evidence = {"played": mishap.played, "mishap": mishap}
    return Item("what-now", question, answer, why, 3, evidence=evidence)


def mishap_layout(mishap: Mishap) -> Layout:
    """The layout before an irregularity; a miscounted hand is not shown with its right number of
    cards.
    """
    layout = layout_of(mishap.round)
    if not mishap.hidden:
        return layout
    seats = (
        seat._replace(cards=()) if seat.seat == mishap.hidden else seat for seat in layout.seats
    )
    return layout._replace(seats=tuple(seats))


def mishap_reason(mishap: Mishap, after: Round) -> Reason:
    """What happens after an irregularity, and under which clause."""
    return _outcome_reason(mishap.round.game, *mishap_outcome(mishap, after))


def _outcome_reason(game: Game, outcome: str, clause: str | None) -> Reason:
    """What happens; if the document is silent, marked as our assumption."""
    text = say("drills.outcome", outcome=outcome)
    if clause is None or is_in_document(game, clause):
        return Reason(say("form.full", text=text), clause)
    assumed = say("drills.assumed", text=say("form.full", text=text))
    return Reason(assumed, clause if is_general(clause) else None)


def is_in_document(game: Game, clause: str) -> bool:
    """Whether the document states the rule, rather than our assumption beside its clause."""
    rules = [
        rule
        for _, rule in provenance.rules_of(game.sheet.irregularities, ())
        if rule.clause == clause
    ]
    return any(provenance.share(rule) != "all" for rule in rules)


# What happens -------------------------------------------------------------------------------------


def deal_mishap(game: Game, draws: Draws) -> tuple[Mishap, Round] | None:
    """Deal a round with an irregularity; returns it and the round after the engine handled it."""
    seats = 1 + draws.below(min(SEATS_MAX, game.sheet.seats.count))
    played = deal(game, draws, seats=seats)
    kinds = (
        _expose_board_card,
        _expose_seat_card,
        _foul_deck,
        _miscount_hand,
        _share_information,
        _take_cards_off_table,
        _interrupt_round,
    )
    mishap = draws.choice(kinds)(played, draws)
    if mishap is None:
        return None
    after = step(mishap.round, mishap.action)
    return None if isinstance(after, Refusal) else (mishap, after)


def mishap_outcome(mishap: Mishap, after: Round) -> tuple[str, str | None]:
    """The outcome that the engine reached, and its clause."""
    clause = next((note.clause for note in reversed(after.notes) if note.clause), None)
    if after.ending in ("misdeal", "dead"):
        return ("void-round" if after.ending == "misdeal" else "dead"), clause
    void = [
        (seat, before)
        for seat, before in zip(after.seats, mishap.round.seats, strict=True)
        if seat.void is not None and before.void is None
    ]
    if void:
        lines = void_hand(after, void[0][0]).lines
        return _void_hand_outcome(lines), lines[0].clause
    warned = isinstance(mishap.action, VoidHand | Warn) and _has_new_note(mishap.round, after)
    return ("warned" if warned else "goes-on"), clause


def _has_new_note(before: Round, after: Round) -> bool:
    return after.notes[len(before.notes) :][:1] != ()


def _void_hand_outcome(lines: tuple[Line, ...]) -> str:
    return "hand-lost" if any(line.result == "forfeit" for line in lines) else "hand-back"


def _pick_quiet_state(played: PlayedRound, draws: Draws) -> int:
    """Index of a random state in which players act or seats are settled."""
    return draws.choice([at for at, state in enumerate(played.states) if _is_quiet(state)])


def _is_quiet(round: Round) -> bool:
    """Whether players are acting with their hands in view, or seats are being settled."""
    looked = all(len(seat.cards) == seat.cards_dealt or seat.folded for seat in round.seats)
    if round.phase != "settle":
        return looked and bool(round.waiting)
    settled = [seat for seat in round.seats if _is_seat_settled(round, seat.number)]
    live = [seat for seat in round.seats if not seat.folded]
    return (
        looked and bool(live) and (not round.steps_settled or any(seat in live for seat in settled))
    )


def _next_card(played: PlayedRound, at: int, place: PlaceNumber) -> Card:
    """The next face-down card to be turned at a place."""
    round = played.states[at]
    seat = round.seat(place) if place > 0 else None
    named = seat.cards if seat is not None else round.piles[-place].cards
    return played.dealt_to(place)[len(named)]


def _expose_board_card(played: PlayedRound, draws: Draws) -> Mishap | None:
    fit = [
        (at, -number)
        for at, state in enumerate(played.states)
        if state.waiting and _is_quiet(state)
        for number, pile in enumerate(state.piles)
        if len(pile.cards) < pile.cards_dealt
    ]
    if not fit:
        return None
    at, place = draws.choice(fit)
    card = _next_card(played, at, place)
    other_place = played.final.game.places[1 - place]
    sentence = say(
        "drills.mishap.early", cards=(card,), place=other_place.id, title=other_place.title
    )
    return Mishap(played, at, Expose(place, card), sentence)


def _expose_seat_card(played: PlayedRound, draws: Draws) -> Mishap | None:
    if played.final.game.places[0].open:
        return None  # Players' cards lie face up anyway.
    fit = [
        (at, seat.number)
        for at, state in enumerate(played.states)
        if state.phase == "deal"
        for seat in state.seats
        if len(seat.cards) < seat.cards_dealt
    ]
    if not fit:
        return None
    at, seat = draws.choice(fit)
    card = _next_card(played, at, seat)
    return Mishap(
        played, at, Expose(seat, card), say("drills.mishap.shown", cards=(card,), seat=seat)
    )


def _foul_deck(played: PlayedRound, draws: Draws) -> Mishap | None:
    at = _pick_quiet_state(played, draws)
    sentence = say("drills.mishap.fouled", stage=_round_stage(played.states[at]))
    return Mishap(played, at, Fouled(draws.choice(DECK)), sentence)


def _miscount_hand(played: PlayedRound, draws: Draws) -> Mishap | None:
    at = _pick_quiet_state(played, draws)
    round = played.states[at]
    live = [
        seat.number
        for seat in round.seats
        if not seat.folded and not _is_seat_settled(round, seat.number)
    ]
    if not live:
        return None
    seat = draws.choice(live)
    sentence = say("drills.mishap.miscounted", stage=_round_stage(round), seat=seat)
    return Mishap(played, at, Misdeal("count", card_count=True), sentence, seat)


def _share_information(played: PlayedRound, draws: Draws) -> Mishap | None:
    if played.final.game.sheet.irregularities.information is None:
        return None
    at = _pick_quiet_state(played, draws)
    round = played.states[at]
    live = [
        seat_state.number
        for seat_state in round.seats
        if not seat_state.folded and not _is_seat_settled(round, seat_state.number)
    ]
    if len(live) < 2:
        return None  # It takes two players with cards.
    seat, part = draws.choice(live), _information_part(draws)
    other = draws.choice([seat_state for seat_state in live if seat_state != seat])
    stage = _round_stage(round)
    sentence = say("drills.mishap.information", seat=seat, other=other, part=part, stage=stage)
    return Mishap(played, at, VoidHand(seat, "information", part), sentence)


def _information_part(draws: Draws) -> InformationPart:
    return "gave" if draws.below(2) else "took"


def _is_seat_settled(round: Round, seat: int) -> bool:
    pending = {number for number, _ in round.to_settle[round.steps_settled :]}
    return round.phase == "settle" and seat not in pending


def _take_cards_off_table(played: PlayedRound, draws: Draws) -> Mishap | None:
    at = _pick_quiet_state(played, draws)
    round = played.states[at]
    seat = draws.choice(round.seats)
    if played.final.game.sheet.irregularities.cards_off_table is None or not seat.cards_dealt:
        return None
    if seat.folded or _is_seat_settled(round, seat.number) or round.phase != "play":
        return None  # The dealer has the cards.
    sentence = say("drills.mishap.off-table", seat=seat.number)
    return Mishap(played, at, Warn(seat.number, "off-table"), sentence)


def _interrupt_round(played: PlayedRound, draws: Draws) -> Mishap | None:
    at, agreed = _pick_quiet_state(played, draws), bool(draws.below(2))
    needs_agreement = played.final.game.sheet.irregularities.interruption.value != "resume"
    agreement = ("yes" if agreed else "no") if needs_agreement else "unasked"
    stage = _round_stage(played.states[at])
    sentence = say("drills.mishap.cut-short", agreement=agreement, stage=stage)
    return Mishap(played, at, Interrupted(agreed), sentence)


def _round_stage(round: Round) -> str:
    """How far the round is: in play, before the first payment, or after it."""
    if round.phase != "settle":
        return "play"
    return "paying" if round.steps_settled else "shown"


# Where is the rule --------------------------------------------------------------------------------


PLACES = 4
TRIES = 40  # Rounds dealt for one topic before another is chosen.
ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
]
NUMBERS = re.compile(rf"(\d+)[a-z]?(?: to (\d+))?|{'|'.join(ORDINALS)}")


class Case(NamedTuple):
    """A situation in a round, and the rule that covers it."""

    sentence: str
    layout: Layout | None
    reason: Reason
    evidence: dict[str, Any]
    similar: frozenset[str] = frozenset()  # Clauses that could be mistaken for the right one.


def has_places(game: Game) -> bool:
    """Whether the document covers irregularities and has enough places to choose from."""
    rules = [rule for _, rule in provenance.rules_of(game.sheet.irregularities, ())]
    return (
        any(is_in_document(game, rule.clause) for rule in rules)
        and len(_unique_places(game)) >= PLACES
    )


def which_clause(game: Game, draws: Draws) -> Item | None:
    """Where the source document states a rule."""
    topic, places = (
        draws.choice([topic for topic, fits in TOPICS if fits(game)]),
        _unique_places(game),
    )
    cases = (topic(game, draws) for _ in range(TRIES))
    case = next((case for case in cases if case is not None and case.reason.clause in places), None)
    if case is None or case.reason.clause is None:
        return None
    right = places[case.reason.clause]
    others = [
        place
        for clause, place in places.items()
        if clause not in case.similar and not _share_paragraph(place, right)
    ]
    if len(others) < PLACES - 1:
        return None
    choices = draws.shuffle([right, *draws.sample(others, PLACES - 1)])
    options = label_options([(place, ()) for place in choices])
    document = clause_texts()[case.reason.clause].document
    ask = say("drills.which-clause", document=document)
    question = Question(ask, "choice", case.layout, (case.sentence,), options)
    answer = options[choices.index(right)].id
    return Item("which-clause", question, answer, (case.reason,), 3, evidence=case.evidence)


# Topics -------------------------------------------------------------------------------------------


def _mishap_case(game: Game, draws: Draws) -> Case | None:
    dealt = deal_mishap(game, draws)
    if dealt is None:
        return None
    mishap, after = dealt
    why = mishap_reason(mishap, after)
    if why.clause is None or not is_in_document(game, why.clause):
        return None
    evidence = {"played": mishap.played, "mishap": mishap, "topic": "irregularity"}
    return Case(mishap.sentence, mishap_layout(mishap), why, evidence)


def _deal_case(game: Game, draws: Draws) -> Case:
    played = _deal_round(game, draws)
    dealt = next(act for act in describe_round(played) if act.what == "deal")
    return Case(dealt.text, None, deal_reason(game), {"played": played, "topic": "deal"})


def _settlement_case(game: Game, draws: Draws) -> Case | None:
    played = _deal_round(game, draws)
    seats = list(dict.fromkeys(stop.seat for stop in payments(played.final)))
    if len(seats) < 2:
        return None
    sentence = say("drills.acts.first", seat=seats[0], other=seats[1])
    evidence = {"played": played, "topic": "settlement"}
    return Case(sentence, layout_of(played.final), settlement_reason(game), evidence)


def _payout_case(game: Game, draws: Draws) -> Case | None:
    played = deal(game, draws)
    number = played.final.seats[0].number
    wins = [line for line in played.lines(number) if line.wins]
    if not wins:
        return None
    line = draws.choice(wins)
    (why,) = line_reasons(played.final, number, [line])
    evidence = {"played": played, "file": round_file(played), "asked": line.wager, "topic": "pay"}
    limits = frozenset(limit.clause for limit in game.sheet.limits)
    return Case(why.text, layout_of(played.final), why, evidence, limits)


def _fold_case(game: Game, draws: Draws) -> Case | None:
    played = deal(game, draws, style="folds")
    seat = played.final.seats[0]
    if not seat.folded or not seat.side:
        return None
    wager, _ = draws.choice(seat.side)
    play = next(str(play) for play in seat.plays if play.folds)
    why = fold_reason(game, wager, play)
    return Case(
        why.text, layout_of(played.final), why, {"played": played, "asked": wager, "topic": "fold"}
    )


def _limit_case(game: Game, draws: Draws) -> Case | None:
    reached = deal_to_limit(game, draws)
    if reached is None:
        return None
    played, seat = reached
    why = draws.choice(limit_reasons(played.final, seat))
    pays = frozenset({game.sheet.main.clause, *(side.clause for side in game.sheet.side.values())})
    evidence = {"played": played, "file": round_file(played), "topic": "limit"}
    return Case(why.text, layout_of(played.final), why, evidence, pays)


def _deal_round(game: Game, draws: Draws) -> PlayedRound:
    return deal(game, draws, seats=1 + draws.below(min(SEATS_MAX, game.sheet.seats.count)))


def _always(game: Game) -> bool:
    return True


Topic = Callable[[Game, Draws], Case | None]
TOPICS: tuple[tuple[Topic, Callable[[Game], bool]], ...] = (
    (_mishap_case, _always),
    (_deal_case, _always),
    (_settlement_case, _always),
    (_payout_case, _always),
    (_fold_case, has_fold_and_sides),
    (_limit_case, has_caps),
)


# Places -------------------------------------------------------------------------------------------


def _unique_places(game: Game) -> dict[str, str]:
    """Where the document states each cited clause, without places that two clauses share."""
    cited = {
        rule.clause for path, rule in provenance.rules_of(game.sheet, ()) if not _is_notice(path)
    }
    clauses = clause_texts()
    places = {
        name: str(clauses[name].where)
        for name in sorted(cited & set(clauses))
        if clauses[name].where and not clauses[name].ours
    }
    counts = list(places.values())
    return {name: place for name, place in places.items() if counts.count(place) == 1}


def _is_notice(path: Sequence[str | int]) -> bool:
    """Whether a rule is about the house or its guests, not about play."""
    return path[0] == "notices" or path[:2] == ("house", "approval")


def _share_paragraph(place: str, other: str) -> bool:
    """Whether two places share a paragraph, so that both could be called right.

    >>> _share_paragraph("Overview, page 2; Dealing, items 5 to 7", "Dealing, item 6a")
    True
    >>> _share_paragraph("House rules, first point", "House rules, ninth point")
    False
    """
    return any(
        title == other_title and (not numbers or not other_numbers or numbers & other_numbers)
        for title, numbers in map(_parse_place, place.lower().split(";"))
        for other_title, other_numbers in map(_parse_place, other.lower().split(";"))
    )


def _parse_place(place: str) -> tuple[str, set[str]]:
    """A section's title and its item numbers; no numbers means the whole section."""
    title, _, items = re.sub(r", page \d+", "", place).strip().partition(",")
    numbers: set[str] = set()
    for match in NUMBERS.finditer(items):
        first, last = match.groups()
        numbers |= (
            {str(n) for n in range(int(first), int(last or first) + 1)} if first else {match[0]}
        )
    return title, numbers
