"""The mathematical report: every wager's outcomes and figures, best play, limits and simulation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from math import sqrt
from typing import Any

from pitbook.cards import RANKS
from pitbook.hands.kinds import RANK_NAMES
from pitbook.money import Odds, dollars
from pitbook.papers.content import Block, Paper, Paragraph, Section, Square, SquareGrid, Table
from pitbook.papers.figures import SUITED, HearStep, report_figures
from pitbook.papers.identity import identity
from pitbook.papers.numbers import count, decimal, odds_against, percent, points
from pitbook.papers.pay_tables import pay_said, pay_tables_of
from pitbook.papers.plays import hand_said, play_title, report_blocks
from pitbook.papers.rules import about
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import PayTable, pays_of
from pitbook.sheets.prose.rules import rule_texts
from pitbook.sheets.prose.words import figures_shoe_note, outcome
from pitbook.text import Sentence, capital, say

HAND_COLUMNS = 3  # Of lists of starting hands.
JOINED = " + "  # Between the outcomes of several wagers.


@dataclass(frozen=True)
class OutcomeRounds:
    """Rounds that end with one outcome."""

    outcome: str
    title: str
    count: int
    probability: Fraction
    returned: Fraction  # What they add to the expected value.
    paid: bool  # Whether a wager is, by the line of its hand, though others may be lost.

    @property
    def average(self) -> Fraction:
        """What such a round wins or loses on average."""
        return self.returned / self.probability if self.probability else Fraction(0)


def grouped(figures: dict[str, Any], *, against: bool) -> list[OutcomeRounds]:
    """The outcomes of a wager in the order of its figures, each once.

    Where hands play `against` a dealer's, one that no line of the table pays has lost to it.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for row in figures["outcomes"]:
        found.setdefault(_key(row), []).append(row)
    return [_group(key, rows, against=against) for key, rows in found.items()]


def _key(row: dict[str, Any]) -> str:
    """A hand that wins and the same hand that loses are two outcomes."""
    return f"{row['outcome']}|{row['result']}"


def _told(one: str, *, against: bool) -> str:
    return say("papers.report.dealer-wins") if against and one == "nothing" else outcome(one)


def _group(key: str, rows: list[dict[str, Any]], *, against: bool) -> OutcomeRounds:
    name, _, result = key.partition("|")
    hands = tuple(_told(one, against=against) for one in name.split(JOINED))
    told = {"hands": hands, "result": result}
    return OutcomeRounds(
        name,
        capital(say("papers.report.outcome", **told)),
        sum(row["count"] for row in rows),
        sum((Fraction(row["probability"]) for row in rows), Fraction(0)),
        sum((Fraction(row["contribution"]) for row in rows), Fraction(0)),
        result != "lose" or any(_pays(row, name) for row in rows),
    )


def _pays(row: dict[str, Any], name: str) -> bool:
    """Whether a wager is not lost for a hand that the outcome is called by."""
    kept = {one["outcome"] for one in row.get("wagers", ()) if one["result"] != "lose"}
    return bool(kept & {*name.split(JOINED)})


LEVELS = (("95", 1.959964), ("99", 2.575829))


def title_of(game: Game, wager: str) -> str:
    """What a wager is called in a report."""
    return say("papers.report.main") if wager == "main" else game.wager_title(wager)


def heads(*columns: str) -> tuple[Sentence, ...]:
    """The heads of a table by the names of its columns."""
    return tuple(say("papers.report.head", column=one) for one in columns)


def simple(figures: dict[str, Any]) -> Iterator[Block]:
    """What every simpler way to play costs."""
    best = Fraction(figures["math"]["wagers"]["main"]["expected"])
    rows = [
        (_strategy(name), decimal(Fraction(cost)), percent(Fraction(cost) - best))
        for name, cost in figures["simpler"].items()
    ]
    if rows:
        rows.insert(0, (_strategy("best"), decimal(0), percent(-best)))
        head = heads("strategy", "cost", "advantage")
        name, about = say("papers.report.costs"), say("papers.report.costs-about")
        yield Table(name, head, tuple(rows), "lrr", "simple", about=about)


def _strategy(name: str) -> str:
    """A strategy's name in words: "never-3x" is best play without 3x."""
    how, _, play = name.partition("-")
    return capital(say("papers.report.strategy", how=how, play=play_title(play) if play else ""))


