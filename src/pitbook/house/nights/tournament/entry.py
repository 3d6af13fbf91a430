"""Getting in: what a player pays for, what is left to spend, and when money still goes back."""

from __future__ import annotations

from pitbook.house.ledger.accounts import UNIT
from pitbook.house.nights.context import Floor
from pitbook.house.nights.names import nobody
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.facts import Fact, FactsOrRefusal, Sale
from pitbook.house.nights.tournament.schedule import (
    Extra,
    Price,
    Schedule,
    announcement,
    odd_shares,
)
from pitbook.house.nights.tournament.state import Tournament, unknown
from pitbook.house.people.names import name_key, title_error
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.findings import printable

WORDS_MAX = 200
REGISTERED_MAX = 2_000


def set_up(was: Tournament | None, command: commands.SetUp, floor: Floor) -> FactsOrRefusal:
    """A tournament of this event, within its limits."""
    name, schedule = command.tournament, command.schedule
    event, _, short = name.rpartition(".")
    if event != floor.event or not short or not UNIT.fullmatch(f"tournament:{name}"):
        asked = {"name": printable(name), "event": floor.event}
        return refuse(Code.UNKNOWN_PLACE, "nights.entry.no-tournament", **asked)
    if was is not None and was.status != "withdrawn":
        return refuse(Code.NOT_NOW, "nights.entry.set-up-already", tournament=name)
    refusal = _too_large(name, schedule, floor) or _misnamed(schedule) or _not_whole(schedule)
    return refusal or [facts.WasSetUp(name, schedule)]


def announce(was: Tournament, command: commands.Announce, floor: Floor) -> FactsOrRefusal:
    """The brush has told the cost; that is on record from here on."""
    added = command.words.strip()
    if not all(one.isprintable() and len(one) <= WORDS_MAX for one in (added, command.brush)):
        told = {"tournament": was.tournament, "most": WORDS_MAX}
        return refuse(Code.NO_RULE, "nights.entry.one-line", **told)
    if command.brush and (problem := title_error("brush", command.brush)):
        return Refusal(Code.NO_RULE, problem)
    words = " ".join(filter(None, (announcement(was.schedule), added)))
    return [facts.Announced(was.tournament, command.brush or floor.actor, words)]


def enter(was: Tournament, command: commands.Enter, floor: Floor) -> FactsOrRefusal:
    """A buy-in, if the player may spend it."""
    player, price = command.player, was.schedule.buy_in
    if (refusal := nobody(player)) is not None:
        return refusal
    if player in was.players:
        who = {"player": player, "tournament": was.tournament}
        return refuse(Code.NOT_NOW, "nights.entry.entered-already", **who)
    if was.posted is not None or (
        was.dealt and _level(was, floor) > was.schedule.enter_until_level
    ):
        return refuse(Code.NOT_NOW, "nights.entry.too-late", tournament=was.tournament)
    if (refusal := _over(was, player, price, "buy-in", floor)) is not None:
        return refusal
    return [_sold(was, "buy-in", player, price)]


def register(was: Tournament, command: commands.Register, _: Floor) -> FactsOrRefusal:
    """Whoever is expected, once each; nobody has paid yet."""
    known = {name_key(one) for one in (*was.players, *was.registered)}
    new: list[str] = []
    for player in command.players:
        if (refusal := nobody(player)) is not None:
            return refusal
        if name_key(player) not in known:
            known.add(name_key(player))
            new.append(player)
    if not new:
        return refuse(Code.NOT_NOW, "nights.entry.all-registered", tournament=was.tournament)
    if len(was.registered) + len(new) > REGISTERED_MAX:
        return refuse(Code.ABOVE_MAXIMUM, "nights.entry.many-registered", most=REGISTERED_MAX)
    return [facts.Registered(was.tournament, tuple(new))]


def unregister(was: Tournament, command: commands.Unregister, _: Floor) -> FactsOrRefusal:
    """A name that was on the list by mistake, or will not come."""
    if command.player not in was.registered:
        who = {"player": printable(command.player), "tournament": was.tournament}
        return refuse(Code.UNKNOWN_SEAT, "nights.entry.not-registered", **who)
    return [facts.Unregistered(was.tournament, command.player)]


def re_buy(was: Tournament, command: commands.ReBuy, floor: Floor) -> FactsOrRefusal:
    """More chips for a player who is running out of them."""
    player, price = command.player, was.schedule.re_buy
    if not was.started:
        return refuse(Code.NOT_NOW, "nights.entry.re-buys-later", tournament=was.tournament)
    refusal = _extra(was, player, price, "re-buy", floor)
    if refusal is not None or price is None:
        return refusal or _none_sold(was, "re-buy")
    return [_sold(was, "re-buy", player, price)]


def add_on(was: Tournament, command: commands.AddOn, floor: Floor) -> FactsOrRefusal:
    """More chips for anybody, once or as often as the schedule says."""
    player, price = command.player, was.schedule.add_on
    refusal = _extra(was, player, price, "add-on", floor)
    if refusal is not None or price is None:
        return refusal or _none_sold(was, "add-on")
    return [_sold(was, "add-on", player, price)]


