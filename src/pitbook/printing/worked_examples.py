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
from pitbook.printing.content import Block, Paragraph, Table
from pitbook.printing.numbers import percent
from pitbook.rules import round_file
from pitbook.rules.game import Game, compile_game
from pitbook.rules.round import Round
from pitbook.rules.settlement_lines import Line
from pitbook.sheets.assumptions import assumed_of_rule
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.phrases import outcome
from pitbook.sheets.provenance import combine
from pitbook.text import Sentence, capital, say

DealtCards = dict[str, list[Card]]  # By seat ("1" and "2") and by place of common cards.


def play_deal(
    game: Game, deal: DealtCards, *, seats: tuple[int, ...], largest: bool = False
) -> Round | None:
    """The settled round, with every wager at its minimum or everything at its maximum."""
    for plays, later in product(_plays(game, largest=largest), (False, True)):
        document = _round_document(
            game, _initial_deal(game, deal, later=later), seats, plays, largest=largest
        )
        try:
            return round_file.play(round_file.parse(json.dumps(document)), game.sheet)[0]
        except PitbookError:  # This many plays or cards do not occur in this round; try fewer.
            continue
    return None


def common_cards(game: Game, round_: Round) -> tuple[Sentence, ...]:
    """The common cards, place by place."""
    piles = zip(game.places[1:], round_.common, strict=True)
    return tuple(
        say("papers.examples.laid", place=place.id, cards=cards) for place, cards in piles if cards
    )


def _initial_deal(game: Game, deal: DealtCards, *, later: bool) -> DealtCards:
    """The cards dealt first, or also those that come later."""
    hole, *common_places = game.places
    counts = {place.id: place.cards - (0 if later else place.later) for place in common_places}
    hole_count = hole.cards - (0 if later else hole.later)
    return {name: cards[: counts.get(name, hole_count)] for name, cards in deal.items()}


def _plays(game: Game, *, largest: bool) -> Iterator[list[str]]:
    """A play at every stage; then only at the first stages, if later ones do not occur."""
    pick = max if largest else min
    choices = [
        pick(
            (play for play in stage.plays if not play.folds and not play.takes),
            key=lambda play: (play.times, str(play)),
        )
        for stage in game.stages
        if stage.plays
    ]
    for length in range(len(choices), -1, -1):
        yield [str(play) for play in choices[:length]]


