"""How fast a ledger is verified, and how long a million rounds take.

A round has three players at a live table: wagers, cards, decisions, settlement. Verifying reads
every entry, checks hashes, sums and signatures, and replays every round. Time is linear in
rounds, so a million are extrapolated. Pass the number of rounds, and of tables that play them,
to measure a larger ledger: `10000 50` makes a million, half of them of each sheet. Seconds are
CPU seconds, so that a busy machine does not matter.
"""

from __future__ import annotations

import json
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from pitbook import load
from pitbook.house.cage.slips import SLIPS, BuyIn, slip_transfers
from pitbook.house.ledger.accounts import Account, Transfer
from pitbook.house.ledger.append_batch import Append
from pitbook.house.ledger.audit import LedgerVerdict
from pitbook.house.ledger.data_folder import KEYS_FILE, Folder, ledger_url
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.keys import read_keys
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.table import commands
from pitbook.house.table.apply_facts import replay
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.decide import decide, opening_facts
from pitbook.house.table.environment import LiveEnv
from pitbook.house.table.facts import FACTS
from pitbook.house.table.state import TableState
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Refusal
from pitbook.shoe.crypto import Vault

ROUNDS = 500
MILLION = 1_000_000
SHEETS = ("catfish-bend/mississippi-stud", "catfish-bend/matchem-hi-lo")
PLAYERS = ("ann", "bob", "cleo")
DEALER = By("dana", "dealer")
PLAYER_FUNDS = dollars("9000000")
TABLE = "table0000"


def main() -> int:
    arguments = [int(argument) for argument in sys.argv[1:]]
    rounds, tables = (arguments + [ROUNDS, 1][len(arguments) :])[:2]
    slowest = 0.0
    for sheet in SHEETS:
        with tempfile.TemporaryDirectory() as folder:
            played, verdict, seconds, bare_seconds = measure(
                Path(folder, "house"), sheet, rounds, tables
            )
        rate = played / seconds
        print(
            f"{sheet}: {played:,} rounds in {verdict.entries:,} entries: {seconds:.2f} s, "
            f"{rate:,.0f} rounds a second; without playing them again {bare_seconds:.2f} s"
        )
        slowest = max(slowest, MILLION / rate)
        if verdict.findings:
            print(*verdict.findings[:5], sep="\n")
            return 1
    print(f"a million rounds take {slowest / 60:,.0f} minutes or less, on one processor")
    return 0


def measure(
    path: Path, sheet: str, rounds: int, tables: int
) -> tuple[int, LedgerVerdict, float, float]:
    """Write a ledger of rounds; return its verdict and the time to verify it."""
    Folder.make(path).close()
    engine = connect(ledger_url(path, None), synchronous="OFF")
    with Folder(path, read_keys(path / KEYS_FILE), Ledger(engine)) as folder:
        played = _TableWriter(folder.ledger, sheet).play_rounds(rounds, tables)
        folder.sign()
        start = process_time()
        verdict = folder.verify(replay_of=audit_of)
        middle = process_time()
        folder.verify()
        return played, verdict, middle - start, process_time() - middle


class _TableWriter:
    """A table that plays by itself and writes straight to the ledger."""

    def __init__(self, ledger: Ledger, sheet: str) -> None:
        self._ledger, self._state = ledger, TableState()
        self._appends: list[Append] = []
        self._env = LiveEnv(
            Vault(bytes(32)), wallet=lambda _: PLAYER_FUNDS, now=lambda: datetime.now(UTC)
        )
        cage = ledger.claim("cage")
        for player in PLAYERS:
            slip = BuyIn(player, PLAYER_FUNDS)
            ledger.append("cage", cage, [SLIPS.dump(slip)], slip_transfers(slip))
        facts = opening_facts(
            table=TABLE, kind="house", unit="usd", sheet=load(sheet), env=self._env
        )
        self._appends.append(Append(f"table/{TABLE}", None))
        self._appends.append(Append(f"table/{TABLE}", 1, FACTS.dump_all(facts)))
        self._state = replay(facts)
        for seat, player in enumerate(PLAYERS, start=1):
            self._apply(By(player, "player"), commands.Sit(seat))

    def play_rounds(self, count: int, tables: int) -> int:
        """Play rounds, and write them to the stream of each table."""
        main, rule = self._state.game.main
        for _ in range(count):
            for seat, player in enumerate(PLAYERS, start=1):
                self._apply(By(player, "player"), commands.PutWager(seat, main, Cents(rule.min)))
            self._apply(DEALER, commands.CloseBetting())
            while self._state.round is not None and (waiting := self._state.round.waiting):
                player = PLAYERS[waiting[0] - 1]
                self._apply(By(player, "player"), commands.Decide(waiting[0], self._first_play()))
        for number in range(tables):
            appends = [_move_append(append, f"table{number:04}") for append in self._appends]
            [self._ledger.submit(append) for append in appends][-1].result()
        return count * tables

    def _first_play(self) -> str:
        assert self._state.round is not None
        plays = self._state.round.game.plays(self._state.round.stage)
        return next(play for play in plays if play != "fold")

    def _apply(self, by: By, command: Command) -> None:
        decision = decide(self._state, Envelope(by, command), self._env)
        assert not isinstance(decision, Refusal), (command, decision)
        records = FACTS.dump_all(decision.facts)
        self._appends.append(Append(f"table/{TABLE}", 1, records, decision.transfers, by.name))
        self._state = decision.after[-1]


def _move_append(append: Append, table: str) -> Append:
    """The same append for another table: its name is in the stream, accounts, rounds and events."""
    facts = json.loads(json.dumps(append.facts).replace(TABLE, table))
    transfers = [
        Transfer(
            _move_account(transfer.debit, table),
            _move_account(transfer.credit, table),
            transfer.amount,
            _rename_table(transfer.why, table),
        )
        for transfer in append.transfers
    ]
    return append._replace(
        stream=_rename_table(append.stream, table), facts=facts, transfers=tuple(transfers)
    )


def _move_account(account: Account, table: str) -> Account:
    return account._replace(name=_rename_table(account.name, table))


def _rename_table(text: str, table: str) -> str:
    return text.replace(TABLE, table)


if __name__ == "__main__":
    sys.exit(main())
