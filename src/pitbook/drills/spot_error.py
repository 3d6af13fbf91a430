"""Spot the error: a round described step by step, with one dealer error or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from pitbook.drills.item import Item, Option, Question, Reason, lettered
from pitbook.drills.paying import limit_reasons
from pitbook.drills.reasons import line_reasons, reason, settlement_reason
from pitbook.drills.rounds import (
    Draws,
    PlayedRound,
    deal,
    lies,
    packets,
    payments,
    round_file,
    stakes_laid,
)
from pitbook.money import Cents, Odds
from pitbook.rules.actions import BOARD, Action, Close, Deal, Decide, Turn, Wager
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import Play, multiple
from pitbook.rules.pricing import FOLDED
from pitbook.rules.round import Round
from pitbook.rules.settlement import Line
from pitbook.sheets.pay_tables import all_pay_tables
from pitbook.text import Sentence, say

CLEAN = "0"  # The answer that there is no mistake.
TRIES = 40
SEATS_MAX = 3


class Act(NamedTuple):
    """One act of the dealer or a player: its sentence, and what it claims."""

    text: str
    what: str
    at: int  # Its first action in the round.
    seat: int = 0
    lines: tuple[Line, ...] = ()


class Planted(NamedTuple):
    """A round with one mistake: where it is, what would be right, and by which clause."""

    acts: tuple[Act, ...]
    at: int
    error: str
    reason: Reason
    refused: tuple[int, Action] | None = None  # A state of the round and what it does not take.


def spot_error(game: Game, luck: Draws) -> Item | None:
    """The act that is wrong, or none; rounds with and without a mistake are dealt alike."""
    wrong = bool(luck.below(2))
    for _ in range(TRIES):
        seats = 1 + luck.below(min(SEATS_MAX, game.sheet.seats.count))
        played = deal(game, luck, seats=seats)
        acts = told_of(played)
        names = luck.shuffled(tuple(ERRORS))
        mistakes = (ERRORS[name](played, acts, luck) for name in names)
        planted = next((mistake for mistake in mistakes if mistake is not None), None)
        if planted is not None and _differ(acts) and _differ(planted.acts):
            return _item(played, planted if wrong else _clean(acts))
    return None


def _differ(acts: Sequence[Act]) -> bool:
    """Whether no two acts have the same sentence."""
    return len({act.text for act in acts}) == len(acts)


def _clean(acts: tuple[Act, ...]) -> Planted:
    return Planted(acts, len(acts), "none", Reason(say("drills.clean"), None))


def _item(played: PlayedRound, planted: Planted) -> Item:
    clean = Option(CLEAN, say("drills.no-mistake"))
    options = (*lettered([(act.text, ()) for act in planted.acts]), clean)
    question = Question(say("drills.spot-error"), "choice", lies(played.final), options=options)
    evidence: dict[str, Any] = {"file": round_file(played), "planted": planted, "played": played}
    answer, work = options[planted.at].id, 4 + len(planted.acts) // 4
    why = (planted.reason, *_limits(played.final)) if answer == CLEAN else (planted.reason,)
    return Item("spot-error", question, answer, why, work, evidence=evidence)


def _limits(final: Round) -> tuple[Reason, ...]:
    """Why wins are less than the pay table's, if a limit applies."""
    seats = [hand.seat for hand in final.settlements]
    return tuple(dict.fromkeys(why for seat in seats for why in limit_reasons(final, seat)))


# A round, told ------------------------------------------------------------------------------------


def told_of(played: PlayedRound) -> tuple[Act, ...]:
    """Every act of a round as it was."""
    return (*_before_the_deal(played), *_after_betting(played), *_payments(played.final))


def _before_the_deal(played: PlayedRound) -> Iterator[Act]:
    closed = next(at for at, one in enumerate(played.actions) if isinstance(one, Close))
    round = played.states[closed + 1]
    for seat in round.seats:
        at = next(
            at
            for at, one in enumerate(played.actions)
            if isinstance(one, Wager) and one.seat == seat.number
        )
        yield _bets(round.game, seat.number, stakes_laid(round.game, seat), at)
    yield Act(say("drills.acts.close"), "close", closed)


def _bets(game: Game, seat: int, stakes: Sequence[tuple[str, Cents]], at: int) -> Act:
    bets = tuple(
        say("drills.acts.bet", amount=amount, title=game.wager_title(wager))
        for wager, amount in stakes
    )
    return Act(say("drills.acts.bets", seat=seat, bets=bets), "bets", at, seat)


