"""Every rule of a sheet as text, for rack cards, papers and comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, reduce
from typing import Any

from pitbook.money import Odds
from pitbook.sheets.family_registry import family_of
from pitbook.sheets.field_types import Entries, Push, Rule
from pitbook.sheets.findings import FieldPath
from pitbook.sheets.hashes import approval_status
from pitbook.sheets.model import (
    GENERAL_PROCEDURES,
    Approval,
    Deck,
    Equipment,
    Limit,
    MainWager,
    Procedures,
    Sheet,
    SideWager,
    Stake,
)
from pitbook.sheets.phrases import (
    direction_words,
    outcome,
    pay_words,
    stake_bounds,
    times_word,
    with_article,
)
from pitbook.sheets.provenance import OursShare, combine, fields_of, share
from pitbook.text import Sentence, capital, say, subkeys

HEADINGS = (
    "House",
    "Seats",
    "Cards",
    "Wagers",
    "Play",
    "Pay table",
    "Side wagers",
    "Fold",
    "Limits",
    "Settlement",
    "Payouts",
    "Irregularities",
    "Best play",
)


@dataclass(frozen=True)
class RuleText:
    """What a sheet says about some fields: "the Ante" "is $5 to $500".

    On a rack card `short` is printed beside the label; an empty label continues the line above. A
    text whose label is None is for comparisons only.
    """

    heading: Sentence
    label: str | None
    subject: str
    says: str
    paths: tuple[FieldPath, ...]
    clauses: tuple[str, ...]
    notes: tuple[str, ...]
    short: str
    key: str
    ours: OursShare = "none"  # Of the sentence and the short form together.
    sentence_ours: OursShare = "none"
    decides: str = ""  # For a decision: the choice, without what the dealer does afterwards.
    guest: str = ""  # The rule as a guest reads it, addressed as "you", without a period.

    @property
    def sentence(self) -> Sentence:
        """Subject and predicate, without a capital or a period."""
        return say("aloud.sentence", subject=self.subject, says=self.says)

    @property
    def card_text(self) -> str:
        """The text for a rack card."""
        return capital(self.short or self.sentence)


def rule_text(
    heading: str,
    key: str,
    fields: str,
    /,
    *rules: Rule | None,
    at: str = "",
    also: str = "",
    **values: Any,
) -> RuleText:
    """A rule text from the message catalog: label, subject, predicate and short form.

    Without a label there it is for comparisons only; `at` is its key.
    """
    parts = subkeys(key)
    subject, says = say(f"{key}.subject", **values), say(f"{key}.says", **values)
    label = say(f"{key}.label", **values) if "label" in parts else None
    short = say(f"{key}.short", **values, subject=subject, says=says) if "short" in parts else ""
    text = compose_rule_text(
        heading, label, subject, says, fields, *rules, short=short, key=at, also=also
    )
    decides = say(f"{key}.decides", **values) if "decides" in parts else ""
    guest = say(f"{key}.guest", **values) if "guest" in parts else ""
    return replace(text, decides=decides, guest=guest) if decides or guest else text


def compose_rule_text(
    heading: str,
    label: str | None,
    subject: str,
    says: str,
    fields: str,
    *rules: Rule | None,
    short: str = "",
    key: str = "",
    also: str = "",
) -> RuleText:
    """A rule text for sheet fields, given as "seats.count deck.decks", with its rules' clauses.

    `also` names further fields that only the short form mentions.
    """
    stated = [rule for rule in rules if rule is not None]
    field_names = [field.rpartition(".")[2] for field in fields.split()]
    all_names = [*field_names, *also.split()]
    return RuleText(
        _heading(heading),
        label,
        subject,
        says,
        paths=tuple(tuple(field.split(".")) for field in fields.split()),
        clauses=_unique(rule.clause for rule in stated),
        notes=_unique(
            rule.note for rule in stated if rule.note and _note_applies(rule, field_names)
        ),
        short=short,
        key=key or fields.split(maxsplit=1)[0],
        ours=combine(share(rule, *all_names) for rule in stated),
        sentence_ours=combine(share(rule, *field_names) for rule in stated),
    )


def _note_applies(rule: Rule, fields: list[str]) -> bool:
    """Whether a rule's note applies to these fields."""
    named = isinstance(rule.ours, tuple) and set(fields) <= set(fields_of(rule))
    return not (named and fields and share(rule, *fields) == "none")


