"""`pitbook audit verify`: the whole book read again and held against what was signed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pitbook.cli.arguments import Json
from pitbook.cli.house import Data, Database, counted, opened, patience, verdict_told
from pitbook.cli.lazy import command
from pitbook.cli.output import emit, examples
from pitbook.errors import LedgerError
from pitbook.money import money

if TYPE_CHECKING:
    from pitbook.ledger.book import Stream
    from pitbook.ledger.checkpoints import Checkpoint
    from pitbook.ledger.folder import Folder
    from pitbook.ledger.verify import Verdict

app = command()

FINDING = 1


class Signed(NamedTuple):
    """How far signatures reach: the latest checkpoint, and what was written since."""

    at: str | None
    since: int


@app.command(
    epilog=examples(
        "pitbook audit verify", "pitbook audit verify --data house --checkpoint copy.jsonl"
    )
)
def verify(
    *,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            metavar="F",
            help="Your own copy of the checkpoints, instead of the folder's.",
        ),
    ] = None,
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Read the whole book and believe none of it: every hash, sum and signature is checked.

    An edited, deleted, swapped or cut entry is a finding, and the exit code is 1. Who can rewrite
    the whole folder can rewrite its checkpoints too: keep a copy elsewhere and give it here. The
    key that is printed is the house's; it should be the one you wrote down.
    """
    with opened(data, database) as folder:
        signed = _read(checkpoint) if checkpoint else _own(folder)
        streams = folder.ledger.streams()
        patience(streams)
        verdict = folder.verify(checkpoint)
        reach = _reach(streams, signed)
        if json:
            emit(_document(verdict, reach, folder.keys.public))
        else:
            print("\n".join([*verdict_told(verdict), *_told(reach, folder.keys.public)]))
    if verdict.findings:
        raise typer.Exit(FINDING)


def _read(file: Path) -> Sequence[Checkpoint]:
    from pitbook.ledger.checkpoints import read  # noqa: PLC0415

    if not file.is_file():
        raise LedgerError(f"{file}: there is no such file of checkpoints")
    if not (found := read(file)):
        raise LedgerError(f"{file}: there is no checkpoint in it; give a copy that holds one")
    return found


def _own(folder: Folder) -> Sequence[Checkpoint]:
    try:
        return folder.checkpoints
    except LedgerError:  # A finding, like anything else that is damaged.
        return ()


def _reach(streams: Sequence[Stream], signed: Sequence[Checkpoint]) -> Signed:
    at, covered = (signed[-1].at, signed[-1].heads) if signed else (None, ())
    heads = {name: seq for name, seq, _ in covered}
    readable = [one for one in streams if type(one.seq) is int]  # What is not is a finding.
    return Signed(at, sum(max(0, one.seq - heads.get(one.name, 0)) for one in readable))


def _told(reach: Signed, key: str) -> list[str]:
    if reach.at is None:
        signed = "No checkpoint was signed yet: nothing outside the book vouches for it."
    elif reach.since:
        young = counted(reach.since, "entry is", "entries are")
        signed = f"Latest checkpoint {reach.at}: {young} younger."
    else:
        signed = f"Latest checkpoint {reach.at}: it covers every entry."
    return [signed, f"Key {key}"]


def _document(verdict: Verdict, reach: Signed, key: str) -> dict[str, Any]:
    return {
        "result": "findings" if verdict.findings else "sound",
        "streams": verdict.streams,
        "entries": verdict.entries,
        "checkpoints": verdict.checkpoints,
        "totals": {unit: money(total) for unit, total in verdict.units.items()},
        "findings": [one._asdict() for one in verdict.findings],
        "checkpoint": reach.at,
        "entries_since": reach.since,
        "key": key,
    }
