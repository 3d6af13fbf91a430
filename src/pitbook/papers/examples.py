"""Worked examples: rounds that the engine dealt, played and settled."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from hashlib import sha256
from itertools import product
from typing import Any

from pitbook.cards import Card, card, name
from pitbook.errors import PitbookError
from pitbook.money import Cents, money
from pitbook.papers.assumptions import assumed_of_rule
from pitbook.papers.content import Block, Paragraph, Table
from pitbook.papers.numbers import percent
from pitbook.rules import round_file
from pitbook.rules.game import Game, compile_game
from pitbook.rules.round import Round
from pitbook.rules.settlement import Line
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.prose.words import outcome
from pitbook.sheets.provenance import combine
from pitbook.text import Sentence, capital, say

DealtCards = dict[str, list[Card]]  # By seat, "1" and "2", and by place in common.


def played(
    game: Game, deal: DealtCards, *, seats: tuple[int, ...], largest: bool = False
) -> Round | None:
    """The round with every wager made: at its smallest, or at its largest with the largest bets."""
    for plays, later in product(_plays(game, largest=largest), (False, True)):
        told = _file(game, _first(game, deal, later=later), seats, plays, largest=largest)
        try:
            return round_file.play(round_file.parse(json.dumps(told)), game.sheet)[0]
        except PitbookError:  # So many plays or cards do not come in this round: fewer are tried.
            continue
    return None


def laid_of(game: Game, round_: Round) -> tuple[Sentence, ...]:
    """The cards in common, place by place."""
    piles = zip(game.places[1:], round_.common, strict=True)
    return tuple(
        say("papers.examples.laid", place=place.id, cards=cards) for place, cards in piles if cards
    )


def _first(game: Game, deal: DealtCards, *, later: bool) -> DealtCards:
    """The cards that are dealt at once, or those with them that come later."""
    own, *common = game.places
    many = {one.id: one.cards - (0 if later else one.later) for one in common}
    each = own.cards - (0 if later else own.later)
    return {name: cards[: many.get(name, each)] for name, cards in deal.items()}


def _plays(game: Game, *, largest: bool) -> Iterator[list[str]]:
    """A play at every stage, then at the first stages alone, where later ones pass over."""
    pick = max if largest else min
    each = [
        pick(
            (one for one in stage.plays if not one.folds and not one.takes),
            key=lambda one: (one.times, str(one)),
        )
        for stage in game.stages
        if stage.plays
    ]
    for many in range(len(each), -1, -1):
        yield [str(one) for one in each[:many]]


def _file(
    game: Game, deal: DealtCards, seats: tuple[int, ...], plays: list[str], *, largest: bool
) -> dict[str, Any]:
    main, rule = game.main
    stakes = [(main, rule), *((wager, side.stake) for wager, side in game.sheet.side.items())]
    wagers = {wager: _stake(stake.max if largest else stake.min) for wager, stake in stakes}
    return {
        "sheet": game.sheet.id,
        **{place.id: _texts(deal[place.id]) for place in game.places[1:]},
        "seats": [
            {"seat": seat, "wagers": wagers, "cards": _texts(deal[str(seat)]), "play": plays}
            for seat in seats
        ],
    }


def _stake(amount: Cents) -> str:
    return money(amount)


def _texts(cards: list[Card]) -> list[str]:
    return [name(one) for one in cards]


TRIED = 400
MIRRORED = 20  # Deals in which the dealer holds the player's ranks: two like hands seldom meet.
RESULTS = ("win", "push", "lose")
TIE = "tie"
OTHERWISE = {"player": "dealer", "dealer": "player", "push": "dealer"}


def examples(game: Game) -> Iterator[Block]:
    """A round for each way in which the main wager ends, a tie, and a win of each side wager."""
    main = game.main[0]
    wanted = [(main, one) for one in RESULTS] + [(one, "win") for one in game.sheet.side]
    tie, tied = (main, TIE), _ties(game)
    wanted += [tie] if tied else []
    for deal in _deals(game):
        round_ = played(game, deal, seats=(1,))
        if round_ is None:
            continue
        lines = {(line.wager, line.result) for line in round_.settlements[0].lines}
        met: list[tuple[str, str]] = [one for one in wanted if one in lines]
        if tied and tie in wanted and tied(round_, deal):  # Told as a push where it is the first.
            met = [(main, "push"), tie] if (main, "push") in met else [tie]
        if met:
            yield _example(game, round_, *met[0])
            wanted = [one for one in wanted if one not in met]
        if not wanted:
            return


def _ties(game: Game) -> Callable[[Round, DealtCards], bool] | None:
    """Whether a round is a tie with the dealer; None where nobody ties, or a tie is played on."""
    sheet: Any = game.sheet
    if sheet.play.against != "dealer" or any(stage.when for stage in game.stages):
        return None
    ties = getattr(sheet.main, "ties", None)
    if ties is None:
        return lambda round_, _: _came_out(game, round_) == TIE
    try:
        other = compile_game(
            change_sheet(sheet, {"main.ties.is": OTHERWISE[ties.value]})
        )  # A tie alone differs.
    except PitbookError:  # Nothing but ties come, so that no sheet has them otherwise.
        return None

    def differs(round_: Round, deal: DealtCards) -> bool:
        again = played(other, deal, seats=(1,))
        lines = [one.settlements[0].lines[0].result for one in (round_, again) if one]
        return len({*lines}) > 1

    return differs


def _came_out(game: Game, round_: Round) -> str | None:
    lines = round_.settlements[0].lines
    return next((one.outcome for one in lines if one.wager == game.main[0]), None)


def _deals(game: Game) -> Iterator[DealtCards]:
    yield from (_deal(game, number) for number in range(TRIED))
    for number in range(MIRRORED):
        deal = _deal(game, number)
        mirrored = [Card(one ^ 1) for one in deal["1"]]  # The same ranks, each suit for another.
        more = [one for one in deal.get("dealer", ()) if one not in mirrored]
        dealers = [*mirrored, *more][: len(deal.get("dealer", ()))]
        if len(dealers) >= len(mirrored) and not {*mirrored} & {*deal["1"]}:
            yield {**deal, "dealer": dealers}


def _deal(game: Game, number: int) -> DealtCards:
    """Cards by a fixed shuffle, so that a paper is the same whenever it is made."""
    cards = [Card(one) for one in range(52)]
    cards.sort(key=lambda one: sha256(f"{number} {one}".encode()).digest())
    deal: DealtCards = {}
    for place_id, place in (("1", game.places[0]), *((one.id, one) for one in game.places[1:])):
        deal[place_id], cards = cards[: place.cards], cards[place.cards :]
    return deal


def _example(game: Game, round_: Round, wager: str, result: str) -> Paragraph:
    seat = round_.seats[0]
    lines = tuple(_line(game, one) for one in round_.settlements[0].lines)
    plays = tuple(play.label for play in seat.plays if str(play) != "-")
    text = say(
        "papers.examples.round",
        cards=seat.cards,
        laid=laid_of(game, round_),
        has_plays=bool(plays),
        plays=plays,
        lines=lines,
        net=abs(round_.settlements[0].net),
        came=_came(round_.settlements[0].net),
    )
    clauses = dict.fromkeys(one.clause for one in round_.settlements[0].lines)
    title = game.wager_title(wager)
    lead = say("papers.examples.lead", title=title, result=result)
    key = f"example {wager} {result}"
    return Paragraph(text, key, tuple(clauses), lead=lead, assumed="all")


def _came(net: int) -> str:
    return "won" if net > 0 else "lost" if net else "even"


def _line(game: Game, line: Line) -> Sentence:
    told = {"title": game.wager_title(line.wager), "stake": line.stake, "result": line.result}
    named = (line.outcome or "nothing") not in ("nothing", "win")
    hand = outcome(line.outcome or "nothing")
    return say("papers.examples.line", **told, named=named, hand=hand, wins=line.wins)


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
            yield from _cap_example(game, settled)
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


def _cap_example(game: Game, settled: Round) -> Iterator[Block]:
    hands = tuple(
        say("papers.worked.hand", seat=one.number, cards=one.cards) for one in settled.seats
    )
    cited = tuple(dict.fromkeys(bite.clause for bite in settled.bites))
    if any(one.per != "bet" for one in game.sheet.limits):
        shared = combine(
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
