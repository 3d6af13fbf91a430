"""A decision is what happened and what it moved, both or neither."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from pitbook.house.ledger.accounts import Transfer
from pitbook.rules.refusals import Refusal


class Decided(NamedTuple):
    """Facts for the night's stream, and the transfers that are written with them."""

    facts: tuple[Any, ...]
    transfers: tuple[Transfer, ...] = ()


DecidedOrRefusal: TypeAlias = Decided | Refusal
