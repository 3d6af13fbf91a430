"""The one module of the record that knows inner names: where they move, only this follows.

(A house is set up by `tests/house/web/conftest.py`, as it is for the tests of the server.)

Everything goes in and out as JSON and text: actions as stored rounds have them, cards as "As".
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pitbook
from pitbook.cli import main, progress
from pitbook.errors import PitbookError
from pitbook.money import dollars, money
from pitbook.rules.stored import KINDS, decode, store

Json = Any
HERE = Path(__file__).parent
FOLDERS = (HERE / "sheets", HERE.parent / "sheets" / "unusual")
SETTINGS = {
    "PITBOOK_SHEETS": os.pathsep.join(str(one) for one in FOLDERS),
    "COLUMNS": "100",
    "NO_COLOR": "1",
    "NUMBA_NUM_THREADS": "1",
}
FOLDER_OF_A_SHEET = re.compile(r'(?<![\w.])/[^\s":]+/(?=[^/\s":]+\.toml)')
_NAMES = {kind: name for name, kind in KINDS.items()}


@contextlib.contextmanager
def settled_environment() -> Iterator[None]:
    """The same terminal and the same shelf of sheets for whoever asks; put back afterwards."""
    before = {name: os.environ.get(name) for name in (*SETTINGS, "PITBOOK_TRACEBACK")}
    os.environ.update(SETTINGS)
    os.environ.pop("PITBOOK_TRACEBACK", None)
    try:
        with contextlib.chdir(HERE.parents[1]):
            yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def asked(*arguments: str, typed: str = "") -> Json:
    """What a command answers: its exit code, and what it printed, as JSON where it is JSON."""
    out, err = io.StringIO(), io.StringIO()
    code: Any = None
    keyboard, sys.stdin = sys.stdin, io.StringIO(typed)
    quiet = patch.object(
        progress, "SILENT_SECONDS", 600.0
    )  # Progress lines depend on the machine's load.
    with quiet, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as ended:
            code = ended.code
        finally:
            sys.stdin = keyboard
    printed: Json = FOLDER_OF_A_SHEET.sub("", out.getvalue())
    if "--json" in arguments:
        with contextlib.suppress(json.JSONDecodeError):
            printed = json.loads(printed)
    told = FOLDER_OF_A_SHEET.sub("", err.getvalue())
    return {"code": code, "out": printed} | ({"err": told} if code else {})


def refused(call: Any) -> Json:
    """What a call answers, or the sentence by which it is refused."""
    try:
        return call()
    except PitbookError as error:
        return {"error": str(error)}


@cache
def sheet_of(name: str) -> Any:
    """A sheet by its id, read once."""
    return pitbook.load(next(one.file for one in pitbook.list_sheets(*FOLDERS) if one.id == name))


@cache
def body_of(name: str) -> Json:
    """A sheet as `pitbook sheets show --json` gives it."""
    return asked("sheets", "show", name, "--json")["out"]


class Played:
    """A round by hand: actions go in as JSON; offers, refusals and the settlement come out."""

    def __init__(self, name: str) -> None:
        self.round = pitbook.open(sheet_of(name))
        self.actions: list[Json] = []
        self._taken: list[Any] = []

    def tried(self, action: Json) -> Json:
        """The refusal that an action meets; None where it would be taken."""
        try:
            after = pitbook.step(self.round, decode(action))
        except PitbookError as error:
            return {"error": str(error)}
        if isinstance(after, pitbook.Refusal):
            return {"code": str(after.code), "message": after.message, "clause": after.clause}
        return None

    def do(self, action: Json) -> None:
        """An action that must be taken."""
        decoded = decode(action)
        after = pitbook.step(self.round, decoded)
        if isinstance(after, pitbook.Refusal):
            raise AssertionError(f"{action} was offered and is refused: {after}")
        self.round = after
        self.actions.append(action)
        self._taken.append(decoded)

    def offers(self, player: str) -> list[Json]:
        """What may be done now."""
        return [_offer(one) for one in pitbook.legal(self.round, player)]

    @property
    def phase(self) -> str:
        """Where the round stands: wagers, deal, ..., over."""
        return self.round.phase

    def stored(self) -> Json:
        """The round as it is kept."""
        kept: Json = json.loads(json.dumps(store(self.round, self._taken)))
        return kept


def _offer(offer: Any) -> Json:
    told: Json = {"do": _NAMES[offer.action], "place": offer.place, "wager": offer.wager}
    told |= {"choices": list(offer.choices)}
    told |= {name: getattr(offer, name) for name in ("least", "most", "step")}
    for name in ("least", "most", "step"):
        told[name] = None if told[name] is None else money(told[name])
    return {name: value for name, value in told.items() if value not in (None, [])}


NIGHT = datetime(2026, 1, 2, 20, 0, tzinfo=UTC)
STAFF = {"dee": "dealer", "sue": "supervisor", "abe": "auditor", "ben": "brush"}


@contextlib.asynccontextmanager
async def house(
    path: Path, *players: str, seeded: bool = True, now: datetime = NIGHT
) -> AsyncIterator[Any]:
    """A house with its staff, these players and their money: (app, cookies by name, open_table)."""
    from tests.house.web.conftest import PASSWORD, WEAK, WIDE, fast_folder, people_of

    from pitbook.house.people.register import Person
    from pitbook.house.people.sessions import SESSION_COOKIE
    from pitbook.house.table.tables import LiveTables
    from pitbook.house.web.app import create_app
    from pitbook.house.web.settings import Settings
    from pitbook_demo.night_people import _Seeded

    wide = WIDE.model_copy(update={"commands_per_second": 1e6, "commands_burst": 10**6})
    settings = Settings(data=path, sign_in=WEAK, limits=wide)
    with fast_folder(path, clock=lambda: now) as folder:
        clock = {"clock": lambda: now}
        made = _Seeded(folder, seed="golden", **clock) if seeded else LiveTables(folder, **clock)
        await made.open()
        people = people_of(made, settings)
        roles = STAFF | dict.fromkeys(players, "player")
        for name, role in roles.items():
            if name not in people.register.people:
                people.add(name, role, PASSWORD, actor="test")  # type: ignore[arg-type]
            if now == NIGHT and role == "player":
                await made.cage.buy_in(name, dollars("20000"), actor="test")
        app = create_app(made, people, settings)
        sessions = app.state.server.sessions
        cookies = {
            name: (SESSION_COOKIE, sessions.issue(Person(name, role)))  # type: ignore[arg-type]
            for name, role in roles.items()
        }
        cookies["guest"] = (SESSION_COOKIE, sessions.guest()[1])

        async def open_table(name: str, kind: Any, sheet: str, **more: Any) -> None:
            await made.open_table(name, kind, actor="sue", sheet=sheet_of(sheet), **more)

        try:
            yield app, cookies, open_table
        finally:
            await made.close()
