"""Statement and receipts of a night, as views and as paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple, cast

from pitbook.house.ledger.ledger import Stream
from pitbook.house.nights.api_types import (
    NoticeView,
    SlipView,
    StatementView,
    TableResultView,
    TakingsView,
    UnclaimedView,
)
from pitbook.house.nights.facts import Unclaimed
from pitbook.house.nights.house_rules import HouseRules, Notice
from pitbook.house.nights.money_totals import (
    BalanceCheck,
    NightFigures,
    TableResult,
    Takings,
    checks,
    figures,
    winnings,
)
from pitbook.house.nights.sheets import day_end
from pitbook.house.nights.state import NightState, Slip
from pitbook.house.nights.store import Night
from pitbook.house.nights.transfers import receipt_number
from pitbook.house.table.stream_names import TABLE
from pitbook.money import money
from pitbook.printing.content import (
    Identity,
    Paper,
    PaperShape,
    Paragraph,
    Section,
    Signatures,
    Table,
)
from pitbook.printing.html import page
from pitbook.printing.numbers import format_time
from pitbook.text import Sentence, in_language, say
from pitbook.text.catalog import ENGLISH
from pitbook.text.user_input import printable

FORMAT = 1


class StatementLine(NamedTuple):
    """A line of the statement. A heading has no amount."""

    title: str
    amount: int | None = None
    clause: str = ""
    total: bool = False
    within: bool = False  # Part of the line above.


@dataclass(frozen=True)
class Statement:
    """A night's statement at one time; final once the night is closed."""

    state: NightState
    totals: NightFigures
    checks: tuple[BalanceCheck, ...]
    generated_at: str

    @property
    def rules(self) -> HouseRules:
        return self.state.rules

    @property
    def is_final(self) -> bool:
        return self.state.phase == "closed"

    @property
    def findings(self) -> tuple[BalanceCheck, ...]:
        """The checks that differ. If there are none, the statement reconciles."""
        return tuple(check for check in self.checks if check.discrepancy)

    def lines(self) -> Iterator[StatementLine]:
        """The statement line by line, for paper and screen."""
        totals = self.totals
        yield StatementLine(say("nights.statement.chips"))
        yield StatementLine(say("nights.statement.issued"), totals.sold)
        face_value_clause = self.rules.chips.redeemed_at.clause
        yield StatementLine(say("nights.statement.redeemed"), -totals.redeemed, face_value_clause)
        if not self.is_final or totals.outstanding:
            yield StatementLine(say("nights.statement.in-hands"), -totals.outstanding)
        expiry_clause = self.rules.chips.unredeemed.clause
        yield StatementLine(say("nights.statement.expired"), totals.expired, expiry_clause)
        yield StatementLine(say("nights.statement.chance"))
        for table in totals.tables:
            rounds = {"table": table.table, "rounds": table.rounds}
            yield StatementLine(say("nights.statement.table", **rounds), table.won)
        yield StatementLine(say("nights.statement.table-results"), totals.won, total=True)
        yield from self._tournament_lines()
        yield from self._void_lines()
        yield from self._unclaimed_lines()
        yield StatementLine(say("nights.statement.drawer"))
        yield from self.drawer()

    def drawer(self) -> Iterator[StatementLine]:
        """Lines from the drawer's cash to the charity's proceeds. Each total is the sum so far."""
        totals = self.totals
        paid = sum(tournament.refunded + tournament.paid for tournament in totals.tournaments)
        claimed_later = sum(slip.amount for slip in totals.claimed)
        still_owed = sum(tournament.owed for tournament in totals.tournaments)
        unclaimed = sum(totals.still_unclaimed.values())
        yield StatementLine(say("nights.statement.float-brought"), totals.floated)
        yield StatementLine(say("nights.statement.issued"), totals.sold)
        yield StatementLine(say("nights.statement.redeemed"), -totals.redeemed)
        if totals.tournaments:
            takings = sum(tournament.taken for tournament in totals.tournaments)
            yield StatementLine(say("nights.statement.drawer-takings"), takings)
            yield StatementLine(say("nights.statement.drawer-paid"), -paid)
        if claimed_later:
            yield StatementLine(say("nights.statement.drawer-claimed"), -claimed_later)
        yield StatementLine(say("nights.statement.float-returned"), -totals.float_returned)
        yield StatementLine(say("nights.statement.cash"), totals.cash, total=True)
        amounts_owed = (
            (say("nights.statement.less-float"), totals.floated - totals.float_returned),
            (say("nights.statement.less-chips"), totals.outstanding),
            (say("nights.statement.less-prizes"), still_owed),
            (say("nights.statement.less-unclaimed"), unclaimed),
        )
        yield from (StatementLine(title, -amount) for title, amount in amounts_owed if amount)
        title = say("nights.statement.proceeds", charity=self.state.charity)
        yield StatementLine(title, totals.proceeds, self.rules.proceeds.clause, total=True)

    def _tournament_lines(self) -> Iterator[StatementLine]:
        yield StatementLine(say("nights.statement.tournaments"))
        for tournament in self.totals.tournaments:
            fields = {"title": tournament.title, "tournament": tournament.tournament}
            status = say("nights.status", status=tournament.status)
            yield StatementLine(
                say("nights.statement.takings", status=status, **fields), tournament.taken
            )
            refund_clause = self.rules.tournaments.refunds.clause
            yield StatementLine(
                say("nights.statement.refunds"), -tournament.refunded, refund_clause, within=True
            )
            void = tournament.status == "void"
            yield StatementLine(
                say("nights.statement.paid-out", void=void), -tournament.paid, within=True
            )
            if tournament.unclaimed:
                yield StatementLine(
                    say("nights.statement.unclaimed"), -tournament.unclaimed, within=True
                )
            if tournament.owed:
                yield StatementLine(
                    say("nights.statement.still-owed", status=tournament.status),
                    -tournament.owed,
                    within=True,
                )
        charity_shares = sum(tournament.charity_share for tournament in self.totals.tournaments)
        yield StatementLine(say("nights.statement.tournament-results"), charity_shares, total=True)

    def _unclaimed_lines(self) -> Iterator[StatementLine]:
        """Money unclaimed at closing, and payments since."""
        totals = self.totals
        if not totals.unclaimed:
            return
        yield StatementLine(say("nights.statement.owed-by-name"))
        for unclaimed in totals.unclaimed:
            fields = {
                "player": unclaimed.player,
                "what": self._kind(unclaimed),
                "tournament": unclaimed.tournament,
            }
            yield StatementLine(say("nights.statement.owed-to", **fields), unclaimed.amount)
        for slip in totals.claimed:
            receipt = receipt_number(self.state.event, slip.number)
            payment_fields = {"player": slip.player, "receipt": receipt}
            yield StatementLine(say("nights.statement.paid-to", **payment_fields), -slip.amount)
        still_unclaimed = sum(totals.still_unclaimed.values())
        yield StatementLine(say("nights.statement.still-unclaimed"), still_unclaimed, total=True)

    def _kind(self, unclaimed: Unclaimed) -> Literal["return", "prize"]:
        void = self.state.tournaments[unclaimed.tournament].status == "void"
        return "return" if void else "prize"

    def _unclaimed_document(self) -> list[UnclaimedView]:
        receipts = {slip.player: slip for slip in self.totals.claimed}
        entries: list[UnclaimedView] = []
        for unclaimed in self.totals.unclaimed:
            slip = receipts.get(unclaimed.player)
            paid = receipt_number(self.state.event, slip.number) if slip else None
            entries.append(
                {
                    "tournament": unclaimed.tournament,
                    "player": unclaimed.player,
                    "amount": money(unclaimed.amount),
                    "what": self._kind(unclaimed),
                    "receipt": paid,
                }
            )
        return entries

    def _void_lines(self) -> Iterator[StatementLine]:
        """Refunds and voids, which count in no total."""
        totals = self.totals
        yield StatementLine(say("nights.statement.refunds-and-voids"))
        refunds = sum(tournament.refunded for tournament in totals.tournaments)
        yield StatementLine(say("nights.statement.tournament-refunds"), refunds)
        void = [tournament.paid for tournament in totals.tournaments if tournament.status == "void"]
        yield StatementLine(say("nights.statement.void-tournaments", count=len(void)), sum(void))
        rounds = sum(table.void for table in totals.tables)
        returned = sum(table.void_returned for table in totals.tables)
        yield StatementLine(say("nights.statement.wagers-returned", rounds=rounds), returned)
        slips = sum(slip.amount for slip in totals.undone)
        yield StatementLine(say("nights.statement.slips-undone", count=len(totals.undone)), slips)

    @property
    def _notice(self) -> dict[str, Any]:
        return self.rules.notice.model_dump(mode="json", exclude_none=True)

    def document(self) -> StatementView:
        """The statement as JSON."""
        state, totals = self.state, self.totals
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
                "issued": money(totals.sold),
                "redeemed": money(totals.redeemed),
                "outstanding": money(totals.outstanding),
                "expired": money(totals.expired),
            },
            "tables": [_table_document(table) for table in totals.tables],
            "table_results": money(totals.won),
            "tournaments": [_takings_document(tournament) for tournament in totals.tournaments],
            "tournament_results": money(
                sum(tournament.charity_share for tournament in totals.tournaments)
            ),
            "unclaimed": self._unclaimed_document(),
            "still_unclaimed": money(sum(totals.still_unclaimed.values())),
            "slips_undone": [
                {"slip": slip.number, "amount": money(slip.amount), "why": slip.undone}
                for slip in totals.undone
            ],
            "float": {
                "brought": money(totals.floated),
                "returned": money(totals.float_returned),
            },
            "drawer": [
                {"title": line.title, "amount": money(line.amount or 0), "total": line.total}
                for line in self.drawer()
            ],
            "cash": money(totals.cash),
            "proceeds": money(totals.proceeds),
            "reconciles": not self.findings,
            "checks": [check.document() for check in self.checks],
            "findings": [check.document() for check in self.findings],
            "notice": cast(NoticeView, self._notice),
        }


