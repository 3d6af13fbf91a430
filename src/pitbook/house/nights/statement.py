"""Statement and receipts of a night, as views and as paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple, cast

from pitbook.house.ledger.journal import Stream
from pitbook.house.nights.chips import (
    BothSides,
    NightFigures,
    TableResult,
    Takings,
    checks,
    figures,
    winnings,
)
from pitbook.house.nights.facts import Unclaimed
from pitbook.house.nights.house_rules import HouseRules, Notice
from pitbook.house.nights.sheets import ends_at
from pitbook.house.nights.state import NightState, Slip
from pitbook.house.nights.store import Night
from pitbook.house.nights.transfers import numbered
from pitbook.house.nights.view_types import (
    NoticeShown,
    SlipShown,
    StatementShown,
    TableResultShown,
    TakingsShown,
    UnclaimedShown,
)
from pitbook.house.table.streams import TABLE
from pitbook.money import money
from pitbook.papers.content import (
    Identity,
    Paper,
    PaperShape,
    Paragraph,
    Section,
    Signatures,
    Table,
)
from pitbook.papers.html import page
from pitbook.papers.numbers import moment
from pitbook.sheets.findings import printable
from pitbook.text import Sentence, in_language, say
from pitbook.text.catalogue import ENGLISH

FORMAT = 1


class StatementLine(NamedTuple):
    """One line of the statement; a heading has no amount."""

    title: str
    amount: int | None = None
    clause: str = ""
    total: bool = False
    within: bool = False  # Part of the line above.


@dataclass(frozen=True)
class Statement:
    """A night's statement at one moment; it is the closing one once the night is closed."""

    state: NightState
    found: NightFigures
    checks: tuple[BothSides, ...]
    generated_at: str

    @property
    def rules(self) -> HouseRules:
        """The rules of the night's house."""
        return self.state.rules

    @property
    def is_final(self) -> bool:
        """Whether the night is closed."""
        return self.state.phase == "closed"

    @property
    def findings(self) -> tuple[BothSides, ...]:
        """What does not agree to the cent; none: the statement reconciles."""
        return tuple(check for check in self.checks if check.off)

    def lines(self) -> Iterator[StatementLine]:
        """The statement, line by line, as paper and screen show it."""
        found = self.found
        yield StatementLine(say("nights.statement.chips"))
        yield StatementLine(say("nights.statement.issued"), found.sold)
        face = self.rules.chips.redeemed_at.clause
        yield StatementLine(say("nights.statement.redeemed"), -found.redeemed, face)
        if not self.is_final or found.outstanding:
            yield StatementLine(say("nights.statement.in-hands"), -found.outstanding)
        expire = self.rules.chips.unredeemed.clause
        yield StatementLine(say("nights.statement.expired"), found.expired, expire)
        yield StatementLine(say("nights.statement.chance"))
        for table in found.tables:
            rounds = {"table": table.table, "rounds": table.rounds}
            yield StatementLine(say("nights.statement.table", **rounds), table.won)
        yield StatementLine(say("nights.statement.table-results"), found.won, total=True)
        yield from self._tournaments()
        yield from self._voids()
        yield from self._unclaimed()
        yield StatementLine(say("nights.statement.drawer"))
        yield from self.drawer()

    def drawer(self) -> Iterator[StatementLine]:
        """Lines from the drawer's cash to the charity's proceeds. Each total is the sum so far."""
        figures = self.found
        paid = sum(tournament.refunded + tournament.paid for tournament in figures.tournaments)
        claimed_later = sum(slip.amount for slip in figures.claimed)
        still_owed = sum(tournament.owed for tournament in figures.tournaments)
        unclaimed = sum(figures.still_unclaimed.values())
        yield StatementLine(say("nights.statement.float-brought"), figures.floated)
        yield StatementLine(say("nights.statement.issued"), figures.sold)
        yield StatementLine(say("nights.statement.redeemed"), -figures.redeemed)
        if figures.tournaments:
            takings = sum(tournament.taken for tournament in figures.tournaments)
            yield StatementLine(say("nights.statement.drawer-takings"), takings)
            yield StatementLine(say("nights.statement.drawer-paid"), -paid)
        if claimed_later:
            yield StatementLine(say("nights.statement.drawer-claimed"), -claimed_later)
        yield StatementLine(say("nights.statement.float-returned"), -figures.float_returned)
        yield StatementLine(say("nights.statement.cash"), figures.cash, total=True)
        owed = (
            (say("nights.statement.less-float"), figures.floated - figures.float_returned),
            (say("nights.statement.less-chips"), figures.outstanding),
            (say("nights.statement.less-prizes"), still_owed),
            (say("nights.statement.less-unclaimed"), unclaimed),
        )
        yield from (StatementLine(title, -amount) for title, amount in owed if amount)
        title = say("nights.statement.proceeds", charity=self.state.charity)
        yield StatementLine(title, figures.proceeds, self.rules.proceeds.clause, total=True)

    def _tournaments(self) -> Iterator[StatementLine]:
        yield StatementLine(say("nights.statement.tournaments"))
        for one in self.found.tournaments:
            named = {"title": one.title, "tournament": one.tournament}
            status = say("nights.status", status=one.status)
            yield StatementLine(say("nights.statement.takings", status=status, **named), one.taken)
            back = self.rules.tournaments.refunds.clause
            yield StatementLine(say("nights.statement.refunds"), -one.refunded, back, within=True)
            void = one.status == "void"
            yield StatementLine(say("nights.statement.paid-out", void=void), -one.paid, within=True)
            if one.unclaimed:
                yield StatementLine(say("nights.statement.unclaimed"), -one.unclaimed, within=True)
            if one.owed:
                yield StatementLine(say("nights.statement.still-owed"), -one.owed, within=True)
        kept = sum(one.kept for one in self.found.tournaments)
        yield StatementLine(say("nights.statement.tournament-results"), kept, total=True)

    def _unclaimed(self) -> Iterator[StatementLine]:
        """What nobody came for before the night closed, and who has come since."""
        found = self.found
        if not found.unclaimed:
            return
        yield StatementLine(say("nights.statement.owed-by-name"))
        for one in found.unclaimed:
            owed = {"player": one.player, "what": self._kind(one), "tournament": one.tournament}
            yield StatementLine(say("nights.statement.owed-to", **owed), one.amount)
        for slip in found.claimed:
            receipt = numbered(self.state.event, slip.number)
            paid = {"player": slip.player, "receipt": receipt}
            yield StatementLine(say("nights.statement.paid-to", **paid), -slip.amount)
        still = sum(found.still_unclaimed.values())
        yield StatementLine(say("nights.statement.still-unclaimed"), still, total=True)

    def _kind(self, one: Unclaimed) -> Literal["return", "prize"]:
        void = self.state.tournaments[one.tournament].status == "void"
        return "return" if void else "prize"

    def _unclaimed_document(self) -> list[UnclaimedShown]:
        receipts = {slip.player: slip for slip in self.found.claimed}
        told: list[UnclaimedShown] = []
        for one in self.found.unclaimed:
            slip = receipts.get(one.player)
            paid = numbered(self.state.event, slip.number) if slip else None
            told.append(
                {
                    "tournament": one.tournament,
                    "player": one.player,
                    "amount": money(one.amount),
                    "what": self._kind(one),
                    "receipt": paid,
                }
            )
        return told

    def _voids(self) -> Iterator[StatementLine]:
        """What was done and taken back; none of it counts in the sums."""
        found = self.found
        yield StatementLine(say("nights.statement.refunds-and-voids"))
        refunds = sum(one.refunded for one in found.tournaments)
        yield StatementLine(say("nights.statement.tournament-refunds"), refunds)
        void = [one.paid for one in found.tournaments if one.status == "void"]
        yield StatementLine(say("nights.statement.void-tournaments", count=len(void)), sum(void))
        rounds = sum(one.void for one in found.tables)
        returned = sum(one.void_returned for one in found.tables)
        yield StatementLine(say("nights.statement.wagers-returned", rounds=rounds), returned)
        slips = sum(slip.amount for slip in found.undone)
        yield StatementLine(say("nights.statement.slips-undone", count=len(found.undone)), slips)

    @property
    def _notice(self) -> dict[str, Any]:
        return self.rules.notice.model_dump(mode="json", exclude_none=True)

    def document(self) -> StatementShown:
        """The statement as JSON."""
        state, found = self.state, self.found
        return {
            "format": FORMAT,
            "event": state.event,
            "charity": state.charity,
            "licence": state.licence,
            "gaming_date": state.gaming_date,
            "zone": state.zone,
            "rehearsal": state.rehearsal,
            "house": {"name": self.rules.house.name, "rules": state.house["hash"]},
            "phase": state.phase,
            "opened_at": state.opened_at or None,
            "closed_at": state.closed_at or None,
            "generated_at": self.generated_at,
            "chips": {
                "issued": money(found.sold),
                "redeemed": money(found.redeemed),
                "outstanding": money(found.outstanding),
                "expired": money(found.expired),
            },
            "tables": [_table_document(one) for one in found.tables],
            "table_results": money(found.won),
            "tournaments": [_takings_document(one) for one in found.tournaments],
            "tournament_results": money(sum(one.kept for one in found.tournaments)),
            "unclaimed": self._unclaimed_document(),
            "still_unclaimed": money(sum(found.still_unclaimed.values())),
            "slips_undone": [
                {"slip": one.number, "amount": money(one.amount), "why": one.undone}
                for one in found.undone
            ],
            "float": {
                "brought": money(found.floated),
                "returned": money(found.float_returned),
            },
            "drawer": [
                {"title": line.title, "amount": money(line.amount or 0), "total": line.total}
                for line in self.drawer()
            ],
            "cash": money(found.cash),
            "proceeds": money(found.proceeds),
            "reconciles": not self.findings,
            "checks": [one.document() for one in self.checks],
            "findings": [one.document() for one in self.findings],
            "notice": cast(NoticeShown, self._notice),
        }


