"""What a fact of a tournament moves in the ledger; what is undone moves back the way it came."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pitbook.house.ledger.accounts import Account, Transfer, move
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.evolve import before_last
from pitbook.house.nights.tournament.facts import Fact
from pitbook.house.nights.tournament.state import Tournament

Moves = list[Transfer]


class TournamentTill:
    """The accounts of one tournament."""

    def __init__(self, tournament: str) -> None:
        event = tournament.rpartition(".")[0]
        self.unit = f"tournament:{tournament}"
        self.cash = Account("usd", "cash", event)
        self.prizes = Account("usd", "prizes", tournament)
        self.fees = Account("usd", "house", tournament)
        self.issued = Account(self.unit, "issued")
        self.table = Account(self.unit, "house")  # Plays against the players, as live tables do.

    def wallet(self, player: str) -> Account:
        """The chips of a player."""
        return Account(self.unit, "wallet", player)


def transfers(before: Tournament | None, fact: Fact) -> tuple[Transfer, ...]:
    """The transfers that are written with a fact, given the tournament before it."""
    if before is None or type(fact) not in _MOVES:
        return ()
    return tuple(_MOVES[type(fact)](TournamentTill(fact.tournament), before, fact))


def _sold(till: TournamentTill, _: Tournament, fact: facts.Sold) -> Moves:
    why = f"{fact.tournament} {fact.what} of {fact.player}"
    return _some(
        (till.cash, till.prizes, fact.paid - fact.fee, why),
        (till.cash, till.fees, fact.fee, why),
        (till.issued, till.wallet(fact.player), fact.chips, why),
    )


def _refunded(till: TournamentTill, _: Tournament, fact: facts.Refunded) -> Moves:
    why = f"{fact.tournament} refund to {fact.player}"
    return _some(
        (till.prizes, till.cash, fact.paid - fact.fee, why),
        (till.fees, till.cash, fact.fee, why),
        (till.wallet(fact.player), till.issued, fact.chips, why),
    )


def _counted(till: TournamentTill, before: Tournament, fact: facts.ChipsCounted) -> Moves:
    if fact.in_book:
        return []
    found: Moves = []
    for player, chips in fact.counts:
        won, wallet = chips - before.players[player].chips, till.wallet(player)
        why = f"{fact.tournament} count at table {fact.table}"
        found += _some((till.table, wallet, won, why), (wallet, till.table, -won, why))
    return found


def _eliminated(till: TournamentTill, before: Tournament, fact: facts.Eliminated) -> Moves:
    return _taken_up(till, before, fact.players)


def _finished(till: TournamentTill, before: Tournament, _: Fact) -> Moves:
    """All chips come in, and are worth nothing from here on."""
    given = sum(one.given for one in before.players.values())
    back = (till.table, till.issued, given, f"{before.tournament} chips given up")
    return [*_taken_up(till, before, before.players), *_some(back)]


def _voided(till: TournamentTill, before: Tournament, fact: facts.Voided) -> Moves:
    returned = (till.fees, till.prizes, fact.fee, f"{fact.tournament} void: the charity's part")
    return [*_finished(till, before, fact), *_some(returned)]


def _paid_out(till: TournamentTill, before: Tournament, fact: facts.PaidOut) -> Moves:
    what = "return" if before.status == "void" else "prize"
    return _some((till.prizes, till.cash, fact.amount, f"{fact.tournament} {what} {fact.player}"))


def _undone(_: TournamentTill, before: Tournament, fact: facts.Undone) -> Moves:
    assert before.last is not None
    earlier, (_number, last) = before_last(before), before.last
    why = f"{fact.tournament} undone: {fact.of}"
    moved = reversed(transfers(earlier, last))
    return [move(one.credit, one.debit, one.amount, why) for one in moved]


def _taken_up(till: TournamentTill, before: Tournament, players: Iterable[str]) -> Moves:
    why = f"{before.tournament} chips taken up"
    held = ((player, before.players[player].chips) for player in players)
    return _some(*((till.wallet(player), till.table, chips, why) for player, chips in held))


def _some(*wanted: tuple[Account, Account, int, str]) -> Moves:
    return [move(*one) for one in wanted if one[2] > 0]


_MOVES: dict[type, Callable[[TournamentTill, Tournament, Any], Moves]] = {
    facts.Sold: _sold,
    facts.Refunded: _refunded,
    facts.ChipsCounted: _counted,
    facts.Eliminated: _eliminated,
    facts.Finished: _finished,
    facts.Voided: _voided,
    facts.PaidOut: _paid_out,
    facts.Undone: _undone,
}
