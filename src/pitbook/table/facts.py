"""What has happened at a table, as the ledger keeps it. The state is the fold of these, no more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pitbook.cards import Card, name
from pitbook.engine.actions import Action, Place, place_written
from pitbook.engine.journal import encode
from pitbook.engine.report import report
from pitbook.engine.round import Round
from pitbook.money import Cents, money

Json = dict[str, Any]
Fact = Mapping[str, Any]
Stakes = tuple[tuple[str, Cents], ...]

FORMAT = 1
LAST_CALL = "last-call"  # The clock of those who have not bet when all others are ready.


def table_opened(
    *,
    table: str,
    kind: str,
    unit: str,
    sheet: Json,
    clocks: Json,
    coach: bool,
    stake: Cents,
    owner: str,
) -> Fact:
    """A table with its rules, before anybody sits."""
    return {
        "fact": "table-opened",
        "format": FORMAT,
        "table": table,
        "kind": kind,
        "unit": unit,
        "sheet": sheet,
        "clocks": clocks,
        "coach": coach,
        "stake": money(stake),
        "owner": owner,
    }


def sheet_changed(sheet: Json) -> Fact:
    """Other rules, from the next round on."""
    return {"fact": "sheet-changed", "sheet": sheet}


def sat(seat: int, player: str, given: Cents) -> Fact:
    """A player took a position; a guest may be given chips to start with."""
    return {"fact": "sat", "seat": seat, "player": player, "given": money(given)}


def refilled(seat: int, player: str, given: Cents) -> Fact:
    """A player in practice was given chips again."""
    return {"fact": "refilled", "seat": seat, "player": player, "given": money(given)}


def left(seat: int, player: str) -> Fact:
    """A position is free again."""
    return {"fact": "left", "seat": seat, "player": player}


def shoe_opened(record: Json, sheet_hash: str, spot: Json | None = None) -> Fact:
    """A fresh shoe, shuffled and committed to; an arranged one says for which spot."""
    opened = {"fact": "shoe-opened", "record": record, "sheet": sheet_hash}
    return opened if spot is None else {**opened, "spot": spot}


def seat_seed(seat: int, text: str) -> Fact:
    """A seat's own seed, mixed into the shoe."""
    return {"fact": "seat-seed", "seat": seat, "text": text}


def shoe_revealed(shoe: str, seed: str | None, seat_seeds: Mapping[int, str]) -> Fact:
    """The shoe has ended; with its seed anybody can deal it again."""
    seeds = [[seat, seat_seeds[seat]] for seat in sorted(seat_seeds)]
    return {"fact": "shoe-revealed", "id": shoe, "seed": seed, "seat_seeds": seeds}


def round_opened(round: str, number: int, sheet_hash: str, shoe: str) -> Fact:
    """An empty layout; the rules in force are those of this sheet."""
    return {
        "fact": "round-opened",
        "round": round,
        "number": number,
        "sheet": sheet_hash,
        "shoe": shoe,
    }


def wagered(seat: int, before: Stakes) -> Fact:
    """A seat's wagers are about to change; undo leads back to these."""
    return {"fact": "wagered", "seat": seat, "before": stakes_out(before)}


def undone(seat: int) -> Fact:
    """A seat's wagers are again what they were."""
    return {"fact": "undone", "seat": seat}


def ready(seat: int, player: str, on: bool) -> Fact:
    """A player wants no more time to bet, or wants it again."""
    return {"fact": "ready", "seat": seat, "player": player, "on": on}


def acted(action: Action) -> Fact:
    """The round went one step on."""
    return {"fact": "acted", "action": encode(action)}


def corrected(place: Place, number: int, *, was: Card, card: Card, why: str) -> Fact:
    """A card was typed wrongly and is another."""
    return {
        "fact": "corrected",
        "place": place_written(place),
        "number": number,
        "was": name(was),
        "card": name(card),
        "why": why,
    }


def settled(round: str, over: Round) -> Fact:
    """A round is over, with every line of it."""
    return {"fact": "settled", "round": round, "report": report(over)}


def deadline(what: str, at: str) -> Fact:
    """The clock for betting, last-call, decision or agree runs until then."""
    return {"fact": "deadline", "what": what, "at": at}


def advice(seat: int, text: str, play: str = "") -> Fact:
    """The coach told a seat something, perhaps of a play that it thought of making."""
    told = {"fact": "advice", "seat": seat, "text": text}
    return {**told, "play": play} if play else told


def agreed(player: str, finish: bool) -> Fact:
    """A player answered whether to finish an interrupted hand."""
    return {"fact": "agreed", "player": player, "finish": finish}


def interrupted(why: str, awaiting: Iterable[str] | None) -> Fact:
    """Play stopped with a hand on the table; these players are asked whether to finish it."""
    asked = None if awaiting is None else sorted(awaiting)
    return {"fact": "interrupted", "why": why, "awaiting": asked}


def resumed(why: str) -> Fact:
    """Play goes on; every clock starts anew."""
    return {"fact": "resumed", "why": why}


def fill(amount: Cents, why: str) -> Fact:
    """The house put money into the rack."""
    return {"fact": "fill", "amount": money(amount), "why": why}


def credit(amount: Cents) -> Fact:
    """The rack gave money back to the house."""
    return {"fact": "credit", "amount": money(amount)}


def shuffler(working: bool) -> Fact:
    """The shuffling machine failed, or was repaired."""
    return {"fact": "shuffler", "working": working}


def coach(on: bool) -> Fact:
    """The coach was turned on or off."""
    return {"fact": "coach", "on": on}


def retired(rack: Cents) -> Fact:
    """The table is closed for good, its rack given back."""
    return {"fact": "retired", "rack": money(rack)}


def stakes_out(stakes: Stakes) -> list[list[str]]:
    """Wagers with their amounts, as JSON."""
    return [[wager, money(amount)] for wager, amount in stakes]
