"""The mathematical report: outcomes and figures of every wager, best play, limits, simulation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from math import sqrt
from typing import Any

from pitbook.cards import RANKS
from pitbook.exact.sheet_figures import OutcomeRow, WagerFigures
from pitbook.hands.kinds import RANK_NAMES
from pitbook.money import Odds
from pitbook.printing.content import Block, Paper, Paragraph, Section, Square, SquareGrid, Table
from pitbook.printing.numbers import count, decimal, odds_against, percent, points
from pitbook.printing.page_texts import identity
from pitbook.printing.pay_tables import pay_tables_of, pay_text
from pitbook.printing.report_figures import (
    SUITED,
    ReportFigures,
    StartingHand,
    StepCallback,
    report_figures,
)
from pitbook.printing.report_simulation import SeatEdge
from pitbook.printing.rules import subtitle
from pitbook.printing.strategy_blocks import hand_text, play_title, report_blocks
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.assumptions import assumed_of_rule, assumed_pays, mark_assumption
from pitbook.sheets.model import Sheet, Stake
from pitbook.sheets.pay_tables import pays_of
from pitbook.sheets.phrases import figures_shoe_note, outcome
from pitbook.sheets.prose import rule_texts
from pitbook.sheets.provenance import OursShare, pays_share
from pitbook.text import Sentence, capital, say

HAND_COLUMNS = 3  # In lists of starting hands.
JOINED = " + "  # Between the outcomes of several wagers.


@dataclass(frozen=True)
class OutcomeRounds:
    """Rounds that end with one outcome."""

    outcome: str
    title: str
    count: int
    probability: Fraction
    contribution: Fraction  # Their contribution to the expected value.
    pays: bool  # Whether a wager wins by the line of its hand, even if others lose.

    @property
    def average(self) -> Fraction:
        """The average net result of such a round."""
        return self.contribution / self.probability if self.probability else Fraction(0)


def outcome_rounds(outcomes: Sequence[OutcomeRow], *, against: bool) -> list[OutcomeRounds]:
    """The outcomes of a wager in the order of its figures, each listed once.

    With `against`, an outcome that no line pays is listed as a win of the dealer.
    """
    rows_by_key: dict[str, list[OutcomeRow]] = {}
    for row in outcomes:
        rows_by_key.setdefault(_key(row), []).append(row)
    return [_group(key, rows, against=against) for key, rows in rows_by_key.items()]


def _key(row: OutcomeRow) -> str:
    """A hand that wins and the same hand that loses are two outcomes."""
    return f"{row.outcome}|{row.result}"


def _outcome_name(name: str, *, against: bool) -> str:
    return say("papers.report.dealer-wins") if against and name == "nothing" else outcome(name)


def _group(key: str, rows: list[OutcomeRow], *, against: bool) -> OutcomeRounds:
    name, _, result = key.partition("|")
    hands = tuple(_outcome_name(hand, against=against) for hand in name.split(JOINED))
    fields = {"hands": hands, "result": result}
    return OutcomeRounds(
        name,
        capital(say("papers.report.outcome", **fields)),
        sum(row.count for row in rows),
        sum((row.probability for row in rows), Fraction(0)),
        sum((row.contribution for row in rows), Fraction(0)),
        result != "lose" or any(_pays(row, name) for row in rows),
    )


def _pays(row: OutcomeRow, name: str) -> bool:
    """Whether a wager is not lost with a hand in the outcome's name."""
    unlost = {wager.outcome for wager in row.wagers if wager.result != "lose"}
    return bool(unlost & {*name.split(JOINED)})


LEVELS = (("95", 1.959964), ("99", 2.575829))


def wager_title(game: Game, wager: str) -> str:
    """A wager's title in a report."""
    return say("papers.report.main") if wager == "main" else game.wager_title(wager)


def heads(*columns: str) -> tuple[Sentence, ...]:
    return tuple(say("papers.report.head", column=column) for column in columns)


def strategy_costs(figures: ReportFigures) -> Iterator[Block]:
    """What every simpler strategy costs."""
    best = figures.expected
    rows = [
        (_strategy(name), decimal(cost), percent(cost - best))
        for name, cost in figures.simpler.items()
    ]
    if rows:
        rows.insert(0, (_strategy("best"), decimal(0), percent(-best)))
        head = heads("strategy", "cost", "advantage")
        name, about = say("papers.report.costs"), say("papers.report.costs-about")
        yield Table(name, head, tuple(rows), "lrr", "simple", about=about)