@cache
def _heading(heading: str) -> Sentence:
    return say("aloud.heading", part=heading.lower().replace(" ", "-"), heading=heading)


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def house(sheet: Sheet) -> Iterator[RuleText]:
    """The venue, its law and the effective date."""
    house_rules, heading = sheet.house, "House"
    if not sheet.title.startswith(house_rules.venue):
        # A state's regulation names no casino: the state is its sheet's venue.
        key = (
            "aloud.house.any"
            if house_rules.venue == house_rules.jurisdiction
            else "aloud.house.venue"
        )
        yield rule_text(heading, key, "house.venue", venue=house_rules.venue)
    yield rule_text(heading, "aloud.house.title", "title", title=sheet.title)
    if house_rules.jurisdiction != "any":
        law = house_rules.jurisdiction
        yield rule_text(heading, "aloud.house.jurisdiction", "house.jurisdiction", law=law)
    if sheet.effective:
        yield _effective(sheet, sheet.effective)
    else:
        yield rule_text(heading, "aloud.house.undated", "effective")
    if history := sheet.history:
        earlier = history.earlier
        yield rule_text(heading, "aloud.house.earlier", "history.earlier", history, earlier=earlier)
    if house_rules.approval:
        yield _approval(sheet, house_rules.approval)
    if money := house_rules.currency:
        yield rule_text(heading, "aloud.house.currency", "house.currency", currency=money)
    chips = tuple(house_rules.chips.values)
    yield rule_text(
        heading, "aloud.house.chips", "house.chips.values", house_rules.chips, chips=chips
    )


def _effective(sheet: Sheet, day: date) -> RuleText:
    """The effective date; assumed as far as the date of approval is, if it is the same day."""
    text, approval = (
        rule_text("House", "aloud.house.since", "effective", day=day),
        sheet.house.approval,
    )
    if approval is None or approval.on != day:
        return text
    date_share = share(approval, "on")
    return replace(text, ours=date_share, sentence_ours=date_share)


def _approval(sheet: Sheet, recorded: Approval) -> RuleText:
    """The approval; a draft omits its note, which refers to other rules."""
    status = approval_status(sheet)
    approval = (
        recorded.model_copy(update={"note": None, "ours": False}) if status == "draft" else recorded
    )
    details = ("by", "on", "signatory", "reference", "rules_hash", "papers")
    fields = " ".join(f"house.approval.{name}" for name in details)
    return rule_text(
        "House",
        "aloud.house.approval",
        fields,
        approval,
        status=status,
        by=recorded.by,
        day=recorded.on,
        signatory=recorded.signatory,
        reference=recorded.reference,
    )


def seats(sheet: Sheet) -> Iterator[RuleText]:
    """Positions, and how many a player may play."""
    rule, heading = sheet.seats, "Seats"
    yield rule_text(heading, "aloud.seats.count", "seats.count", rule, count=rule.count)
    per_player = rule.per_player
    yield rule_text(
        heading, "aloud.seats.per-player", "seats.per_player", per_player, count=per_player.value
    )
    if adjacent := rule.adjacent:
        yield rule_text(
            heading, "aloud.seats.adjacent", "seats.adjacent", adjacent, must=adjacent.value
        )
    if ends_meet := rule.ends_meet:
        yield rule_text(
            heading, "aloud.seats.ends-meet", "seats.ends_meet", ends_meet, meet=ends_meet.value
        )


def cards(sheet: Sheet) -> Iterator[RuleText]:
    """Decks, shuffles and equipment."""
    deck, heading = sheet.deck, "Cards"
    yield rule_text(heading, "aloud.cards.decks", "deck.decks", deck, decks=deck.decks)
    yield rule_text(heading, "aloud.cards.shuffle", "deck.shuffle", deck, shuffle=deck.shuffle)
    fields, fresh, cards_left = "deck.fresh deck.cut_card", deck.fresh.value, deck.cut_card or 0
    yield rule_text(heading, "aloud.cards.fresh", fields, deck.fresh, when=fresh, left=cards_left)
    yield from _fallback_rules(deck)
    if alternate := deck.alternate:
        yield rule_text(
            heading, "aloud.cards.packs", "deck.alternate", alternate, alternate=alternate.value
        )
    if equipment := sheet.equipment:
        items = tuple(_equipment(equipment))
        yield rule_text(heading, "aloud.cards.equipment", "equipment", equipment, things=items)


def _fallback_rules(deck: Deck) -> Iterator[RuleText]:
    rule = deck.fallback
    if deck.shuffle == "hand" and rule.value == "hand":
        return  # There is no machine.
    fields, times_text = "deck.fallback deck.fallback_times", times_word(deck.fallback_times)
    yield rule_text(
        "Cards", "aloud.cards.fallback", fields, rule, rule=rule.value, again=times_text
    )


