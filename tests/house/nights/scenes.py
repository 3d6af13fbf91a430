"""One evening at a house, scene by scene, as players, cage and inspector see it: never its rules.

What is told here is settlements, offers, views, figures and refusals. The file of the rules is not
shown, nor its hash: two houses that differ in a word which nothing follows from look the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tests.house.nights import kit
from tests.house.nights.kit import CMS, OMS
from tests.house.nights.tournament import evening as tournaments
from tests.house.nights.tournament.evening import T, counts, schedule

from pitbook.house.nights import commands as at_cage
from pitbook.house.nights.facts import dump
from pitbook.house.nights.house_rules import HouseRules
from pitbook.house.nights.sheets import Derived, departures, derive, level_sheet
from pitbook.house.nights.statement import receipt_text, statement_text
from pitbook.house.nights.store import Night
from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.views import night_shown
from pitbook.house.table.state import dump_sheet
from pitbook.money import dollars
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.rules import rule_texts

FIVE = ("ann", "bob", "cal", "dee", "eli")


def observed(rules: HouseRules, path: Path) -> dict[str, Any]:
    """Everything that anybody sees of an evening under these rules."""
    return {name: list(scene(rules, path)) for name, scene in _scenes().items()}


def looks_like(shown: dict[str, Any], rules: HouseRules, path: Path) -> bool:
    """Whether an evening under these rules is as it was shown; the first difference is enough."""
    return all(list(scene(rules, path)) == shown[name] for name, scene in _scenes().items())


def _scenes() -> dict[str, Callable[[HouseRules, Path], Iterator[Any]]]:
    """Each part of an evening, the quickest first."""
    quick = {
        "chance": _chance,
        "cost": _cost,
        "entry": _entry,
        "refunds": _refunds,
        "hourly": _hourly,
        "multi-table": _multi_table,
    }
    alone = {name: partial(_without_book, scene) for name, scene in quick.items()}
    return {**alone, "cage": _cage}


def _without_book(
    scene: Callable[[HouseRules], Iterator[Any]], rules: HouseRules, _: Path
) -> Iterator[Any]:
    return scene(rules)


def _chance(rules: HouseRules) -> Iterator[Any]:
    """Which sheets may be dealt, and as what."""
    for most in ("1.33", "1.34", "3.99", "4", "4.01"):
        yield departures(_anted(most), rules)
    yield departures(CMS, rules)
    made = derive(CMS, rules)
    if isinstance(made, Derived):
        yield made.limits, made.sheet.house, made.sheet.single_bet_max
        yield (
            [one.sentence for one in rule_texts(made.sheet)],
            made.sheet.irregularities.interruption,
        )
    else:
        yield made
    for kind in ("hourly", "multi-table"):
        sheet = level_sheet(OMS, schedule(kind=kind), 1, rules)
        yield sheet if isinstance(sheet, Refusal) else (sheet.house, sheet.irregularities)


def _anted(most: str) -> Sheet:
    stake = OMS.main_wager.model_copy(update={"max": dollars(most), "step": dollars("0.01")})
    return OMS.model_copy(update={"ante": stake, "single_bet_max": None})


def _cage(rules: HouseRules, path: Path) -> Iterator[Any]:
    """Chips sold and redeemed, tables, the end of the day and the statement."""
    night = kit.Evening(path, rules=rules)
    try:
        nameless = kit.making(event="other", charity="", rules=rules)
        yield _said(Night(night.ledger, "other").give(nameless, actor="kim"))
        for amount in ("20", "0.99", "1", "1.01", "2.01", "3.01", "4.01"):
            yield _said(night.ask(at_cage.Sell("ann", dollars(amount))))
        slip = night.state.slip(1)
        yield "" if slip is None else receipt_text(night.state, slip)
        yield _said(night.ask(at_cage.Redeem("ann", dollars("1000"))))
        for table, sheet, derived in (("a", OMS, False), ("b", CMS, False), ("c", CMS, True)):
            yield _said(night.ask(at_cage.AdmitTable(table, dump_sheet(sheet), derived)))
        yield night_shown(night.ledger, night.state)
        yield from _late(night)
    finally:
        night.close()


def _late(night: kit.Evening) -> Iterator[Any]:
    """Hour for hour till the next noon, then the doors shut."""
    for hour in range(16):
        yield hour, _said(night.ask(at_cage.Redeem("ann", dollars("0.50"))))
        night.later(hours=1)
    yield _said(night.ask(at_cage.Close()))
    yield _said(night.ask(at_cage.Redeem("ann", dollars("0.50"))))
    told = night.statement()
    yield statement_text(told), list(told.lines())


def _said(answer: Any) -> Any:
    """What came of a command, the rules themselves and what follows from the clock left out."""
    if isinstance(answer, Refusal):
        return answer
    hidden = ("house", "sheet", "base_sheet")
    told = [dump(one) for one in answer.facts]
    return [{key: one[key] for key in one if key not in hidden} for one in told]


class Floor(tournaments.Evening):
    """A tournament under these rules, whatever becomes of a command."""

    def __init__(self, rules: HouseRules, **how: Any) -> None:
        super().__init__(rules=rules.tournaments, **how)

    def tried(self, *many: do.Command) -> list[Any]:
        """What came of commands that may be refused."""
        return [self._tried(command) for command in many]

    def _tried(self, command: do.Command) -> Any:
        answer = self.ask(command)
        if isinstance(answer, Refusal):
            return answer
        self.take(answer)
        return [facts.dump(one) for one in answer.facts]

    def started(self, *players: str, **changed: Any) -> list[Any]:
        """Set up, entered, announced, seated and under way."""
        asked: list[do.Command] = [do.SetUp(T, schedule(**changed)), do.Announce(T)]
        asked += [do.Enter(T, player) for player in players]
        return self.tried(*asked, do.DrawSeats(T), do.Start(T), do.StartClock(T))

    def ends(self) -> tuple[Any, ...]:
        """Who has what."""
        return self.t.status, self.owed(), [facts.dump(one) for one in self.facts[-3:]]


def _cost(rules: HouseRules) -> Iterator[Any]:
    """A start before anybody has said what it costs, and what is then said."""
    floor = Floor(rules)
    yield floor.tried(do.SetUp(T, schedule()), do.Enter(T, "ann"), do.Enter(T, "bob"))
    yield floor.tried(do.DrawSeats(T), do.Start(T), do.Announce(T), do.Start(T))


def _entry(rules: HouseRules) -> Iterator[Any]:
    """The most that a player spends, to the cent."""
    for costs in ("149.99", "150", "150.01", "249.99", "250", "250.01"):
        for higher in (False, True):
            asked = schedule(buy_in={"costs": costs, "chips": "1000"}, higher_limit=higher)
            yield Floor(rules).tried(do.SetUp(T, asked), do.Enter(T, "ann"))
    large = do.SetUp(T, schedule(higher_limit=True))
    yield Floor(rules, large_used="gala.t0").tried(large)
    for rest in ("99.99", "100", "100.01"):
        floor = Floor(rules)
        floor.started("ann", "bob", re_buy={"costs": rest, "chips": "10", "until_level": 1})
        yield floor.tried(do.ReBuy(T, "ann"))


def _refunds(rules: HouseRules) -> Iterator[Any]:
    """Before the first card, in doubt, and after it."""
    floor = Floor(rules)
    yield floor.tried(do.SetUp(T, schedule()), *(do.Enter(T, one) for one in FIVE))
    yield floor.tried(do.Refund(T, "ann"), do.Refund(T, "bob", in_doubt=True))
    yield floor.tried(do.Announce(T), do.DrawSeats(T), do.Start(T))
    yield floor.tried(do.StartClock(T), do.BeginRound(T, 1), do.Refund(T, "cal"))


def _hourly(rules: HouseRules) -> Iterator[Any]:
    """Cut short with five to two left, among them equal chips."""
    for left in (5, 4, 3, 2):
        floor = Floor(rules, draw=lambda n: n - 1)
        floor.started(*FIVE)
        _out(floor, FIVE[left:])
        held = counts(ann="500", bob="900", cal="500", dee="100", eli="50")[:left]
        yield floor.tried(do.CountChips(T, 1, held), do.Interrupt(T, "power failure"))
        yield floor.ends()
    floor = Floor(rules, draw=lambda n: n - 1)
    floor.started(*FIVE)
    yield floor.tried(do.BeginRound(T, 1), do.Interrupt(T, "power failure"))


def _multi_table(rules: HouseRules) -> Iterator[Any]:
    """Cut short between hands with odd cents, in a hand that all agree on, and before any card."""
    for draw in (0, 1):
        floor = Floor(rules, draw=lambda n, draw=draw: min(draw, n - 1))
        floor.started(*FIVE, kind="multi-table")
        _out(floor, FIVE[3:])
        held = counts(ann="1", bob="5000", cal="700")
        yield floor.tried(do.CountChips(T, 1, held), do.Interrupt(T, "fire"))
        yield floor.ends()
    floor = Floor(rules)
    floor.started(*FIVE, kind="multi-table")
    asked = (do.BeginRound(T, 1), do.Interrupt(T, "fire"), do.RuleHand(T, 1, True, FIVE))
    yield floor.tried(*asked, do.CountChips(T, 1, counts(ann="0", bob="3000")))
    yield floor.ends()
    floor = Floor(rules)
    floor.tried(do.SetUp(T, schedule(kind="multi-table")), do.Enter(T, "ann"))
    yield floor.tried(do.Interrupt(T, "fire"))


def _out(floor: Floor, players: tuple[str, ...]) -> None:
    for player in reversed(players):
        floor.tried(do.CountChips(T, 1, counts(**{player: "0"})), do.Eliminate(T, (player,)))


__all__ = ["Floor", "looks_like", "observed"]
