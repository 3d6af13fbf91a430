"""Spot the error: a round told act by act, with one mistake or none, as likely as not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from pitbook.engine.actions import BOARD, Action, Close, Deal, Decide, Turn, Wager
from pitbook.engine.round import Round
from pitbook.engine.step import place_name
from pitbook.engine.words import action_told
from pitbook.game.description import Game
from pitbook.game.settlement import Line
from pitbook.money import Cents
from pitbook.train.drills.deals import PlayedRound, deal, lies, round_file
from pitbook.train.drills.item import Item, Option, Question, Reason, lettered
from pitbook.train.drills.luck import Draws
from pitbook.wording import Sentence, say

__all__ = ["CLEAN", "ERRORS", "Act", "spot_error", "told_of"]

CLEAN = "0"  # The answer that there is no mistake.
TRIES = 40
SEATS_MAX = 3


class Act(NamedTuple):
    """One act of the dealer or a player: how it is told, and what it claims."""

    text: str
    what: str
    at: int  # Its first action, in the round as it was played.
    seat: int = 0
    lines: tuple[Line, ...] = ()


class Planted(NamedTuple):
    """A round with one mistake: where it stands, and what would be right, by which clause."""

    acts: tuple[Act, ...]
    at: int
    error: str
    reason: Reason
    refused: tuple[int, Action] | None = None  # A state of the round and what it does not take.


def spot_error(game: Game, luck: Draws) -> Item | None:
    """The act that is wrong, or that none is; rounds with and without are of one mould."""
    wrong = bool(luck.below(2))
    for _ in range(TRIES):
        seats = 1 + luck.below(min(SEATS_MAX, game.sheet.seats.count))
        played = deal(game, luck, seats=seats)
        acts = told_of(played)
        names = luck.shuffled(tuple(ERRORS))
        made = (ERRORS[name](played, acts, luck) for name in names)
        planted = next((one for one in made if one is not None), None)
        if planted is not None:
            return _item(played, planted if wrong else _clean(game, acts))
    return None


def _clean(game: Game, acts: tuple[Act, ...]) -> Planted:
    clause = game.sheet.settlement.clause
    return Planted(acts, len(acts), "none", Reason(say("drills.clean"), clause))


def _item(played: PlayedRound, planted: Planted) -> Item:
    clean = say("drills.no-mistake")
    options = (*lettered([(act.text, ()) for act in planted.acts]), Option(CLEAN, clean))
    question = Question(say("drills.spot-error"), "choice", lies(played.final), options=options)
    evidence: dict[str, Any] = {"file": round_file(played), "planted": planted, "played": played}
    answer, work = options[planted.at].id, 4 + len(planted.acts) // 4
    return Item("spot-error", question, answer, (planted.reason,), work, evidence=evidence)


# A round, told ------------------------------------------------------------------------------------


def told_of(played: PlayedRound) -> tuple[Act, ...]:
    """Every act of a round as it was."""
    return (*_before_cards(played), *_cards_and_plays(played), *_payments(played.final))


def _before_cards(played: PlayedRound) -> Iterator[Act]:
    round = played.final
    for seat in round.seats:
        put = [one for one in played.actions if isinstance(one, Wager) and one.seat == seat.number]
        yield _bets(round, put, played.actions.index(put[0]))
    at = next(at for at, one in enumerate(played.actions) if isinstance(one, Close))
    yield Act(say("engine.words.no-more-bets"), "close", at)
    order = dict.fromkeys(one.place for one in played.actions if isinstance(one, Deal))
    yield _dealt(round, tuple(order), at + 1)


def _bets(round: Round, put: Sequence[Wager], at: int) -> Act:
    bets = tuple(
        say("drills.acts.bet", amount=one.amount, title=round.game.wager_title(one.wager))
        for one in put
    )
    seat = put[0].seat
    return Act(say("drills.acts.bets", seat=seat, bets=bets), "bets", at, seat)


def _dealt(round: Round, places: tuple[int, ...], at: int) -> Act:
    told = tuple(place_name(round, place) for place in places)
    return Act(say("drills.acts.dealt", places=told), "deal", at)


def _cards_and_plays(played: PlayedRound) -> Iterator[Act]:
    """Decisions, and cards in common that are turned one after another in one act."""
    acted = [one for one in enumerate(played.actions) if isinstance(one[1], Decide | Turn)]
    for (what, place), group in groupby(acted, key=lambda one: _same_act(*one)):
        at, first = next(group)
        before, after = played.states[at], played.states[at + 1]
        if isinstance(first, Decide):
            told = action_told(before, first, after)
            yield Act(told or "", "play", at, first.seat)
        elif isinstance(first, Turn) and what == "turn":
            cards = (first.card, *(one.card for _, one in group if isinstance(one, Turn)))
            there = place_name(before, place)
            yield Act(say("drills.acts.turns", cards=cards, place=there), "turn", at)


def _same_act(at: int, action: Action) -> tuple[str, int]:
    """What belongs together: cards turned at one place in common; each decision is its own."""
    if isinstance(action, Turn):
        return ("turn" if action.place <= BOARD else "look"), action.place
    return "play", at


def _payments(final: Round) -> Iterator[Act]:
    sides = final.game.sheet.side
    for seat, group in final.to_settle:
        hand = next(one for one in final.settlements if one.seat == seat)
        lines = tuple(
            one for one in hand.lines if (one.wager if one.wager in sides else "main") in group
        )
        yield _paid(final, seat, lines)


def _paid(final: Round, seat: int, lines: tuple[Line, ...]) -> Act:
    told = tuple(_line(final, line) for line in lines)
    return Act(say("drills.acts.settles", seat=seat, lines=told), "settle", -1, seat, lines)


def _line(final: Round, line: Line) -> Sentence:
    title, result = final.game.wager_title(line.wager), line.result
    back = line.back if line.result == "lose" else 0
    return say("drills.acts.line", title=title, result=result, wins=line.wins, back=back)


# Mistakes -----------------------------------------------------------------------------------------


def _mispaid(played: PlayedRound, acts: tuple[Act, ...], luck: Draws) -> Planted | None:
    """A win paid as another would be."""
    fit = [(at, line) for at, act in enumerate(acts) for line in act.lines if line.wins]
    if not fit:
        return None
    at, line = luck.one_of(fit)
    unit = line.stake or played.final.game.main[1].step
    wrong = luck.one_of(
        [line.wins + unit, line.wins * 2, max(0, line.wins - unit) or line.wins * 3]
    )
    return _with_line(played, acts, at, (line, line._replace(wins=Cents(wrong))), "mispay")


def _missed(played: PlayedRound, acts: tuple[Act, ...], luck: Draws) -> Planted | None:
    """A side wager that wins, taken."""
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
    told = say("drills.acts.should", seat=acts[at].seat, line=_line(played.final, line))
    return Planted(changed, at, error, Reason(told, line.clause))


def _wrong_order(played: PlayedRound, acts: tuple[Act, ...], luck: Draws) -> Planted | None:
    """Two payments in the wrong order."""
    paid = [at for at, act in enumerate(acts) if act.what == "settle"]
    fit = [at for at in paid[:-1] if acts[at].seat != acts[at + 1].seat]
    if not fit:
        return None
    at = luck.one_of(fit)
    changed = (*acts[:at], acts[at + 1], acts[at], *acts[at + 2 :])
    why = Reason(
        say("drills.acts.first", seat=acts[at].seat), played.final.game.sheet.settlement.clause
    )
    return Planted(changed, at, "wrong-order", why)


def _card_early(played: PlayedRound, acts: tuple[Act, ...], luck: Draws) -> Planted | None:
    """A card in common turned while somebody has still to decide."""
    fit = [
        at for at in range(1, len(acts)) if acts[at].what == "turn" and acts[at - 1].what == "play"
    ]
    if not fit:
        return None
    at = luck.one_of(fit)
    decides = acts[at - 1]
    changed = (*acts[: at - 1], acts[at], decides, *acts[at + 1 :])
    stage = played.states[decides.at].stage
    why = Reason(
        say("drills.acts.decides-first", seat=decides.seat), played.final.game.stages[stage].clause
    )
    refused = decides.at, played.actions[acts[at].at]
    return Planted(changed, at - 1, "card-early", why, refused)


def _late_bet(played: PlayedRound, acts: tuple[Act, ...], luck: Draws) -> Planted | None:
    """A side wager put when the cards are dealt."""
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
    rest = [
        one
        for one in played.actions
        if isinstance(one, Wager) and one.seat == late.seat and one is not late
    ]
    earlier = _bets(played.final, rest, acts[index].at)
    added = _bets(played.final, [late], acts[index].at)
    before = (*acts[:index], earlier, *acts[index + 1 : closed + 2])
    clause = game.sheet.side[late.wager].stake.clause
    why = Reason(say("drills.acts.too-late", seat=late.seat), clause)
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
