"""What every sheet says of its house, seats, cards and wagers."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.sheets.aloud.saying import Saying, aloud
from pitbook.sheets.aloud.words import bounds, often
from pitbook.sheets.approval import approval_status
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Approval, Deck, Equipment, MainWager, SideWager, Stake
from pitbook.text import Sentence, say


def house(sheet: Sheet) -> Iterator[Saying]:
    """Who deals the game, where and since when."""
    here, at = sheet.house, "House"
    if not sheet.title.startswith(here.venue):
        # A state's regulation names no casino: its sheet has the state for a venue.
        key = "aloud.house.any" if here.venue == here.jurisdiction else "aloud.house.venue"
        yield aloud(at, key, "house.venue", venue=here.venue)
    yield aloud(at, "aloud.house.title", "title", title=sheet.title)
    if here.jurisdiction != "any":
        law = here.jurisdiction
        yield aloud(at, "aloud.house.jurisdiction", "house.jurisdiction", law=law)
    if sheet.effective:
        yield aloud(at, "aloud.house.since", "effective", day=sheet.effective)
    else:
        yield aloud(at, "aloud.house.undated", "effective")
    if past := sheet.history:
        known = past.earlier
        yield aloud(at, "aloud.house.earlier", "history.earlier", past, earlier=known)
    if here.approval:
        yield _approval(sheet, here.approval)
    if money := here.currency:
        yield aloud(at, "aloud.house.currency", "house.currency", currency=money)
    chips = tuple(here.chips.values)
    yield aloud(at, "aloud.house.chips", "house.chips.values", here.chips, chips=chips)


def _approval(sheet: Sheet, recorded: Approval) -> Saying:
    """The approval; a draft leaves out the note on it, which speaks of other rules."""
    status = approval_status(sheet)
    told = (
        recorded.model_copy(update={"note": None, "ours": False}) if status == "draft" else recorded
    )
    details = ("by", "on", "signatory", "reference", "rules_hash", "papers")
    fields = " ".join(f"house.approval.{name}" for name in details)
    return aloud(
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


def seats(sheet: Sheet) -> Iterator[Saying]:
    """Positions, and who may play how many."""
    rule, at = sheet.seats, "Seats"
    yield aloud(at, "aloud.seats.count", "seats.count", rule, count=rule.count)
    own = rule.per_player
    yield aloud(at, "aloud.seats.per-player", "seats.per_player", own, count=own.value)
    if near := rule.adjacent:
        yield aloud(at, "aloud.seats.adjacent", "seats.adjacent", near, must=near.value)
    if ends := rule.ends_meet:
        yield aloud(at, "aloud.seats.ends-meet", "seats.ends_meet", ends, meet=ends.value)


def cards(sheet: Sheet) -> Iterator[Saying]:
    """Decks, shuffles and what lies on the table."""
    deck, at = sheet.deck, "Cards"
    yield aloud(at, "aloud.cards.decks", "deck.decks", deck, decks=deck.decks)
    yield aloud(at, "aloud.cards.shuffle", "deck.shuffle", deck, shuffle=deck.shuffle)
    fields, when, left = "deck.fresh deck.cut_card", deck.fresh.value, deck.cut_card or 0
    yield aloud(at, "aloud.cards.fresh", fields, deck.fresh, when=when, left=left)
    yield from _fallback(deck)
    if turns := deck.alternate:
        yield aloud(at, "aloud.cards.packs", "deck.alternate", turns, alternate=turns.value)
    if there := sheet.equipment:
        things = tuple(_equipment(there))
        yield aloud(at, "aloud.cards.equipment", "equipment", there, things=things)


def _fallback(deck: Deck) -> Iterator[Saying]:
    rule = deck.fallback
    if deck.shuffle == "hand" and rule.value == "hand":
        return  # There is no machine that could fail.
    fields, again = "deck.fallback deck.fallback_times", often(deck.fallback_times)
    yield aloud("Cards", "aloud.cards.fallback", fields, rule, rule=rule.value, again=again)


def _equipment(there: Equipment) -> Iterator[Sentence]:
    yield say("aloud.cards.layout", layout=there.layout, odds=bool(there.odds_printed))
    yield say("aloud.cards.pack-count", count=there.packs)
    if there.cut_cards:
        yield say("aloud.cards.cut-cards", count=there.cut_cards)
    if there.discard_rack:
        yield say("aloud.cards.discard-rack")


def wagers(sheet: Sheet) -> Iterator[Saying]:
    """What must and what may be wagered."""
    at, main, field = "Wagers", sheet.main_wager, sheet.main_id
    yield aloud(at, "aloud.wagers.main", f"{field}.title", at="main", title=main.title)
    yield _bounds(main, main.title, field, "main.bounds", required=True)
    yield _steps(at, main, main.title, field, "main.step")
    for wager, side in sheet.side.items():
        yield from _side(sheet, wager, side)
    if flat := sheet.single_bet_max:
        yield aloud(at, "aloud.wagers.single-bet", "single_bet_max", flat, most=flat.value)


def _bounds(
    rule: Stake | MainWager, title: str, field: str, key: str = "", *, required: bool
) -> Saying:
    return aloud(
        "Wagers",
        "aloud.wagers.bounds",
        f"{field}.min {field}.max",
        rule,
        at=key,
        also="step",
        title=title,
        bounds=bounds(rule),
        step=rule.step,
        required=required,
    )


def _steps(heading: str, rule: Stake, title: str, field: str, key: str = "") -> Saying:
    fields = f"{field}.step"
    return aloud(heading, "aloud.wagers.step", fields, rule, at=key, title=title, step=rule.step)


def _side(sheet: Sheet, wager: str, side: SideWager) -> Iterator[Saying]:
    at, title, stake, inside = "Side wagers", side.title, side.stake, f"side.{wager}.stake"
    fields = f"side.{wager}.title"
    yield aloud(at, "aloud.wagers.side", fields, wager=wager, title=title)
    yield _bounds(stake, title, inside, required=stake.required)
    fields, asked = f"{inside}.required", stake.required
    yield aloud(at, "aloud.wagers.required", fields, title=title, required=asked)
    yield _steps(at, stake, title, inside)
    if alone := stake.alone:
        fields, main, may = f"{inside}.alone", sheet.main_wager.title, bool(alone.value)
        yield aloud("Wagers", "aloud.wagers.alone", fields, alone, title=title, main=main, may=may)
    fields, what = f"side.{wager}.looks_at", looked_at(sheet, side)
    only = side.looks_at == "community"
    yield aloud(at, "aloud.wagers.looks-at", fields, title=title, cards=what, alone=only)


def looked_at(sheet: Sheet, side: SideWager) -> Sentence:
    """The cards that a side wager looks at."""
    plain = sheet.looks_at[side.looks_at]
    return say("aloud.wagers.cards", cards=side.looks_at, plain=plain)
