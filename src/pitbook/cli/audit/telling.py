"""A seat's account as an auditor reads it: the facts, what happened, and why it was paid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitbook import english
from pitbook.cards import names
from pitbook.cli.common.terminal import plain
from pitbook.cli.house.data_folder import amount
from pitbook.engine.words import lines_told
from pitbook.sheets.aloud.words import called, counted, day
from pitbook.table.past.account import Account
from pitbook.table.past.records import shown_shoe

__all__ = ["parts"]


def parts(found: Account) -> Iterator[RenderableType]:
    """The account in parts, one under the other."""
    yield plain(_title(found), "bold")
    yield _rows(_facts(found), style="dim")
    yield from _section("What happened", [_rows(_moments(found))])
    yield from _section("Cards", _indented(_cards(found)))
    yield from _section("Why", _indented(_why(found)))
    yield from _section("Money", _indented(_money(found)))
    for one in found.differs:
        yield plain(f"Finding: {one}.", "bold red")


def _title(found: Account) -> str:
    whose = f"seat {found.seat.number} ({found.seat.player})"
    if found.settlement is None:
        return f"Round {found.record.id} is not over for {whose}"
    net = amount(found.record.before.unit, found.settlement.net)
    return f"Why {whose} nets {net} in round {found.record.id}"


def _facts(found: Account) -> Iterator[tuple[str, str]]:
    record, sheet, state = found.record, found.round.game.sheet, found.record.before
    first, last = record.steps[0], record.steps[-1]
    yield "Table", f"{state.table}, {state.kind}, in {state.unit}"
    yield "Book", f"{record.stream}, entries {first.seq} to {last.seq}"
    yield "Time", f"{first.at} to {last.at}"
    since = f", in force from {day(sheet.effective)}" if sheet.effective else ""
    yield "Rules", f"{sheet.id}: {called(sheet.title, sheet.house.venue)}{since}"
    yield "Hash", state.coming["hash"]
    yield from _shoe(found)


def _shoe(found: Account) -> Iterator[tuple[str, str]]:
    shoe = shown_shoe(found.record, seed=True)
    if shoe is None:
        return
    decks = counted(shoe["decks"], "deck", "decks")
    before = f", {english.counted(shoe['drawn'], 'card')} dealt before" if shoe["drawn"] else ""
    shuffle = f"{shoe['shuffle']} shuffle" + (f" x{shoe['times']}" if shoe["times"] > 1 else "")
    yield "Shoe", f"{shoe['id']}, {shoe['kind']}, {decks}, pack {shoe['pack']}, {shuffle}{before}"
    yield "Commitment", shoe["commitment"] or "none"
    yield "Seed", shoe["seed"] or "not told"
    for seat, text in shoe["seat_seeds"]:
        for one in text.splitlines():  # Whoever took the seat over added another.
            yield "", f'and of seat {seat} "{one}"'


def _moments(found: Account) -> Iterator[tuple[str, ...]]:
    for moment in found.moments:
        who = f"after {moment.actor}" if moment.follows else moment.actor
        head = (f"  {moment.seq}", moment.at[11:19], who)
        for sentence in moment.told:
            yield *head, sentence
            head = ("", "", "")


def _cards(found: Account) -> Iterator[str]:
    seat, game = found.seat, found.round.game
    unseen = seat.laid - len(seat.cards)
    never = f" ({counted(unseen, 'card', 'cards')} never turned)" if unseen else ""
    yield f"Seat {seat.number}: {names(seat.cards)}{never}".rstrip()
    for place, pile in zip(game.places[1:], found.round.piles, strict=True):
        yield f"{place.title.capitalize()}: {names(pile.cards) or 'no card turned'}"


def _why(found: Account) -> Iterator[str]:
    for line in found.so_far.lines:
        (told,) = lines_told(found.round, [line])
        yield f"{told[:1].upper()}{told[1:]}"
    if found.settlement is None:
        yield "The rest is still open." if found.so_far.lines else "Nothing is settled yet."
        return
    if found.round.phase != "over":
        yield "The seat is settled; other hands of the round are still open."
        return
    for cap in found.caps:
        yield from cap.told(found.round, found.seat.number)
    if not found.differs:
        yield "Played again from the journal, the round settles as it was written down."


def _money(found: Account) -> Iterator[str]:
    unit, player = found.record.before.unit, found.seat.player
    before, after = amount(unit, found.before), amount(unit, found.after)
    yield f"{player} had {before} before the first wager and {after} after the round."
    if found.settlement is None:
        held = sum(stake for _, stake in found.round.open_stakes(found.seat))
        yield f"{amount(unit, held)} is held at the seat."
        return
    one = found.settlement
    wins, loses, net = (amount(unit, cents) for cents in (one.wins, one.loses, one.net))
    yield f"The seat wins {wins}, loses {loses} and nets {net}."


def _section(title: str, content: Iterable[RenderableType]) -> Iterator[RenderableType]:
    yield Text()
    yield plain(title, "bold cyan")
    yield from content


def _indented(sentences: Iterable[str]) -> Iterator[RenderableType]:
    for one in sentences:
        yield Padding(plain(one), (0, 0, 0, 2))


def _rows(rows: Iterable[tuple[str, ...]], style: str = "") -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    made = list(rows)
    for place in range(len(made[0]) if made else 0):
        last = place == len(made[0]) - 1
        table.add_column(style="" if last else style, overflow="fold", no_wrap=not last)
    for row in made:
        table.add_row(*(plain(cell) for cell in row))
    return table
