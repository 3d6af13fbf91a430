"""The deal, decisions and wagers of a versus sheet, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitbook.money import Odds
from pitbook.rules.families.versus.sheet import (
    BY_TABLE,
    COMPARED,
    WARS,
    Decision,
    Settles,
    Versus,
    parse_result,
)
from pitbook.sheets.phrases import direction_words, with_article
from pitbook.sheets.prose import RuleText, rule_text
from pitbook.text import Sentence, say

EVENTS = (*reversed(COMPARED), "below", *reversed(WARS), "fold")  # In the order of the text.


def rule_texts(sheet: Versus) -> Iterator[RuleText]:
    """The family's rule texts."""
    yield from deal(sheet)
    yield from play(sheet)
    yield from wagers(sheet)
    yield from folds(sheet)


def main_table(sheet: Versus) -> tuple[str, str]:
    """The titles and the subject of the main pay table."""
    rules = [(sheet.ante.title, sheet.ante.settles)]
    rules += [(wager.title, wager.settles) for wager in sheet.wagers.values()]
    titles = tuple(title for title, rule in rules if _uses_table(rule))
    cards = sheet.hands.cards
    return say("aloud.versus.table", titles=titles), say("aloud.versus.on-hand", cards=cards)


def _uses_table(rule: Settles) -> bool:
    return any((rule.of(event) or "").startswith(BY_TABLE) for event in EVENTS)


def deal(sheet: Versus) -> Iterator[RuleText]:
    """The order of the deal, the number of cards, and how a hand is made."""
    heading, rule = "Cards", sheet.deal
    direction = direction_words(rule.direction)
    receivers = tuple(say("aloud.versus.dealt-to", who=receiver) for receiver in rule.order)
    values: dict[str, Any] = {"who": receivers, "way": direction}
    yield rule_text(heading, "aloud.versus.order", "deal.order", rule, also="direction", **values)
    yield rule_text(heading, "aloud.deal.way", "deal.direction", rule, way=direction)
    fields = "deal.player deal.at_a_time"
    values = {"cards": rule.player, "at_once": rule.at_a_time or 0}
    yield rule_text(heading, "aloud.versus.player-gets", fields, rule, **values)
    if rule.open:
        yield rule_text(heading, "aloud.versus.open", "deal.open", rule)
    values = {"cards": rule.dealer, "up": rule.up}
    yield rule_text(heading, "aloud.versus.dealer-gets", "deal.dealer deal.up", rule, **values)
    if rule.community:
        yield rule_text(
            heading, "aloud.versus.community", "deal.community", rule, cards=rule.community
        )
    cards, available = sheet.hands.cards, rule.player + rule.community
    dealer, same_size = rule.dealer + rule.community, rule.dealer == rule.player
    values = {
        "cards": cards,
        "there": available,
        "all": cards == available,
        "alike": same_size,
        "dealer": dealer,
    }
    yield rule_text(heading, "aloud.versus.hands", "hands.cards", sheet.hands, **values)


def play(sheet: Versus) -> Iterator[RuleText]:
    """Qualification, the decisions, and a war."""
    heading, dealer = "Play", sheet.dealer
    yield rule_text(heading, "aloud.versus.play", "play.against", sheet.play)
    if dealer:
        fields, hand = "dealer.qualifies dealer.kicker", dealer.hand_text()
        yield rule_text(heading, "aloud.versus.qualifies", fields, dealer, hand=hand)
    for decision in sheet.decisions:
        values: dict[str, Any] = {
            "title": decision.title,
            "rules": _decision(sheet, decision),
            "decides": _raise(sheet, decision),
            "war": decision.instead == "surrender",
        }
        rules = (decision, *decision.needs)
        yield rule_text(
            heading, "aloud.versus.decision", "", *rules, at=f"decision {decision.id}", **values
        )
    texts = tuple(
        say("aloud.versus.at", title=decision.title, rules=_decision(sheet, decision))
        for decision in sheet.decisions
    )
    yield rule_text(heading, "aloud.versus.decisions", "decisions", each=texts)
    if sheet.war:
        yield rule_text(heading, "aloud.versus.war", "war", sheet.war, cards=sheet.war.cards)


def _raise(sheet: Versus, rule: Decision) -> Sentence:
    """What a player may choose, and which hands larger raises need."""
    wager = sheet.wagers.get(rule.puts)
    title = wager.title if wager else rule.puts
    times = tuple(say("aloud.versus.multiple", times=multiple) for multiple in rule.times)
    text = say("aloud.versus.raise", title=title, times=times, instead=rule.instead)
    for need in rule.needs:
        hand = say("words.or-better", hand=with_article(need.hand))
        values = {"times": need.times, "more": need.times < max(rule.times)}
        text = say("aloud.versus.needing", text=text, hand=hand, **values)
    return text


