"""Why a seat was paid what it was paid: story, lines, caps and balance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from pitbook.cards import name
from pitbook.errors import FactError, RoundError
from pitbook.house.ledger.accounts import changes
from pitbook.house.ledger.codec import Fact, Json
from pitbook.house.ledger.journal import Ledger
from pitbook.house.table import facts, payouts
from pitbook.house.table.facts import CoachAdvice, TakenBack, reason_text, shortfall
from pitbook.house.table.round_records import (
    JournalStep,
    RoundRecord,
    balances,
    find_round,
    round_of,
    round_shoe,
)
from pitbook.house.table.state import TableState, apply, unit_currency
from pitbook.house.table.views import common_cards
from pitbook.money import Cents, money
from pitbook.rules.actions import BOARD, Action
from pitbook.rules.game import Seat
from pitbook.rules.limits import apply_limits
from pitbook.rules.narration import (
    cap_sentence,
    report_with_words,
    result_so_far,
    transcript,
    wager_title,
)
from pitbook.rules.plays import PASSED
from pitbook.rules.report import hand_result, report
from pitbook.rules.round import Round
from pitbook.rules.settlement import AppliedCap, Line, Settlement
from pitbook.rules.stored import replay
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Limit
from pitbook.sheets.pay_tables import falls_under
from pitbook.text import Sentence, say, sentence_of

RESULT = ("lines", "wins", "loses", "net")


class Share(NamedTuple):
    """What a line counted towards a cap, and what is left of it, in cents."""

    wager: str
    due: int
    paid: int


class HandShares(NamedTuple):
    """The shares of one hand."""

    seat: int
    lines: tuple[Share, ...]

    @property
    def due(self) -> int:
        """What the hand counted towards the cap."""
        return sum(line.due for line in self.lines)

    @property
    def paid(self) -> int:
        """What the cap leaves it."""
        return sum(line.paid for line in self.lines)


class CapShare(NamedTuple):
    """A cap that bit, and every hand under it."""

    bite: AppliedCap
    clause: str
    ties: str
    hands: tuple[HandShares, ...]

    def document(self) -> dict[str, Any]:
        """The cap as JSON."""
        return {
            "clause": self.bite.clause,
            "due": money(self.bite.due),
            "paid": money(self.bite.paid),
            "seat": self.bite.seat,
            "shared_by": self.clause,
            "hands": [
                {
                    "seat": hand.seat,
                    "due": money(hand.due),
                    "paid": money(hand.paid),
                    "lines": [
                        {"wager": one.wager, "due": money(one.due), "paid": money(one.paid)}
                        for one in hand.lines
                    ],
                }
                for hand in self.hands
            ],
        }

    def told(self, round: Round, seat: int) -> Iterator[Sentence]:
        """How a seat's share came about, a sentence a line."""
        yield cap_sentence(self.bite)
        due, paid = self.bite.due, self.bite.paid
        for hand in self.hands if self.bite.seat is None else ():
            shared = {"due": due, "paid": paid, "part": hand.due, "gets": hand.paid}
            yield say("table.shares.of-hand", seat=hand.seat, clause=self.clause, **shared)
        for one in (line for hand in self.hands if hand.seat == seat for line in hand.lines):
            title = wager_title(round, one.wager)
            yield say("table.shares.of-line", seat=seat, title=title, due=one.due, paid=one.paid)
        if any(line.due * paid % due for hand in self.hands for line in hand.lines):
            yield say("table.shares.left-over", ties=self.ties, clause=self.clause)


class StoryStep(NamedTuple):
    """What one entry brought; `follows` where it began with what another seat did."""

    seq: int
    at: str
    actor: str
    follows: bool
    told: tuple[str, ...]


class SeatAccount(NamedTuple):
    """A seat's account of a round."""

    record: RoundRecord
    round: Round
    seat: Seat
    moments: list[StoryStep]
    caps: list[CapShare]
    before: Cents
    after: Cents
    differs: list[str]

    @property
    def currency(self) -> str | None:
        """What its amounts are of; None is dollars."""
        return unit_currency(self.record.before.unit, self.round.game.sheet.house.currency)

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
            "shoe": round_shoe(record, seed=True),
            "story": [one._asdict() | {"told": list(one.told)} for one in self.moments],
            "advice": self._advice(),
            "board": [name(card) for card in self.round.board],
            **({"common": common_cards(self.round)} if self.round.more else {}),
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
            for fact in step.of(CoachAdvice)
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


