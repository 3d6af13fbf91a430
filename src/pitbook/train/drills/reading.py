"""Read the cards: the line they make, the best of them, does the dealer qualify, the totals."""

from __future__ import annotations

from itertools import combinations

from pitbook.cards import Card, rank
from pitbook.game.description import Duel, Game, Hand
from pitbook.game.pricing import NOTHING
from pitbook.game.rankings import Best, Kinds
from pitbook.hands.best import best_rank
from pitbook.sheets.aloud.words import outcome
from pitbook.sheets.pays import pays_of
from pitbook.train.drills.deals import PlayedRound, deal, lies, round_file
from pitbook.train.drills.item import Item, Lies, Question, Reason, lettered
from pitbook.train.drills.luck import Draws
from pitbook.train.drills.paying import reasons
from pitbook.wording import Sentence, say

__all__ = [
    "arrange",
    "best_cards",
    "has_areas",
    "has_choice_of_cards",
    "has_lines",
    "has_qualifying",
    "points",
    "qualifies",
    "read_hand",
]

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
    """Which line of its pay table a wager meets."""
    wager = luck.one_of(_by_table(game))
    played = deal(game, luck)
    seat = played.final.seats[0]
    own = {name for name, _ in seat.main} if wager == "main" else {wager}
    line = next((one for one in played.lines(seat.number) if one.wager in own), None)
    known = list(pays_of(game.sheet, wager))
    if line is None or line.outcome not in (*known, NOTHING.outcome):
        return None
    others = [one for one in (*known, NOTHING.outcome) if one != line.outcome]
    shown = luck.shuffled([line.outcome, *luck.some_of(others, LINES)])
    options = lettered([(_said(one), ()) for one in shown])
    if len({one.text for one in options}) < len(options):
        return None
    title = game.wager_title(line.wager)
    ask = say("drills.read-hand", title=title, seat=seat.number)
    question = Question(ask, "choice", lies(played.final), options=options)
    answer = options[shown.index(line.outcome)].id
    evidence = round_file(played) | {"asked": line.wager}
    return Item("read-hand", question, answer, reasons(played.final, [line]), 3, evidence=evidence)


def _said(line: str) -> Sentence:
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
    """Which cards make the best hand; the cards tell, and no two choices are as good."""
    hand = luck.one_of(_of_more(game))
    ranking = hand.ranking
    assert isinstance(ranking, Kinds | Best)
    played = deal(game, luck)
    cards = _in_hand(played, hand)
    if len(cards) < _cards_of(game, hand):
        return None
    ranks = {
        some: best_rank(some, ranking.cards, ranking.ace)
        for some in combinations(cards, ranking.cards)
    }
    best = max(ranks.values())
    right = [some for some, one in ranks.items() if one == best]
    if len(right) > 1:
        return None
    options = lettered([("", (card,)) for card in cards])
    whose = "own" if 0 in hand.places else "dealer"
    ask = say("drills.best-cards", whose=whose, count=ranking.cards)
    shown = Lies((), ())
    question = Question(ask, "choices", shown, options=options, pick=ranking.cards)
    chosen = [option.id for option in options if option.cards[0] in right[0]]
    why = (
        Reason(say("drills.best-are", cards=right[0]), game.sheet.payouts.ace_in_straights.clause),
    )
    return Item("best-cards", question, ",".join(chosen), why, len(cards) - ranking.cards + 2)


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
    played = deal(game, luck)
    seat = played.final.seats[0]
    read = game.reads(duel.other, seat, *played.final.common)
    assert duel.least is not None
    if read is None or (read >= duel.least) != wanted:
        return None
    options = lettered([(say("drills.yes-no", yes=one), ()) for one in (True, False)])
    question = Question(
        say("drills.qualifies"), "choice", Lies(lies(played.final).common), options=options
    )
    told = Reason(say("drills.does-qualify", yes=wanted), game.dealer_clause)
    answer = options[0 if wanted else 1].id
    return Item("qualifies", question, answer, (told,), 2, evidence=round_file(played))


def has_areas(game: Game) -> bool:
    """Whether the dealer's cards are laid as two hands that count points."""
    board = tuple(Card(number) for number in range(game.places[1].cards))
    return game.board_areas(board) is not None


def points(game: Game, luck: Draws) -> Item | None:
    """What one of the dealer's hands counts, or a player's."""
    played = deal(game, luck)
    final, seat = played.final, played.final.seats[0]
    laid, own = game.board_areas(final.board), game.points_of(seat.cards)
    if laid is None:
        return None
    counts = [(area.title, "dealer", area.points) for area in (laid.low, laid.high)]
    if own is not None:
        counts += [(box.title, "own", own[at]) for at, box in enumerate(game.boxes[:2])]
    title, whose, count = luck.one_of(counts)
    shown = Lies(lies(final).common) if whose == "dealer" else Lies((), lies(final).seats)
    ask = say("drills.points", whose=whose, title=title, seat=seat.number)
    told = game.board_told(final.board) if whose == "dealer" else None
    told = told or say("drills.counts", title=title, count=count)
    why = (Reason(told, _points_clause(game)),)
    return Item(
        "points", Question(ask, "number", shown), str(count), why, 3, evidence=round_file(played)
    )


def arrange(game: Game, luck: Draws) -> Item | None:
    """How the dealer's cards are laid: one of a few ways."""
    played = deal(game, luck)
    board = played.final.board
    laid = game.board_areas(board)
    if laid is None:
        return None
    low = len(laid.low.cards)
    right = _ranks(laid.low.cards)
    ways = {_ranks(some): some for some in combinations(board, low)}  # All as they lie: no tell.
    others = luck.some_of([one for one in sorted(ways) if one != right], ARRANGEMENTS - 1)
    if not others:
        return None
    shown = luck.shuffled([right, *others])
    title = laid.low.title
    options = lettered([("", ways[one]) for one in shown])
    question = Question(
        say("drills.arrange", title=title),
        "choice",
        Lies(lies(played.final).common),
        options=options,
    )
    told = game.board_told(board) or title
    answer = options[shown.index(right)].id
    return Item(
        "arrange",
        question,
        answer,
        (Reason(told, _points_clause(game)),),
        4,
        evidence=round_file(played),
    )


def _ranks(cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(sorted(rank(card) for card in cards))


def _points_clause(game: Game) -> str:
    return game.dealer_clause or game.sheet.main.clause
