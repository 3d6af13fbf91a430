"""Audit reports as text: findings with how far signatures reach, and the account of a seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitbook.cards import names
from pitbook.cli.rich_output import plain
from pitbook.house.cli.ledger_text import amount, verdict_lines
from pitbook.house.table.explain import SeatAccount
from pitbook.house.table.round_records import round_shoe
from pitbook.money import money
from pitbook.rules.narration import line_sentences
from pitbook.sheets.phrases import format_day, game_and_venue
from pitbook.text import capital, say

if TYPE_CHECKING:
    from pitbook.house.ledger.anchors import AnchoredCheckpoint
    from pitbook.house.ledger.audit import LedgerVerdict
    from pitbook.house.ledger.audit_checkpoints import Coverage


MINUTE = len("2026-11-15T18:30")


def verdict_report(
    verdict: LedgerVerdict, key: str | None, anchored: Sequence[AnchoredCheckpoint] | None = None
) -> list[str]:
    """The full verdict as lines; `key` is the house's, `anchored` the checkpoints of an anchor."""
    lines = [
        *verdict_lines(verdict),
        *_proof_lines(verdict.proved),
        *_anchor_lines(anchored, verdict),
    ]
    return [*lines, say("cli.book.key", key=key or _key_message(verdict.proved, anchored))]


def verification_document(
    verdict: LedgerVerdict, key: str | None, anchored: Sequence[AnchoredCheckpoint] | None = None
) -> dict[str, Any]:
    """The verdict as JSON; `key` is null if it cannot be verified."""
    proved = verdict.proved
    last = max(anchored or (), key=lambda checkpoint: checkpoint.number, default=None)
    return {
        "result": "findings" if verdict.findings else "sound",
        "streams": verdict.streams,
        "entries": verdict.entries,
        "checkpoints": verdict.checkpoints,
        "totals": {unit: money(total) for unit, total in verdict.units.items()},
        "findings": [finding._asdict() for finding in verdict.findings],
        "checkpoint": proved.at,
        "entries_since": proved.unsigned_entries,
        "unproved_from": proved.first_unsigned._asdict() if proved.first_unsigned else None,
        "unproved": [entry._asdict() for entry in proved.open],
        "anchor": last._asdict() if last else None,
        "key": key or (proved.key if last else None),
    }


def _proof_lines(proved: Coverage) -> list[str]:
    if proved.at is None:
        signed = say("cli.book.not-signed", elsewhere=proved.elsewhere)
    else:
        signed = say("cli.book.signed", at=proved.at, since=proved.unsigned_entries)
    if (first := proved.first_unsigned) is None:
        return [signed]
    at = str(first.at)[:MINUTE].replace("T", " ")
    other_entries = [entry for entry in proved.open if entry != first] if proved.open[1:] else []
    others = [
        say("cli.book.from-entry", seq=entry.seq, stream=entry.stream) for entry in other_entries
    ]
    fields = {"seq": first.seq, "stream": first.stream, "at": at}
    if not others:
        return [signed, say("cli.book.not-proved", **fields)]
    return [signed, say("cli.book.not-proved-nor", **fields, others=others)]


def _anchor_lines(
    anchored: Sequence[AnchoredCheckpoint] | None, verdict: LedgerVerdict
) -> list[str]:
    if anchored is None:
        return [say("cli.book.no-anchor")] if verdict.proved.at is not None else []
    last = max(anchored, key=lambda checkpoint: checkpoint.number, default=None)
    if last is None:
        return []
    closed = "yes" if anchored[-1].closed else "no"
    return [say("cli.book.anchored", number=last.number, at=last.at, closed=closed)]


def _key_message(proved: Coverage, anchored: Sequence[AnchoredCheckpoint] | None) -> str:
    if proved.key is None:
        return say("cli.book.no-key")
    key = "cli.book.key-anchored" if anchored else "cli.book.key-not-known"
    return say(key, key=proved.key)


def account_parts(account: SeatAccount) -> Iterator[RenderableType]:
    """The account as renderable parts."""
    yield plain(_title(account), "bold")
    yield _rows(_fact_rows(account), style="dim")
    yield from _section(say("cli.explain.part", part="happened"), [_rows(_event_rows(account))])
    yield from _section(say("cli.explain.part", part="cards"), _indent(_card_lines(account)))
    yield from _section(say("cli.explain.part", part="why"), _indent(_reason_lines(account)))
    yield from _section(say("cli.explain.part", part="money"), _indent(_money_lines(account)))
    for difference in account.differences:
        yield plain(say("cli.book.finding", finding=difference), "bold red")


def _title(account: SeatAccount) -> str:
    details = {
        "seat": account.seat.number,
        "player": account.seat.player,
        "round": account.record.id,
    }
    if account.settlement is None:
        return say("cli.explain.not-over", **details)
    net = amount(account.record.before.unit, account.settlement.net)
    return say("cli.explain.title", **details, net=net)


