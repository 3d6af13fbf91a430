"""Read hands: pay-table lines, best cards, dealer qualification, arranging and counting points."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from pitbook.cards import Card, rank
from pitbook.drills.item import Item, Lies, Question, Reason, SeatLies, lettered
from pitbook.drills.reasons import line_reasons
from pitbook.drills.rounds import Draws, PlayedRound, deal, deals, lies, round_file
from pitbook.hands.ranking import best_rank
from pitbook.rules.game import Duel, Game, Hand
from pitbook.rules.pricing import NOTHING, Best, Kinds
from pitbook.sheets.pay_tables import pays_of
from pitbook.sheets.prose.words import outcome
from pitbook.text import Sentence, say

LINES = 5  # Of a pay table, beside the right one.
ARRANGEMENTS = 4


# A line of a pay table ----------------------------------------------------------------------------


def has_lines(game: Game) -> bool:
    """Whether a wager is settled by a pay table alone."""
    return bool(_by_table(game))


def _by_table(game: Game) -> list[str]:
    """Wagers that a pay table decides: the main one where no hand is compared, and side wagers."""
    return [one.wager for one in game.asked if one.wager != "main" or not game.duels]


def read_hand(game: Game, luck: Draws) -> Item | None:
    """Which line of its pay table a wager qualifies for."""
    wager = luck.one_of(_by_table(game))
    played = deal(game, luck)
    seat = played.final.seats[0]
    own = {name for name, _ in seat.main} if wager == "main" else {wager}
    line = next((pay_line for pay_line in played.lines(seat.number) if pay_line.wager in own), None)
    pay_lines = [
        pay_line for pay_line in pays_of(game.sheet, wager) if not pay_line.startswith("high-card")
    ]
    if len(pay_lines) < 2 or line is None or line.outcome not in (*pay_lines, NOTHING.outcome):
        return None
    others = [pay_line for pay_line in (*pay_lines, NOTHING.outcome) if pay_line != line.outcome]
    shown = luck.shuffled([line.outcome, *luck.some_of(others, LINES)])
    options = lettered([(_line_told(pay_line), ()) for pay_line in shown])
    if len({pay_line.text for pay_line in options}) < len(options):
        return None
    title = game.wager_title(line.wager)
    ask = say("drills.read-hand", title=title, seat=seat.number)
    question = Question(ask, "choice", lies(played.final), options=options)
    answer = options[shown.index(line.outcome)].id
    evidence = {"played": played, "file": round_file(played), "asked": line.wager}
    why = line_reasons(played.final, seat.number, [line])
    return Item("read-hand", question, answer, why, 3, evidence=evidence)


def _line_told(line: str) -> Sentence:
    return say("drills.no-line") if line == NOTHING.outcome else outcome(line)


# The best so many of more -------------------------------------------------------------------------


def has_choice_of_cards(game: Game) -> bool:
    """Whether a hand is the best of more cards than it has."""
    return bool(_of_more(game)) and game.decks == 1


def _of_more(game: Game) -> list[Hand]:
    """Hands that count and of which some cards are left out, each choice of places once."""
    found: dict[tuple[tuple[int, ...], int], Hand] = {}
    compared = {name for duel in game.duels for name in (duel.own, duel.other)}
    counts = compared | {one.hand for one in game.asked}
    for hand in game.hands:
        ranking = hand.ranking
        if (
            hand.name in counts
            and isinstance(ranking, Kinds | Best)
            and _cards_of(game, hand) > ranking.cards
        ):
            found.setdefault((hand.places, ranking.cards), hand)
    return list(found.values())


def _cards_of(game: Game, hand: Hand) -> int:
    return sum(game.places[at].cards for at in hand.places)


def best_cards(game: Game, luck: Draws) -> Item | None:
    """Which cards make the best hand; no two choices are equally good."""
    hand = luck.one_of(_of_more(game))
    ranking = hand.ranking
    assert isinstance(ranking, Kinds | Best)
    played = deal(game, luck)
    cards = _in_hand(played, hand)
    if len(cards) < _cards_of(game, hand):
        return None
    ranks = {
        some_cards: best_rank(some_cards, ranking.cards, ranking.ace)
        for some_cards in combinations(cards, ranking.cards)
    }
    best = max(ranks.values())
    right = [chosen for chosen, card_rank in ranks.items() if card_rank == best]
    if len(right) > 1:
        return None
    options = lettered([("", (card,)) for card in luck.shuffled(cards)])
    whose = _whose(game, hand)
    ask = say("drills.best-cards", whose=whose, count=ranking.cards)
    question = Question(ask, "choices", Lies((), ()), options=options, pick=ranking.cards)
    chosen = [option.id for option in options if option.cards[0] in right[0]]
    why = (Reason(say("drills.best-are", cards=_high_first(right[0])), None),)
    work = len(cards) - ranking.cards + 2
    evidence = {"played": played}
    return Item("best-cards", question, ",".join(chosen), why, work, evidence=evidence)


def _high_first(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=rank, reverse=True))


def _whose(game: Game, hand: Hand) -> str:
    """Whose hand it is: a player's, the dealer's, or one of both together."""
    if 0 not in hand.places:
        return "dealer"
    return "both" if any(game.places[at].id == "dealer" for at in hand.places) else "own"


def _in_hand(played: PlayedRound, hand: Hand) -> tuple[Card, ...]:
    places = (played.final.seats[0].cards, *played.final.common)
    return tuple(card for at in hand.places for card in places[at])


# The dealer's hand --------------------------------------------------------------------------------


def has_qualifying(game: Game) -> bool:
    """Whether a dealer's hand may fall short of playing."""
    return bool(_qualifying(game))


