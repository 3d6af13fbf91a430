"""One entry of the journal, and the hash by which it holds on to the one before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from pitbook.errors import LedgerError
from pitbook.house.ledger.accounts import Account, AccountKind, Transfer, move
from pitbook.text import say, sentence_of

FORMAT = 1
GENESIS = "0" * 64

Fact = Mapping[str, Any]

_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)


def _slowly(document: Any, _: int) -> Iterable[str]:
    """The same without C."""
    return _ENCODER.iterencode(document)


# Made once, since making it takes as long as a fact.
_ENCODE: Callable[[Any, int], Iterable[str]] = (
    json.encoder.c_make_encoder(  # type: ignore[attr-defined]
        None, _ENCODER.default, json.encoder.encode_basestring, None, ":", ",", True, False, False
    )
    if json.encoder.c_make_encoder  # type: ignore[attr-defined]
    else _slowly
)
_text: Callable[[str], str] = json.encoder.encode_basestring  # As the encoder writes it.


class Entry(NamedTuple):
    """What one append wrote: facts and transfers, who asked, and its place in the chain."""

    stream: str
    seq: int
    at: str
    epoch: int
    actor: str
    request: str | None
    body: str | None
    content: str
    previous: str
    hash: str

    @property
    def facts(self) -> list[dict[str, Any]]:
        """The facts, as they were given."""
        return list(parse_content(self.content)["facts"])

    @property
    def transfers(self) -> list[Transfer]:
        """The transfers, as they were given."""
        return parse_transfers(self.content)


class Canonical(str):
    """A document that is written already, in the one way."""

    __slots__ = ()


def canonical(document: Any) -> str:
    """The one way to write a document, so that equal ones have equal hashes."""
    if type(document) is Canonical:
        return document
    try:
        return "".join(_ENCODE(document, 0))
    except (TypeError, ValueError) as error:
        raise LedgerError(say("ledger.chain.no-json", error=sentence_of(error))) from None


def content(facts: Sequence[Fact | Canonical], moved: Sequence[Transfer]) -> str:
    """Facts and transfers as the journal keeps them."""
    told, paid = ",".join(map(canonical, facts)), ",".join(map(_written, moved))
    return f'{{"facts":[{told}],"format":{FORMAT},"transfers":[{paid}]}}'


def _written(one: Transfer) -> str:
    """A transfer in the one way, spelled out: it is written more often than anything else."""
    debit, credit = _text(str(one.debit)), _text(str(one.credit))
    unit, why = _text(one.debit.unit), _text(one.why)
    return f'{{"cents":{one.amount},"credit":{credit},"debit":{debit},"unit":{unit},"why":{why}}}'


def parse_content(kept: str) -> dict[str, Any]:
    """What an entry keeps; raises LedgerError where that is damaged."""
    try:
        document = json.loads(kept)
    except ValueError:
        raise LedgerError(say("ledger.chain.entry-no-json")) from None
    if not isinstance(document, dict) or set(document) != {"format", "facts", "transfers"}:
        raise LedgerError(say("ledger.chain.entry-fields"))
    if document["format"] != FORMAT:
        raise LedgerError(say("ledger.chain.entry-format", found=document["format"], ours=FORMAT))
    return document


def parse_transfers(kept: str | dict[str, Any]) -> list[Transfer]:
    """The transfers that an entry keeps; what was read before is not read again."""
    document = parse_content(kept) if isinstance(kept, str) else kept
    return [_transfer(one) for one in document["transfers"]]


def entry_hash(entry: Entry) -> str:
    """The hash over all of an entry and, through `previous`, over all before it."""
    return digest(f"[{FORMAT},{','.join(map(_value, entry[:-1]))}]")


def _value(one: str | int | None) -> str:
    if isinstance(one, str):
        return _text(one)
    return "null" if one is None else str(one)


def digest(text: str) -> str:
    """SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def parse_account(unit: str, text: str) -> Account:
    """The account that a text like "wallet:ann" names."""
    kind, _, name = text.partition(":")
    return Account(unit, cast(AccountKind, kind), name)


def _transfer(kept: Any) -> Transfer:
    try:
        debit, credit = (parse_account(kept["unit"], kept[side]) for side in ("debit", "credit"))
        return move(debit, credit, kept["cents"], kept["why"])
    except (KeyError, TypeError, AttributeError):
        raise LedgerError(say("ledger.chain.no-transfer")) from None
