"""Irregularities, and where the source document has a rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pitbook.cards import DECK, Card
from pitbook.drills.item import Item, Lies, Question, Reason, lettered
from pitbook.drills.memory import fold_reason, has_fold_and_sides
from pitbook.drills.paying import deal_to_limit, has_caps, limit_reasons
from pitbook.drills.reasons import deal_reason, line_reasons, settlement_reason
from pitbook.drills.rounds import Draws, PlayedRound, deal, lies, payments, round_file
from pitbook.drills.spot_error import told_of
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
from pitbook.rules.settlement import Line
from pitbook.rules.step import step
from pitbook.sheets import provenance
from pitbook.sheets.clauses import catalogue, is_general
from pitbook.text import Sentence, say

OUTCOMES = ("void-round", "dead", "hand-back", "hand-lost", "warned", "goes-on")
SEATS_MAX = 3


class Mishap(NamedTuple):
    """Something that goes wrong in a round: the state before it, the action, and its sentence."""

    played: PlayedRound
    at: int
    action: Action
    told: Sentence
    hidden: int = 0  # A seat whose cards are not shown.

    @property
    def round(self) -> Round:
        """The round just before."""
        return self.played.states[self.at]


def what_now(game: Game, luck: Draws) -> Item | None:
    """What becomes of the round or the hand."""
    happened = deal_mishap(game, luck)
    if happened is None:
        return None
    mishap, after = happened
    outcome, _ = came_of(mishap, after)
    shown = luck.shuffled(OUTCOMES)
    options = lettered([(say("drills.outcome", outcome=one), ()) for one in shown])
    question = Question(
        say("drills.what-now"), "choice", mishap_lies(mishap), (mishap.told,), options
    )
    answer = options[shown.index(outcome)].id
    why = (mishap_reason(mishap, after),)
    evidence = {"played": mishap.played, "mishap": mishap}
    return Item("what-now", question, answer, why, 3, evidence=evidence)


def mishap_lies(mishap: Mishap) -> Lies:
    """The felt before it happens; a miscounted hand is not shown with its right number of cards."""
    shown = lies(mishap.round)
    if not mishap.hidden:
        return shown
    seats = (one._replace(cards=()) if one.seat == mishap.hidden else one for one in shown.seats)
    return shown._replace(seats=tuple(seats))


def mishap_reason(mishap: Mishap, after: Round) -> Reason:
    """What happens and by which clause."""
    return _reason(mishap.round.game, *came_of(mishap, after))


def _reason(game: Game, outcome: str, clause: str | None) -> Reason:
    """What happens; where the document is silent, that it is the house's choice."""
    text = say("drills.outcome", outcome=outcome)
    if clause is None or in_document(game, clause):
        return Reason(say("form.full", text=text), clause)
    assumed = say("drills.assumed", text=say("form.full", text=text))
    return Reason(assumed, clause if is_general(clause) else None)


def in_document(game: Game, clause: str) -> bool:
    """Whether the document itself has the rule, and not our assumption beside its clause."""
    rules = [
        rule
        for _, rule in provenance.rules_of(game.sheet.irregularities, ())
        if rule.clause == clause
    ]
    return any(provenance.share(rule) != "all" for rule in rules)


# What happens -------------------------------------------------------------------------------------


def deal_mishap(game: Game, luck: Draws) -> tuple[Mishap, Round] | None:
    """A round in which something goes wrong, and the round after the engine handled it."""
    seats = 1 + luck.below(min(SEATS_MAX, game.sheet.seats.count))
    played = deal(game, luck, seats=seats)
    kinds = (_shown_early, _shown, _foul, _miscounted, _information, _off_table, _cut_short)
    mishap = luck.one_of(kinds)(played, luck)
    if mishap is None:
        return None
    after = step(mishap.round, mishap.action)
    return None if isinstance(after, Refusal) else (mishap, after)