def _after_betting(played: PlayedRound) -> Iterator[Act]:
    """The deal, decisions, and cards in common; what one movement does is one act."""
    acted = [one for one in enumerate(played.actions) if isinstance(one[1], Deal | Decide | Turn)]
    for (what, place), group in groupby(acted, key=lambda one: _same_act(*one)):
        acts = list(group)
        at, first = acts[0]
        if what == "deal":
            order = [one.place for _, one in acts if isinstance(one, Deal)]
            yield _dealt(played.final.game, order, at)
        elif isinstance(first, Decide):
            yield _decided(played, at, first)
        elif what == "turn":
            cards = tuple(one.card for _, one in acts if isinstance(one, Turn))
            where = played.final.game.places[1 - place].id
            yield Act(say("drills.acts.turns", cards=cards, place=where), "turn", at)


def _same_act(at: int, action: Action) -> tuple[str, int]:
    if isinstance(action, Deal):
        return "deal", 0
    if isinstance(action, Turn):
        return ("turn" if action.place <= BOARD else "look"), action.place
    return "play", at


def _dealt(game: Game, order: Sequence[int], at: int) -> Act:
    dealt = tuple(
        say(
            "drills.acts.packet",
            place=game.places[1 - one.place].id if one.place <= 0 else "seat",
            seat=one.place,
            cards=one.cards,
        )
        for one in packets(game, order)
    )
    return Act(say("drills.acts.deals", packets=dealt), "deal", at)


def _decided(played: PlayedRound, at: int, action: Decide) -> Act:
    before, after = played.states[at], played.states[at + 1]
    was, seat = before.seat(action.seat), after.seat(action.seat)
    assert was is not None
    assert seat is not None
    text = _play_told(played, was, seat.plays[len(was.plays)], before)
    return Act(text, "play", at, action.seat)


def _play_told(played: PlayedRound, seat: Seat, play: Play, round: Round) -> Sentence:
    game, amount, number = round.game, seat.cost(play), seat.number
    if play.folds:
        lost = [one for one in played.lines(number) if one.outcome == FOLDED.outcome]
        taken, back = sum(one.lost for one in lost), sum(one.back for one in lost)
        return say("drills.acts.folds", seat=number, play=str(play), taken=taken, back=back)
    if play.takes:
        titles = tuple(game.wager_title(wager) for wager in play.takes)
        return say("drills.acts.takes-back", seat=number, titles=titles)
    if play.said:
        return say("drills.acts.declares", seat=number, hand=play.said, amount=amount)
    title = game.wager_title(play.puts[0][0]) if play.puts else game.stages[round.stage].title
    fields = {"seat": number, "play": str(play), "amount": amount, "title": title}
    if amount and multiple(play) is not None:
        return say("drills.acts.raises", **fields)
    return say("drills.acts.plays", **fields)


def _payments(final: Round) -> Iterator[Act]:
    for stop in payments(final):
        yield _paid(final, stop.seat, stop.lines)


def _paid(final: Round, seat: int, lines: tuple[Line, ...]) -> Act:
    payments = tuple(_line(final.game, line) for line in lines)
    return Act(say("drills.acts.settles", seat=seat, lines=payments), "settle", -1, seat, lines)


def _line(game: Game, line: Line) -> Sentence:
    title, back = game.wager_title(line.wager), line.back if line.result == "lose" else 0
    return say("drills.acts.line", title=title, result=line.result, wins=line.wins, back=back)


# Mistakes -----------------------------------------------------------------------------------------


def _mispaid(played: PlayedRound, acts: tuple[Act, ...], luck: Draws) -> Planted | None:
    """A win paid as dealers mispay: at another line, with the stake in it, or on another bet."""
    game = played.final.game
    fit = [
        (at, line, wrong)
        for at, act in enumerate(acts)
        for line in act.lines
        if line.wins and (wrong := _wrong_payments(game, line, act.lines))
    ]
    if not fit:
        return None
    at, line, wrong = luck.one_of(fit)
    paid = line._replace(wins=luck.one_of(wrong))
    return _with_line(played, acts, at, (line, paid), "mispay")


def _wrong_payments(game: Game, line: Line, beside: Sequence[Line]) -> list[Cents]:
    """What a dealer might pay by mistake for a win, in chips that the table has."""
    if line.odds is None or not line.stake:
        return []
    table = line.wager if line.wager in game.sheet.side else "main"
    pays = list(all_pay_tables(game.sheet)[table].values())
    at = pays.index(line.odds) if line.odds in pays else None
    neighbours = [] if at is None else [*pays[max(0, at - 1) : at], *pays[at + 1 : at + 2]]
    chances = [(one, line.stake) for one in neighbours if isinstance(one, Odds)]
    chances += [(line.odds, one.stake) for one in beside if one.wager not in game.sheet.side]
    wrong = [odds.wins(stake) for odds, stake in chances if not stake * odds.to % odds.one]
    wrong.append(Cents(line.wins + line.stake))
    chip = min(game.sheet.house.chips.values)
    return sorted({one for one in wrong if one not in (0, line.wins) and one % chip == 0})


