"""The deal, points, declarations and dealer's hand of a hi-lo sheet, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pitbook.cards import Card, card
from pitbook.hands.low_and_high import matches
from pitbook.rules.families.hi_lo.sheet import RANK_NAMES, HiLo, RankName
from pitbook.sheets.phrases import direction_words
from pitbook.sheets.prose import RuleText, rule_text
from pitbook.text import Sentence, say

# MHL-11: examples from the source document; a player's cards and the dealer's.
MATCH_EXAMPLES = (("2s 3h 4d", "2c 2d 3s Jh Kc"), ("4s 4h 9c", "4d 6h 7s Js Qh"))


def rule_texts(sheet: HiLo) -> Iterator[RuleText]:
    """The family's rule texts."""
    yield from deal(sheet)
    yield from play(sheet)
    yield from pay_table(sheet)
    yield from settlement(sheet)


def main_table(sheet: HiLo) -> tuple[str, str]:
    """The title and the subject of the main pay table."""
    bet = sheet.bet.title
    title = say("aloud.hi-lo.bet-and-double", bet=bet) if sheet.double else bet
    return title, say("aloud.hi-lo.against")


def deal(sheet: HiLo) -> Iterator[RuleText]:
    """The order of the deal, and the number of cards."""
    heading, rule = "Cards", sheet.deal
    first, direction = rule.order[0], direction_words(rule.direction)
    values = {"first": first, "way": direction}
    yield rule_text(heading, "aloud.hi-lo.order", "deal.order", rule, also="direction", **values)
    yield rule_text(heading, "aloud.deal.way", "deal.direction", rule, way=direction)
    fields, cards, at_once = "deal.player deal.at_a_time", rule.player, rule.at_a_time or 0
    yield rule_text(heading, "aloud.hi-lo.spot-gets", fields, rule, cards=cards, at_once=at_once)
    yield rule_text(heading, "aloud.hi-lo.dealer-gets", "deal.dealer", rule, cards=rule.dealer)


def play(sheet: HiLo) -> Iterator[RuleText]:
    """Points, declarations, the double and the dealer's hand."""
    yield rule_text("Play", "aloud.hi-lo.play", "play.against", sheet.play)
    yield from _points_rules(sheet)
    yield from _declare_rules(sheet)
    yield from _double_rules(sheet)
    yield from _dealer_rules(sheet)


def _points_rules(sheet: HiLo) -> Iterator[RuleText]:
    heading, rule = "Play", sheet.points
    yield rule_text(
        heading, "aloud.hi-lo.points", "points.values", rule, points=points(rule.values)
    )
    high = points(rule.in_high_hand) if rule.in_high_hand else say("aloud.hi-lo.the-same")
    yield rule_text(heading, "aloud.hi-lo.points-high", "points.in_high_hand", rule, points=high)


def points(values: Mapping[RankName, int]) -> Sentence:
    """Ranks by points; ranks that count their number are grouped.

    >>> points({"A": 1, "2": 2, "3": 3, "4": 4, "J": 0, "Q": 0})
    '2 to 4 at face value; J and Q as 0; A as 1'
    """
    face_value_ranks = [
        rank for rank in RANK_NAMES if rank.isdecimal() and values.get(rank) == int(rank)
    ]
    face_value_ranks = face_value_ranks if len(face_value_ranks) > 2 else []
    other_ranks = [rank for rank in RANK_NAMES if rank in values and rank not in face_value_ranks]
    parts = (
        [say("aloud.hi-lo.own-number", ranks=_run(face_value_ranks))] if face_value_ranks else []
    )
    for value in dict.fromkeys(values[rank] for rank in other_ranks):
        ranks = tuple(rank for rank in other_ranks if values[rank] == value)
        parts.append(say("aloud.hi-lo.counting", ranks=ranks, value=value))
    return say("aloud.hi-lo.counts", parts=tuple(parts))


def _run(ranks: list[RankName]) -> Sentence:
    first = RANK_NAMES.index(ranks[0])
    if ranks == list(RANK_NAMES[first : first + len(ranks)]):
        return say("aloud.hi-lo.run", first=ranks[0], last=ranks[-1])
    return say("aloud.hi-lo.ranks", ranks=tuple(ranks))


