"""`pitbook demo`: a house that has had an evening and a charity night, to look at and learn on."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from pitbook.cli.commands import command
from pitbook.cli.options import Json
from pitbook.cli.output import emit, examples
from pitbook.errors import LedgerError
from pitbook.house.cli.data_folder import Data
from pitbook.house.ledger import file_modes
from pitbook.money import dollars, spoken
from pitbook.text.english import counted

app = command()

ROUNDS = 20


@app.command(epilog=examples("pitbook demo", "pitbook demo --data evening --seed 52"))
def demo(
    *,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="S", help="The same seed gives the same evening."),
    ] = None,
    rounds: Annotated[
        int, typer.Option("--rounds", metavar="N", min=8, max=500, help="Rounds at each table.")
    ] = ROUNDS,
    data: Data = Path("pitbook-data"),
    json: Json = False,
) -> None:
    """Make a data folder with tables of seven games, some history and a charity night.

    Among the rounds are an interrupted one at every table, a misdeal, a hand that is void and a
    payout that a cap has cut. The night has chips, games of chance within the state's limits, an
    hourly and a multi-table tournament to payout, and its closing statement. Shoes are seeded: it
    is a demonstration and no fair deal.
    """
    from pitbook_demo.house_evening import evening  # noqa: PLC0415  It brings the tables.

    sown = seed if seed is not None else secrets.token_hex(4)
    with _made(data) as part:
        made = evening(part, sown, rounds)
    if json:
        emit({"data": str(data), "seed": sown} | made)
    else:
        print("\n".join(_told(data, sown, made)))


@contextmanager
def _made(data: Path) -> Iterator[Path]:
    """A folder beside it, which takes its name when all is done and is gone when it is not."""
    if data.exists() and (not data.is_dir() or any(data.iterdir())):
        raise LedgerError(f"{data}: there is something of that name; --data names a new folder")
    part = data.with_name(f".{data.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        file_modes.make_folder(part)
        yield part
        if data.exists():
            data.rmdir()
        part.rename(data)
    except OSError as error:
        raise LedgerError(f"{data} cannot be made: {error.strerror}") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _told(data: Path, seed: str, made: dict[str, Any]) -> Iterator[str]:
    tables = made["tables"]
    rounds = sum(one["rounds"] for one in tables)
    counts = (
        f"{counted(len(tables), 'table', 'tables')}, {counted(rounds, 'round', 'rounds')}, "
        f"{counted(made['entries'], 'entry', 'entries')}"
    )
    yield f"Made {data} with seed {seed}: {counts}."
    width = max(len(one["table"]) for one in tables)
    for one in tables:
        rack = spoken(dollars(one["rack"]))
        yield f"  {one['table']:<{width}}  {one['rounds']:>3} rounds, rack {rack}"
    yield from _night_told(made["night"])
    yield "Worth a look:"
    where = "" if data == Path("pitbook-data") else f" --data {data}"
    for look, why in _worth_a_look(made):
        yield f"  pitbook {look}{where}"
        if why:
            yield f"    {why}"
    yield f"In the browser: pitbook serve{where}"


def _night_told(night: dict[str, Any]) -> Iterator[str]:
    """The charity night in three lines."""
    rounds = sum(one["rounds"] for one in night["tables"])
    tables = counted(len(night["tables"]), "table", "tables")
    yield (
        f"The night {night['event']} for {night['charity']}: {tables} of chance with "
        f"{counted(rounds, 'round', 'rounds')}, {spoken(dollars(night['proceeds']))} proceeds."
    )
    for one in night["tournaments"]:
        entries = counted(one["entries"], "entry", "entries")
        prizes = spoken(dollars(one["prizes"]))
        yield f"  {one['tournament']}: {entries}, {prizes} in prizes"


def _worth_a_look(made: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Commands to try, each with what there is to see."""
    night = made["night"]
    notable = [*made["notable"], *night["notable"]]
    firsts = {one["why"]: one for one in reversed(notable)}
    for one in sorted(firsts.values(), key=notable.index):
        yield f"audit explain {one['round']} {one['seat']}", one["why"]
    yield f"night statement {night['event']}", "the closing statement, to the cent"
    yield f"night tables {night['event']}", "sheets that were brought within the state's limits"
    for one in night["tournaments"]:
        yield f"night tournament show {one['tournament']}", "who was placed where, and paid what"
    yield "audit verify", ""
    yield "audit export -o journal.csv", ""
