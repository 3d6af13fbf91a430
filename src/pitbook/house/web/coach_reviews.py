"""Reviews of practice: a player's decisions, scores and luck."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import NamedTuple, NotRequired

from typing_extensions import TypedDict

from pitbook.coach.log import Filters, Logged
from pitbook.coach.review import Reckoning, Review, ReviewedDecision, review
from pitbook.coach.trends import reckoning_document, score
from pitbook.coach.values import AdviceTold, DecisionTold, LuckShare, PlayWeighed, ScoreTold
from pitbook.house.ledger.journal import Ledger
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.api_types import Recorded
from pitbook.house.table.events import sheet_id
from pitbook.house.table.facts import Acted, CoachAdvice
from pitbook.house.table.payouts import net_change, table_accounts
from pitbook.house.table.round_records import RoundRecord, round_of, table_rounds
from pitbook.house.table.state import TableState
from pitbook.house.table.view_types import SheetId
from pitbook.house.web.jobs import JobQueue
from pitbook.rules.actions import Absent, Decide
from pitbook.rules.report import StakedWager
from pitbook.rules.round import new_round
from pitbook.text.documents import currency_of_all, in_own_currency


class AdviceGiven(TypedDict):
    """What each play is worth, in antes or Bets."""

    advice: AdviceTold
    accepted: Recorded


class PlayTried(PlayWeighed):
    """A play held against the others, and the street that it is for."""

    street: str
    street_title: str


class WeighedUp(TypedDict):
    """What the play gives away, and what every other is worth."""

    weighed: PlayTried
    accepted: Recorded


class ScoreSummed(ScoreTold):
    """A score in words, over so many rounds."""

    rounds: int
    sentence: str | None


class Looked(TypedDict):
    """Practice looked back on: `summary` of what passes the filters, `all` of everything.

    `currency`: what it is in, where that is no US dollars; CHIPS where it is in several.
    """

    currency: NotRequired[str]

    summary: ScoreSummed
    all: ScoreSummed
    first_choice: ScoreTold
    unaided: ScoreTold
    luck: LuckShare
    total: int
    decisions: list[DecisionTold]


class LookedBack(Looked):
    """Whose practice it was; at one table, or at all that still stand."""

    player: str
    table: str | None


class PastDecision(TypedDict):
    """A decision of the past, to be practised again."""

    round: str
    stage: int
    street: str
    street_title: str
    cards: list[str]
    board: list[str]
    before: list[str]
    seat: int
    wagers: list[StakedWager]


class SpotArranged(TypedDict):
    """What the next round brings, and the shoe that it is dealt from."""

    spot: PastDecision | None
    shoe: str
    accepted: Recorded


KEPT_MAX = 5_000
EVERY = Filters()


class Practised(NamedTuple):
    """One seat's round of practice: its decisions, and where its result comes from."""

    round: str
    sheet: str
    currency: str | None
    decisions: tuple[Logged, ...]
    reckoning: Reckoning | None


def report(found: list[Practised], filters: Filters, count: int) -> Looked:
    """Score, luck and log of what was practised, newest decisions first.

    `summary` is of what passes the filters, `all` of everything.
    """
    wanted = decision_log(found, filters)
    settled = [one for one in found if filters.sheet in (None, one.sheet)]
    reckoning = sum((one.reckoning for one in settled if one.reckoning), Reckoning())
    of_wanted = currency_of_all(one.currency for one in wanted)
    of_settled = currency_of_all(one.currency for one in settled)
    first = score(one.first_cost for one in wanted).document()
    unaided = score(one.cost for one in wanted if not one.advised).document()
    told: Looked = {
        "summary": _summed(wanted),
        "all": _summed(decision_log(found)),
        "first_choice": in_own_currency(first, of_wanted),
        "unaided": in_own_currency(unaided, of_wanted),
        "luck": in_own_currency(reckoning_document(reckoning), of_settled),
        "total": len(wanted),
        "decisions": [one.document() for one in wanted[: -count - 1 : -1]],
    }
    return {**told, "currency": of_settled} if of_settled else told


def _summed(wanted: list[Logged]) -> ScoreSummed:
    made = score(one.cost for one in wanted)
    rounds = len({one.round for one in wanted})
    told: ScoreSummed = {"rounds": rounds, **made.document(), "sentence": made.told()}
    return in_own_currency(told, currency_of_all(one.currency for one in wanted))


def decision_log(found: list[Practised], filters: Filters = EVERY) -> list[Logged]:
    """The decisions that are wanted, oldest first."""
    wanted = [one for each in found for one in each.decisions if filters.takes(one)]
    return sorted(wanted, key=lambda one: one.at)


class _Table(NamedTuple):
    """What is known of a table: its settled rounds, and where in its journal to read on."""

    settled: tuple[Practised, ...] = ()
    last: int = 0  # The number of the last settled round,
    after: int = 0  # the entry behind which it opened,
    chips: int = 0  # and what the owner's wallet held then.