def _strategy(name: str) -> str:
    """A strategy's name in words: "never-3x" is best play without 3x."""
    strategy_kind, _, play = name.partition("-")
    return capital(
        say("papers.report.strategy", how=strategy_kind, play=play_title(play) if play else "")
    )


def edge_by_ante(sheet: Sheet, figures: ReportFigures) -> Iterator[Block]:
    """The edge at several antes with all payout limits."""
    rows = tuple(
        (say("papers.money", amount=row.ante), percent(row.edge)) for row in figures.by_ante
    )
    if len({row.edge for row in figures.by_ante}) == 1:
        fields = {"unit": sheet.main_wager.title, "edge": rows[0][1]}
        yield Paragraph(say("papers.report.untouched", **fields), "by ante")
    elif rows:
        head = (sheet.main_wager.title, *heads("advantage"))
        name, about = say("papers.report.by-ante"), say("papers.report.by-ante-about")
        yield Table(name, head, rows, "rr", "by ante", about=about)


def limits_apply(figures: ReportFigures) -> bool:
    """Whether payout limits change the main game's edge at a listed ante."""
    return any(row.edge != -figures.expected for row in figures.by_ante)


def player_advantage_note(figures: ReportFigures) -> Iterator[Block]:
    """An explanation of negative figures, if there are any."""
    if any(wager.expected > 0 for wager in figures.wagers.values()):
        yield Paragraph(say("papers.report.players"), "players", kind="remark")


def seat_effects(game: Game, figures: ReportFigures) -> Iterator[Block]:
    """How other seats change the edge through shared limits, or why they do not."""
    seat_rows = figures.by_seats
    if seat_rows:
        yield _by_seats(game, seat_rows)
    decides = any(len(stage.plays) > 1 for stage in game.stages)
    fields = {"capped": bool(seat_rows), "open": game.places[0].open and decides}
    yield Paragraph(say("papers.report.seats", **fields), "seats")
    most = game.sheet.seats.per_player.value
    if most > 1 and decides:
        yield Paragraph(say("papers.report.several", most=most), "several seats")


def _by_seats(game: Game, seats: Sequence[SeatEdge]) -> Table:
    rows = tuple(
        (
            str(row.seats),
            percent(row.edge),
            say("papers.report.exactly") if row.error is None else _half_width(row.error),
        )
        for row in seats
    )
    rounds, seed = next(((row.rounds, row.seed) for row in seats if row.rounds), (0, 0))
    fields = {"rounds": rounds, "seed": seed, "ante": seats[0].ante}
    about = say(
        "papers.report.played",
        **fields,
        unit=game.sheet.main_wager.title,
        exact=seats[0].exact is not None,
    )
    name = say("papers.report.by-seats")
    head = heads("seats", "advantage", "interval")
    return Table(name, head, rows, "rrr", "by seats", about=about)


def _half_width(error: float) -> str:
    return f"± {percent(LEVELS[0][1] * error)}"


def deck_table(game: Game, figures: ReportFigures) -> Iterator[Block]:
    """The edge of every wager with other numbers of decks."""
    if not figures.by_decks:
        return
    wagers = list(figures.wagers)
    rows = tuple(
        (str(row.decks), *(percent(row.edges[name]) for name in wagers)) for row in figures.by_decks
    )
    position = [row.decks for row in figures.by_decks].index(game.sheet.deck.decks)
    head, align = (
        (*heads("decks"), *(wager_title(game, name) for name in wagers)),
        "r" * len(wagers),
    )
    title = say("papers.report.by-decks")
    yield Table(title, head, rows, "r" + align, "by decks", strong=(position,))


