"""Every rule of a sheet as text, for rack cards, papers and comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import reduce
from typing import Any

from pitbook.money import Odds
from pitbook.sheets.digest import approval_status
from pitbook.sheets.families import family_of
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import (
    Approval,
    Deck,
    Equipment,
    Limit,
    MainWager,
    Procedures,
    SideWager,
    Stake,
)
from pitbook.sheets.prose.rule_text import HEADINGS, RuleText, rule_text
from pitbook.sheets.prose.words import (
    direction_words,
    outcome,
    pay_words,
    stake_bounds,
    times_word,
    with_article,
)
from pitbook.sheets.provenance import share
from pitbook.sheets.values import Entries, Push
from pitbook.text import Sentence, say


def house(sheet: Sheet) -> Iterator[RuleText]:
    """Who deals the game, where and since when."""
    here, at = sheet.house, "House"
    if not sheet.title.startswith(here.venue):
        # A state's regulation names no casino: its sheet has the state for a venue.
        key = "aloud.house.any" if here.venue == here.jurisdiction else "aloud.house.venue"
        yield rule_text(at, key, "house.venue", venue=here.venue)
    yield rule_text(at, "aloud.house.title", "title", title=sheet.title)
    if here.jurisdiction != "any":
        law = here.jurisdiction
        yield rule_text(at, "aloud.house.jurisdiction", "house.jurisdiction", law=law)
    if sheet.effective:
        yield rule_text(at, "aloud.house.since", "effective", day=sheet.effective)
    else:
        yield rule_text(at, "aloud.house.undated", "effective")
    if past := sheet.history:
        known = past.earlier
        yield rule_text(at, "aloud.house.earlier", "history.earlier", past, earlier=known)
    if here.approval:
        yield _approval(sheet, here.approval)
    if money := here.currency:
        yield rule_text(at, "aloud.house.currency", "house.currency", currency=money)
    chips = tuple(here.chips.values)
    yield rule_text(at, "aloud.house.chips", "house.chips.values", here.chips, chips=chips)


def _approval(sheet: Sheet, recorded: Approval) -> RuleText:
    """The approval; a draft leaves out the note on it, which speaks of other rules."""
    status = approval_status(sheet)
    told = (
        recorded.model_copy(update={"note": None, "ours": False}) if status == "draft" else recorded
    )
    details = ("by", "on", "signatory", "reference", "rules_hash", "papers")
    fields = " ".join(f"house.approval.{name}" for name in details)
    return rule_text(
        "House",
        "aloud.house.approval",
        fields,
        told,
        status=status,
        by=recorded.by,
        day=recorded.on,
        signatory=recorded.signatory,
        reference=recorded.reference,
    )


def seats(sheet: Sheet) -> Iterator[RuleText]:
    """Positions, and who may play how many."""
    rule, at = sheet.seats, "Seats"
    yield rule_text(at, "aloud.seats.count", "seats.count", rule, count=rule.count)
    own = rule.per_player
    yield rule_text(at, "aloud.seats.per-player", "seats.per_player", own, count=own.value)
    if near := rule.adjacent:
        yield rule_text(at, "aloud.seats.adjacent", "seats.adjacent", near, must=near.value)
    if ends := rule.ends_meet:
        yield rule_text(at, "aloud.seats.ends-meet", "seats.ends_meet", ends, meet=ends.value)


def cards(sheet: Sheet) -> Iterator[RuleText]:
    """Decks, shuffles and what lies on the table."""
    deck, at = sheet.deck, "Cards"
    yield rule_text(at, "aloud.cards.decks", "deck.decks", deck, decks=deck.decks)
    yield rule_text(at, "aloud.cards.shuffle", "deck.shuffle", deck, shuffle=deck.shuffle)
    fields, when, left = "deck.fresh deck.cut_card", deck.fresh.value, deck.cut_card or 0
    yield rule_text(at, "aloud.cards.fresh", fields, deck.fresh, when=when, left=left)
    yield from _fallback(deck)
    if turns := deck.alternate:
        yield rule_text(at, "aloud.cards.packs", "deck.alternate", turns, alternate=turns.value)
    if there := sheet.equipment:
        things = tuple(_equipment(there))
        yield rule_text(at, "aloud.cards.equipment", "equipment", there, things=things)


def _fallback(deck: Deck) -> Iterator[RuleText]:
    rule = deck.fallback
    if deck.shuffle == "hand" and rule.value == "hand":
        return  # There is no machine that could fail.
    fields, again = "deck.fallback deck.fallback_times", times_word(deck.fallback_times)
    yield rule_text("Cards", "aloud.cards.fallback", fields, rule, rule=rule.value, again=again)


def _equipment(there: Equipment) -> Iterator[Sentence]:
    yield say("aloud.cards.layout", layout=there.layout, odds=bool(there.odds_printed))
    yield say("aloud.cards.pack-count", count=there.packs)
    if there.cut_cards:
        yield say("aloud.cards.cut-cards", count=there.cut_cards)
    if there.discard_rack:
        yield say("aloud.cards.discard-rack")


def wagers(sheet: Sheet) -> Iterator[RuleText]:
    """What must and what may be wagered."""
    at, main, field = "Wagers", sheet.main_wager, sheet.main_id
    yield rule_text(at, "aloud.wagers.main", f"{field}.title", at="main", title=main.title)
    yield _bounds(main, main.title, field, "main.bounds", required=True)
    yield _steps(at, main, main.title, field, "main.step")
    for wager, side in sheet.side.items():
        yield from _side(sheet, wager, side)
    if flat := sheet.single_bet_max:
        yield rule_text(at, "aloud.wagers.single-bet", "single_bet_max", flat, most=flat.value)


def _bounds(
    rule: Stake | MainWager, title: str, field: str, key: str = "", *, required: bool
) -> RuleText:
    return rule_text(
        "Wagers",
        "aloud.wagers.bounds",
        f"{field}.min {field}.max",
        rule,
        at=key,
        also="step",
        title=title,
        bounds=stake_bounds(rule),
        step=rule.step,
        required=required,
    )


def _steps(heading: str, rule: Stake, title: str, field: str, key: str = "") -> RuleText:
    fields = f"{field}.step"
    return rule_text(
        heading, "aloud.wagers.step", fields, rule, at=key, title=title, step=rule.step
    )


def _side(sheet: Sheet, wager: str, side: SideWager) -> Iterator[RuleText]:
    at, title, stake, inside = "Side wagers", side.title, side.stake, f"side.{wager}.stake"
    fields = f"side.{wager}.title"
    yield rule_text(at, "aloud.wagers.side", fields, wager=wager, title=title)
    yield _bounds(stake, title, inside, required=stake.required)
    fields, asked = f"{inside}.required", stake.required
    yield rule_text(at, "aloud.wagers.required", fields, title=title, required=asked)
    yield _steps(at, stake, title, inside)
    if alone := stake.alone:
        fields, main, may = f"{inside}.alone", sheet.main_wager.title, bool(alone.value)
        yield rule_text(
            "Wagers", "aloud.wagers.alone", fields, alone, title=title, main=main, may=may
        )
    fields, what = f"side.{wager}.looks_at", looked_at(sheet, side)
    only = side.looks_at == "community"
    yield rule_text(at, "aloud.wagers.looks-at", fields, title=title, cards=what, alone=only)


def looked_at(sheet: Sheet, side: SideWager) -> Sentence:
    """The cards that a side wager looks at."""
    plain = sheet.looks_at[side.looks_at]
    return say("aloud.wagers.cards", cards=side.looks_at, plain=plain)


def variants(sheet: Sheet) -> Iterator[RuleText]:
    """Other pay tables that a house may choose."""
    if not sheet.variants:
        return
    titles = tuple(
        say("aloud.variants.one", name=name, title=one.title)
        for name, one in sheet.variants.items()
    )
    rules = tuple(sheet.variants.values())
    yield rule_text("Pay table", "aloud.variants", "variants", *rules, titles=titles)


def limits(sheet: Sheet) -> Iterator[RuleText]:
    """The caps on what is paid, or that there are none."""
    if sheet.uncapped:
        yield rule_text("Limits", "aloud.limits.none", "uncapped", sheet.uncapped)
    for place, limit in enumerate(sheet.limits):
        yield _cap(sheet, limit, place)


def _cap(sheet: Sheet, limit: Limit, place: int) -> RuleText:
    cap = rule_text(
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


def pay_table(sheet: Sheet) -> Iterator[RuleText]:
    """What is said beside the main pay table itself."""
    if prose := sheet.main.prose:
        lines = tuple(_paid(line, pay) for line, pay in prose.pays.items())
        holds = prose.decides or "neither"
        key = "aloud.pay-table.prose"
        yield rule_text("Pay table", key, "main.prose", prose, lines=lines, holds=holds)


def _paid(line: str, pay: Odds | Push) -> Sentence:
    return say("aloud.pay-table.line", hand=with_article(line), paid=pay_words(pay))


def settlement(sheet: Sheet) -> Iterator[RuleText]:
    """Who is settled first, and what."""
    at, rule = "Settlement", sheet.settlement
    fields, ways = "settlement.direction", direction_words(rule.direction)
    yield rule_text(at, "aloud.settlement.seats", fields, rule, way=ways)
    passes = _passes(sheet)
    yield rule_text(at, "aloud.settlement.wagers", "settlement.passes", rule, passes=passes)


def _passes(sheet: Sheet) -> Sentence:
    each = [tuple(wager_name(sheet, one) for one in each) for each in sheet.settlement.passes]
    first, *rest = each
    if not rest:
        return reduce(lambda told, one: say("aloud.settlement.then", told=told, wager=one), first)
    told = say("aloud.settlement.first-pass", wagers=first)
    for one in rest:
        told = say("aloud.settlement.next-pass", told=told, wagers=one)
    return told


def payouts(sheet: Sheet) -> Iterator[RuleText]:
    """How hands are read and money is counted."""
    at, rule = "Payouts", sheet.payouts
    ace, fields = rule.ace_in_straights, "payouts.ace_in_straights"
    yield rule_text(at, "aloud.payouts.ace", fields, ace, ace=ace.value)
    several, fields = rule.several_lines, "payouts.several_lines"
    yield rule_text(at, "aloud.payouts.lines", fields, several, lines=several.value)
    stake, fields = rule.stake_counted, "payouts.stake_counted"
    yield rule_text(at, "aloud.payouts.wins", fields, stake, counted=stake.value)
    ties, fields = rule.share_ties, "payouts.share_ties"
    yield rule_text(at, "aloud.payouts.odd-cents", fields, ties, ties=ties.value)


def advantages(sheet: Sheet) -> Iterator[RuleText]:
    """The wagers that the player has the better of, where a sheet declares some."""
    if declared := sheet.player_advantage:
        on = tuple(wager_name(sheet, one.wager) for one in declared)
        fields = "player_advantage"
        yield rule_text("Payouts", "aloud.payouts.advantage", fields, *declared, wagers=on)


def best_play(sheet: Sheet) -> Iterator[RuleText]:
    """What the mathematics takes for best between equals."""
    ties = sheet.best_play.ties
    plain = ties.value.replace("-", " ")
    told = {"play": ties.value, "plain": plain}
    yield rule_text("Best play", "aloud.best-play.ties", "best_play.ties", ties, **told)


AT = "Irregularities"


def irregularities(sheet: Sheet) -> Iterator[RuleText]:
    """Everything that can go wrong, and what follows."""
    yield from _misdeals(sheet)
    yield from _cards(sheet)
    yield from _offences(sheet)
    stop, fields = sheet.irregularities.interruption, "irregularities.interruption"
    yield rule_text(AT, "aloud.mishaps.interruption", fields, stop, rule=stop.value)


def _misdeals(sheet: Sheet) -> Iterator[RuleText]:
    rule = sheet.irregularities
    count, fields = rule.wrong_card_count, "irregularities.wrong_card_count"
    any_hand = (say("aloud.mishaps.any-hand"),)
    hands = tuple(say("aloud.mishaps.hand", hand=one) for one in count.hands) or any_hand
    whose = tuple(say("aloud.mishaps.whose", hand=one) for one in count.hands) or any_hand
    told: dict[str, Any] = {"hands": hands, "whose": whose, "result": count.result}
    yield rule_text(AT, "aloud.mishaps.card-count", fields, count, **told)
    whole, fields = rule.misdeal, "irregularities.misdeal"
    told = {"returns": whole.returns, "until": whole.until}
    yield rule_text(AT, "aloud.mishaps.misdeal", fields, whole, **told)
    first, fields = rule.misdeal_over_offence, "irregularities.misdeal_over_offence"
    yield rule_text(AT, "aloud.mishaps.misdeal-first", fields, first, first=first.value)


def _cards(sheet: Sheet) -> Iterator[RuleText]:
    rule = sheet.irregularities
    early, fields = rule.early_card, "irregularities.early_card"
    both = {"community", "dealer"} <= set(sheet.deal.order)
    told = {"board": "both" if both else sheet.board_word, "plain": sheet.board_card}
    card = say("aloud.mishaps.board-card", **told)
    result = _result(early.value)
    yield rule_text(AT, "aloud.mishaps.early-card", fields, early, card=card, result=result)
    shown, fields = rule.exposed_card, "irregularities.exposed_card"
    yield rule_text(AT, "aloud.mishaps.exposed-card", fields, shown, result=_result(shown.value))
    fouled, fields = rule.fouled_deck, "irregularities.fouled_deck"
    yield rule_text(AT, "aloud.mishaps.fouled-deck", fields, fouled, result=_result(fouled.value))


def _result(result: str) -> Sentence:
    """What becomes of the round, or of the hand."""
    return say("aloud.mishaps.result", result=result)


def _offences(sheet: Sheet) -> Iterator[RuleText]:
    rule = sheet.irregularities
    if off := rule.cards_off_table:
        fields = "irregularities.cards_off_table"
        yield rule_text(AT, "aloud.mishaps.off-table", fields, off, result=off.value)
    if told := rule.information:
        fields, whose = "irregularities.information", told.whose
        who = say("aloud.mishaps.offender", whose=whose.value)
        words = {"result": told.result, "who": who}
        yield rule_text(AT, "aloud.mishaps.information", fields, told, whose, **words)


HEADING_OF = {
    "folded": "Fold",
    **dict.fromkeys(("late_bet", "malfunction", "mispaid", "cheating"), "Irregularities"),
}


def paperwork(sheet: Sheet) -> Iterator[RuleText]:
    """Procedures with the cards, notices and the filing with the house."""
    for name in Procedures.model_fields if sheet.procedures else ():
        if rule := getattr(sheet.procedures, name):
            *first, last = rule.steps
            fields, steps = f"procedures.{name}", (*first, _open(last))
            key, heading = "aloud.paperwork.procedure", HEADING_OF.get(name, "Cards")
            yield rule_text(heading, key, fields, rule, procedure=name, steps=steps)
    for place, one in enumerate(sheet.notices):
        at = f"notices[{place}]"
        yield rule_text(
            "House", "aloud.paperwork.notice", "notices", one, at=at, text=_open(one.text)
        )
    if filed := sheet.filing:
        for name in ("sponsor", "rights", "version"):
            if text := getattr(filed, name):
                key, fields = "aloud.paperwork.filing", f"filing.{name}"
                yield rule_text("House", key, fields, name=name, text=_open(text))


def _open(text: str) -> str:
    """A house's own sentence without its full stop, as sayings stand."""
    return text.removesuffix(".")


def rule_texts(sheet: Sheet) -> list[RuleText]:
    """Everything a sheet says but its pay tables, in the order of the headings."""
    found = [*_common(sheet), *family_of(sheet).rule_texts(sheet)]
    return sorted(found, key=lambda one: HEADINGS.index(one.heading))


def _common(sheet: Sheet) -> Iterator[RuleText]:
    yield from house(sheet)
    yield from seats(sheet)
    yield from cards(sheet)
    yield from wagers(sheet)
    yield from pay_table(sheet)
    yield from variants(sheet)
    yield from limits(sheet)
    yield from settlement(sheet)
    yield from payouts(sheet)
    yield from advantages(sheet)
    yield from irregularities(sheet)
    yield from best_play(sheet)
    yield from paperwork(sheet)
