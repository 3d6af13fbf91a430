"""Explain a seat's result: story, lines, payout caps and balance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from pitbook.cards import name
from pitbook.errors import FactError, RoundError
from pitbook.house.ledger.accounts import balance_changes, unit_currency
from pitbook.house.ledger.fact_codec import Fact, Json
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.table import facts
from pitbook.house.table.apply_facts import apply
from pitbook.house.table.facts import CoachAdvice, SettlementReversed, reason_text, shortfall
from pitbook.house.table.round_records import (
    JournalStep,
    RoundRecord,
    find_round,
    round_of,
    round_shoe,
    wallet_balances,
)
from pitbook.house.table.state import TableState
from pitbook.house.table.transfers import reversal_sentences
from pitbook.house.table.views import common_cards
from pitbook.money import Cents, money
from pitbook.rules.actions import BOARD, PASSED, Action
from pitbook.rules.game import Seat
from pitbook.rules.narration import (
    cap_sentence,
    report_with_words,
    result_so_far,
    transcript,
    wager_title,
)
from pitbook.rules.payout_caps import apply_payout_caps
from pitbook.rules.result_json import hand_result, report
from pitbook.rules.round import Round
from pitbook.rules.settlement_lines import AppliedCap, Line, Settlement
from pitbook.rules.stored_rounds import replay
from pitbook.sheets.model import Limit, Sheet
from pitbook.sheets.pay_tables import falls_under
from pitbook.text import Sentence, say, sentence_of

RESULT = ("lines", "wins", "loses", "net")


class Share(NamedTuple):
    """A line's amount under a cap, before and after, in cents."""

    wager: str
    due: int
    paid: int


class HandShares(NamedTuple):
    """The shares of one hand."""

    seat: int
    lines: tuple[Share, ...]

    @property
    def due(self) -> int:
        """The hand's amount before the cap."""
        return sum(line.due for line in self.lines)

    @property
    def paid(self) -> int:
        """The hand's amount after the cap."""
        return sum(line.paid for line in self.lines)


class CapShare(NamedTuple):
    """An applied cap with every hand under it."""

    applied: AppliedCap
    clause: str
    ties: str
    hands: tuple[HandShares, ...]

    def document(self) -> dict[str, Any]:
        """The cap as JSON."""
        return {
            "clause": self.applied.clause,
            "due": money(self.applied.due),
            "paid": money(self.applied.paid),
            "seat": self.applied.seat,
            "shared_by": self.clause,
            "hands": [
                {
                    "seat": hand.seat,
                    "due": money(hand.due),
                    "paid": money(hand.paid),
                    "lines": [
                        {"wager": line.wager, "due": money(line.due), "paid": money(line.paid)}
                        for line in hand.lines
                    ],
                }
                for hand in self.hands
            ],
        }

    def sentences(self, round: Round, seat: int) -> Iterator[Sentence]:
        """Sentences that explain a seat's share."""
        yield cap_sentence(self.applied)
        due, paid = self.applied.due, self.applied.paid
        for hand in self.hands if self.applied.seat is None else ():
            shared = {"due": due, "paid": paid, "part": hand.due, "gets": hand.paid}
            yield say("table.shares.of-hand", seat=hand.seat, clause=self.clause, **shared)
        for line in (line for hand in self.hands if hand.seat == seat for line in hand.lines):
            title = wager_title(round, line.wager)
            yield say("table.shares.of-line", seat=seat, title=title, due=line.due, paid=line.paid)
        if any(line.due * paid % due for hand in self.hands for line in hand.lines):
            yield say("table.shares.left-over", ties=self.ties, clause=self.clause)


