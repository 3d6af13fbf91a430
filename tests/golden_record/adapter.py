"""The one module of the record that knows inner names: where they move, only this follows.

Everything goes in and out as JSON and text: actions as stored rounds have them, cards as "As".
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pitbook
from pitbook.cli import main
from pitbook.engine.journal import KINDS, decode
from pitbook.errors import PitbookError
from pitbook.games.stored import store
from pitbook.money import money

Json = Any
HERE = Path(__file__).parent
FOLDERS = (HERE / "sheets", HERE.parent / "sheets" / "unusual")
SETTINGS = {
    "PITBOOK_SHEETS": os.pathsep.join(str(one) for one in FOLDERS),
    "COLUMNS": "100",
    "NO_COLOR": "1",
    "NUMBA_NUM_THREADS": "1",
}
_NAMES = {kind: name for name, kind in KINDS.items()}


@contextlib.contextmanager
def settled_environment() -> Any:
    """The same terminal and the same shelf of sheets for whoever asks; put back afterwards."""
    before = {name: os.environ.get(name) for name in (*SETTINGS, "PITBOOK_TRACEBACK")}
    os.environ.update(SETTINGS)
    os.environ.pop("PITBOOK_TRACEBACK", None)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def asked(*arguments: str) -> Json:
    """What a command answers: its exit code, and what it printed, as JSON where it is JSON."""
    out, err = io.StringIO(), io.StringIO()
    code: Any = None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as ended:
            code = ended.code
    printed: Json = out.getvalue()
    if "--json" in arguments:
        with contextlib.suppress(json.JSONDecodeError):
            printed = json.loads(printed)
    return {"code": code, "out": printed} | ({"err": err.getvalue()} if code else {})


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
