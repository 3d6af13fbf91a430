"""Facts to know by heart: odds, limits, and which wagers stay in action after a fold."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from pitbook.drills.question import Item, Question, Reason, label_options
from pitbook.drills.random_rounds import Draws, deal, layout_of, round_file, takes_bets_back
from pitbook.drills.reasons import is_assumed, reason, table_title
from pitbook.money import Odds, money
from pitbook.rules.game import Game
from pitbook.sheets import provenance
from pitbook.sheets.field_types import Push, Rule
from pitbook.sheets.model import Stake
from pitbook.sheets.pay_tables import PayTable, all_pay_tables, pay_value
from pitbook.sheets.phrases import odds_words, outcome, with_article
from pitbook.text import Sentence, say

OPTIONS = 4
COMMON_PAYS = tuple(  # Common payouts: a fallback for a table with too few lines.
    Odds(to, unit)
    for to, unit in (
        *((1, 1), (6, 5), (3, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (8, 1), (10, 1), (12, 1)),
        *((15, 1), (20, 1), (25, 1), (30, 1), (40, 1), (50, 1), (100, 1), (200, 1), (250, 1)),
        *((500, 1), (1_000, 1)),
    )
)


# Odds ---------------------------------------------------------------------------------------------


def has_odds(game: Game) -> bool:
    """Whether any wager is paid by a pay table."""
    return any(facts.startswith("odds/") for facts in memory_facts(game))


def odds(game: Game, draws: Draws) -> Item | None:
    """What a line of a pay table pays."""
    odds_facts = [fact for fact in memory_facts(game) if fact.startswith("odds/")]
    return fact_item(game, draws, draws.choice(odds_facts))


def _odds_item(game: Game, draws: Draws, wager: str, line: str) -> Item:
    """The question for one line; the wrong answers are mistakes that dealers make."""
    table = all_pay_tables(game.sheet)[wager]
    pay = table[line]
    pays = draws.shuffle([pay, *_wrong_pays(draws, pay, table)])
    options = label_options([(_render_pay(pay_option), ()) for pay_option in pays])
    rule = game.sheet.main if wager == "main" else game.sheet.side[wager]
    assumed = provenance.pays_share(rule, line) != "none"
    declared = line in {duel.name for duel in game.duels}
    fields = {
        "wager": _paid_wager(game, wager),
        "line": say("drills.winning", hand=outcome(line)) if declared else with_article(line),
        "many": line.startswith(("match-", "four-aces")),
    }
    answer = options[pays.index(pay)].id
    if len(table) > 1:
        ask = say("drills.odds", **fields, assumed=assumed)
    else:
        ask = say("drills.odds-only", wager=fields["wager"], assumed=assumed)
    question = Question(ask, "choice", options=options)
    pushes = pay == "push"
    sentence = say("drills.pays", **fields, pushes=pushes, paid=_render_pay(pay))
    why = (
        Reason(say("drills.assumed", text=sentence), None)
        if assumed
        else Reason(sentence, rule.clause)
    )
    return Item("odds", question, answer, (why,), 1, fact=f"odds/{wager}/{line}")


def _paid_wager(game: Game, wager: str) -> Sentence:
    """The wager that a pay table pays, or each of several equal bets."""
    if wager == "main" and takes_bets_back(game):
        return say("drills.on-each", count=len(game.equals) + 1)
    return say("drills.on-wager", title=table_title(game, wager))


def _render_pay(pay: Odds | Push) -> Sentence:
    return say("drills.push") if pay == "push" else odds_words(pay)


def _wrong_pays(draws: Draws, pay: Odds | Push, table: PayTable) -> list[Odds | Push]:
    """Wrong pays, a random number of them smaller, so that rank gives nothing away."""
    candidates = _distinct_pays([*draws.shuffle(_likely_mistakes(pay, table)), *_nearest_pays(pay)])
    smaller = [candidate for candidate in candidates if pay_value(candidate) < pay_value(pay)]
    larger = [candidate for candidate in candidates if pay_value(candidate) > pay_value(pay)]
    below_min = max(0, OPTIONS - 1 - len(larger))
    below = max(below_min, min(draws.below(OPTIONS), len(smaller)))
    return [*smaller[:below], *larger[: OPTIONS - 1 - below]]


def _likely_mistakes(pay: Odds | Push, table: PayTable) -> list[Odds | Push]:
    """Pays of other lines, the pay with the stake included, double and half."""
    candidates = list(table.values())
    if isinstance(pay, Odds) and pay.one == 1:
        candidates += [Odds(pay.to + 1), Odds(pay.to * 2)]
        candidates += [Odds(pay.to // 2)] if pay.to % 2 == 0 else []
    return candidates


def _nearest_pays(pay: Odds | Push) -> list[Odds]:
    """Common pays, nearest first."""
    near = pay_value(pay)
    return sorted(COMMON_PAYS, key=lambda usual_pay: abs(pay_value(usual_pay) - near))


def _distinct_pays(pays: list[Odds | Push]) -> list[Odds | Push]:
    """The first of the pays that have the same value."""
    pays_by_value: dict[Fraction, Odds | Push] = {}
    for pay in pays:
        pays_by_value.setdefault(pay_value(pay), pay)
    return list(pays_by_value.values())


# Limits -------------------------------------------------------------------------------------------


class TableLimit(NamedTuple):
    """A limit of the sheet: its kind, wager, amount and rule."""

    what: str
    title: str
    amount: int
    rule: Rule
    field: str


def bounds(game: Game, draws: Draws) -> Item | None:
    """The minimum or the maximum of a wager, or a payout limit."""
    return _limit_item(game, draws.choice(sorted(_table_limits(game))))


def _limit_item(game: Game, fact: str) -> Item:
    """The question for one limit; an assumed limit is asked as this table's, without a clause."""
    bound = _table_limits(game)[fact]
    assumed = is_assumed(bound.rule, bound.field)
    fields = {"what": bound.what, "title": bound.title, "count": len(game.equals) + 1}
    question = Question(say("drills.bound", **fields, assumed=assumed), "amount")
    sentence = say("drills.bound-is", **fields, amount=bound.amount)
    why = (reason(sentence, bound.rule, bound.field),)
    return Item("bounds", question, money(bound.amount), why, 1, fact=fact)


