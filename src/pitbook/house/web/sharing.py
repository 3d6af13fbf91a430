"""Replays of a round for its player, the staff, or anyone with a signed link."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from pitbook.house.ledger.codec import Json
from pitbook.house.ledger.journal import Ledger
from pitbook.house.people.sessions import SignedTokens
from pitbook.house.table.events import sheet_id
from pitbook.house.table.history import render_round
from pitbook.house.table.replay import (
    anonymize,
    build_proof,
    proof_problem,
    replay_steps,
    seat_names,
)
from pitbook.house.table.round_records import RoundRecord, round_of, round_shoe
from pitbook.house.table.visibility import Viewer
from pitbook.shoe.vault import Vault
from pitbook.text import say

HOURS_MAX = 87_600  # Ten years.
TOKEN_MAX = 1_000


class RoundLink(NamedTuple):
    """What a link stands for: a round, whose eyes it is seen with, and until when."""

    table: str
    round: str
    sharer: str
    until: str = ""  # A time; without one it ends with the round's record.

    def has_ended(self, now: datetime) -> bool:
        """Whether its time is over."""
        return bool(self.until) and now > datetime.fromisoformat(self.until)


class Links(SignedTokens[RoundLink]):
    """Makes links and reads them; a link is signed, and kept nowhere."""

    def __init__(self, secret: bytes) -> None:
        super().__init__(secret, RoundLink, purpose=b"pitbook share 1", longest=TOKEN_MAX)

    def words(self, one: RoundLink) -> tuple[str, ...]:
        """What is signed: links without an end are what they were before there was one."""
        return one if one.until else one[:-1]


def create_link(record: RoundRecord, sharer: str, *, hours: int | None, now: datetime) -> RoundLink:
    """A link to a round that is over; it ends after so many hours, to the second, or never."""
    until = "" if hours is None else (now + timedelta(hours=hours)).isoformat(timespec="seconds")
    return RoundLink(record.before.table, record.id, sharer, until)


def link_ended_message(link: RoundLink) -> str:
    """What whoever comes too late is told."""
    at = datetime.fromisoformat(link.until).astimezone(UTC)
    return say("web.rounds.link-ended", day=at.date(), time=f"{at:%H:%M}")


def render_replay(ledger: Ledger, record: RoundRecord, viewer: Viewer) -> Json:
    """A round as somebody at the table may see it, step by step."""
    found = render_round(ledger, record, viewer.name)
    mine = _seats_of(record, viewer.name)
    return {
        **_replayed(record, viewer),
        "mine": mine,
        "settlement": found["settlement"],
        "advice": found["advice"],
        "balance": found["balance"] if mine else None,
        "shoe": found["shoe"],
    }


def render_shared_replay(record: RoundRecord, link: RoundLink, vault: Vault) -> Json:
    """A round as its sharer may see it, for strangers: no other names, no advice, no balance."""
    plain = anonymize(record)
    replayed = _replayed(plain, Viewer(seat_names(record)[link.sharer], "player"))
    why = _no_proof(record, link.sharer)
    sharer = Viewer(link.sharer, "player")
    return {
        **replayed,
        "mine": _seats_of(record, link.sharer),
        "settlement": replayed["steps"][-1]["view"]["result"],
        "shoe": round_shoe(plain),
        "shared_by": link.sharer,
        "until": link.until or None,
        "proof": build_proof(record, vault, sharer, named=False) if why is None else None,
        "proof_why": why,
    }


def _replayed(record: RoundRecord, viewer: Viewer) -> Json:
    return {
        "round": record.id,
        "table": record.before.table,
        "unit": record.before.unit,
        "sheet": sheet_id(record.before.coming),
        "opened": record.steps[0].at,
        "over": record.settled is not None,
        "arranged": record.before.spot is not None,
        "replay": True,
        "viewer": viewer.name,
        "steps": list(replay_steps(record, viewer)),
    }


def _no_proof(record: RoundRecord, sharer: str) -> str | None:
    """Why a link carries no proof: whoever has a seed can deal every hand of the shoe."""
    if record.before.cardwise:
        return proof_problem(record, whole=False)
    if record.revealed is None or record.revealed.seed is None:
        return say("web.rounds.no-seed")
    if record.before.kind == "practice":  # Nobody else comes to it.
        return None
    round = round_of(record.state)
    alone = {seat.player for seat in round.seats} == {sharer}
    if alone and round.game.sheet.deck.cut_card is None:
        return None
    return say("web.rounds.others-hands")


def _seats_of(record: RoundRecord, player: str) -> list[int]:
    return [seat.number for seat in round_of(record.state).seats if seat.player == player]
