"""Replays of a round for its player, the staff, or anyone with a signed link."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from pitbook.house.ledger.fact_codec import Json
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.people.sessions import SignedTokens
from pitbook.house.table.events import sheet_id
from pitbook.house.table.round_history import render_round
from pitbook.house.table.round_records import RoundRecord, round_of, round_shoe
from pitbook.house.table.round_replay import (
    anonymize,
    build_proof,
    proof_problem,
    replay_steps,
    seat_names,
)
from pitbook.house.table.visibility import Viewer
from pitbook.shoe.crypto import Vault
from pitbook.text import say

HOURS_MAX = 87_600  # Ten years.
TOKEN_MAX = 1_000


class RoundLink(NamedTuple):
    """A link's content: the round, whose view it shows, and when it ends."""

    table: str
    round: str
    sharer: str
    until: str = ""  # A time; without one, the link ends with the round's record.

    def has_ended(self, now: datetime) -> bool:
        """Whether the link has expired."""
        return bool(self.until) and now > datetime.fromisoformat(self.until)


class Links(SignedTokens[RoundLink]):
    """Makes and reads signed links, which are stored nowhere."""

    def __init__(self, secret: bytes) -> None:
        super().__init__(secret, RoundLink, purpose=b"pitbook share 1", longest=TOKEN_MAX)

    def words(self, link: RoundLink) -> tuple[str, ...]:
        """The fields to sign: links without an end keep their original format."""
        return link if link.until else link[:-1]


def create_link(record: RoundRecord, sharer: str, *, hours: int | None, now: datetime) -> RoundLink:
    """A link to a finished round. It ends after `hours`, or never."""
    until = "" if hours is None else (now + timedelta(hours=hours)).isoformat(timespec="seconds")
    return RoundLink(record.before.table, record.id, sharer, until)


def link_ended_message(link: RoundLink) -> str:
    """The message for an expired link."""
    at = datetime.fromisoformat(link.until).astimezone(UTC)
    return say("web.rounds.link-ended", day=at.date(), time=f"{at:%H:%M}")


def render_replay(ledger: Ledger, record: RoundRecord, viewer: Viewer) -> Json:
    """A round step by step, as a player or staff member may see it."""
    round_view = render_round(ledger, record, viewer.name)
    own_seats = _seats_of(record, viewer.name)
    return {
        **_replay_document(record, viewer),
        "mine": own_seats,
        "settlement": round_view["settlement"],
        "advice": round_view["advice"],
        "balance": round_view["balance"] if own_seats else None,
        "shoe": round_view["shoe"],
    }


def render_shared_replay(record: RoundRecord, link: RoundLink, vault: Vault) -> Json:
    """A round as its sharer may see it, without other names, advice or balance."""
    anonymous = anonymize(record)
    replayed = _replay_document(anonymous, Viewer(seat_names(record)[link.sharer], "player"))
    problem = _proof_error(record, link.sharer)
    sharer = Viewer(link.sharer, "player")
    return {
        **replayed,
        "mine": _seats_of(record, link.sharer),
        "settlement": replayed["steps"][-1]["view"]["result"],
        "shoe": round_shoe(anonymous),
        "shared_by": link.sharer,
        "until": link.until or None,
        "proof": build_proof(record, vault, sharer, named=False) if problem is None else None,
        "proof_why": problem,
    }


def _replay_document(record: RoundRecord, viewer: Viewer) -> Json:
    return {
        "round": record.id,
        "table": record.before.table,
        "unit": record.before.unit,
        "sheet": sheet_id(record.before.upcoming_sheet),
        "opened": record.steps[0].at,
        "over": record.settled is not None,
        "arranged": record.before.spot is not None,
        "replay": True,
        "viewer": viewer.name,
        "steps": list(replay_steps(record, viewer)),
    }


def _proof_error(record: RoundRecord, sharer: str) -> str | None:
    """Why a link has no proof: the seed would reveal every hand of the shoe."""
    if record.before.card_commitments:
        return proof_problem(record, is_complete=False)
    if record.revealed is None or record.revealed.seed is None:
        return say("web.rounds.no-seed")
    if record.before.kind == "practice":  # It has no other players.
        return None
    round = round_of(record.state)
    is_only_player = {seat.player for seat in round.seats} == {sharer}
    if is_only_player and round.game.sheet.deck.cut_card is None:
        return None
    return say("web.rounds.others-hands")


def _seats_of(record: RoundRecord, player: str) -> list[int]:
    return [seat.number for seat in round_of(record.state).seats if seat.player == player]
