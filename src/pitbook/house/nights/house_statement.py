"""Statement of all money in the house: where it is and who owns it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pitbook.house.cage.slips import drawer_name
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.journal import Ledger
from pitbook.house.nights.chips import USD, EventMoney, HouseMoney, house_money
from pitbook.house.nights.tickets import night_cache
from pitbook.house.nights.view_types import (
    EventMoneyView,
    HouseStatementView,
    OwnersView,
    PlaceView,
)
from pitbook.money import money
from pitbook.printing.content import Identity, Paper, Paragraph, Section, Signatures, Table
from pitbook.printing.html import page
from pitbook.printing.numbers import format_time
from pitbook.sheets.findings import printable
from pitbook.text import Sentence, in_language, say
from pitbook.text.catalog import ENGLISH

FORMAT = 1
WIDTH, AMOUNT = 80, 14


class HouseLine(NamedTuple):
    """One line of the statement: a place or an owner, and an amount in cents."""

    title: Sentence
    amount: int
    total: bool = False


@dataclass(frozen=True)
class HouseStatement:
    """The house's money at one moment."""

    money: HouseMoney
    charities: Mapping[str, str]  # By event.
    balances: Mapping[Account, int]  # In dollars.
    generated_at: str

    @property
    def agrees(self) -> bool:
        """Whether every account has an owner, and each owner's money is where it belongs."""
        return self.money.agrees

    def cash_lines(self) -> Iterator[HouseLine]:
        """Where the money is."""
        balances = self.money
        yield _line("vault", balances.vault)
        yield _line("drawers", balances.drawers)
        yield _line("boxes", balances.boxes)
        for event, share in balances.events.items():
            yield _line("cage", share.cash, event=event)
        yield HouseLine(say("nights.house-statement.total"), balances.cash, total=True)

    def owner_lines(self) -> Iterator[HouseLine]:
        """Who owns the money; each event has its own lines."""
        balances = self.money
        yield _line(
            "house", balances.house + sum(share.float for share in balances.events.values())
        )
        yield _line("racks", balances.racks)
        yield _line("wallets", balances.wallets)
        yield _line("layouts", balances.layouts)
        for event, share in balances.events.items():
            charity = printable(self.charities.get(event, ""))
            for line, amount in _event_lines(share):
                yield _line(line, amount, event=event, charity=charity)
        if balances.others:
            yield _line("others", balances.others)
        yield HouseLine(say("nights.house-statement.total"), balances.owed, total=True)

    def verdict(self) -> Sentence:
        return say("nights.house-statement.verdict", agrees=self.agrees)

    def document(self) -> HouseStatementView:
        """The statement as JSON."""
        balances = self.money
        return {
            "format": FORMAT,
            "generated_at": self.generated_at,
            "vault": money(balances.vault),
            "drawers": money(balances.drawers),
            "boxes": money(balances.boxes),
            "nights": money(sum(share.cash for share in balances.events.values())),
            "lies": money(balances.cash),
            "agrees": self.agrees,
            "each": [*self._places()],
            **self.owners(),
        }

    def owners(self) -> OwnersView:
        """How much belongs to each owner, as JSON."""
        balances, events = self.money, self.money.events.values()
        return {
            "house": money(balances.house + sum(share.float for share in events)),
            "racks": money(balances.racks),
            "wallets": money(balances.wallets),
            "layouts": money(balances.layouts),
            "chips": money(sum(share.chips for share in events)),
            "charity": money(sum(share.charity for share in events)),
            "prizes": money(sum(share.prizes for share in events)),
            "unclaimed": money(sum(share.unclaimed for share in events)),
            "others": money(balances.others),
            "owed": money(balances.owed),
            "events": [self._event(event, share) for event, share in balances.events.items()],
        }

    def _event(self, event: str, share: EventMoney) -> EventMoneyView:
        return {
            "event": event,
            "charity_name": self.charities.get(event, ""),
            "cash": money(share.cash),
            "float": money(share.float),
            "chips": money(share.chips),
            "charity": money(share.charity),
            "prizes": money(share.prizes),
            "unclaimed": money(share.unclaimed),
        }

    def _places(self) -> Iterator[PlaceView]:
        for account, cents in sorted(self.balances.items()):
            if cents and (place := _place(account)) is not None:
                kind, name = place
                yield {"what": kind, "name": name, "amount": money(cents)}