def _equipment(equipment: Equipment) -> Iterator[Sentence]:
    yield say("aloud.cards.layout", layout=equipment.layout, odds=bool(equipment.odds_printed))
    yield say("aloud.cards.pack-count", count=equipment.packs)
    if equipment.cut_cards:
        yield say("aloud.cards.cut-cards", count=equipment.cut_cards)
    if equipment.discard_rack:
        yield say("aloud.cards.discard-rack")


def wagers(sheet: Sheet) -> Iterator[RuleText]:
    """Required and optional wagers."""
    heading, main, field = "Wagers", sheet.main_wager, sheet.main_id
    yield rule_text(heading, "aloud.wagers.main", f"{field}.title", at="main", title=main.title)
    yield _bounds(main, main.title, field, "main.bounds", required=True)
    yield _steps(heading, main, main.title, field, "main.step")
    for wager, side in sheet.side.items():
        yield from _side_rules(sheet, wager, side)
    if bet_max := sheet.single_bet_max:
        yield rule_text(
            heading, "aloud.wagers.single-bet", "single_bet_max", bet_max, most=bet_max.value
        )


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


def _side_rules(sheet: Sheet, wager: str, side: SideWager) -> Iterator[RuleText]:
    heading, title, stake, path = "Side wagers", side.title, side.stake, f"side.{wager}.stake"
    fields = f"side.{wager}.title"
    yield rule_text(heading, "aloud.wagers.side", fields, wager=wager, title=title)
    yield _bounds(stake, title, path, required=stake.required)
    fields, required = f"{path}.required", stake.required
    yield rule_text(heading, "aloud.wagers.required", fields, title=title, required=required)
    yield _steps(heading, stake, title, path)
    if may_stand_alone := stake.alone:
        fields, main, allowed = f"{path}.alone", sheet.main_wager.title, bool(may_stand_alone.value)
        yield rule_text(
            "Wagers",
            "aloud.wagers.alone",
            fields,
            may_stand_alone,
            title=title,
            main=main,
            may=allowed,
        )
    fields, cards_text = f"side.{wager}.looks_at", looked_at(sheet, side)
    community_only = side.looks_at == "community"
    yield rule_text(
        heading,
        "aloud.wagers.looks-at",
        fields,
        title=title,
        cards=cards_text,
        community_only=community_only,
    )


def looked_at(sheet: Sheet, side: SideWager) -> Sentence:
    """The cards that a side wager uses."""
    plain = sheet.looks_at[side.looks_at]
    return say("aloud.wagers.cards", cards=side.looks_at, plain=plain)


def variants(sheet: Sheet) -> Iterator[RuleText]:
    """Other pay tables that a house may choose."""
    if not sheet.variants:
        return
    titles = tuple(
        say("aloud.variants.one", name=name, title=variant.title)
        for name, variant in sheet.variants.items()
    )
    rules = tuple(sheet.variants.values())
    yield rule_text("Pay table", "aloud.variants", "variants", *rules, titles=titles)


def limits(sheet: Sheet) -> Iterator[RuleText]:
    """The caps on payouts, or that there are none."""
    if sheet.uncapped:
        yield rule_text("Limits", "aloud.limits.none", "uncapped", sheet.uncapped)
    for index, limit in enumerate(sheet.limits):
        yield _cap(sheet, limit, index)


def _cap(sheet: Sheet, limit: Limit, place: int) -> RuleText:
    cap = rule_text(
        "Limits",
        "aloud.limits.cap",
        "limits",
        limit,
        at=f"limits[{place}]",
        per=limit.per,
        wins=_covered_wins(sheet, limit),
        most=limit.pays_max,
        posted=bool(limit.posted),
        some=limit.counts is not None,
    )
    ours_share = share(limit, "per", "pays_max", "counts", *(() if limit.posted else ("posted",)))
    return replace(cap, ours=ours_share, sentence_ours=ours_share)


def _covered_wins(sheet: Sheet, limit: Limit) -> Sentence:
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
    """A wager as settlement and limits name it."""
    if wager in sheet.side:
        return say("aloud.limits.side-wager", title=sheet.side[wager].title)
    return say("aloud.limits.main-wagers")


def pay_table(sheet: Sheet) -> Iterator[RuleText]:
    """Prose that contradicts the main pay table."""
    if prose := sheet.main.prose:
        lines = tuple(_line_text(line, pay) for line, pay in prose.pays.items())
        holds = prose.decides or "neither"
        key = "aloud.pay-table.prose"
        yield rule_text("Pay table", key, "main.prose", prose, lines=lines, holds=holds)