def _decision(sheet: Versus, rule: Decision) -> Sentence:
    text = _raise(sheet, rule)
    if rule.community:
        text = say("aloud.versus.seeing", text=text, cards=rule.community)
    return say("aloud.versus.unless-raised", text=text) if rule.once else text


def wagers(sheet: Versus) -> Iterator[RuleText]:
    """The settlement of each wager of the main game."""
    heading, ante = "Wagers", sheet.ante
    values: dict[str, Any] = {"title": ante.title, "results": _results(sheet, ante.settles)}
    yield rule_text(heading, "aloud.versus.settles", "ante.settles", ante.settles, **values)
    for wager, rule in sheet.wagers.items():
        values = {"title": rule.title, "ante": ante.title, "made": rule.made}
        yield rule_text(heading, "aloud.versus.made", f"wagers.{wager}.made", rule, **values)
        fields, values = f"wagers.{wager}.title", {"wager": wager, "title": rule.title}
        yield rule_text(heading, "aloud.versus.called", fields, **values)
        fields, results = f"wagers.{wager}.settles", _results(sheet, rule.settles, wager)
        values = {"title": rule.title, "results": results}
        yield rule_text(heading, "aloud.versus.settles", fields, rule.settles, **values)


def _results(sheet: Versus, rule: Settles, wager: str = "") -> tuple[Sentence, ...]:
    """The results of a wager, each with all events that lead to it."""
    events_by_result: dict[str, list[Sentence]] = {}
    has_stake, loss_result = wager not in sheet.bonuses, rule.of("lose")
    for event in EVENTS:
        impossible = event == "fold" and not _can_be_folded(sheet, wager)
        if not impossible and (text := rule.of(event)) is not None:
            event_text = say("aloud.versus.event", event=event, surrender=_has_surrender(sheet))
            events_by_result.setdefault(text, []).append(event_text)
    return tuple(
        say(
            "aloud.versus.on-events",
            result=_result(text, has_stake, text == loss_result),
            events=tuple(events),
        )
        for text, events in events_by_result.items()
    )


def _can_be_folded(sheet: Versus, wager: str) -> bool:
    """Whether the wager can be at stake in a fold: a later decision allows one."""
    if not wager or sheet.wagers[wager].made != "by-play":
        return True
    decision_numbers = [
        number for number, decision in enumerate(sheet.decisions) if decision.puts == wager
    ]
    later = sheet.decisions[decision_numbers[0] + 1 :] if decision_numbers else ()
    return any(decision.instead != "check" and not decision.once for decision in later)


def _result(text: str, has_stake: bool, is_loss: bool) -> Sentence:
    """A result in words; also what a hand outside the pay table loses when listed hands win on a
    loss.
    """
    by_table, otherwise = parse_result(text)
    kind = otherwise if isinstance(otherwise, str) else "odds"
    odds = otherwise if isinstance(otherwise, Odds) else ""
    if by_table:
        return say("aloud.versus.by-table", how=kind, odds=odds, loses=has_stake and is_loss)
    return say("aloud.versus.plain", how=kind, odds=odds, free=not has_stake)


def _has_surrender(sheet: Versus) -> bool:
    """Whether players surrender instead of folding."""
    return any(decision.instead == "surrender" for decision in sheet.decisions)


def folds(sheet: Versus) -> Iterator[RuleText]:
    """What a fold does to side wagers and cards, and what an absent player does."""
    heading, surrenders = "Fold", _has_surrender(sheet)
    values: dict[str, Any]
    for wager, side in sheet.side.items():
        if after := side.after_fold:
            values = {"title": side.title, "plays": bool(after.plays), "surrender": surrenders}
            yield rule_text(
                heading, "aloud.versus.after-fold", f"side.{wager}.after_fold", after, **values
            )
    if rule := sheet.fold:
        exposure_rule, dealer_rule = rule.shown, rule.dealer_when_all_fold
        values = {
            "shown": bool(exposure_rule.value),
            "open": sheet.deal.open,
            "surrender": surrenders,
        }
        yield rule_text(heading, "aloud.versus.shown", "fold.shown", exposure_rule, **values)
        fields = "fold.dealer_when_all_fold"
        yield rule_text(
            heading,
            "aloud.versus.all-fold",
            fields,
            dealer_rule,
            when=dealer_rule.value,
            surrender=surrenders,
        )
    absent = sheet.absent
    values = {"absent": absent.value, "gives": _passive_play(sheet)}
    yield rule_text(heading, "aloud.versus.absent", "absent", absent, **values)


def _passive_play(sheet: Versus) -> str:
    """The alternative to a raise: "fold", "check", "surrender" or "both"."""
    instead = {decision.instead for decision in sheet.decisions}
    return "both" if len(instead) > 1 else instead.pop()