def by_the_ante(sheet: Sheet, figures: dict[str, Any]) -> Iterator[Block]:
    """The edge at some antes with every cap."""
    rows = tuple(
        (say("papers.money", amount=dollars(one["ante"])), percent(Fraction(one["edge"])))
        for one in figures["by_ante"]
    )
    if len({one["edge"] for one in figures["by_ante"]}) == 1:
        told = {"unit": sheet.main_wager.title, "edge": rows[0][1]}
        yield Paragraph(say("papers.report.untouched", **told), "by ante")
    elif rows:
        head = (sheet.main_wager.title, *heads("advantage"))
        name, about = say("papers.report.by-ante"), say("papers.report.by-ante-about")
        yield Table(name, head, rows, "rr", "by ante", about=about)


def limits_bite(figures: dict[str, Any]) -> bool:
    """Whether limits on payouts change the main game's edge at some amount that is listed."""
    free = -Fraction(figures["math"]["wagers"]["main"]["expected"])
    return any(Fraction(one["edge"]) != free for one in figures["by_ante"])


def players(figures: dict[str, Any]) -> Iterator[Block]:
    """What a figure below zero means, where there is one."""
    if any(Fraction(one["expected"]) > 0 for one in figures["math"]["wagers"].values()):
        yield Paragraph(say("papers.report.players"), "players", kind="remark")


