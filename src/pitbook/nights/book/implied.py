"""What every stream of a house implies: the registry that the audit is handed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

from pitbook.identity import persons
from pitbook.ledger.accounts import Account, Transfer, changes
from pitbook.ledger.batch import ANCHORS
from pitbook.ledger.book import NOTES
from pitbook.ledger.chain import Entry
from pitbook.ledger.clock import CLOCK
from pitbook.ledger.followed import Followed, NoMoney, unlike
from pitbook.ledger.prune import PRUNED
from pitbook.nights.book import templates
from pitbook.nights.book.closing import could_close
from pitbook.nights.book.evolve import evolve
from pitbook.nights.book.facts import name
from pitbook.nights.book.state import STREAM, NightState
from pitbook.nights.book.streams import told_in
from pitbook.nights.book.transfers import could_be, moved
from pitbook.nights.chips.figures import figures
from pitbook.nights.chips.reconciled import checks
from pitbook.table.live import cage, incidents, pit
from pitbook.table.live.cage import CageFollowed
from pitbook.table.past.implied import TableFollowed
from pitbook.table.past.winnings import Winnings
from pitbook.table.streams import PRACTICE, TABLE
from pitbook.train.school.facts import EXAMS, PUPIL
from pitbook.wording import say

__all__ = ["NightFollowed", "followed"]

PEOPLE = "people"  # The register of a server, which stands above.


class NightFollowed:
    """A night gone over again, fact by fact."""

    def __init__(self) -> None:
        self.state = NightState()
        self._holds: dict[Account, int] = defaultdict(int)

    def follow(self, entry: Entry) -> Iterator[str]:
        """What of an entry does not follow from what came before it."""
        made: list[Transfer] = []
        for fact in told_in(entry):
            if not could_be(self.state, fact) or not could_close(self.state, fact, self._holds):
                yield say("ledger.followed.other-fact", fact=name(fact))
            moves = moved(self.state, fact)
            for account, change in (one for transfer in moves for one in changes(transfer)):
                self._holds[account] += change
            made += moves
            self.state = evolve(self.state, fact)
        yield from unlike([_renamed(one) for one in entry.transfers], made)

    def is_kept(self, document: object) -> bool:
        """A night keeps no state."""
        return False

    def reconcile(
        self, streams: Mapping[str, Followed], balances: Mapping[Account, int]
    ) -> Iterator[str]:
        """Figures of the night that its facts and its accounts do not agree on."""
        if self.state.phase == "none":  # Claimed by a process that stopped before it wrote.
            return
        won = {table: _winnings(streams.get(f"{TABLE}{table}")) for table in self.state.tables}
        found = figures(self.state, won)
        yield from (one.told() for one in checks(self.state, found, balances) if one.off)


def _winnings(table: Followed | None) -> Winnings:
    """What a table has won; nothing if it was admitted and never opened."""
    if not isinstance(table, TableFollowed):
        return Winnings()
    return table.winnings.with_open_hands(table.state)


def _renamed(one: Transfer) -> Transfer:
    """Early books have the chips that a tournament's tables play with under its name."""
    return one._replace(debit=_table(one.debit), credit=_table(one.credit))


def _table(account: Account) -> Account:
    old = account.kind == "house" and account.unit.endswith(f"tournament:{account.name}")
    return account._replace(name="") if old else account


def followed(stream: str) -> Followed | None:
    """How a stream is gone over again; None where no part of the house writes one of that name."""
    if (whole := _STREAMS.get(stream)) is not None:
        return whole()
    return next((kind() for start, kind in _KINDS.items() if stream.startswith(start)), None)


_STREAMS: dict[str, Callable[[], Followed]] = {
    cage.STREAM: CageFollowed,
    persons.STREAM: NoMoney,
    pit.STREAM: NoMoney,
    incidents.STREAM: NoMoney,
    templates.STREAM: NoMoney,
    PEOPLE: NoMoney,
    CLOCK: NoMoney,
    PRUNED: NoMoney,
    ANCHORS: NoMoney,
    NOTES: NoMoney,
    EXAMS: NoMoney,
}
_KINDS: dict[str, Callable[[], Followed]] = {
    TABLE: TableFollowed,
    PRACTICE: TableFollowed,
    STREAM: NightFollowed,
    PUPIL: NoMoney,
}
