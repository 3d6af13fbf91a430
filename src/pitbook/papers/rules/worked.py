"""A cap at work: a round in which it bites, dealt, played and settled by the engine itself."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pitbook.cards import Card, card
from pitbook.papers.assumptions import assumed_of_rule
from pitbook.papers.content import Block, Paragraph, Table
from pitbook.papers.numbers import percent
from pitbook.papers.rules.played import DealtCards, laid_of, played
from pitbook.rules.game import Game
from pitbook.rules.round import Round
from pitbook.sheets.aloud.words import outcome
from pitbook.sheets.ours import joined
from pitbook.text import capital, say

RANKS, SUITS, HAND = "AKQJT98765432", "shdc", 5
COLUMNS = ("seat", "wager", "stake", "hand", "due", "paid")


def worked(game: Game) -> Iterator[Block]:
    """The first round of a few in which a cap bites, line by line; nothing where none does."""
    if not game.sheet.limits:
        return
    seats = (1, 2)[: game.sheet.seats.count]
    for deal in (_suited(game, both=True), _suited(game), _alike(game)):
        settled = played(game, deal, seats=seats, largest=True)
        if settled is not None and settled.bites:
            yield from _told(game, settled)
            return


def _suited(game: Game, *, both: bool = False) -> DealtCards:
    """The first seat and the board share the highest cards of a suit; the other its next ones."""
    run = [card(rank + SUITS[0]) for rank in RANKS]
    rest = [card(rank + suit) for rank in reversed(RANKS) for suit in SUITS[1:]]
    found: DealtCards = {"1": _taken(run, game.places[0].cards - game.places[0].later)}
    for place in game.places[1:]:
        board = place.id != "dealer"
        high = _taken(run, min(place.cards, max(0, HAND - len(found["1"])))) if board else []
        found[place.id] = [*high, *_taken(rest, place.cards - place.later - len(high))]
    found["2"] = _taken(run if both else rest, len(found["1"]))
    return found


def _alike(game: Game) -> DealtCards:
    """Every seat has one card many times over, and the dealer its rank: for several decks."""
    own = game.places[0].cards - game.places[0].later
    twos = [card(f"2{suit}") for suit in SUITS]
    found: DealtCards = {str(seat): [twos[seat - 1]] * own for seat in (1, 2)}
    for place in game.places[1:]:
        found[place.id] = [twos[2 + turn % 2] for turn in range(place.cards - place.later)]
    return found


def _taken(cards: list[Card], many: int) -> list[Card]:
    taken, cards[:many] = cards[:many], []
    return taken


def _told(game: Game, settled: Round) -> Iterator[Block]:
    hands = tuple(
        say("papers.worked.hand", seat=one.number, cards=one.cards) for one in settled.seats
    )
    cited = tuple(dict.fromkeys(bite.clause for bite in settled.bites))
    if any(one.per != "bet" for one in game.sheet.limits):
        shared = joined(
            assumed_of_rule(one, "per", "pays_max", "counts")
            for one in game.sheet.limits
            if one.per != "bet"
        )
        text = say("papers.worked.shared")
        yield Paragraph(text, "worked shared", cited, assumed=shared)
    text = say("papers.worked.round", hands=hands, laid=laid_of(game, settled))
    yield Paragraph(text, "worked", (settled.bites[0].clause,), assumed="all")
    yield from _in_pieces(game, settled)
    head = tuple(say("papers.worked.head", column=one) for one in COLUMNS)
    rows = tuple(_rows(game, settled))
    title = say("papers.worked.table")
    yield Table(title, head, rows, "llrlrr", "worked lines", cited, assumed="all")
    for place, bite in enumerate(settled.bites, start=1):
        portion = percent(Fraction(bite.paid, bite.due))
        told = {"due": bite.due, "paid": bite.paid, "seat": bite.seat or 0}
        text = say("papers.worked.bite", **told, share=portion)
        yield Paragraph(text, f"worked bite {place}", (bite.clause,), assumed="all")


def _in_pieces(game: Game, settled: Round) -> Iterator[Paragraph]:
    """Why stakes may be above the maximum of a single bet: they are several bets on a circle."""
    flat = game.sheet.single_bet_max
    bets = {line.wager: line.stake for hand in settled.settlements for line in hand.lines}
    above = {wager: stake for wager, stake in bets.items() if flat and stake > flat.value}
    if flat is None or not above:
        return
    titles = tuple(map(game.wager_title, above))
    stake = max(above.values())
    told = {"stake": stake, "most": flat.value, "count": -(-stake // flat.value)}
    text = say("papers.worked.pieces", wagers=titles, **told)
    yield Paragraph(text, "worked pieces", (flat.clause,), assumed="all")


def _rows(game: Game, settled: Round) -> Iterator[tuple[str, ...]]:
    for hand in settled.settlements:
        for line in hand.lines:
            due = line.odds.wins(line.stake) if line.odds else 0
            yield (
                str(hand.seat),
                game.wager_title(line.wager),
                say("papers.money", amount=line.stake),
                capital(outcome(line.outcome or "nothing")),
                say("papers.money", amount=due),
                say("papers.money", amount=line.wins),
            )