def came_of(mishap: Mishap, after: Round) -> tuple[str, str | None]:
    """What the engine made of it, as one of the outcomes, and by which clause."""
    clause = next((one.clause for one in reversed(after.notes) if one.clause), None)
    if after.ending in ("misdeal", "dead"):
        return ("void-round" if after.ending == "misdeal" else "dead"), clause
    void = [
        (seat, was)
        for seat, was in zip(after.seats, mishap.round.seats, strict=True)
        if seat.void is not None and was.void is None
    ]
    if void:
        lines = void_hand(after, void[0][0]).lines
        return _hand(lines), lines[0].clause
    warned = isinstance(mishap.action, VoidHand | Warn) and _is_on_record(mishap.round, after)
    return ("warned" if warned else "goes-on"), clause


def _is_on_record(before: Round, after: Round) -> bool:
    return after.notes[len(before.notes) :][:1] != ()


def _hand(lines: tuple[Line, ...]) -> str:
    return "hand-lost" if any(line.result == "forfeit" for line in lines) else "hand-back"


def _any_time(played: PlayedRound, luck: Draws) -> int:
    """A moment while players act or seats are settled, by its number."""
    return luck.one_of([at for at, one in enumerate(played.states) if _is_quiet(one)])


def _is_quiet(round: Round) -> bool:
    """Whether players are acting with their hands in view, or seats are being settled."""
    looked = all(len(seat.cards) == seat.laid or seat.folded for seat in round.seats)
    if round.phase != "settle":
        return looked and bool(round.waiting)
    done = [seat for seat in round.seats if _done(round, seat.number)]
    live = [seat for seat in round.seats if not seat.folded]
    return looked and bool(live) and (not round.steps_settled or any(one in live for one in done))


def _next_card(played: PlayedRound, at: int, place: PlaceNumber) -> Card:
    """The card of the shoe that lies face down at a place, the next to be turned there."""
    round = played.states[at]
    seat = round.seat(place) if place > 0 else None
    named = seat.cards if seat is not None else round.piles[-place].cards
    return played.dealt_to(place)[len(named)]


def _shown_early(played: PlayedRound, luck: Draws) -> Mishap | None:
    fit = [
        (at, -number)
        for at, state in enumerate(played.states)
        if state.waiting and _is_quiet(state)
        for number, pile in enumerate(state.piles)
        if len(pile.cards) < pile.laid
    ]
    if not fit:
        return None
    at, place = luck.one_of(fit)
    card = _next_card(played, at, place)
    where = played.final.game.places[1 - place]
    sentence = say("drills.mishap.early", cards=(card,), place=where.id, title=where.title)
    return Mishap(played, at, Expose(place, card), sentence)


def _shown(played: PlayedRound, luck: Draws) -> Mishap | None:
    if played.final.game.places[0].open:
        return None  # Players' cards lie face up anyway.
    fit = [
        (at, seat.number)
        for at, one in enumerate(played.states)
        if one.phase == "deal"
        for seat in one.seats
        if len(seat.cards) < seat.laid
    ]
    if not fit:
        return None
    at, seat = luck.one_of(fit)
    card = _next_card(played, at, seat)
    return Mishap(
        played, at, Expose(seat, card), say("drills.mishap.shown", cards=(card,), seat=seat)
    )


def _foul(played: PlayedRound, luck: Draws) -> Mishap | None:
    at = _any_time(played, luck)
    sentence = say("drills.mishap.fouled", stage=_stage(played.states[at]))
    return Mishap(played, at, Fouled(luck.one_of(DECK)), sentence)


def _miscounted(played: PlayedRound, luck: Draws) -> Mishap | None:
    at = _any_time(played, luck)
    round = played.states[at]
    live = [
        seat.number for seat in round.seats if not seat.folded and not _done(round, seat.number)
    ]
    if not live:
        return None
    seat = luck.one_of(live)
    sentence = say("drills.mishap.miscounted", stage=_stage(round), seat=seat)
    return Mishap(played, at, Misdeal("count", card_count=True), sentence, seat)


def _information(played: PlayedRound, luck: Draws) -> Mishap | None:
    if played.final.game.sheet.irregularities.information is None:
        return None
    at = _any_time(played, luck)
    round = played.states[at]
    live = [
        seat_state.number
        for seat_state in round.seats
        if not seat_state.folded and not _done(round, seat_state.number)
    ]
    if len(live) < 2:
        return None  # It takes two players with cards.
    seat, part = luck.one_of(live), _part(luck)
    other = luck.one_of([seat_state for seat_state in live if seat_state != seat])
    stage = _stage(round)
    sentence = say("drills.mishap.information", seat=seat, other=other, part=part, stage=stage)
    return Mishap(played, at, VoidHand(seat, "information", part), sentence)