def _qualifying(game: Game) -> list[Duel]:
    return [duel for duel in game.duels if duel.least]


def qualifies(game: Game, luck: Draws) -> Item | None:
    """Whether the dealer's hand is good enough to be compared."""
    duel, wanted = luck.one_of(_qualifying(game)), bool(luck.below(2))
    played = next((dealt for dealt in deals(game, luck) if _plays(duel, dealt) == wanted), None)
    if played is None:
        return None
    shown = luck.shuffled((True, False))
    options = lettered([(say("drills.yes-no", yes=choice), ()) for choice in shown])
    common = Lies(lies(played.final).common)
    question = Question(say("drills.qualifies"), "choice", common, options=options)
    answer = options[shown.index(wanted)].id
    evidence = {"played": played}
    return Item("qualifies", question, answer, (_needs(game, yes=wanted),), 2, evidence=evidence)


def _plays(duel: Duel, played: PlayedRound) -> bool | None:
    """Whether the dealer's hand qualifies; None if it is not turned over."""
    final = played.final
    read = final.game.reads(duel.other, final.seats[0], *final.common)
    return None if read is None or duel.least is None else read >= duel.least


def _needs(game: Game, *, yes: bool) -> Reason:
    """What the dealer needs to qualify, and whether the hand is enough."""
    least = game.dealer_needs()
    if least is None:
        return Reason(say("drills.does-qualify", yes=yes), game.dealer_clause)
    return Reason(say("drills.qualifies-with", yes=yes, hand=least), game.dealer_clause)


def has_areas(game: Game) -> bool:
    """Whether the dealer's cards are laid as two hands that count points."""
    board = tuple(Card(number) for number in range(game.places[1].cards))
    return game.board_areas(board) is not None


def points(game: Game, luck: Draws) -> Item | None:
    """What one of the dealer's hands totals, or a player's."""
    played = deal(game, luck)
    final, seat = played.final, played.final.seats[0]
    laid, own = game.board_areas(final.board), game.points_of(seat.cards)
    if laid is None:
        return None
    counts = [(area.title, "dealer", area.points) for area in (laid.low, laid.high)]
    if own is not None:
        counts += [(side, side, own[at]) for at, side in enumerate(("low", "high"))]
    title, whose, count = luck.one_of(counts)
    dealer = whose == "dealer"
    shown = Lies(lies(final).common) if dealer else Lies((), (_cards_only(lies(final)),))
    ask = say("drills.points", whose=whose, title=title, seat=seat.number)
    sentence = game.board_told(final.board) if dealer else None
    sentence = sentence or say("drills.counts", whose=whose, title=title, count=count)
    why = (Reason(sentence, _points_clause(game)),)
    evidence = {"played": played, "whose": whose, "title": title}
    return Item("points", Question(ask, "number", shown), str(count), why, 3, evidence=evidence)


def _cards_only(shown: Lies) -> SeatLies:
    """A seat without what it wagered and played: that has no part in its total."""
    return shown.seats[0]._replace(wagers=(), plays=())


def arrange(game: Game, luck: Draws) -> Item | None:
    """How the dealer's cards are laid: one of a few ways."""
    played = deal(game, luck)
    board = played.final.board
    laid = game.board_areas(board)
    if laid is None:
        return None
    right = laid.low.cards
    ways = {_ranks(some_cards): some_cards for some_cards in combinations(board, len(right))}
    others = [one for ranks, one in sorted(ways.items()) if ranks != _ranks(right)]
    if not others:
        return None
    # Every option lies in the order of the board, so that no order gives the answer away.
    chosen = [_as_dealt(right, board), *luck.some_of(others, ARRANGEMENTS - 1)]
    shown = luck.shuffled(chosen)
    title = laid.low.title
    options = lettered([("", cards) for cards in shown])
    common = Lies(lies(played.final).common)
    question = Question(say("drills.arrange", title=title), "choice", common, options=options)
    answer = options[shown.index(chosen[0])].id
    why = (Reason(game.board_told(board) or title, _points_clause(game)),)
    return Item("arrange", question, answer, why, 4, evidence={"played": played})


def _as_dealt(cards: tuple[Card, ...], board: tuple[Card, ...]) -> tuple[Card, ...]:
    """Some of the board's cards, in the order of the board."""
    left = Counter(cards)
    positions = []
    for card in board:
        if left[card]:
            left[card] -= 1
            positions.append(card)
    return tuple(positions)


def _ranks(cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(sorted(rank(card) for card in cards))


def _points_clause(game: Game) -> str:
    return game.dealer_clause or game.sheet.main.clause