def statement(night: Night, *, at: str) -> Statement:
    """The statement of a night as the book has it now, read while nothing moved."""
    while True:
        state, heads = night.refreshed(), _heads(night)
        night_figures = figures(
            state, {name: winnings(night.ledger, name) for name in state.tables}
        )
        with night.ledger.moment() as book:
            balances = book.balances(state.till.money, state.till.unit)
        result = Statement(state, night_figures, checks(state, night_figures, balances), at)
        # A round settled while we read would look like a cent too many.
        if not result.findings or (night.refreshed() == state and _heads(night) == heads):
            return result


def _heads(night: Night) -> list[Stream | None]:
    """How far the night's tables are on record."""
    return [night.ledger.stream(f"{TABLE}{table}") for table in night.state.tables]


def _table_document(one: TableResult) -> TableResultShown:
    return {
        "table": one.table,
        "sheet": one.sheet,
        "rounds": one.rounds,
        "result": money(one.won),
        "void_rounds": one.void,
        "void_returned": money(one.void_returned),
    }


def _takings_document(one: Takings) -> TakingsShown:
    return {
        "tournament": one.tournament,
        "title": one.title,
        "status": one.status,
        "entries": one.entries,
        "taken": money(one.taken),
        "refunded": money(one.refunded),
        "paid": money(one.paid),
        "owed": money(one.owed),
        "unclaimed": money(one.unclaimed),
        "kept": money(one.kept),
    }