class Reviews:
    """Rounds that were looked at; one that is settled is neither read nor worked out again."""

    def __init__(self, sums: JobQueue) -> None:
        self._sums = sums
        self._tables: OrderedDict[str, _Table] = OrderedDict()

    async def of(self, ledger: Ledger, table: LiveTable) -> list[Practised]:
        """The rounds of a practice table's owner, oldest first; worked out beside the loop."""
        state, stream = table.state, table.stream
        found: list[Practised] = await self._sums.compute(
            ("reviews", stream, state.version),
            lambda: self._all(ledger, stream, state),
            keep=False,  # It is kept here.
        )
        return found

    def _all(self, ledger: Ledger, stream: str, state: TableState) -> list[Practised]:
        """What is still in play is left out while the coach is off: it would be advice."""
        known = self._tables.get(stream, _Table())
        try:
            known, playing = _read_on(ledger, stream, state, known)
        except _NotWhole:  # The rules or the shoe were set up before we read on.
            known, playing = _read_on(ledger, stream, state, _Table())
        self._keep(stream, known)
        return [*known.settled, *(playing if state.coach else ())]

    def _keep(self, stream: str, known: _Table) -> None:
        self._tables[stream] = known
        self._tables.move_to_end(stream)
        while sum(len(one.settled) for one in self._tables.values()) > KEPT_MAX:
            self._tables.popitem(last=False)


class _NotWhole(Exception):
    """A round that cannot be understood without what went before."""


def _read_on(
    ledger: Ledger, stream: str, state: TableState, known: _Table
) -> tuple[_Table, list[Practised]]:
    """The table with all rounds that were settled since, and what is in play."""
    chips = _chips(ledger, stream, state, known)
    playing: list[Practised] = []
    for record in table_rounds(ledger, stream, after=known.after):
        if record.number <= known.last:
            continue
        if not record.is_whole:
            raise _NotWhole
        found = list(_of_record(record, state.owner, chips))
        if record.settled is None:
            playing += found
            continue
        after = record.steps[0].seq - 1
        settled = (*known.settled, *found)
        known = _Table(settled, record.number, after, chips[after])
    return known, playing


def _chips(ledger: Ledger, stream: str, state: TableState, known: _Table) -> dict[int, int]:
    """What the owner's wallet held after each entry; a guest's is good at this table alone."""
    wallet = table_accounts(state).wallet(state.owner)
    level = known.chips
    levels = {known.after: level}
    for entry in ledger.entries(stream, after=known.after):
        level += net_change(wallet, entry.transfers)
        levels[entry.seq] = level
    return levels


def _of_record(record: RoundRecord, player: str, chips: dict[int, int]) -> Iterator[Practised]:
    """The player's seats in a round."""
    state = record.state
    round = round_of(state)
    for seat in round.seats:
        if seat.player == player:
            since = record.touched(player)[0].seq - 1
            more = _bought(record, chips, since)
            opened, purse = new_round(round.game), chips[since]
            found = review(opened, state.actions, seat.number, purse=purse, bought=more)
            yield _practised(record, found)


def _bought(record: RoundRecord, chips: dict[int, int], since: int) -> dict[int, int]:
    """By the position of an action: what came into the wallet from outside the round by then."""
    ours = {step.seq for step in record.steps}
    found, position, more, last = dict[int, int](), -1, 0, since
    for step in record.steps:
        for seq in range(last + 1, step.seq):
            more += 0 if seq in ours else chips[seq] - chips[seq - 1]
        last = max(last, step.seq)
        for _ in step.of(Acted):
            position += 1
            found[position] = more
    return found


def _practised(record: RoundRecord, found: Review) -> Practised:
    """An arranged round says nothing of luck; what leads to its spot is no decision."""
    spot = record.before.spot
    arranged, since = spot is not None, spot["stage"] if spot else 0
    told = _told(record, found.seat)
    sheet = sheet_id(record.before.coming)
    logged = tuple(
        _logged(record, found.seat, one, told[one.position], sheet, arranged=arranged)
        for one in found.decisions
        if one.chosen and one.stage >= since
    )
    came = None if arranged else found.reckoning
    return Practised(record.id, sheet["id"], sheet.get("currency"), logged, came)


class _Told(NamedTuple):
    """What the record says of a decision beside the play."""

    at: str
    advised: bool
    tried: tuple[str, ...]


def _logged(
    record: RoundRecord,
    seat: int,
    one: ReviewedDecision,
    told: _Told,
    sheet: SheetId,
    *,
    arranged: bool,
) -> Logged:
    table = record.before.table
    tried = tuple(play for play in told.tried if play in one.weighed.covered)
    return Logged(one, table, record.id, told.at, sheet, seat, tried, told.advised, arranged)


def _told(record: RoundRecord, seat: int) -> dict[int, _Told]:
    """By the position of its action: when a seat decided, and what it had been told before."""
    found: dict[int, _Told] = {}
    position, shown = -1, list[str]()
    for step in record.steps:
        for fact in step.facts:
            if isinstance(fact, CoachAdvice) and fact.seat == seat:
                shown.append(fact.play)
            if not isinstance(fact, Acted):
                continue
            position += 1
            action = fact.action
            if isinstance(action, Decide | Absent) and action.seat == seat:
                tried = tuple(play for play in shown if play)
                found[position] = _Told(step.at, bool(shown), tried)
                shown = []
    return found
