"""A round in the words that a dealer would use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from pitbook.rules.game.description import Game, Seat
from pitbook.rules.game.plays import multiple
from pitbook.rules.game.pricing import FOLDED, NOTHING
from pitbook.rules.game.settlement import Bite, Line, Result
from pitbook.rules.rounds.actions import (
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
from pitbook.rules.rounds.journal import replay
from pitbook.rules.rounds.round import Round
from pitbook.rules.rounds.step import place_name
from pitbook.sheets.aloud.words import outcome as said_outcome
from pitbook.text import Sentence, capital, say


def transcript(opened: Round, actions: Sequence[Action]) -> list[str]:
    """The whole round, a sentence a line."""
    final = replay(opened, actions)
    told: list[str] = []
    for acts in _together(actions):
        after = replay(opened, acts)
        told += _tell(opened, acts, after, final)
        opened = after
    return told + list(_ending(final))


def wager_title(round: Round, wager: str) -> str:
    """What a wager is called on the layout."""
    return _title(round.game, wager)


@lru_cache(maxsize=1_000)
def _title(game: Game, wager: str) -> str:
    return game.wager_title(wager)


def lines_told(round: Round, lines: Iterable[Line], *, clauses: bool = True) -> tuple[str, ...]:
    """What became of wagers, one sentence for those that went the same way."""
    return _lines_told(round.game, tuple(lines), clauses)


@lru_cache(maxsize=2_000)  # Players repeat their wagers, and most of them lose the same way.
def _lines_told(game: Game, lines: tuple[Line, ...], clauses: bool) -> tuple[str, ...]:
    return tuple(_sentences(game, lines, clauses=clauses))


def _sentences(game: Game, lines: tuple[Line, ...], *, clauses: bool) -> Iterator[str]:
    same = groupby(lines, key=lambda line: (line.outcome, line.result, line.odds, line.clause))
    for (outcome, result, odds, clause), group in same:
        made = list(group)
        titles, stake = tuple(_title(game, line.wager) for line in made), _staked(made)
        ending = _won(made, str(odds)) if result == "win" else _not_won(made, result)
        if stake:
            told = say("engine.words.line", titles=titles, stake=stake, ending=ending)
        else:  # A bonus is paid on another wager's stake.
            told = say("engine.words.line-of-bonus", titles=titles, ending=ending)
        if outcome is not None and outcome not in _UNSAID:
            told = say("engine.words.line-of-outcome", outcome=said_outcome(outcome), line=told)
        yield _cited(told, clause if clauses else None)


def _staked(lines: Iterable[Line]) -> int:
    return sum(line.stake for line in lines)


_UNSAID = (NOTHING.outcome, FOLDED.outcome)


def _cited(told: str, clause: str | None) -> Sentence:
    """A sentence with its full stop, and with its clause where it has one."""
    return say("form.cited", text=told, clause=clause) if clause else say("form.full", text=told)


def _won(lines: list[Line], odds: str) -> Sentence:
    wagers, paid = len(lines), sum(line.wins for line in lines)
    due = sum(line.odds.wins(line.stake) for line in lines if line.odds)
    if paid >= due:
        return say("engine.words.wins", wagers=wagers, paid=paid, odds=odds)
    return say("engine.words.wins-capped", wagers=wagers, paid=paid, due=due, odds=odds)


def _not_won(lines: list[Line], result: Result) -> Sentence:
    wagers, back = len(lines), sum(line.back for line in lines)
    if result == "lose" and back:
        lost = sum(line.lost for line in lines)
        return say("engine.words.loses-part", wagers=wagers, lost=lost, back=back)
    return say("engine.words.ends", wagers=wagers, result=result)


def cap_told(bite: Bite) -> Sentence:
    """A cap that bit, explained."""
    clause, due, paid = bite.clause, bite.due, bite.paid
    if bite.seat is None:
        return say("engine.words.cap-of-round", clause=clause, due=due, paid=paid)
    return say("engine.words.cap-of-seat", clause=clause, seat=bite.seat, due=due, paid=paid)


def action_told(before: Round, action: Action, after: Round) -> str | None:
    """One action in words; a card that is laid face down is not worth any."""
    if type(action) is Deal:
        return None
    if type(action) is Turn and after.notes is before.notes:  # Told more often than all else.
        return _turned(before, [action])
    told = tuple(_tell(before, [action], after, after))
    if len(told) > 1:
        return say("form.spaced", parts=told)
    return told[0] if told else None


def _together(actions: Sequence[Action]) -> Iterator[list[Action]]:
    """Runs of cards dealt to or turned at one place are told in one sentence."""

    def run(action: Action) -> tuple[type, PlaceNumber] | int:
        if isinstance(action, Deal | Turn):
            return type(action), action.place
        return id(action)

    for _, group in groupby(actions, key=run):
        acts = list(group)
        yield from [acts] if isinstance(acts[0], Deal | Turn) else ([one] for one in acts)


def _tell(before: Round, acts: list[Action], after: Round, final: Round) -> Iterator[str]:
    first = acts[0]
    if isinstance(first, Deal):
        yield _dealt(before, first.place, len(acts))
    elif isinstance(first, Turn):
        yield _turned(before, [one for one in acts if isinstance(one, Turn)])
    elif isinstance(first, Decide):
        yield _decided(before, after, first.seat)
    elif isinstance(first, Settle):
        yield from _settled(before, after, final)
    elif isinstance(first, Wager):
        yield _bet(before, first)
    elif isinstance(first, Withdraw):
        back = (wager_title(before, first.wager),)
        yield say("engine.words.takes-back", seat=first.seat, wagers=back)
    elif isinstance(first, Close):
        yield say("engine.words.no-more-bets")
    yield from _noted(before, after, first)


def _dealt(round: Round, place: PlaceNumber, cards: int) -> Sentence:
    if place > BOARD:
        return say("engine.words.dealt-seat", seat=place, cards=cards)
    there = round.game.places[1 - place]
    title = there.title.capitalize()
    return say("engine.words.dealt-common", place=there.id, title=title, cards=cards)


def _bet(round: Round, action: Wager) -> Sentence:
    seat, amount, title = action.seat, action.amount, wager_title(round, action.wager)
    if action.player == f"seat {seat}":
        return say("engine.words.bets-before", seat=seat, amount=amount, title=title)
    key, player = "engine.words.player-bets", action.player
    return say(key, seat=seat, player=player, amount=amount, title=title)


def _noted(before: Round, after: Round, action: Action) -> Iterator[str]:
    for note in after.notes[len(before.notes) :]:
        yield _cited(capital(note.what), note.clause)
    if isinstance(action, Absent):
        yield _decided(before, after, action.seat)
    if isinstance(action, Expose) and after.phase != "over":
        yield say("engine.words.card-plays")


def _turned(round: Round, acts: list[Turn]) -> str:
    place, cards = acts[0].place, tuple(act.card for act in acts)
    if place == BOARD:
        if told := round.game.board_told((*round.board, *cards)):
            return say("engine.words.turns-told", cards=cards, told=told)
        return say("engine.words.turns", cards=cards)
    if place < BOARD:
        return say("engine.words.turns-of", cards=cards, place=place_name(round, place))
    opened = round.phase == "settle"
    return say("engine.words.opened" if opened else "engine.words.looks", seat=place, cards=cards)


def _decided(before: Round, after: Round, number: int) -> str:
    seat, was = after.seat(number), before.seat(number)
    assert seat is not None
    assert was is not None
    play = seat.plays[len(was.plays)]  # Stages that are passed over may stand behind it.
    if seat.folded:
        return _folded(after, seat)
    if play.takes:
        back = tuple(wager_title(after, wager) for wager in play.takes)
        return say("engine.words.takes-back", seat=number, wagers=back)
    put = was.cost(play)
    if play.said:
        return _declared(number, play.said, put)
    if multiple(play) is None:
        return _said(number, play, put)
    if not put:
        title = before.game.stages[before.stage].title
        return say("engine.words.goes-on", seat=number, title=title)
    title = wager_title(before, play.puts[0][0])
    return say("engine.words.bets", seat=number, play=play, amount=put, title=title)


def _declared(seat: int, hand: str, more: int) -> str:
    if more:
        return say("engine.words.declares-double", seat=seat, hand=hand, more=more)
    return say("engine.words.declares", seat=seat, hand=hand)


def _said(seat: int, play: str, more: int) -> str:
    if more:
        return say("engine.words.says-more", seat=seat, play=play, more=more)
    return say("engine.words.says", seat=seat, play=play)


def _folded(after: Round, seat: Seat) -> str:
    taken, tuck = sum(stake for _, stake in seat.main), after.game.tucked_under(seat)
    if tuck is None:
        return say("engine.words.folds", seat=seat.number, taken=taken)
    title = wager_title(after, tuck)
    return say("engine.words.folds-under", seat=seat.number, taken=taken, title=title)


def _settled(before: Round, after: Round, final: Round) -> Iterator[str]:
    number, group = before.to_settle[before.steps_settled]
    if len(after.paid) > len(before.paid):
        lines = [line for _, line in after.paid[len(before.paid) :]]
    elif final.ending != "settled":
        yield say("engine.words.is-settled", seat=number)
        return
    else:
        lines = _lines_in(final, number, group)
    for sentence in lines_told(final, lines):
        yield say("engine.words.of-seat", seat=number, line=sentence)


def _lines_in(final: Round, number: int, group: tuple[str, ...]) -> list[Line]:
    settlement = next(one for one in final.settlements if one.seat == number)
    sides = final.game.sheet.side
    return [
        line
        for line in settlement.lines
        if (line.wager if line.wager in sides else "main") in group
    ]


def _ending(final: Round) -> Iterator[str]:
    if final.ending in ("misdeal", "dead"):
        yield _back(final)
    for bite in final.bites:
        yield cap_told(bite)
    for one in final.settlements:
        yield say("engine.words.seat-nets", seat=one.seat, net=one.net)
    if final.settlements:
        yield say("engine.words.house-nets", net=-sum(one.net for one in final.settlements))


def _back(final: Round) -> str:
    if final.paid:
        return say("engine.words.dead", keeps=final.keeps_wagers)
    return say("engine.words.void" if final.keeps_wagers else "engine.words.all-void")