def house_statement(ledger: Ledger, *, at: str) -> HouseStatement:
    """The house statement from a consistent read of the accounts."""
    with ledger.snapshot() as balances_view:
        return statement_of(ledger, balances_view.balances(USD, "event-chip:*"), at=at)


def statement_of(ledger: Ledger, balances: Mapping[Account, int], *, at: str) -> HouseStatement:
    """The house statement for these balances; the charities' names come from the ledger."""
    house, nights = house_money(balances), night_cache(ledger)
    active_events = {event: share for event, share in house.events.items() if any(share)}
    charities = {event: nights.catch_up(event).charity for event in active_events}
    dollars = {account: cents for account, cents in balances.items() if account.unit == USD}
    return HouseStatement(house._replace(events=active_events), charities, dollars, at)


def house_statement_text(statement: HouseStatement, language: str = ENGLISH) -> str:
    """The statement in plain text."""
    lines = [
        say("nights.house-statement.title"),
        say("nights.house-statement.generated", at=statement.generated_at),
        *_text("places", statement.cash_lines(), language),
        *_text("owners", statement.owner_lines(), language),
        "",
        statement.verdict(),
    ]
    return "".join(f"{in_language(line, language)}\n" for line in lines)


def house_statement_page(statement: HouseStatement, language: str = ENGLISH) -> str:
    """The statement as one page for a browser and its printer."""
    return page(house_statement_paper(statement), language)


def house_statement_paper(statement: HouseStatement) -> Paper:
    """The statement as a paper to sign."""
    title = say("nights.house-statement.title")
    generated = say("nights.house-statement.generated", at=format_time(statement.generated_at))
    verdict = Paragraph(statement.verdict(), "verdict", verbatim=True)
    signed = Signatures(((say("nights.statement.signed", by="house"), ""),), "signed")
    sections = (
        _section("places", statement.cash_lines()),
        _section("owners", statement.owner_lines()),
        Section(say("papers.house.section", part="sums"), (verdict,), "verdict"),
        Section(say("papers.house.section", part="signed"), (signed,), "signed"),
    )
    identity = Identity("", "", "", "", title, "", "", "", lines=(title, generated))
    return Paper("house-statement", title, (generated,), identity, sections)


def _event_lines(
    share: EventMoney,
) -> Iterator[tuple[Literal["chips", "charity", "prizes", "unclaimed"], int]]:
    """Lines for an event's owners, except the house, whose own line includes its float."""
    yield "charity", share.charity
    if share.chips:
        yield "chips", share.chips
    if share.prizes:
        yield "prizes", share.prizes
    if share.unclaimed:
        yield "unclaimed", share.unclaimed


def _line(line: str, amount: int, *, event: str = "", charity: str = "") -> HouseLine:
    title = say("nights.house-statement.line", line=line, event=event, charity=charity)
    return HouseLine(title, amount)


def _place(account: Account) -> tuple[Literal["drawer", "box", "night", "rack"], str] | None:
    """The drawer, box, event or rack that an account stands for."""
    match account.kind:
        case "cash" if account.name:
            drawer = drawer_name(account)
            return ("night", account.name) if drawer is None else ("drawer", drawer)
        case "box" | "rack":
            return account.kind, account.name
    return None


def _text(part: str, lines: Iterator[HouseLine], language: str) -> Iterator[str]:
    yield ""
    yield say("nights.house-statement.part", part=part)
    for line in lines:
        if line.total:
            yield f"{'':>{WIDTH - AMOUNT}}{'-' * AMOUNT}"
        indent = "" if line.total else "  "
        title = f"{indent}{in_language(line.title, language)}"
        yield f"{title:<{WIDTH - AMOUNT}}{money(line.amount):>{AMOUNT}}"


def _section(part: str, lines: Iterator[HouseLine]) -> Section:
    listed = list(lines)
    rows = tuple((line.title, say("papers.money", amount=line.amount)) for line in listed)
    totals = tuple(place for place, line in enumerate(listed) if line.total)
    table = Table("", ("", ""), rows, "lr", part, strong=totals)
    return Section(say("nights.house-statement.part", part=part), (table,), part)