def _round_document(
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
    return [name(card) for card in cards]


DEALS_TRIED = 400
DEALS_MIRRORED = 20  # Deals that give the dealer the player's ranks: equal hands are rare.
RESULTS = ("win", "push", "lose")
TIE = "tie"
OTHERWISE = {"player": "dealer", "dealer": "player", "push": "dealer"}


def examples(game: Game) -> Iterator[Block]:
    """A round for each result of the main wager, a tie, and a win of each side wager."""
    main = game.main[0]
    open_cases = [(main, key) for key in RESULTS] + [(key, "win") for key in game.sheet.side]
    tie, tied = (main, TIE), _ties(game)
    open_cases += [tie] if tied else []
    for deal in _deals(game):
        round_ = play_deal(game, deal, seats=(1,))
        if round_ is None:
            continue
        lines = {(line.wager, line.result) for line in round_.settlements[0].lines}
        met_cases: list[tuple[str, str]] = [case for case in open_cases if case in lines]
        # If a tie is the first push, show it as the push.
        if tied and tie in open_cases and tied(round_, deal):
            met_cases = [(main, "push"), tie] if (main, "push") in met_cases else [tie]
        if met_cases:
            yield _example(game, round_, *met_cases[0])
            open_cases = [case for case in open_cases if case not in met_cases]
        if not open_cases:
            return


def _ties(game: Game) -> Callable[[Round, DealtCards], bool] | None:
    """A test whether a round ties the dealer; None if ties cannot happen or are played on."""
    sheet: Any = game.sheet
    if sheet.play.against != "dealer" or any(stage.when for stage in game.stages):
        return None
    ties = getattr(sheet.main, "ties", None)
    if ties is None:
        return lambda round_, _: _main_outcome(game, round_) == TIE
    try:
        # Only ties differ.
        other = compile_game(change_sheet(sheet, {"main.ties.is": OTHERWISE[ties.value]}))
    except PitbookError:  # Ties always push, so no sheet settles them otherwise.
        return None

    def differs(round_: Round, deal: DealtCards) -> bool:
        replayed = play_deal(other, deal, seats=(1,))
        lines = [
            played_round.settlements[0].lines[0].result
            for played_round in (round_, replayed)
            if played_round
        ]
        return len({*lines}) > 1

    return differs


def _main_outcome(game: Game, round_: Round) -> str | None:
    lines = round_.settlements[0].lines
    return next((line.outcome for line in lines if line.wager == game.main[0]), None)


def _deals(game: Game) -> Iterator[DealtCards]:
    yield from (_deal(game, number) for number in range(DEALS_TRIED))
    for number in range(DEALS_MIRRORED):
        deal = _deal(game, number)
        mirrored = [Card(card ^ 1) for card in deal["1"]]  # The same ranks in other suits.
        other_cards = [card for card in deal.get("dealer", ()) if card not in mirrored]
        dealer_cards = [*mirrored, *other_cards][: len(deal.get("dealer", ()))]
        if len(dealer_cards) >= len(mirrored) and not {*mirrored} & {*deal["1"]}:
            yield {**deal, "dealer": dealer_cards}


def _deal(game: Game, number: int) -> DealtCards:
    """A deal from a fixed shuffle, so that a paper is always the same."""
    cards = [Card(index) for index in range(52)]
    cards.sort(key=lambda card: sha256(f"{number} {card}".encode()).digest())
    deal: DealtCards = {}
    for place_id, place in (
        ("1", game.places[0]),
        *((common_place.id, common_place) for common_place in game.places[1:]),
    ):
        deal[place_id], cards = cards[: place.cards], cards[place.cards :]
    return deal


def _example(game: Game, round_: Round, wager: str, result: str) -> Paragraph:
    seat = round_.seats[0]
    lines = tuple(_line(game, line) for line in round_.settlements[0].lines)
    plays = tuple(play.label for play in seat.plays if str(play) != "-")
    text = say(
        "papers.examples.round",
        cards=seat.cards,
        laid=common_cards(game, round_),
        has_plays=bool(plays),
        plays=plays,
        lines=lines,
        net=abs(round_.settlements[0].net),
        came=_net_direction(round_.settlements[0].net),
    )
    clauses = dict.fromkeys(line.clause for line in round_.settlements[0].lines)
    title = game.wager_title(wager)
    lead = say("papers.examples.lead", title=title, result=result)
    key = f"example {wager} {result}"
    return Paragraph(text, key, tuple(clauses), lead=lead, assumed="all")


def _net_direction(net: int) -> str:
    return "won" if net > 0 else "lost" if net else "even"


def _line(game: Game, line: Line) -> Sentence:
    fields = {"title": game.wager_title(line.wager), "stake": line.stake, "result": line.result}
    named = (line.outcome or "nothing") not in ("nothing", "win")
    hand = outcome(line.outcome or "nothing")
    return say("papers.examples.line", **fields, named=named, hand=hand, wins=line.wins)


RANKS, SUITS, HAND = "AKQJT98765432", "shdc", 5
COLUMNS = ("seat", "wager", "stake", "hand", "due", "paid")


def cap_examples(game: Game) -> Iterator[Block]:
    """The first example round in which a payout limit applies, line by line."""
    if not game.sheet.limits:
        return
    seats = (1, 2)[: game.sheet.seats.count]
    for deal in (_suited_deal(game, both=True), _suited_deal(game), _alike_deal(game)):
        settled = play_deal(game, deal, seats=seats, largest=True)
        if settled is not None and settled.applied_caps:
            yield from _cap_example(game, settled)
            return


def _suited_deal(game: Game, *, both: bool = False) -> DealtCards:
    """The first seat and the board share a suit's highest cards; the second seat gets its next
    ones.
    """
    run = [card(rank + SUITS[0]) for rank in RANKS]
    others = [card(rank + suit) for rank in reversed(RANKS) for suit in SUITS[1:]]
    deal: DealtCards = {"1": _take(run, game.places[0].cards - game.places[0].later)}
    for place in game.places[1:]:
        board = place.id != "dealer"
        high = _take(run, min(place.cards, max(0, HAND - len(deal["1"])))) if board else []
        deal[place.id] = [*high, *_take(others, place.cards - place.later - len(high))]
    deal["2"] = _take(run if both else others, len(deal["1"]))
    return deal


def _alike_deal(game: Game) -> DealtCards:
    """For several decks: every seat has one card many times, and the dealer has its rank."""
    hole_count = game.places[0].cards - game.places[0].later
    twos = [card(f"2{suit}") for suit in SUITS]
    deal: DealtCards = {str(seat): [twos[seat - 1]] * hole_count for seat in (1, 2)}
    for place in game.places[1:]:
        deal[place.id] = [twos[2 + turn % 2] for turn in range(place.cards - place.later)]
    return deal


def _take(cards: list[Card], count: int) -> list[Card]:
    cards_taken, cards[:count] = cards[:count], []
    return cards_taken


def _cap_example(game: Game, settled: Round) -> Iterator[Block]:
    hands = tuple(
        say("papers.worked.hand", seat=seat.number, cards=seat.cards) for seat in settled.seats
    )
    cited = tuple(dict.fromkeys(bite.clause for bite in settled.applied_caps))
    if any(limit.per != "bet" for limit in game.sheet.limits):
        shared = combine(
            assumed_of_rule(limit, "per", "pays_max", "counts")
            for limit in game.sheet.limits
            if limit.per != "bet"
        )
        text = say("papers.worked.shared")
        yield Paragraph(text, "worked shared", cited, assumed=shared)
    text = say("papers.worked.round", hands=hands, laid=common_cards(game, settled))
    yield Paragraph(text, "worked", (settled.applied_caps[0].clause,), assumed="all")
    yield from _explain_pieces(game, settled)
    head = tuple(say("papers.worked.head", column=column) for column in COLUMNS)
    rows = tuple(_rows(game, settled))
    title = say("papers.worked.table")
    yield Table(title, head, rows, "llrlrr", "worked lines", cited, assumed="all")
    for number, bite in enumerate(settled.applied_caps, start=1):
        portion = percent(Fraction(bite.paid, bite.due))
        fields = {"due": bite.due, "paid": bite.paid, "seat": bite.seat or 0}
        text = say("papers.worked.bite", **fields, share=portion)
        yield Paragraph(text, f"worked bite {number}", (bite.clause,), assumed="all")


def _explain_pieces(game: Game, settled: Round) -> Iterator[Paragraph]:
    """Why stakes may exceed the maximum of a single bet: they are several bets on one circle."""
    bet_max = game.sheet.single_bet_max
    bets = {line.wager: line.stake for hand in settled.settlements for line in hand.lines}
    above_max = {wager: stake for wager, stake in bets.items() if bet_max and stake > bet_max.value}
    if bet_max is None or not above_max:
        return
    titles = tuple(map(game.wager_title, above_max))
    stake = max(above_max.values())
    fields = {"stake": stake, "most": bet_max.value, "count": -(-stake // bet_max.value)}
    text = say("papers.worked.pieces", wagers=titles, **fields)
    yield Paragraph(text, "worked pieces", (bet_max.clause,), assumed="all")


def _rows(game: Game, settled: Round) -> Iterator[tuple[str, ...]]:
    for hand in settled.settlements:
        for line in hand.lines:
            uncapped_win = line.odds.wins(line.stake) if line.odds else 0
            yield (
                str(hand.seat),
                game.wager_title(line.wager),
                say("papers.money", amount=line.stake),
                capital(outcome(line.outcome or "nothing")),
                say("papers.money", amount=uncapped_win),
                say("papers.money", amount=line.wins),
            )