def _declare_rules(sheet: HiLo) -> Iterator[RuleText]:
    heading, rule = "Play", sheet.declare
    fields, low, high = "declare.low declare.high", rule.low, rule.high
    yield rule_text(heading, "aloud.hi-lo.declare", fields, rule, low=low, high=high)
    if sees := rule.sees_all_spots:
        fields = "declare.sees_all_spots"
        yield rule_text(heading, "aloud.hi-lo.sees", fields, sees, all=sees.value)
    absent, fields = rule.absent_high_at, "declare.absent_high_at"
    yield rule_text(heading, "aloud.hi-lo.absent", fields, absent, points=absent.value)


def _double_rules(sheet: HiLo) -> Iterator[RuleText]:
    heading, rule, bet = "Play", sheet.double, sheet.bet.title
    if rule is None:
        return
    fields, times, area = "double.times double.area", rule.times, rule.area
    yield rule_text(heading, "aloud.hi-lo.double", fields, rule, times=times, bet=bet, area=area)
    inside, fields = rule.within_max, "double.within_max"
    yield rule_text(heading, "aloud.hi-lo.within-max", fields, inside, bet=bet, within=inside.value)


def _dealer_rules(sheet: HiLo) -> Iterator[RuleText]:
    heading, rule = "Play", sheet.dealer
    yield rule_text(
        heading, "aloud.hi-lo.laid", "dealer.laid", rule, way=direction_words(rule.laid)
    )
    equal, fields = rule.equal_points, "dealer.equal_points"
    yield rule_text(
        heading, "aloud.hi-lo.equal-points", fields, equal, way=direction_words(equal.value)
    )
    yield rule_text(heading, "aloud.hi-lo.low-hand", "dealer.low", rule, cards=rule.low)
    yield rule_text(heading, "aloud.hi-lo.shared", "dealer.shared", rule, shared=rule.shared)
    fields, others, shared = "dealer.clause", sheet.deal.dealer - rule.low, rule.shared
    yield rule_text(heading, "aloud.hi-lo.high-hand", fields, rule, cards=others, shared=shared)
    areas = (rule.areas.low, rule.areas.shared, rule.areas.high)
    named = tuple(area for area in areas if area)
    yield rule_text(heading, "aloud.hi-lo.areas", "dealer.areas", rule, areas=named)


def pay_table(sheet: HiLo) -> Iterator[RuleText]:
    """Winning totals, the tie rule, and what a match is."""
    heading, ties = "Pay table", sheet.main.ties
    yield rule_text(heading, "aloud.hi-lo.wins", "main.clause", sheet.main)
    yield rule_text(heading, "aloud.hi-lo.ties", "main.ties", ties, ties=ties.value)
    for wager, side in sheet.side.items():
        if side.looks_at == "dealer-match":
            fields = f"side.{wager}.clause"
            yield rule_text(heading, "aloud.hi-lo.matches", fields, side, title=side.title)
            for number, (player, dealer) in enumerate(_match_examples(sheet), start=1):
                count = matches(player, dealer)
                example: dict[str, Any] = {"player": player, "dealer": dealer, "count": count}
                name = f"side.{wager}.example {number}"
                yield rule_text(
                    heading, "aloud.hi-lo.match-example", fields, side, at=name, **example
                )


def _match_examples(sheet: HiLo) -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """The player's and dealer's cards of the examples that fit this deal."""
    for hands in MATCH_EXAMPLES:
        player, dealer = (tuple(map(card, hand.split())) for hand in hands)
        if (len(player), len(dealer)) == (sheet.deal.player, sheet.deal.dealer):
            yield player, dealer


def settlement(sheet: HiLo) -> Iterator[RuleText]:
    """How hands are placed on the layout."""
    heading, rule = "Settlement", sheet.settlement
    for hand, placement in (("high", rule.high_laid), ("low", rule.low_laid)):
        fields = f"settlement.{hand}_laid"
        yield rule_text(heading, "aloud.hi-lo.hands-laid", fields, rule, hand=hand, how=placement)
