"""The deal, decisions and wagers of a versus sheet, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitbook.money import Odds
from pitbook.rules.families.versus.result_text import BY_TABLE, COMPARED, WARS, told
from pitbook.rules.families.versus.sheet import Decision, Settles, Versus
from pitbook.sheets.prose.rule_text import RuleText, rule_text
from pitbook.sheets.prose.words import direction_words, with_article
from pitbook.text import Sentence, say

EVENTS = (*reversed(COMPARED), "below", *reversed(WARS), "fold")  # As they are told.


def rule_texts(sheet: Versus) -> Iterator[RuleText]:
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


def deal(sheet: Versus) -> Iterator[RuleText]:
    """Which cards are dealt to whom and when, and what a hand is made of."""
    at, rule = "Cards", sheet.deal
    goes = direction_words(rule.direction)
    who = tuple(say("aloud.versus.dealt-to", who=one) for one in rule.order)
    told: dict[str, Any] = {"who": who, "way": goes}
    yield rule_text(at, "aloud.versus.order", "deal.order", rule, also="direction", **told)
    yield rule_text(at, "aloud.deal.way", "deal.direction", rule, way=goes)
    fields, told = (
        "deal.player deal.at_a_time",
        {"cards": rule.player, "at_once": rule.at_a_time or 0},
    )
    yield rule_text(at, "aloud.versus.player-gets", fields, rule, **told)
    if rule.open:
        yield rule_text(at, "aloud.versus.open", "deal.open", rule)
    told = {"cards": rule.dealer, "up": rule.up}
    yield rule_text(at, "aloud.versus.dealer-gets", "deal.dealer deal.up", rule, **told)
    if rule.community:
        yield rule_text(at, "aloud.versus.community", "deal.community", rule, cards=rule.community)
    cards, there = sheet.hands.cards, rule.player + rule.community
    dealer, alike = rule.dealer + rule.community, rule.dealer == rule.player
    told = {
        "cards": cards,
        "there": there,
        "all": cards == there,
        "alike": alike,
        "dealer": dealer,
    }
    yield rule_text(at, "aloud.versus.hands", "hands.cards", sheet.hands, **told)


def play(sheet: Versus) -> Iterator[RuleText]:
    """Qualification, the decisions one by one, and a war."""
    at, dealer = "Play", sheet.dealer
    yield rule_text(at, "aloud.versus.play", "play.against", sheet.play)
    if dealer:
        fields, hand = "dealer.qualifies dealer.kicker", dealer.hand_told()
        yield rule_text(at, "aloud.versus.qualifies", fields, dealer, hand=hand)
    for one in sheet.decisions:
        told = {"title": one.title, "rules": _decision(sheet, one), "decides": _raise(sheet, one)}
        rules = (one, *one.needs)
        yield rule_text(at, "aloud.versus.decision", "", *rules, at=f"decision {one.id}", **told)
    each = tuple(
        say("aloud.versus.at", title=one.title, rules=_decision(sheet, one))
        for one in sheet.decisions
    )
    yield rule_text(at, "aloud.versus.decisions", "decisions", each=each)
    if sheet.war:
        yield rule_text(at, "aloud.versus.war", "war", sheet.war, cards=sheet.war.cards)


def _raise(sheet: Versus, rule: Decision) -> Sentence:
    """What a player chooses between, and what the larger raises need."""
    wager = sheet.wagers.get(rule.puts)
    title = wager.title if wager else rule.puts
    times = tuple(say("aloud.versus.multiple", times=one) for one in rule.times)
    text = say("aloud.versus.raise", title=title, times=times, instead=rule.instead)
    for need in rule.needs:
        hand = say("words.or-better", hand=with_article(need.hand))
        told = {"times": need.times, "more": need.times < max(rule.times)}
        text = say("aloud.versus.needing", text=text, hand=hand, **told)
    return text


def _decision(sheet: Versus, rule: Decision) -> Sentence:
    text = _raise(sheet, rule)
    if rule.community:
        text = say("aloud.versus.seeing", text=text, cards=rule.community)
    return say("aloud.versus.unless-raised", text=text) if rule.once else text


def wagers(sheet: Versus) -> Iterator[RuleText]:
    """What becomes of every wager of the main game."""
    at, ante = "Wagers", sheet.ante
    told: dict[str, Any] = {"title": ante.title, "results": _results(sheet, ante.settles)}
    yield rule_text(at, "aloud.versus.settles", "ante.settles", ante.settles, **told)
    for wager, rule in sheet.wagers.items():
        told = {"title": rule.title, "ante": ante.title, "made": rule.made}
        yield rule_text(at, "aloud.versus.made", f"wagers.{wager}.made", rule, **told)
        fields, told = f"wagers.{wager}.title", {"wager": wager, "title": rule.title}
        yield rule_text(at, "aloud.versus.called", fields, **told)
        fields, results = f"wagers.{wager}.settles", _results(sheet, rule.settles, wager)
        told = {"title": rule.title, "results": results}
        yield rule_text(at, "aloud.versus.settles", fields, rule.settles, **told)


def _results(sheet: Versus, rule: Settles, wager: str = "") -> tuple[Sentence, ...]:
    """What becomes of a wager, each result once with all that it comes on."""
    found: dict[str, list[Sentence]] = {}
    staked, lost = wager not in sheet.bonuses, rule.of("lose")
    for event in EVENTS:
        moot = event == "fold" and not _can_be_folded(sheet, wager)
        if not moot and (text := rule.of(event)) is not None:
            when = say("aloud.versus.event", event=event, surrender=_surrenders(sheet))
            found.setdefault(text, []).append(when)
    return tuple(
        say(
            "aloud.versus.on-events",
            result=_result(text, staked, text == lost),
            events=tuple(events),
        )
        for text, events in found.items()
    )


def _can_be_folded(sheet: Versus, wager: str) -> bool:
    """Whether the wager can lie there when a hand is given up: one of a decision comes later."""
    if not wager or sheet.wagers[wager].made != "by-play":
        return True
    put = [place for place, one in enumerate(sheet.decisions) if one.puts == wager]
    later = sheet.decisions[put[0] + 1 :] if put else ()
    return any(one.instead != "check" and not one.once for one in later)


def _result(text: str, staked: bool, lost: bool) -> Sentence:
    """Also what a hand that is not in the pay table loses, where others may win by it on a loss."""
    by_table, otherwise = told(text)
    how = otherwise if isinstance(otherwise, str) else "odds"
    odds = otherwise if isinstance(otherwise, Odds) else ""
    if by_table:
        return say("aloud.versus.by-table", how=how, odds=odds, loses=staked and lost)
    return say("aloud.versus.plain", how=how, odds=odds, free=not staked)


def _surrenders(sheet: Versus) -> bool:
    """Whether a hand is given up by a surrender, not by a fold."""
    return any(one.instead == "surrender" for one in sheet.decisions)


def folds(sheet: Versus) -> Iterator[RuleText]:
    """What a fold does to side wagers and to the cards, and what an absent player does."""
    at, up = "Fold", _surrenders(sheet)
    told: dict[str, Any]
    for wager, side in sheet.side.items():
        if after := side.after_fold:
            told = {"title": side.title, "plays": bool(after.plays), "surrender": up}
            yield rule_text(
                at, "aloud.versus.after-fold", f"side.{wager}.after_fold", after, **told
            )
    if rule := sheet.fold:
        shown, always = rule.shown, rule.dealer_when_all_fold
        told = {"shown": bool(shown.value), "open": sheet.deal.open, "surrender": up}
        yield rule_text(at, "aloud.versus.shown", "fold.shown", shown, **told)
        fields = "fold.dealer_when_all_fold"
        yield rule_text(
            at, "aloud.versus.all-fold", fields, always, when=always.value, surrender=up
        )
    absent = sheet.absent
    told = {"absent": absent.value, "gives": _given_up(sheet)}
    yield rule_text(at, "aloud.versus.absent", "absent", absent, **told)


def _given_up(sheet: Versus) -> str:
    """What is done instead of raising, over all decisions."""
    instead = {one.instead for one in sheet.decisions}
    return "both" if len(instead) > 1 else instead.pop()
