"""How a bot chooses: exactly, with the table's own rules, or by lot, with a seed that is told."""

from __future__ import annotations

import asyncio
import random
from fractions import Fraction
from typing import Any

from pitbook.cards import cards
from pitbook.cli.common.arguments import library
from pitbook.errors import ClientError, RoundError
from pitbook.house.client import Client
from pitbook.money import Cents, dollars
from pitbook.rules.game import compile_game
from pitbook.sheets.digest import digest
from pitbook.sheets.families import models
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of

Json = dict[str, Any]


class Lot:
    """Any play that is offered, each as likely as the others."""

    def __init__(self, seed: str) -> None:
        self._draw = random.Random(seed)  # noqa: S311  No card depends on it.

    async def __call__(self, view: Json, hand: Json, able: list[str]) -> str:
        """One of the plays."""
        return self._draw.choice(able)


class BestOffered:
    """The play of highest exact value among those that are offered."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._sheets: dict[str, Sheet] = {}

    async def __call__(self, view: Json, hand: Json, able: list[str]) -> str:
        """The best of the plays."""
        return await asyncio.to_thread(_best, await self.sheet(view), view, hand, able)

    async def sheet(self, view: Json) -> Sheet:
        """A table's rules by their hash, from this machine or the table; raises ClientError."""
        named = view["sheet"]
        if named["hash"] not in self._sheets:
            found = _known(named) or await self._told(view["table"], named["hash"])
            self._sheets[named["hash"]] = found
        return self._sheets[named["hash"]]

    async def _told(self, table: str, hash_: str) -> Sheet:
        from pitbook.rules.stored import stored_sheet  # noqa: PLC0415  Rarely needed.

        told = await self._client.ask("GET", f"/api/tables/{table}/sheet")
        model = models().get(str(told.get("family")))
        names = {one.alias or name for name, one in model.model_fields.items()} if model else ()
        rules = {key: told[key] for key in told if key in names}  # Words for a page stand beside.
        try:
            return stored_sheet({"hash": hash_, "body": _said(rules)})
        except RoundError as error:
            why = sentence_of(error)
            raise ClientError(say("cli.bot.rules-unread", table=table, why=why)) from None


def _known(named: Json) -> Sheet | None:
    """A sheet of this machine with that hash."""
    sheets = (one.sheet for one in library().entries())
    same = (one for one in sheets if one is not None and one.id == named["id"])
    return next((one for one in same if digest(one) == named["hash"]), None)


def _said(part: Any) -> Any:
    """A sheet leaves out what it does not say; JSON says null."""
    if isinstance(part, dict):
        return {key: _said(value) for key, value in part.items() if value is not None}
    return [_said(one) for one in part] if isinstance(part, list) else part


def _best(sheet: Sheet, view: Json, hand: Json, able: list[str]) -> str:
    from pitbook.exact.advice import advise  # noqa: PLC0415  It brings NumPy.

    stakes: dict[str, Cents] = {wager: dollars(amount) for wager, amount in hand["wagers"]}
    board = view["board"]["cards"] if compile_game(sheet).seen_in_play else ()
    turned = [one for one in board if one is not None]
    purse = dollars(view["wallet"]) if "wallet" in view else None
    advice = advise(
        sheet,
        cards(" ".join(hand["cards"])),
        cards(" ".join(turned)),
        hand["plays"],
        ante=stakes[sheet.main_id],
        side={wager: stakes[wager] for wager in sheet.side if wager in stakes},
        purse=purse,
    )
    worths: dict[str, Fraction] = {play: worth for play, worth in advice.actions.items()}  # noqa: C416
    offered = [play for play in able if play in worths]
    return max(offered, key=lambda play: (worths[play], play == advice.best))
