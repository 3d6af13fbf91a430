"""A day closed: every entry of it in its order, the sums, the last checkpoint, and one signature.

Whoever has the house's public key can tell that not a byte of the file was changed, and with the
hashes that no entry between two of a stream is missing.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Literal

from pitbook.house.ledger.chain import Entry, canonical, read
from pitbook.house.ledger.folder import Folder
from pitbook.house.ledger.interval import Interval
from pitbook.house.ledger.keys import Keys, signed_by
from pitbook.house.ledger.questions import Streams
from pitbook.house.streams.fields import Json
from pitbook.house.table.past.takings import takings
from pitbook.house.table.streams import PRACTICE
from pitbook.spreadsheet import csv_text

CloseForm = Literal["jsonl", "csv"]
FORMAT = 1
SIGNATURE_MAX = 2_000  # Characters of the last line.
EVERYTHING = Streams(apart_from=(PRACTICE,))
COLUMNS = ("kind", "stream", "seq", "at", "actor", "facts", "hash", "previous", "content")


def closed_day(
    folder: Folder, within: Interval, form: CloseForm, *, generated: str
) -> Iterator[str]:
    """The lines of the file, the signature last."""
    write = _json if form == "jsonl" else _cells
    return _signed(folder.keys, (write(one) for one in _parts(folder, within, generated)), write)


def is_whole(text: str, key: str, form: CloseForm) -> bool:
    """Whether a file is what the owner of a key signed, to the last byte."""
    last = text.rstrip("\n").rpartition("\n")[2] + "\n"
    if len(last) > SIGNATURE_MAX:
        return False
    body = text.removesuffix(last)
    try:
        content = next(csv.reader([last]))[-1] if form == "csv" else last
        told = json.loads(content)
        return signed_by(key, _message(told["digest"]), told["signature"]) and (
            told["digest"] == sha256(body.encode()).hexdigest()
        )
    except (csv.Error, IndexError, KeyError, RecursionError, TypeError, ValueError):
        return False


def _parts(folder: Folder, within: Interval, generated: str) -> Iterator[Json]:
    ledger = folder.ledger
    took = [one.document() for one in takings(ledger, within)]
    about = {"format": FORMAT, "from": within.start, "to": within.end, "generated": generated}
    yield {"kind": "close", **about, "tables": took}
    with ledger.moment() as book:
        for span in book.spans(within, EVERYTHING):
            for entry in book.entries(span):
                yield _entry(entry)
    for checkpoint in folder.checkpoints[-1:]:
        yield {"kind": "checkpoint", **json.loads(checkpoint.line)}


def _entry(entry: Entry) -> Json:
    kept = entry._asdict()
    told = {key: kept[key] for key in ("stream", "seq", "at", "actor", "hash", "previous")}
    return {"kind": "entry", **told, "content": entry.content}


def _signed(keys: Keys, lines: Iterable[str], write: object) -> Iterator[str]:
    digest = sha256()
    for line in lines:
        digest.update(line.encode())
        yield line
    made = digest.hexdigest()
    told = {"digest": made, "key": keys.public, "signature": keys.sign(_message(made))}
    yield _json(told) if write is _json else _cells({"kind": "signature", **told})


def _message(digest: str) -> str:
    return canonical(["pitbook close", FORMAT, digest])


def _json(part: Json) -> str:
    return f"{canonical(part)}\n"


def _cells(part: Json) -> str:
    """A line of cells; what is no entry stands whole in the last one."""
    if part["kind"] == "entry":
        facts = " ".join(one["fact"] for one in read(part["content"])["facts"])
        row = [str({**part, "facts": facts}[name]) for name in COLUMNS]
    else:
        rest = {name: value for name, value in part.items() if name != "kind"}
        row = [part["kind"], *[""] * (len(COLUMNS) - 2), canonical(rest)]
    return csv_text([row], newline="\n")
