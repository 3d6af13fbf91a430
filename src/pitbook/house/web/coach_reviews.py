"""Reviews of practice: a player's decisions, scores and luck."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import NamedTuple, NotRequired

from typing_extensions import TypedDict

from pitbook.coach.mistake_log import Filters, LoggedDecision
from pitbook.coach.review import ResultBreakdown, Review, ReviewedDecision, review
from pitbook.coach.trends import breakdown_document, score
from pitbook.coach.verdicts import (
    AdviceValues,
    DecisionScore,
    DecisionSummary,
    PlayWeighed,
    ResultBreakdownDocument,
)
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.events import sheet_id
from pitbook.house.table.facts import Acted, CoachAdvice
from pitbook.house.table.round_records import RoundRecord, round_of, table_rounds
from pitbook.house.table.state import TableState
from pitbook.house.table.transfers import net_change, table_accounts
from pitbook.house.table.view_types import Recorded, SheetId
from pitbook.house.web.jobs import JobQueue
from pitbook.rules.actions import Absent, Decide
from pitbook.rules.result_json import StakedWager
from pitbook.rules.round import new_round
from pitbook.text.sentences import common_currency, fix_foreign_currency


class AdviceResponse(TypedDict):
    """The EV of each play, in antes or Bets."""

    advice: AdviceValues
    accepted: Recorded


class WeighedPlay(PlayWeighed):
    """A play compared with the others, on its street."""

    street: str
    street_title: str


class WeighedPlayResponse(TypedDict):
    """What the play costs, and the EV of every other play."""

    weighed: WeighedPlay
    accepted: Recorded


class ScoreSummary(DecisionScore):
    """A score with a sentence, over a number of rounds."""

    rounds: int
    sentence: str | None


class PracticeReview(TypedDict):
    """Review of practice: `summary` of what passes the filters, `all` of everything.

    `currency` is absent for US dollars, and CHIPS if there are several.
    """

    currency: NotRequired[str]

    summary: ScoreSummary
    all: ScoreSummary
    first_choice: DecisionScore
    unaided: DecisionScore
    luck: ResultBreakdownDocument
    total: int
    decisions: list[DecisionSummary]


class PlayerReview(PracticeReview):
    """The player, and the table; None for all open tables."""

    player: str
    table: str | None


class PastDecision(TypedDict):
    """A past decision to practice again."""

    round: str
    stage: int
    street: str
    street_title: str
    cards: list[str]
    board: list[str]
    before: list[str]
    seat: int
    wagers: list[StakedWager]


class ArrangedSpot(TypedDict):
    """The spot of the next round, and its shoe."""

    spot: PastDecision | None
    shoe: str
    accepted: Recorded


CACHED_ROUNDS_MAX = 5_000
NO_FILTERS = Filters()


class PracticedRound(NamedTuple):
    """One seat's practice round: its decisions and its result."""

    round: str
    sheet: str
    currency: str | None
    decisions: tuple[LoggedDecision, ...]
    breakdown: ResultBreakdown | None


def report(rounds: list[PracticedRound], filters: Filters, count: int) -> PracticeReview:
    """Score, luck and log of practice, newest decisions first.

    `summary` is of what passes the filters, `all` of everything.
    """
    decisions = decision_log(rounds, filters)
    settled = [round for round in rounds if filters.sheet in (None, round.sheet)]
    breakdown = sum((round.breakdown for round in settled if round.breakdown), ResultBreakdown())
    decisions_currency = common_currency(decision.currency for decision in decisions)
    settled_currency = common_currency(round.currency for round in settled)
    first = score(decision.first_pick_cost for decision in decisions).document()
    unaided = score(decision.cost for decision in decisions if not decision.advised).document()
    review: PracticeReview = {
        "summary": _summarize(decisions),
        "all": _summarize(decision_log(rounds)),
        "first_choice": fix_foreign_currency(first, decisions_currency),
        "unaided": fix_foreign_currency(unaided, decisions_currency),
        "luck": fix_foreign_currency(breakdown_document(breakdown), settled_currency),
        "total": len(decisions),
        "decisions": [decision.document() for decision in decisions[: -count - 1 : -1]],
    }
    return {**review, "currency": settled_currency} if settled_currency else review


def _summarize(decisions: list[LoggedDecision]) -> ScoreSummary:
    total = score(decision.cost for decision in decisions)
    rounds = len({decision.round for decision in decisions})
    document: ScoreSummary = {"rounds": rounds, **total.document(), "sentence": total.sentence()}
    return fix_foreign_currency(
        document, common_currency(decision.currency for decision in decisions)
    )


def decision_log(
    rounds: list[PracticedRound], filters: Filters = NO_FILTERS
) -> list[LoggedDecision]:
    """Decisions that pass the filters, oldest first."""
    decisions = [
        decision for round in rounds for decision in round.decisions if filters.matches(decision)
    ]
    return sorted(decisions, key=lambda decision: decision.at)


class _TableReviews(NamedTuple):
    """Reviewed rounds of a table, and where to read on in its stream."""

    settled: tuple[PracticedRound, ...] = ()
    last: int = 0  # The number of the last settled round,
    after: int = 0  # the entry before the one that opened it,
    chips: int = 0  # and the owner's wallet then.


