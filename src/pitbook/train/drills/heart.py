"""By heart: odds, bounds and caps of the house's own sheet, and what a fold leaves in play."""

from __future__ import annotations

from fractions import Fraction

from pitbook.game.description import Game
from pitbook.money import Odds, money
from pitbook.sheets.aloud.words import outcome, paid
from pitbook.sheets.model import Stake
from pitbook.sheets.pays import PayTable, all_pay_tables, worth
from pitbook.sheets.values import Push, Rule
from pitbook.train.drills.deals import deal, lies, round_file
from pitbook.train.drills.item import Item, Question, Reason, lettered
from pitbook.train.drills.luck import Draws
from pitbook.wording import say

__all__ = ["after_fold", "bounds", "facts_of", "has_fold_and_sides", "has_odds", "item_of", "odds"]

OPTIONS = 4
STEPS = ((1_000, 250), (100, 50), (20, 5), (0, 1))  # From such odds on, others are so far apart.
PARTS = ((1, 2), (2, 3), (3, 4), (1, 3), (3, 2))


# Odds ---------------------------------------------------------------------------------------------


def has_odds(game: Game) -> bool:
    """Whether anything is paid by a table."""
    return any(all_pay_tables(game.sheet).values())


def odds(game: Game, luck: Draws) -> Item | None:
    """What a line of a pay table pays."""
    every = [(wager, line) for wager, pays in all_pay_tables(game.sheet).items() for line in pays]
    return odds_of(game, luck, *luck.one_of(every))


def odds_of(game: Game, luck: Draws, wager: str, line: str) -> Item:
    """The question for one line; the other answers are of the same table, or near."""
    tables = all_pay_tables(game.sheet)
    pay = tables[wager][line]
    shown = luck.shuffled([pay, *_others(luck, pay, tables[wager])])
    options = lettered([(paid(one), ()) for one in shown])
    title = game.wager_title(game.main[0] if wager == "main" else wager)
    ask = say("drills.odds", title=title, line=outcome(line))
    rule = game.sheet.main if wager == "main" else game.sheet.side[wager]
    told = say("drills.pays", title=title, line=outcome(line), paid=paid(pay))
    answer = options[shown.index(pay)].id
    question = Question(ask, "choice", options=options)
    return Item(
        "odds", question, answer, (Reason(told, rule.clause),), 1, fact=f"odds/{wager}/{line}"
    )


def _others(luck: Draws, pay: Odds | Push, table: PayTable) -> list[Odds | Push]:
    """Other pays, of the same table or near; any number of them less, so that no rank tells."""
    every = _each_once([*luck.shuffled(list(table.values())), *_near(luck, pay)])
    less = [one for one in every if worth(one) < worth(pay)]
    more = [one for one in every if worth(one) > worth(pay)]
    fewest = max(0, OPTIONS - 1 - len(more))
    below = max(fewest, min(luck.below(OPTIONS), len(less)))
    return [*less[:below], *more[: OPTIONS - 1 - below]]


def _each_once(pays: list[Odds | Push]) -> list[Odds | Push]:
    """The first of those that are worth the same."""
    found: dict[Fraction, Odds | Push] = {}
    for one in pays:
        found.setdefault(worth(one), one)
    return list(found.values())


def _near(luck: Draws, pay: Odds | Push) -> list[Odds]:
    """Odds around a pay, as a house would print them; the likelier ones first."""
    base = pay if isinstance(pay, Odds) else Odds(1)
    step = Fraction(next(by for least, by in STEPS if base.to >= least), base.one)
    worth_it = Fraction(base.to, base.one)
    likely = [worth_it + by * step for by in luck.shuffled((-3, -2, -1, 1, 2, 3))]
    parts = [worth_it * Fraction(by, of) for by, of in luck.shuffled(PARTS)]
    every = [one for one in (*likely, *parts) if one > 0]
    return [Odds(one.numerator, one.denominator) for one in every]


# Bounds and caps ----------------------------------------------------------------------------------


def bounds(game: Game, luck: Draws) -> Item | None:
    """The least or the most of a wager, or what a cap leaves."""
    return bound_of(game, luck.one_of(sorted(_bounds(game))))


def bound_of(game: Game, fact: str) -> Item:
    """The question for one bound."""
    ask, amount, rule = _bounds(game)[fact]
    question = Question(ask, "amount")
    why = (Reason(say("drills.bound-is", amount=amount), rule.clause),)
    return Item("bounds", question, money(amount), why, 1, fact=fact)


def _bounds(game: Game) -> dict[str, tuple[str, int, Rule]]:
    sheet = game.sheet
    stakes: dict[str, Stake] = {game.main[0]: game.main[1]}
    stakes |= {wager: side.stake for wager, side in sheet.side.items()}
    found: dict[str, tuple[str, int, Rule]] = {}
    for wager, stake in stakes.items():
        title = game.wager_title(wager)
        found[f"least/{wager}"] = say("drills.least", title=title), stake.min, stake
        found[f"most/{wager}"] = say("drills.most", title=title), stake.max, stake
    for number, limit in enumerate(sheet.limits):
        found[f"cap/{number}"] = say("drills.cap", per=limit.per), limit.pays_max, limit
    scopes = [limit.per for limit in sheet.limits]
    return {
        fact: one
        for fact, one in found.items()
        if not fact.startswith("cap/") or scopes.count(sheet.limits[int(fact[4:])].per) == 1
    }


def item_of(game: Game, luck: Draws, fact: str) -> Item:
    """The question for one fact."""
    if not fact.startswith("odds/"):
        return bound_of(game, fact)
    _, wager, line = fact.split("/", 2)
    return odds_of(game, luck, wager, line)


def facts_of(game: Game) -> tuple[str, ...]:
    """Everything of a sheet that is to be known by heart."""
    tables = all_pay_tables(game.sheet)
    lines = [f"odds/{wager}/{line}" for wager, pays in tables.items() for line in pays]
    return (*lines, *_bounds(game))


# A fold -------------------------------------------------------------------------------------------


def has_fold_and_sides(game: Game) -> bool:
    """Whether a hand can be given up that has more at stake than the main game."""
    folds = any(play.folds for stage in game.stages for play in stage.plays)
    return folds and any(one.wager in game.sheet.side for one in game.asked)


def after_fold(game: Game, luck: Draws) -> Item | None:
    """Which wagers of a hand that is given up are still alive."""
    played = deal(game, luck, gives_up=True)
    final, seat = played.final, played.final.seats[0]
    if not seat.folded or not seat.side:
        return None
    survives = {one.wager for one in game.asked if one.survives}
    wagers = luck.shuffled([wager for wager, _ in seat.stakes])
    options = lettered([(game.wager_title(wager), ()) for wager in wagers])
    alive = [one.id for one, wager in zip(options, wagers, strict=True) if wager in survives]
    ask = say("drills.after-fold", seat=seat.number)
    question = Question(ask, "choices", lies(final), options=options)
    why = tuple(_after_fold(game, wager) for wager, _ in seat.side)
    evidence = round_file(played) | {"wagers": wagers}
    return Item("after-fold", question, ",".join(alive), why, 2, evidence=evidence)


def _after_fold(game: Game, wager: str) -> Reason:
    rule = game.sheet.side[wager].after_fold
    alive = rule is None or rule.plays
    told = say("drills.stays", title=game.wager_title(wager), alive=alive)
    return Reason(told, rule.clause if rule else game.sheet.side[wager].clause)