def sensitivity_tables(game: Game, figures: ReportFigures) -> Iterator[Block]:
    """The effect of one to one more on each line, with best play recomputed."""
    for wager, changes in figures.sensitivity.items():
        pays = pays_of(game.sheet, wager)
        rows = tuple(
            (
                capital(outcome(line)),
                mark_assumption(_line_pay(pays[line]), _line_share(game.sheet, wager, line)),
                points(change),
            )
            for line, change in changes.items()
        )
        if rows:
            head = heads("hand", "pays", "one-more")
            title, about = wager_title(game, wager), say("papers.report.sensitivity-about")
            key, assumed = f"sensitivity {wager}", _table_share(game.sheet, wager)
            yield Table(title, head, rows, "lrr", key, about=about, assumed=assumed)


def _table_share(sheet: Sheet, wager: str) -> OursShare:
    """The mark of a wager's table: "all" if its whole pay table is our assumption."""
    return "all" if assumed_pays(sheet, wager) == "all" else "none"


def _line_share(sheet: Sheet, wager: str, line: str) -> OursShare:
    """The mark of one line, where only some lines of the pay table are our assumption."""
    if assumed_pays(sheet, wager) != "part":
        return "none"
    return pays_share(sheet.main if wager == "main" else sheet.side[wager], line)


def _line_pay(pay: Any) -> str:
    assert isinstance(pay, Odds)
    return pay_text(pay)


BOUNDS = tuple(10**power for power in range(3, 8))
FIGURES = (
    *("expected", "edge", "risk", "average", "deviation"),
    *("variance", "skewness", "volatility", "hit", "push", "lose", "rounds"),
)


def report(sheet: Sheet, on_step: StepCallback = lambda _: None) -> Paper:
    """The report on every wager of a sheet."""
    game, figures = compile_game(sheet), report_figures(sheet, on_step)
    sections = [
        _section("summary", _summary(game, figures)),
        *(_wager(game, figures, wager) for wager in figures.wagers),
        _section("strategy", report_blocks(sheet, figures.strategy, figures.card)),
        _section("hands", _starting_hands(game, figures)),
        _section("simple", strategy_costs(figures)),
        _section("under-caps", edge_by_ante(sheet, figures)),
        _section("seats", seat_effects(game, figures)),
        _section("decks", deck_table(game, figures)),
        _section("sensitivity", sensitivity_tables(game, figures)),
        _section("bounds", _bounds(game, figures)),
        _section("confirmed", _simulation_blocks(game, figures)),
        _section("method", _method(sheet)),
    ]
    filled = tuple(section for section in sections if section.blocks)
    return Paper(
        "report", say("papers.report.title"), subtitle(game), identity(sheet, "report"), filled
    )


def _section(key: str, blocks: Iterator[Block]) -> Section:
    return Section(say("papers.report.section", part=key), tuple(blocks), key)


def _summary(game: Game, figures: ReportFigures) -> Iterator[Block]:
    rows = []
    for wager, stats in figures.wagers.items():
        percents = (percent(stats.house_edge), percent(stats.element_of_risk))
        spread = decimal(stats.standard_deviation, 4)
        title = mark_assumption(wager_title(game, wager), assumed_pays(game.sheet, wager))
        rows.append((title, str(stats.house_edge), *percents, spread, percent(stats.win)))
    head = heads("wager", "fraction", "advantage", "risk", "deviation", "hit")
    about = say("papers.report.summary-about", capped=limits_apply(figures))
    title = say("papers.report.summary")
    yield Table(title, head, tuple(rows), "llrrrr", "summary", about=about)
    yield from player_advantage_note(figures)


def _wager(game: Game, figures: ReportFigures, wager: str) -> Section:
    stats = figures.wagers[wager]
    blocks = (_outcomes(game, stats, wager), _figures(game, figures, wager))
    fields = {"main": wager == "main", "title": wager_title(game, wager)}
    return Section(say("papers.report.wager", **fields), blocks, f"wager {wager}")


def _outcomes(game: Game, stats: WagerFigures, wager: str) -> Table:
    """Hand, combinations, probability, true odds, payout and return."""
    rows = [
        (
            group.title,
            count(group.count),
            decimal(group.probability, 8),
            odds_against(group.probability),
            _outcome_pay(game.sheet, wager, group.outcome) if group.pays else "",
            decimal(group.average, 4),
            decimal(group.contribution),
        )
        for group in outcome_rounds(
            stats.outcomes, against=_against_a_dealer(game) and wager == "main"
        )
    ]
    expected_text = decimal(stats.expected)
    rows.append(
        (say("papers.report.whole"), count(stats.rounds), decimal(1, 8), "", "", "", expected_text)
    )
    head = heads("hand", "ways", "probability", "true-odds", "pays", "average", "return")
    name, about, last = (
        say("papers.report.outcomes"),
        _main_pay_table_note(game, wager),
        len(rows) - 1,
    )
    key, assumed = f"outcomes {wager}", _table_share(game.sheet, wager)
    return Table(
        name, head, tuple(rows), "lrrrrrr", key, about=about, strong=(last,), assumed=assumed
    )


