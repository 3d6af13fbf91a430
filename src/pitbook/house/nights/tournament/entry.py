"""Entry: sales, spending limits, refunds, registration and check-in."""

from __future__ import annotations

from pitbook.house.ledger.accounts import UNIT
from pitbook.house.nights.decision_types import TournamentContext
from pitbook.house.nights.resolve_names import name_refusal
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
from pitbook.house.nights.tournament.state import Tournament, require_players_in
from pitbook.house.people.names import name_key
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text.user_input import printable, title_error

WORDS_MAX = 200
REGISTERED_MAX = 2_000


def set_up(
    tournament: Tournament | None, command: commands.SetUp, context: TournamentContext
) -> FactsOrRefusal:
    """Create a tournament of this event within its limits."""
    name, schedule = command.tournament, command.schedule
    event, _, short_name = name.rpartition(".")
    if event != context.event or not short_name or not UNIT.fullmatch(f"tournament:{name}"):
        fields = {"name": printable(name), "event": context.event}
        return refuse(Code.UNKNOWN_PLACE, "nights.entry.no-tournament", **fields)
    if tournament is not None and tournament.status != "withdrawn":
        return refuse(Code.NOT_NOW, "nights.entry.set-up-already", tournament=name)
    refusal = (
        _buy_in_refusal(name, schedule, context)
        or _title_refusal(schedule)
        or _shares_refusal(schedule)
    )
    return refusal or [facts.TournamentCreated(name, schedule)]


def announce(
    tournament: Tournament, command: commands.Announce, context: TournamentContext
) -> FactsOrRefusal:
    """Record that the brush announced the cost."""
    added = command.words.strip()
    if not all(line.isprintable() and len(line) <= WORDS_MAX for line in (added, command.brush)):
        fields = {"tournament": tournament.tournament, "most": WORDS_MAX}
        return refuse(Code.NO_RULE, "nights.entry.one-line", **fields)
    if command.brush and (problem := title_error("brush", command.brush)):
        return Refusal(Code.NO_RULE, problem)
    words = " ".join(filter(None, (announcement(tournament.schedule), added)))
    return [facts.Announced(tournament.tournament, command.brush or context.actor, words)]


def enter(
    tournament: Tournament, command: commands.Enter, context: TournamentContext
) -> FactsOrRefusal:
    """Sell a buy-in if the player's spending limit allows it."""
    player, price = command.player, tournament.schedule.buy_in
    if (refusal := name_refusal(player)) is not None:
        return refusal
    if player in tournament.players:
        fields = {"player": player, "tournament": tournament.tournament}
        return refuse(Code.NOT_NOW, "nights.entry.entered-already", **fields)
    if tournament.posted is not None or (
        tournament.dealt and _level(tournament, context) > tournament.schedule.enter_until_level
    ):
        return refuse(Code.NOT_NOW, "nights.entry.too-late", tournament=tournament.tournament)
    if (refusal := _over_limit_refusal(tournament, player, price, "buy-in", context)) is not None:
        return refusal
    return [_sale(tournament, "buy-in", player, price)]


def register(
    tournament: Tournament, command: commands.Register, _: TournamentContext
) -> FactsOrRefusal:
    """Register expected players, each once; nothing is paid yet."""
    registered_keys = {name_key(name) for name in (*tournament.players, *tournament.registered)}
    new_players: list[str] = []
    for player in command.players:
        if (refusal := name_refusal(player)) is not None:
            return refusal
        if name_key(player) not in registered_keys:
            registered_keys.add(name_key(player))
            new_players.append(player)
    if not new_players:
        return refuse(Code.NOT_NOW, "nights.entry.all-registered", tournament=tournament.tournament)
    if len(tournament.registered) + len(new_players) > REGISTERED_MAX:
        return refuse(Code.ABOVE_MAXIMUM, "nights.entry.many-registered", most=REGISTERED_MAX)
    return [facts.Registered(tournament.tournament, tuple(new_players))]


def unregister(
    tournament: Tournament, command: commands.Unregister, _: TournamentContext
) -> FactsOrRefusal:
    """Remove a name from the list of expected players."""
    if command.player not in tournament.registered:
        fields = {"player": printable(command.player), "tournament": tournament.tournament}
        return refuse(Code.UNKNOWN_SEAT, "nights.entry.not-registered", **fields)
    return [facts.Unregistered(tournament.tournament, command.player)]


def re_buy(
    tournament: Tournament, command: commands.ReBuy, context: TournamentContext
) -> FactsOrRefusal:
    """Sell more chips to a player who is running out of them."""
    player, price = command.player, tournament.schedule.re_buy
    if not tournament.started:
        return refuse(Code.NOT_NOW, "nights.entry.re-buys-later", tournament=tournament.tournament)
    refusal = _extra_refusal(tournament, player, price, "re-buy", context)
    if refusal is not None or price is None:
        return refusal or _not_offered(tournament, "re-buy")
    return [_sale(tournament, "re-buy", player, price)]


def add_on(
    tournament: Tournament, command: commands.AddOn, context: TournamentContext
) -> FactsOrRefusal:
    """Sell more chips to any player, as often as the schedule allows."""
    player, price = command.player, tournament.schedule.add_on
    refusal = _extra_refusal(tournament, player, price, "add-on", context)
    if refusal is not None or price is None:
        return refusal or _not_offered(tournament, "add-on")
    return [_sale(tournament, "add-on", player, price)]


