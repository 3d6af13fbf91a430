"""What a hi-lo sheet says of its deal, points, declarations and the dealer's hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pitbook.families.hi_lo.sheet import RANK_NAMES, HiLo, RankName
from pitbook.sheets.aloud.saying import Saying, said
from pitbook.sheets.aloud.words import counted, listed, number, way


def sayings(sheet: HiLo) -> Iterator[Saying]:
    """All that the family says beside what every sheet does."""
    yield from deal(sheet)
    yield from play(sheet)
    yield from pay_table(sheet)
    yield from settlement(sheet)


def main_table(sheet: HiLo) -> tuple[str, str]:
    """What the main pay table is called, and what it is on."""
    bet = sheet.bet.title
    return f"{bet} and double" if sheet.double else bet, "against the dealer"


def deal(sheet: HiLo) -> Iterator[Saying]:
    """Which cards are dealt to whom and when."""
    at, rule = "Cards", sheet.deal
    when = "before" if rule.order[0] == "dealer" else "after"
    subject, says = "the dealer's cards", f"are dealt {when} the players' cards"
    short = f"{', then '.join(rule.order)}, {way(rule.direction)}"
    yield said(at, "Deal", subject, says, "deal.order", rule, short=short, also="direction")
    yield said(at, None, "the deal", f"goes {way(rule.direction)}", "deal.direction")
    own = counted(rule.player, "card", "cards")
    own += f", {number(rule.at_a_time)} at a time" if rule.at_a_time else ""
    fields, short = "deal.player deal.at_a_time", f"{own} to each spot"
    yield said(at, "", "each spot", f"gets {own}", fields, rule, short=short)
    own, fields = counted(rule.dealer, "card", "cards"), "deal.dealer"
    short = f"{own} to the dealer"
    yield said(at, "", "the dealer", f"gets {own}", fields, rule, short=short)


def play(sheet: HiLo) -> Iterator[Saying]:
    """Points, declarations, the double and the dealer's hand."""
    says, short = "play against the dealer", "the dealer"
    yield said("Play", "Against", "hands", says, "play.against", sheet.play, short=short)
    yield from _points(sheet)
    yield from _declare(sheet)
    yield from _double(sheet)
    yield from _dealer(sheet)


def _points(sheet: HiLo) -> Iterator[Saying]:
    at, rule = "Play", sheet.points
    values, fields = points(rule.values), "points.values"
    yield said(at, "Points", "the cards", f"count {values}", fields, rule, short=values)
    high = points(rule.in_high_hand) if rule.in_high_hand else "the same"
    subject, fields = "in a high hand the cards", "points.in_high_hand"
    short = f"in a high hand {high}"
    yield said(at, "", subject, f"count {high}", fields, rule, short=short)


def points(values: Mapping[RankName, int]) -> str:
    """Ranks by what they count; those that count their number are told together.

    >>> points({"A": 1, "2": 2, "3": 3, "4": 4, "J": 0, "Q": 0})
    '2 to 4 their number, J and Q 0, A 1'
    """
    own = [rank for rank in RANK_NAMES if rank.isdecimal() and values.get(rank) == int(rank)]
    own = own if len(own) > 2 else []
    rest = [rank for rank in RANK_NAMES if rank in values and rank not in own]
    counts = dict.fromkeys(values[rank] for rank in rest)
    parts = [f"{_run(own)} their number"] if own else []
    parts += [f"{listed(one for one in rest if values[one] == value)} {value}" for value in counts]
    return ", ".join(parts)


def _run(ranks: list[RankName]) -> str:
    first = RANK_NAMES.index(ranks[0])
    whole = ranks == list(RANK_NAMES[first : first + len(ranks)])
    return f"{ranks[0]} to {ranks[-1]}" if whole else listed(ranks)


def _declare(sheet: HiLo) -> Iterator[Saying]:
    at, rule = "Play", sheet.declare
    short = f'low in the area "{rule.low}", high in "{rule.high}"'
    fields = "declare.low declare.high"
    yield said(at, "Declare", "hands", f"are laid {short}", fields, rule, short=short)
    if sees := rule.sees_all_spots:
        says = "sees all hands first" if sees.value else "sees one hand at a time"
        subject, fields = "a player of several spots", "declare.sees_all_spots"
        yield said(at, "", subject, says, fields, sees)
    absent, fields = rule.absent_high_at, "declare.absent_high_at"
    short = f"high at {absent.value} points or more, else low, never doubled"
    yield said(at, "Absent", "an absent player", f"is {short}", fields, absent, short=short)


def _double(sheet: HiLo) -> Iterator[Saying]:
    at, rule, bet = "Play", sheet.double, sheet.bet.title
    if rule is None:
        return
    size = f"exactly the {bet}" if rule.times == 1 else f"exactly {rule.times} times the {bet}"
    text, fields = f"{size}, in {rule.area}", "double.times double.area"
    yield said(at, "Double", "the double", f"is {text}", fields, rule, short=text)
    inside, subject = rule.within_max, f"the {bet} and the double together"
    says = "must stay within the maximum" if inside.value else "may pass the maximum"
    yield said(at, "", subject, says, "double.within_max", inside)


_SHARED = {
    "ace-then-highest": "an ace of the low hand, else its highest card",
    "highest": "the highest card of the low hand",
    "none": "no card",
}


def _dealer(sheet: HiLo) -> Iterator[Saying]:
    at, rule = "Play", sheet.dealer
    low = counted(rule.low, "lowest card", "lowest cards")
    says, fields = f"is the {low}", "dealer.low"
    short = f"low hand of the {low}"
    yield said(at, "Dealer", "the dealer's low hand", says, fields, rule, short=short)
    subject, fields = "low and high hand", "dealer.shared"
    says, short = f"share {_SHARED[rule.shared]}", f"shared: {_SHARED[rule.shared]}"
    yield said(at, "", subject, says, fields, rule, short=short)
    equal, fields = rule.equal_points, "dealer.equal_points"
    says, subject = f"rise from {way(equal.value)}", "cards of equal points"
    yield said(at, "", subject, says, fields, equal, short=f"{subject} {says}")
    subject, fields = "the dealer's cards", "dealer.laid"
    says = f"rise from the dealer's {way(rule.laid)}"
    yield said(at, "", subject, says, fields, rule, short=f"cards {says}")
    areas = listed(area for area in (rule.areas.low, rule.areas.shared, rule.areas.high) if area)
    subject, fields = "the dealer's areas", "dealer.areas"
    yield said(at, "Areas", subject, f"are {areas}", fields, rule, short=areas)


def pay_table(sheet: HiLo) -> Iterator[Saying]:
    """Who wins ties."""
    ties = sheet.main.ties
    says = {"player": "win for the player", "dealer": "win for the dealer", "push": "push"}
    short = says[ties.value]
    yield said("Pay table", "Ties", "ties", short, "main.ties", ties, short=short)


def settlement(sheet: HiLo) -> Iterator[Saying]:
    """How hands are laid open."""
    at, rule = "Settlement", sheet.settlement
    for name, how in (("high", rule.high_laid), ("low", rule.low_laid)):
        label, fields = f"{name.capitalize()} hands", f"settlement.{name}_laid"
        yield said(at, label, f"{name} hands", f"are laid {how}", fields, rule, short=f"laid {how}")
