"""Facts to know by heart: odds, limits, and which wagers stay in action after a fold."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from pitbook.drills.item import Item, Question, Reason, lettered
from pitbook.drills.reasons import is_assumed, reason, table_title
from pitbook.drills.rounds import Draws, deal, lies, round_file, takes_bets_back
from pitbook.money import Odds, money
from pitbook.rules.game import Game
from pitbook.sheets import provenance
from pitbook.sheets.parts import Stake
from pitbook.sheets.pay_tables import PayTable, all_pay_tables, pay_value
from pitbook.sheets.prose.words import odds_words, outcome, with_article
from pitbook.sheets.values import Push, Rule
from pitbook.text import Sentence, say

OPTIONS = 4
USUAL = tuple(  # What tables pay: the last resort for a table with too few lines.
    Odds(to, one)
    for to, one in (
        *((1, 1), (6, 5), (3, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (8, 1), (10, 1), (12, 1)),
        *((15, 1), (20, 1), (25, 1), (30, 1), (40, 1), (50, 1), (100, 1), (200, 1), (250, 1)),
        *((500, 1), (1_000, 1)),
    )
)


# Odds ---------------------------------------------------------------------------------------------


def has_odds(game: Game) -> bool:
    """Whether anything is paid by a table."""
    return any(facts.startswith("odds/") for facts in facts_of(game))


def odds(game: Game, luck: Draws) -> Item | None:
    """What a line of a pay table pays."""
    every = [fact for fact in facts_of(game) if fact.startswith("odds/")]
    return item_of(game, luck, luck.one_of(every))


def _odds_of(game: Game, luck: Draws, wager: str, line: str) -> Item:
    """The question for one line; the other answers are mistakes that dealers make."""
    table = all_pay_tables(game.sheet)[wager]
    pay = table[line]
    shown = luck.shuffled([pay, *_mistakes(luck, pay, table)])
    options = lettered([(_pay_told(pay_option), ()) for pay_option in shown])
    rule = game.sheet.main if wager == "main" else game.sheet.side[wager]
    assumed = provenance.pays_share(rule, line) != "none"
    declared = line in {duel.name for duel in game.duels}
    fields = {
        "title": table_title(game, wager),
        "line": say("drills.winning", hand=outcome(line)) if declared else with_article(line),
        "many": line.startswith(("match-", "four-aces")),
    }
    answer = options[shown.index(pay)].id
    if len(table) > 1:
        ask = say("drills.odds", **fields, assumed=assumed)
    else:
        ask = say("drills.odds-only", title=table_title(game, wager), assumed=assumed)
    question = Question(ask, "choice", options=options)
    pushes = pay == "push"
    sentence = say("drills.pays", **fields, pushes=pushes, paid=_pay_told(pay))
    why = (
        Reason(say("drills.assumed", text=sentence), None)
        if assumed
        else Reason(sentence, rule.clause)
    )
    return Item("odds", question, answer, (why,), 1, fact=f"odds/{wager}/{line}")


def _pay_told(pay: Odds | Push) -> Sentence:
    return say("drills.push") if pay == "push" else odds_words(pay)


def _mistakes(luck: Draws, pay: Odds | Push, table: PayTable) -> list[Odds | Push]:
    """Wrong pays, any number of them smaller: the rank among the options gives nothing away."""
    every = _each_once([*luck.shuffled(_likely(pay, table)), *_near(pay)])
    less = [one for one in every if pay_value(one) < pay_value(pay)]
    more = [one for one in every if pay_value(one) > pay_value(pay)]
    fewest = max(0, OPTIONS - 1 - len(more))
    below = max(fewest, min(luck.below(OPTIONS), len(less)))
    return [*less[:below], *more[: OPTIONS - 1 - below]]


def _likely(pay: Odds | Push, table: PayTable) -> list[Odds | Push]:
    """Pays of other lines, the pay with the stake counted in, double and half."""
    candidates = list(table.values())
    if isinstance(pay, Odds) and pay.one == 1:
        candidates += [Odds(pay.to + 1), Odds(pay.to * 2)]
        candidates += [Odds(pay.to // 2)] if pay.to % 2 == 0 else []
    return candidates


def _near(pay: Odds | Push) -> list[Odds]:
    """Usual pays, the nearest first."""
    near = pay_value(pay)
    return sorted(USUAL, key=lambda usual_pay: abs(pay_value(usual_pay) - near))


def _each_once(pays: list[Odds | Push]) -> list[Odds | Push]:
    """The first of those that are worth the same."""
    found: dict[Fraction, Odds | Push] = {}
    for one in pays:
        found.setdefault(pay_value(one), one)
    return list(found.values())


# Limits -------------------------------------------------------------------------------------------


class TableLimit(NamedTuple):
    """A limit of the sheet: which one, of what, how much, and by which rule."""

    what: str
    title: str
    amount: int
    rule: Rule
    field: str


def bounds(game: Game, luck: Draws) -> Item | None:
    """The minimum or the maximum of a wager, or a payout limit."""
    return _bound_of(game, luck.one_of(sorted(_bounds(game))))


def _bound_of(game: Game, fact: str) -> Item:
    """The question for one limit; an assumption is asked as this table's, without a clause."""
    bound = _bounds(game)[fact]
    assumed = is_assumed(bound.rule, bound.field)
    fields = {"what": bound.what, "title": bound.title, "count": len(game.equals) + 1}
    question = Question(say("drills.bound", **fields, assumed=assumed), "amount")
    sentence = say("drills.bound-is", **fields, amount=bound.amount)
    why = (reason(sentence, bound.rule, bound.field),)
    return Item("bounds", question, money(bound.amount), why, 1, fact=fact)


