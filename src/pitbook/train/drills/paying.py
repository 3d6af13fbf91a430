"""Pay a hand, cut the chips for it, settle a whole table, and say what becomes of a wager."""

from __future__ import annotations

from collections.abc import Iterable

from pitbook.engine.chips import cut
from pitbook.engine.round import Round
from pitbook.engine.words import lines_told
from pitbook.game.description import Game
from pitbook.game.settlement import Line
from pitbook.money import money
from pitbook.train.drills.deals import PlayedRound, deal, lies, round_file
from pitbook.train.drills.item import Item, Question, Reason, lettered
from pitbook.train.drills.luck import Draws
from pitbook.wording import say

__all__ = ["cut_chips", "pay_hand", "reasons", "settle_table", "what_becomes", "work_of"]

RESULTS = ("win", "push", "lose")
SEATS_MAX = 4


def pay_hand(game: Game, luck: Draws) -> Item | None:
    """What a hand is paid, all wagers together."""
    found = _winning(game, luck)
    if found is None:
        return None
    played, wins = found
    final = played.final
    number = final.seats[0].number
    question = Question(say("drills.pay-hand", seat=number), "amount", lies(final))
    lines = [line for line in played.lines(number) if line.wins]
    why, work = reasons(final, lines), work_of(lines)
    return Item("pay-hand", question, money(wins), why, work, evidence=round_file(played))


def cut_chips(game: Game, luck: Draws) -> Item | None:
    """The same in chips, the largest first."""
    found = _winning(game, luck)
    if found is None:
        return None
    played, wins = found
    final, values = played.final, tuple(game.sheet.house.chips.values)
    stacks = cut(values, wins)
    if any(value not in values for value, _ in stacks):
        return None  # No chip is worth the rest.
    number = final.seats[0].number
    question = Question(say("drills.cut-chips", seat=number), "chips", lies(final), chips=values)
    lines = [line for line in played.lines(number) if line.wins]
    told = say("drills.cut", amount=wins)
    why = (*reasons(final, lines), Reason(told, game.sheet.house.chips.clause))
    answer = ",".join(f"{money(value)}x{count}" for value, count in stacks)
    work = work_of(lines) + len(stacks)
    return Item("cut-chips", question, answer, why, work, evidence=round_file(played))


def _winning(game: Game, luck: Draws) -> tuple[PlayedRound, int] | None:
    """A round of one hand that wins something."""
    played = deal(game, luck)
    (hand,) = played.final.settlements
    return (played, hand.wins) if hand.wins else None


def settle_table(game: Game, luck: Draws) -> Item | None:
    """Every step of the settlement in its order, with what the player has from it."""
    most = min(SEATS_MAX, game.sheet.seats.count)
    played = deal(game, luck, seats=2 + luck.below(most - 1))
    final = played.final
    steps = [(seat, _of_step(final, seat, group)) for seat, group in final.to_settle]
    titles = [(_step(final, seat, lines), ()) for seat, lines in steps]
    if len(set(titles)) < len(titles) or not any(line.net for _, lines in steps for line in lines):
        return None
    options = lettered(luck.shuffled(titles))
    letters = {option.text: option.id for option in options}
    nets = [
        (letters[title], sum(line.net for line in lines))
        for (title, _), (_, lines) in zip(titles, steps, strict=True)
    ]
    question = Question(say("drills.settle-table"), "steps", lies(final), options=options)
    order = Reason(_order(final), game.sheet.settlement.clause)
    every = [line for _, lines in steps for line in lines]
    why = (order, *(one for seat, lines in steps for one in reasons(final, lines, seat)))
    answer = ",".join(f"{letter}={money(net)}" for letter, net in nets)
    return Item(
        "settle-table",
        question,
        answer,
        why,
        work_of(every) + len(steps),
        evidence=round_file(played),
    )


def what_becomes(game: Game, luck: Draws) -> Item | None:
    """Whether a wager wins, pushes or loses."""
    wanted = luck.one_of(RESULTS)
    played = deal(game, luck)
    final = played.final
    seat = final.seats[0]
    fit = [
        one
        for one in played.lines(seat.number)
        if one.result == wanted and one.stake and not one.back
    ]
    if not fit:
        return None
    line = luck.one_of(fit)
    texts = [(say("drills.result", result=one), ()) for one in RESULTS]
    title = game.wager_title(line.wager)
    ask = say("drills.what-becomes", title=title, seat=seat.number)
    question = Question(ask, "choice", lies(final), options=lettered(texts))
    answer = question.options[RESULTS.index(wanted)].id
    why = reasons(final, [line])
    return Item(
        "what-becomes",
        question,
        answer,
        why,
        2,
        evidence=round_file(played) | {"asked": line.wager},
    )


def reasons(final: Round, lines: Iterable[Line], seat: int | None = None) -> tuple[Reason, ...]:
    """What became of wagers, each with its clause."""
    found = []
    for line in lines:
        for told in lines_told(final, [line], clauses=False):
            text = told if seat is None else say("engine.words.of-seat", seat=seat, line=told)
            found.append(Reason(text, line.clause))
    return tuple(found)


def work_of(lines: Iterable[Line]) -> int:
    """Steps of arithmetic: a sum for each wager, and one for each figure of its odds and stake."""
    work = 0
    for line in lines:
        work += 1
        if line.odds is not None:
            odd = line.odds.to % 10 != 0
            work += len(str(line.odds.to)) + (line.odds.one > 1) * 2 + odd
            work += len(str(line.stake // 100).strip("0"))
    return work


def _of_step(final: Round, seat: int, group: tuple[str, ...]) -> list[Line]:
    lines = next(one.lines for one in final.settlements if one.seat == seat)
    sides = final.game.sheet.side
    return [one for one in lines if (one.wager if one.wager in sides else "main") in group]


def _step(final: Round, seat: int, lines: list[Line]) -> str:
    titles = tuple(
        dict.fromkeys(final.game.wager_title(line.wager) for line in lines if line.stake)
    )
    return say("drills.step", seat=seat, titles=titles)


def _order(final: Round) -> str:
    return say("drills.order", seats=tuple(str(seat) for seat, _ in final.to_settle))