def _part(luck: Draws) -> InformationPart:
    return "gave" if luck.below(2) else "took"


def _done(round: Round, seat: int) -> bool:
    to_come = {number for number, _ in round.to_settle[round.steps_settled :]}
    return round.phase == "settle" and seat not in to_come


def _off_table(played: PlayedRound, luck: Draws) -> Mishap | None:
    at = _any_time(played, luck)
    round = played.states[at]
    seat = luck.one_of(round.seats)
    if played.final.game.sheet.irregularities.cards_off_table is None or not seat.laid:
        return None
    if seat.folded or _done(round, seat.number) or round.phase != "play":
        return None  # The cards lie with the dealer.
    sentence = say("drills.mishap.off-table", seat=seat.number)
    return Mishap(played, at, Warn(seat.number, "off-table"), sentence)


def _cut_short(played: PlayedRound, luck: Draws) -> Mishap | None:
    at, agreed = _any_time(played, luck), bool(luck.below(2))
    needs_agreement = played.final.game.sheet.irregularities.interruption.value != "resume"
    agreement = ("yes" if agreed else "no") if needs_agreement else "unasked"
    stage = _stage(played.states[at])
    sentence = say("drills.mishap.cut-short", agreement=agreement, stage=stage)
    return Mishap(played, at, Interrupted(agreed), sentence)


def _stage(round: Round) -> str:
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
    """Something that happens in a round, and the rule that covers it."""

    said: str
    shown: Lies | None
    reason: Reason
    evidence: dict[str, Any]
    alike: frozenset[str] = frozenset()  # Clauses that might be taken for the right one.


def has_places(game: Game) -> bool:
    """Whether the document rules on irregularities and has enough places to choose from."""
    rules = [rule for _, rule in provenance.rules_of(game.sheet.irregularities, ())]
    return any(in_document(game, rule.clause) for rule in rules) and len(_places(game)) >= PLACES


def which_clause(game: Game, luck: Draws) -> Item | None:
    """Where in the source document a rule stands."""
    topic, places = luck.one_of([topic for topic, fits in TOPICS if fits(game)]), _places(game)
    cases = (topic(game, luck) for _ in range(TRIES))
    case = next((one for one in cases if one is not None and one.reason.clause in places), None)
    if case is None or case.reason.clause is None:
        return None
    right = places[case.reason.clause]
    others = [
        place
        for clause, place in places.items()
        if clause not in case.alike and not _overlap(place, right)
    ]
    if len(others) < PLACES - 1:
        return None
    shown = luck.shuffled([right, *luck.some_of(others, PLACES - 1)])
    options = lettered([(place, ()) for place in shown])
    document = catalogue()[case.reason.clause].document
    ask = say("drills.which-clause", document=document)
    question = Question(ask, "choice", case.shown, (case.said,), options)
    answer = options[shown.index(right)].id
    return Item("which-clause", question, answer, (case.reason,), 3, evidence=case.evidence)


# Topics -------------------------------------------------------------------------------------------


def _mishap(game: Game, luck: Draws) -> Case | None:
    happened = deal_mishap(game, luck)
    if happened is None:
        return None
    mishap, after = happened
    why = mishap_reason(mishap, after)
    if why.clause is None or not in_document(game, why.clause):
        return None
    evidence = {"played": mishap.played, "mishap": mishap, "topic": "irregularity"}
    return Case(mishap.told, mishap_lies(mishap), why, evidence)


def _deal(game: Game, luck: Draws) -> Case:
    played = _round(game, luck)
    dealt = next(act for act in told_of(played) if act.what == "deal")
    return Case(dealt.text, None, deal_reason(game), {"played": played, "topic": "deal"})