def statement(night: Night, *, at: str) -> Statement:
    """A night's statement from a consistent read of the ledger."""
    while True:
        state, heads = night.refresh(), _stream_heads(night)
        night_figures = figures(
            state, {name: winnings(night.ledger, name) for name in state.tables}
        )
        with night.ledger.snapshot() as balances_view:
            balances = balances_view.balances(state.accounts.money, state.accounts.unit)
        result = Statement(state, night_figures, checks(state, night_figures, balances), at)
        # A round settled during the read would look like a difference.
        if not result.findings or (night.refresh() == state and _stream_heads(night) == heads):
            return result


def _stream_heads(night: Night) -> list[Stream | None]:
    """The positions of the night's table streams."""
    return [night.ledger.stream(f"{TABLE}{table}") for table in night.state.tables]


def _table_document(table: TableResult) -> TableResultView:
    return {
        "table": table.table,
        "sheet": table.sheet,
        "rounds": table.rounds,
        "result": money(table.won),
        "void_rounds": table.void,
        "void_returned": money(table.void_returned),
    }


def _takings_document(tournament: Takings) -> TakingsView:
    return {
        "tournament": tournament.tournament,
        "title": tournament.title,
        "status": tournament.status,
        "entries": tournament.entries,
        "taken": money(tournament.taken),
        "refunded": money(tournament.refunded),
        "paid": money(tournament.paid),
        "owed": money(tournament.owed),
        "unclaimed": money(tournament.unclaimed),
        "kept": money(tournament.charity_share),
    }


