"""What the amounts of each table are of: its sheet's money, or the chips of a tournament."""

from __future__ import annotations

from pitbook.house.ledger.book import Ledger
from pitbook.house.ledger.questions import Streams
from pitbook.house.table.facts import FACTS, TableOpened
from pitbook.house.table.state import currency_of, unit_currency
from pitbook.house.table.streams import TABLE


def currencies(ledger: Ledger) -> dict[str, str]:
    """The tables whose amounts are no US dollars, and what they are of; it stays so for good."""
    with ledger.moment() as book:
        ends = book.ends(Streams(beginning=(TABLE,)))
        opened = [fact for first, _ in ends for fact in FACTS.of(first, TableOpened)]
    found = ((one.table, unit_currency(one.unit, currency_of(one.sheet))) for one in opened)
    return {table: currency for table, currency in found if currency}