def explain_seat(ledger: Ledger, round: str, number: int) -> SeatAccount:
    """The account of a seat by the round's id; raises RoundError with a sentence."""
    try:
        return seat_account(ledger, find_round(ledger, round), number)
    except (FactError, KeyError, TypeError, AttributeError) as error:  # No table writes such facts.
        why = sentence_of(error) if isinstance(error, FactError) else repr(error)
        raise RoundError(say("table.past.damaged", round=round, why=why)) from error


def seat_account(ledger: Ledger, record: RoundRecord, number: int) -> SeatAccount:
    """The account of a seat; raises RoundError where nobody played there."""
    round = round_of(record.state)
    seat = round.seat(number)
    if seat is None:
        fields = {"seat": number, "round": record.id, "played": _played_seats(round)}
        raise RoundError(say("table.past.nobody-played", **fields))
    made = balances(ledger, record, seat.player)
    over = round.phase == "over"
    differs = _differences(record, round) if over else []
    capped = applied_caps(round) if over and round.bites else []
    return SeatAccount(record, round, seat, round_story(record, number), capped, *made, differs)


def _played_seats(round: Round) -> Sentence:
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
        if (moved := _wallet_change(record, seat)) != net:
            nets = {"seat": seat.number, "net": money(net), "moved": money(moved)}
            found.append(say("table.past.nets-otherwise", **nets))
    return found


def _wallet_change(record: RoundRecord, seat: Seat) -> int:
    """What the round did to a player's wallet on account of one seat."""
    wallet, why = record.wallet(seat.player), f"{record.id} seat {seat.number} "
    moved = [one for step in record.steps for one in step.transfers if one.why.startswith(why)]
    back = (fact for step in record.steps for fact in step.of(TakenBack))
    gone = sum(shortfall(fact, seat.number) for fact in back)  # The house bears it, on record.
    return sum(by for one in moved for whose, by in changes(one) if whose == wallet) - gone


def _notes(round: Round) -> list[Any]:
    return [{"note": note.what, "clause": note.clause} for note in round.notes]


FORM = "form."  # Keys of how a sentence stands: what it says is its text.
ABOUT_ALL = ("engine.mishaps.shown", "engine.words.cap-of-seat")  # They name a seat, for everybody.


def round_story(record: RoundRecord, seat: int) -> list[StoryStep]:
    """The round as far as it concerns a seat; what other seats did is left out."""
    state, moments = record.before, []
    for step in record.steps:
        told, state = _step_sentences(step, state)
        mine = tuple(one for one in told if _concerns(one, seat))
        if mine:
            follows = not _concerns(told[0], seat)
            moments.append(StoryStep(step.seq, step.at, step.actor, follows, mine))
    return moments


def fact_sentences(fact: Fact) -> list[str]:
    """The sentences of a fact that is no step of the round, if there are any."""
    tell = _HANDLERS.get(type(fact))
    return [] if tell is None else list(tell(fact))


def seat_of(told: str) -> int | None:
    """The seat alone that a sentence is about, by its fields; None where it is for everybody."""
    if not isinstance(told, Sentence) or told.key in ABOUT_ALL:
        return None
    if told.key.startswith(FORM):
        return seat_of(told.fields.get("text", ""))
    seat: int | None = told.fields.get("seat")
    return seat


def _concerns(told: str, seat: int) -> bool:
    return seat_of(told) in (None, seat)


def _step_sentences(step: JournalStep, state: TableState) -> tuple[list[str], TableState]:
    told: list[str] = []
    acts: list[Action] = []
    before = state.round
    for fact in (one for one in step.facts if not isinstance(one, facts.ShoeRevealed)):
        if isinstance(fact, facts.Acted):
            acts.append(fact.action)
        elif tell := _HANDLERS.get(type(fact)):
            told += [*_action_sentences(before, acts), *tell(fact)]
            acts = []
        state = apply(state, fact)
        if not acts:
            before = state.round
    # A fill stands in the midst of the settlement that needs it, which is told in one piece.
    fills = [_fill_sentence(fact) for fact in step.of(facts.Fill)]
    ended = [
        _reveal_sentence(fact)
        for fact in step.of(facts.ShoeRevealed)
        if _is_round_shoe(fact, state)
    ]
    return [*told, *_action_sentences(before, acts), *fills, *ended], state


def _is_round_shoe(fact: facts.ShoeRevealed, state: TableState) -> bool:
    return state.shoe is not None and fact.id == state.shoe["id"]