def refund(
    tournament: Tournament, command: commands.Refund, context: TournamentContext
) -> FactsOrRefusal:
    """Refund everything a player spent, until the first card is dealt."""
    rule, player = context.rules.refunds, command.player
    if tournament.dealt or rule.until == "never":
        fields = {"player": printable(player), "why": "dealt" if tournament.dealt else "never"}
        return refuse(Code.NOT_NOW, "nights.entry.no-refund", rule.clause, **fields)
    if command.in_doubt and rule.in_doubt == "none":
        doubt_fields = {"player": printable(player), "why": "in-doubt"}
        return refuse(Code.NOT_NOW, "nights.entry.no-refund", rule.clause, **doubt_fields)
    if (refusal := require_players_in(tournament, [player])) is not None:
        return refusal
    entrant = tournament.players[player]
    return [
        facts.Refunded(tournament.tournament, player, entrant.spent, entrant.fee, entrant.chips)
    ]


def check_in(
    tournament: Tournament, command: commands.CheckIn, context: TournamentContext
) -> FactsOrRefusal:
    """Check a player in, before or after the buy-in."""
    player = command.player
    if (refusal := name_refusal(player)) is not None:
        return refusal
    if player in tournament.arrived:
        fields = {"player": player, "tournament": tournament.tournament}
        return refuse(Code.NOT_NOW, "nights.entry.checked-in-already", **fields)
    return [facts.CheckedIn(tournament.tournament, player, context.now, context.actor)]


def left_to_spend(tournament: Tournament, player: str, context: TournamentContext) -> Cents:
    """What a player may still spend on the tournament."""
    spent_here = tournament.players[player].spent if player in tournament.players else 0
    spent = max(spent_here, context.spent(tournament.tournament, player))
    limit = context.rules.limit(higher=tournament.schedule.higher_limit)
    return Cents(max(0, limit.player_max - spent))


def _sale(tournament: Tournament, sale: Sale, player: str, price: Price) -> Fact:
    return facts.Sold(
        tournament.tournament, sale, player, price.costs, price.charity_fee, price.chips
    )


def _buy_in_refusal(name: str, schedule: Schedule, context: TournamentContext) -> Refusal | None:
    higher = context.rules.higher_spending
    if schedule.higher_limit:
        if higher is None or not higher.per_event:
            clause = (higher or context.rules.spending).clause
            return refuse(Code.NO_RULE, "nights.entry.no-higher-limit", clause)
        if context.large_used not in (None, name):
            fields = {"most": higher.player_max, "other": context.large_used}
            return refuse(Code.ABOVE_MAXIMUM, "nights.entry.one-is-large", higher.clause, **fields)
    limit = context.rules.limit(higher=schedule.higher_limit)
    if schedule.buy_in.costs > limit.player_max:
        price_fields = {
            "costs": schedule.buy_in.costs,
            "tournament": name,
            "most": limit.player_max,
        }
        return refuse(Code.ABOVE_MAXIMUM, "nights.entry.too-dear", limit.clause, **price_fields)
    return None


def _title_refusal(schedule: Schedule) -> Refusal | None:
    problem = title_error("title", schedule.title)
    return None if problem is None else Refusal(Code.NO_RULE, problem)


def _shares_refusal(schedule: Schedule) -> Refusal | None:
    problem = next(iter(odd_shares(schedule)), None)
    return None if problem is None else Refusal(Code.NO_RULE, problem[1])


def _extra_refusal(
    tournament: Tournament,
    player: str,
    price: Extra | None,
    purchase: str,
    context: TournamentContext,
) -> Refusal | None:
    if price is None:
        return _not_offered(tournament, purchase)
    if (refusal := require_players_in(tournament, [player])) is not None:
        return refusal
    entrant = tournament.players[player]
    if tournament.posted is not None or _level(tournament, context) > price.until_level:
        return refuse(
            Code.NOT_NOW,
            "nights.entry.sold-no-more",
            what=purchase,
            tournament=tournament.tournament,
        )
    if (entrant.re_buys if purchase == "re-buy" else entrant.add_ons) >= price.player_max:
        fields = {"player": player, "count": price.player_max, "what": purchase}
        return refuse(Code.ABOVE_MAXIMUM, "nights.entry.had-the-most", **fields)
    if price.chips_max is not None and entrant.chips > price.chips_max:
        chip_fields = {
            "player": player,
            "chips": entrant.chips,
            "what": purchase,
            "most": price.chips_max,
        }
        return refuse(Code.ABOVE_MAXIMUM, "nights.entry.too-many-chips", **chip_fields)
    return _over_limit_refusal(tournament, player, price, purchase, context)


def _over_limit_refusal(
    tournament: Tournament, player: str, price: Price, purchase: str, context: TournamentContext
) -> Refusal | None:
    left = left_to_spend(tournament, player, context)
    if price.costs <= left:
        return None
    limit = context.rules.limit(higher=tournament.schedule.higher_limit)
    fields = {
        "most": limit.player_max,
        "player": player,
        "left": left,
        "what": purchase,
        "costs": price.costs,
    }
    return refuse(Code.ABOVE_MAXIMUM, "nights.entry.over-limit", limit.clause, **fields)


def _not_offered(tournament: Tournament, purchase: str) -> Refusal:
    return refuse(
        Code.NO_RULE, "nights.entry.none-sold", tournament=tournament.tournament, what=purchase
    )


def _level(tournament: Tournament, context: TournamentContext) -> int:
    return reading(tournament.schedule, tournament.clock, context.now).level
