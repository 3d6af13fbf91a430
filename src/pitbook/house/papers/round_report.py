"""The round report: how a seat's payout was computed, for a dispute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pitbook.house.table.explain import SeatAccount
from pitbook.papers.content import Block, Paper, Paragraph, Section, Signatures, Table
from pitbook.papers.examples import laid_of
from pitbook.papers.identity import identity
from pitbook.papers.numbers import moment
from pitbook.rules.narration import line_sentences
from pitbook.text import Sentence, capital, say


def round_report(found: SeatAccount) -> Paper:
    """One seat's account of a round: facts, story, cards, reasons, money, findings."""
    record, sheet = found.record, found.round.game.sheet
    footer = identity(sheet, "round")
    lines = (say("papers.house.round-foot", round=record.id, seat=found.seat.number), *_foot(found))
    sections = (
        _section("facts", [_facts(found)]),
        _section("story", [_story(found)]),
        _section("cards", _cards(found)),
        _section("why", _why(found)),
        _section("money", _money(found)),
        _section("findings", _findings(found)),
        _section("signed", [_signed()]),
    )
    title = say("papers.house.round", round=record.id)
    about = (
        title,
        say("papers.house.seat", seat=found.seat.number, player=found.seat.player),
    )
    return Paper("round", title, about, replace(footer, lines=lines), sections)


def _foot(found: SeatAccount) -> tuple[str, ...]:
    sheet = found.round.game.sheet
    told = {"sheet": sheet.id, "hash": found.record.before.coming["hash"][:12]}
    return (say("papers.house.rules-foot", **told), moment(found.record.steps[-1].at))


def _section(key: str, blocks: Iterator[Block] | list[Block]) -> Section:
    return Section(say("papers.house.section", part=key), tuple(blocks), key)


def _facts(found: SeatAccount) -> Table:
    record, state = found.record, found.record.before
    first, last = record.steps[0], record.steps[-1]
    facts = (
        ("table", state.table),
        ("book", say("papers.house.entries", book=record.stream, first=first.seq, last=last.seq)),
        ("time", say("papers.plays.span", first=moment(first.at), last=moment(last.at))),
        ("rules", found.round.game.sheet.id),
        ("hash", state.coming["hash"]),
    )
    rows = tuple((say("papers.house.fact", fact=name), told) for name, told in facts)
    return Table("", ("", ""), rows, "ll", "facts")


def _story(found: SeatAccount) -> Table:
    rows = tuple(
        (str(one.seq), one.at[11:19], one.actor, say("papers.house.told", told=one.told))
        for one in found.moments
    )
    names = ("entry", "time", "who", "what")
    head = tuple(say("papers.house.head", column=name) for name in names)
    return Table("", head, rows, "llll", "story")


def _cards(found: SeatAccount) -> Iterator[Block]:
    seat, round_ = found.seat, found.round
    told = {"seat": seat.number, "has": bool(seat.cards), "cards": seat.cards}
    yield Paragraph(say("papers.house.cards", **told), "cards")
    for place, laid in enumerate(laid_of(round_.game, round_)):
        yield Paragraph(say("papers.sentence", text=capital(laid)), f"cards {place}")


def _why(found: SeatAccount) -> Iterator[Block]:
    for place, line in enumerate(found.so_far.lines):
        (told,) = line_sentences(found.round, [line])
        yield Paragraph(capital(told), f"line {place}", (line.clause,))
    if found.settlement is not None and found.round.phase == "over":
        for number, cap in enumerate(found.caps):
            for place, told in enumerate(cap.told(found.round, found.seat.number)):
                yield Paragraph(told, f"cap {number} {place}")


def _money(found: SeatAccount) -> Iterator[Block]:
    told = {"player": found.seat.player, "before": found.before, "after": found.after}
    yield Paragraph(say("papers.house.balance", **told), "balance")
    if found.settlement is not None:
        yield Paragraph(say("papers.house.net", net=found.settlement.net), "net")


def _findings(found: SeatAccount) -> Iterator[Block]:
    if not found.differs:
        yield Paragraph(say("papers.house.as-written"), "findings")
    for place, one in enumerate(found.differs):
        yield Paragraph(say("papers.house.finding", why=one), f"finding {place}")


def _signed() -> Signatures:
    names = ("supervisor", "player", "date")
    lines: tuple[tuple[Sentence, str], ...] = tuple(
        (say("papers.house.signed", by=name), "") for name in names
    )
    return Signatures(lines, "signed")
