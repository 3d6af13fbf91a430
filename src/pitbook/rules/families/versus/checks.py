"""What a careful reader objects to in a versus sheet."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.hands.kinds import catalogue
from pitbook.money import Cents, Odds
from pitbook.rules.families.versus.qualification import is_hand, least_kind
from pitbook.rules.families.versus.result_text import COMPARED, WARS, told
from pitbook.rules.families.versus.sheet import BOTH, Decision, Settles, Versus
from pitbook.rules.plays import is_play
from pitbook.sheets.check_stakes import unpayable_win
from pitbook.sheets.check_structure import (
    dealt_once,
    duplicate_names,
    fold_rule_errors,
    name_error,
    structure_error,
)
from pitbook.sheets.families import Checks, Idle
from pitbook.sheets.findings import FieldPath, Finding, did_you_mean, show_value
from pitbook.sheets.parts import Stake
from pitbook.text import Sentence, say

HALF = Odds(1, 2)  # What comes back of a stake of which half is lost.
RANKED = (1, 3, 4, 5)  # Cards of a hand for which there is a ranking to compare by.


def structure(sheet: Versus) -> Iterator[Finding]:
    """Cards, hands, wagers and decisions fit each other."""
    places = ("players", "community", "dealer") if sheet.deal.community else ("players", "dealer")
    yield from dealt_once(sheet, places)
    yield from _hands(sheet)
    yield from _qualifies(sheet)
    yield from _wagers(sheet)
    yield from _decisions(sheet)
    yield from _events(sheet)
    yield from _war(sheet)
    yield from _folds(sheet)


def _hands(sheet: Versus) -> Iterator[Finding]:
    deal, cards, clause = sheet.deal, sheet.hands.cards, sheet.hands.clause
    if cards not in RANKED:
        yield structure_error(say("findings.versus.no-order"), ("hands", "cards"), clause)
    for who, own in (("player", deal.player), ("dealer", deal.dealer)):
        if own + deal.community < cards:
            there = own + deal.community
            message = say("findings.versus.too-few", who=who, there=there, cards=cards)
            yield structure_error(message, ("deal", who), deal.clause)
    if deal.up > deal.dealer or (deal.up and sheet.war):
        message = say("findings.versus.too-many-up", up=deal.up)
        yield structure_error(message, ("deal", "up"), deal.clause)
    if sheet.war is None and sheet.deck.decks != 1:
        message = say("findings.versus.one-deck")
        yield structure_error(message, ("deck", "decks"), sheet.deck.clause)
    if sheet.war is None and sheet.deck.fresh.value != "each-round":
        message = say("findings.versus.fresh-deck")
        yield structure_error(message, ("deck", "fresh"), sheet.deck.fresh.clause)
    together = deal.player + deal.community + deal.dealer
    for wager, side in sheet.side.items():
        if side.looks_at == "both-hands" and together < BOTH:
            message = say("findings.versus.both-hands", together=together, size=BOTH)
            yield structure_error(message, ("side", wager, "looks_at"), side.clause)


def _qualifies(sheet: Versus) -> Iterator[Finding]:
    rule, cards = sheet.dealer, sheet.hands.cards
    if rule is None:
        for at, settles in _settles(sheet):
            if settles.below is not None:
                message = say("findings.versus.always-plays")
                yield structure_error(message, (*at, "below"), settles.clause)
        return
    path: FieldPath = ("dealer", "qualifies")
    if not is_hand(rule.qualifies, cards):
        yield _no_hand(rule.qualifies, cards, path, rule.clause)
    elif rule.kicker and not rule.qualifies.startswith("high-card-"):
        message = say("findings.versus.kicker")
        yield structure_error(message, ("dealer", "kicker"), rule.clause)
    elif all(settles.below is None for _, settles in _settles(sheet)):
        message = say("findings.versus.nothing-below")
        yield structure_error(message, path, rule.clause)


def _no_hand(name: str, cards: int, path: FieldPath, clause: str) -> Finding:
    known = [kind.name for kind in catalogue(cards)]
    remedy = did_you_mean(name, known)
    message = say("findings.versus.no-hand", name=name, cards=cards, remedy=remedy)
    return structure_error(message, path, clause)


def _settles(sheet: Versus) -> Iterator[tuple[FieldPath, Settles]]:
    yield ("ante", "settles"), sheet.ante.settles
    for wager, rule in sheet.wagers.items():
        yield ("wagers", wager, "settles"), rule.settles


def _wagers(sheet: Versus) -> Iterator[Finding]:
    if "ante" in sheet.wagers or "main" in sheet.wagers:
        yield structure_error(say("findings.versus.main-apart"), ("wagers",), sheet.ante.clause)
    put = {one.puts for one in sheet.decisions}
    for wager, rule in sheet.wagers.items():
        path: FieldPath = ("wagers", wager, "made")
        if rule.made == "by-play" and wager not in put:
            yield structure_error(say("findings.versus.never-put", wager=wager), path, rule.clause)
        if rule.made != "by-play" and wager in put:
            message = say("findings.versus.put-by-play", wager=wager)
            yield structure_error(message, path, rule.clause)
        results = (rule.settles.of(one) for one in ("win", "tie", "lose", "below", "fold"))
        if rule.made == "on-ante" and any(one == "half" for one in results):
            yield structure_error(say("findings.versus.no-half"), path, rule.clause)
    for at, settles in _settles(sheet):
        if told(settles.fold).by_table:
            yield structure_error(say("findings.versus.unread"), (*at, "fold"), settles.clause)
    if not any(_asks_table(settles) for _, settles in _settles(sheet)):
        yield structure_error(say("findings.versus.table-unused"), ("main",), sheet.main.clause)


def _asks_table(rule: Settles) -> bool:
    events = ("win", "tie", "lose", "below", "fold", *WARS)
    return any(told(text).by_table for one in events if (text := rule.of(one)))


def _decisions(sheet: Versus) -> Iterator[Finding]:
    turned, taken = 0, set[str]()
    for number, one in enumerate(sheet.decisions):
        path: FieldPath = ("decisions", number)
        if one.id in taken:
            yield structure_error(
                say("findings.named-twice", name=one.id), (*path, "id"), one.clause
            )
        taken.add(one.id)
        if one.puts not in sheet.wagers:
            remedy = did_you_mean(one.puts, sheet.wagers)
            message = say("findings.versus.no-wager", wager=one.puts, remedy=remedy)
            yield structure_error(message, (*path, "puts"), one.clause)
        if list(one.times) != sorted(set(one.times)):
            message = say("findings.versus.times-rise")
            yield structure_error(message, (*path, "times"), one.clause)
        if not turned <= one.community <= sheet.deal.community:
            message = say("findings.versus.not-open", cards=one.community)
            yield structure_error(message, (*path, "community"), one.clause)
        turned = max(turned, one.community)
        yield from _needs(sheet, one, path)
        last = number + 1 == len(sheet.decisions)
        if one.instead == "fold" and not last and not _ends(sheet, number):
            message = say("findings.versus.asked-again")
            yield structure_error(message, path, one.clause)
        if one.once and number == 0:
            message = say("findings.versus.first-once")
            yield structure_error(message, (*path, "once"), one.clause)
        if one.instead == "surrender" and sheet.war is None:
            message = say("findings.versus.no-surrender")
            yield structure_error(message, (*path, "instead"), one.clause)


def _ends(sheet: Versus, number: int) -> bool:
    return all(one.once for one in sheet.decisions[number + 1 :])


def _needs(sheet: Versus, rule: Decision, path: FieldPath) -> Iterator[Finding]:
    cards = sheet.hands.cards
    for number, need in enumerate(rule.needs):
        place: FieldPath = (*path, "needs", number)
        if not is_hand(need.hand, cards):
            yield _no_hand(need.hand, cards, (*place, "hand"), need.clause)
        elif need.times > max(rule.times):
            yield structure_error(say("findings.versus.too-large"), (*place, "times"), need.clause)
        elif rule.community < sheet.deal.community:
            message = say("findings.versus.not-whole")
            yield structure_error(message, (*place, "hand"), need.clause)
        elif least_kind(need.hand, cards) == 0:
            yield structure_error(say("findings.versus.any-hand"), (*place, "hand"), need.clause)


def _events(sheet: Versus) -> Iterator[Finding]:
    """Every wager says what becomes of it whenever it lies on the table, and no more."""
    for path, settles in _settles(sheet):
        wager = path[1] if len(path) > 2 else "ante"
        raised = wager in {one.puts for one in sheet.decisions}
        events = ("win", "lose") if sheet.war else COMPARED
        wanted = {*(() if sheet.war and raised else events), *(WARS if sheet.war else ())}
        for event in (*COMPARED, *WARS):
            if (settles.of(event) is None) != (event not in wanted):
                key = "findings.versus.unsaid" if event in wanted else "findings.versus.never"
                yield structure_error(say(key, event=event), (*path, event), settles.clause)


def _war(sheet: Versus) -> Iterator[Finding]:
    war, deal = sheet.war, sheet.deal
    if war is None:
        return
    one = sheet.decisions[0]
    if len(sheet.decisions) > 1 or one.instead != "surrender" or len(one.times) > 1:
        message = say("findings.versus.one-decision")
        yield structure_error(message, ("decisions",), one.clause)
    if (deal.player, deal.dealer, deal.community) != (1, 1, 0) or sheet.hands.cards != 1:
        yield structure_error(say("findings.versus.one-card"), ("war",), war.clause)
    if set(sheet.main.pays) != {"high-card"}:
        other = next((line for line in sheet.main.pays if line != "high-card"), None)
        place = ("main", "pays") if other is None else ("main", "pays", other)
        yield structure_error(say("findings.versus.any-card"), place, sheet.main.clause)
    if sheet.dealer:
        message = say("findings.versus.card-qualifies")
        yield structure_error(message, ("dealer",), sheet.dealer.clause)


def _folds(sheet: Versus) -> Iterator[Finding]:
    if not sheet.has_fold:
        yield from fold_rule_errors(sheet)
        if sheet.fold:
            yield structure_error(say("findings.street-stud.no-fold"), ("fold",), sheet.fold.clause)
        return
    if sheet.fold is None:
        yield structure_error(say("findings.versus.fold-missing"), (), None)
    for wager, side in sheet.side.items():
        if side.after_fold is None:
            message = say("findings.street-stud.after-fold", wager=wager)
            yield structure_error(message, ("side", wager), side.clause)


def names(sheet: Versus) -> Iterator[Finding]:
    """Decisions are told apart."""
    titles = ((one.title, ("decisions", n, "title")) for n, one in enumerate(sheet.decisions))
    for name, path in duplicate_names(titles):
        message = say("findings.versus.two-decisions", name=show_value(name))
        yield name_error(message, path, None)


def fits(sheet: Versus) -> Iterator[Finding]:
    """Results that no chips make up: odds of an event, and half of a stake."""
    for path, settles in _settles(sheet):
        for event in (*COMPARED, "below", "fold", *WARS):
            said = told(text) if (text := settles.of(event)) else None
            pay = HALF if said and said.otherwise == "half" else said and said.otherwise
            if not isinstance(pay, Odds):
                continue
            for stake in _stakes(sheet, path):
                bad = unpayable_win(stake, pay, sheet.house.chips.values)
                if bad is not None:
                    yield structure_error(
                        _not_in_chips(bad, event, pay), (*path, event), settles.clause
                    )
                    break


def _stakes(sheet: Versus, path: FieldPath) -> Iterator[Stake]:
    """What can lie on a wager: as much as the Ante, or what a raise puts there."""
    ante = sheet.ante
    raises = [one.times for one in sheet.decisions if one.puts == path[1]]
    for times in {times for some in raises for times in some} or {1}:
        many = {name: Cents(getattr(ante, name) * times) for name in ("min", "max", "step")}
        yield ante.model_copy(update=many)


def _not_in_chips(stake: Cents, event: str, pay: Odds) -> Sentence:
    if pay is HALF:
        return say("findings.versus.half", amount=stake)
    return say("findings.versus.win", amount=stake, event=event, pay=str(pay))


def idle(sheet: Versus) -> Iterator[Idle]:
    """Choices that decide nothing on this sheet."""
    always = sheet.fold.dealer_when_all_fold if sheet.fold else None
    if always is not None and always.value == "always" and sheet.deal.up == sheet.deal.dealer:
        lies_open = say("findings.versus.lies-open")
        yield "fold.dealer_when_all_fold", lies_open, always.clause


def why_never(sheet: Versus, wager: str, line: str) -> str | None:
    """A comparison that goes otherwise than a line says, or every hand of one deck."""
    return None


CHECKS = Checks(structure, names, fits, idle, why_never, is_play)
