"""The signed close of a day, and the files in which closes are kept."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pitbook.house.inspect.table_results import takings
from pitbook.house.ledger import file_modes
from pitbook.house.ledger.chain import Entry, canonical, parse_content
from pitbook.house.ledger.codec import Json
from pitbook.house.ledger.folder import Folder
from pitbook.house.ledger.keys import Keys, signed_by
from pitbook.house.ledger.queries import Interval, Streams, format_time, parse_interval
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
        facts = " ".join(one["fact"] for one in parse_content(part["content"])["facts"])
        row = [str({**part, "facts": facts}[name]) for name in COLUMNS]
    else:
        rest = {name: value for name, value in part.items() if name != "kind"}
        row = [part["kind"], *[""] * (len(COLUMNS) - 2), canonical(rest)]
    return csv_text([row], newline="\n")


FOLDER, ENDING = "closes", ".jsonl"
QUIET = timedelta(hours=1)  # By then no hand of the day is in play any more.
FOR_EVER = 0
DAY = timedelta(days=1)


def is_over(day: Interval, now: datetime) -> bool:
    """Whether a day has ended, and long enough ago."""
    return day.end is not None and day.end <= format_time(now - QUIET)


def kept(folder: Folder) -> list[tuple[date, int]]:
    """The days whose close is kept, and the bytes of each; the newest first."""
    return sorted(((day, file.stat().st_size) for day, file in _files(folder)), reverse=True)


def path_of(folder: Folder, day: date) -> Path:
    """Where the close of a day is kept, if it is."""
    return folder.path / FOLDER / f"close-{day}{ENDING}"


def keep(folder: Folder, now: datetime, *, days: int = FOR_EVER) -> list[date]:
    """Close what is over since the last close and drop what is old; the days that were closed.

    Where none is kept yet the first one is yesterday's.
    """
    last = (now - QUIET).astimezone(UTC).date() - DAY
    oldest = date.min if days == FOR_EVER else last - (days - 1) * DAY
    known = [day for day, _ in _files(folder)]
    first = max(max(known) + DAY if known else last, oldest)
    made = [first + number * DAY for number in range((last - first).days + 1)]
    for day in made:
        _write(folder, day, now)
    for day, file in _files(folder):
        if day < oldest:
            file.unlink(missing_ok=True)
    return made


def _files(folder: Folder) -> Iterator[tuple[date, Path]]:
    for file in (folder.path / FOLDER).glob(f"close-*{ENDING}"):
        try:
            yield date.fromisoformat(file.name.removeprefix("close-").removesuffix(ENDING)), file
        except ValueError:
            continue  # Somebody else's.


def _write(folder: Folder, day: date, now: datetime) -> None:
    """Whole or not at all, and its owner's alone."""
    file = path_of(folder, day)
    file_modes.make_folder(file.parent)
    half = file.with_suffix(".part")
    half.unlink(missing_ok=True)
    with file_modes.created(half, kept=True, encoding="utf-8", newline="") as out:
        out.writelines(
            closed_day(
                folder, parse_interval(str(day), str(day)), "jsonl", generated=format_time(now)
            )
        )
    half.rename(file)
