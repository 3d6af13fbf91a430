"""`pitbook demo`: a data folder with sample tables, history and a charity night."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from pitbook import private_files
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Json
from pitbook.cli.plain_output import emit, examples
from pitbook.errors import LedgerError
from pitbook.house.cli.ledger_options import Data
from pitbook.money import dollar_text, dollars
from pitbook.text.english import count_noun

app = command()

ROUNDS = 20


@app.command(epilog=examples("pitbook demo", "pitbook demo --data evening --seed 52"))
def demo(
    *,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="S", help="Seed; the same seed gives the same data."),
    ] = None,
    rounds: Annotated[
        int, typer.Option("--rounds", metavar="N", min=8, max=500, help="Rounds at each table.")
    ] = ROUNDS,
    data: Data = Path("pitbook-data"),
    json: Json = False,
) -> None:
    """Create a data folder with sample tables and history.

    It has tables of seven games and a charity night. The rounds include an interrupted one at
    every table, a misdeal, a void hand and a capped payout. The night has chips, games of chance
    within the state's limits, two finished tournaments and a closing statement. Shoes are seeded,
    so the deals are not random.
    """
    from pitbook_demo.house_evening import play_evening  # noqa: PLC0415  Imports the tables.

    seed_text = seed if seed is not None else secrets.token_hex(4)
    with _build_folder(data) as part:
        summary = play_evening(part, seed_text, rounds)
    if json:
        emit({"data": str(data), "seed": seed_text} | summary)
    else:
        print("\n".join(_render_summary(data, seed_text, summary)))


@contextmanager
def _build_folder(data: Path) -> Iterator[Path]:
    """A temporary folder, renamed on success and deleted on failure."""
    if data.exists() and (not data.is_dir() or any(data.iterdir())):
        raise LedgerError(f"{data} already exists; choose a new folder with --data")
    part = data.with_name(f".{data.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        private_files.make_folder(part)
        yield part
        if data.exists():
            data.rmdir()
        part.rename(data)
    except OSError as error:
        raise LedgerError(f"cannot create {data}: {error.strerror}") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _render_summary(data: Path, seed: str, summary: dict[str, Any]) -> Iterator[str]:
    tables = summary["tables"]
    rounds = sum(table["rounds"] for table in tables)
    counts = (
        f"{count_noun(len(tables), 'table', 'tables')}, {count_noun(rounds, 'round', 'rounds')}, "
        f"{count_noun(summary['entries'], 'entry', 'entries')}"
    )
    yield f"Made {data} with seed {seed}: {counts}."
    width = max(len(table["table"]) for table in tables)
    for table in tables:
        rack = dollar_text(dollars(table["rack"]))
        yield f"  {table['table']:<{width}}  {table['rounds']:>3} rounds, rack {rack}"
    yield from _render_night(summary["night"])
    yield "Worth a look:"
    where = "" if data == Path("pitbook-data") else f" --data {data}"
    for look, why in _suggestions(summary):
        yield f"  pitbook {look}{where}"
        if why:
            yield f"    {why}"
    yield f"In the browser: pitbook serve{where}"


def _render_night(night: dict[str, Any]) -> Iterator[str]:
    """Three lines about the charity night."""
    rounds = sum(table["rounds"] for table in night["tables"])
    tables = count_noun(len(night["tables"]), "table", "tables")
    yield (
        f"The night {night['event']} for {night['charity']}: {tables} of chance with "
        f"{count_noun(rounds, 'round', 'rounds')}, "
        f"{dollar_text(dollars(night['proceeds']))} proceeds."
    )
    for tournament in night["tournaments"]:
        entries = count_noun(tournament["entries"], "entry", "entries")
        prizes = dollar_text(dollars(tournament["prizes"]))
        yield f"  {tournament['tournament']}: {entries}, {prizes} in prizes"


def _suggestions(summary: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Commands to try, each with what it shows."""
    night = summary["night"]
    notable = [*summary["notable"], *night["notable"]]
    firsts = {notable_round["why"]: notable_round for notable_round in reversed(notable)}
    for row in sorted(firsts.values(), key=notable.index):
        yield f"audit explain {row['round']} {row['seat']}", row["why"]
    yield f"night statement {night['event']}", "the closing statement, to the cent"
    yield f"night tables {night['event']}", "sheets that were brought within the state's limits"
    for row in night["tournaments"]:
        yield f"night tournament show {row['tournament']}", "who was placed where, and paid what"
    yield "audit verify", ""
    yield "audit export -o journal.csv", ""
