"""The redline of two sheets: every changed rule in words, and what the change is worth."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain
from typing import Any

from pitbook.exact.compare import WagerComparison, compare
from pitbook.money import Cents, dollars, odds
from pitbook.papers.changed_play import changed_play
from pitbook.papers.changed_words import changed_words
from pitbook.papers.citing import clause_at
from pitbook.papers.content import Block, Paper, Paragraph, Section, Table
from pitbook.papers.furniture import SHOWN
from pitbook.papers.identity import identity, version_of
from pitbook.papers.numbers import percent, points
from pitbook.papers.pay_tables import pay_said
from pitbook.papers.replaced import replaced
from pitbook.papers.report.measured import HearStep, measured
from pitbook.papers.typeset import PageSize
from pitbook.sheets.aloud import Saying, capital, sayings
from pitbook.sheets.aloud.words import outcome
from pitbook.sheets.diff import PAPERS_ALONE, Difference, diff
from pitbook.sheets.digest import digest, packet_digest
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Stake
from pitbook.text import Sentence, in_currency, say


def redline(
    a: Sheet,
    b: Sheet,
    told: HearStep = lambda _: None,
    *,
    language: str = "en",
    size: PageSize = "letter",
) -> Paper:
    """What changes from the first sheet to the second, for whoever approves the change.

    Pages are those of a packet in the language and on the paper that it is printed with.
    """
    told("mathematics")
    sections = [
        _section("sheets", _sheets(a, b)),
        _section("rules", _rules(a, b)),
        _section("paperwork", chain(_paperwork(a, b), changed_words(a, b))),
        _section("edge", _edges(a, b)),
        _section("strategy", _play(a, b, told)),
        _section("pages", replaced(a, b, language=language, size=size)),
    ]
    title = say("papers.redline.title")
    alike = (a.id, version_of(a)) == (b.id, version_of(b))
    about = (say("papers.redline.about", a=_called(a, alike=alike), b=_called(b, alike=alike)),)
    return Paper(
        "redline",
        title,
        about,
        identity(b, "redline"),
        tuple(section for section in sections if section.blocks),
    )


def _section(key: str, blocks: Iterator[Block]) -> Section:
    return Section(say("papers.redline.section", part=key), tuple(blocks), key)


def _called(sheet: Sheet, *, alike: bool) -> Sentence:
    """A sheet by its version; by its hash too where both have the same."""
    told = {"sheet": sheet.id, "version": version_of(sheet)}
    return say("papers.redline.sheet", **told, alike=alike, hash=packet_digest(sheet)[:SHOWN])


def _sheets(a: Sheet, b: Sheet) -> Iterator[Block]:
    facts = (
        ("sheet", a.id, b.id),
        ("title", a.title, b.title),
        ("version", *_versions(a, b)),
        ("rules", digest(a)[:SHOWN], digest(b)[:SHOWN]),
        ("paper", packet_digest(a)[:SHOWN], packet_digest(b)[:SHOWN]),
    )
    rows = tuple((say("papers.redline.fact", fact=name), *both) for name, *both in facts)
    yield Table("", _heads("what", "before", "after"), rows, "lll", "sheets")


def _versions(a: Sheet, b: Sheet) -> tuple[str, str]:
    """Both versions, with the rules hash added if the names match but the rules differ."""
    versions = version_of(a), version_of(b)
    hashes = digest(a)[:SHOWN], digest(b)[:SHOWN]
    if versions[0] != versions[1] or hashes[0] == hashes[1]:
        return versions
    first, second = (
        say("papers.redline.version", version=version, hash=rules_hash)
        for version, rules_hash in zip(versions, hashes, strict=True)
    )
    return first, second


def _heads(*columns: str) -> tuple[Sentence, ...]:
    return tuple(say("papers.redline.head", column=one) for one in columns)


def _rules(a: Sheet, b: Sheet) -> Iterator[Block]:
    found = [one for one in diff(a, b) if not _only_a_name(one)]
    if not found:
        yield Paragraph(say("papers.redline.no-rules"), "rules none")
    for one in found:
        clauses = dict.fromkeys((clause_at(a, one.path), clause_at(b, one.path)))
        key = ".".join(map(str, one.path))
        text = capital(_titled(one.words))
        yield Paragraph(text, f"rule {key}", tuple(each for each in clauses if each))


def _titled(part: Any) -> Any:
    """A sentence that calls other pay tables by their titles, without the names of their files."""
    if isinstance(part, tuple | list):
        return tuple(map(_titled, part))
    if not isinstance(part, Sentence) or not part.fields:
        return part
    if part.key == "aloud.variants.one":
        return part.fields["title"]
    return say(part.key, **{name: _titled(one) for name, one in part.fields.items()})


def _only_a_name(one: Difference) -> bool:
    """What a wager of one sheet alone is called; that it is there is told by itself."""
    return one.path[-1] == "title" and len(one.path) > 1 and None in (one.a, one.b)


def _paperwork(a: Sheet, b: Sheet) -> Iterator[Block]:
    """Procedures, notices and the filing, which no rule depends on."""
    before, after = _alone(a), _alone(b)
    for key in dict.fromkeys((*before, *after)):
        old, new = before.get(key), after.get(key)
        if old and new and old.sentence == new.sentence:
            continue
        for name, one in (("taken-out", old), ("put-in", new)):
            if one is not None:
                words = say("papers.redline.labelled", label=one.label or "", text=one.short)
                own = in_currency(words, (a if one is old else b).house.currency)
                text = say("papers.redline.alone", how=name, text=own)
                yield Paragraph(text, f"{name} {key}", one.clauses)


def _alone(sheet: Sheet) -> dict[str, Saying]:
    said = (one for one in sayings(sheet) if one.paths and one.paths[0])
    return {one.key: one for one in said if one.paths[0][0] in PAPERS_ALONE}


def _play(a: Sheet, b: Sheet, told: HearStep) -> Iterator[Block]:
    if a.family != b.family:
        yield Paragraph(say("papers.redline.other-game"), "strategy other")
        return
    yield from changed_play(measured(a, told), measured(b, told))


def _edges(a: Sheet, b: Sheet) -> Iterator[Block]:
    found = compare(a, b)
    rows = tuple(
        (_wager(a, b, one), _edge(one.a), _edge(one.b), _change(one.together)) for one in found
    )
    head = _heads("wager", "before", "after", "change")
    yield Table(say("papers.redline.edges"), head, rows, "lrrr", "edges")
    for one in found:
        if one.lines:
            yield _lines(a, b, one)
    yield from _limited(a, b)


def _limited(a: Sheet, b: Sheet) -> Iterator[Block]:
    """What the house keeps at each ante that both take once the limits apply, where they do."""
    before, after = _by_ante(a, b), _by_ante(b, a)
    antes = [one for one in before if one in after]
    if a.limits == b.limits or all(before[one] == after[one] for one in antes):
        return
    rows = tuple(
        (
            _amount(a, b, dollars(one)),
            percent(before[one]),
            percent(after[one]),
            points(after[one] - before[one]),
        )
        for one in antes
    )
    head = (b.main_wager.title, *_heads("before", "after", "change"))
    yield Table(say("papers.redline.limited"), head, rows, "lrrr", "limited")


def _amount(a: Sheet, b: Sheet, amount: Cents) -> Sentence:
    """An ante; of two currencies, as each sheet has it."""
    told = say("papers.money", amount=amount)
    currencies = [one.house.currency for one in (a, b)]
    before, after = (in_currency(told, one) for one in currencies)
    if before == after:
        return told
    return say("papers.redline.two-currencies", a=before, b=after)


def _by_ante(sheet: Sheet, other: Sheet) -> dict[str, Fraction]:
    """The edge by ante; without limits it is the same at every ante, and the other names them."""
    figures, stake = measured(sheet), sheet.main_wager
    if sheet.limits:
        return {one["ante"]: Fraction(one["edge"]) for one in figures["by_ante"]}
    free = -Fraction(figures["math"]["wagers"]["main"]["expected"])
    antes = (one["ante"] for one in measured(other)["by_ante"])
    return {one: free for one in antes if _takes(stake, dollars(one))}


def _takes(stake: Stake, amount: Cents) -> bool:
    return stake.min <= amount <= stake.max and not amount % stake.step


def _wager(a: Sheet, b: Sheet, one: WagerComparison) -> str:
    if one.wager == "main":
        return say("papers.report.main")
    return (a if one.wager in a.side else b).side[one.wager].title


def _edge(edge: Fraction | None) -> str:
    return say("papers.redline.not-offered") if edge is None else percent(edge)


def _change(change: Fraction | None) -> str:
    return "" if change is None else points(change)


def _lines(a: Sheet, b: Sheet, one: WagerComparison) -> Table:
    rows = [
        (
            capital(outcome(line.line)),
            _paid(line.a, a, one.wager),
            _paid(line.b, b, one.wager),
            percent(line.probability),
            points(line.edge),
        )
        for line in one.lines
    ]
    rows.append((say("papers.redline.together"), "", "", "", points(one.interplay)))
    if one.other_rules:
        rows.append((say("papers.redline.other-rules"), "", "", "", points(one.other_rules)))
    rows.append((say("papers.redline.whole"), "", "", "", _change(one.together)))
    head = _heads("hand", "before", "after", "often", "change")
    last = (len(rows) - 1,)
    title = _wager(a, b, one)
    return Table(title, head, tuple(rows), "lrrrr", f"lines {one.wager}", strong=last)


def _paid(pay: str | None, sheet: Sheet, wager: str) -> str:
    if pay is None and wager == "main" and not sheet.unlisted_loses:
        return say("papers.redline.no-line")
    if pay is None:
        return say("words.loses")
    return pay_said("push" if pay == "push" else odds(pay))
