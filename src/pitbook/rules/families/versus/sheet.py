"""Versus rule sheets: a hand against the dealer's, with raises and dealer qualification."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Annotated, ClassVar, Literal, NamedTuple, get_args

from pydantic import BeforeValidator, Field, WithJsonSchema

from pitbook.errors import MoneyError
from pitbook.money import Cents, Odds, odds
from pitbook.sheets.field_types import (
    Choice,
    Count,
    Direction,
    Entries,
    Order,
    Rule,
    Slug,
    Words,
    choice_field,
    descriptive_field,
    from_text,
)
from pitbook.sheets.model import FurtherBet, Main, MainWager, NamedBet, Settlement, Sheet
from pitbook.sheets.pay_tables import Scope, hand_scope, named_scope
from pitbook.sheets.phrases import with_article
from pitbook.text import Sentence, say

# An event's number is its index: how hands compare, the same when the dealer does not
# qualify, how a war ends, and a fold.
COMPARED = ("lose", "tie", "win")
WARS = ("war_lose", "war_tie", "war_win")
TIE, BELOW, WAR, FOLD = 1, 3, 6, 9

BY_TABLE, OR = "pays", " or "


class ResultRule(NamedTuple):
    """Whether the pay table applies first, and the result otherwise."""

    by_table: bool
    otherwise: Odds | Literal["lose", "push", "half"]


EXAMPLE = '"1:1"'


def parse_result(text: str) -> ResultRule:
    """Parse a result of a sheet; raises MoneyError.

    >>> parse_result("pays or push")
    ResultRule(by_table=True, otherwise='push')
    """
    if text == BY_TABLE:
        return ResultRule(by_table=True, otherwise="lose")
    by_table = text.startswith(BY_TABLE + OR)
    fallback = text.removeprefix(BY_TABLE + OR)
    if fallback in ("lose", "push") or (fallback == "half" and not by_table):
        return ResultRule(by_table, fallback)  # type: ignore[arg-type]
    return ResultRule(by_table, odds(fallback))


def _validate_result(text: str) -> str:
    """The text if it is a valid result; raises MoneyError."""
    try:
        parse_result(text)
    except MoneyError:
        raise MoneyError(say("findings.versus.no-result", given=text)) from None
    return text


_PATTERN = "^(lose|push|half|[0-9]+:[0-9]+|pays( or (lose|push|[0-9]+:[0-9]+))?)$"
ResultWritten = Annotated[
    str,
    BeforeValidator(from_text(_validate_result, EXAMPLE)),
    WithJsonSchema({"type": "string", "pattern": _PATTERN, "examples": ["1:1", "pays or push"]}),
]


BOTH = 5  # Size of a hand made of the player's and the dealer's cards together.
RankName = Literal["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
RANK_NAMES: tuple[RankName, ...] = get_args(RankName)
Times = Annotated[int, Field(ge=1, le=100)]


class Play(Rule):
    """What a hand is compared with."""

    against: Literal["dealer"] = descriptive_field()


class Deal(Rule):
    """The order of the deal, and the number of cards."""

    order: Order[Literal["players", "community", "dealer"]]
    direction: Direction
    player: Annotated[int, Field(ge=1, le=7)] = Field(description="Cards to each player.")
    dealer: Annotated[int, Field(ge=1, le=7)] = Field(description="Cards to the dealer.")
    community: Annotated[int, Field(ge=0, le=5)] = Field(
        default=0, description="Cards that both hands are made of."
    )
    up: Annotated[int, Field(ge=0, le=7)] = Field(
        default=0, description="Cards of the dealer's that lie open before the first decision."
    )
    open: bool = Field(default=False, description="Whether players' cards are dealt face up.")
    at_a_time: Count | None = Field(default=None, description="Left out: a whole hand at once.")


class Hands(Rule):
    """What is compared: the best hand of this many cards."""

    cards: Annotated[int, Field(ge=1, le=5)] = Field(description="Cards of a hand that count.")


class Qualification(Rule):
    """The lowest hand with which the dealer qualifies."""

    qualifies: str = Field(description='As a pay table has it: "high-card-Q", "pair-4", "pair".')
    kicker: RankName | None = Field(
        default=None, description="The second card that it needs: ace and king."
    )

    def hand_text(self) -> Sentence:
        """The lowest hand in words: a pair of fours or better."""
        hand = with_article(self.qualifies)
        if self.kicker:  # Only high cards have a kicker: "high-card-A" with a king.
            high = say("words.rank", rank=self.qualifies.removeprefix("high-card-"))
            kicker = say("words.rank", rank=self.kicker)
            hand = say("aloud.versus.with-kicker", high=high, kicker=kicker)
        return say("words.or-better", hand=hand)


class Settles(Rule):
    """The result of a wager for each event.

    "lose", "push", "half" (half is lost), odds, or "pays": by the pay table. With "pays or push", a
    hand outside the table pushes.
    """

    win: ResultWritten | None = Field(default=None, description="The player's hand is higher.")
    tie: ResultWritten | None = Field(default=None, description="Both hands are the same.")
    lose: ResultWritten | None = Field(default=None, description="The dealer's hand is higher.")
    below: ResultWritten | None = Field(
        default=None,
        description="The dealer does not qualify. Left out: hands are compared all the same.",
    )
    fold: ResultWritten = Field(default="lose", description="The player gave the hand up.")
    war_win: ResultWritten | None = Field(default=None, description="After a war that is won.")
    war_tie: ResultWritten | None = Field(default=None, description="After a war that is tied.")
    war_lose: ResultWritten | None = Field(default=None, description="After a war that is lost.")

    def of(self, event: str) -> str | None:
        """The result for an event, if the sheet states one."""
        result_text: str | None = getattr(self, event)
        return result_text


class Ante(MainWager):
    """The required main wager and its results."""

    settles: Settles


class Wager(Rule):
    """A further wager of the main game, and its results."""

    title: Words = descriptive_field()
    made: Literal["with-ante", "by-play", "on-ante"] = Field(
        description="with-ante: before the cards, as high as the Ante; by-play: by a decision; "
        "on-ante: no wager, but a bonus that is paid on the Ante."
    )
    settles: Settles


class Need(Rule):
    """The hand required for a larger raise."""

    times: Times = Field(description="From this multiple on.")
    hand: str = Field(description='The least hand: "pair-A".')


class Decision(Rule):
    """One decision: a raise by a multiple of the Ante, or the alternative."""

    id: Slug
    title: Words = descriptive_field()
    puts: Slug = Field(description="The wager that a raise is put on.")
    times: Annotated[Order[Times], Field(min_length=1)] = Field(
        description="Allowed multiples of the Ante, rising."
    )
    instead: Literal["fold", "check", "surrender"] = Field(
        description="What a player does who does not raise."
    )
    community: Annotated[int, Field(ge=0, le=5)] = Field(
        default=0, description="Community cards that lie open by then, in all."
    )
    once: bool = Field(default=False, description="Only for those who have not raised before.")
    needs: Order[Need] = Field(default=(), description="Hands that larger raises need.")


class War(Rule):
    """What follows a tie: a decision that occurs only then, and further cards."""

    cards: Annotated[int, Field(ge=1, le=1)] = Field(
        description="Further cards to the player and to the dealer; the last ones are compared."
    )


class Folded(Rule):
    """What happens to the cards of a folded hand."""

    dealer_when_all_fold: Choice[Literal["if-needed", "always"]] = choice_field(
        "if-needed", "GEN-5"
    )
    shown: Choice[bool] = choice_field(False, "GEN-14")


class Versus(Sheet):
    """A rule sheet of the versus family."""

    main_id: ClassVar[str] = "ante"
    unit: ClassVar[tuple[str, str]] = ("ante", "antes")
    board_word: ClassVar[Literal["dealer"]] = "dealer"
    board_card: ClassVar[str] = "a dealer's card"
    # The dealer's hand decides; the pay table applies separately.
    unlisted_loses: ClassVar[bool] = False
    sides_alone: ClassVar[bool] = True
    looks_at: ClassVar[Mapping[str, str]] = {
        "hand": "the player's hand",
        "both-hands": "the best five of the player's and the dealer's cards together",
        "duel": "how the hands compare",
    }

    family: Literal["versus"]
    play: Play
    deal: Deal
    hands: Hands
    dealer: Qualification | None = Field(
        default=None, description="Left out: the dealer always plays."
    )
    ante: Ante
    wagers: Entries[Slug, Wager] = Field(
        default_factory=Entries, description="Further wagers of the main game by id."
    )
    decisions: Annotated[Order[Decision], Field(min_length=1, max_length=6)]
    war: War | None = None
    fold: Folded | None = None
    main: Main
    settlement: Settlement
    absent: Choice[Literal["fold", "smallest-bet"]] = choice_field("fold", "GEN-10")

    @property
    def hand_cards(self) -> int:
        """Cards per player, including war cards."""
        return self.deal.player + (self.war.cards if self.war else 0)

    @property
    def board_cards(self) -> int:
        """The dealer's and the community cards."""
        return self.deal.community + self.deal.dealer + (self.war.cards if self.war else 0)

    @property
    def with_ante(self) -> tuple[str, ...]:
        """The wagers placed with the Ante."""
        return self._wagers_made("with-ante")

    @property
    def bonuses(self) -> tuple[str, ...]:
        """Bonuses paid on the Ante without a wager of their own."""
        return self._wagers_made("on-ante")

    def _wagers_made(self, made_by: str) -> tuple[str, ...]:
        return tuple(wager for wager, rule in self.wagers.items() if rule.made == made_by)

    @property
    def units_min(self) -> int:
        """The fewest antes at stake at the end on a hand that does not fold."""
        forced_decisions = [decision for decision in self.decisions if decision.instead != "check"]
        smallest_raises = [min(decision.times) for decision in forced_decisions if self.war is None]
        return 1 + len(self.with_ante) + sum(smallest_raises[-1:])

    @property
    def units_max(self) -> int:
        """The most antes at stake on one hand."""
        return 1 + len(self.with_ante) + sum(self._raise_max.values())

    @property
    def _raise_max(self) -> dict[str, int]:
        """The most antes that plays can put on each wager."""
        raise_max: dict[str, int] = {}
        for decision in self.decisions:
            earlier = raise_max.get(decision.puts, 0)
            raise_max[decision.puts] = (
                max(earlier, *decision.times) if decision.once else earlier + max(decision.times)
            )
        return raise_max

    @property
    def wager_order(self) -> tuple[str, ...]:
        """All wagers of a hand in settlement order (GEN-4)."""
        return ("ante", *self.wagers, *self.side)

    @property
    def has_fold(self) -> bool:
        """Whether a decision offers a fold or a surrender."""
        return any(decision.instead != "check" for decision in self.decisions)

    @property
    def shows_folded(self) -> bool:
        """GEN-14."""
        return self.fold is not None and self.fold.shown.value

    @property
    def largest_stakes(self) -> tuple[Cents, ...]:
        """The Ante, then the largest amount of every further wager; a bonus is paid on the Ante."""
        raise_max, ante = self._raise_max, self.ante.max
        return (ante, *(Cents(ante * raise_max.get(wager, 1)) for wager in self.wagers))

    def further_bets(self) -> Iterator[FurtherBet]:
        """Every raise, and every wager placed with the Ante."""
        for wager in self.with_ante:
            describe = _wager_text(self.wagers[wager].title)
            yield FurtherBet(describe, ("wagers", wager), self.ante.max, 1)
        for number, decision in enumerate(self.decisions):
            describe, times = _raise_text(decision.title), max(decision.times)
            yield FurtherBet(describe, ("decisions", number, "times"), self.ante.max * times, times)

    @property
    def compares_hands(self) -> bool:
        """Whether poker hands are compared; a war compares single cards."""
        return self.war is None

    def named_bets(self) -> Iterator[NamedBet]:
        for wager, rule in self.wagers.items():
            yield NamedBet(wager, rule.title, ("wagers", wager), rule.clause)


def _wager_text(title: str) -> Callable[[], Sentence]:
    return lambda: say("findings.versus.the-wager", title=title)


def _raise_text(title: str) -> Callable[[], Sentence]:
    return lambda: say("findings.versus.a-raise", title=title)


def scope(sheet: Versus, wager: str) -> Scope | None:
    """The outcomes that a pay table may list: hands of a given size, or results of a comparison."""
    cards = sheet.hands.cards
    looks_at = "hand" if wager == "main" else sheet.side[wager].looks_at
    if looks_at == "hand":
        return hand_scope(cards, many_decks=False)
    if looks_at == "both-hands":
        return hand_scope(BOTH, many_decks=False)
    return duel_scope() if looks_at == "duel" and sheet.war else None


@cache
def duel_scope() -> Scope:
    """The results of comparing two hands; a win does not rank above a tie."""
    return named_scope("result of a comparison", COMPARED, ordered=False)
