"""One seat's account of a round: everything that bears on what it was paid."""

from __future__ import annotations

from typing import Any, NamedTuple

from pitbook.cards import name
from pitbook.errors import FactError, RoundError
from pitbook.house.ledger.accounts import changes
from pitbook.house.ledger.book import Ledger
from pitbook.house.table.acts.taken_back import short_at
from pitbook.house.table.facts import CoachTold, Json, TakenBack
from pitbook.house.table.past.records import RoundRecord, balances, find, on_layout, shown_shoe
from pitbook.house.table.past.shares import Cap, caps
from pitbook.house.table.past.story import Passage, story
from pitbook.house.table.seen.layout import common_out
from pitbook.house.table.units import counted_in
from pitbook.money import Cents, money
from pitbook.rules.game import Seat
from pitbook.rules.plays import PASSED
from pitbook.rules.report import hand_result, report
from pitbook.rules.round import Round
from pitbook.rules.settlement import Settlement
from pitbook.rules.words import report_with_words, result_so_far
from pitbook.text import Sentence, say, sentence_of

__all__ = ["SeatAccount", "account", "explained"]

RESULT = ("lines", "wins", "loses", "net")


class SeatAccount(NamedTuple):
    """A seat's account of a round."""

    record: RoundRecord
    round: Round
    seat: Seat
    moments: list[Passage]
    caps: list[Cap]
    before: Cents
    after: Cents
    differs: list[str]

    @property
    def currency(self) -> str | None:
        """What its amounts are of; None is dollars."""
        return counted_in(self.record.before.unit, self.round.game.sheet.house.currency)

    @property
    def settlement(self) -> Settlement | None:
        """The seat's lines, once all of them have their result."""
        if self.round.open_stakes(self.seat):
            return None
        return self.so_far

    @property
    def so_far(self) -> Settlement:
        """The seat's lines that have their result; others may still be open."""
        number = self.seat.number
        lines = tuple(line for seat, line in self.round.results if seat == number)
        return Settlement(number, lines)

    def document(self) -> Json:
        """The account as JSON."""
        record, sheet, state = self.record, self.round.game.sheet, self.record.before
        return {
            "round": record.id,
            "seat": self.seat.number,
            "player": self.seat.player,
            "table": state.table,
            "kind": state.kind,
            "unit": state.unit,
            **({"dealers": dealers} if (dealers := record.dealers) else {}),
            "stream": record.stream,
            "entries": [record.steps[0].seq, record.steps[-1].seq],
            "sheet": {
                "id": sheet.id,
                "title": sheet.title,
                "venue": sheet.house.venue,
                "effective": sheet.effective.isoformat() if sheet.effective else None,
                "hash": state.coming["hash"],
                **({"currency": currency} if (currency := sheet.house.currency) else {}),
            },
            "shoe": shown_shoe(record, seed=True),
            "story": [one._asdict() | {"told": list(one.told)} for one in self.moments],
            "advice": self._advice(),
            "board": [name(card) for card in self.round.board],
            **({"common": common_out(self.round)} if self.round.more else {}),
            "cards": [name(card) for card in self.seat.cards],
            "plays": [play for play in self.seat.plays if play != PASSED],
            **self._result(),
            "balance": {"before": money(self.before), "after": money(self.after)},
            "transfers": self._transfers(),
            "differs": self.differs,
        }

    def _result(self) -> Json:
        if self.settlement is None:
            return {
                "result": None,
                "held": money(sum(amount for _, amount in self.round.open_stakes(self.seat))),
                "so_far": result_so_far(self.round, self.seat),
                "limits": [],
                "notes": _notes(self.round),
            }
        if self.round.phase != "over":
            mine: Any = result_so_far(self.round, self.seat)
            lines = {key: mine[key] for key in RESULT}
            result = hand_result("settled", [line["result"] for line in mine["lines"]])
            return {"result": result, **lines, "limits": [], "notes": _notes(self.round)}
        told: Any = report_with_words(report(self.round), self.round)
        (mine,) = (one for one in told["seats"] if one["seat"] == self.seat.number)
        lines = {key: mine[key] for key in RESULT}
        limits = [one.document() for one in self.caps]
        result = hand_result(told["result"], [line["result"] for line in mine["lines"]])
        return {"result": result, **lines, "limits": limits, "notes": told["notes"]}

    def _advice(self) -> list[Json]:
        return [
            {"at": step.at, "text": fact.text}
            for step in self.record.steps
            for fact in step.of(CoachTold)
            if fact.seat == self.seat.number
        ]

    def _transfers(self) -> list[Json]:
        why = f"{self.record.id} seat {self.seat.number} "
        return [
            {
                "seq": step.seq,
                "debit": str(one.debit),
                "credit": str(one.credit),
                "amount": money(one.amount),
                "why": one.why,
            }
            for step in self.record.steps
            for one in step.transfers
            if one.why.startswith(why)
        ]


def explained(ledger: Ledger, round: str, number: int) -> SeatAccount:
    """The account of a seat by the round's id; raises RoundError with a sentence."""
    try:
        return account(ledger, find(ledger, round), number)
    except (FactError, KeyError, TypeError, AttributeError) as error:  # No table writes such facts.
        why = sentence_of(error) if isinstance(error, FactError) else repr(error)
        raise RoundError(say("table.past.damaged", round=round, why=why)) from error


def account(ledger: Ledger, record: RoundRecord, number: int) -> SeatAccount:
    """The account of a seat; raises RoundError where nobody played there."""
    round = on_layout(record.state)
    seat = round.seat(number)
    if seat is None:
        fields = {"seat": number, "round": record.id, "played": _played(round)}
        raise RoundError(say("table.past.nobody-played", **fields))
    made = balances(ledger, record, seat.player)
    over = round.phase == "over"
    differs = _differences(record, round) if over else []
    capped = caps(round) if over and round.bites else []
    return SeatAccount(record, round, seat, story(record, number), capped, *made, differs)


def _played(round: Round) -> Sentence:
    numbers = tuple(seat.number for seat in round.seats)
    if not numbers:
        return say("table.past.all-taken-back")
    return say("table.past.played", seats=numbers, count=len(numbers))


def _differences(record: RoundRecord, round: Round) -> list[str]:
    """Where the record does not bear out what the rules come to."""
    found: list[str] = []
    if record.settled is not None and record.settled != report(round):
        found.append(say("table.past.settles-otherwise"))
    for seat in round.seats:
        (net,) = (one.net for one in round.settlements if one.seat == seat.number)
        if (moved := _moved(record, seat)) != net:
            nets = {"seat": seat.number, "net": money(net), "moved": money(moved)}
            found.append(say("table.past.nets-otherwise", **nets))
    return found


def _moved(record: RoundRecord, seat: Seat) -> int:
    """What the round did to a player's wallet on account of one seat."""
    wallet, why = record.wallet(seat.player), f"{record.id} seat {seat.number} "
    moved = [one for step in record.steps for one in step.transfers if one.why.startswith(why)]
    back = (fact for step in record.steps for fact in step.of(TakenBack))
    gone = sum(short_at(fact, seat.number) for fact in back)  # The house bears it, on record.
    return sum(by for one in moved for whose, by in changes(one) if whose == wallet) - gone


def _notes(round: Round) -> list[Any]:
    return [{"note": note.what, "clause": note.clause} for note in round.notes]
