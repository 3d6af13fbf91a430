"""Statement of all money in the house: where it is and who owns it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from typing_extensions import TypedDict

from pitbook.house.cage.slips import drawer_name
from pitbook.house.ledger.accounts import NORMAL, Account
from pitbook.house.ledger.ledger import Ledger
from pitbook.money import money
from pitbook.printing.content import Identity, Paper, Paragraph, Section, Signatures, Table
from pitbook.printing.html import page
from pitbook.printing.numbers import format_time
from pitbook.text import Sentence, in_language, say
from pitbook.text.catalog import ENGLISH
from pitbook.text.user_input import printable

FORMAT = 1
WIDTH, AMOUNT = 80, 14
USD = "usd"


EventShare = Literal["cash", "float", "chips", "charity", "prizes", "unclaimed"]
HousePart = Literal["vault", "drawers", "boxes", "house", "racks", "wallets", "layouts"]

_HOUSE_PARTS: dict[str, HousePart] = {
    "box": "boxes",
    "rack": "racks",
    "wallet": "wallets",
    "held": "layouts",
}


class EventMoney(NamedTuple):
    """An event's cash and how much of it belongs to each owner, in cents."""

    cash: int = 0
    float: int = 0  # Lent by the house.
    chips: int = 0  # Chips that players hold, at face value.
    charity: int = 0  # Table results, expired chips and tournament fees.
    prizes: int = 0  # Tournament money that has not been paid out.
    unclaimed: int = 0  # Prizes and refunds left at closing, kept by name.

    @property
    def owed(self) -> int:
        return self.float + self.chips + self.charity + self.prizes + self.unclaimed


class HouseMoney(NamedTuple):
    """All dollars of a house in cents: where they are and who owns them."""

    vault: int
    drawers: int
    boxes: int
    house: int  # Without floats at events.
    racks: int
    wallets: int
    layouts: int
    others: int  # On accounts that nothing in Pitbook uses.
    events: Mapping[str, EventMoney]

    @property
    def cash(self) -> int:
        """All cash, wherever it is."""
        at_events = sum(event.cash for event in self.events.values())
        return self.vault + self.drawers + self.boxes + at_events

    @property
    def owed(self) -> int:
        house_total = self.house + self.racks + self.wallets + self.layouts + self.others
        return house_total + sum(event.owed for event in self.events.values())

    @property
    def agrees(self) -> bool:
        """Whether every account has an owner, and each owner's money is where it belongs."""
        apart = all(event.cash == event.owed for event in self.events.values())
        return apart and not self.others and self.cash == self.owed


class PlaceView(TypedDict):
    """Money at one place: a drawer, a drop box, an event's cage or a rack."""

    what: Literal["drawer", "box", "night", "rack"]
    name: str
    amount: str


class EventMoneyView(TypedDict):
    """An event's cash and how much of it belongs to each owner; `float` is the house's."""

    event: str
    charity_name: str
    cash: str
    float: str
    chips: str
    charity: str
    prizes: str
    unclaimed: str


class OwnersView(TypedDict):
    """How much belongs to each owner; `owed` is the sum.

    `house` includes floats at events. `others` is money on unused accounts.
    """

    house: str
    racks: str
    wallets: str
    layouts: str
    chips: str
    charity: str
    prizes: str
    unclaimed: str
    others: str
    owed: str
    events: list[EventMoneyView]


class HouseStatementView(OwnersView):
    """Where all money of the house is and who owns it; both sides have the same total."""

    format: int
    generated_at: str
    vault: str
    drawers: str
    boxes: str
    nights: str
    lies: str
    agrees: bool
    each: list[PlaceView]


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
            if cents and (place := _place_of(account)) is not None:
                kind, name = place
                yield {"what": kind, "name": name, "amount": money(cents)}


def house_statement(ledger: Ledger, *, charity_of: Callable[[str], str], at: str) -> HouseStatement:
    """The house statement from a consistent read of the accounts."""
    with ledger.snapshot() as snapshot:
        balances = snapshot.balances(USD, "event-chip:*")
    return statement_of(balances, charity_of=charity_of, at=at)