def _action_sentences(before: Round | None, acts: Sequence[Action]) -> list[str]:
    """The sentences of some actions, without those that sum the round up."""
    if before is None or not acts:
        return []
    told = transcript(before, acts)
    summed_up = transcript(replay(before, acts), [])
    return told[: len(told) - len(summed_up)]


def _on_seed(fact: facts.SeatSeed) -> Iterator[str]:
    yield say("table.story.seed", seat=fact.seat)


def _on_advice(fact: facts.CoachAdvice) -> Iterator[str]:
    yield say("table.story.advised", seat=fact.seat, text=fact.text)


def _on_undone(fact: facts.Undone) -> Iterator[str]:
    yield say("table.story.undone", seat=fact.seat)


def _on_ready(fact: facts.Ready) -> Iterator[str]:
    yield say("table.story.ready" if fact.on else "table.story.more-time", seat=fact.seat)


def _on_interrupted(fact: facts.Interrupted) -> Iterator[str]:
    yield say("table.story.interrupted", why=reason_text(fact.why))
    if fact.awaiting:
        yield say("table.story.asked", names=tuple(fact.awaiting))
    elif fact.awaiting is not None:
        yield say("table.story.floor-asked")


def _on_agreed(fact: facts.Agreed) -> Iterator[str]:
    yield say("table.story.agrees", player=fact.player, finish=fact.finish)


def _on_resumed(fact: facts.Resumed) -> Iterator[str]:
    yield say("table.story.resumed", why=reason_text(fact.why))


def _on_corrected(fact: facts.Corrected) -> Iterator[str]:
    seat = say("engine.place.seat", seat=fact.place)
    yield say(
        "table.story.corrected",
        number=fact.number,
        place=say("engine.place.board") if fact.place <= BOARD else seat,
        was=fact.was,
        card=fact.card,
        why=fact.why,
    )


def _fill_sentence(fact: facts.Fill) -> str:
    return say("table.story.filled", amount=fact.amount, why=reason_text(fact.why))


def _reveal_sentence(fact: facts.ShoeRevealed) -> str:
    return say("table.story.ended-told" if fact.seed else "table.story.ended", shoe=fact.id)


_HANDLERS: dict[type, Callable[[Any], Iterator[str]]] = {
    facts.SeatSeed: _on_seed,
    facts.CoachAdvice: _on_advice,
    facts.Undone: _on_undone,
    facts.Ready: _on_ready,
    facts.Interrupted: _on_interrupted,
    facts.Agreed: _on_agreed,
    facts.Resumed: _on_resumed,
    facts.Corrected: _on_corrected,
    facts.TakenBack: payouts.reversal_sentences,
}


SCOPES = ("bet", "hand", "round")


def applied_caps(final: Round) -> list[CapShare]:
    """The caps that bit in a round, in the order in which they are applied."""
    sheet, current = final.game.sheet, tuple(_uncapped(one) for one in final.settlements)
    found = []
    for limit in sorted(sheet.limits, key=lambda one: SCOPES.index(one.per)):
        alone = sheet.model_copy(update={"limits": type(sheet.limits)([limit])})
        after, bites = apply_limits(alone, current)
        found += [_share_cap(sheet, limit, bite, current, after) for bite in bites]
        current = after
    return found


def _uncapped(hand: Settlement) -> Settlement:
    lines = (
        line._replace(wins=line.odds.wins(line.stake)) if line.odds else line for line in hand.lines
    )
    return Settlement(hand.seat, tuple(lines))


def _share_cap(
    sheet: Sheet,
    limit: Limit,
    bite: AppliedCap,
    before: tuple[Settlement, ...],
    after: tuple[Settlement, ...],
) -> CapShare:
    hands = [
        HandShares(was.seat, tuple(_shares(sheet, limit, was, now)))
        for was, now in zip(before, after, strict=True)
        if bite.seat in (None, was.seat)
    ]
    rule = sheet.payouts.share_ties
    counted = sorted(hand for hand in hands if hand.lines)
    return CapShare(bite, rule.clause, rule.value, tuple(counted))


def _shares(sheet: Sheet, limit: Limit, was: Settlement, now: Settlement) -> Iterator[Share]:
    for line, left in zip(was.lines, now.lines, strict=True):
        if _counts(sheet, limit, line):
            stake = line.stake if sheet.payouts.stake_counted.value else 0
            yield Share(line.wager, line.wins + stake, left.wins + stake)


def _counts(sheet: Sheet, limit: Limit, line: Line) -> bool:
    wager = line.wager if line.wager in sheet.side else "main"
    if line.odds is None or line.outcome is None:
        return False
    return falls_under(limit, wager, line.outcome, line.odds)
