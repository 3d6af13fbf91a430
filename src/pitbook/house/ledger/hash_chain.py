"""Journal entries, their canonical JSON form, and the hash chain."""

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


def _encode_in_python(document: Any, _: int) -> Iterable[str]:
    """Encode without the C extension."""
    return _ENCODER.iterencode(document)


# Built once: building it takes as long as encoding a fact.
_ENCODE: Callable[[Any, int], Iterable[str]] = (
    json.encoder.c_make_encoder(  # type: ignore[attr-defined]
        None, _ENCODER.default, json.encoder.encode_basestring, None, ":", ",", True, False, False
    )
    if json.encoder.c_make_encoder  # type: ignore[attr-defined]
    else _encode_in_python
)
_text: Callable[[str], str] = json.encoder.encode_basestring  # As the encoder writes it.


class Entry(NamedTuple):
    """What one append wrote: facts, transfers, the actor, and its place in the chain."""

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
        return list(parse_content(self.content)["facts"])

    @property
    def transfers(self) -> list[Transfer]:
        return parse_transfers(self.content)


class Canonical(str):
    """A document that is canonical JSON already."""

    __slots__ = ()


def canonical(document: Any) -> str:
    """Canonical JSON, so that equal documents have equal hashes."""
    if type(document) is Canonical:
        return document
    try:
        return "".join(_ENCODE(document, 0))
    except (TypeError, ValueError) as error:
        raise LedgerError(say("ledger.chain.no-json", error=sentence_of(error))) from None


def entry_content(facts: Sequence[Fact | Canonical], transfers: Sequence[Transfer]) -> str:
    """Facts and transfers in their stored form."""
    facts_json, transfers_json = (
        ",".join(map(canonical, facts)),
        ",".join(map(_transfer_json, transfers)),
    )
    return f'{{"facts":[{facts_json}],"format":{FORMAT},"transfers":[{transfers_json}]}}'


def _transfer_json(transfer: Transfer) -> str:
    """A transfer as canonical JSON; spelled out because nothing is written more often."""
    debit, credit = _text(str(transfer.debit)), _text(str(transfer.credit))
    unit, why = _text(transfer.debit.unit), _text(transfer.why)
    return (
        f'{{"cents":{transfer.amount},"credit":{credit},"debit":{debit},"unit":{unit},"why":{why}}}'
    )


def parse_content(content: str) -> dict[str, Any]:
    """An entry's content as a document; raises LedgerError if it is damaged."""
    try:
        document = json.loads(content)
    except ValueError:
        raise LedgerError(say("ledger.chain.entry-no-json")) from None
    if not isinstance(document, dict) or set(document) != {"format", "facts", "transfers"}:
        raise LedgerError(say("ledger.chain.entry-fields"))
    if document["format"] != FORMAT:
        raise LedgerError(say("ledger.chain.entry-format", found=document["format"], ours=FORMAT))
    return document


def parse_transfers(content: str | dict[str, Any]) -> list[Transfer]:
    """An entry's transfers; accepts content that is already parsed."""
    document = parse_content(content) if isinstance(content, str) else content
    return [_parse_transfer(transfer) for transfer in document["transfers"]]


def entry_hash(entry: Entry) -> str:
    """The hash over an entry and, through `previous`, over all entries before it."""
    return sha256(f"[{FORMAT},{','.join(map(_json_value, entry[:-1]))}]")


def _json_value(value: str | int | None) -> str:
    if isinstance(value, str):
        return _text(value)
    return "null" if value is None else str(value)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def parse_account(unit: str, text: str) -> Account:
    """The account that a text such as "wallet:ann" names."""
    kind, _, name = text.partition(":")
    return Account(unit, cast(AccountKind, kind), name)


def _parse_transfer(document: Any) -> Transfer:
    try:
        debit, credit = (
            parse_account(document["unit"], document[side]) for side in ("debit", "credit")
        )
        return move(debit, credit, document["cents"], document["why"])
    except (KeyError, TypeError, AttributeError):
        raise LedgerError(say("ledger.chain.no-transfer")) from None