WIDTH = 72
AMOUNT = 14


def receipt(state: NightState, slip: Slip) -> SlipView:
    """A slip as JSON."""
    return {
        "receipt": receipt_number(state.event, slip.number),
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
    """A slip as text for the player."""
    return "".join(f"{in_language(line, language)}\n" for line in receipt_lines(state, slip))


def receipt_lines(state: NightState, slip: Slip) -> Iterator[str]:
    """The lines of a receipt."""
    rules = state.rules
    if state.rehearsal:
        yield say("nights.receipt.practice")
    yield say("nights.receipt.house", house=rules.house.name, charity=printable(state.charity))
    yield say("nights.receipt.number", receipt=receipt_number(state.event, slip.number))
    fields = {"what": slip.what, "amount": slip.amount}
    if slip.player:
        yield say("nights.receipt.passed-to", player=printable(slip.player), **fields)
    else:
        yield say("nights.receipt.passed", **fields)
    yield f"{_local_time(state, slip.at)}, {printable(slip.by)}"
    if slip.undone is not None:
        yield say("nights.receipt.undone", why=printable(slip.undone))
    if slip.what == "sold":
        yield from _chip_terms(state, rules)


def _chip_terms(state: NightState, rules: HouseRules) -> Iterator[str]:
    chips, ends = rules.chips, day_end(state)
    latest = "" if ends is None else _local_text(state, ends)
    validity = {"day": state.gaming_date, "ends": ends is not None, "latest": latest}
    rule_clauses = {"face": chips.redeemed_at.clause, "refunds": rules.refunds.chance.clause}
    yield say("nights.receipt.good-on", **validity, **rule_clauses)
    chip_clauses = tuple(dict.fromkeys((chips.clause, chips.means_of_payment.clause)))
    yield say("nights.receipt.property", owner=chips.owner, clauses=chip_clauses)


def notice_lines(notice: Notice) -> list[Sentence]:
    """The public notice: how to reach the regulator, and the governing law."""
    contact = {"regulator": notice.regulator, "address": tuple(notice.address)}
    law = {"law": notice.governed_by, "clause": notice.clause}
    return [
        say("nights.notice.turn-to", invites=notice.invites, **contact),
        say("nights.notice.governed-by", **law),
    ]


def statement_text(statement: Statement, language: str = ENGLISH) -> str:
    """The statement in plain text."""
    head = [_title(statement, printable(statement.state.event)), *_head_lines(statement), ""]
    head = [say("nights.receipt.practice"), *head] if statement.state.rehearsal else head
    lines = [row for line in statement.lines() for row in _text_lines(line, language)]
    first, *findings = [
        printable(in_language(sentence, language)) for sentence in statement_verdict(statement)
    ]
    verdict = [first, *(f"  {finding}" for finding in findings)]
    foot = [*verdict, "", *notice_lines(statement.rules.notice), _generated_line(statement)]
    lines_in_language = (in_language(line, language) for line in (*head, *lines, "", *foot))
    return "".join(f"{line}\n" for line in lines_in_language)


def _title(statement: Statement, event: str) -> Sentence:
    return say("nights.statement.title", final=statement.is_final, event=event)


def _generated_line(statement: Statement) -> Sentence:
    return say("nights.statement.generated", at=statement.generated_at)


def _head_lines(statement: Statement) -> Iterator[Sentence]:
    state, house = statement.state, statement.rules.house
    yield say("nights.statement.charity", charity=printable(state.charity))
    yield say("nights.statement.license", license=printable(state.licence))
    yield say("nights.statement.gaming-date", day=state.gaming_date, zone=state.zone)
    yield say("nights.statement.house", house=house.name, state=house.jurisdiction)
    not_yet = say("nights.statement.not-yet")
    opened, closed = _local_time(state, state.opened_at), _local_time(state, state.closed_at)
    yield say("nights.statement.doors", opened=opened or not_yet, closed=closed or not_yet)


def _local_time(state: NightState, at: str) -> str:
    """A time on the night's local clock."""
    return _local_text(state, datetime.fromisoformat(at)) if at else ""


def _local_text(state: NightState, at: datetime) -> str:
    return f"{at.astimezone(state.timezone):%Y-%m-%d %H:%M %Z}"


def _text_lines(line: StatementLine, language: str) -> Iterator[str]:
    title_text = in_language(line.title, language)
    if line.amount is None:
        yield from ("", title_text)
        return
    title = ("  " if line.within else "") + printable(title_text)
    clause = f"  {line.clause}" if line.clause else ""
    if line.total:
        yield f"{'':>{WIDTH - AMOUNT}}{'-' * AMOUNT}"
    indent = "" if line.total else "  "
    text = f"{indent}{title}"
    yield f"{text:<{WIDTH - AMOUNT}}{money(line.amount):>{AMOUNT}}{clause}"


def statement_verdict(statement: Statement) -> list[Sentence]:
    """Whether the sums agree, or each difference."""
    if not statement.findings:
        return [say("nights.statement.agrees", sums=len(statement.checks))]
    differences = [
        say("nights.statement.finding", finding=check.message()) for check in statement.findings
    ]
    return [say("nights.statement.disagrees"), *differences]


def statement_title(statement: Statement) -> tuple[str, tuple[str, ...]]:
    """A statement's title and the lines below it."""
    return _title(statement, statement.state.event), tuple(_head_lines(statement))


def statement_page(statement: Statement, language: str = ENGLISH) -> str:
    """The statement as one self-contained page."""
    return page(statement_paper(statement), language)


def receipt_page(state: NightState, slip: Slip, language: str = ENGLISH) -> str:
    """A slip as one self-contained page."""
    return page(receipt_paper(state, slip), language)


def statement_paper(statement: Statement) -> Paper:
    """The statement with its sums, verdict, notices and signature lines."""
    title, about = statement_title(statement)
    practice = (say("nights.receipt.practice"),) if statement.state.rehearsal else ()
    generated = say("nights.statement.generated", at=format_time(statement.generated_at))
    sections = [*_figure_sections(statement)]
    first, *findings = statement_verdict(statement)
    verdict_paragraph = (
        Paragraph("", "verdict 0", lead=first) if findings else _line("verdict", 0, first)
    )
    verdict = (
        verdict_paragraph,
        *(_line("verdict", number, finding) for number, finding in enumerate(findings, 1)),
    )
    lines = tuple((say("nights.statement.signed", by=by), "") for by in ("house", "charity"))
    notices = tuple(
        Paragraph(line, f"notice {index}", kind="remark", verbatim=True)
        for index, line in enumerate(notice_lines(statement.rules.notice))
    )
    if notices:
        sections.append(Section(say("papers.section", part="notices"), notices, "notices"))
    sections.append(Section(say("papers.house.section", part="sums"), verdict, "verdict"))
    signed = (Signatures(lines, "signed"),)  # Below the verdict that is signed.
    sections.append(Section(say("papers.house.section", part="signed"), signed, "signed"))
    identity, heading = _identity(statement.state, generated), (*practice, title, *about)
    return Paper("statement", title, heading, identity, tuple(sections))


def _line(label: str, place: int, text: str) -> Paragraph:
    return Paragraph(text, f"{label} {place}", verbatim=True)


def _identity(state: NightState, *lines: str) -> Identity:
    house = state.rules.house.name
    day = say("papers.house.gaming-date", day=state.gaming_date)
    return Identity(
        "", "", "", house, printable(state.charity), day, "", "", lines=(state.event, *lines)
    )


def _figure_sections(statement: Statement) -> Iterator[Section]:
    """The statement's lines grouped under their headings."""
    title = ""
    rows: list[tuple[str, str, str]] = []
    totals: list[int] = []
    for line in statement.lines():
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
    """A slip for the player, or a full page if the printer has no slip paper."""
    lines = tuple(receipt_lines(state, slip))
    blocks = tuple(_line("line", index, text) for index, text in enumerate(lines))
    section = Section("", blocks, "receipt")
    title = say("papers.house.receipt", number=slip.number)
    return Paper("receipt", title, (), _identity(state, format_time(slip.at)), (section,), shape)
