"""Rounds in words: sentences for actions, settlements and reports."""

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
    multiple,
)
from pitbook.rules.game import Game, Seat
from pitbook.rules.result_json import (
    LineReportWithWords,
    LineWords,
    RoundResult,
    SeatResult,
    SentenceJson,
    seat_report,
)
from pitbook.rules.round import Round
from pitbook.rules.settlement_lines import FOLDED, NOTHING, AppliedCap, Line, Result, Settlement
from pitbook.rules.stored_rounds import replay
from pitbook.sheets.model import Sheet
from pitbook.sheets.phrases import odds_words
from pitbook.sheets.phrases import outcome as outcome_text
from pitbook.text import Sentence, capital, say


def transcript(opened: Round, actions: Sequence[Action]) -> list[str]:
    """The whole round, one sentence per line."""
    final = replay(opened, actions)
    sentences: list[str] = []
    for run_actions in _group_actions(actions):
        after = replay(opened, run_actions)
        sentences += _describe(opened, run_actions, after, final)
        opened = after
    return sentences + list(_describe_ending(final))


def wager_title(round: Round, wager: str) -> str:
    """A wager's title on the layout."""
    return _title(round.game, wager)


@lru_cache(maxsize=1_000)
def _title(game: Game, wager: str) -> str:
    return game.wager_title(wager)


def line_sentences(round: Round, lines: Iterable[Line], *, clauses: bool = True) -> tuple[str, ...]:
    """The results of lines in words, one sentence for lines with the same result."""
    return _line_sentences(round.game, tuple(lines), clauses)


@lru_cache(maxsize=2_000)  # Players repeat their wagers, and most of them lose the same way.
def _line_sentences(game: Game, lines: tuple[Line, ...], clauses: bool) -> tuple[str, ...]:
    return tuple(_sentences(game, lines, clauses=clauses))


def _sentences(game: Game, lines: tuple[Line, ...], *, clauses: bool) -> Iterator[str]:
    groups = groupby(lines, key=lambda line: (line.outcome, line.result, line.odds, line.clause))
    for (outcome, result, odds, clause), group in groups:
        group_lines = list(group)
        titles = tuple(_title(game, line.wager) for line in group_lines)
        stake = _total_stake(group_lines)
        named = outcome is not None and outcome not in _UNNAMED_OUTCOMES
        pays = odds_words(odds) if odds is not None and result == "win" else "none"
        ending = (
            _win_sentence(group_lines, "none" if named else pays)
            if result == "win"
            else _loss_sentence(group_lines, result)
        )
        if stake:
            text = say("engine.words.line", titles=titles, stake=stake, ending=ending)
        else:  # A bonus is paid on another wager's stake.
            text = say("engine.words.line-of-bonus", titles=titles, ending=ending)
        if outcome is not None and named:
            words = outcome_text(outcome)
            text = say("engine.words.line-of-outcome", outcome=words, line=text, odds=pays)
        yield _clause_note(text, clause if clauses else None)


def _total_stake(lines: Iterable[Line]) -> int:
    return sum(line.stake for line in lines)


_UNNAMED_OUTCOMES = (NOTHING.outcome, FOLDED.outcome)


def _clause_note(text: str, clause: str | None) -> Sentence:
    """The text as a sentence, with its clause if given."""
    return say("form.cited", text=text, clause=clause) if clause else say("form.full", text=text)


def _win_sentence(lines: list[Line], odds: str) -> Sentence:
    wagers, paid = len(lines), sum(line.wins for line in lines)
    total_wins = sum(line.odds.wins(line.stake) for line in lines if line.odds)
    if paid >= total_wins:
        return say("engine.words.wins", wagers=wagers, paid=paid, odds=odds)
    return say("engine.words.wins-capped", wagers=wagers, paid=paid, due=total_wins, odds=odds)


def _loss_sentence(lines: list[Line], result: Result) -> Sentence:
    wagers, returned = len(lines), sum(line.back for line in lines)
    if result == "lose" and returned:
        lost = sum(line.lost for line in lines)
        return say("engine.words.loses-part", wagers=wagers, lost=lost, back=returned)
    return say("engine.words.ends", wagers=wagers, result=result)


def cap_sentence(cap: AppliedCap) -> Sentence:
    """A cap that reduced payouts, in words."""
    clause, due, paid = cap.clause, cap.due, cap.paid
    if cap.seat is None:
        return say("engine.words.cap-of-round", clause=clause, due=due, paid=paid)
    return say("engine.words.cap-of-seat", clause=clause, seat=cap.seat, due=due, paid=paid)