def seats(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    """What other seats change: by caps that are shared; else why they change nothing."""
    found = figures["by_seats"]
    if found:
        yield _by_seats(game, found)
    decides = any(len(stage.plays) > 1 for stage in game.stages)
    told = {"capped": bool(found), "open": game.places[0].open and decides}
    yield Paragraph(say("papers.report.seats", **told), "seats")
    most = game.sheet.seats.per_player.value
    if most > 1 and decides:
        yield Paragraph(say("papers.report.several", most=most), "several seats")


def _by_seats(game: Game, seats: list[dict[str, Any]]) -> Table:
    rows = tuple(
        (
            str(row["seats"]),
            percent(row["edge"]),
            say("papers.report.exactly") if "exact" in row else _half_width(row["error"]),
        )
        for row in seats
    )
    run = next((row for row in seats if "seed" in row), {"rounds": 0, "seed": 0})
    fields = {"rounds": run["rounds"], "seed": run["seed"], "ante": dollars(seats[0]["ante"])}
    about = say(
        "papers.report.played",
        **fields,
        unit=game.sheet.main_wager.title,
        exact="exact" in seats[0],
    )
    name = say("papers.report.by-seats")
    head = heads("seats", "advantage", "interval")
    return Table(name, head, rows, "rrr", "by seats", about=about)


def _half_width(error: float) -> str:
    return f"± {percent(LEVELS[0][1] * error)}"


def decks(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    """The edge of every wager with other numbers of decks."""
    if not figures["by_decks"]:
        return
    wagers = list(figures["math"]["wagers"])
    rows = tuple(
        (str(one["decks"]), *(percent(Fraction(one["edges"][name])) for name in wagers))
        for one in figures["by_decks"]
    )
    own = [one["decks"] for one in figures["by_decks"]].index(game.sheet.deck.decks)
    head, align = (*heads("decks"), *(title_of(game, name) for name in wagers)), "r" * len(wagers)
    title = say("papers.report.by-decks")
    yield Table(title, head, rows, "r" + align, "by decks", strong=(own,))


def lines(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    """What one to one more on each line changes, best play worked out anew."""
    for wager, changes in figures["sensitivity"].items():
        pays = pays_of(game.sheet, wager)
        rows = tuple(
            (capital(outcome(line)), _line_pay(pays[line]), points(Fraction(change)))
            for line, change in changes.items()
        )
        if rows:
            head = heads("hand", "pays", "one-more")
            yield Table(title_of(game, wager), head, rows, "lrr", f"sensitivity {wager}")


def _line_pay(pay: Any) -> str:
    assert isinstance(pay, Odds)
    return pay_said(pay)


BOUNDS = tuple(10**power for power in range(3, 8))
FIGURES = (
    *("expected", "edge", "risk", "average", "deviation"),
    *("variance", "skewness", "volatility", "hit", "push", "lose", "rounds"),
)


def report(sheet: Sheet, told: HearStep = lambda _: None) -> Paper:
    """The report on every wager of a sheet."""
    game, figures = compile_game(sheet), report_figures(sheet, told)
    sections = [
        _section("summary", _summary(game, figures)),
        *(_wager(game, figures, wager) for wager in figures["math"]["wagers"]),
        _section("strategy", report_blocks(sheet, figures["strategy"], figures["card"])),
        _section("hands", _starting_hands(game, figures)),
        _section("simple", simple(figures)),
        _section("under-caps", by_the_ante(sheet, figures)),
        _section("seats", seats(game, figures)),
        _section("decks", decks(game, figures)),
        _section("sensitivity", lines(game, figures)),
        _section("bounds", _bounds(game, figures)),
        _section("confirmed", _confirmed(game, figures)),
        _section("method", _method(sheet)),
    ]
    made = tuple(one for one in sections if one.blocks)
    return Paper("report", say("papers.report.title"), about(game), identity(sheet, "report"), made)


def _section(key: str, blocks: Iterator[Block]) -> Section:
    return Section(say("papers.report.section", part=key), tuple(blocks), key)


def _summary(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    rows = []
    for wager, one in figures["math"]["wagers"].items():
        edge = -Fraction(one["expected"])
        told = (percent(edge), percent(one["element_of_risk"]))
        spread = decimal(one["standard_deviation"], 4)
        rows.append((title_of(game, wager), str(edge), *told, spread, percent(one["win"])))
    head = heads("wager", "fraction", "advantage", "risk", "deviation", "hit")
    about = say("papers.report.summary-about", capped=limits_bite(figures))
    title = say("papers.report.summary")
    yield Table(title, head, tuple(rows), "llrrrr", "summary", about=about)
    yield from players(figures)


def _wager(game: Game, figures: dict[str, Any], wager: str) -> Section:
    one = figures["math"]["wagers"][wager]
    blocks = (_outcomes(game, one, wager), _figures(game, figures, wager))
    told = {"main": wager == "main", "title": title_of(game, wager)}
    return Section(say("papers.report.wager", **told), blocks, f"wager {wager}")


def _outcomes(game: Game, one: dict[str, Any], wager: str) -> Table:
    """Hand, ways, probability, true odds, what it pays, and what that returns."""
    pays = pays_of(game.sheet, wager)
    rows = [
        (
            group.title,
            count(group.count),
            decimal(group.probability, 8),
            odds_against(group.probability),
            _outcome_pay(pays, group.outcome) if group.paid else "",
            decimal(group.average, 4),
            decimal(group.returned),
        )
        for group in grouped(one, against=_against_a_dealer(game) and wager == "main")
    ]
    whole = decimal(Fraction(one["expected"]))
    rows.append(
        (say("papers.report.whole"), count(one["rounds"]), decimal(1, 8), "", "", "", whole)
    )
    head = heads("hand", "ways", "probability", "true-odds", "pays", "average", "return")
    name, about, last = say("papers.report.outcomes"), _about(game, wager), len(rows) - 1
    key = f"outcomes {wager}"
    return Table(name, head, tuple(rows), "lrrrrrr", key, about=about, strong=(last,))


def _against_a_dealer(game: Game) -> bool:
    return any(place.id == "dealer" for place in game.places)


def _about(game: Game, wager: str) -> str:
    """Whose pay table the main game shows where it has other wagers beside it."""
    beside = any(one.key.endswith(".settles") for one in rule_texts(game.sheet))
    if wager != "main" or not beside:
        return ""
    return say("papers.report.outcomes-about", title=pay_tables_of(game.sheet).tables[0].title)


def _outcome_pay(pays: PayTable, outcome: str) -> str:
    """What the line of an outcome pays, where it is one of several wagers' too."""
    lines = [one for one in outcome.split(JOINED) if one in pays]
    return pay_said(pays[lines[0]]) if lines else ""


def _figures(game: Game, figures: dict[str, Any], wager: str) -> Table:
    one = figures["math"]["wagers"][wager]
    expected = Fraction(one["expected"])
    shown = {
        "expected": str(expected),
        "edge": percent(-expected),
        "risk": percent(one["element_of_risk"]),
        "average": _average(Fraction(one["average_wager"])),
        "deviation": decimal(one["standard_deviation"]),
        "variance": decimal(Fraction(one["variance"]), 6),
        "skewness": decimal(figures["skewness"][wager], 4),
        "volatility": decimal(one["volatility_index"], 4),
        "hit": percent(one["hit_frequency"]),
        "push": percent(one["push"]),
        "lose": percent(one["lose"]),
        "rounds": count(one["rounds"]),
    }
    rows = tuple((say("papers.report.figure", figure=name), shown[name]) for name in FIGURES)
    title = say("papers.report.figures", unit=_unit(game, wager))
    return Table(title, ("", ""), rows, "lr", f"figures {wager}")


def _unit(game: Game, wager: str) -> str:
    """The wager that figures are in units of."""
    return game.sheet.main_wager.title if wager == "main" else title_of(game, wager)


def _average(wagered: Fraction) -> str:
    if wagered.denominator == 1:
        return str(wagered)
    return f"{wagered} = {decimal(wagered, 4)}"


def _bounds(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    for wager, one in figures["math"]["wagers"].items():
        edge, spread = -Fraction(one["expected"]), one["standard_deviation"]
        rows = tuple(
            (count(rounds), *(_between(edge, z * spread / sqrt(rounds)) for _, z in LEVELS))
            for rounds in BOUNDS
        )
        levels = tuple(say("papers.report.level", level=level) for level, _ in LEVELS)
        head = (*heads("rounds"), *levels)
        yield Table(title_of(game, wager), head, rows, "lrr", f"bounds {wager}")


def _between(edge: Fraction, half: float) -> Sentence:
    return say("papers.report.between", low=percent(edge - half), high=percent(edge + half))


def _confirmed(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    """The simulation: each wager beside its exact figure, and the verdict over every count."""
    run = figures["confirmed"]
    stakes = {"main": run["ante"], **run["side"]}
    fields = {"rounds": run["rounds"], "seed": run["seed"], "wagers": len(stakes)}
    yield Paragraph(say("papers.report.confirmed", **fields), "confirmed")
    rows = tuple(
        (
            title_of(game, wager),
            say("papers.money", amount=dollars(stakes[wager])),
            percent(simulated["exact"]),
            percent(simulated["edge"]),
            _half_width(simulated["error"]),
            decimal(simulated["strays"], 2),
        )
        for wager, simulated in run["wagers"].items()
    )
    head = heads("wager", "stake", "exact", "simulated", "interval", "strays")
    about = say("papers.report.confirmation-about")
    name = say("papers.report.confirmation")
    yield Table(name, head, rows, "lrrrrr", "confirmation", about=about)
    verdict = say("papers.report.verdict", agrees=run["agrees"], judgements=run["judgements"])
    yield Paragraph(verdict, "verdict")


def _starting_hands(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    """The value of every starting hand: a grid of two cards, else a list."""
    values = figures["hands"]
    unit = game.sheet.main_wager.title
    if not values:
        yield Paragraph(say("papers.report.no-hand-values"), "starting hands none")
        return
    told = {"unit": unit, "count": len(values["hands"]), "deals": values["deals"]}
    about = say("papers.report.hand-values-about", **told)
    title = say("papers.report.hand-values")
    by_name = {name: (play, Fraction(value)) for name, _, play, value in values["hands"]}
    if len(by_name) == len(RANKS) ** 2:
        yield _hand_grid(title, about, by_name, _tones(figures["strategy"][0]))
    else:
        yield from _hand_lists(title, about, values["hands"])
    mean = Fraction(values["mean"])
    yield Paragraph(say("papers.report.hand-mean", mean=decimal(mean), unit=unit), "hand mean")


def _tones(part: dict[str, Any]) -> dict[str, Any]:
    """The tints of plays, as the strategy has them."""
    return {play: tint for _, play, tint in part.get("plays", ())}


def _hand_grid(
    title: str, about: str, by_name: dict[str, tuple[str, Fraction]], tones: dict[str, Any]
) -> SquareGrid:
    """Suited hands above the diagonal, tinted by best play."""
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


def _hand_lists(title: str, about: str, hands: list[list[Any]]) -> Iterator[Block]:
    """Lists of hands side by side, each with its deals, best play and value."""
    size = -(-len(hands) // HAND_COLUMNS)
    rows = [
        (hand_said(name), count(deals), play_title(play), decimal(Fraction(value), 4))
        for name, deals, play, value in hands
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
    clause = (sheet.best_play.ties.clause,)
    yield Paragraph(say("papers.report.method.exact"), "method exact")
    yield Paragraph(say("papers.report.method.unit", unit=unit), "method unit")
    for name in ("edge", "risk", "odds", "spread"):
        yield Paragraph(say("papers.report.method.word", word=name), f"method {name}")
    yield Paragraph(say("papers.report.method.ties", ties=ties), "method ties", clause)
    yield Paragraph(say("papers.report.method.sensitivity"), "method sensitivity")
    yield Paragraph(say("papers.report.method.bounds"), "method bounds")
    if shoe := figures_shoe_note(sheet):
        yield Paragraph(shoe, "method shoe")
