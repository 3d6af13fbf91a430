"""What every sheet says of its house, seats, cards and wagers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pitbook.money import spoken
from pitbook.sheets.aloud.saying import Saying, said
from pitbook.sheets.aloud.words import amounts, bounds, counted, day, listed, number, often
from pitbook.sheets.model import Deck, Equipment, Sheet, SideWager


def house(sheet: Sheet) -> Iterator[Saying]:
    """Who deals the game, where and since when."""
    here, at = sheet.house, "House"
    if not sheet.title.startswith(here.venue):
        yield said(at, None, "the venue", f"is {here.venue}", "house.venue")
    yield said(at, None, "the game", f"is called {sheet.title}", "title")
    if here.jurisdiction != "any":
        says = f"is under the rules of {here.jurisdiction}"
        yield said(at, None, "the game", says, "house.jurisdiction")
    since = f"hold from {day(sheet.effective)}" if sheet.effective else "are undated"
    yield said(at, None, "the rules", since, "effective")
    if past := sheet.history:
        says = "are not known" if past.earlier == "unknown" else "did not exist"
        yield said(at, "Before", "earlier rules", says, "history.earlier", past)
    if yes := here.approval:
        by, fields = f"{yes.by}, {day(yes.on)}", "house.approval.by house.approval.on"
        says = f"was approved by {yes.by} on {day(yes.on)}"
        yield said(at, "Approval", "the game", says, fields, yes, short=by)
    chips = amounts(here.chips.values)
    fields = "house.chips.values"
    yield said(at, "Chips", "the chips", f"are {chips}", fields, here.chips, short=chips)


def seats(sheet: Sheet) -> Iterator[Saying]:
    """Positions, and who may play how many."""
    rule, at = sheet.seats, "Seats"
    count = counted(rule.count, "position", "positions")
    yield said(at, "Table", "the table", f"has {count}", "seats.count", rule, short=count)
    own = rule.per_player
    says = "one position" if own.value == 1 else f"up to {number(own.value)} positions"
    fields = "seats.per_player"
    yield said(at, "Each player", "a player", f"has {says}", fields, own, short=says)
    if near := rule.adjacent:
        must = "must be" if near.value else "need not be"
        says, subject = f"{must} next to each other", "several positions of one player"
        short = f"several {says}"
        yield said(at, "", subject, says, "seats.adjacent", near, short=short)
    if ends := rule.ends_meet:
        says = "are neighbours" if ends.value else "are not neighbours"
        subject = "the first and the last position"
        yield said(at, "", subject, says, "seats.ends_meet", ends)


def cards(sheet: Sheet) -> Iterator[Saying]:
    """Decks, shuffles and what lies on the table."""
    deck, at = sheet.deck, "Cards"
    count = counted(deck.decks, "deck", "decks") + " of 52 cards"
    yield said(at, "Deck", "the game", f"has {count}", "deck.decks", deck, short=count)
    short = "by an automatic shuffler" if deck.shuffle == "automatic" else "by hand"
    fields = "deck.shuffle"
    yield said(at, "Shuffle", "the cards", f"are shuffled {short}", fields, deck, short=short)
    short = _fresh(deck)
    fields = "deck.fresh deck.cut_card"
    yield said(at, "", "the cards", f"are shuffled {short}", fields, deck.fresh, short=short)
    yield from _fallback(deck)
    if turns := deck.alternate:
        says = "alternate: one is dealt, the other shuffled" if turns.value else "do not alternate"
        yield said(at, "Packs", "the packs", says, "deck.alternate", turns, short=says)
    if there := sheet.equipment:
        says = _equipment(there)
        fields = "equipment"
        yield said(at, "Equipment", "the table", f"has {says}", fields, there, short=says)


def _fresh(deck: Deck) -> str:
    if deck.fresh.value == "each-round":
        return "afresh for each round"
    left = counted(deck.cut_card or 0, "card", "cards")
    return f"afresh when the cut card comes, {left} before the end"


def _fallback(deck: Deck) -> Iterator[Saying]:
    rule = deck.fallback
    if deck.shuffle == "hand" and rule.value == "hand":
        return  # There is no machine that could fail.
    again = often(deck.fallback_times)
    says = {
        "no-game": "there is no game",
        "hand": f"the cards are shuffled by hand, {again}",
        "house-blackjack": f"the house's blackjack shuffle is made {again}",
    }[rule.value]
    fields = "deck.fallback deck.fallback_times"
    yield said("Cards", "", "if the shuffler fails,", says, fields, rule)


def _equipment(there: Equipment) -> str:
    odds = " with the odds printed on it" if there.odds_printed else ""
    parts = [f"the {there.layout} layout{odds}", counted(there.packs, "pack", "packs")]
    if there.cut_cards:
        parts.append(counted(there.cut_cards, "cut card", "cut cards"))
    if there.discard_rack:
        parts.append("a discard rack")
    return listed(parts)


def wagers(sheet: Sheet) -> Iterator[Saying]:
    """What must and what may be wagered."""
    at, main = "Wagers", sheet.main_wager
    field = sheet.main_id
    name = f"the {main.title}"
    yield said(at, None, "the main wager", f"is called {main.title}", f"{field}.title", key="main")
    fields, key = f"{field}.min {field}.max", "main.bounds"
    short = f"{bounds(main)} in steps of {spoken(main.step)}, required"
    says, rest = f"is {bounds(main)}", {"short": short, "key": key, "also": "step"}
    yield said(at, main.title, name, says, fields, main, **rest)
    says = f"is made in steps of {spoken(main.step)}"
    yield said(at, None, name, says, f"{field}.step", key="main.step")
    for wager, side in sheet.side.items():
        yield from _side(wager, side, sheet.looks_at)
    if flat := sheet.single_bet_max:
        says, short = f"is above {spoken(flat.value)}", f"{spoken(flat.value)} at most"
        subject = "no single bet, raise or re-raise"
        yield said(at, "Any bet", subject, says, "single_bet_max", flat, short=short)


def _side(wager: str, side: SideWager, cards: Mapping[str, str]) -> Iterator[Saying]:
    at, name, stake = "Side wagers", f"the {side.title}", side.stake
    subject = f"the side wager {wager}"
    yield said(at, None, subject, f"is called {side.title}", f"side.{wager}.title")
    asked, inside = "required" if stake.required else "optional", f"side.{wager}.stake"
    short = f"{bounds(stake)} in steps of {spoken(stake.step)}, {asked}"
    says, fields = f"is {bounds(stake)}", f"{inside}.min {inside}.max"
    yield said("Wagers", side.title, name, says, fields, stake, short=short, also="step")
    yield said(at, None, name, f"is {asked}", f"{inside}.required")
    says = f"is made in steps of {spoken(stake.step)}"
    yield said(at, None, name, says, f"{inside}.step")
    says = f"looks at {cards[side.looks_at]}"
    yield said(at, None, name, says, f"side.{wager}.looks_at")
