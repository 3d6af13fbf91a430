"""Read hands: pay-table lines, best cards, dealer qualification, arranging and counting points."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from pitbook.cards import Card, rank
from pitbook.drills.question import Item, Layout, Question, Reason, SeatLayout, label_options
from pitbook.drills.random_rounds import Draws, PlayedRound, deal, deals, layout_of, round_file
from pitbook.drills.reasons import line_reasons
from pitbook.hands.ranking import best_rank
from pitbook.rules.game import Areas, Duel, Game, Hand
from pitbook.rules.settlement_lines import NOTHING, Best, Kinds
from pitbook.sheets.pay_tables import pays_of
from pitbook.sheets.phrases import outcome
from pitbook.text import Sentence, say

LINES = 5  # Wrong lines offered.
ARRANGEMENTS = 4


# A line of a pay table ----------------------------------------------------------------------------


def has_pay_table(game: Game) -> bool:
    """Whether a wager is settled by a pay table alone."""
    return bool(_pay_table_wagers(game))


def _pay_table_wagers(game: Game) -> list[str]:
    """Wagers settled by a pay table: the main one if no hands are compared, and side wagers."""
    return [
        asked_wager.wager
        for asked_wager in game.wager_rules
        if asked_wager.wager != "main" or not game.duels
    ]


def read_hand(game: Game, draws: Draws) -> Item | None:
    """Which line of its pay table a wager qualifies for."""
    wager = draws.choice(_pay_table_wagers(game))
    played = deal(game, draws)
    seat = played.final.seats[0]
    wagers = {name for name, _ in seat.main} if wager == "main" else {wager}
    line = next(
        (pay_line for pay_line in played.lines(seat.number) if pay_line.wager in wagers), None
    )
    pay_lines = [
        pay_line for pay_line in pays_of(game.sheet, wager) if not pay_line.startswith("high-card")
    ]
    if len(pay_lines) < 2 or line is None or line.outcome not in (*pay_lines, NOTHING.outcome):
        return None
    others = [pay_line for pay_line in (*pay_lines, NOTHING.outcome) if pay_line != line.outcome]
    outcomes = draws.shuffle([line.outcome, *draws.sample(others, LINES)])
    options = label_options([(_render_line(pay_line), ()) for pay_line in outcomes])
    if len({pay_line.text for pay_line in options}) < len(options):
        return None
    title = game.wager_title(line.wager)
    ask = say("drills.read-hand", title=title, seat=seat.number)
    question = Question(ask, "choice", layout_of(played.final), options=options)
    answer = options[outcomes.index(line.outcome)].id
    evidence = {"played": played, "file": round_file(played), "asked": line.wager}
    why = line_reasons(played.final, seat.number, [line])
    return Item("read-hand", question, answer, why, 3, evidence=evidence)


def _render_line(line: str) -> Sentence:
    return say("drills.no-line") if line == NOTHING.outcome else outcome(line)


# The best so many of more -------------------------------------------------------------------------


def has_choice_of_cards(game: Game) -> bool:
    """Whether a hand is chosen from more cards than it uses."""
    return bool(_selectable_hands(game)) and game.decks == 1


def _selectable_hands(game: Game) -> list[Hand]:
    """Hands that count and leave some cards out, one for each choice of places."""
    hands: dict[tuple[tuple[int, ...], int], Hand] = {}
    compared = {name for duel in game.duels for name in (duel.own, duel.other)}
    counts = compared | {asked_wager.hand for asked_wager in game.wager_rules}
    for hand in game.hands:
        ranking = hand.ranking
        if (
            hand.name in counts
            and isinstance(ranking, Kinds | Best)
            and _card_count(game, hand) > ranking.cards
        ):
            hands.setdefault((hand.places, ranking.cards), hand)
    return list(hands.values())


def _card_count(game: Game, hand: Hand) -> int:
    return sum(game.places[at].cards for at in hand.places)


def best_cards(game: Game, draws: Draws) -> Item | None:
    """Which cards make the best hand; None if two choices tie."""
    hand = draws.choice(_selectable_hands(game))
    ranking = hand.ranking
    assert isinstance(ranking, Kinds | Best)
    played = deal(game, draws)
    cards = _hand_cards(played, hand)
    if len(cards) < _card_count(game, hand):
        return None
    ranks = {
        some_cards: best_rank(some_cards, ranking.cards, ranking.ace)
        for some_cards in combinations(cards, ranking.cards)
    }
    best = max(ranks.values())
    right = [chosen for chosen, card_rank in ranks.items() if card_rank == best]
    if len(right) > 1:
        return None
    options = label_options([("", (card,)) for card in draws.shuffle(cards)])
    whose = _hand_owner(game, hand)
    ask = say("drills.best-cards", whose=whose, count=ranking.cards)
    question = Question(ask, "choices", Layout((), ()), options=options, pick=ranking.cards)
    chosen = [option.id for option in options if option.cards[0] in right[0]]
    why = (Reason(say("drills.best-are", cards=_high_first(right[0])), None),)
    work = len(cards) - ranking.cards + 2
    evidence = {"played": played}
    return Item("best-cards", question, ",".join(chosen), why, work, evidence=evidence)


def _high_first(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=rank, reverse=True))


def _hand_owner(game: Game, hand: Hand) -> str:
    """Whose hand it is: "dealer", "own", or "both" together."""
    if 0 not in hand.places:
        return "dealer"
    return "both" if any(game.places[at].id == "dealer" for at in hand.places) else "own"


def _hand_cards(played: PlayedRound, hand: Hand) -> tuple[Card, ...]:
    places = (played.final.seats[0].cards, *played.final.common)
    return tuple(card for at in hand.places for card in places[at])


# The dealer's hand --------------------------------------------------------------------------------


def has_qualifying(game: Game) -> bool:
    """Whether the dealer's hand may fail to qualify."""
    return bool(_duels_with_qualifying(game))


