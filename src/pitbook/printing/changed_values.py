"""The changed values of a redline, each with its own effect on every house advantage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from pitbook.errors import PitbookError, SheetError
from pitbook.exact.compare import WagerComparison, compare_wagers, edge_of, with_pays
from pitbook.exact.side_wagers import side_figures
from pitbook.money import Cents, Odds
from pitbook.printing.content import Block, Paragraph, Table
from pitbook.printing.numbers import percent, points
from pitbook.printing.pay_tables import pay_text
from pitbook.printing.report_figures import report_figures
from pitbook.sheets.diff import PAPER_FIELDS
from pitbook.sheets.edit import take_fields
from pitbook.sheets.field_types import Push
from pitbook.sheets.findings import FieldPath, SheetInvalid
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet, Stake
from pitbook.sheets.pay_tables import pays_of
from pitbook.sheets.phrases import outcome, stake_bounds
from pitbook.sheets.prose import RuleText, rule_texts
from pitbook.text import Sentence, capital, in_currency, say, sentence_of

Edges = dict[str, Fraction]  # House advantages by wager.

# Figures are for one seat and a completed round, so these fields change none of them.
FIELDS_WITHOUT_EFFECT: tuple[FieldPath, ...] = (
    ("house", "chips"),
    ("seats",),
    ("equipment",),
    ("irregularities",),
    ("deck", "shuffle"),
    ("deck", "alternate"),
    ("deck", "fallback"),
    ("deal", "order"),
    ("deal", "direction"),
    ("fold", "shown"),
    ("fold", "tucks_under"),
    ("settlement", "direction"),
    ("settlement", "passes"),
)
SUBJECT_MAX = 60  # Of the letters in the first column.
UNLISTED = ("title", "effective", "history", "variants", "best_play")


@dataclass(frozen=True)
class ChangedValue:
    """A row of the table: a value before and after, and its effect by wager, or why there is none.

    `sheet` is the first sheet with only this value changed, if that is possible and has an effect.
    """

    name: str  # Short, for the tables that do not show the values.
    what: str
    before: str
    after: str
    effects: Edges
    sheet: Sheet | None = None
    reason: str | None = None


def changed_values(a: Sheet, b: Sheet) -> Iterator[Block]:
    """Every changed value with its effect; then the effects under the limits, if there are any."""
    comparisons = compare_wagers(a, b)
    wagers = [comparison.wager for comparison in comparisons if comparison.difference is not None]
    pays = [*_pay_changes(a, b, comparisons, wagers)]
    others = [*_rule_changes(a, b, wagers)]
    changes = [*pays, *others]
    if not changes:
        return
    if a.family != b.family:
        rows = tuple((change.what, change.before, change.after) for change in changes)
        head = redline_heads("what", "before", "after")
        yield Table(say("papers.redline.changed"), head, rows, "lll", "values")
        yield Paragraph(say("papers.redline.no-effects"), "no effects", kind="remark")
        return
    yield _effects_table(a, b, comparisons, changes)
    reasons = dict.fromkeys(
        say("papers.redline.inseparable", what=change.what, why=change.reason)
        for change in changes
        if change.reason is not None
    )
    for number, reason in enumerate(reasons, start=1):
        yield Paragraph(reason, f"inseparable {number}", kind="remark")
    yield from _effects_under_limits(a, b, wagers, others)


def _effects_table(
    a: Sheet, b: Sheet, comparisons: list[WagerComparison], changes: list[ChangedValue]
) -> Table:
    compared = [comparison for comparison in comparisons if comparison.difference is not None]
    rows = [
        (
            change.what,
            change.before,
            change.after,
            *(_effect_text(change, comparison.wager) for comparison in compared),
        )
        for change in changes
    ]
    differences = [comparison.difference or Fraction(0) for comparison in compared]
    sums = [
        sum((change.effects.get(comparison.wager, Fraction(0)) for change in changes), Fraction(0))
        for comparison in compared
    ]
    rests = [total - part for total, part in zip(differences, sums, strict=True)]
    is_complete = all(change.reason is None for change in changes)
    label = say("papers.redline.together" if is_complete else "papers.redline.rest")
    rows.append((label, "", "", *map(points, rests)))
    rows.append((say("papers.redline.whole"), "", "", *map(points, differences)))
    head = (
        *redline_heads("what", "before", "after"),
        *(wager_title(a, b, comparison.wager) for comparison in compared),
    )
    return Table(
        say("papers.redline.values"),
        head,
        tuple(rows),
        "lll" + "r" * len(compared),
        "values",
        strong=(len(rows) - 1,),
    )


def _effect_text(change: ChangedValue, wager: str) -> str:
    return points(change.effects[wager]) if wager in change.effects else "\u2013"


def _pay_changes(
    a: Sheet, b: Sheet, comparisons: list[WagerComparison], wagers: list[str]
) -> Iterator[ChangedValue]:
    """Changed pay lines; a pay line of one wager has no effect on another wager."""
    for comparison in comparisons:
        for line in comparison.lines:
            title = wager_title(a, b, comparison.wager)
            label = say("papers.redline.pays", wager=title, hand=outcome(line.line))
            yield ChangedValue(
                label,
                label,
                pay_or_loss(line.a, a, comparison.wager),
                pay_or_loss(line.b, b, comparison.wager),
                {**dict.fromkeys(wagers, Fraction(0)), comparison.wager: line.edge},
            )


def _rule_changes(a: Sheet, b: Sheet, wagers: list[str]) -> Iterator[ChangedValue]:
    """Every other change: side wagers of one sheet only, then rules that read differently."""
    edges_of = _edges_of_one_family(a, wagers) if a.family == b.family else None
    for wager in dict.fromkeys((*a.side, *b.side)):
        if (wager in a.side) != (wager in b.side):
            yield _offered_wager(a, b, wager, wagers)
    before, after = _texts_by_key(a, b), _texts_by_key(b, a)
    for key in dict.fromkeys((*before, *after)):
        old, new = before.get(key), after.get(key)
        if old and new and old.sentence == new.sentence:
            continue
        described = _describe(old, new, (a, b))
        paths = _fields_of(a, b, key, [text for text in (old, new) if text])
        if edges_of is None or (paths and all(map(_has_no_effect, paths))):
            yield ChangedValue(*described, dict.fromkeys(wagers, Fraction(0)))
        else:
            yield _with_effects(described, (a, b), paths, edges_of)


def _edges_of_one_family(a: Sheet, wagers: list[str]) -> Callable[[Sheet], Edges]:
    before = {wager: edge_of(a, wager) for wager in wagers}
    return lambda sheet: {wager: edge_of(sheet, wager) - before[wager] for wager in wagers}


def _with_effects(
    described: tuple[str, str, str, str],
    sheets: tuple[Sheet, Sheet],
    paths: list[FieldPath],
    effects_of: Callable[[Sheet], Edges],
) -> ChangedValue:
    """A change with its effect when the first sheet takes only these fields from the second."""
    a, b = sheets
    try:
        field_changes = take_fields(a, b, paths)
        if digest(field_changes) == digest(a):
            return ChangedValue(*described, {}, reason=say("papers.redline.follows"))
        return ChangedValue(*described, effects_of(field_changes), field_changes)
    except SheetInvalid as error:
        why = error.findings[0].message
    except PitbookError as error:
        why = sentence_of(error)
    return ChangedValue(*described, {}, reason=say("papers.redline.not-valid", why=why))


def _offered_wager(a: Sheet, b: Sheet, wager: str, wagers: list[str]) -> ChangedValue:
    """A side wager that one sheet lacks: it is settled on its own, so no other wager changes."""
    values = (
        say("papers.redline.offered", bounds=in_currency(stake_bounds(side.stake), currency))
        if (side := sheet.side.get(wager))
        else say("papers.redline.not-offered")
        for sheet, currency in ((a, a.house.currency), (b, b.house.currency))
    )
    before, after = values
    title = wager_title(a, b, wager)
    return ChangedValue(title, title, before, after, dict.fromkeys(wagers, Fraction(0)))


def _texts_by_key(sheet: Sheet, other: Sheet) -> dict[str, RuleText]:
    """A sheet's rules that have a value: without names, paperwork and wagers of one sheet only.

    "Payouts are not limited" is compared with the first limit of the other sheet.
    """
    texts = {text.key: text for text in rule_texts(sheet) if _is_value(text, sheet, other)}
    if "uncapped" in texts and other.limits:
        texts["limits[0]"] = texts.pop("uncapped")
    return texts


def _is_value(text: RuleText, sheet: Sheet, other: Sheet) -> bool:
    if not text.paths or not text.paths[0]:
        return False
    first, *rest = text.paths[0]
    if first == "house":
        return rest[0] == "chips"
    if first == "side" and not (rest[0] in sheet.side and rest[0] in other.side):
        return False
    return first not in (*PAPER_FIELDS, *UNLISTED) and text.paths[0][-1] not in ("id", "title")


def _describe(
    old: RuleText | None, new: RuleText | None, sheets: tuple[Sheet, Sheet]
) -> tuple[str, str, str, str]:
    """The name of a rule, its subject, and what both sheets say of it.

    A long subject, or one that changes, is part of the values.
    """
    text = new or old
    assert text is not None
    alike = old is None or new is None or old.subject == new.subject
    fields = {"heading": text.heading, "label": text.label or ""}
    name = say("papers.redline.rule-name", **fields, labeled=bool(text.label))
    brief = alike and len(text.subject) <= SUBJECT_MAX and not text.subject.endswith(",")
    label = capital(text.subject) if brief else name
    before, after = (
        say("papers.redline.no-rule")
        if rule_text is None
        else in_currency(
            rule_text.says if brief else capital(rule_text.sentence), sheet.house.currency
        )
        for rule_text, sheet in zip((old, new), sheets, strict=True)
    )
    return name if text.label else label, label, before, after


def _fields_of(a: Sheet, b: Sheet, key: str, texts: list[RuleText]) -> list[FieldPath]:
    """The fields that a rule's text is made from; one limit of several by its number.

    If only one sheet has limits, the first of them stands for all.
    """
    if key.startswith("limits["):
        number = int(key.removeprefix("limits[").removesuffix("]"))
        if a.limits and b.limits:
            return [("limits", number)]
        return [] if number else [("limits",), ("uncapped",)]
    paths = [path for text in texts for path in text.paths]
    return [*dict.fromkeys(path[:-1] if path[-1] == "clause" else path for path in paths)]


def _has_no_effect(path: FieldPath) -> bool:
    return any(path[: len(field)] == field for field in FIELDS_WITHOUT_EFFECT)


def _effects_under_limits(
    a: Sheet, b: Sheet, wagers: list[str], others: list[ChangedValue]
) -> Iterator[Block]:
    """The effect of each change at the largest wagers that both sheets accept, with all limits."""
    if not (a.limits or b.limits):
        return
    largest = {wager: _largest_common_stake(a, b, wager) for wager in wagers}
    stakes = {wager: stake for wager, stake in largest.items() if stake is not None}
    if "main" not in stakes:
        yield Paragraph(say("papers.redline.no-common-amount"), "no common amount", kind="remark")
        return

    def edges(sheet: Sheet) -> Edges:
        return {wager: _edge_at(sheet, wager, stake) for wager, stake in stakes.items()}

    try:
        before, after = edges(a), edges(b)
        rows = [*_rows_under_limits(a, b, others, before, edges)]
    except (PitbookError, SheetError):  # Too large to compute again with limits.
        yield Paragraph(say("papers.redline.limits-too-large"), "limits too large", kind="remark")
        return
    totals = tuple(after[wager] - before[wager] for wager in stakes)
    sums = tuple(sum((row[1][wager] for row in rows), Fraction(0)) for wager in stakes)
    rests = (total - part for total, part in zip(totals, sums, strict=True))
    printed = [(label, *map(points, effects.values())) for label, effects in rows]
    printed.append((say("papers.redline.rest"), *map(points, rests)))
    printed.append((say("papers.redline.whole"), *map(points, totals)))
    head = (
        *redline_heads("what"),
        *(
            say(
                "papers.redline.at-amount",
                wager=wager_title(a, b, wager),
                amount=_amount(a, b, stake),
            )
            for wager, stake in stakes.items()
        ),
    )
    title = say("papers.redline.values-limited")
    align = "l" + "r" * len(stakes)
    strong = (len(printed) - 1,)
    yield Table(title, head, tuple(printed), align, "values under limits", strong=strong)


def _rows_under_limits(
    a: Sheet,
    b: Sheet,
    others: list[ChangedValue],
    before: Edges,
    edges: Callable[[Sheet], Edges],
) -> Iterator[tuple[str, Edges]]:
    """Each changed pay table, and each other change that has an effect or is a limit."""
    for wager in before:
        if pays_of(a, wager) != pays_of(b, wager):
            new_edges = edges(with_pays(a, wager, pays_of(b, wager)))
            label = say("papers.redline.pay-table", wager=wager_title(a, b, wager))
            yield label, {name: new_edges[name] - before[name] for name in before}
    for change in others:
        if change.sheet is None:
            continue
        new_edges = edges(change.sheet)
        effects = {wager: new_edges[wager] - before[wager] for wager in before}
        if any(effects.values()) or change.sheet.limits != a.limits:
            yield change.name, effects


def _edge_at(sheet: Sheet, wager: str, stake: Cents) -> Fraction:
    if wager == "main":
        return edge_of(sheet, wager, stake)
    return side_figures(sheet, wager, stake).house_edge


def _largest_common_stake(a: Sheet, b: Sheet, wager: str) -> Cents | None:
    """The largest amount that both sheets accept, or None."""
    stakes = [sheet.main_wager if wager == "main" else sheet.side[wager].stake for sheet in (a, b)]
    least, most = max(stake.min for stake in stakes), min(stake.max for stake in stakes)
    amounts = range(most, least - 1, -1 * min(stake.step for stake in stakes))
    return next(
        (Cents(amount) for amount in amounts if all(_accepts(stake, amount) for stake in stakes)),
        None,
    )


def edges_under_limits(a: Sheet, b: Sheet) -> Iterator[Block]:
    """The edge under limits at each ante that both sheets allow, if it changed."""
    before, after = _by_ante(a, b), _by_ante(b, a)
    antes = [ante for ante in before if ante in after]
    if a.limits == b.limits or all(before[ante] == after[ante] for ante in antes):
        return
    rows = tuple(
        (
            _amount(a, b, ante),
            percent(before[ante]),
            percent(after[ante]),
            points(after[ante] - before[ante]),
        )
        for ante in antes
    )
    head = (b.main_wager.title, *redline_heads("before", "after", "change"))
    yield Table(say("papers.redline.limited"), head, rows, "lrrr", "limited")


def _amount(a: Sheet, b: Sheet, amount: Cents) -> Sentence:
    """An ante; in both currencies if the sheets differ."""
    text = say("papers.money", amount=amount)
    currencies = [sheet.house.currency for sheet in (a, b)]
    before, after = (in_currency(text, currency) for currency in currencies)
    if before == after:
        return text
    return say("papers.redline.two-currencies", a=before, b=after)


def _by_ante(sheet: Sheet, other: Sheet) -> dict[Cents, Fraction]:
    """The edge by ante; a sheet without limits has one edge, listed at the other sheet's antes."""
    figures, stake = report_figures(sheet), sheet.main_wager
    if sheet.limits:
        return {row.ante: row.edge for row in figures.by_ante}
    antes = (row.ante for row in report_figures(other).by_ante)
    return {ante: -figures.expected for ante in antes if _accepts(stake, ante)}


def _accepts(stake: Stake, amount: int) -> bool:
    return stake.min <= amount <= stake.max and not amount % stake.step


def redline_heads(*columns: str) -> tuple[Sentence, ...]:
    """The heads of a redline's columns."""
    return tuple(say("papers.redline.head", column=column) for column in columns)


def wager_title(a: Sheet, b: Sheet, wager: str) -> str:
    """A wager's title in a redline."""
    if wager == "main":
        return say("papers.report.main")
    return (a if wager in a.side else b).side[wager].title


def pay_or_loss(pay: Odds | Push | None, sheet: Sheet, wager: str) -> str:
    """What a line pays, or that an unlisted hand loses or is not in the pay table."""
    if pay is None and wager == "main" and not sheet.unlisted_loses:
        return say("papers.redline.no-line")
    if pay is None:
        return say("words.loses")
    return pay_text(pay)