def _line_text(line: str, pay: Odds | Push) -> Sentence:
    return say("aloud.pay-table.line", hand=with_article(line), paid=pay_words(pay))


def settlement(sheet: Sheet) -> Iterator[RuleText]:
    """The order of settlement."""
    heading, rule = "Settlement", sheet.settlement
    fields, direction = "settlement.direction", direction_words(rule.direction)
    yield rule_text(heading, "aloud.settlement.seats", fields, rule, way=direction)
    passes = _pass_texts(sheet)
    yield rule_text(heading, "aloud.settlement.wagers", "settlement.passes", rule, passes=passes)


def _pass_texts(sheet: Sheet) -> Sentence:
    each = [tuple(wager_name(sheet, wager) for wager in each) for each in sheet.settlement.passes]
    first, *rest = each
    if not rest:
        return reduce(
            lambda text, wager: say("aloud.settlement.then", told=text, wager=wager), first
        )
    text = say("aloud.settlement.first-pass", wagers=first)
    for pass_wagers in rest:
        text = say("aloud.settlement.next-pass", told=text, wagers=pass_wagers)
    return text


def payouts(sheet: Sheet) -> Iterator[RuleText]:
    """How hands are ranked and money is counted."""
    heading, rule = "Payouts", sheet.payouts
    ace, fields = rule.ace_in_straights, "payouts.ace_in_straights"
    yield rule_text(heading, "aloud.payouts.ace", fields, ace, ace=ace.value)
    several_lines, fields = rule.several_lines, "payouts.several_lines"
    yield rule_text(
        heading, "aloud.payouts.lines", fields, several_lines, lines=several_lines.value
    )
    stake, fields = rule.stake_counted, "payouts.stake_counted"
    yield rule_text(heading, "aloud.payouts.wins", fields, stake, counted=stake.value)
    ties, fields = rule.share_ties, "payouts.share_ties"
    yield rule_text(heading, "aloud.payouts.odd-cents", fields, ties, ties=ties.value)


def advantages(sheet: Sheet) -> Iterator[RuleText]:
    """Wagers with a declared player advantage."""
    if advantages := sheet.player_advantage:
        on = tuple(wager_name(sheet, advantage.wager) for advantage in advantages)
        fields = "player_advantage"
        yield rule_text("Payouts", "aloud.payouts.advantage", fields, *advantages, wagers=on)


def best_play(sheet: Sheet) -> Iterator[RuleText]:
    """The best play among equals."""
    ties = sheet.best_play.ties
    plain = ties.value.replace("-", " ")
    values = {"play": ties.value, "plain": plain}
    yield rule_text("Best play", "aloud.best-play.ties", "best_play.ties", ties, **values)


IRREGULARITIES = "Irregularities"


def irregularities(sheet: Sheet) -> Iterator[RuleText]:
    """Irregularities and their consequences."""
    yield from _misdeal_rules(sheet)
    yield from _card_rules(sheet)
    yield from _offense_rules(sheet)
    interruption, fields = sheet.irregularities.interruption, "irregularities.interruption"
    yield rule_text(
        IRREGULARITIES, "aloud.mishaps.interruption", fields, interruption, rule=interruption.value
    )


def _misdeal_rules(sheet: Sheet) -> Iterator[RuleText]:
    rule = sheet.irregularities
    count, fields = rule.wrong_card_count, "irregularities.wrong_card_count"
    any_hand = (say("aloud.mishaps.any-hand"),)
    hands = tuple(say("aloud.mishaps.hand", hand=receiver) for receiver in count.hands) or any_hand
    whose = tuple(say("aloud.mishaps.whose", hand=receiver) for receiver in count.hands) or any_hand
    values: dict[str, Any] = {"hands": hands, "whose": whose, "result": count.result}
    yield rule_text(IRREGULARITIES, "aloud.mishaps.card-count", fields, count, **values)
    misdeal, fields = rule.misdeal, "irregularities.misdeal"
    values = {"returns": misdeal.returns, "until": misdeal.until}
    yield rule_text(IRREGULARITIES, "aloud.mishaps.misdeal", fields, misdeal, **values)
    first, fields = rule.misdeal_over_offence, "irregularities.misdeal_over_offence"
    yield rule_text(IRREGULARITIES, "aloud.mishaps.misdeal-first", fields, first, first=first.value)