def refund(was: Tournament, command: commands.Refund, floor: Floor) -> FactsOrRefusal:
    """Everything that a player spent, while no card has been dealt."""
    rule, player = floor.rules.refunds, command.player
    if was.dealt or rule.until == "never":
        none = {"player": printable(player), "why": "dealt" if was.dealt else "never"}
        return refuse(Code.NOT_NOW, "nights.entry.no-refund", rule.clause, **none)
    if command.in_doubt and rule.in_doubt == "none":
        doubt = {"player": printable(player), "why": "in-doubt"}
        return refuse(Code.NOT_NOW, "nights.entry.no-refund", rule.clause, **doubt)
    if (refusal := unknown(was, [player])) is not None:
        return refusal
    one = was.players[player]
    return [facts.Refunded(was.tournament, player, one.spent, one.fee, one.chips)]


def check_in(was: Tournament, command: commands.CheckIn, floor: Floor) -> FactsOrRefusal:
    """Somebody is at the door, with a buy-in or before it."""
    player = command.player
    if (refusal := nobody(player)) is not None:
        return refusal
    if player in was.arrived:
        who = {"player": player, "tournament": was.tournament}
        return refuse(Code.NOT_NOW, "nights.entry.checked-in-already", **who)
    return [facts.CheckedIn(was.tournament, player, floor.now, floor.actor)]


def left_to_spend(was: Tournament, player: str, floor: Floor) -> Cents:
    """What a player may still spend on the tournament."""
    here = was.players[player].spent if player in was.players else 0
    spent = max(here, floor.spent(was.tournament, player))
    limit = floor.rules.limit(higher=was.schedule.higher_limit)
    return Cents(max(0, limit.player_max - spent))


def _sold(was: Tournament, what: Sale, player: str, price: Price) -> Fact:
    return facts.Sold(was.tournament, what, player, price.costs, price.kept, price.chips)


def _too_large(name: str, schedule: Schedule, floor: Floor) -> Refusal | None:
    higher = floor.rules.higher_spending
    if schedule.higher_limit:
        if higher is None or not higher.per_event:
            clause = (higher or floor.rules.spending).clause
            return refuse(Code.NO_RULE, "nights.entry.no-higher-limit", clause)
        if floor.large_used not in (None, name):
            large = {"most": higher.player_max, "other": floor.large_used}
            return refuse(Code.ABOVE_MAXIMUM, "nights.entry.one-is-large", higher.clause, **large)
    limit = floor.rules.limit(higher=schedule.higher_limit)
    if schedule.buy_in.costs > limit.player_max:
        dear = {"costs": schedule.buy_in.costs, "tournament": name, "most": limit.player_max}
        return refuse(Code.ABOVE_MAXIMUM, "nights.entry.too-dear", limit.clause, **dear)
    return None


def _misnamed(schedule: Schedule) -> Refusal | None:
    problem = title_error("title", schedule.title)
    return None if problem is None else Refusal(Code.NO_RULE, problem)


def _not_whole(schedule: Schedule) -> Refusal | None:
    wrong = next(iter(odd_shares(schedule)), None)
    return None if wrong is None else Refusal(Code.NO_RULE, wrong[1])


def _extra(
    was: Tournament, player: str, price: Extra | None, what: str, floor: Floor
) -> Refusal | None:
    if price is None:
        return _none_sold(was, what)
    if (refusal := unknown(was, [player])) is not None:
        return refusal
    one = was.players[player]
    if was.posted is not None or _level(was, floor) > price.until_level:
        return refuse(
            Code.NOT_NOW, "nights.entry.sold-no-more", what=what, tournament=was.tournament
        )
    if (one.re_buys if what == "re-buy" else one.add_ons) >= price.player_max:
        had = {"player": player, "count": price.player_max, "what": what}
        return refuse(Code.ABOVE_MAXIMUM, "nights.entry.had-the-most", **had)
    if price.chips_max is not None and one.chips > price.chips_max:
        rich = {"player": player, "chips": one.chips, "what": what, "most": price.chips_max}
        return refuse(Code.ABOVE_MAXIMUM, "nights.entry.too-many-chips", **rich)
    return _over(was, player, price, what, floor)


def _over(was: Tournament, player: str, price: Price, what: str, floor: Floor) -> Refusal | None:
    left = left_to_spend(was, player, floor)
    if price.costs <= left:
        return None
    limit = floor.rules.limit(higher=was.schedule.higher_limit)
    asked = {
        "most": limit.player_max,
        "tournament": was.tournament,
        "player": player,
        "left": left,
        "what": what,
        "costs": price.costs,
    }
    return refuse(Code.ABOVE_MAXIMUM, "nights.entry.over-limit", limit.clause, **asked)


def _none_sold(was: Tournament, what: str) -> Refusal:
    return refuse(Code.NO_RULE, "nights.entry.none-sold", tournament=was.tournament, what=what)


def _level(was: Tournament, floor: Floor) -> int:
    return reading(was.schedule, was.clock, floor.now).level
