"""A night scene by scene, as players, cage and inspector see it, without the rules themselves.

Scenes show settlements, offers, views, figures and refusals. They show neither the rules file nor
its hash, so houses that differ only in descriptive words look the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tests.house.nights import kit
from tests.house.nights.kit import CMS, OMS
from tests.house.nights.tournament import step_lines as tournaments
from tests.house.nights.tournament.step_lines import T, counts, schedule

from pitbook.house.nights import commands as at_cage
from pitbook.house.nights.facts import dump
from pitbook.house.nights.house_rules import HouseRules
from pitbook.house.nights.sheets import DerivedSheet, derive, level_sheet, limit_violations
from pitbook.house.nights.statement import receipt_text, statement_text
from pitbook.house.nights.store import Night
from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.views import night_view
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.money import dollars
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose import rule_texts

FIVE = ("ann", "bob", "cal", "dee", "eli")


def observe(rules: HouseRules, path: Path) -> dict[str, Any]:
    """Everything visible in a night under these rules."""
    return {name: list(scene(rules, path)) for name, scene in _scenes().items()}


def looks_like(expected: dict[str, Any], rules: HouseRules, path: Path) -> bool:
    """Whether a night under these rules looks as expected; stops at the first difference."""
    return all(list(scene(rules, path)) == expected[name] for name, scene in _scenes().items())


def _scenes() -> dict[str, Callable[[HouseRules, Path], Iterator[Any]]]:
    """Each part of a night, quickest first."""
    quick = {
        "chance": _chance,
        "cost": _cost,
        "entry": _entry,
        "refunds": _refunds,
        "hourly": _hourly,
        "multi-table": _multi_table,
    }
    scenes = {name: partial(_without_book, scene) for name, scene in quick.items()}
    return {**scenes, "cage": _cage}


def _without_book(
    scene: Callable[[HouseRules], Iterator[Any]], rules: HouseRules, _: Path
) -> Iterator[Any]:
    return scene(rules)


def _chance(rules: HouseRules) -> Iterator[Any]:
    """Which sheets may be dealt, and as what."""
    for most in ("1.33", "1.34", "3.99", "4", "4.01"):
        yield limit_violations(_with_ante_max(most), rules)
    yield limit_violations(CMS, rules)
    derived = derive(CMS, rules)
    if isinstance(derived, DerivedSheet):
        yield derived.limits, derived.sheet.house, derived.sheet.single_bet_max
        yield (
            [text.sentence for text in rule_texts(derived.sheet)],
            derived.sheet.irregularities.interruption,
        )
    else:
        yield derived
    for kind in ("hourly", "multi-table"):
        sheet = level_sheet(OMS, schedule(kind=kind), 1, rules)
        yield sheet if isinstance(sheet, Refusal) else (sheet.house, sheet.irregularities)


def _with_ante_max(most: str) -> Sheet:
    stake = OMS.main_wager.model_copy(update={"max": dollars(most), "step": dollars("0.01")})
    return OMS.model_copy(update={"ante": stake, "single_bet_max": None})


def _cage(rules: HouseRules, path: Path) -> Iterator[Any]:
    """Chips sold and redeemed, tables, the end of the day and the statement."""
    night = kit.Evening(path, rules=rules)
    try:
        nameless = kit.make_command(event="other", charity="", rules=rules)
        yield _visible_result(Night(night.ledger, "other").give(nameless, actor="kim"))
        for amount in ("20", "0.99", "1", "1.01", "2.01", "3.01", "4.01"):
            yield _visible_result(night.ask(at_cage.Sell("ann", dollars(amount))))
        slip = night.state.slip(1)
        yield "" if slip is None else receipt_text(night.state, slip)
        yield _visible_result(night.ask(at_cage.Redeem("ann", dollars("1000"))))
        for table, sheet, derived in (("a", OMS, False), ("b", CMS, False), ("c", CMS, True)):
            yield _visible_result(night.ask(at_cage.AdmitTable(table, dump_sheet(sheet), derived)))
        yield night_view(night.ledger, night.state)
        yield from _late(night)
    finally:
        night.close()


def _late(night: kit.Evening) -> Iterator[Any]:
    """One redemption per hour until the next noon, then closing."""
    for hour in range(16):
        yield hour, _visible_result(night.ask(at_cage.Redeem("ann", dollars("0.50"))))
        night.later(hours=1)
    yield _visible_result(night.ask(at_cage.Close()))
    yield _visible_result(night.ask(at_cage.Redeem("ann", dollars("0.50"))))
    closing = night.statement()
    yield statement_text(closing), list(closing.lines())


def _visible_result(answer: Any) -> Any:
    """The visible result of a command, without the rules and what follows from the clock."""
    if isinstance(answer, Refusal):
        return answer
    hidden = ("house", "sheet", "base_sheet")
    documents = [dump(fact) for fact in answer.facts]
    return [{key: document[key] for key in document if key not in hidden} for document in documents]


class FloorProbe(tournaments.Evening):
    """A tournament under these rules whose commands may be refused."""

    def __init__(self, rules: HouseRules, **how: Any) -> None:
        super().__init__(rules=rules.tournaments, **how)

    def try_all(self, *many: do.Command) -> list[Any]:
        """The results of commands that may be refused."""
        return [self._try(command) for command in many]

    def _try(self, command: do.Command) -> Any:
        answer = self.ask(command)
        if isinstance(answer, Refusal):
            return answer
        self.take(answer)
        return [facts.dump(fact) for fact in answer.facts]

    def start(self, *players: str, **changed: Any) -> list[Any]:
        """Set up, entered, announced, seated and started."""
        commands: list[do.Command] = [do.SetUp(T, schedule(**changed)), do.Announce(T)]
        commands += [do.Enter(T, player) for player in players]
        return self.try_all(*commands, do.DrawSeats(T), do.Start(T), do.StartClock(T))

    def ends(self) -> tuple[Any, ...]:
        """The final status, debts and facts."""
        return self.t.status, self.amounts_owed(), [facts.dump(fact) for fact in self.facts[-3:]]


def _cost(rules: HouseRules) -> Iterator[Any]:
    """Starting before the cost is announced, and the announcement."""
    probe = FloorProbe(rules)
    yield probe.try_all(do.SetUp(T, schedule()), do.Enter(T, "ann"), do.Enter(T, "bob"))
    yield probe.try_all(do.DrawSeats(T), do.Start(T), do.Announce(T), do.Start(T))


def _entry(rules: HouseRules) -> Iterator[Any]:
    """The spending limit, to the cent."""
    for costs in ("149.99", "150", "150.01", "249.99", "250", "250.01"):
        for higher in (False, True):
            terms = schedule(buy_in={"costs": costs, "chips": "1000"}, higher_limit=higher)
            yield FloorProbe(rules).try_all(do.SetUp(T, terms), do.Enter(T, "ann"))
    large = do.SetUp(T, schedule(higher_limit=True))
    yield FloorProbe(rules, large_used="gala.t0").try_all(large)
    for re_buy_cost in ("99.99", "100", "100.01"):
        probe = FloorProbe(rules)
        probe.start("ann", "bob", re_buy={"costs": re_buy_cost, "chips": "10", "until_level": 1})
        yield probe.try_all(do.ReBuy(T, "ann"))


def _refunds(rules: HouseRules) -> Iterator[Any]:
    """Before the first card, in doubt, and after it."""
    probe = FloorProbe(rules)
    yield probe.try_all(do.SetUp(T, schedule()), *(do.Enter(T, name) for name in FIVE))
    yield probe.try_all(do.Refund(T, "ann"), do.Refund(T, "bob", in_doubt=True))
    yield probe.try_all(do.Announce(T), do.DrawSeats(T), do.Start(T))
    yield probe.try_all(do.StartClock(T), do.BeginRound(T, 1), do.Refund(T, "cal"))


def _hourly(rules: HouseRules) -> Iterator[Any]:
    """Interrupted with five to two players left, some with equal chips."""
    for left in (5, 4, 3, 2):
        probe = FloorProbe(rules, draw=lambda n: n - 1)
        probe.start(*FIVE)
        _out(probe, FIVE[left:])
        chip_counts = counts(ann="500", bob="900", cal="500", dee="100", eli="50")[:left]
        yield probe.try_all(do.CountChips(T, 1, chip_counts), do.Interrupt(T, "power failure"))
        yield probe.ends()
    probe = FloorProbe(rules, draw=lambda n: n - 1)
    probe.start(*FIVE)
    yield probe.try_all(do.BeginRound(T, 1), do.Interrupt(T, "power failure"))


def _multi_table(rules: HouseRules) -> Iterator[Any]:
    """Interrupted between hands, in a hand that all agree on, and before any card."""
    for draw in (0, 1):
        probe = FloorProbe(rules, draw=lambda n, draw=draw: min(draw, n - 1))
        probe.start(*FIVE, kind="multi-table")
        _out(probe, FIVE[3:])
        chip_counts = counts(ann="1", bob="5000", cal="700")
        yield probe.try_all(do.CountChips(T, 1, chip_counts), do.Interrupt(T, "fire"))
        yield probe.ends()
    probe = FloorProbe(rules)
    probe.start(*FIVE, kind="multi-table")
    commands = (do.BeginRound(T, 1), do.Interrupt(T, "fire"), do.RuleHand(T, 1, True, FIVE))
    yield probe.try_all(*commands, do.CountChips(T, 1, counts(ann="0", bob="3000")))
    yield probe.ends()
    probe = FloorProbe(rules)
    probe.try_all(do.SetUp(T, schedule(kind="multi-table")), do.Enter(T, "ann"))
    yield probe.try_all(do.Interrupt(T, "fire"))


def _out(probe: FloorProbe, players: tuple[str, ...]) -> None:
    for player in reversed(players):
        probe.try_all(do.CountChips(T, 1, counts(**{player: "0"})), do.Eliminate(T, (player,)))


__all__ = ["FloorProbe", "looks_like", "observe"]
