"""Drawers, boxes, racks, vault, statement, receipts and ledger, computed twice and compared."""

from __future__ import annotations

from collections import Counter as Sums
from collections.abc import Iterator

from pitbook.house.cage.slips import BoxCounted, box_account, drawer_account
from pitbook.house.cage.state import CageState, apply_entries
from pitbook.house.inspect.house_statement import house_statement
from pitbook.house.inspect.table_results import table_results
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.queries import ALL_TIME
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.nights.night_cache import charity_names
from pitbook.house.table import facts
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.table.stream_names import TABLE as STREAM


def balance_errors(house: LiveTables) -> list[str]:
    """Differences between them, and the audit's findings."""
    ledger, counter = house.ledger, house.cage.catch_up()
    again = apply_entries(CageState(), ledger.entries("cage"))
    errors = [] if again == counter else ["the counter is not the fold of its slips"]
    errors += [*_drawers(ledger, counter), *_boxes(house, counter), *_racks(house)]
    errors += [
        f"{finding.table} is off by {finding.variance}"
        for finding in table_results(ledger, ALL_TIME)
        if finding.variance
    ]
    if not house_statement(ledger, charity_of=charity_names(ledger), at="now").agrees:
        errors.append("the statement does not agree")
    numbers = [finding.number for finding in counter.receipts]
    if numbers != list(range(1, len(numbers) + 1)):
        errors.append("a receipt is missing")
    return errors + [str(finding) for finding in verify(ledger, replay_of=audit_of).findings]


def _drawers(ledger: Ledger, counter: CageState) -> Iterator[str]:
    held = ledger.balances("usd")
    for name, drawer in counter.drawers.items():
        if drawer.holds != held[drawer_account(name)]:
            yield f"drawer {name}: {drawer.holds}, the book {held[drawer_account(name)]}"
    closed = [account for account in held if account.name.startswith("drawer/") and held[account]]
    if extra := {account.name[7:] for account in closed} - set(counter.drawers):
        yield f"money in closed drawers: {extra}"
    slips = (counter.moves(foil.slip) for foil in counter.receipts)
    vault = Account("usd", "cash")
    moved = sum(
        (transfer.amount if transfer.debit == vault else 0)
        - (transfer.amount if transfer.credit == vault else 0)
        for slip in slips
        for transfer in slip
    )
    if moved != held[vault]:
        yield f"the vault has {held[vault]}, its receipts come to {moved}"


def _boxes(house: LiveTables, counter: CageState) -> Iterator[str]:
    """Boxes against buy-ins minus counts, and the drop against the counts."""
    ledger = house.ledger
    bought, expected_out, counted = Sums[str](), Sums[str](), Sums[str]()
    for name in house.tables:
        for entry in ledger.entries(f"{STREAM}{name}"):
            buy_ins = facts.FACTS.load_kind(entry, facts.BoughtIn)
            bought[name] += sum(fact.amount for fact in buy_ins)
    for foil in counter.receipts:
        if isinstance(foil.slip, BoxCounted) and foil.number not in counter.undone:
            expected_out[foil.slip.table] += foil.slip.expected
            counted[foil.slip.table] += foil.slip.counted
    drops = {result.table: result.drop for result in table_results(ledger, ALL_TIME)}
    for name in house.tables:
        if (box := ledger.balance(box_account(name))) != bought[name] - expected_out[name]:
            yield f"box {name}: {box}, {bought[name]} went in and {expected_out[name]} out"
        if drops[name] != counted[name] + box:
            yield f"drop {name}: {drops[name]}, {counted[name]} was counted and {box} lies there"


def _racks(house: LiveTables) -> Iterator[str]:
    for name, table in house.tables.items():
        rack = house.ledger.balance(Account("usd", "rack", name))
        if table.state.rack != rack:
            yield f"rack {name}: {table.state.rack}, the book {rack}"
