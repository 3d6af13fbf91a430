"""Who is paid what. Equal places share what they would have had; odd cents are drawn for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from pitbook.engine.limits import shares
from pitbook.money import Cents
from pitbook.nights.tournament.facts import Awards, Drawn, Group
from pitbook.nights.tournament.state import Tournament

__all__ = ["Share", "amounts", "awarded", "by_chips", "divided", "places", "returns"]

Draw = Callable[[int], int]


class Share(NamedTuple):
    """What players are due, and the numbers that were drawn for odd cents."""

    awards: Awards = ()
    drawn: Drawn = ()


def amounts(tournament: Tournament) -> tuple[Cents, ...]:
    """The prize of each place; the largest remainders have the odd cents, the better place first.

    They add up to the prize money, whatever the shares in the schedule add up to.
    """
    table = tournament.schedule.shares(len(tournament.players))
    return tuple(Cents(one) for one in shares(tournament.prize_money, table))


def places(tournament: Tournament) -> dict[Group, int]:
    """The best place of each group that is out; it sinks while others may still enter."""
    found, left = {}, len(tournament.players)
    for group in tournament.out:
        left -= len(group)
        found[group] = left + 1
    return found


def awarded(prizes: Sequence[Cents], placed: Iterable[tuple[Group, int]], draw: Draw) -> Share:
    """What groups are due for their places."""
    whole = Share()
    for group, place in placed:
        together = sum(prizes[place - 1 : place - 1 + len(group)])
        share = divided(Cents(together), group, draw)
        whole = Share(whole.awards + share.awards, whole.drawn + share.drawn)
    return whole


def divided(total: Cents, players: Sequence[str], draw: Draw) -> Share:
    """A sum in even parts; each odd cent goes to another player, by lot."""
    if not total:
        return Share()
    even, odd = divmod(total, len(players))
    waiting, lucky, drawn = list(players), set(), []
    for _ in range(odd):
        drawn.append(draw(len(waiting)))
        lucky.add(waiting.pop(drawn[-1]))
    parts = ((player, Cents(even + (player in lucky))) for player in players)
    return Share(tuple((player, part) for player, part in parts if part), tuple(drawn))


def by_chips(tournament: Tournament) -> tuple[Group, ...]:
    """Those still in by their last count, fewest chips first; equal chips are one group."""

    def chips(player: str) -> Cents:
        return tournament.players[player].chips

    ordered = sorted(tournament.still_in, key=chips)
    return tuple(tuple(group) for _, group in groupby(ordered, key=chips))


def returns(tournament: Tournament) -> Awards:
    """What goes back when a tournament is void: all that was spent, less prizes already paid.

    A prize above its player's own spending is money that is no longer there: what remains is
    then shared in proportion to what each should have had.
    """
    players = tournament.players.values()
    due = [max(0, one.spent - one.paid) for one in players]
    there = sum(one.spent - one.paid for one in players)
    parts = due if sum(due) == there else shares(there, due)
    return tuple(
        (player, Cents(part))
        for player, part in zip(tournament.players, parts, strict=True)
        if part
    )
