"""What a versus sheet says of its deal, its decisions and what becomes of every wager."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitbook.families.versus.sheet import Decision, Qualification, Settles, Versus
from pitbook.families.versus.words import BY_TABLE, COMPARED, WARS, told
from pitbook.money import Odds
from pitbook.sheets.aloud.saying import Saying, aloud
from pitbook.sheets.aloud.words import some, way
from pitbook.wording import Sentence, say

EVENTS = (*reversed(COMPARED), "below", *reversed(WARS), "fold")  # As they are told.


def sayings(sheet: Versus) -> Iterator[Saying]:
    """All that the family says beside what every sheet does."""
    yield from deal(sheet)
    yield from play(sheet)
    yield from wagers(sheet)
    yield from folds(sheet)


def main_table(sheet: Versus) -> tuple[str, str]:
    """What the main pay table is called, and what it is on."""
    rules = [(sheet.ante.title, sheet.ante.settles)]
    rules += [(one.title, one.settles) for one in sheet.wagers.values()]
    titles = tuple(title for title, rule in rules if _asks_table(rule))
    cards = sheet.hands.cards
    return say("aloud.versus.table", titles=titles), say("aloud.versus.on-hand", cards=cards)


def _asks_table(rule: Settles) -> bool:
    return any((rule.of(event) or "").startswith(BY_TABLE) for event in EVENTS)


def deal(sheet: Versus) -> Iterator[Saying]:
    """Which cards are dealt to whom and when, and what a hand is made of."""
    at, rule = "Cards", sheet.deal
    goes = way(rule.direction)
    who = tuple(say("aloud.versus.dealt-to", who=one) for one in rule.order)
    told: dict[str, Any] = {"who": who, "way": goes}
    yield aloud(at, "aloud.versus.order", "deal.order", rule, also="direction", **told)
    yield aloud(at, "aloud.deal.way", "deal.direction", way=goes)
    fields, told = (
        "deal.player deal.at_a_time",
        {"cards": rule.player, "at_once": rule.at_a_time or 0},
    )
    yield aloud(at, "aloud.versus.player-gets", fields, rule, **told)
    if rule.open:
        yield aloud(at, "aloud.versus.open", "deal.open", rule)
    told = {"cards": rule.dealer, "up": rule.up}
    yield aloud(at, "aloud.versus.dealer-gets", "deal.dealer deal.up", rule, **told)
    if rule.community:
        yield aloud(at, "aloud.versus.community", "deal.community", rule, cards=rule.community)
    cards, there = sheet.hands.cards, rule.player + rule.community
    told = {"cards": cards, "there": there, "all": cards == there}
    yield aloud(at, "aloud.versus.hands", "hands.cards", sheet.hands, **told)


def play(sheet: Versus) -> Iterator[Saying]:
    """Qualification, the decisions one by one, and a war."""
    at, dealer = "Play", sheet.dealer
    yield aloud(at, "aloud.versus.play", "play.against", sheet.play)
    if dealer:
        fields, hand = "dealer.qualifies dealer.kicker", _qualifying(dealer)
        yield aloud(at, "aloud.versus.qualifies", fields, dealer, hand=hand)
    for one in sheet.decisions:
        told = {"title": one.title, "rules": _decision(sheet, one), "decides": _raise(sheet, one)}
        rules = (one, *one.needs)
        yield aloud(at, "aloud.versus.decision", "", *rules, at=f"decision {one.id}", **told)
    each = tuple(
        say("aloud.versus.at", title=one.title, rules=_decision(sheet, one))
        for one in sheet.decisions
    )
    yield aloud(at, "aloud.versus.decisions", "decisions", each=each)
    if sheet.war:
        yield aloud(at, "aloud.versus.war", "war", sheet.war, cards=sheet.war.cards)


def _qualifying(rule: Qualification) -> Sentence:
    hand = some(rule.qualifies)
    if rule.kicker:
        beside = say("words.rank", rank=rule.kicker)
        hand = say("aloud.versus.with-kicker", hand=hand, rank=beside)
    return say("words.or-better", hand=hand)


def _raise(sheet: Versus, rule: Decision) -> Sentence:
    """What a player chooses between, and what the larger raises need."""
    wager = sheet.wagers.get(rule.puts)
    title = wager.title if wager else rule.puts
    times = tuple(say("aloud.versus.multiple", times=one) for one in rule.times)
    text = say("aloud.versus.raise", title=title, times=times, instead=rule.instead)
    for need in rule.needs:
        hand = say("words.or-better", hand=some(need.hand))
        text = say("aloud.versus.needing", text=text, times=need.times, hand=hand)
    return text


def _decision(sheet: Versus, rule: Decision) -> Sentence:
    text = _raise(sheet, rule)
    if rule.community:
        text = say("aloud.versus.seeing", text=text, cards=rule.community)
    return say("aloud.versus.unless-raised", text=text) if rule.once else text


def wagers(sheet: Versus) -> Iterator[Saying]:
    """What becomes of every wager of the main game."""
    at, ante = "Wagers", sheet.ante
    told: dict[str, Any] = {"title": ante.title, "results": _results(ante.settles)}
    yield aloud(at, "aloud.versus.settles", "ante.settles", ante.settles, **told)
    for wager, rule in sheet.wagers.items():
        told = {"title": rule.title, "ante": ante.title, "made": rule.made}
        yield aloud(at, "aloud.versus.made", f"wagers.{wager}.made", rule, **told)
        fields, told = f"wagers.{wager}.title", {"wager": wager, "title": rule.title}
        yield aloud(at, "aloud.versus.called", fields, **told)
        fields, told = f"wagers.{wager}.settles", {"title": rule.title}
        results = _results(rule.settles)
        yield aloud(at, "aloud.versus.settles", fields, rule.settles, **told, results=results)


def _results(rule: Settles) -> tuple[Sentence, ...]:
    said = ((event, rule.of(event)) for event in EVENTS)
    return tuple(
        say("aloud.versus.on-event", event=event, result=_result(text))
        for event, text in said
        if text is not None
    )


def _result(text: str) -> Sentence:
    by_table, otherwise = told(text)
    how = otherwise if isinstance(otherwise, str) else "odds"
    odds = otherwise if isinstance(otherwise, Odds) else ""
    return say("aloud.versus.by-table" if by_table else "aloud.versus.plain", how=how, odds=odds)


def folds(sheet: Versus) -> Iterator[Saying]:
    """What a fold does to side wagers and to the cards, and what an absent player does."""
    at = "Fold"
    for wager, side in sheet.side.items():
        if after := side.after_fold:
            fields, plays = f"side.{wager}.after_fold", bool(after.plays)
            yield aloud(at, "aloud.versus.after-fold", fields, after, title=side.title, plays=plays)
    if rule := sheet.fold:
        shown, always = rule.shown, rule.dealer_when_all_fold
        yield aloud(at, "aloud.versus.shown", "fold.shown", shown, shown=bool(shown.value))
        fields = "fold.dealer_when_all_fold"
        yield aloud(at, "aloud.versus.all-fold", fields, always, when=always.value)
    absent = sheet.absent
    yield aloud(at, "aloud.versus.absent", "absent", absent, absent=absent.value)