WIDTH = 72
AMOUNT = 14


def receipt(state: NightState, slip: Slip) -> SlipShown:
    """A slip of the cage as JSON."""
    return {
        "receipt": numbered(state.event, slip.number),
        "slip": slip.number,
        "event": state.event,
        "what": slip.what,
        "player": slip.player or None,
        "amount": money(slip.amount),
        "at": slip.at,
        "by": slip.by,
        "gaming_date": state.gaming_date,
        "rehearsal": state.rehearsal,
        "undone": slip.undone,
    }


def receipt_text(state: NightState, slip: Slip, language: str = ENGLISH) -> str:
    """A slip of the cage for the player to keep."""
    return "".join(f"{in_language(line, language)}\n" for line in receipt_lines(state, slip))


def receipt_lines(state: NightState, slip: Slip) -> Iterator[str]:
    """What a receipt says, line by line."""
    rules = state.rules
    if state.rehearsal:
        yield say("nights.receipt.practice")
    yield say("nights.receipt.house", house=rules.house.name, charity=printable(state.charity))
    yield say("nights.receipt.number", receipt=numbered(state.event, slip.number))
    passed = {"what": slip.what, "amount": slip.amount}
    if slip.player:
        yield say("nights.receipt.passed-to", player=printable(slip.player), **passed)
    else:
        yield say("nights.receipt.passed", **passed)
    yield f"{_local(state, slip.at)}, {printable(slip.by)}"
    if slip.undone is not None:
        yield say("nights.receipt.undone", why=printable(slip.undone))
    if slip.what == "sold":
        yield from _terms(state, rules)


