"""Practice leaves nothing behind: a stream that may be pruned goes whole, and a fact says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection, delete, exists, func, select

from pitbook.errors import LedgerError
from pitbook.house.ledger import schema
from pitbook.house.ledger.batch import Append, write
from pitbook.house.ledger.database import cause, failures, writing
from pitbook.house.ledger.kinds import moves_no_money, register
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.book import Ledger

PRUNED = register("pruned", moves_no_money, module=__name__)
_S, _P, _A = schema.stream.c, schema.posting.c, schema.account.c


def prune(ledger: Ledger, name: str, *, at: str) -> None:
    """Delete a practice stream that left no account richer or poorer."""
    try:
        with writing(ledger.engine).begin() as connection:
            _prune(connection, name, at)
    except failures(ledger.engine) as error:
        raise LedgerError(say("ledger.prune.failed", name=name, why=cause(error))) from error


def _prune(connection: Connection, name: str, at: str) -> None:
    asked = select(schema.stream).where(_S.name == name).with_for_update()
    stream = connection.execute(asked).one_or_none()
    if stream is None or not stream.prunable:
        raise LedgerError(say("ledger.prune.no-practice", name=name))
    mine = _P.stream == stream.id
    sums = select(_P.account).where(mine).group_by(_P.account).having(func.sum(_P.amount) != 0)
    if connection.execute(sums).first() is not None:
        raise LedgerError(say("ledger.prune.holds-money", name=name))
    touched = connection.execute(select(_P.account).where(mine).distinct()).scalars().all()
    fact = {"fact": PRUNED, "stream": name, "seq": stream.seq, "head": stream.head}
    write(connection, [Append(PRUNED, None, (fact,))], at)
    for table in (schema.posting, schema.snapshot, schema.entry):
        connection.execute(delete(table).where(table.c.stream == stream.id))
    connection.execute(delete(schema.stream).where(_S.id == stream.id))
    unused = ~exists().where(_P.account == _A.id)
    connection.execute(delete(schema.account).where(_A.id.in_(touched), unused))