def _against_a_dealer(game: Game) -> bool:
    return any(place.id == "dealer" for place in game.places)


def _main_pay_table_note(game: Game, wager: str) -> str:
    """Says whose pay table the main game shows, if it has several wagers."""
    has_settling_rule = any(
        rule_text.key.endswith(".settles") for rule_text in rule_texts(game.sheet)
    )
    if wager != "main" or not has_settling_rule:
        return ""
    return say("papers.report.outcomes-about", title=pay_tables_of(game.sheet).tables[0].title)


def _outcome_pay(sheet: Sheet, wager: str, outcome: str) -> str:
    """What an outcome's line pays, even if the outcome combines several wagers."""
    pays = pays_of(sheet, wager)
    line = next((name for name in outcome.split(JOINED) if name in pays), None)
    if line is None:
        return ""
    return mark_assumption(pay_text(pays[line]), _line_share(sheet, wager, line))


def _figures(game: Game, figures: ReportFigures, wager: str) -> Table:
    stats = figures.wagers[wager]
    values = {
        "expected": str(stats.expected),
        "edge": percent(stats.house_edge),
        "risk": percent(stats.element_of_risk),
        "average": _average(stats.average_wager),
        "deviation": decimal(stats.standard_deviation),
        "variance": decimal(stats.variance, 6),
        "skewness": decimal(figures.skewness[wager], 4),
        "volatility": decimal(stats.volatility_index, 4),
        "hit": percent(stats.hit_frequency),
        "push": percent(stats.push),
        "lose": percent(stats.lose),
        "rounds": count(stats.rounds),
    }
    rows = tuple((say("papers.report.figure", figure=name), values[name]) for name in FIGURES)
    title = say("papers.report.figures", unit=_unit_wager(game, wager))
    return Table(title, ("", ""), rows, "lr", f"figures {wager}")


def _unit_wager(game: Game, wager: str) -> str:
    """The wager that is the unit of the figures."""
    return game.sheet.main_wager.title if wager == "main" else wager_title(game, wager)


def _average(wagered: Fraction) -> str:
    if wagered.denominator == 1:
        return str(wagered)
    return f"{wagered} = {decimal(wagered, 4)}"


def _bounds(game: Game, figures: ReportFigures) -> Iterator[Block]:
    for wager, stats in figures.wagers.items():
        edge, spread = stats.house_edge, stats.standard_deviation
        rows = tuple(
            (count(rounds), *(_edge_interval(edge, z * spread / sqrt(rounds)) for _, z in LEVELS))
            for rounds in BOUNDS
        )
        levels = tuple(say("papers.report.level", level=level) for level, _ in LEVELS)
        head = (*heads("rounds"), *levels)
        yield Table(wager_title(game, wager), head, rows, "lrr", f"bounds {wager}")


def _edge_interval(edge: Fraction, half: float) -> Sentence:
    return say("papers.report.between", low=percent(edge - half), high=percent(edge + half))


def _simulation_blocks(game: Game, figures: ReportFigures) -> Iterator[Block]:
    """The simulation: each wager next to its exact figure, and the overall verdict."""
    run = figures.confirmed
    stakes = {"main": run.ante, **run.side}
    fields = {"rounds": run.rounds, "seed": run.seed, "wagers": len(stakes)}
    yield Paragraph(say("papers.report.confirmed", **fields), "confirmed")
    rows = tuple(
        (
            wager_title(game, wager),
            mark_assumption(
                say("papers.money", amount=stakes[wager]),
                assumed_of_rule(_stake(game.sheet, wager), "min"),
            ),
            percent(simulated.exact),
            percent(simulated.edge),
            _half_width(simulated.error),
            decimal(simulated.strays, 2),
        )
        for wager, simulated in run.wagers.items()
    )
    head = heads("wager", "stake", "exact", "simulated", "interval", "strays")
    about = say("papers.report.confirmation-about")
    name = say("papers.report.confirmation")
    yield Table(name, head, rows, "lrrrrr", "confirmation", about=about)
    verdict = say("papers.report.verdict", agrees=run.agrees, comparisons=run.comparisons)
    yield Paragraph(verdict, "verdict")


