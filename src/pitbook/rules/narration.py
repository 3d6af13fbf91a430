"""A round in a dealer's words, and its report with those words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, cast

from pitbook.money import Cents, money
from pitbook.rules.actions import (
    BOARD,
    Absent,
    Action,
    Close,
    Deal,
    Decide,
    Expose,
    PlaceNumber,
    Settle,
    Turn,
    Wager,
    Withdraw,
)
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import multiple
from pitbook.rules.pricing import FOLDED, NOTHING
from pitbook.rules.report import (
    LineReportWithWords,
    LineWords,
    RoundResult,
    SeatResult,
    SentenceJson,
    seat_report,
)
from pitbook.rules.round import Round
from pitbook.rules.settlement import AppliedCap, Line, Result, Settlement
from pitbook.rules.step import place_name
from pitbook.rules.stored import replay
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.words import outcome as outcome_text
from pitbook.text import Sentence, capital, say

# A round in a dealer's words, and its report with those words.


def transcript(opened: Round, actions: Sequence[Action]) -> list[str]:
    """The whole round, a sentence a line."""
    final = replay(opened, actions)
    told: list[str] = []
    for acts in _joined(actions):
        after = replay(opened, acts)
        told += _describe(opened, acts, after, final)
        opened = after
    return told + list(_describe_ending(final))


def wager_title(round: Round, wager: str) -> str:
    """What a wager is called on the layout."""
    return _title(round.game, wager)


@lru_cache(maxsize=1_000)
def _title(game: Game, wager: str) -> str:
    return game.wager_title(wager)


def line_sentences(round: Round, lines: Iterable[Line], *, clauses: bool = True) -> tuple[str, ...]:
    """What became of wagers, one sentence for those that went the same way."""
    return _line_sentences(round.game, tuple(lines), clauses)


@lru_cache(maxsize=2_000)  # Players repeat their wagers, and most of them lose the same way.
def _line_sentences(game: Game, lines: tuple[Line, ...], clauses: bool) -> tuple[str, ...]:
    return tuple(_sentences(game, lines, clauses=clauses))


def _sentences(game: Game, lines: tuple[Line, ...], *, clauses: bool) -> Iterator[str]:
    same = groupby(lines, key=lambda line: (line.outcome, line.result, line.odds, line.clause))
    for (outcome, result, odds, clause), group in same:
        made = list(group)
        titles, stake = tuple(_title(game, line.wager) for line in made), _stake_sentence(made)
        ending = _win_sentence(made, str(odds)) if result == "win" else _loss_sentence(made, result)
        if stake:
            told = say("engine.words.line", titles=titles, stake=stake, ending=ending)
        else:  # A bonus is paid on another wager's stake.
            told = say("engine.words.line-of-bonus", titles=titles, ending=ending)
        if outcome is not None and outcome not in _SILENT:
            told = say("engine.words.line-of-outcome", outcome=outcome_text(outcome), line=told)
        yield _clause_note(told, clause if clauses else None)


def _stake_sentence(lines: Iterable[Line]) -> int:
    return sum(line.stake for line in lines)


_SILENT = (NOTHING.outcome, FOLDED.outcome)


def _clause_note(told: str, clause: str | None) -> Sentence:
    """A sentence with its full stop, and with its clause where it has one."""
    return say("form.cited", text=told, clause=clause) if clause else say("form.full", text=told)


def _win_sentence(lines: list[Line], odds: str) -> Sentence:
    wagers, paid = len(lines), sum(line.wins for line in lines)
    due = sum(line.odds.wins(line.stake) for line in lines if line.odds)
    if paid >= due:
        return say("engine.words.wins", wagers=wagers, paid=paid, odds=odds)
    return say("engine.words.wins-capped", wagers=wagers, paid=paid, due=due, odds=odds)


def _loss_sentence(lines: list[Line], result: Result) -> Sentence:
    wagers, back = len(lines), sum(line.back for line in lines)
    if result == "lose" and back:
        lost = sum(line.lost for line in lines)
        return say("engine.words.loses-part", wagers=wagers, lost=lost, back=back)
    return say("engine.words.ends", wagers=wagers, result=result)


def cap_sentence(bite: AppliedCap) -> Sentence:
    """A cap that bit, explained."""
    clause, due, paid = bite.clause, bite.due, bite.paid
    if bite.seat is None:
        return say("engine.words.cap-of-round", clause=clause, due=due, paid=paid)
    return say("engine.words.cap-of-seat", clause=clause, seat=bite.seat, due=due, paid=paid)


def action_sentence(before: Round, action: Action, after: Round) -> str | None:
    """One action in words; a card that is laid face down is not worth any."""
    if type(action) is Deal:
        return None
    if type(action) is Turn and after.notes is before.notes:  # Told more often than all else.
        return _describe_turn(before, [action])
    told = tuple(_describe(before, [action], after, after))
    if len(told) > 1:
        return say("form.spaced", parts=told)
    return told[0] if told else None


def _joined(actions: Sequence[Action]) -> Iterator[list[Action]]:
    """Runs of cards dealt to or turned at one place are told in one sentence."""

    def run(action: Action) -> tuple[type, PlaceNumber] | int:
        if isinstance(action, Deal | Turn):
            return type(action), action.place
        return id(action)

    for _, group in groupby(actions, key=run):
        acts = list(group)
        yield from [acts] if isinstance(acts[0], Deal | Turn) else ([one] for one in acts)


def _describe(before: Round, acts: list[Action], after: Round, final: Round) -> Iterator[str]:
    first = acts[0]
    if isinstance(first, Deal):
        yield _describe_deal(before, first.place, len(acts))
    elif isinstance(first, Turn):
        yield _describe_turn(before, [one for one in acts if isinstance(one, Turn)])
    elif isinstance(first, Decide):
        yield _describe_decision(before, after, first.seat)
    elif isinstance(first, Settle):
        yield from _describe_settlement(before, after, final)
    elif isinstance(first, Wager):
        yield _describe_bet(before, first)
    elif isinstance(first, Withdraw):
        back = (wager_title(before, first.wager),)
        yield say("engine.words.takes-back", seat=first.seat, wagers=back)
    elif isinstance(first, Close):
        yield say("engine.words.no-more-bets")
    yield from _describe_note(before, after, first)


def _describe_deal(round: Round, place: PlaceNumber, cards: int) -> Sentence:
    if place > BOARD:
        return say("engine.words.dealt-seat", seat=place, cards=cards)
    there = round.game.places[1 - place]
    title = there.title.capitalize()
    return say("engine.words.dealt-common", place=there.id, title=title, cards=cards)


def _describe_bet(round: Round, action: Wager) -> Sentence:
    seat, amount, title = action.seat, action.amount, wager_title(round, action.wager)
    if action.player == f"seat {seat}":
        return say("engine.words.bets-before", seat=seat, amount=amount, title=title)
    key, player = "engine.words.player-bets", action.player
    return say(key, seat=seat, player=player, amount=amount, title=title)


def _describe_note(before: Round, after: Round, action: Action) -> Iterator[str]:
    for note in after.notes[len(before.notes) :]:
        yield _clause_note(capital(note.what), note.clause)
    if isinstance(action, Absent):
        yield _describe_decision(before, after, action.seat)
    if isinstance(action, Expose) and after.phase != "over":
        yield say("engine.words.card-plays")


def _describe_turn(round: Round, acts: list[Turn]) -> str:
    place, cards = acts[0].place, tuple(act.card for act in acts)
    if place == BOARD:
        if told := round.game.board_told((*round.board, *cards)):
            return say("engine.words.turns-told", cards=cards, told=told)
        return say("engine.words.turns", cards=cards)
    if place < BOARD:
        return say("engine.words.turns-of", cards=cards, place=place_name(round, place))
    opened = round.phase == "settle"
    return say("engine.words.opened" if opened else "engine.words.looks", seat=place, cards=cards)


def _describe_decision(before: Round, after: Round, number: int) -> str:
    seat, was = after.seat(number), before.seat(number)
    assert seat is not None
    assert was is not None
    play = seat.plays[len(was.plays)]  # Stages that are passed over may stand behind it.
    if seat.folded:
        return _describe_fold(after, seat)
    if play.takes:
        back = tuple(wager_title(after, wager) for wager in play.takes)
        return say("engine.words.takes-back", seat=number, wagers=back)
    put = was.cost(play)
    if play.said:
        return _describe_declaration(number, play.said, put)
    if multiple(play) is None:
        return _describe_play(number, play, put)
    if not put:
        title = before.game.stages[before.stage].title
        return say("engine.words.goes-on", seat=number, title=title)
    title = wager_title(before, play.puts[0][0])
    return say("engine.words.bets", seat=number, play=play, amount=put, title=title)


def _describe_declaration(seat: int, hand: str, more: int) -> str:
    if more:
        return say("engine.words.declares-double", seat=seat, hand=hand, more=more)
    return say("engine.words.declares", seat=seat, hand=hand)


def _describe_play(seat: int, play: str, more: int) -> str:
    if more:
        return say("engine.words.says-more", seat=seat, play=play, more=more)
    return say("engine.words.says", seat=seat, play=play)


def _describe_fold(after: Round, seat: Seat) -> str:
    taken, tuck = sum(stake for _, stake in seat.main), after.game.tucked_under(seat)
    if tuck is None:
        return say("engine.words.folds", seat=seat.number, taken=taken)
    title = wager_title(after, tuck)
    return say("engine.words.folds-under", seat=seat.number, taken=taken, title=title)


def _describe_settlement(before: Round, after: Round, final: Round) -> Iterator[str]:
    number, group = before.to_settle[before.steps_settled]
    if len(after.paid) > len(before.paid):
        lines = [line for _, line in after.paid[len(before.paid) :]]
    elif final.ending != "settled":
        yield say("engine.words.is-settled", seat=number)
        return
    else:
        lines = _settled_lines(final, number, group)
    for sentence in line_sentences(final, lines):
        yield say("engine.words.of-seat", seat=number, line=sentence)


def _settled_lines(final: Round, number: int, group: tuple[str, ...]) -> list[Line]:
    settlement = next(one for one in final.settlements if one.seat == number)
    sides = final.game.sheet.side
    return [
        line
        for line in settlement.lines
        if (line.wager if line.wager in sides else "main") in group
    ]


def _describe_ending(final: Round) -> Iterator[str]:
    if final.ending in ("misdeal", "dead"):
        yield _describe_returns(final)
    for bite in final.bites:
        yield cap_sentence(bite)
    for one in final.settlements:
        yield say("engine.words.seat-nets", seat=one.seat, net=one.net)
    if final.settlements:
        yield say("engine.words.house-nets", net=-sum(one.net for one in final.settlements))


def _describe_returns(final: Round) -> str:
    if final.paid:
        return say("engine.words.dead", keeps=final.keeps_wagers)
    return say("engine.words.void" if final.keeps_wagers else "engine.words.all-void")


def report_with_words(report: Mapping[str, Any], final: Round) -> RoundResult:
    """The report of a round that is over; lines, seats and the round have their sentences."""
    settled = {one.seat: one for one in final.settlements}
    seats = [_seat(one, settled[one["seat"]], final) for one in report["seats"]]
    told = {**report, "seats": seats, "told": list(_round_sentences(final))}
    return cast(RoundResult, told)


def result_so_far(round: Round, seat: Seat) -> SeatResult | None:
    """What a seat has been settled for while others are open, as its part of the report."""
    lines = tuple(line for number, line in round.paid if number == seat.number)
    if not lines or round.phase == "over":
        return None
    settled = Settlement(seat.number, lines)
    return _seat(seat_report(settled, seat.player), settled, round)


def report_lines(round: Round, lines: tuple[Line, ...]) -> list[LineReportWithWords]:
    """Lines of a round as its report would have them, in words and in chips."""
    settled = Settlement(0, lines)
    return _seat(seat_report(settled, ""), settled, round)["lines"]


def _seat(report: Mapping[str, Any], settlement: Settlement, final: Round) -> SeatResult:
    pairs = zip(report["lines"], settlement.lines, strict=True)
    lines = [{**written, **_words(line, final)} for written, line in pairs]
    told = {**report, "lines": lines, "told": list(_seat_sentences(settlement, final))}
    return cast(SeatResult, told)


def _words(line: Line, final: Round) -> LineWords:
    (words,) = line_sentences(final, [line], clauses=False)
    return {
        "title": wager_title(final, line.wager),
        "outcome_title": None if line.outcome is None else outcome_text(line.outcome),
        "words": capital(words),
        "chips": can_pay_in_chips(final.game.sheet, line.wins) if line.wins else [],
    }


def _seat_sentences(settlement: Settlement, final: Round) -> Iterator[SentenceJson]:
    """What became of wagers; the clause stands apart, to be shown when somebody asks."""
    for clause, lines in groupby(settlement.lines, key=lambda line: line.clause):
        for words in line_sentences(final, lines, clauses=False):
            yield {"text": capital(words), "clause": clause}


def _round_sentences(final: Round) -> Iterator[SentenceJson]:
    """Void rounds, caps that bit, and whatever was noted."""
    if final.ending == "misdeal":
        yield {"text": say("engine.told.misdeal", keeps=final.keeps_wagers), "clause": None}
    elif final.ending == "dead":
        key = "engine.told.dead-open" if final.paid else "engine.told.dead"
        yield {"text": say(key, keeps=final.keeps_wagers), "clause": None}
    for bite in final.bites:
        yield {"text": cap_sentence(bite), "clause": bite.clause}
    for note in final.notes:
        yield {"text": say("form.full", text=capital(note.what)), "clause": note.clause}


def cut_chips(values: Sequence[int], amount: int) -> list[tuple[int, int]]:
    """How many of each chip make up an amount; cents that no chip is worth come last, in one.

    >>> cut_chips([100, 500, 2500], 4633)
    [(2500, 1), (500, 4), (100, 1), (33, 1)]
    """
    stacks = []
    for value in sorted(values, reverse=True):
        count, amount = divmod(amount, value)
        if count:
            stacks.append((value, count))
    return [*stacks, (amount, 1)] if amount else stacks


def can_pay_in_chips(sheet: Sheet, amount: int) -> list[list[str | int]]:
    """An amount in the chips of the sheet's house, as JSON: [["25.00", 1], ["5.00", 2]]."""
    return [list(one) for one in _cut_amount(tuple(sheet.house.chips.values), amount)]


@lru_cache(maxsize=4_000)  # The same few wagers, again and again.
def _cut_amount(values: tuple[int, ...], amount: int) -> tuple[tuple[str, int], ...]:
    return tuple((money(value), count) for value, count in cut_chips(values, amount))


def one_more(now: int, chip: int, least: int) -> Cents:
    """A wager with one more chip; the first one puts the minimum at least."""
    return Cents(max(now + chip, least) if not now else now + chip)


def one_less(now: int, chip: int, least: int) -> Cents:
    """A wager with one chip less; what would lie under the minimum comes off whole."""
    return Cents(now - chip if now - chip >= least else 0)
