"""What a sheet says of limits, settlement and the counting of wins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import reduce

from pitbook.money import Odds
from pitbook.sheets.aloud.saying import Saying, aloud
from pitbook.sheets.aloud.words import outcome, paid, some, way
from pitbook.sheets.entries import Entries
from pitbook.sheets.model import Sheet
from pitbook.sheets.ours import share
from pitbook.sheets.parts import Limit
from pitbook.sheets.values import Push
from pitbook.text import Sentence, say


def variants(sheet: Sheet) -> Iterator[Saying]:
    """Other pay tables that a house may choose."""
    if not sheet.variants:
        return
    titles = tuple(
        say("aloud.variants.one", name=name, title=one.title)
        for name, one in sheet.variants.items()
    )
    rules = tuple(sheet.variants.values())
    yield aloud("Pay table", "aloud.variants", "variants", *rules, titles=titles)


def limits(sheet: Sheet) -> Iterator[Saying]:
    """The caps on what is paid, or that there are none."""
    if sheet.uncapped:
        yield aloud("Limits", "aloud.limits.none", "uncapped", sheet.uncapped)
    for place, limit in enumerate(sheet.limits):
        yield _cap(sheet, limit, place)


def _cap(sheet: Sheet, limit: Limit, place: int) -> Saying:
    cap = aloud(
        "Limits",
        "aloud.limits.cap",
        "limits",
        limit,
        at=f"limits[{place}]",
        per=limit.per,
        wins=_counted(sheet, limit),
        most=limit.pays_max,
        posted=bool(limit.posted),
        some=limit.counts is not None,
    )
    ours = share(limit, "per", "pays_max", "counts", *(() if limit.posted else ("posted",)))
    return replace(cap, ours=ours, sentence_ours=ours)


def _counted(sheet: Sheet, limit: Limit) -> Sentence:
    if limit.counts is None:
        return say("aloud.limits.all-wins")
    if limit.counts.odds_at_least is not None:
        return say("aloud.limits.wins-at", odds=limit.counts.odds_at_least)
    lines = limit.counts.lines or Entries()
    on = tuple(_lines_of(sheet, wager, names) for wager, names in lines.items())
    return say("aloud.limits.wins-on", lines=on)


def _lines_of(sheet: Sheet, wager: str, names: Iterable[str]) -> Sentence:
    hands = tuple(map(outcome, names))
    return say("aloud.limits.lines", hands=hands, wager=wager_name(sheet, wager))


def wager_name(sheet: Sheet, wager: str) -> Sentence:
    """A wager in words, as settlement and limits name it."""
    if wager in sheet.side:
        return say("aloud.limits.side-wager", title=sheet.side[wager].title)
    return say("aloud.limits.main-wagers")


def pay_table(sheet: Sheet) -> Iterator[Saying]:
    """What is said beside the main pay table itself."""
    if prose := sheet.main.prose:
        lines = tuple(_paid(line, pay) for line, pay in prose.pays.items())
        holds = prose.decides or "neither"
        key = "aloud.pay-table.prose"
        yield aloud("Pay table", key, "main.prose", prose, lines=lines, holds=holds)


def _paid(line: str, pay: Odds | Push) -> Sentence:
    return say("aloud.pay-table.line", hand=some(line), paid=paid(pay))


def settlement(sheet: Sheet) -> Iterator[Saying]:
    """Who is settled first, and what."""
    at, rule = "Settlement", sheet.settlement
    fields, ways = "settlement.direction", way(rule.direction)
    yield aloud(at, "aloud.settlement.seats", fields, rule, way=ways)
    passes = _passes(sheet)
    yield aloud(at, "aloud.settlement.wagers", "settlement.passes", rule, passes=passes)


def _passes(sheet: Sheet) -> Sentence:
    each = [tuple(wager_name(sheet, one) for one in each) for each in sheet.settlement.passes]
    first, *rest = each
    if not rest:
        return reduce(lambda told, one: say("aloud.settlement.then", told=told, wager=one), first)
    told = say("aloud.settlement.first-pass", wagers=first)
    for one in rest:
        told = say("aloud.settlement.next-pass", told=told, wagers=one)
    return told


def payouts(sheet: Sheet) -> Iterator[Saying]:
    """How hands are read and money is counted."""
    at, rule = "Payouts", sheet.payouts
    ace, fields = rule.ace_in_straights, "payouts.ace_in_straights"
    yield aloud(at, "aloud.payouts.ace", fields, ace, ace=ace.value)
    several, fields = rule.several_lines, "payouts.several_lines"
    yield aloud(at, "aloud.payouts.lines", fields, several, lines=several.value)
    stake, fields = rule.stake_counted, "payouts.stake_counted"
    yield aloud(at, "aloud.payouts.wins", fields, stake, counted=stake.value)
    ties, fields = rule.share_ties, "payouts.share_ties"
    yield aloud(at, "aloud.payouts.odd-cents", fields, ties, ties=ties.value)


def advantages(sheet: Sheet) -> Iterator[Saying]:
    """The wagers that the player has the better of, where a sheet declares some."""
    if declared := sheet.player_advantage:
        on = tuple(wager_name(sheet, one.wager) for one in declared)
        fields = "player_advantage"
        yield aloud("Payouts", "aloud.payouts.advantage", fields, *declared, wagers=on)


def best_play(sheet: Sheet) -> Iterator[Saying]:
    """What the mathematics takes for best between equals."""
    ties = sheet.best_play.ties
    plain = ties.value.replace("-", " ")
    told = {"play": ties.value, "plain": plain}
    yield aloud("Best play", "aloud.best-play.ties", "best_play.ties", ties, **told)
