"""Checks of a versus sheet."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.hands.kinds import hand_kinds
from pitbook.money import Cents, Odds
from pitbook.rules.actions import is_play
from pitbook.rules.families.versus.results import is_hand, least_kind
from pitbook.rules.families.versus.sheet import (
    BOTH,
    COMPARED,
    WARS,
    Decision,
    Settles,
    Versus,
    parse_result,
)
from pitbook.sheets.check_stakes import unpayable_win
from pitbook.sheets.check_structure import (
    dealt_once,
    duplicate_names,
    fold_rule_errors,
    name_error,
    structure_error,
)
from pitbook.sheets.family_registry import Checks, Idle
from pitbook.sheets.findings import FieldPath, Finding
from pitbook.sheets.model import Stake
from pitbook.text import Sentence, say
from pitbook.text.user_input import did_you_mean, show_value

HALF = Odds(1, 2)  # The returned part of a stake of which half is lost.
RANKED = (1, 3, 4, 5)  # Hand sizes that have a ranking.


def structure(sheet: Versus) -> Iterator[Finding]:
    """Cards, hands, wagers and decisions must fit each other."""
    places = ("players", "community", "dealer") if sheet.deal.community else ("players", "dealer")
    yield from dealt_once(sheet, places)
    yield from _check_hands(sheet)
    yield from _qualification_errors(sheet)
    yield from _check_wagers(sheet)
    yield from _check_decisions(sheet)
    yield from _check_events(sheet)
    yield from _check_war(sheet)
    yield from _check_folds(sheet)


def _check_hands(sheet: Versus) -> Iterator[Finding]:
    deal, cards, clause = sheet.deal, sheet.hands.cards, sheet.hands.clause
    if cards not in RANKED:
        yield structure_error(say("findings.versus.no-order"), ("hands", "cards"), clause)
    for hand_name, hole_cards in (("player", deal.player), ("dealer", deal.dealer)):
        if hole_cards + deal.community < cards:
            available = hole_cards + deal.community
            message = say("findings.versus.too-few", who=hand_name, there=available, cards=cards)
            yield structure_error(message, ("deal", hand_name), deal.clause)
    if deal.up > deal.dealer or (deal.up and sheet.war):
        message = say("findings.versus.too-many-up", up=deal.up)
        yield structure_error(message, ("deal", "up"), deal.clause)
    if sheet.war is None and sheet.deck.decks != 1:
        message = say("findings.versus.one-deck")
        yield structure_error(message, ("deck", "decks"), sheet.deck.clause)
    if sheet.war is None and sheet.deck.fresh.value != "each-round":
        message = say("findings.versus.fresh-deck")
        yield structure_error(message, ("deck", "fresh"), sheet.deck.fresh.clause)
    total_cards = deal.player + deal.community + deal.dealer
    for wager, side in sheet.side.items():
        if side.looks_at == "both-hands" and total_cards < BOTH:
            message = say("findings.versus.both-hands", together=total_cards, size=BOTH)
            yield structure_error(message, ("side", wager, "looks_at"), side.clause)


def _qualification_errors(sheet: Versus) -> Iterator[Finding]:
    rule, cards = sheet.dealer, sheet.hands.cards
    if rule is None:
        for settles_path, settles in _settlement_rules(sheet):
            if settles.below is not None:
                message = say("findings.versus.always-plays")
                yield structure_error(message, (*settles_path, "below"), settles.clause)
        return
    path: FieldPath = ("dealer", "qualifies")
    if not is_hand(rule.qualifies, cards):
        yield _no_hand(rule.qualifies, cards, path, rule.clause)
    elif rule.kicker and not rule.qualifies.startswith("high-card-"):
        message = say("findings.versus.kicker")
        yield structure_error(message, ("dealer", "kicker"), rule.clause)
    elif all(settles.below is None for _, settles in _settlement_rules(sheet)):
        message = say("findings.versus.nothing-below")
        yield structure_error(message, path, rule.clause)


def _no_hand(name: str, cards: int, path: FieldPath, clause: str) -> Finding:
    names = [kind.name for kind in hand_kinds(cards)]
    remedy = did_you_mean(name, names)
    message = say("findings.versus.no-hand", name=name, cards=cards, remedy=remedy)
    return structure_error(message, path, clause)


def _settlement_rules(sheet: Versus) -> Iterator[tuple[FieldPath, Settles]]:
    yield ("ante", "settles"), sheet.ante.settles
    for wager, rule in sheet.wagers.items():
        yield ("wagers", wager, "settles"), rule.settles


def _check_wagers(sheet: Versus) -> Iterator[Finding]:
    if "ante" in sheet.wagers or "main" in sheet.wagers:
        yield structure_error(say("findings.versus.main-apart"), ("wagers",), sheet.ante.clause)
    raised = {decision.puts for decision in sheet.decisions}
    for wager, rule in sheet.wagers.items():
        path: FieldPath = ("wagers", wager, "made")
        if rule.made == "by-play" and wager not in raised:
            yield structure_error(say("findings.versus.never-put", wager=wager), path, rule.clause)
        if rule.made != "by-play" and wager in raised:
            message = say("findings.versus.put-by-play", wager=wager)
            yield structure_error(message, path, rule.clause)
        results = (rule.settles.of(event) for event in ("win", "tie", "lose", "below", "fold"))
        if rule.made == "on-ante" and any(result == "half" for result in results):
            yield structure_error(say("findings.versus.no-half"), path, rule.clause)
    for settles_path, settles in _settlement_rules(sheet):
        if parse_result(settles.fold).by_table:
            yield structure_error(
                say("findings.versus.unread"), (*settles_path, "fold"), settles.clause
            )
    if not any(_uses_table(settles) for _, settles in _settlement_rules(sheet)):
        yield structure_error(say("findings.versus.table-unused"), ("main",), sheet.main.clause)


def _uses_table(rule: Settles) -> bool:
    events = ("win", "tie", "lose", "below", "fold", *WARS)
    return any(parse_result(text).by_table for event in events if (text := rule.of(event)))


def _check_decisions(sheet: Versus) -> Iterator[Finding]:
    revealed, used_ids = 0, set[str]()
    for number, decision in enumerate(sheet.decisions):
        path: FieldPath = ("decisions", number)
        if decision.id in used_ids:
            yield structure_error(
                say("findings.named-twice", name=decision.id), (*path, "id"), decision.clause
            )
        used_ids.add(decision.id)
        if decision.puts not in sheet.wagers:
            remedy = did_you_mean(decision.puts, sheet.wagers)
            message = say("findings.versus.no-wager", wager=decision.puts, remedy=remedy)
            yield structure_error(message, (*path, "puts"), decision.clause)
        if list(decision.times) != sorted(set(decision.times)):
            message = say("findings.versus.times-rise")
            yield structure_error(message, (*path, "times"), decision.clause)
        if not revealed <= decision.community <= sheet.deal.community:
            message = say("findings.versus.not-open", cards=decision.community)
            yield structure_error(message, (*path, "community"), decision.clause)
        revealed = max(revealed, decision.community)
        yield from _check_needs(sheet, decision, path)
        last = number + 1 == len(sheet.decisions)
        if decision.instead == "fold" and not last and not _is_last_decision(sheet, number):
            message = say("findings.versus.asked-again")
            yield structure_error(message, path, decision.clause)
        if decision.once and number == 0:
            message = say("findings.versus.first-once")
            yield structure_error(message, (*path, "once"), decision.clause)
        if decision.instead == "surrender" and sheet.war is None:
            message = say("findings.versus.no-surrender")
            yield structure_error(message, (*path, "instead"), decision.clause)


def _is_last_decision(sheet: Versus, number: int) -> bool:
    return all(decision.once for decision in sheet.decisions[number + 1 :])


def _check_needs(sheet: Versus, rule: Decision, path: FieldPath) -> Iterator[Finding]:
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


def _check_events(sheet: Versus) -> Iterator[Finding]:
    """Every wager must state a result for each event that can occur, and no others."""
    for path, settles in _settlement_rules(sheet):
        wager = path[1] if len(path) > 2 else "ante"
        raised = wager in {decision.puts for decision in sheet.decisions}
        events = ("win", "lose") if sheet.war else COMPARED
        required = {*(() if sheet.war and raised else events), *(WARS if sheet.war else ())}
        for event in (*COMPARED, *WARS):
            if (settles.of(event) is None) != (event not in required):
                key = "findings.versus.unsaid" if event in required else "findings.versus.never"
                yield structure_error(say(key, event=event), (*path, event), settles.clause)


def _check_war(sheet: Versus) -> Iterator[Finding]:
    war, deal = sheet.war, sheet.deal
    if war is None:
        return
    decision = sheet.decisions[0]
    if len(sheet.decisions) > 1 or decision.instead != "surrender" or len(decision.times) > 1:
        message = say("findings.versus.one-decision")
        yield structure_error(message, ("decisions",), decision.clause)
    if (deal.player, deal.dealer, deal.community) != (1, 1, 0) or sheet.hands.cards != 1:
        yield structure_error(say("findings.versus.one-card"), ("war",), war.clause)
    if set(sheet.main.pays) != {"high-card"}:
        other = next((line for line in sheet.main.pays if line != "high-card"), None)
        place = ("main", "pays") if other is None else ("main", "pays", other)
        yield structure_error(say("findings.versus.any-card"), place, sheet.main.clause)
    if sheet.dealer:
        message = say("findings.versus.card-qualifies")
        yield structure_error(message, ("dealer",), sheet.dealer.clause)


def _check_folds(sheet: Versus) -> Iterator[Finding]:
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
    """Decisions with the same title."""
    titles = (
        (decision.title, ("decisions", index, "title"))
        for index, decision in enumerate(sheet.decisions)
    )
    for name, path in duplicate_names(titles):
        message = say("findings.versus.two-decisions", name=show_value(name))
        yield name_error(message, path, None)


def fits(sheet: Versus) -> Iterator[Finding]:
    """Results that chips cannot pay: odds of an event, and half of a stake."""
    for path, settles in _settlement_rules(sheet):
        for event in (*COMPARED, "below", "fold", *WARS):
            result = parse_result(text) if (text := settles.of(event)) else None
            pay = HALF if result and result.otherwise == "half" else result and result.otherwise
            if not isinstance(pay, Odds):
                continue
            for stake in _stakes(sheet, path):
                unpayable = unpayable_win(stake, pay, sheet.house.chips.values)
                if unpayable is not None:
                    yield structure_error(
                        _not_in_chips(unpayable, event, pay), (*path, event), settles.clause
                    )
                    break


def _stakes(sheet: Versus, path: FieldPath) -> Iterator[Stake]:
    """The stakes that a wager can have: the Ante's, or each raise."""
    ante = sheet.ante
    raises = [decision.times for decision in sheet.decisions if decision.puts == path[1]]
    for times in {times for multiples in raises for times in multiples} or {1}:
        limits = {name: Cents(getattr(ante, name) * times) for name in ("min", "max", "step")}
        yield ante.model_copy(update=limits)


def _not_in_chips(stake: Cents, event: str, pay: Odds) -> Sentence:
    if pay is HALF:
        return say("findings.versus.half", amount=stake)
    return say("findings.versus.win", amount=stake, event=event, pay=str(pay))


def idle(sheet: Versus) -> Iterator[Idle]:
    """Choices that have no effect on this sheet."""
    always = sheet.fold.dealer_when_all_fold if sheet.fold else None
    if always is not None and always.value == "always" and sheet.deal.up == sheet.deal.dealer:
        lies_open = say("findings.versus.lies-open")
        yield "fold.dealer_when_all_fold", lies_open, always.clause


def why_never(sheet: Versus, wager: str, line: str) -> str | None:
    """Always None: any comparison can occur, and one deck deals every hand."""
    return None


CHECKS = Checks(structure, names, fits, idle, why_never, is_play)
