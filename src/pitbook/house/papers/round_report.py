"""The round report: how a seat's payout was computed, for a dispute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pitbook.house.table.explain import SeatAccount
from pitbook.printing.content import Block, Paper, Paragraph, Section, Signatures, Table
from pitbook.printing.numbers import format_time
from pitbook.printing.page_texts import identity
from pitbook.printing.worked_examples import common_cards
from pitbook.rules.narration import line_sentences
from pitbook.text import Sentence, capital, say


def round_report(account: SeatAccount) -> Paper:
    """One seat's account of a round: facts, story, cards, reasons, money, findings."""
    record, sheet = account.record, account.round.game.sheet
    footer = identity(sheet, "round")
    lines = (
        say("papers.house.round-foot", round=record.id, seat=account.seat.number),
        *_foot(account),
    )
    sections = (
        _section("facts", [_facts(account)]),
        _section("story", [_story_table(account)]),
        _section("cards", _card_blocks(account)),
        _section("why", _reason_blocks(account)),
        _section("money", _money_blocks(account)),
        _section("findings", _findings(account)),
        _section("signed", [_signatures()]),
    )
    title = say("papers.house.round", round=record.id)
    about = (
        title,
        say("papers.house.seat", seat=account.seat.number, player=account.seat.player),
    )
    return Paper("round", title, about, replace(footer, lines=lines), sections)


def _foot(account: SeatAccount) -> tuple[str, ...]:
    sheet = account.round.game.sheet
    fields = {"sheet": sheet.id, "hash": account.record.before.upcoming_sheet["hash"][:12]}
    return (say("papers.house.rules-foot", **fields), format_time(account.record.steps[-1].at))


def _section(key: str, blocks: Iterator[Block] | list[Block]) -> Section:
    return Section(say("papers.house.section", part=key), tuple(blocks), key)


def _facts(account: SeatAccount) -> Table:
    record, state = account.record, account.record.before
    first, last = record.steps[0], record.steps[-1]
    facts = (
        ("table", state.table),
        ("book", say("papers.house.entries", book=record.stream, first=first.seq, last=last.seq)),
        ("time", say("papers.plays.span", first=format_time(first.at), last=format_time(last.at))),
        ("rules", account.round.game.sheet.id),
        ("hash", state.upcoming_sheet["hash"]),
    )
    rows = tuple((say("papers.house.fact", fact=name), text) for name, text in facts)
    return Table("", ("", ""), rows, "ll", "facts")


def _story_table(account: SeatAccount) -> Table:
    rows = tuple(
        (str(event.seq), event.at[11:19], event.actor, say("papers.house.told", told=event.told))
        for event in account.story
    )
    names = ("entry", "time", "who", "what")
    head = tuple(say("papers.house.head", column=name) for name in names)
    return Table("", head, rows, "llll", "story")


def _card_blocks(account: SeatAccount) -> Iterator[Block]:
    seat, round_ = account.seat, account.round
    fields = {"seat": seat.number, "has": bool(seat.cards), "cards": seat.cards}
    yield Paragraph(say("papers.house.cards", **fields), "cards")
    for index, pile_text in enumerate(common_cards(round_.game, round_)):
        yield Paragraph(say("papers.sentence", text=capital(pile_text)), f"cards {index}")


def _reason_blocks(account: SeatAccount) -> Iterator[Block]:
    for index, line in enumerate(account.settled_lines.lines):
        (sentence,) = line_sentences(account.round, [line])
        yield Paragraph(capital(sentence), f"line {index}", (line.clause,))
    if account.settlement is not None and account.round.phase == "over":
        for number, cap in enumerate(account.caps):
            for index, sentence in enumerate(cap.sentences(account.round, account.seat.number)):
                yield Paragraph(sentence, f"cap {number} {index}")


def _money_blocks(account: SeatAccount) -> Iterator[Block]:
    fields = {"player": account.seat.player, "before": account.before, "after": account.after}
    yield Paragraph(say("papers.house.balance", **fields), "balance")
    if account.settlement is not None:
        yield Paragraph(say("papers.house.net", net=account.settlement.net), "net")


def _findings(account: SeatAccount) -> Iterator[Block]:
    if not account.differences:
        yield Paragraph(say("papers.house.as-written"), "findings")
    for index, difference in enumerate(account.differences):
        yield Paragraph(say("papers.house.finding", why=difference), f"finding {index}")


def _signatures() -> Signatures:
    names = ("supervisor", "player", "date")
    lines: tuple[tuple[Sentence, str], ...] = tuple(
        (say("papers.house.signed", by=name), "") for name in names
    )
    return Signatures(lines, "signed")
