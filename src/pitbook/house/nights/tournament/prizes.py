"""Who finishes where in a tournament, and what each place pays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from pitbook.house.nights.decision_types import TournamentContext
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.facts import (
    Awards,
    Drawn,
    Fact,
    FactsOrRefusal,
    PlayerGroup,
    TournamentEnding,
)
from pitbook.house.nights.tournament.schedule import MultiTableCut, Schedule
from pitbook.house.nights.tournament.state import (
    Tournament,
    apply,
    require_no_hand,
    require_playing,
)
from pitbook.money import Cents
from pitbook.rules.payout_caps import shares
from pitbook.rules.refusals import Code, refuse
from pitbook.text.user_input import printable

DrawLots = Callable[[int], int]
OddCents = Literal["draw", "first-entered"]


class PrizeShare(NamedTuple):
    """Awards of a group of players, and the numbers drawn for odd cents."""

    awards: Awards = ()
    drawn: Drawn = ()


def prize_amounts(tournament: Tournament) -> tuple[Cents, ...]:
    """The prize of each place. Odd cents go to the largest remainders, better places first.

    They add up to the prize money, whatever the schedule's shares add up to.
    """
    share_table = tournament.schedule.shares(len(tournament.players))
    return tuple(Cents(amount) for amount in shares(tournament.prize_money, share_table))


def preview_prizes(schedule: Schedule, entrants: int) -> tuple[Cents, ...]:
    """The payout of each place for a number of entrants without re-buys and add-ons."""
    price = schedule.buy_in
    money = Cents(entrants * (price.costs - price.charity_fee))
    return tuple(Cents(amount) for amount in shares(money, schedule.shares(entrants)))


def finishing_places(tournament: Tournament) -> dict[PlayerGroup, int]:
    """The best place of each eliminated group; it drops while others may still enter."""
    places_by_group, players_left = {}, len(tournament.players)
    for group in tournament.out:
        players_left -= len(group)
        places_by_group[group] = players_left + 1
    return places_by_group


def award_prizes(
    prizes: Sequence[Cents], placed: Iterable[tuple[PlayerGroup, int]], draw: DrawLots
) -> PrizeShare:
    """The awards of groups for their places."""
    awards = PrizeShare()
    for group, place in placed:
        pool = sum(prizes[place - 1 : place - 1 + len(group)])
        share = split_money(Cents(pool), group, draw)
        awards = PrizeShare(awards.awards + share.awards, awards.drawn + share.drawn)
    return awards


def split_money(
    total: Cents,
    players: Sequence[str],
    draw: DrawLots,
    *,
    weights: Sequence[int] = (),
    odd_cents: OddCents = "draw",
) -> PrizeShare:
    """A sum in equal or weighted parts; each odd cent goes to another player, by lot."""
    if not total:
        return PrizeShare()
    weights = weights or [1] * len(players)
    parts = {
        player: total * weight // sum(weights)
        for player, weight in zip(players, weights, strict=True)
    }
    candidates, drawn = list(players), []
    for _ in range(total - sum(parts.values())):
        if odd_cents == "draw":
            drawn.append(draw(len(candidates)))
        parts[candidates.pop(drawn[-1] if odd_cents == "draw" else 0)] += 1
    awards = tuple((player, Cents(part)) for player, part in parts.items() if part)
    return PrizeShare(awards, tuple(drawn))


def split_remaining_prizes(
    tournament: Tournament, total: Cents, rule: MultiTableCut, draw: DrawLots
) -> PrizeShare:
    """The remaining prize money for the players still in, split by the house's rule."""
    players_left = tournament.still_in
    weights = (
        [tournament.players[player].chips for player in players_left]
        if rule.divided == "by-chips"
        else ()
    )
    return split_money(total, players_left, draw, weights=weights, odd_cents=rule.odd_cents)


def break_ties(
    groups: tuple[PlayerGroup, ...], draw: DrawLots
) -> tuple[tuple[PlayerGroup, ...], Drawn]:
    """Groups with equal chips split into single players by lot, last place first, and the draws."""
    singles, drawn = [], []
    for group in groups:
        candidates = list(group)
        while len(candidates) > 1:
            drawn.append(draw(len(candidates)))
            singles.append((candidates.pop(drawn[-1]),))
        singles.append((candidates[0],))
    return tuple(singles), tuple(drawn)


def rank_by_chips(tournament: Tournament) -> tuple[PlayerGroup, ...]:
    """Players still in by their last count, fewest chips first; equal chips are one group."""

    def chips(player: str) -> Cents:
        return tournament.players[player].chips

    ordered = sorted(tournament.still_in, key=chips)
    return tuple(tuple(group) for _, group in groupby(ordered, key=chips))


