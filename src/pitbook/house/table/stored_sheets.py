"""Rule sheets as a table's facts store them."""

from __future__ import annotations

import json
from functools import lru_cache

from pitbook.errors import RoundError
from pitbook.house.ledger.fact_codec import Json
from pitbook.rules.game import Game, compile_game
from pitbook.rules.stored_rounds import sheet_document, stored_sheet
from pitbook.sheets.model import Sheet
from pitbook.text import say


def dump_sheet(sheet: Sheet) -> Json:
    """A sheet in stored form; the body is text because the order of a pay table matters."""
    document = sheet_document(sheet)
    return {"hash": document["hash"], "body": json.dumps(document["body"])}


def game_of(sheet: Json) -> Game:
    """The rules of a stored sheet; cached."""
    return _load_game(sheet["hash"], sheet["body"])


@lru_cache(maxsize=256)
def _load_game(sheet_hash: str, body: str) -> Game:
    try:
        document = {"hash": sheet_hash, "body": json.loads(body)}
    except (TypeError, ValueError, RecursionError):
        raise RoundError(say("table.record.sheet-no-json")) from None
    return compile_game(stored_sheet(document))


def currency_of(sheet: Json) -> str | None:
    """A stored sheet's currency; None for US dollars or an unreadable sheet."""
    return _currency(sheet["body"])


@lru_cache(maxsize=256)
def _currency(body: str) -> str | None:
    try:
        currency = json.loads(body)["house"]["currency"]
    except (KeyError, TypeError, ValueError, RecursionError):
        return None
    return currency if isinstance(currency, str) else None
