"""Spot the error: a round described step by step, with one dealer error or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from pitbook.drills.paying import limit_reasons
from pitbook.drills.question import Item, Option, Question, Reason, label_options
from pitbook.drills.random_rounds import (
    Draws,
    PlayedRound,
    deal,
    layout_of,
    packets,
    payments,
    round_file,
    stakes_in_order,
)
from pitbook.drills.reasons import line_reasons, reason, settlement_reason
from pitbook.money import Cents, Odds
from pitbook.rules.actions import BOARD, Action, Close, Deal, Decide, Play, Turn, Wager, multiple
from pitbook.rules.game import Game, Seat
from pitbook.rules.round import Round
from pitbook.rules.settlement_lines import FOLDED, Line
from pitbook.sheets.pay_tables import all_pay_tables
from pitbook.text import Sentence, say

CLEAN = "0"  # The answer that there is no mistake.
TRIES = 40
SEATS_MAX = 3


class Act(NamedTuple):
    """An act of the dealer or a player: its sentence, and what it claims."""

    text: str
    what: str
    at: int  # Index of its first action in the round.
    seat: int = 0
    lines: tuple[Line, ...] = ()


class PlantedError(NamedTuple):
    """A round with one planted error: where it is, what would be right, and the clause."""

    acts: tuple[Act, ...]
    at: int
    error: str
    reason: Reason
    refused: tuple[int, Action] | None = (
        None  # Index of a state, and an action that the engine refuses there.
    )


def spot_error(game: Game, draws: Draws) -> Item | None:
    """Which act is wrong, or none. Clean rounds and rounds with an error are dealt alike."""
    has_error = bool(draws.below(2))
    for _ in range(TRIES):
        seats = 1 + draws.below(min(SEATS_MAX, game.sheet.seats.count))
        played = deal(game, draws, seats=seats)
        acts = describe_round(played)
        names = draws.shuffle(tuple(ERRORS))
        mistakes = (ERRORS[name](played, acts, draws) for name in names)
        planted = next((mistake for mistake in mistakes if mistake is not None), None)
        if planted is not None and _are_distinct(acts) and _are_distinct(planted.acts):
            return _item(played, planted if has_error else _plant_nothing(acts))
    return None


def _are_distinct(acts: Sequence[Act]) -> bool:
    """Whether no two acts have the same sentence."""
    return len({act.text for act in acts}) == len(acts)


def _plant_nothing(acts: tuple[Act, ...]) -> PlantedError:
    return PlantedError(acts, len(acts), "none", Reason(say("drills.clean"), None))


def _item(played: PlayedRound, planted: PlantedError) -> Item:
    clean = Option(CLEAN, say("drills.no-mistake"))
    options = (*label_options([(act.text, ()) for act in planted.acts]), clean)
    question = Question(
        say("drills.spot-error"), "choice", layout_of(played.final), options=options
    )
    evidence: dict[str, Any] = {"file": round_file(played), "planted": planted, "played": played}
    answer, work = options[planted.at].id, 4 + len(planted.acts) // 4
    why = (planted.reason, *_limit_reasons(played.final)) if answer == CLEAN else (planted.reason,)
    return Item("spot-error", question, answer, why, work, evidence=evidence)


def _limit_reasons(final: Round) -> tuple[Reason, ...]:
    """Why wins are less than in the pay table, if a limit applies."""
    seats = [hand.seat for hand in final.settlements]
    return tuple(dict.fromkeys(why for seat in seats for why in limit_reasons(final, seat)))


# A round, told ------------------------------------------------------------------------------------


def describe_round(played: PlayedRound) -> tuple[Act, ...]:
    """Every act of a round, as it happened."""
    return (*_betting_acts(played), *_playing_acts(played), *_payment_acts(played.final))


def _betting_acts(played: PlayedRound) -> Iterator[Act]:
    closed = next(at for at, action in enumerate(played.actions) if isinstance(action, Close))
    round = played.states[closed + 1]
    for seat in round.seats:
        at = next(
            at
            for at, action in enumerate(played.actions)
            if isinstance(action, Wager) and action.seat == seat.number
        )
        yield _bet_act(round.game, seat.number, stakes_in_order(round.game, seat), at)
    yield Act(say("drills.acts.close"), "close", closed)


def _bet_act(game: Game, seat: int, stakes: Sequence[tuple[str, Cents]], at: int) -> Act:
    bets = tuple(
        say("drills.acts.bet", amount=amount, title=game.wager_title(wager))
        for wager, amount in stakes
    )
    return Act(say("drills.acts.bets", seat=seat, bets=bets), "bets", at, seat)


def _playing_acts(played: PlayedRound) -> Iterator[Act]:
    """The deal, decisions and common cards; one movement is one act."""
    indexed_actions = [
        indexed
        for indexed in enumerate(played.actions)
        if isinstance(indexed[1], Deal | Decide | Turn)
    ]
    for (act_kind, place), group in groupby(
        indexed_actions, key=lambda indexed: _act_key(*indexed)
    ):
        acts = list(group)
        at, first = acts[0]
        if act_kind == "deal":
            order = [action.place for _, action in acts if isinstance(action, Deal)]
            yield _deal_act(played.final.game, order, at)
        elif isinstance(first, Decide):
            yield _decide_act(played, at, first)
        elif act_kind == "turn":
            cards = tuple(action.card for _, action in acts if isinstance(action, Turn))
            place_id = played.final.game.places[1 - place].id
            yield Act(say("drills.acts.turns", cards=cards, place=place_id), "turn", at)


def _act_key(at: int, action: Action) -> tuple[str, int]:
    if isinstance(action, Deal):
        return "deal", 0
    if isinstance(action, Turn):
        return ("turn" if action.place <= BOARD else "look"), action.place
    return "play", at


def _deal_act(game: Game, order: Sequence[int], at: int) -> Act:
    dealt = tuple(
        say(
            "drills.acts.packet",
            place=game.places[1 - packet.place].id if packet.place <= 0 else "seat",
            seat=packet.place,
            cards=packet.cards,
        )
        for packet in packets(game, order)
    )
    return Act(say("drills.acts.deals", packets=dealt), "deal", at)


def _decide_act(played: PlayedRound, at: int, action: Decide) -> Act:
    before, after = played.states[at], played.states[at + 1]
    seat_before, seat_after = before.seat(action.seat), after.seat(action.seat)
    assert seat_before is not None
    assert seat_after is not None
    text = _render_play(played, seat_before, seat_after.plays[len(seat_before.plays)], before)
    return Act(text, "play", at, action.seat)


def _render_play(played: PlayedRound, seat: Seat, play: Play, round: Round) -> Sentence:
    game, amount, number = round.game, seat.cost(play), seat.number
    if play.folds:
        lost = [line for line in played.lines(number) if line.outcome == FOLDED.outcome]
        lost_total, back = sum(line.lost for line in lost), sum(line.back for line in lost)
        return say("drills.acts.folds", seat=number, play=str(play), taken=lost_total, back=back)
    if play.takes:
        titles = tuple(game.wager_title(wager) for wager in play.takes)
        return say("drills.acts.takes-back", seat=number, titles=titles)
    if play.declaration:
        return say("drills.acts.declares", seat=number, hand=play.declaration, amount=amount)
    title = game.wager_title(play.puts[0][0]) if play.puts else game.stages[round.stage].title
    fields = {"seat": number, "play": str(play), "amount": amount, "title": title}
    if amount and multiple(play) is not None:
        return say("drills.acts.raises", **fields)
    return say("drills.acts.plays", **fields)


def _payment_acts(final: Round) -> Iterator[Act]:
    for stop in payments(final):
        yield _settle_act(final, stop.seat, stop.lines)


def _settle_act(final: Round, seat: int, lines: tuple[Line, ...]) -> Act:
    payments = tuple(_render_line(final.game, line) for line in lines)
    return Act(say("drills.acts.settles", seat=seat, lines=payments), "settle", -1, seat, lines)


def _render_line(game: Game, line: Line) -> Sentence:
    title, back = game.wager_title(line.wager), line.back if line.result == "lose" else 0
    return say("drills.acts.line", title=title, result=line.result, wins=line.wins, back=back)


# Mistakes -----------------------------------------------------------------------------------------


def _plant_mispay(played: PlayedRound, acts: tuple[Act, ...], draws: Draws) -> PlantedError | None:
    """A win paid as dealers mispay: at another line, with the stake included, or on another bet."""
    game = played.final.game
    candidates = [
        (at, line, wrong_payments)
        for at, act in enumerate(acts)
        for line in act.lines
        if line.wins and (wrong_payments := _wrong_payments(game, line, act.lines))
    ]
    if not candidates:
        return None
    at, line, wrong_payments = draws.choice(candidates)
    paid = line._replace(wins=draws.choice(wrong_payments))
    return _replace_line(played, acts, at, (line, paid), "mispay")


def _wrong_payments(game: Game, line: Line, other_lines: Sequence[Line]) -> list[Cents]:
    """Amounts that a dealer might pay by mistake for a win, in chips of the table."""
    if line.odds is None or not line.stake:
        return []
    table = line.wager if line.wager in game.sheet.side else "main"
    pays = list(all_pay_tables(game.sheet)[table].values())
    at = pays.index(line.odds) if line.odds in pays else None
    neighbors = [] if at is None else [*pays[max(0, at - 1) : at], *pays[at + 1 : at + 2]]
    chances = [(odds, line.stake) for odds in neighbors if isinstance(odds, Odds)]
    chances += [
        (line.odds, other.stake) for other in other_lines if other.wager not in game.sheet.side
    ]
    unpayable = [odds.wins(stake) for odds, stake in chances if not stake * odds.to % odds.one]
    unpayable.append(Cents(line.wins + line.stake))
    chip = min(game.sheet.house.chips.values)
    return sorted(
        {amount for amount in unpayable if amount not in (0, line.wins) and amount % chip == 0}
    )


def _plant_missed_bonus(
    played: PlayedRound, acts: tuple[Act, ...], draws: Draws
) -> PlantedError | None:
    """A winning side wager, collected."""
    sides = played.final.game.sheet.side
    candidates = [
        (at, line)
        for at, act in enumerate(acts)
        for line in act.lines
        if line.wins and line.wager in sides
    ]
    if not candidates:
        return None
    at, line = draws.choice(candidates)
    lost = line._replace(result="lose", wins=Cents(0))
    return _replace_line(played, acts, at, (line, lost), "bonus-missed")


def _replace_line(
    played: PlayedRound, acts: tuple[Act, ...], at: int, lines: tuple[Line, Line], error: str
) -> PlantedError:
    line, other = lines
    lines_shown = tuple(other if act_line is line else act_line for act_line in acts[at].lines)
    changed_acts = (
        *acts[:at],
        _settle_act(played.final, acts[at].seat, lines_shown),
        *acts[at + 1 :],
    )
    (why,) = line_reasons(played.final, acts[at].seat, [line], named=True)
    return PlantedError(changed_acts, at, error, why)


def _plant_wrong_order(
    played: PlayedRound, acts: tuple[Act, ...], draws: Draws
) -> PlantedError | None:
    """Two seats settled in the wrong order."""
    stops = [at for at, act in enumerate(acts) if act.what == "settle"]
    candidates = [at for at in stops[:-1] if acts[at].seat != acts[at + 1].seat]
    if not candidates:
        return None
    at = draws.choice(candidates)
    changed_acts = (*acts[:at], acts[at + 1], acts[at], *acts[at + 2 :])
    text = say("drills.acts.first", seat=acts[at].seat, other=acts[at + 1].seat)
    return PlantedError(changed_acts, at, "wrong-order", settlement_reason(played.final.game, text))


def _plant_early_card(
    played: PlayedRound, acts: tuple[Act, ...], draws: Draws
) -> PlantedError | None:
    """A common card turned before a player has acted."""
    candidates = [
        at
        for at in range(1, len(acts))
        if acts[at].what == "turn" and acts[at - 1].what == "play"
        if any(not seat.folded for seat in played.states[acts[at].at].seats)
    ]
    if not candidates:
        return None
    at = draws.choice(candidates)
    decides = acts[at - 1]
    changed_acts = (*acts[: at - 1], acts[at], decides, *acts[at + 1 :])
    stage = played.final.game.stages[played.states[decides.at].stage]
    why = Reason(say("drills.acts.decides-first", seat=decides.seat), stage.clause)
    refused = decides.at, played.actions[acts[at].at]
    return PlantedError(changed_acts, at - 1, "card-early", why, refused)


def _plant_late_bet(
    played: PlayedRound, acts: tuple[Act, ...], draws: Draws
) -> PlantedError | None:
    """A side wager placed after the cards are dealt."""
    game, closed = played.final.game, [act.what for act in acts].index("close")
    side_wagers = [
        action
        for action in played.actions
        if isinstance(action, Wager)
        and action.wager in game.sheet.side
        and not game.sheet.side[action.wager].stake.required
    ]
    if not side_wagers:
        return None
    late = draws.choice(side_wagers)
    index = next(at for at, act in enumerate(acts) if act.what == "bets" and act.seat == late.seat)
    seat = played.states[acts[closed].at + 1].seat(late.seat)
    assert seat is not None
    in_time = [stake for stake in stakes_in_order(game, seat) if stake[0] != late.wager]
    earlier = _bet_act(game, late.seat, in_time, acts[index].at)
    added = _bet_act(game, late.seat, [(late.wager, late.amount)], acts[index].at)
    before = (*acts[:index], earlier, *acts[index + 1 : closed + 2])
    text = say("drills.acts.too-late", seat=late.seat)
    why = reason(text, game.sheet.side[late.wager].stake, "required")
    refused = acts[closed].at + 1, late
    return PlantedError(
        (*before, added, *acts[closed + 2 :]), len(before), "late-bet", why, refused
    )


PlantError = Callable[[PlayedRound, tuple[Act, ...], Draws], PlantedError | None]
ERRORS: dict[str, PlantError] = {
    "mispay": _plant_mispay,
    "bonus-missed": _plant_missed_bonus,
    "wrong-order": _plant_wrong_order,
    "card-early": _plant_early_card,
    "late-bet": _plant_late_bet,
}
