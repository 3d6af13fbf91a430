"""An old ledger and its backup: they open, verify, explain and show the same as before.

Both are made once and never again; making the record again leaves them alone.
"""

from __future__ import annotations

import asyncio
import atexit
import io
import shutil
import tarfile
import tempfile
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from tests.golden_record import shelf
from tests.golden_record.adapter import Json, house, run_command
from tests.golden_record.kinds import ItemParts, Kind
from tests.golden_record.record import RECORD
from tests.golden_record.wire import Visitor, mask_varying_parts

FOLDER, BACKUP = "book.tar.xz", "backup.zip"
LATER = datetime(2027, 3, 1, 20, 0, tzinfo=UTC)
TABLES = [sheet.replace("/", "-") for sheet in shelf.BUNDLED]
PLAYERS = ("ann", "eli", "gus", "joe", "mia")
# The first releases of Python 3.11 have no filter.
TAR_OPTIONS: Any = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


def make_book_once(folder: Path) -> None:
    """Play an evening of every game and a charity event; store the data folder and a backup."""
    if (folder / FOLDER).exists():
        return
    with tempfile.TemporaryDirectory() as path:
        data, backup_path = f"{path}/house", str(folder / BACKUP)
        for arguments in (
            ("demo", "--seed", "golden", "--rounds", "8"),
            ("backup", backup_path, "--with-keys"),
        ):
            response = run_command(*arguments, "--data", data)
            assert response["code"] in (0, None), response
        with tarfile.open(folder / FOLDER, "w:xz", preset=9) as archive:
            archive.add(data, "house")


@cache
def unpacked_house(batch: str) -> Path:
    """The house's folder, from the archive or the backup; deleted at exit."""
    path = Path(tempfile.mkdtemp(prefix="golden-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    if batch == "backup":
        run_command("restore", str(RECORD / BACKUP), "--data", str(path / "house"))
    else:
        with tarfile.open(fileobj=io.BytesIO((RECORD / FOLDER).read_bytes())) as archive:
            archive.extractall(path, **TAR_OPTIONS)
        for path_ in (path / "house", *(path / "house").rglob("*")):
            path_.chmod(0o700 if path_.is_dir() else 0o600)  # Only the owner may read it.
    return path / "house"


def commands(batch: str) -> list[str]:
    """Commands that an auditor and a cashier run on a ledger."""
    rounds = [
        f"{table}-{number:06d} {number % 3 + 1}" for table in TABLES for number in range(1, 9)
    ]
    night = [f"gala-stud-{number:06d} {number % 4 + 1}" for number in range(1, 7)]
    night += [f"gala-hi-lo-{number:06d} 1" for number in (1, 2)] + ["gala-louisiana-000003 2"]
    explain_commands = [
        f"audit explain {seat}" for seat in (*rounds, *night, "gala.main-1-000001 1")
    ]
    commands_ = [
        "audit verify --json",
        "audit explain catfish-bend-mississippi-stud-000007 1 --json",
    ]
    commands_ += ["audit verify", "audit export --format json"]
    commands_ += [
        f"night {subject} gala{option}" for subject in NIGHT for option in ("", " --json")
    ]
    commands_ += [
        f"night tournament show gala.{tournament}{option}"
        for tournament in ("hourly", "main")
        for option in JSON_OPTIONS
    ]
    commands_ += ["night list --json", "users list --json"]
    if batch == "backup":
        return [
            "restore",
            "audit verify --json",
            "night statement gala --json",
            explain_commands[2],
        ]
    return [
        *commands_,
        *(
            f"{command}{' --json' * (number % 2)}"
            for number, command in enumerate(explain_commands)
        ),
    ]


NIGHT = ("show", "statement", "tables")
JSON_OPTIONS = ("", " --json")


def command_answer(batch: str, name: str) -> ItemParts:
    """The answer of a command about the ledger."""
    if name == "restore":
        with tempfile.TemporaryDirectory() as path:
            arguments = ("restore", str(RECORD / BACKUP), "--data", f"{path}/house", "--json")
            return {"answer": mask_varying_parts(_without_paths(run_command(*arguments), path))}
    data = unpacked_house(batch)
    response = _without_paths(run_command(*name.split(), "--data", str(data)), str(data.parent))
    return {"answer": mask_varying_parts(response)}


def _without_paths(document: Json, path: str) -> Json:
    """The document without paths of this run."""
    if isinstance(document, dict):
        return {name: _without_paths(field_value, path) for name, field_value in document.items()}
    if isinstance(document, list):
        return [_without_paths(element, path) for element in document]
    if isinstance(document, str):
        return document.replace(path, "PLACE").replace(str(RECORD), "RECORD")
    return document


def server_answers(batch: str, name: str) -> ItemParts:
    """The answers of a server that opens the house again."""
    with tempfile.TemporaryDirectory() as path:
        shutil.copytree(unpacked_house("folder"), f"{path}/house")
        return asyncio.run(_ask_server(Path(path) / "house"))


async def _ask_server(path: Path) -> ItemParts:
    night = "/api/nights/gala"
    pages = {
        "sue": ["/api/tables", "/api/nights", night, f"{night}/statement", f"{night}/cage/slips"],
        "abe": [f"{night}/tournaments/gala.main", f"{night}/tournaments/gala.hourly"],
        "guest": ["/api/tables"],
    }
    pages["sue"] += [f"/api/tables/{table}" for table in TABLES]
    pages["abe"] += [f"/api/pit/explain/{table}-000003/1" for table in TABLES]
    pages |= {player: ["/api/rounds", f"/api/tables/{TABLES[1]}/rounds"] for player in PLAYERS}
    async with house(path, *PLAYERS, seeded=False, now=LATER) as (app, cookies, _):
        people = {name: Visitor(app, name, cookies[name]) for name in pages}
        return {
            f"{name} {page}": mask_varying_parts(await people[name].get(page))
            for name, paths in pages.items()
            for page in paths
        }


KINDS = (
    Kind(
        "book",
        lambda: ("folder", "backup"),
        commands,
        command_answer,
        sample=2,
        batches_sampled=1,
        once=make_book_once,
    ),
    Kind(
        "served",
        lambda: ("folder",),
        lambda batch: ["pages"],
        server_answers,
        batches_sampled=0,
        grows=True,
        once=make_book_once,
    ),
)
