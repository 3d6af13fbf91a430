"""A seat's account as an auditor reads it: the facts, what happened, and why it was paid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitbook.cards import names
from pitbook.cli.render import plain
from pitbook.house.cli.data_folder import amount
from pitbook.house.table.explain import SeatAccount
from pitbook.house.table.round_records import round_shoe
from pitbook.rules.narration import line_sentences
from pitbook.sheets.prose.words import format_day, game_and_venue
from pitbook.text import capital, say


def parts(found: SeatAccount) -> Iterator[RenderableType]:
    """The account in parts, one under the other."""
    yield plain(_title(found), "bold")
    yield _rows(_facts(found), style="dim")
    yield from _section(say("cli.explain.part", part="happened"), [_rows(_moments(found))])
    yield from _section(say("cli.explain.part", part="cards"), _indented(_cards(found)))
    yield from _section(say("cli.explain.part", part="why"), _indented(_why(found)))
    yield from _section(say("cli.explain.part", part="money"), _indented(_money(found)))
    for one in found.differs:
        yield plain(say("cli.book.finding", finding=one), "bold red")


def _title(found: SeatAccount) -> str:
    whose = {"seat": found.seat.number, "player": found.seat.player, "round": found.record.id}
    if found.settlement is None:
        return say("cli.explain.not-over", **whose)
    net = amount(found.record.before.unit, found.settlement.net)
    return say("cli.explain.title", **whose, net=net)


def _facts(found: SeatAccount) -> Iterator[tuple[str, str]]:
    record, sheet, state = found.record, found.round.game.sheet, found.record.before
    first, last = record.steps[0], record.steps[-1]
    at = {"table": state.table, "kind": state.kind, "unit": state.unit}
    yield _fact("table"), say("cli.explain.table", **at)
    entries = {"stream": record.stream, "first": first.seq, "last": last.seq}
    yield _fact("book"), say("cli.explain.entries", **entries)
    yield _fact("time"), say("cli.explain.time", first=first.at, last=last.at)
    rules = say(
        "cli.explain.rules", sheet=sheet.id, title=game_and_venue(sheet.title, sheet.house.venue)
    )
    if sheet.effective:
        rules = say("cli.explain.in-force", rules=rules, day=format_day(sheet.effective))
    yield _fact("rules"), rules
    yield _fact("hash"), state.coming["hash"]
    yield from _shoe(found)


def _shoe(found: SeatAccount) -> Iterator[tuple[str, str]]:
    shoe = round_shoe(found.record, seed=True)
    if shoe is None:
        return
    of = {"id": shoe["id"], "kind": shoe["kind"], "decks": shoe["decks"], "pack": shoe["pack"]}
    shuffle = say("cli.explain.shuffle", shuffle=shoe["shuffle"], times=shoe["times"])
    drawn = shoe["drawn"]
    yield _fact("shoe"), say("cli.explain.shoe", **of, shuffle=shuffle, drawn=drawn)
    yield _fact("commitment"), shoe["commitment"] or say("cli.explain.no-commitment")
    yield _fact("seed"), shoe["seed"] or say("cli.explain.no-seed")
    for seat, text in shoe["seat_seeds"]:
        for one in text.splitlines():  # Whoever took the seat over added another.
            yield "", say("cli.explain.seat-seed", seat=seat, seed=one)


def _fact(name: str) -> str:
    return say("cli.explain.fact", fact=name)


def _moments(found: SeatAccount) -> Iterator[tuple[str, ...]]:
    for moment in found.moments:
        after = say("cli.explain.after", actor=moment.actor)
        who = after if moment.follows else moment.actor
        head = (f"  {moment.seq}", moment.at[11:19], who)
        for sentence in moment.told:
            yield *head, sentence
            head = ("", "", "")


def _cards(found: SeatAccount) -> Iterator[str]:
    seat, game = found.seat, found.round.game
    unseen = seat.laid - len(seat.cards)
    own = {"seat": seat.number, "cards": names(seat.cards), "unseen": unseen}
    yield say("cli.explain.seat-cards", **own, any="yes" if seat.cards else "no")
    for place, pile in zip(game.places[1:], found.round.piles, strict=True):
        title = say("cli.play.place", place=place.id, title=place.title.capitalize())
        turned = names(pile.cards) or say("cli.explain.no-card")
        yield say("cli.explain.pile", place=title, cards=turned)


def _why(found: SeatAccount) -> Iterator[str]:
    for line in found.so_far.lines:
        (told,) = line_sentences(found.round, [line])
        yield capital(told)
    if found.settlement is None:
        yield say("cli.explain.open", some="yes" if found.so_far.lines else "no")
        return
    if found.round.phase != "over":
        yield say("cli.explain.others-open")
        return
    for cap in found.caps:
        yield from cap.told(found.round, found.seat.number)
    if not found.differs:
        yield say("cli.explain.the-same")


def _money(found: SeatAccount) -> Iterator[str]:
    unit, player = found.record.before.unit, found.seat.player
    before, after = amount(unit, found.before), amount(unit, found.after)
    yield say("cli.explain.had", player=player, before=before, after=after)
    if found.settlement is None:
        held = sum(stake for _, stake in found.round.open_stakes(found.seat))
        yield say("cli.explain.held", amount=amount(unit, held))
        return
    one = found.settlement
    wins, loses, net = (amount(unit, cents) for cents in (one.wins, one.loses, one.net))
    yield say("cli.explain.nets", wins=wins, loses=loses, net=net)


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