class Reviews:
    """Cached reviews. A settled round is read and worked out only once."""

    def __init__(self, jobs: JobQueue) -> None:
        self._jobs = jobs
        self._tables: OrderedDict[str, _TableReviews] = OrderedDict()

    async def rounds(self, ledger: Ledger, table: LiveTable) -> list[PracticedRound]:
        """The rounds of a practice table's owner, oldest first; computed outside the event loop."""
        state, stream = table.state, table.stream
        rounds: list[PracticedRound] = await self._jobs.compute(
            ("reviews", stream, state.version),
            lambda: self._review_table(ledger, stream, state),
            keep=False,  # It is cached here.
        )
        return rounds

    def _review_table(self, ledger: Ledger, stream: str, state: TableState) -> list[PracticedRound]:
        """Settled rounds, and those in play if the coach is on. Otherwise that would be advice."""
        table = self._tables.get(stream, _TableReviews())
        try:
            table, playing = _review_new_rounds(ledger, stream, state, table)
        except _IncompleteRound:  # The rules or the shoe were set before the first entry read.
            table, playing = _review_new_rounds(ledger, stream, state, _TableReviews())
        self._store(stream, table)
        return [*table.settled, *(playing if state.coach else ())]

    def _store(self, stream: str, table: _TableReviews) -> None:
        self._tables[stream] = table
        self._tables.move_to_end(stream)
        while sum(len(table.settled) for table in self._tables.values()) > CACHED_ROUNDS_MAX:
            self._tables.popitem(last=False)


class _IncompleteRound(Exception):
    """A round that cannot be reviewed without earlier entries."""


def _review_new_rounds(
    ledger: Ledger, stream: str, state: TableState, table: _TableReviews
) -> tuple[_TableReviews, list[PracticedRound]]:
    """The table with all rounds settled since, and the rounds in play."""
    chips = _wallet_levels(ledger, stream, state, table)
    playing: list[PracticedRound] = []
    for record in table_rounds(ledger, stream, after=table.after):
        if record.number <= table.last:
            continue
        if not record.is_whole:
            raise _IncompleteRound
        rounds = list(_review_round(record, state.owner, chips))
        if record.settled is None:
            playing += rounds
            continue
        after = record.steps[0].seq - 1
        settled = (*table.settled, *rounds)
        table = _TableReviews(settled, record.number, after, chips[after])
    return table, playing


def _wallet_levels(
    ledger: Ledger, stream: str, state: TableState, table: _TableReviews
) -> dict[int, int]:
    """The owner's wallet after each entry. A guest's wallet is valid at this table only."""
    wallet = table_accounts(state).wallet(state.owner)
    level = table.chips
    levels = {table.after: level}
    for entry in ledger.entries(stream, after=table.after):
        level += net_change(wallet, entry.transfers)
        levels[entry.seq] = level
    return levels


def _review_round(
    record: RoundRecord, player: str, chips: dict[int, int]
) -> Iterator[PracticedRound]:
    """The player's seats in a round."""
    state = record.state
    round = round_of(state)
    for seat in round.seats:
        if seat.player == player:
            since = record.steps_of_wallet(player)[0].seq - 1
            bought = _chips_bought(record, chips, since)
            opened, purse = new_round(round.game), chips[since]
            seat_review = review(opened, state.actions, seat.number, purse=purse, bought=bought)
            yield _practiced_round(record, seat_review)


def _chips_bought(record: RoundRecord, chips: dict[int, int], since: int) -> dict[int, int]:
    """By position of an action: chips that came in from outside the round by then."""
    round_entries = {step.seq for step in record.steps}
    bought_by_position, position, bought, last = dict[int, int](), -1, 0, since
    for step in record.steps:
        for seq in range(last + 1, step.seq):
            bought += 0 if seq in round_entries else chips[seq] - chips[seq - 1]
        last = max(last, step.seq)
        for _ in step.of(Acted):
            position += 1
            bought_by_position[position] = bought
    return bought_by_position


def _practiced_round(record: RoundRecord, review: Review) -> PracticedRound:
    """The seat's round. An arranged round has no luck, and plays before its spot do not count."""
    spot = record.before.spot
    arranged, since = spot is not None, spot["stage"] if spot else 0
    notes = _decision_notes(record, review.seat)
    sheet = sheet_id(record.before.upcoming_sheet)
    logged = tuple(
        _log_decision(
            record, review.seat, decision, notes[decision.position], sheet, arranged=arranged
        )
        for decision in review.decisions
        if decision.chosen and decision.stage >= since
    )
    breakdown = None if arranged else review.breakdown
    return PracticedRound(record.id, sheet["id"], sheet.get("currency"), logged, breakdown)


class _DecisionNote(NamedTuple):
    """When a decision was made, and the advice shown before it."""

    at: str
    advised: bool
    tried: tuple[str, ...]


def _log_decision(
    record: RoundRecord,
    seat: int,
    decision: ReviewedDecision,
    note: _DecisionNote,
    sheet: SheetId,
    *,
    arranged: bool,
) -> LoggedDecision:
    table = record.before.table
    tried = tuple(play for play in note.tried if play in decision.weighed.covered)
    return LoggedDecision(
        decision, table, record.id, note.at, sheet, seat, tried, note.advised, arranged
    )


def _decision_notes(record: RoundRecord, seat: int) -> dict[int, _DecisionNote]:
    """By position of the action: when the seat decided, and what advice it had before."""
    notes: dict[int, _DecisionNote] = {}
    position, advised_plays = -1, list[str]()
    for step in record.steps:
        for fact in step.facts:
            if isinstance(fact, CoachAdvice) and fact.seat == seat:
                advised_plays.append(fact.play)
            if not isinstance(fact, Acted):
                continue
            position += 1
            action = fact.action
            if isinstance(action, Decide | Absent) and action.seat == seat:
                tried = tuple(play for play in advised_plays if play)
                notes[position] = _DecisionNote(step.at, bool(advised_plays), tried)
                advised_plays = []
    return notes
