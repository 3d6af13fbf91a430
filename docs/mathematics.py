"""mathematics.md: the prose is written by hand, the tables between the marks are calculated."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path

from docs import markdown
from docs.examples import blocks

from pitbook.exact.compare import compare_wagers, edge_of
from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.exact.outcome_figures import Figures
from pitbook.exact.rule_files import Rules
from pitbook.exact.sheet_figures import prose_edge_change, wager_figures, whole_round
from pitbook.exact.strategies import follow, rule_figures, simpler_strategies
from pitbook.hands.ranking import classes
from pitbook.money import Cents, Odds, dollar_text
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet
from pitbook.sheets.phrases import outcome

FILE = Path(__file__).with_name("mathematics.md")
MARKED = re.compile(r"(<!-- made: (?P<name>[a-z]+) -->\n).*?(<!-- end -->)", re.DOTALL)
DAY = date(2026, 1, 1)

CMS, OMS = "catfish-bend/mississippi-stud", "oceanfront/mississippi-stud"
MHL = "catfish-bend/matchem-hi-lo"
SHEETS = (CMS, OMS, MHL, "louisiana-stud/standard", "louisiana-stud/stax-required")
MAIN_STAKE, SIDE_STAKE = Cents(1000), Cents(500)
STAKES = tuple(Cents(100 * dollars_) for dollars_ in (2, 3, 4, 5, 10, 25, 50, 100, 250, 500))

Row = Iterable[object]


def mathematics() -> str:
    """The text of mathematics.md with current tables."""
    text = FILE.read_text(encoding="utf-8")
    return MARKED.sub(lambda match: f"{match[1]}{TABLES[match['name']]()}\n{match[3]}", text)


def _classes_table() -> str:
    rows = ((size, f"{len(classes(size)):,}") for size in range(1, 6))
    return _table(("cards", "classes"), rows)


def _ties_table() -> str:
    names = {"smallest-bet": "smallest bet (GEN-16)", "largest-bet": "largest bet", "fold": "fold"}
    rows = []
    for ties, name in names.items():
        figures = wager_figures(_with_ties(ties), "main")
        rows.append((name, *_spread_cells(figures)))
    return _table(("a tie goes to the", "house edge", *SPREAD), rows)


SPREAD = ("average wager", "element of risk", "standard deviation")


def _spread_cells(figures: Figures) -> tuple[str, ...]:
    return (
        _percent(figures.house_edge),
        f"{float(figures.average_wager):.6f}",
        _percent(figures.element_of_risk),
        f"{figures.standard_deviation:.6f}",
    )


def _with_ties(ties: str) -> Sheet:
    sheet = _sheet(CMS)
    choice = sheet.best_play.ties.model_copy(update={"value": ties})
    best_play = sheet.best_play.model_copy(update={"ties": choice})
    return sheet.model_copy(update={"best_play": best_play})


def _rounds_table() -> str:
    head = ("sheet", "side wagers", "house edge", "standard deviation", "if independent")
    return _table(head, (_round_row(_sheet(name)) for name in SHEETS if _sheet(name).side))


def _round_row(sheet: Sheet) -> Row:
    side = dict.fromkeys(sheet.side, SIDE_STAKE)
    combined = whole_round(sheet, MAIN_STAKE, side)
    separate_variance = wager_figures(sheet, "main", MAIN_STAKE).variance
    share = Fraction(SIDE_STAKE, MAIN_STAKE)
    for wager in side:
        separate_variance += wager_figures(sheet, wager, MAIN_STAKE, SIDE_STAKE).variance * share**2
    titles = ", ".join(wager.title for wager in sheet.side.values())
    edge, deviation = combined.house_edge, combined.standard_deviation
    return (
        f"`{sheet.id}`",
        titles,
        _percent(edge),
        f"{deviation:.4f}",
        f"{float(separate_variance) ** 0.5:.4f}",
    )


def _strategies_table() -> str:
    head = ("sheet", "strategy", "cost a round, in units", "house edge")
    cms = _sheet(CMS)
    edge = rule_figures(cms, Rules.model_validate(tomllib.loads(rule_file()))).house_edge
    cost = f"{float(edge - edge_of(cms, 'main')):.6f}"
    rules = (f"`{CMS}`", "`points.toml` above", cost, _percent(edge))
    return _table(head, [rules, *(row for name in (CMS, MHL) for row in _cost_rows(_sheet(name)))])


def rule_file() -> str:
    """The rule file shown in the document."""
    (block,) = (block for block in blocks(FILE.read_text(encoding="utf-8")) if block.kind == "toml")
    return block.body


def _cost_rows(sheet: Sheet) -> Iterator[Row]:
    best = follow(sheet).expected
    for name, cost in simpler_strategies(sheet):
        yield f"`{sheet.id}`", f"`{name}`", f"{float(cost):.6f}", _percent(cost - best)


def _compare_table() -> str:
    a, b = _sheet(CMS), _sheet(OMS)
    main = compare_wagers(a, b)[0]
    assert main.difference is not None
    rows: list[Row] = [
        (
            outcome(line.line),
            *("loses" if pay is None else str(pay) for pay in (line.a, line.b)),
            _percent(line.probability),
            _points(line.edge),
        )
        for line in main.lines
    ]
    totals = {"the rest, together": main.interaction, "difference": main.difference}
    rows += [(name, "", "", "", _points(worth)) for name, worth in totals.items()]
    return _table(("hand", f"`{CMS}`", f"`{OMS}`", "how often", "B's pay in A"), rows)


def _figures_table() -> str:
    head = ("sheet", "wager", "house edge", "expected value", *SPREAD, "volatility index")
    return _table(head, (_figure_row(sheet, wager) for sheet, wager in _wagers()))


def _figure_row(sheet: Sheet, wager: str) -> Row:
    figures = wager_figures(sheet, wager)
    edge, *spread = _spread_cells(figures)
    exact = f"`{figures.expected}`"
    return (
        _sheet_cell(sheet, wager),
        wager,
        edge,
        exact,
        *spread,
        f"{figures.volatility_index():.4f}",
    )


def _shares_table() -> str:
    head = ("sheet", "wager", "win", "push", "lose", "folds, street by street")
    return _table(head, (_share_row(sheet, wager) for sheet, wager in _wagers()))


def _share_row(sheet: Sheet, wager: str) -> Row:
    figures = wager_figures(sheet, wager)
    shares = [_percent(figures.share(result)) for result in ("win", "push", "lose")]
    strategy = follow(sheet) if wager == "main" else None
    folds = ""
    if isinstance(strategy, LadderStrategy):
        folds = ", ".join(_percent(rate) for rate in strategy.fold_rates.values())
    return _sheet_cell(sheet, wager), wager, *shares, folds


def _sheet_cell(sheet: Sheet, wager: str) -> str:
    return f"`{sheet.id}`" if wager == "main" else ""


def _wagers() -> Iterator[tuple[Sheet, str]]:
    for name in SHEETS:
        for wager in ("main", *_sheet(name).side):
            yield _sheet(name), wager


def _caps_table() -> str:
    capped = [_sheet(name) for name in SHEETS if _sheet(name).limits]
    head = ("stake", *(f"`{sheet.id}`" for sheet in capped))
    rows = ((dollar_text(stake), *(_edge_at(sheet, stake) for sheet in capped)) for stake in STAKES)
    return _table(
        head, [*rows, ("no caps", *(_percent(edge_of(sheet, "main")) for sheet in capped))]
    )


def _edge_at(sheet: Sheet, stake: Cents) -> str:
    rule = sheet.main_wager
    if not rule.min <= stake <= rule.max:
        return ""
    return _percent(edge_of(sheet, "main", stake))


def _prose_table() -> str:
    sheet = _sheet(OMS)
    worth, edge = prose_edge_change(sheet), edge_of(sheet, "main")
    assert worth is not None
    rows = (
        ("pay table: a pair of sixes pushes", _percent(edge)),
        ("prose: it loses", _percent(edge + worth)),
        ("difference", _points(worth)),
    )
    return _table(("by the", "house edge"), rows)


def _published_table() -> str:
    main, bonus = wager_figures(_sheet(CMS), "main"), wager_figures(_sheet(CMS), "three-card-bonus")
    straight = edge_of(_with_straight(5), "main")
    risk = f"{float(main.average_wager):.2f} antes, {_percent(main.element_of_risk, 2)}"
    jacobson, grochowski = "E. Jacobson, 888casino blog", "J. Grochowski, Casino City Times"
    rows = (
        ("Mississippi Stud, house edge", "4.9149%", _percent(main.house_edge), jacobson),
        ("same, straight at 5 to 1", "3.7591%", _percent(straight), jacobson),
        ("average wager, element of risk", "3.59 antes, 1.37%", risk, grochowski),
        ("three cards, 40/30/6/3/1", "7.2760%", _percent(bonus.house_edge), grochowski),
    )
    return _table(("figure", "published", "Pitbook", "source"), rows)


def _with_straight(to: int) -> StreetStud:
    sheet = _sheet(CMS)
    assert isinstance(sheet, StreetStud)
    pays = {**sheet.main.pays, "straight": Odds(to)}
    return sheet.model_copy(update={"main": sheet.main.model_copy(update={"pays": pays})})


TABLES = {
    "classes": _classes_table,
    "ties": _ties_table,
    "rounds": _rounds_table,
    "strategies": _strategies_table,
    "compare": _compare_table,
    "figures": _figures_table,
    "shares": _shares_table,
    "caps": _caps_table,
    "prose": _prose_table,
    "published": _published_table,
}


def _sheet(name: str) -> Sheet:
    return Library().load(name, DAY)


def _table(head: Row, rows: Iterable[Row]) -> str:
    columns = list(head)
    lines = [markdown.row(*columns), markdown.rule(len(columns))]
    return "\n".join([*lines, *(markdown.row(*row) for row in rows)])


def _percent(fraction: Fraction, digits: int = 4) -> str:
    return f"{float(fraction) * 100:.{digits}f}%"


def _points(fraction: Fraction) -> str:
    return f"{float(fraction) * 100:+.4f} points"