def _terms(state: NightState, rules: HouseRules) -> Iterator[str]:
    chips, ends = rules.chips, ends_at(state)
    latest = "" if ends is None else _shown(state, ends)
    good = {"day": state.gaming_date, "ends": ends is not None, "latest": latest}
    clauses = {"face": chips.redeemed_at.clause, "refunds": rules.refunds.chance.clause}
    yield say("nights.receipt.good-on", **good, **clauses)
    cited = tuple(dict.fromkeys((chips.clause, chips.means_of_payment.clause)))
    yield say("nights.receipt.property", owner=chips.owner, clauses=cited)


def notice_lines(notice: Notice) -> list[Sentence]:
    """What is posted for everybody to read; what it invites, and the law, in the house's words."""
    whom = {"regulator": notice.regulator, "address": tuple(notice.address)}
    law = {"law": notice.governed_by, "clause": notice.clause}
    return [
        say("nights.notice.turn-to", invites=notice.invites, **whom),
        say("nights.notice.governed-by", **law),
    ]


def statement_text(told: Statement, language: str = ENGLISH) -> str:
    """The statement in plain text."""
    head = [_title(told, printable(told.state.event)), *_head(told), ""]
    head = [say("nights.receipt.practice"), *head] if told.state.rehearsal else head
    lines = [row for line in told.lines() for row in _row(line, language)]
    first, *found = [printable(in_language(one, language)) for one in statement_verdict(told)]
    verdict = [first, *(f"  {one}" for one in found)]
    foot = [*verdict, "", *notice_lines(told.rules.notice), _generated(told)]
    worded = (in_language(one, language) for one in (*head, *lines, "", *foot))
    return "".join(f"{line}\n" for line in worded)


def _title(told: Statement, event: str) -> Sentence:
    return say("nights.statement.title", final=told.is_final, event=event)


def _generated(told: Statement) -> Sentence:
    return say("nights.statement.generated", at=told.generated_at)


def _head(told: Statement) -> Iterator[Sentence]:
    state, house = told.state, told.rules.house
    yield say("nights.statement.charity", charity=printable(state.charity))
    yield say("nights.statement.licence", licence=printable(state.licence))
    yield say("nights.statement.gaming-date", day=state.gaming_date, zone=state.zone)
    yield say("nights.statement.house", house=house.name, state=house.jurisdiction)
    not_yet = say("nights.statement.not-yet")
    opened, closed = _local(state, state.opened_at), _local(state, state.closed_at)
    yield say("nights.statement.doors", opened=opened or not_yet, closed=closed or not_yet)


def _local(state: NightState, at: str) -> str:
    """A time as the clock on the wall has it."""
    return _shown(state, datetime.fromisoformat(at)) if at else ""


def _shown(state: NightState, at: datetime) -> str:
    return f"{at.astimezone(state.place):%Y-%m-%d %H:%M %Z}"


def _row(line: StatementLine, language: str) -> Iterator[str]:
    worded = in_language(line.title, language)
    if line.amount is None:
        yield from ("", worded)
        return
    title = ("  " if line.within else "") + printable(worded)
    mark = f"  {line.clause}" if line.clause else ""
    if line.total:
        yield f"{'':>{WIDTH - AMOUNT}}{'-' * AMOUNT}"
    indent = "" if line.total else "  "
    text = f"{indent}{title}"
    yield f"{text:<{WIDTH - AMOUNT}}{money(line.amount):>{AMOUNT}}{mark}"