def action_sentence(before: Round, action: Action, after: Round) -> str | None:
    """One action in words; None for cards dealt face down."""
    if type(action) is Deal:
        return None
    if type(action) is Turn and after.notes is before.notes:  # The most frequent case.
        return _describe_turn(before, [action])
    sentences = tuple(_describe(before, [action], after, after))
    if len(sentences) > 1:
        return say("form.spaced", parts=sentences)
    return sentences[0] if sentences else None


def _group_actions(actions: Sequence[Action]) -> Iterator[list[Action]]:
    """Group consecutive cards dealt to, or turned at, one place."""

    def run(action: Action) -> tuple[type, PlaceNumber] | int:
        if isinstance(action, Deal | Turn):
            return type(action), action.place
        return id(action)

    for _, run_group in groupby(actions, key=run):
        run_actions = list(run_group)
        yield from (
            [run_actions]
            if isinstance(run_actions[0], Deal | Turn)
            else ([action] for action in run_actions)
        )


def _describe(before: Round, actions: list[Action], after: Round, final: Round) -> Iterator[str]:
    action = actions[0]
    if isinstance(action, Deal):
        yield _describe_deal(before, action.place, len(actions))
    elif isinstance(action, Turn):
        yield _describe_turn(before, [turn for turn in actions if isinstance(turn, Turn)])
    elif isinstance(action, Decide):
        yield _describe_decision(before, after, action.seat)
    elif isinstance(action, Settle):
        yield from _describe_settlement(before, after, final)
    elif isinstance(action, Wager):
        yield _describe_bet(before, action)
    elif isinstance(action, Withdraw):
        titles = (wager_title(before, action.wager),)
        yield say("engine.words.takes-back", seat=action.seat, wagers=titles)
    elif isinstance(action, Close):
        yield say("engine.words.no-more-bets")
    yield from _describe_note(before, after, action)


def _describe_deal(round: Round, place: PlaceNumber, cards: int) -> Sentence:
    if place > BOARD:
        return say("engine.words.dealt-seat", seat=place, cards=cards)
    place_rule = round.game.places[1 - place]
    title = place_rule.title.capitalize()
    return say("engine.words.dealt-common", place=place_rule.id, title=title, cards=cards)


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


def _describe_turn(round: Round, turns: list[Turn]) -> str:
    place, cards = turns[0].place, tuple(turn.card for turn in turns)
    if place == BOARD:
        if board_text := round.game.board_text((*round.board, *cards)):
            return say("engine.words.turns-told", cards=cards, told=board_text)
        return say("engine.words.turns", cards=cards, place=round.game.places[1].id)
    if place < BOARD:
        return say("engine.words.turns", cards=cards, place=round.game.places[1 - place].id)
    settling = round.phase == "settle"
    return say("engine.words.opened" if settling else "engine.words.looks", seat=place, cards=cards)


def _describe_decision(before: Round, after: Round, number: int) -> str:
    seat, seat_before = after.seat(number), before.seat(number)
    assert seat is not None
    assert seat_before is not None
    play = seat.plays[len(seat_before.plays)]  # Skipped stages may follow it.
    if seat.folded:
        return _describe_fold(after, seat)
    if play.takes:
        titles = tuple(wager_title(after, wager) for wager in play.takes)
        return say("engine.words.takes-back", seat=number, wagers=titles)
    amount = seat_before.cost(play)
    if play.declaration:
        return _describe_declaration(number, play.declaration, amount)
    if multiple(play) is None:
        return _describe_play(number, play, amount)
    if not amount:
        title = before.game.stages[before.stage].title
        return say("engine.words.goes-on", seat=number, title=title)
    title = wager_title(before, play.puts[0][0])
    return say("engine.words.bets", seat=number, play=play, amount=amount, title=title)


def _describe_declaration(seat: int, hand: str, amount: int) -> str:
    if amount:
        return say("engine.words.declares-double", seat=seat, hand=hand, more=amount)
    return say("engine.words.declares", seat=seat, hand=hand)


def _describe_play(seat: int, play: str, amount: int) -> str:
    if amount:
        return say("engine.words.says-more", seat=seat, play=play, more=amount)
    return say("engine.words.says", seat=seat, play=play)


def _describe_fold(after: Round, seat: Seat) -> str:
    lost, tucked_under = sum(stake for _, stake in seat.main), after.game.tucked_under(seat)
    if tucked_under is None:
        return say("engine.words.folds", seat=seat.number, taken=lost)
    title = wager_title(after, tucked_under)
    return say("engine.words.folds-under", seat=seat.number, taken=lost, title=title)


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
    settlement = next(candidate for candidate in final.settlements if candidate.seat == number)
    sides = final.game.sheet.side
    return [
        line
        for line in settlement.lines
        if (line.wager if line.wager in sides else "main") in group
    ]