def _stake(sheet: Sheet, wager: str) -> Stake:
    return sheet.main_wager if wager == "main" else sheet.side[wager].stake


def _starting_hands(game: Game, figures: ReportFigures) -> Iterator[Block]:
    """The value of every starting hand: a grid for two cards, otherwise a list."""
    values = figures.hands
    unit = game.sheet.main_wager.title
    if values is None:
        yield Paragraph(say("papers.report.no-hand-values"), "starting hands none")
        return
    fields = {"unit": unit, "count": len(values.hands), "deals": values.deals}
    about = say("papers.report.hand-values-about", **fields)
    title = say("papers.report.hand-values")
    by_name = {hand.cards: (hand.play, hand.value) for hand in values.hands}
    if len(by_name) == len(RANKS) ** 2:
        yield _hand_grid(title, about, by_name, _tones(figures.strategy[0]))
    else:
        yield from _hand_lists(title, about, values.hands)
    yield Paragraph(
        say("papers.report.hand-mean", mean=decimal(values.mean), unit=unit), "hand mean"
    )


def _tones(part: dict[str, Any]) -> dict[str, Any]:
    """The colors of plays, as in the strategy."""
    return {play: tint for _, play, tint in part.get("plays", ())}


def _hand_grid(
    title: str, about: str, by_name: dict[str, tuple[str, Fraction]], tones: dict[str, Any]
) -> SquareGrid:
    """Suited hands above the diagonal, colored by best play."""
    ranks = [*reversed(RANKS)]
    names = dict(zip(RANKS, RANK_NAMES, strict=True))

    def square(row: str, column: str) -> Square:
        high, low = sorted((row, column), key=ranks.index)
        suited = ranks.index(row) < ranks.index(column)
        play, value = by_name[f"{names[high]} {names[low]}" + (SUITED if suited else "")]
        return Square(decimal(value, 4), tones.get(play, "none"))

    rows = tuple((row, tuple(square(row, column) for column in ranks)) for row in ranks)
    legend = say("papers.report.hand-grid")
    return SquareGrid(title, tuple(ranks), rows, legend, "starting hands", about=about)


def _hand_lists(title: str, about: str, hands: Sequence[StartingHand]) -> Iterator[Block]:
    """Lists of hands side by side, each with its deals, best play and value."""
    size = -(-len(hands) // HAND_COLUMNS)
    rows = [
        (hand_text(hand.cards), count(hand.deals), play_title(hand.play), decimal(hand.value, 4))
        for hand in hands
    ]
    columns = [rows[start : start + size] for start in range(0, len(rows), size)]
    lines = tuple(
        tuple(cell for row in line for cell in row)
        for line in zip_longest(*columns, fillvalue=("", "", "", ""))
    )
    head = heads("hand", "deals", "play", "value") * HAND_COLUMNS
    align = "lrlr" * HAND_COLUMNS
    yield Table(title, head, lines, align, "starting hands", about=about)


def _method(sheet: Sheet) -> Iterator[Block]:
    unit = sheet.main_wager.title
    ties = say("papers.report.ties", ties=sheet.best_play.ties.value)
    yield Paragraph(say("papers.report.method.exact"), "method exact")
    yield Paragraph(say("papers.report.method.unit", unit=unit), "method unit")
    for name in ("edge", "risk", "odds", "spread"):
        yield Paragraph(say("papers.report.method.word", word=name), f"method {name}")
    yield Paragraph(say("papers.report.method.ties", ties=ties), "method ties")
    yield Paragraph(say("papers.report.method.sensitivity"), "method sensitivity")
    yield Paragraph(say("papers.report.method.bounds"), "method bounds")
    if shoe := figures_shoe_note(sheet):
        yield Paragraph(shoe, "method shoe")