def statement_verdict(told: Statement) -> list[Sentence]:
    """Whether the sums agree, or what does not."""
    if not told.findings:
        return [say("nights.statement.agrees", sums=len(told.checks))]
    found = [say("nights.statement.finding", finding=one.told()) for one in told.findings]
    return [say("nights.statement.disagrees"), *found]


def statement_about(told: Statement) -> tuple[str, tuple[str, ...]]:
    """A statement's title, and what stands under it."""
    return _title(told, told.state.event), tuple(_head(told))


def statement_page(told: Statement, language: str = ENGLISH) -> str:
    """The statement as one page for a browser and its printer, with nothing to fetch."""
    return page(statement_paper(told), language)


def receipt_page(state: NightState, slip: Slip, language: str = ENGLISH) -> str:
    """A slip of the cage the same way, to hand over."""
    return page(receipt_paper(state, slip), language)


def statement_paper(told: Statement) -> Paper:
    """The statement with its sums, its verdict, its notices and room for both signatures."""
    title, about = statement_about(told)
    practice = (say("nights.receipt.practice"),) if told.state.rehearsal else ()
    made = say("nights.statement.generated", at=moment(told.generated_at))
    sections = [*_sums(told)]
    first, *found = statement_verdict(told)
    stands = Paragraph("", "verdict 0", lead=first) if found else _line("verdict", 0, first)
    verdict = (stands, *(_line("verdict", place, one) for place, one in enumerate(found, 1)))
    lines = tuple((say("nights.statement.signed", by=by), "") for by in ("house", "charity"))
    notices = tuple(
        Paragraph(line, f"notice {place}", kind="remark", verbatim=True)
        for place, line in enumerate(notice_lines(told.rules.notice))
    )
    if notices:
        sections.append(Section(say("papers.section", part="notices"), notices, "notices"))
    sections.append(Section(say("papers.house.section", part="sums"), verdict, "verdict"))
    signed = (Signatures(lines, "signed"),)  # Under the verdict that is signed.
    sections.append(Section(say("papers.house.section", part="signed"), signed, "signed"))
    who, over = _identity(told.state, made), (*practice, title, *about)
    return Paper("statement", title, over, who, tuple(sections))


def _line(what: str, place: int, text: str) -> Paragraph:
    return Paragraph(text, f"{what} {place}", verbatim=True)


def _identity(state: NightState, *lines: str) -> Identity:
    house = state.rules.house.name
    day = say("papers.house.gaming-date", day=state.gaming_date)
    return Identity(
        "", "", "", house, printable(state.charity), day, "", "", lines=(state.event, *lines)
    )


def _sums(told: Statement) -> Iterator[Section]:
    """The lines under their headings."""
    title = ""
    rows: list[tuple[str, str, str]] = []
    totals: list[int] = []
    for line in told.lines():
        if line.amount is None:
            if rows:
                yield _section(title, rows, totals)
            title, rows, totals = line.title, [], []
            continue
        if line.total:
            totals.append(len(rows))
        amount: str = say("papers.money", amount=line.amount)
        part = say("papers.house.part-of", text=line.title) if line.within else line.title
        rows.append((part, line.clause, amount))
    if rows:
        yield _section(title, rows, totals)


def _section(title: str, rows: list[tuple[str, str, str]], totals: list[int]) -> Section:
    table = Table("", ("", "", ""), tuple(rows), "llr", f"sums {title}", strong=tuple(totals))
    return Section(title, (table,), f"sums {title}")


def receipt_paper(state: NightState, slip: Slip, *, shape: PaperShape = "slip") -> Paper:
    """A slip of the cage for the player to keep; or a page where a printer has no slips."""
    lines = tuple(receipt_lines(state, slip))
    blocks = tuple(_line("line", place, one) for place, one in enumerate(lines))
    section = Section("", blocks, "receipt")
    title = say("papers.house.receipt", number=slip.number)
    return Paper("receipt", title, (), _identity(state, moment(slip.at)), (section,), shape)