def _describe_ending(final: Round) -> Iterator[str]:
    if final.ending in ("misdeal", "dead"):
        yield _describe_returns(final)
    for cap in final.applied_caps:
        yield cap_sentence(cap)
    for settlement in final.settlements:
        yield say("engine.words.seat-nets", seat=settlement.seat, net=settlement.net)
    if final.settlements:
        yield say(
            "engine.words.house-nets", net=-sum(settlement.net for settlement in final.settlements)
        )


def _describe_returns(final: Round) -> str:
    if final.paid:
        return say("engine.words.dead", keeps=final.keeps_wagers)
    return say("engine.words.void" if final.keeps_wagers else "engine.words.all-void")


def report_with_words(report: Mapping[str, Any], final: Round) -> RoundResult:
    """The report of a finished round, with sentences for lines, seats and the round."""
    settlements = {settlement.seat: settlement for settlement in final.settlements}
    seats = [_seat_result(seat, settlements[seat["seat"]], final) for seat in report["seats"]]
    result = {**report, "seats": seats, "told": list(_round_sentences(final))}
    return cast(RoundResult, result)


def result_so_far(round: Round, seat: Seat) -> SeatResult | None:
    """A seat's settled lines as a report, while other seats are still open."""
    lines = tuple(line for number, line in round.paid if number == seat.number)
    if not lines or round.phase == "over":
        return None
    settlement = Settlement(seat.number, lines)
    return _seat_result(seat_report(settlement, seat.player), settlement, round)


def report_lines(round: Round, lines: tuple[Line, ...]) -> list[LineReportWithWords]:
    """Lines of a round in report form, with words and chips."""
    settlement = Settlement(0, lines)
    return _seat_result(seat_report(settlement, ""), settlement, round)["lines"]


def _seat_result(report: Mapping[str, Any], settlement: Settlement, final: Round) -> SeatResult:
    pairs = zip(report["lines"], settlement.lines, strict=True)
    lines = [{**line_report, **_line_words(line, final)} for line_report, line in pairs]
    result = {**report, "lines": lines, "told": list(_seat_sentences(settlement, final))}
    return cast(SeatResult, result)


def _line_words(line: Line, final: Round) -> LineWords:
    (words,) = line_sentences(final, [line], clauses=False)
    return {
        "title": wager_title(final, line.wager),
        "outcome_title": None if line.outcome is None else outcome_text(line.outcome),
        "words": capital(words),
        "chips": chips_json(final.game.sheet, line.wins) if line.wins else [],
    }


def _seat_sentences(settlement: Settlement, final: Round) -> Iterator[SentenceJson]:
    """Results in words; the clause is separate, for display on request."""
    for clause, lines in groupby(settlement.lines, key=lambda line: line.clause):
        for words in line_sentences(final, lines, clauses=False):
            yield {"text": capital(words), "clause": clause}


def _round_sentences(final: Round) -> Iterator[SentenceJson]:
    """Void rounds, applied caps and notes."""
    if final.ending == "misdeal":
        yield {"text": say("engine.told.misdeal", keeps=final.keeps_wagers), "clause": None}
    elif final.ending == "dead":
        key = "engine.told.dead-open" if final.paid else "engine.told.dead"
        yield {"text": say(key, keeps=final.keeps_wagers), "clause": None}
    for cap in final.applied_caps:
        yield {"text": cap_sentence(cap), "clause": cap.clause}
    for note in final.notes:
        yield {"text": say("form.full", text=capital(note.what)), "clause": note.clause}


def cut_chips(values: Sequence[int], amount: int) -> list[tuple[int, int]]:
    """The number of each chip that makes up an amount; a remainder below any chip comes last.

    >>> cut_chips([100, 500, 2500], 4633)
    [(2500, 1), (500, 4), (100, 1), (33, 1)]
    """
    stacks = []
    for value in sorted(values, reverse=True):
        count, amount = divmod(amount, value)
        if count:
            stacks.append((value, count))
    return [*stacks, (amount, 1)] if amount else stacks


def chips_json(sheet: Sheet, amount: int) -> list[list[str | int]]:
    """An amount in the chips of the sheet, as JSON: [["25.00", 1], ["5.00", 2]]."""
    return [list(stack) for stack in _cut_amount(tuple(sheet.house.chips.values), amount)]


@lru_cache(maxsize=4_000)  # The same wagers occur again and again.
def _cut_amount(values: tuple[int, ...], amount: int) -> tuple[tuple[str, int], ...]:
    return tuple((money(value), count) for value, count in cut_chips(values, amount))


def add_chip(amount: int, chip: int, minimum: int) -> Cents:
    """A wager with one more chip; the first chip raises it at least to the minimum."""
    return Cents(max(amount + chip, minimum) if not amount else amount + chip)


def remove_chip(amount: int, chip: int, minimum: int) -> Cents:
    """A wager with one chip less; 0 if that is below the minimum."""
    return Cents(amount - chip if amount - chip >= minimum else 0)