def _fact_rows(account: SeatAccount) -> Iterator[tuple[str, str]]:
    record, sheet, state = account.record, account.round.game.sheet, account.record.before
    first, last = record.steps[0], record.steps[-1]
    table_details = {"table": state.table, "kind": state.kind, "unit": state.unit}
    yield _fact("table"), say("cli.explain.table", **table_details)
    entries = {"stream": record.stream, "first": first.seq, "last": last.seq}
    yield _fact("book"), say("cli.explain.entries", **entries)
    yield _fact("time"), say("cli.explain.time", first=first.at, last=last.at)
    rules = say(
        "cli.explain.rules", sheet=sheet.id, title=game_and_venue(sheet.title, sheet.house.venue)
    )
    if sheet.effective:
        rules = say("cli.explain.in-force", rules=rules, day=format_day(sheet.effective))
    yield _fact("rules"), rules
    yield _fact("hash"), state.upcoming_sheet["hash"]
    yield from _shoe_facts(account)


def _shoe_facts(account: SeatAccount) -> Iterator[tuple[str, str]]:
    shoe = round_shoe(account.record, seed=True)
    if shoe is None:
        return
    details = {"id": shoe["id"], "kind": shoe["kind"], "decks": shoe["decks"], "pack": shoe["pack"]}
    shuffle = say("cli.explain.shuffle", shuffle=shoe["shuffle"], times=shoe["times"])
    drawn = shoe["drawn"]
    yield _fact("shoe"), say("cli.explain.shoe", **details, shuffle=shuffle, drawn=drawn)
    yield _fact("commitment"), shoe["commitment"] or say("cli.explain.no-commitment")
    yield _fact("seed"), shoe["seed"] or say("cli.explain.no-seed")
    for seat, text in shoe["seat_seeds"]:
        for seed_line in text.splitlines():  # A player who takes over the seat adds another line.
            yield "", say("cli.explain.seat-seed", seat=seat, seed=seed_line)


def _fact(name: str) -> str:
    return say("cli.explain.fact", fact=name)


def _event_rows(account: SeatAccount) -> Iterator[tuple[str, ...]]:
    for moment in account.story:
        after = say("cli.explain.after", actor=moment.actor)
        actor_text = after if moment.follows else moment.actor
        head = (f"  {moment.seq}", moment.at[11:19], actor_text)
        for sentence in moment.told:
            yield *head, sentence
            head = ("", "", "")


def _card_lines(account: SeatAccount) -> Iterator[str]:
    seat, game = account.seat, account.round.game
    unseen = seat.cards_dealt - len(seat.cards)
    details = {"seat": seat.number, "cards": names(seat.cards), "unseen": unseen}
    yield say("cli.explain.seat-cards", **details, any="yes" if seat.cards else "no")
    for place, pile in zip(game.places[1:], account.round.piles, strict=True):
        title = say("cli.play.place", place=place.id, title=place.title.capitalize())
        turned = names(pile.cards) or say("cli.explain.no-card")
        yield say("cli.explain.pile", place=title, cards=turned)


def _reason_lines(account: SeatAccount) -> Iterator[str]:
    for line in account.settled_lines.lines:
        (sentence,) = line_sentences(account.round, [line])
        yield capital(sentence)
    if account.settlement is None:
        yield say("cli.explain.open", some="yes" if account.settled_lines.lines else "no")
        return
    if account.round.phase != "over":
        yield say("cli.explain.others-open")
        return
    for cap in account.caps:
        yield from cap.sentences(account.round, account.seat.number)
    if not account.differences:
        yield say("cli.explain.the-same")


def _money_lines(account: SeatAccount) -> Iterator[str]:
    unit, player = account.record.before.unit, account.seat.player
    before, after = amount(unit, account.before), amount(unit, account.after)
    yield say("cli.explain.had", player=player, before=before, after=after)
    if account.settlement is None:
        in_play = sum(stake for _, stake in account.round.open_stakes(account.seat))
        yield say("cli.explain.held", amount=amount(unit, in_play))
        return
    settlement = account.settlement
    wins, loses, net = (
        amount(unit, cents) for cents in (settlement.wins, settlement.loses, settlement.net)
    )
    yield say("cli.explain.nets", wins=wins, loses=loses, net=net)


def _section(title: str, content: Iterable[RenderableType]) -> Iterator[RenderableType]:
    yield Text()
    yield plain(title, "bold cyan")
    yield from content


def _indent(sentences: Iterable[str]) -> Iterator[RenderableType]:
    for sentence in sentences:
        yield Padding(plain(sentence), (0, 0, 0, 2))


def _rows(rows: Iterable[tuple[str, ...]], style: str = "") -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    all_rows = list(rows)
    for index in range(len(all_rows[0]) if all_rows else 0):
        last = index == len(all_rows[0]) - 1
        table.add_column(style="" if last else style, overflow="fold", no_wrap=not last)
    for row in all_rows:
        table.add_row(*(plain(cell) for cell in row))
    return table