def _card_rules(sheet: Sheet) -> Iterator[RuleText]:
    rule = sheet.irregularities
    early, fields = rule.early_card, "irregularities.early_card"
    both_hands = {"community", "dealer"} <= set(sheet.deal.order)
    values = {"board": "both" if both_hands else sheet.board_word, "plain": sheet.board_card}
    card = say("aloud.mishaps.board-card", **values)
    result, shall = _result(early.value), _consequence_text(early.value)
    yield rule_text(
        IRREGULARITIES,
        "aloud.mishaps.early-card",
        fields,
        early,
        card=card,
        result=result,
        shall=shall,
    )
    exposed, fields = rule.exposed_card, "irregularities.exposed_card"
    result, shall = _result(exposed.value), _consequence_text(exposed.value)
    yield rule_text(
        IRREGULARITIES, "aloud.mishaps.exposed-card", fields, exposed, result=result, shall=shall
    )
    fouled, fields = rule.fouled_deck, "irregularities.fouled_deck"
    result, shall = _result(fouled.value), _consequence_text(fouled.value)
    yield rule_text(
        IRREGULARITIES, "aloud.mishaps.fouled-deck", fields, fouled, result=result, shall=shall
    )


def _result(result: str) -> Sentence:
    """The consequence for the round or the hand."""
    return say("aloud.mishaps.result", result=result)


def _consequence_text(result: str) -> Sentence:
    """The consequence as a rule states it."""
    return say("aloud.mishaps.shall", result=result)


def _offense_rules(sheet: Sheet) -> Iterator[RuleText]:
    rule = sheet.irregularities
    if rule_off_table := rule.cards_off_table:
        fields = "irregularities.cards_off_table"
        yield rule_text(
            IRREGULARITIES,
            "aloud.mishaps.off-table",
            fields,
            rule_off_table,
            result=rule_off_table.value,
        )
    if information := rule.information:
        fields, whose = "irregularities.information", information.whose
        offender = say("aloud.mishaps.offender", whose=whose.value)
        words = {"result": information.result, "who": offender}
        yield rule_text(
            IRREGULARITIES, "aloud.mishaps.information", fields, information, whose, **words
        )


HEADING_OF = {
    "folded": "Fold",
    **dict.fromkeys(("late_bet", "malfunction", "mispaid", "cheating"), "Irregularities"),
}


def paperwork(sheet: Sheet) -> Iterator[RuleText]:
    """Procedures, notices and the filing."""
    for name in Procedures.model_fields if sheet.procedures else ():
        if rule := getattr(sheet.procedures, name):
            *first, last = rule.steps
            fields, steps = f"procedures.{name}", (*first, _without_period(last))
            key, heading = "aloud.paperwork.procedure", HEADING_OF.get(name, "Cards")
            yield rule_text(heading, key, fields, rule, procedure=name, steps=steps)
    for index, notice in enumerate(sheet.notices):
        notice_key = f"notices[{index}]"
        yield rule_text(
            "House",
            "aloud.paperwork.notice",
            "notices",
            notice,
            at=notice_key,
            text=_without_period(notice.text),
        )
    if filing := sheet.filing:
        for name in ("sponsor", "rights", "version"):
            if text := getattr(filing, name):
                key, fields = "aloud.paperwork.filing", f"filing.{name}"
                yield rule_text("House", key, fields, name=name, text=_without_period(text))


def general_procedures(sheet: Sheet) -> Iterator[RuleText]:
    """General procedures that are assumed because the sheet states none."""
    for name, clause in GENERAL_PROCEDURES.items():
        if name == "malfunction" and sheet.deck.shuffle != "automatic":
            continue
        if getattr(sheet.procedures, name, None) is None:
            yield RuleText(
                heading=_heading(HEADING_OF[name]),
                label=say("aloud.paperwork.procedure.label", procedure=name),
                subject=say("aloud.paperwork.procedure.subject", procedure=name),
                says="",
                paths=(("procedures", name),),
                clauses=(clause,),
                notes=(),
                short=say("aloud.paperwork.procedure.general", procedure=name),
                key=f"procedures.{name}",
                ours="all",
                sentence_ours="all",
            )


def _without_period(text: str) -> str:
    """A house's own sentence without its period, like other rule texts."""
    return text.removesuffix(".")


def rule_texts(sheet: Sheet) -> list[RuleText]:
    """Every rule of a sheet except pay tables, in the order of the headings."""
    texts = [*_common_rules(sheet), *family_of(sheet).rule_texts(sheet)]
    return sorted(texts, key=lambda text: HEADINGS.index(text.heading))


def rule_texts_in_force(sheet: Sheet) -> list[RuleText]:
    """Every rule of a sheet, and the general procedures that apply because it states none."""
    texts = [*rule_texts(sheet), *general_procedures(sheet)]
    return sorted(texts, key=lambda text: HEADINGS.index(text.heading))


def _common_rules(sheet: Sheet) -> Iterator[RuleText]:
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