def _table_limits(game: Game) -> dict[str, TableLimit]:
    sheet = game.sheet
    stakes: dict[str, Stake] = {game.main[0]: game.main[1]}
    stakes |= {wager: side.stake for wager, side in sheet.side.items()}
    limits_by_name: dict[str, TableLimit] = {}
    for wager, stake in stakes.items():
        title = game.wager_title(wager)
        each = "-each" if wager == game.main[0] and takes_bets_back(game) else ""
        least, most = (f"{bound}{each}" for bound in ("least", "most"))
        limits_by_name[f"least/{wager}"] = TableLimit(least, title, stake.min, stake, "min")
        limits_by_name[f"most/{wager}"] = TableLimit(most, title, stake.max, stake, "max")
    scopes = [limit.per for limit in sheet.limits]
    for number, limit in enumerate(sheet.limits):
        if scopes.count(limit.per) == 1:
            limits_by_name[f"cap/{number}"] = TableLimit(
                limit.per, "", limit.pays_max, limit, "pays_max"
            )
    return limits_by_name


def fact_item(game: Game, draws: Draws, fact: str) -> Item:
    """The question for one fact."""
    if not fact.startswith("odds/"):
        return _limit_item(game, fact)
    _, wager, line = fact.split("/", 2)
    return _odds_item(game, draws, wager, line)


def memory_facts(game: Game) -> tuple[str, ...]:
    """Every fact of a sheet to memorize."""
    tables = all_pay_tables(game.sheet)
    lines = [
        f"odds/{wager}/{line}"
        for wager, pays in tables.items()
        for line in pays
        if not line.startswith("high-card")  # Any hand at all: nobody memorizes this line.
    ]
    return (*lines, *_table_limits(game))


# A fold -------------------------------------------------------------------------------------------


def has_fold_and_sides(game: Game) -> bool:
    """Whether a hand can fold with side wagers at stake."""
    folds = any(play.folds for stage in game.stages for play in stage.plays)
    return folds and any(asked_wager.wager in game.sheet.side for asked_wager in game.wager_rules)


def after_fold(game: Game, draws: Draws) -> Item | None:
    """Which wagers of a folded hand are still in action."""
    played = deal(game, draws, style="folds")
    final, seat = played.final, played.final.seats[0]
    if not seat.folded or not seat.side:
        return None
    survives = {asked_wager.wager for asked_wager in game.wager_rules if asked_wager.survives}
    wagers = draws.shuffle([wager for wager, _ in seat.stakes])
    options = label_options([(game.wager_title(wager), ()) for wager in wagers])
    alive = [option.id for option, wager in zip(options, wagers, strict=True) if wager in survives]
    play = next(str(play) for play in seat.plays if play.folds)
    ask = say("drills.after-fold", seat=seat.number, play=play)
    question = Question(ask, "choices", layout_of(final), options=options)
    why = tuple(fold_reason(game, wager, play) for wager, _ in seat.side)
    evidence = {"played": played, "file": round_file(played), "wagers": wagers}
    return Item("after-fold", question, ",".join(alive), why, 2, evidence=evidence)


def fold_reason(game: Game, wager: str, play: str) -> Reason:
    """Whether a side wager stays in action after a fold, with the clause."""
    side = game.sheet.side[wager]
    alive = side.after_fold is None or side.after_fold.plays
    sentence = say("drills.stays", title=game.wager_title(wager), alive=alive, play=play)
    return (
        reason(sentence, side.after_fold, "plays")
        if side.after_fold
        else Reason(sentence, side.clause)
    )
