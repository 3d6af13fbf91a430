"""How fast a book is verified, and how long a million rounds take.

A round is one of three players at a live table: wagers, cards, decisions, settlement. Verifying
reads every entry, works out hashes, sums and signatures, and plays every round again from its
facts. It goes by rounds evenly, so a million take a million times one; give a number of rounds, and
of tables that each play them, to measure a larger book: `10000 50` has a million in all, half of
them of each sheet. Seconds are the processor's own, so that a busy machine does not count.
"""

from __future__ import annotations

import json
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from pitbook import load
from pitbook.house.cage.slips import SLIPS, BuyIn, moved
from pitbook.house.ledger.accounts import Account, Transfer
from pitbook.house.ledger.audit import BookVerdict
from pitbook.house.ledger.batch import Append
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.folder import KEYS, Folder, book_url
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.keys import read_keys
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.table import commands
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.decide import decide, opening_facts
from pitbook.house.table.env import LiveEnv
from pitbook.house.table.facts import FACTS
from pitbook.house.table.state import TableState, replay
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Refusal
from pitbook.shoe.vault import Vault

ROUNDS = 500
MILLION = 1_000_000
SHEETS = ("catfish-bend/mississippi-stud", "catfish-bend/matchem-hi-lo")
PLAYERS = ("ann", "bob", "cleo")
DEALER = By("dana", "dealer")
RICH = dollars("9000000")
TABLE = "table0000"


def main() -> int:
    given = [int(one) for one in sys.argv[1:]]
    rounds, tables = (given + [ROUNDS, 1][len(given) :])[:2]
    slowest = 0.0
    for sheet in SHEETS:
        with tempfile.TemporaryDirectory() as place:
            made, verdict, seconds, bare = measured(Path(place, "house"), sheet, rounds, tables)
        rate = made / seconds
        print(
            f"{sheet}: {made:,} rounds in {verdict.entries:,} entries: {seconds:.2f} s, "
            f"{rate:,.0f} rounds a second; without playing them again {bare:.2f} s"
        )
        slowest = max(slowest, MILLION / rate)
        if verdict.findings:
            print(*verdict.findings[:5], sep="\n")
            return 1
    print(f"a million rounds take {slowest / 60:,.0f} minutes or less, on one processor")
    return 0


def measured(
    path: Path, sheet: str, rounds: int, tables: int
) -> tuple[int, BookVerdict, float, float]:
    """A book of so many rounds; what verifying it says, and how long it takes."""
    Folder.make(path).close()
    engine = connect(book_url(path, None), synchronous="OFF")
    with Folder(path, read_keys(path / KEYS), Ledger(engine)) as folder:
        made = _Played(folder.ledger, sheet).rounds(rounds, tables)
        folder.sign()
        start = process_time()
        verdict = folder.verify(following=audit_of)
        whole = process_time()
        folder.verify()
        return made, verdict, whole - start, process_time() - whole


class _Played:
    """A table that plays by itself, straight into the book."""

    def __init__(self, ledger: Ledger, sheet: str) -> None:
        self._ledger, self._state = ledger, TableState()
        self._written: list[Append] = []
        self._luck = LiveEnv(Vault(bytes(32)), wallet=lambda _: RICH, now=lambda: datetime.now(UTC))
        cage = ledger.claim("cage")
        for player in PLAYERS:
            slip = BuyIn(player, RICH)
            ledger.append("cage", cage, [SLIPS.dump(slip)], moved(slip))
        facts = opening_facts(
            table=TABLE, kind="house", unit="usd", sheet=load(sheet), env=self._luck
        )
        self._written.append(Append(f"table/{TABLE}", None))
        self._written.append(Append(f"table/{TABLE}", 1, FACTS.dump_all(facts)))
        self._state = replay(facts)
        for seat, player in enumerate(PLAYERS, start=1):
            self._do(By(player, "player"), commands.Sit(seat))

    def rounds(self, count: int, tables: int) -> int:
        """Play so many, and write them into the book of each table."""
        main, rule = self._state.game.main
        for _ in range(count):
            for seat, player in enumerate(PLAYERS, start=1):
                self._do(By(player, "player"), commands.PutWager(seat, main, Cents(rule.min)))
            self._do(DEALER, commands.CloseBetting())
            while self._state.round is not None and (waiting := self._state.round.waiting):
                player = PLAYERS[waiting[0] - 1]
                self._do(By(player, "player"), commands.Decide(waiting[0], self._play()))
        for number in range(tables):
            each = [_at(append, f"table{number:04}") for append in self._written]
            [self._ledger.submit(append) for append in each][-1].result()
        return count * tables

    def _play(self) -> str:
        assert self._state.round is not None
        plays = self._state.round.game.plays(self._state.round.stage)
        return next(play for play in plays if play != "fold")

    def _do(self, by: By, command: Command) -> None:
        made = decide(self._state, Envelope(by, command), self._luck)
        assert not isinstance(made, Refusal), (command, made)
        kept = FACTS.dump_all(made.facts)
        self._written.append(Append(f"table/{TABLE}", 1, kept, made.transfers, by.name))
        self._state = made.after[-1]


def _at(append: Append, table: str) -> Append:
    """The same at another table: its name stands in the stream, in accounts, rounds and facts."""
    facts = json.loads(json.dumps(append.facts).replace(TABLE, table))
    moved = [
        Transfer(
            _own(one.debit, table), _own(one.credit, table), one.amount, _named(one.why, table)
        )
        for one in append.transfers
    ]
    return append._replace(stream=_named(append.stream, table), facts=facts, transfers=tuple(moved))


def _own(account: Account, table: str) -> Account:
    return account._replace(name=_named(account.name, table))


def _named(text: str, table: str) -> str:
    return text.replace(TABLE, table)


if __name__ == "__main__":
    sys.exit(main())