class StoryStep(NamedTuple):
    """The sentences of one entry; `follows` if it began with another seat's action."""

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
    story: list[StoryStep]
    caps: list[CapShare]
    before: Cents
    after: Cents
    differences: list[str]

    @property
    def currency(self) -> str | None:
        """The currency of its amounts; None means dollars."""
        return unit_currency(self.record.before.unit, self.round.game.sheet.house.currency)

    @property
    def settlement(self) -> Settlement | None:
        """The seat's lines once all have a result, otherwise None."""
        if self.round.open_stakes(self.seat):
            return None
        return self.settled_lines

    @property
    def settled_lines(self) -> Settlement:
        """The seat's lines that have a result; others may still be open."""
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
                "hash": state.upcoming_sheet["hash"],
                **({"currency": currency} if (currency := sheet.house.currency) else {}),
            },
            "shoe": round_shoe(record, seed=True),
            "story": [
                story_step._asdict() | {"told": list(story_step.told)} for story_step in self.story
            ],
            "advice": self._advice(),
            "board": [name(card) for card in self.round.board],
            **({"common": common_cards(self.round)} if self.round.more else {}),
            "cards": [name(card) for card in self.seat.cards],
            "plays": [play for play in self.seat.plays if play != PASSED],
            **self._result(),
            "balance": {"before": money(self.before), "after": money(self.after)},
            "transfers": self._transfers(),
            "differs": self.differences,
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
            own_result: Any = result_so_far(self.round, self.seat)
            lines = {key: own_result[key] for key in RESULT}
            result = hand_result("settled", [line["result"] for line in own_result["lines"]])
            return {"result": result, **lines, "limits": [], "notes": _notes(self.round)}
        round_report: Any = report_with_words(report(self.round), self.round)
        (own_result,) = (seat for seat in round_report["seats"] if seat["seat"] == self.seat.number)
        lines = {key: own_result[key] for key in RESULT}
        limits = [cap.document() for cap in self.caps]
        result = hand_result(
            round_report["result"], [line["result"] for line in own_result["lines"]]
        )
        return {"result": result, **lines, "limits": limits, "notes": round_report["notes"]}

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
                "debit": str(transfer.debit),
                "credit": str(transfer.credit),
                "amount": money(transfer.amount),
                "why": transfer.why,
            }
            for step in self.record.steps
            for transfer in step.transfers
            if transfer.why.startswith(why)
        ]


def explain_seat(ledger: Ledger, round: str, number: int) -> SeatAccount:
    """The account of a seat by the round's id; raises RoundError."""
    try:
        return seat_account(ledger, find_round(ledger, round), number)
    except (FactError, KeyError, TypeError, AttributeError) as error:  # No table writes such facts.
        why = sentence_of(error) if isinstance(error, FactError) else repr(error)
        raise RoundError(say("table.past.damaged", round=round, why=why)) from error


def seat_account(ledger: Ledger, record: RoundRecord, number: int) -> SeatAccount:
    """The account of a seat; raises RoundError if nobody played there."""
    round = round_of(record.state)
    seat = round.seat(number)
    if seat is None:
        fields = {"seat": number, "round": record.id, "played": _played_seats(round)}
        raise RoundError(say("table.past.nobody-played", **fields))
    before_and_after = wallet_balances(ledger, record, seat.player)
    over = round.phase == "over"
    differs = _differences(record, round) if over else []
    capped = applied_caps(round) if over and round.applied_caps else []
    return SeatAccount(
        record, round, seat, round_story(record, number), capped, *before_and_after, differs
    )


def _played_seats(round: Round) -> Sentence:
    numbers = tuple(seat.number for seat in round.seats)
    if not numbers:
        return say("table.past.all-taken-back")
    return say("table.past.played", seats=numbers, count=len(numbers))


def _differences(record: RoundRecord, round: Round) -> list[str]:
    """Differences between the record and the rules."""
    differences: list[str] = []
    if record.settled is not None and record.settled != report(round):
        differences.append(say("table.past.settles-otherwise"))
    for seat in round.seats:
        (net,) = (
            settlement.net for settlement in round.settlements if settlement.seat == seat.number
        )
        if (change := _wallet_change(record, seat)) != net:
            nets = {"seat": seat.number, "net": money(net), "moved": money(change)}
            differences.append(say("table.past.nets-otherwise", **nets))
    return differences


def _wallet_change(record: RoundRecord, seat: Seat) -> int:
    """The change of a player's wallet caused by one seat."""
    wallet, why = record.wallet(seat.player), f"{record.id} seat {seat.number} "
    transfers = [
        transfer
        for step in record.steps
        for transfer in step.transfers
        if transfer.why.startswith(why)
    ]
    reversals = (fact for step in record.steps for fact in step.of(SettlementReversed))
    lost = sum(shortfall(fact, seat.number) for fact in reversals)  # The house's loss, on record.
    return (
        sum(
            change
            for transfer in transfers
            for account, change in balance_changes(transfer)
            if account == wallet
        )
        - lost
    )


def _notes(round: Round) -> list[Any]:
    return [{"note": note.what, "clause": note.clause} for note in round.notes]


FORM = "form."  # Keys of layout only: the content is in the field `text`.
# They name a seat but concern everyone.
ABOUT_ALL = "engine.mishaps.shown", "engine.words.cap-of-seat"