def _missed(played: PlayedRound, acts: tuple[Act, ...], luck: Draws) -> Planted | None:
    """A side wager that wins, collected."""
    sides = played.final.game.sheet.side
    fit = [
        (at, line)
        for at, act in enumerate(acts)
        for line in act.lines
        if line.wins and line.wager in sides
    ]
    if not fit:
        return None
    at, line = luck.one_of(fit)
    lost = line._replace(result="lose", wins=Cents(0))
    return _with_line(played, acts, at, (line, lost), "bonus-missed")


def _with_line(
    played: PlayedRound, acts: tuple[Act, ...], at: int, lines: tuple[Line, Line], error: str
) -> Planted:
    line, other = lines
    told_as = tuple(other if one is line else one for one in acts[at].lines)
    changed = (*acts[:at], _paid(played.final, acts[at].seat, told_as), *acts[at + 1 :])
    (why,) = line_reasons(played.final, acts[at].seat, [line], named=True)
    return Planted(changed, at, error, why)


def _wrong_order(played: PlayedRound, acts: tuple[Act, ...], luck: Draws) -> Planted | None:
    """Two seats settled in the wrong order."""
    stops = [at for at, act in enumerate(acts) if act.what == "settle"]
    fit = [at for at in stops[:-1] if acts[at].seat != acts[at + 1].seat]
    if not fit:
        return None
    at = luck.one_of(fit)
    changed = (*acts[:at], acts[at + 1], acts[at], *acts[at + 2 :])
    text = say("drills.acts.first", seat=acts[at].seat, other=acts[at + 1].seat)
    return Planted(changed, at, "wrong-order", settlement_reason(played.final.game, text))


def _card_early(played: PlayedRound, acts: tuple[Act, ...], luck: Draws) -> Planted | None:
    """A card in common turned while a player has still to act."""
    fit = [
        at
        for at in range(1, len(acts))
        if acts[at].what == "turn" and acts[at - 1].what == "play"
        if any(not seat.folded for seat in played.states[acts[at].at].seats)
    ]
    if not fit:
        return None
    at = luck.one_of(fit)
    decides = acts[at - 1]
    changed = (*acts[: at - 1], acts[at], decides, *acts[at + 1 :])
    stage = played.final.game.stages[played.states[decides.at].stage]
    why = Reason(say("drills.acts.decides-first", seat=decides.seat), stage.clause)
    refused = decides.at, played.actions[acts[at].at]
    return Planted(changed, at - 1, "card-early", why, refused)


def _late_bet(played: PlayedRound, acts: tuple[Act, ...], luck: Draws) -> Planted | None:
    """A side wager put down when the cards are dealt."""
    game, closed = played.final.game, [act.what for act in acts].index("close")
    fit = [
        one
        for one in played.actions
        if isinstance(one, Wager)
        and one.wager in game.sheet.side
        and not game.sheet.side[one.wager].stake.required
    ]
    if not fit:
        return None
    late = luck.one_of(fit)
    index = next(at for at, act in enumerate(acts) if act.what == "bets" and act.seat == late.seat)
    seat = played.states[acts[closed].at + 1].seat(late.seat)
    assert seat is not None
    in_time = [one for one in stakes_laid(game, seat) if one[0] != late.wager]
    earlier = _bets(game, late.seat, in_time, acts[index].at)
    added = _bets(game, late.seat, [(late.wager, late.amount)], acts[index].at)
    before = (*acts[:index], earlier, *acts[index + 1 : closed + 2])
    text = say("drills.acts.too-late", seat=late.seat)
    why = reason(text, game.sheet.side[late.wager].stake, "required")
    refused = acts[closed].at + 1, late
    return Planted((*before, added, *acts[closed + 2 :]), len(before), "late-bet", why, refused)


Plant = Callable[[PlayedRound, tuple[Act, ...], Draws], Planted | None]
ERRORS: dict[str, Plant] = {
    "mispay": _mispaid,
    "bonus-missed": _missed,
    "wrong-order": _wrong_order,
    "card-early": _card_early,
    "late-bet": _late_bet,
}