def refund_all(tournament: Tournament) -> Awards:
    """The refunds of a void tournament: all spending, less prizes already paid.

    A paid prize above its player's spending leaves less money. It is then shared in proportion
    to the refunds due.
    """
    players = tournament.players.values()
    amounts_due = [max(0, player.spent - player.paid) for player in players]
    available = sum(player.spent - player.paid for player in players)
    parts = amounts_due if sum(amounts_due) == available else shares(available, amounts_due)
    return tuple(
        (player, Cents(part))
        for player, part in zip(tournament.players, parts, strict=True)
        if part
    )


def post_prizes(
    tournament: Tournament, _: commands.PostPrizes, context: TournamentContext
) -> FactsOrRefusal:
    """Post the payouts; sales end."""
    if tournament.posted is not None:
        return refuse(Code.NOT_NOW, "nights.leaving.posted", tournament=tournament.tournament)
    return require_playing(tournament) or [_prizes_posted_event(tournament, context)]


def finish(
    tournament: Tournament, _: commands.Finish, context: TournamentContext
) -> FactsOrRefusal:
    """Finish a tournament that is played out, or by chip count when the clock has run out."""
    if (
        refusal := require_playing(tournament) or require_no_hand(tournament, tournament.in_hand)
    ) is not None:
        return refusal
    if not tournament.dealt and tournament.players:
        key, clause = "nights.leaving.nobody-won", context.rules.refunds.clause
        fields = {"tournament": tournament.tournament, "players": tuple(tournament.players)}
        return refuse(Code.NOT_NOW, key, clause, **fields)
    if len(tournament.still_in) <= 1:
        return finish_events(tournament, context, "played", None)
    if (
        tournament.schedule.ends == "clock"
        and reading(tournament.schedule, tournament.clock, context.now).over
    ):
        return finish_events(tournament, context, "clock", None)
    progress_fields = {
        "tournament": tournament.tournament,
        "left": len(tournament.still_in),
        "ends": tournament.schedule.ends,
    }
    return refuse(Code.NOT_NOW, "nights.leaving.still-played", **progress_fields)


def finish_events(
    tournament: Tournament, context: TournamentContext, ending: TournamentEnding, clause: str | None
) -> list[Fact]:
    """Facts that end a tournament by its places; the payouts are posted first if needed."""
    events, tournament = ensure_prizes_posted(tournament, context)
    groups = rank_by_chips(tournament)
    drawn: Drawn = ()
    if ending == "chip-count" and context.rules.hourly.equal_chips == "draw":
        groups, drawn = break_ties(groups, context.draw)
    place_by_group = finishing_places(tournament._replace(out=(*tournament.out, *groups)))
    share = _prize_share(tournament, [(group, place_by_group[group]) for group in groups], context)
    share = share._replace(drawn=(*drawn, *share.drawn))
    return [
        *events,
        facts.Finished(tournament.tournament, ending, clause, groups, *share, context.now),
    ]


def ensure_prizes_posted(
    tournament: Tournament, context: TournamentContext
) -> tuple[list[Fact], Tournament]:
    """The fact that posts the payouts, if needed, and the tournament after it."""
    if tournament.posted is not None:
        return [], tournament
    prizes_fact = _prizes_posted_event(tournament, context)
    return [prizes_fact], apply(tournament, prizes_fact)


def elimination_event(
    tournament: Tournament, players: PlayerGroup, context: TournamentContext
) -> Fact:
    """The fact that eliminates players together, with their place and prize."""
    place = finishing_places(tournament._replace(out=(*tournament.out, players)))[players]
    share = _prize_share(tournament, [(players, place)], context)
    return facts.Eliminated(tournament.tournament, players, place, *share)


def pay_out(
    tournament: Tournament, command: commands.PayOut, _: TournamentContext
) -> FactsOrRefusal:
    """Pay a player everything owed."""
    player = command.player
    if player not in tournament.players:
        fields = {"player": printable(player), "tournament": tournament.tournament}
        return refuse(Code.UNKNOWN_SEAT, "nights.asked.not-entered", **fields)
    if not tournament.players[player].owed:
        debt_fields = {"tournament": tournament.tournament, "player": player}
        return refuse(Code.NOT_COVERED, "nights.leaving.owes-nothing", **debt_fields)
    return [facts.PaidOut(tournament.tournament, player, tournament.players[player].owed)]


def _prizes_posted_event(tournament: Tournament, context: TournamentContext) -> Fact:
    prizes = prize_amounts(tournament)
    share = award_prizes(prizes, finishing_places(tournament).items(), context.draw)
    return facts.PrizesPosted(tournament.tournament, prizes, *share)


def _prize_share(
    tournament: Tournament, groups: list[tuple[PlayerGroup, int]], context: TournamentContext
) -> PrizeShare:
    return (
        PrizeShare()
        if tournament.posted is None
        else award_prizes(tournament.posted, groups, context.draw)
    )