def _bounds(game: Game) -> dict[str, TableLimit]:
    sheet = game.sheet
    stakes: dict[str, Stake] = {game.main[0]: game.main[1]}
    stakes |= {wager: side.stake for wager, side in sheet.side.items()}
    limits_by_name: dict[str, TableLimit] = {}
    for wager, stake in stakes.items():
        title = game.wager_title(wager)
        each = "-each" if wager == game.main[0] and takes_bets_back(game) else ""
        least, most = (f"{what}{each}" for what in ("least", "most"))
        limits_by_name[f"least/{wager}"] = TableLimit(least, title, stake.min, stake, "min")
        limits_by_name[f"most/{wager}"] = TableLimit(most, title, stake.max, stake, "max")
    scopes = [limit.per for limit in sheet.limits]
    for number, limit in enumerate(sheet.limits):
        if scopes.count(limit.per) == 1:
            limits_by_name[f"cap/{number}"] = TableLimit(
                limit.per, "", limit.pays_max, limit, "pays_max"
            )
    return limits_by_name


def item_of(game: Game, luck: Draws, fact: str) -> Item:
    """The question for one fact."""
    if not fact.startswith("odds/"):
        return _bound_of(game, fact)
    _, wager, line = fact.split("/", 2)
    return _odds_of(game, luck, wager, line)


def facts_of(game: Game) -> tuple[str, ...]:
    """Everything of a sheet that is to be known by heart."""
    tables = all_pay_tables(game.sheet)
    lines = [
        f"odds/{wager}/{line}"
        for wager, pays in tables.items()
        for line in pays
        if not line.startswith("high-card")  # Any hand at all: not a line that anybody learns.
    ]
    return (*lines, *_bounds(game))


# A fold -------------------------------------------------------------------------------------------


def has_fold_and_sides(game: Game) -> bool:
    """Whether a hand can fold that has more at stake than the main game."""
    folds = any(play.folds for stage in game.stages for play in stage.plays)
    return folds and any(one.wager in game.sheet.side for one in game.asked)


def after_fold(game: Game, luck: Draws) -> Item | None:
    """Which wagers of a folded hand are still in action."""
    played = deal(game, luck, style="folds")
    final, seat = played.final, played.final.seats[0]
    if not seat.folded or not seat.side:
        return None
    survives = {one.wager for one in game.asked if one.survives}
    wagers = luck.shuffled([wager for wager, _ in seat.stakes])
    options = lettered([(game.wager_title(wager), ()) for wager in wagers])
    alive = [one.id for one, wager in zip(options, wagers, strict=True) if wager in survives]
    play = next(str(play) for play in seat.plays if play.folds)
    ask = say("drills.after-fold", seat=seat.number, play=play)
    question = Question(ask, "choices", lies(final), options=options)
    why = tuple(fold_reason(game, wager, play) for wager, _ in seat.side)
    evidence = {"played": played, "file": round_file(played), "wagers": wagers}
    return Item("after-fold", question, ",".join(alive), why, 2, evidence=evidence)


def fold_reason(game: Game, wager: str, play: str) -> Reason:
    """Whether a side wager stays in action after a fold, and by which clause."""
    side = game.sheet.side[wager]
    alive = side.after_fold is None or side.after_fold.plays
    sentence = say("drills.stays", title=game.wager_title(wager), alive=alive, play=play)
    return (
        reason(sentence, side.after_fold, "plays")
        if side.after_fold
        else Reason(sentence, side.clause)
    )
