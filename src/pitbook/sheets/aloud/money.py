"""What a sheet says of limits, settlement and the counting of wins."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.money import spoken
from pitbook.sheets.aloud.saying import Saying, said
from pitbook.sheets.aloud.words import listed, outcome, paid, way
from pitbook.sheets.entries import Entries
from pitbook.sheets.model import Limit, Sheet


def limits(sheet: Sheet) -> Iterator[Saying]:
    """The caps on what is paid, or that there are none."""
    if sheet.uncapped:
        short = "without limit"
        says, fields = "have no limit", "uncapped"
        yield said("Limits", "Payouts", "payouts", says, fields, sheet.uncapped, short=short)
    for place, limit in enumerate(sheet.limits):
        yield _cap(sheet, limit, place)


def _cap(sheet: Sheet, limit: Limit, place: int) -> Saying:
    label = {"bet": "Each bet", "hand": "Each hand", "round": "Each round"}[limit.per]
    where = {"bet": "on one bet", "hand": "of one hand together", "round": "in a round together"}
    shared = "" if limit.per == "bet" else ", shared pro rata"
    posted = "" if limit.posted else "; the limit is not posted"
    subject = f"{_counted(sheet, limit)} {where[limit.per]}"
    says = f"pay at most {spoken(limit.pays_max)}{shared}{posted}"
    return said("Limits", label, subject, says, "limits", limit, key=f"limits[{place}]")


def _counted(sheet: Sheet, limit: Limit) -> str:
    if limit.counts is None:
        return "all wins"
    if limit.counts.odds_at_least is not None:
        return f"all wins at {limit.counts.odds_at_least} or more"
    lines = limit.counts.lines or Entries()
    return "wins on " + listed(
        f"{listed(map(outcome, names), 'or')} ({wager_name(sheet, wager)})"
        for wager, names in lines.items()
    )


def wager_name(sheet: Sheet, wager: str) -> str:
    """A wager in words, as settlement and limits name it."""
    return f"the {sheet.side[wager].title}" if wager in sheet.side else "the main wagers"


def pay_table(sheet: Sheet) -> Iterator[Saying]:
    """What is said beside the main pay table itself."""
    if prose := sheet.main.prose:
        told = listed(f"{_some(line)} {paid(pay)}" for line, pay in prose.pays.items())
        holds = {"pays": "the pay table holds", "prose": "the text holds"}
        says = f"says that {told}; {holds.get(prose.decides or '', 'neither is said to hold')}"
        subject, fields = "the document's text", "main.prose"
        yield said("Pay table", "Text", subject, says, fields, prose)


def _some(line: str) -> str:
    """A line of a pay table with its article; what is counted has none."""
    name = outcome(line)
    counted = name.split(maxsplit=1)[0] in ("one", "two", "three", "four", "five", "no")
    return name if counted else f"a {name}"


def settlement(sheet: Sheet) -> Iterator[Saying]:
    """Who is settled first, and what."""
    at, rule = "Settlement", sheet.settlement
    ways = way(rule.direction)
    fields = "settlement.direction"
    yield said(at, "Seats", "seats", f"are settled {ways}", fields, rule, short=ways)
    short = _passes(sheet)
    fields = "settlement.passes"
    yield said(at, "Wagers", "the dealer", f"settles {short}", fields, rule, short=short)


def _passes(sheet: Sheet) -> str:
    first, *rest = ([wager_name(sheet, one) for one in each] for each in sheet.settlement.passes)
    if not rest:
        return ", then ".join(first)
    then = "".join(f"; then {listed(each)}" for each in rest)
    return f"first {listed(first)} at every seat{then}"


def payouts(sheet: Sheet) -> Iterator[Saying]:
    """How hands are read and money is counted."""
    at, rule = "Payouts", sheet.payouts
    ace = rule.ace_in_straights
    short = "high or low in straights" if ace.value == "high-or-low" else "high only in straights"
    fields = "payouts.ace_in_straights"
    yield said(at, "Ace", "the ace", f"is {short}", fields, ace, short=short)
    several = rule.several_lines
    says = "is paid the highest" if several.value == "highest" else "is paid the first listed"
    subject = "a hand that fits several lines"
    yield said(at, "Lines", subject, says, "payouts.several_lines", several)
    stake = rule.stake_counted
    short = "counted with the stake" if stake.value else "counted without the stake"
    yield said(at, "Wins", "wins", f"are {short}", "payouts.stake_counted", stake, short=short)
    ties = rule.share_ties
    first = "lower" if ties.value == "lower-seat" else "higher"
    short = f"to the {first} seat first, when a limit is shared"
    says, subject = f"goes to the {first} seat first", "the odd cent of a shared limit"
    yield said(at, "Odd cents", subject, says, "payouts.share_ties", ties, short=short)


def advantages(sheet: Sheet) -> Iterator[Saying]:
    """The wagers that the player has the better of, where a sheet declares some."""
    if declared := sheet.player_advantage:
        on = listed(wager_name(sheet, one.wager) for one in declared)
        says, fields = f"has the better of the house on {on}", "player_advantage"
        yield said("Payouts", "Advantage", "the player", says, fields, *declared)


def best_play(sheet: Sheet) -> Iterator[Saying]:
    """What the mathematics takes for best between equals."""
    ties = sheet.best_play.ties
    says = f"the {ties.value.replace('-', ' ')}"
    subject = "the best of plays of equal value"
    short = f"{says}, between plays of equal value"
    yield said("Best play", "Ties", subject, f"is {says}", "best_play.ties", ties, short=short)