def round_story(record: RoundRecord, seat: int) -> list[StoryStep]:
    """The round's sentences that concern a seat, step by step."""
    state, story = record.before, []
    for step in record.steps:
        sentences, state = _step_sentences(step, state)
        own_sentences = tuple(sentence for sentence in sentences if _is_about_seat(sentence, seat))
        if own_sentences:
            follows = not _is_about_seat(sentences[0], seat)
            story.append(StoryStep(step.seq, step.at, step.actor, follows, own_sentences))
    return story


def fact_sentences(fact: Fact) -> list[str]:
    """The sentences of a fact that is not an action."""
    handler = _HANDLERS.get(type(fact))
    return [] if handler is None else list(handler(fact))


def seat_of(sentence: str) -> int | None:
    """The seat that a sentence is about; None if it concerns everyone."""
    if not isinstance(sentence, Sentence) or sentence.key in ABOUT_ALL:
        return None
    if sentence.key.startswith(FORM):
        return seat_of(sentence.fields.get("text", ""))
    seat: int | None = sentence.fields.get("seat")
    return seat


def _is_about_seat(sentence: str, seat: int) -> bool:
    return seat_of(sentence) in (None, seat)


def _step_sentences(step: JournalStep, state: TableState) -> tuple[list[str], TableState]:
    sentences: list[str] = []
    actions: list[Action] = []
    before = state.round
    for fact in (
        step_fact for step_fact in step.facts if not isinstance(step_fact, facts.ShoeRevealed)
    ):
        if isinstance(fact, facts.Acted):
            actions.append(fact.action)
        elif handler := _HANDLERS.get(type(fact)):
            sentences += [*_action_sentences(before, actions), *handler(fact)]
            actions = []
        state = apply(state, fact)
        if not actions:
            before = state.round
    # Fills occur within the settlement that needs them; the settlement is described as a whole.
    fills = [_fill_sentence(fact) for fact in step.of(facts.Fill)]
    reveals = [
        _reveal_sentence(fact)
        for fact in step.of(facts.ShoeRevealed)
        if _is_round_shoe(fact, state)
    ]
    return [*sentences, *_action_sentences(before, actions), *fills, *reveals], state


def _is_round_shoe(fact: facts.ShoeRevealed, state: TableState) -> bool:
    return state.shoe is not None and fact.id == state.shoe["id"]


def _action_sentences(before: Round | None, actions: Sequence[Action]) -> list[str]:
    """The sentences of some actions, without the round's summary."""
    if before is None or not actions:
        return []
    sentences = transcript(before, actions)
    summary = transcript(replay(before, actions), [])
    return sentences[: len(sentences) - len(summary)]


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
        was=fact.mistyped,
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
    facts.SettlementReversed: reversal_sentences,
}


SCOPES = ("bet", "hand", "round")


def applied_caps(final: Round) -> list[CapShare]:
    """The caps applied in a round, in order of application."""
    sheet, current = (
        final.game.sheet,
        tuple(_without_caps(settlement) for settlement in final.settlements),
    )
    shares = []
    for limit in sorted(sheet.limits, key=lambda limit: SCOPES.index(limit.per)):
        single_limit = sheet.model_copy(update={"limits": type(sheet.limits)([limit])})
        after, bites = apply_payout_caps(single_limit, current)
        shares += [_share_cap(sheet, limit, bite, current, after) for bite in bites]
        current = after
    return shares


def _without_caps(hand: Settlement) -> Settlement:
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
        HandShares(before_hand.seat, tuple(_shares(sheet, limit, before_hand, after_hand)))
        for before_hand, after_hand in zip(before, after, strict=True)
        if bite.seat in (None, before_hand.seat)
    ]
    rule = sheet.payouts.share_ties
    sorted_hands = sorted(hand for hand in hands if hand.lines)
    return CapShare(bite, rule.clause, rule.value, tuple(sorted_hands))


def _shares(
    sheet: Sheet, limit: Limit, before_hand: Settlement, after_hand: Settlement
) -> Iterator[Share]:
    for line, capped in zip(before_hand.lines, after_hand.lines, strict=True):
        if _is_limited(sheet, limit, line):
            stake = line.stake if sheet.payouts.stake_counted.value else 0
            yield Share(line.wager, line.wins + stake, capped.wins + stake)


def _is_limited(sheet: Sheet, limit: Limit, line: Line) -> bool:
    wager = line.wager if line.wager in sheet.side else "main"
    if line.odds is None or line.outcome is None:
        return False
    return falls_under(limit, wager, line.outcome, line.odds)
