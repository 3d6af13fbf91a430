"""The signed close of a day, and the files in which closes are kept."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pitbook import private_files
from pitbook.csv_files import csv_text
from pitbook.house.inspect.table_results import table_results
from pitbook.house.ledger.data_folder import Folder
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.ledger.hash_chain import Entry, canonical, parse_content
from pitbook.house.ledger.keys import Keys, is_signed_by
from pitbook.house.ledger.queries import Interval, Streams, format_time, parse_interval
from pitbook.house.table.stream_names import PRACTICE

CloseForm = Literal["jsonl", "csv"]
FORMAT = 1
SIGNATURE_MAX = 2_000  # Characters of the last line.
ALL_STREAMS = Streams(excluded_prefixes=(PRACTICE,))
COLUMNS = ("kind", "stream", "seq", "at", "actor", "facts", "hash", "previous", "content")


def closed_day(
    folder: Folder, within: Interval, form: CloseForm, *, generated: str
) -> Iterator[str]:
    """The lines of a day's close, the signature last."""
    write_line = _json_line if form == "jsonl" else _csv_row
    return _with_signature(
        folder.keys,
        (write_line(part) for part in _file_parts(folder, within, generated)),
        write_line,
    )


def is_authentic(text: str, key: str, form: CloseForm) -> bool:
    """Whether the key's owner signed exactly this file."""
    last = text.rstrip("\n").rpartition("\n")[2] + "\n"
    if len(last) > SIGNATURE_MAX:
        return False
    body = text.removesuffix(last)
    try:
        content = next(csv.reader([last]))[-1] if form == "csv" else last
        signature = json.loads(content)
        return is_signed_by(key, _signed_message(signature["digest"]), signature["signature"]) and (
            signature["digest"] == sha256(body.encode()).hexdigest()
        )
    except (csv.Error, IndexError, KeyError, RecursionError, TypeError, ValueError):
        return False


def _file_parts(folder: Folder, within: Interval, generated: str) -> Iterator[Json]:
    ledger = folder.ledger
    results = [result.document() for result in table_results(ledger, within)]
    about = {"format": FORMAT, "from": within.start, "to": within.end, "generated": generated}
    yield {"kind": "close", **about, "tables": results}
    with ledger.snapshot() as snapshot:
        for span in snapshot.spans(within, ALL_STREAMS):
            for entry in snapshot.entries(span):
                yield _entry(entry)
    for checkpoint in folder.checkpoints[-1:]:
        yield {"kind": "checkpoint", **json.loads(checkpoint.line)}


def _entry(entry: Entry) -> Json:
    fields = entry._asdict()
    shown_fields = {
        key: fields[key] for key in ("stream", "seq", "at", "actor", "hash", "previous")
    }
    return {"kind": "entry", **shown_fields, "content": entry.content}


def _with_signature(keys: Keys, lines: Iterable[str], write: object) -> Iterator[str]:
    digest = sha256()
    for line in lines:
        digest.update(line.encode())
        yield line
    digest_hex = digest.hexdigest()
    signature = {
        "digest": digest_hex,
        "key": keys.public,
        "signature": keys.sign(_signed_message(digest_hex)),
    }
    yield (
        _json_line(signature)
        if write is _json_line
        else _csv_row({"kind": "signature", **signature})
    )


def _signed_message(digest: str) -> str:
    return canonical(["pitbook close", FORMAT, digest])


def _json_line(part: Json) -> str:
    return f"{canonical(part)}\n"


def _csv_row(part: Json) -> str:
    """A CSV row; parts other than entries are JSON in the last cell."""
    if part["kind"] == "entry":
        facts = " ".join(fact["fact"] for fact in parse_content(part["content"])["facts"])
        row = [str({**part, "facts": facts}[name]) for name in COLUMNS]
    else:
        fields = {name: value for name, value in part.items() if name != "kind"}
        row = [part["kind"], *[""] * (len(COLUMNS) - 2), canonical(fields)]
    return csv_text([row], newline="\n")


FOLDER, ENDING = "closes", ".jsonl"
DAY_END_DELAY = timedelta(hours=1)  # By then no hand of the day is in play.
KEEP_ALL = 0
DAY = timedelta(days=1)


def is_over(day: Interval, now: datetime) -> bool:
    """Whether a day ended long enough ago."""
    return day.end is not None and day.end <= format_time(now - DAY_END_DELAY)


def kept_closes(folder: Folder) -> list[tuple[date, int]]:
    """The days with a stored close and its size in bytes, newest first."""
    return sorted(((day, file.stat().st_size) for day, file in _files(folder)), reverse=True)


def path_of(folder: Folder, day: date) -> Path:
    """The path of a day's close."""
    return folder.path / FOLDER / f"close-{day}{ENDING}"


def close_days(folder: Folder, now: datetime, *, days: int = KEEP_ALL) -> list[date]:
    """Close the days since the last close and delete old closes; returns the days closed.

    The very first close is yesterday's.
    """
    last = (now - DAY_END_DELAY).astimezone(UTC).date() - DAY
    oldest = date.min if days == KEEP_ALL else last - (days - 1) * DAY
    closed_days = [day for day, _ in _files(folder)]
    first = max(max(closed_days) + DAY if closed_days else last, oldest)
    days_closed = [first + number * DAY for number in range((last - first).days + 1)]
    for day in days_closed:
        _write(folder, day, now)
    for day, file in _files(folder):
        if day < oldest:
            file.unlink(missing_ok=True)
    return days_closed


def _files(folder: Folder) -> Iterator[tuple[date, Path]]:
    for file in (folder.path / FOLDER).glob(f"close-*{ENDING}"):
        try:
            yield date.fromisoformat(file.name.removeprefix("close-").removesuffix(ENDING)), file
        except ValueError:
            continue  # Not one of ours.


def _write(folder: Folder, day: date, now: datetime) -> None:
    """Write the file atomically, readable by its owner only."""
    file = path_of(folder, day)
    private_files.make_folder(file.parent)
    half = file.with_suffix(".part")
    half.unlink(missing_ok=True)
    with private_files.create(half, in_folder=True, encoding="utf-8", newline="") as out:
        out.writelines(
            closed_day(
                folder, parse_interval(str(day), str(day)), "jsonl", generated=format_time(now)
            )
        )
    half.rename(file)