def _settlement(game: Game, luck: Draws) -> Case | None:
    played = _round(game, luck)
    seats = list(dict.fromkeys(stop.seat for stop in payments(played.final)))
    if len(seats) < 2:
        return None
    said = say("drills.acts.first", seat=seats[0], other=seats[1])
    evidence = {"played": played, "topic": "settlement"}
    return Case(said, lies(played.final), settlement_reason(game), evidence)


def _pay(game: Game, luck: Draws) -> Case | None:
    played = deal(game, luck)
    number = played.final.seats[0].number
    wins = [line for line in played.lines(number) if line.wins]
    if not wins:
        return None
    line = luck.one_of(wins)
    (why,) = line_reasons(played.final, number, [line])
    evidence = {"played": played, "file": round_file(played), "asked": line.wager, "topic": "pay"}
    limits = frozenset(limit.clause for limit in game.sheet.limits)
    return Case(why.text, lies(played.final), why, evidence, limits)


def _fold(game: Game, luck: Draws) -> Case | None:
    played = deal(game, luck, style="folds")
    seat = played.final.seats[0]
    if not seat.folded or not seat.side:
        return None
    wager, _ = luck.one_of(seat.side)
    play = next(str(play) for play in seat.plays if play.folds)
    why = fold_reason(game, wager, play)
    return Case(
        why.text, lies(played.final), why, {"played": played, "asked": wager, "topic": "fold"}
    )


def _limit(game: Game, luck: Draws) -> Case | None:
    reached = deal_to_limit(game, luck)
    if reached is None:
        return None
    played, seat = reached
    why = luck.one_of(limit_reasons(played.final, seat))
    pays = frozenset({game.sheet.main.clause, *(side.clause for side in game.sheet.side.values())})
    evidence = {"played": played, "file": round_file(played), "topic": "limit"}
    return Case(why.text, lies(played.final), why, evidence, pays)


def _round(game: Game, luck: Draws) -> PlayedRound:
    return deal(game, luck, seats=1 + luck.below(min(SEATS_MAX, game.sheet.seats.count)))


def _always(game: Game) -> bool:
    return True


Topic = Callable[[Game, Draws], Case | None]
TOPICS: tuple[tuple[Topic, Callable[[Game], bool]], ...] = (
    (_mishap, _always),
    (_deal, _always),
    (_settlement, _always),
    (_pay, _always),
    (_fold, has_fold_and_sides),
    (_limit, has_caps),
)


# Places -------------------------------------------------------------------------------------------


def _places(game: Game) -> dict[str, str]:
    """Where the document has each clause that the sheet cites, without places of two clauses."""
    cited = {
        rule.clause for path, rule in provenance.rules_of(game.sheet, ()) if not _is_notice(path)
    }
    clauses = catalogue()
    places = {
        name: str(clauses[name].where)
        for name in sorted(cited & set(clauses))
        if clauses[name].where and not clauses[name].ours
    }
    counts = list(places.values())
    return {name: place for name, place in places.items() if counts.count(place) == 1}


def _is_notice(path: Sequence[str | int]) -> bool:
    """Whether a rule is about the house or its guests and covers nothing in a round."""
    return path[0] == "notices" or path[:2] == ("house", "approval")


def _overlap(one: str, other: str) -> bool:
    """Whether two places share a paragraph, so that both could be called right.

    >>> _overlap("Overview, page 2; Dealing, items 5 to 7", "Dealing, item 6a")
    True
    >>> _overlap("House rules, first point", "House rules, ninth point")
    False
    """
    return any(
        title == other_title and (not numbers or not other_numbers or numbers & other_numbers)
        for title, numbers in map(_paragraphs, one.lower().split(";"))
        for other_title, other_numbers in map(_paragraphs, other.lower().split(";"))
    )


def _paragraphs(place: str) -> tuple[str, set[str]]:
    """A section's title and the numbers of its items; none stands for the whole section."""
    title, _, rest = re.sub(r", page \d+", "", place).strip().partition(",")
    numbers: set[str] = set()
    for found in NUMBERS.finditer(rest):
        first, last = found.groups()
        numbers |= (
            {str(n) for n in range(int(first), int(last or first) + 1)} if first else {found[0]}
        )
    return title, numbers