def _duels_with_qualifying(game: Game) -> list[Duel]:
    return [duel for duel in game.duels if duel.least]


def qualifies(game: Game, draws: Draws) -> Item | None:
    """Whether the dealer's hand qualifies."""
    duel, yes = draws.choice(_duels_with_qualifying(game)), bool(draws.below(2))
    played = next(
        (dealt for dealt in deals(game, draws) if _dealer_qualifies(duel, dealt) == yes), None
    )
    if played is None:
        return None
    choices = draws.shuffle((True, False))
    options = label_options([(say("drills.yes-no", yes=choice), ()) for choice in choices])
    common = Layout(layout_of(played.final).common)
    question = Question(say("drills.qualifies"), "choice", common, options=options)
    answer = options[choices.index(yes)].id
    evidence = {"played": played}
    return Item(
        "qualifies", question, answer, (_qualifying_reason(game, yes=yes),), 2, evidence=evidence
    )


def _dealer_qualifies(duel: Duel, played: PlayedRound) -> bool | None:
    """Whether the dealer's hand qualifies; None if it is not turned over."""
    final = played.final
    dealer_rank = final.game.hand_value(duel.other, final.seats[0], *final.common)
    return None if dealer_rank is None or duel.least is None else dealer_rank >= duel.least


def _qualifying_reason(game: Game, *, yes: bool) -> Reason:
    """What the dealer needs to qualify, and whether the hand is enough."""
    least = game.dealer_needs()
    if least is None:
        return Reason(say("drills.does-qualify", yes=yes), game.dealer_clause)
    return Reason(say("drills.qualifies-with", yes=yes, hand=least), game.dealer_clause)


def has_board_areas(game: Game) -> bool:
    """Whether the dealer's cards form two hands that count points."""
    board = tuple(Card(number) for number in range(game.places[1].cards))
    return game.board_areas(board) is not None


def points(game: Game, draws: Draws) -> Item | None:
    """What one of the dealer's hands totals, or a player's."""
    played = deal(game, draws)
    final, seat = played.final, played.final.seats[0]
    areas, player_points = game.board_areas(final.board), game.points_of(seat.cards)
    if areas is None:
        return None
    counts = [(area.title, "dealer", area.points) for area in (areas.low, areas.high)]
    if player_points is not None:
        counts += [(side, side, player_points[at]) for at, side in enumerate(("low", "high"))]
    title, whose, count = draws.choice(counts)
    dealer = whose == "dealer"
    layout = (
        Layout(layout_of(final).common)
        if dealer
        else Layout((), (_without_wagers(layout_of(final)),))
    )
    ask = say("drills.points", whose=whose, title=title, seat=seat.number)
    total = say("drills.counts", whose=whose, title=title, count=count)
    why = (Reason(_render_areas(areas) if dealer else total, _points_clause(game)),)
    evidence = {"played": played, "whose": whose, "title": title}
    return Item("points", Question(ask, "number", layout), str(count), why, 3, evidence=evidence)


def _without_wagers(layout: Layout) -> SeatLayout:
    """A seat without wagers and plays, which do not affect its total."""
    return layout.seats[0]._replace(wagers=(), plays=())


def arrange(game: Game, draws: Draws) -> Item | None:
    """How the dealer arranges the board: one of several ways."""
    played = deal(game, draws)
    board = played.final.board
    areas = game.board_areas(board)
    if areas is None:
        return None
    right = areas.low.cards
    arrangements = {
        _ranks(some_cards): some_cards for some_cards in combinations(board, len(right))
    }
    others = [cards for ranks, cards in sorted(arrangements.items()) if ranks != _ranks(right)]
    if not others:
        return None
    # Every option keeps the order of the board, so that the order gives nothing away.
    chosen = [_in_board_order(right, board), *draws.sample(others, ARRANGEMENTS - 1)]
    choices = draws.shuffle(chosen)
    title = areas.low.title
    options = label_options([("", cards) for cards in choices])
    common = Layout(layout_of(played.final).common)
    question = Question(say("drills.arrange", title=title), "choice", common, options=options)
    answer = options[choices.index(chosen[0])].id
    why = (Reason(_render_areas(areas), _points_clause(game)),)
    return Item("arrange", question, answer, why, 4, evidence={"played": played})


def _render_areas(areas: Areas) -> Sentence:
    """The dealer's two hands with their totals, and the card they share."""
    shared = areas.shared
    return say(
        "drills.laid",
        low=areas.low.title,
        low_cards=areas.low.cards,
        low_points=areas.low.points,
        shared="none" if shared is None else shared.title,
        shared_cards=() if shared is None else shared.cards,
        high=areas.high.title,
        high_cards=areas.high.cards,
        high_points=areas.high.points,
    )


def _in_board_order(cards: tuple[Card, ...], board: tuple[Card, ...]) -> tuple[Card, ...]:
    """Some of the board's cards, in the order of the board."""
    remaining = Counter(cards)
    positions = []
    for card in board:
        if remaining[card]:
            remaining[card] -= 1
            positions.append(card)
    return tuple(positions)


def _ranks(cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(sorted(rank(card) for card in cards))


def _points_clause(game: Game) -> str:
    return game.dealer_clause or game.sheet.main.clause