def statement_of(
    balances: Mapping[Account, int], *, charity_of: Callable[[str], str], at: str
) -> HouseStatement:
    """The house statement for these balances, with the charity of each event."""
    house = house_money(balances)
    events = {event: share for event, share in house.events.items() if any(share)}
    charities = {event: charity_of(event) for event in events}
    dollars = {account: cents for account, cents in balances.items() if account.unit == USD}
    return HouseStatement(house._replace(events=events), charities, dollars, at)


def house_money(balances: Mapping[Account, int]) -> HouseMoney:
    """The money of the house by place and owner, with every event's."""
    parts = Counter[HousePart | Literal["others"]]()
    for account, cents in balances.items():
        if account.unit == USD and _event_share(account, USD) is None:
            part = _house_part(account)
            side = 1 if part != "others" or NORMAL[account.kind] == "credit" else -1
            parts[part] += side * cents
    return HouseMoney(
        vault=parts["vault"],
        drawers=parts["drawers"],
        boxes=parts["boxes"],
        house=parts["house"],
        racks=parts["racks"],
        wallets=parts["wallets"],
        layouts=parts["layouts"],
        others=parts["others"],
        events=money_by_event(balances, USD),
    )


def money_by_event(balances: Mapping[Account, int], unit: str) -> dict[str, EventMoney]:
    """Each event's money in a unit, by owner."""
    shares: dict[str, Counter[EventShare]] = {}
    for account, cents in balances.items():
        if (belongs := _event_share(account, unit)) is not None:
            event, share = belongs
            sums = shares.setdefault(event, Counter())
            sums[share] += cents
            if share == "chips":  # Sales are booked as the charity's; chips in hand are not.
                sums["charity"] -= cents
    return {
        event: EventMoney(
            cash=sums["cash"],
            float=sums["float"],
            chips=sums["chips"],
            charity=sums["charity"],
            prizes=sums["prizes"],
            unclaimed=sums["unclaimed"],
        )
        for event, sums in sorted(shares.items())
    }


def _event_share(account: Account, money: str) -> tuple[str, EventShare] | None:
    """The event that an account belongs to, and the owner whose share it holds."""
    unit, kind, name = account
    if unit != money:
        chips = "event-chip:" if money == USD else f"{money}-event-chip:"
        in_hand = unit.startswith(chips) and kind in ("wallet", "held")
        return (unit.removeprefix(chips), "chips") if in_hand else None
    event = name.partition("/")[0].partition(".")[0]  # Of EVENT, EVENT.TOURNAMENT, EVENT/PLAYER.
    if not event:
        return None
    match kind:
        case "cash":
            return (event, "cash") if drawer_name(account) is None else None
        case "prizes" | "unclaimed":
            return event, kind
        case "sales":
            return event, "charity"
        case "house":
            return event, "float" if name == f"{event}/float" else "charity"
    return None


def _house_part(account: Account) -> HousePart | Literal["others"]:
    match account.kind:
        case "cash":
            return "drawers" if account.name else "vault"
        case "house":
            return "house"
    return _HOUSE_PARTS.get(account.kind, "others")


def house_statement_text(statement: HouseStatement, language: str = ENGLISH) -> str:
    """The statement in plain text."""
    lines = [
        say("nights.house-statement.title"),
        say("nights.house-statement.generated", at=statement.generated_at),
        *_text_lines("places", statement.cash_lines(), language),
        *_text_lines("owners", statement.owner_lines(), language),
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


def _place_of(account: Account) -> tuple[Literal["drawer", "box", "night", "rack"], str] | None:
    """The drawer, box, event or rack that an account stands for."""
    match account.kind:
        case "cash" if account.name:
            drawer = drawer_name(account)
            return ("night", account.name) if drawer is None else ("drawer", drawer)
        case "box" | "rack":
            return account.kind, account.name
    return None


def _text_lines(part: str, lines: Iterator[HouseLine], language: str) -> Iterator[str]:
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
    totals = tuple(index for index, line in enumerate(listed) if line.total)
    table = Table("", ("", ""), rows, "lr", part, strong=totals)
    return Section(say("nights.house-statement.part", part=part), (table,), part)
