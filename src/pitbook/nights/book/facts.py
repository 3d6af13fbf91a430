"""What has happened at a night, as the ledger keeps it. The state is the fold of these, no more.

A tournament's facts stand in the same stream and name their tournament; these never do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pitbook.money import Cents, money

if TYPE_CHECKING:
    from pitbook.nights.book.commands import Make
    from pitbook.nights.book.state import Slip, Unclaimed

Json = dict[str, Any]
Fact = Mapping[str, Any]

FORMAT = 1


def made(command: Make) -> Fact:
    """A night with its rules, before the doors open."""
    said = command._asdict()
    if not said["rehearsal"]:
        del said["rehearsal"]
    return {"fact": "night-made", "format": FORMAT, **said}


def corrected(now: Json, was: Json, *, at: str, by: str) -> Fact:
    """What was wrong about a night was put right before the doors opened."""
    return {"fact": "night-corrected", **now, "was": was, "at": at, "by": by}


def opened(at: str) -> Fact:
    """The doors are open."""
    return {"fact": "night-opened", "at": at}


def passed(slip: Slip) -> Fact:
    """Money or chips passed over the counter, with the number of the slip."""
    return {
        "fact": "slip",
        "slip": slip.number,
        "what": slip.what,
        "player": slip.player,
        "amount": money(slip.amount),
        "over": money(slip.over),
        "at": slip.at,
        "by": slip.by,
    }


def undone(slip: Slip, over: Cents, why: str, *, at: str, by: str) -> Fact:
    """A slip was wrong, and what it moved went back."""
    return {
        "fact": "slip-undone",
        "slip": slip.number,
        "over": money(over),
        "why": why,
        "at": at,
        "by": by,
    }


def table_admitted(
    *,
    table: str,
    sheet: Json,
    base: Json,
    limits: Json | None = None,
    differences: Iterable[Json] = (),
) -> Fact:
    """A table may be set up on these rules; a derived sheet says from which, and how it differs."""
    whole = {"base_sheet": base} if base["hash"] != sheet["hash"] else {}
    return {
        "fact": "table-admitted",
        "table": table,
        "sheet": sheet,
        "base": base["hash"],
        **whole,
        "limits": limits,
        "differences": list(differences),
    }


def interrupted(why: str, *, at: str, by: str, dead: bool) -> Fact:
    """Play stopped everywhere."""
    said = {"dead": True} if dead else {}
    return {"fact": "night-interrupted", "why": why, "at": at, "by": by, **said}


def closed(
    *,
    at: str,
    expired: Mapping[str, Cents],
    returned: Cents,
    unclaimed: Iterable[Unclaimed] = (),
) -> Fact:
    """The night is over; what nobody came for is kept by name."""
    kept = [{**one._asdict(), "amount": money(one.amount)} for one in unclaimed]
    return {
        "fact": "night-closed",
        "at": at,
        "expired": {player: money(cents) for player, cents in sorted(expired.items())},
        "float_returned": money(returned),
        **({"unclaimed": kept} if kept else {}),
    }
