"""Drawers, boxes, racks, vault, statement, receipts and book, reckoned twice and held together."""

from __future__ import annotations

from collections import Counter as Sums
from collections.abc import Iterator

from pitbook.house.cage.slips import BoxCounted, box_account, drawer_account
from pitbook.house.cage.state import Counter, evolve
from pitbook.house.inspect.table_results import takings
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.queries import ALWAYS
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.nights.house_statement import house_statement
from pitbook.house.table import facts
from pitbook.house.table.streams import TABLE as STREAM
from pitbook.house.table.tables import LiveTables


def wrong_sums(house: LiveTables) -> list[str]:
    """Where two of them differ, and what the book finds."""
    ledger, counter = house.ledger, house.cage.catch_up()
    again = evolve(Counter(), ledger.entries("cage"))
    found = [] if again == counter else ["the counter is not the fold of its slips"]
    found += [*_drawers(ledger, counter), *_boxes(house, counter), *_racks(house)]
    found += [
        f"{finding.table} is off by {finding.off}"
        for finding in takings(ledger, ALWAYS)
        if finding.off
    ]
    if not house_statement(ledger, at="now").agrees:
        found.append("the statement does not agree")
    numbers = [finding.number for finding in counter.receipts]
    if numbers != list(range(1, len(numbers) + 1)):
        found.append("a receipt is missing")
    return found + [str(finding) for finding in verify(ledger, following=audit_of).findings]


def _drawers(ledger: Ledger, counter: Counter) -> Iterator[str]:
    held = ledger.balances("usd")
    for name, drawer in counter.drawers.items():
        if drawer.holds != held[drawer_account(name)]:
            yield f"drawer {name}: {drawer.holds}, the book {held[drawer_account(name)]}"
    closed = [one for one in held if one.name.startswith("drawer/") and held[one]]
    if extra := {one.name[7:] for one in closed} - set(counter.drawers):
        yield f"money in closed drawers: {extra}"
    slips = (counter.moves(one.slip) for one in counter.receipts)
    vault = Account("usd", "cash")
    moved = sum(
        (one.amount if one.debit == vault else 0) - (one.amount if one.credit == vault else 0)
        for slip in slips
        for one in slip
    )
    if moved != held[vault]:
        yield f"the vault has {held[vault]}, its receipts come to {moved}"


def _boxes(house: LiveTables, counter: Counter) -> Iterator[str]:
    """What went in, less what counts took out; and the drop, which is what was counted."""
    ledger = house.ledger
    bought, taken, found = Sums[str](), Sums[str](), Sums[str]()
    for name in house.tables:
        for entry in ledger.entries(f"{STREAM}{name}"):
            told = facts.FACTS.load_kind(entry, facts.BoughtIn)
            bought[name] += sum(fact.amount for fact in told)
    for foil in counter.receipts:
        if isinstance(foil.slip, BoxCounted) and foil.number not in counter.undone:
            taken[foil.slip.table] += foil.slip.expected
            found[foil.slip.table] += foil.slip.counted
    drops = {one.table: one.drop for one in takings(ledger, ALWAYS)}
    for name in house.tables:
        if (box := ledger.balance(box_account(name))) != bought[name] - taken[name]:
            yield f"box {name}: {box}, {bought[name]} went in and {taken[name]} out"
        if drops[name] != found[name] + box:
            yield f"drop {name}: {drops[name]}, {found[name]} was counted and {box} lies there"


def _racks(house: LiveTables) -> Iterator[str]:
    for name, table in house.tables.items():
        rack = house.ledger.balance(Account("usd", "rack", name))
        if table.state.rack != rack:
            yield f"rack {name}: {table.state.rack}, the book {rack}"
