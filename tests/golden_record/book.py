"""A book and a backup of before: they open, verify, explain and show what they did.

Both are made once and never again: a record that is made anew leaves them alone.
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
from tests.golden_record.adapter import Json, asked, house
from tests.golden_record.kinds import Kind, Made
from tests.golden_record.record import RECORD
from tests.golden_record.wire import Visitor, blank

FOLDER, BACKUP = "book.tar.xz", "backup.zip"
LATER = datetime(2027, 3, 1, 20, 0, tzinfo=UTC)
TABLES = [one.replace("/", "-") for one in shelf.BUNDLED]
PLAYERS = ("ann", "eli", "gus", "joe", "mia")
# The first releases of Python 3.11 know no filter.
SAFELY: Any = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


def made_once(folder: Path) -> None:
    """An evening at every game and a charity night, as a folder and as a backup."""
    if (folder / FOLDER).exists():
        return
    with tempfile.TemporaryDirectory() as path:
        data, backup = f"{path}/house", str(folder / BACKUP)
        for words in (
            ("demo", "--seed", "golden", "--rounds", "8"),
            ("backup", backup, "--with-keys"),
        ):
            answer = asked(*words, "--data", data)
            assert answer["code"] in (0, None), answer
        with tarfile.open(folder / FOLDER, "w:xz", preset=9) as packed:
            packed.add(data, "house")


@cache
def unpacked(batch: str) -> Path:
    """The house's folder, from the folder or from the backup; gone when the program ends."""
    path = Path(tempfile.mkdtemp(prefix="golden-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    if batch == "backup":
        asked("restore", str(RECORD / BACKUP), "--data", str(path / "house"))
    else:
        with tarfile.open(fileobj=io.BytesIO((RECORD / FOLDER).read_bytes())) as packed:
            packed.extractall(path, **SAFELY)
        for one in (path / "house", *(path / "house").rglob("*")):
            one.chmod(0o700 if one.is_dir() else 0o600)  # Nobody else may look into it.
    return path / "house"


def commands(batch: str) -> list[str]:
    """What an auditor and a cashier ask a book."""
    rounds = [f"{table}-{n:06d} {n % 3 + 1}" for table in TABLES for n in range(1, 9)]
    night = [f"gala-stud-{n:06d} {n % 4 + 1}" for n in range(1, 7)]
    night += [f"gala-hi-lo-{n:06d} 1" for n in (1, 2)] + ["gala-louisiana-000003 2"]
    explained = [f"audit explain {one}" for one in (*rounds, *night, "gala.main-1-000001 1")]
    asks = ["audit verify --json", "audit explain catfish-bend-mississippi-stud-000007 1 --json"]
    asks += ["audit verify", "audit export --format json"]
    asks += [f"night {one} gala{more}" for one in NIGHT for more in ("", " --json")]
    asks += [
        f"night tournament show gala.{one}{more}" for one in ("hourly", "main") for more in ENDS
    ]
    asks += ["night list --json", "users list --json"]
    if batch == "backup":
        return ["restore", "audit verify --json", "night statement gala --json", explained[2]]
    return [*asks, *(f"{one}{' --json' * (n % 2)}" for n, one in enumerate(explained))]


NIGHT = ("show", "statement", "tables")
ENDS = ("", " --json")


def answered(batch: str, name: str) -> Made:
    """What a command says about the book."""
    if name == "restore":
        with tempfile.TemporaryDirectory() as path:
            words = ("restore", str(RECORD / BACKUP), "--data", f"{path}/house", "--json")
            return {"answer": blank(_placeless(asked(*words), path))}
    data = unpacked(batch)
    answer = _placeless(asked(*name.split(), "--data", str(data)), str(data.parent))
    return {"answer": blank(answer)}


def _placeless(value: Json, path: str) -> Json:
    """The same without the names of folders of this run."""
    if isinstance(value, dict):
        return {name: _placeless(one, path) for name, one in value.items()}
    if isinstance(value, list):
        return [_placeless(one, path) for one in value]
    if isinstance(value, str):
        return value.replace(path, "PLACE").replace(str(RECORD), "RECORD")
    return value


def served(batch: str, name: str) -> Made:
    """What a server answers that opens the house again."""
    with tempfile.TemporaryDirectory() as path:
        shutil.copytree(unpacked("folder"), f"{path}/house")
        return asyncio.run(_served(Path(path) / "house"))


async def _served(path: Path) -> Made:
    night = "/api/nights/gala"
    pages = {
        "sue": ["/api/tables", "/api/nights", night, f"{night}/statement", f"{night}/cage/slips"],
        "abe": [f"{night}/tournaments/gala.main", f"{night}/tournaments/gala.hourly"],
        "guest": ["/api/tables"],
    }
    pages["sue"] += [f"/api/tables/{one}" for one in TABLES]
    pages["abe"] += [f"/api/pit/explain/{one}-000003/1" for one in TABLES]
    pages |= {one: ["/api/rounds", f"/api/tables/{TABLES[1]}/rounds"] for one in PLAYERS}
    async with house(path, *PLAYERS, seeded=False, now=LATER) as (app, cookies, _):
        people = {name: Visitor(app, name, cookies[name]) for name in pages}
        return {
            f"{name} {page}": blank(await people[name].get(page))
            for name, many in pages.items()
            for page in many
        }


KINDS = (
    Kind(
        "book",
        lambda: ("folder", "backup"),
        commands,
        answered,
        sample=2,
        batches_sampled=1,
        once=made_once,
    ),
    Kind(
        "served",
        lambda: ("folder",),
        lambda batch: ["pages"],
        served,
        batches_sampled=0,
        grows=True,
        once=made_once,
    ),
)
