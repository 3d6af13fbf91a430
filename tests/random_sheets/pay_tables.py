"""Generated pay tables that pass the sheet checks."""

from __future__ import annotations

from hypothesis import strategies as st

# Lines rising in strength, by number of cards.
RISING = {
    2: ("high-card", "flush", "straight", "pair", "straight-flush"),
    3: (
        *("high-card", "pair", "flush", "straight"),
        *("three-of-a-kind", "straight-flush", "mini-royal"),
    ),
    4: (
        *("high-card", "pair", "two-pair", "straight", "flush"),
        *("three-of-a-kind", "straight-flush", "four-of-a-kind", "four-aces"),
    ),
    5: (
        *("high-card", "pair", "two-pair", "three-of-a-kind", "straight", "flush"),
        *("full-house", "four-of-a-kind", "straight-flush", "royal-flush"),
    ),
}
RISING_SEVERAL_DECKS = (
    *("high-card", "pair", "flush", "suited-pair", "straight"),
    *("three-of-a-kind", "straight-flush", "mini-royal", "suited-three-of-a-kind"),
)
OPTIONAL = (  # Lines contained in others.
    *("royal-flush", "mini-royal", "four-aces", "suited-pair", "suited-three-of-a-kind"),
)

PayLines = dict[str, str]
Draw = st.DrawFn


@st.composite
def hand_pays(draw: Draw, cards: int, *, many_decks: bool, coins: int, several: str) -> PayLines:
    """A pay table for hands of that size, weakest winning hand first or last."""
    rising = RISING_SEVERAL_DECKS if many_decks else RISING[cards]
    lines = list(rising[draw(st.sampled_from([0, 1, 1, 1, 2, len(rising) - 3])) :])
    lines = [line for line in lines if line not in OPTIONAL or draw(st.booleans())]
    if "pair" in lines[:2] and cards != 2:
        place = lines.index("pair")
        lines[place : place + 1] = draw(st.sampled_from(PAIRS if place == 0 else PAIRS[:1]))
    if lines[0] == "high-card":
        lines[:1] = draw(st.sampled_from(HIGH_CARDS))
    odds = draw(rising_odds(len(lines), coins))
    if draw(st.booleans()):
        odds[0] = "push"
    table = dict(zip(lines, odds, strict=True))
    if several == "highest" and draw(st.booleans()):
        return table
    return dict(reversed(table.items()))  # The narrower line must be listed first.


HIGH_CARDS = (["high-card"], ["high-card-J-A"], ["high-card-A"], ["high-card-9-Q", "high-card-K-A"])
PAIRS = (
    ["pair"],
    ["pair-J-A"],
    ["pair-6-10", "pair-J-A"],
    ["pair-2-8", "pair-9", "pair-10-A"],
    ["pair", "pair-J-A"],
    ["pair-A"],
)


@st.composite
def match_pays(draw: Draw, dealer_cards: int, *, coins: int) -> PayLines:
    """A pay table for matches; more matches never pay less."""
    first = draw(st.integers(0, dealer_cards))
    names = [f"match-{count}" for count in range(first, dealer_cards + 1)]
    odds = draw(rising_odds(len(names), coins))
    return dict(reversed(list(zip(names, odds, strict=True))))


@st.composite
def rising_odds(draw: Draw, count: int, coins: int) -> list[str]:
    """Non-decreasing odds whose wins on a step are whole chips."""
    divisors = [divisor for divisor in range(1, coins + 1) if coins % divisor == 0]
    stake_units = draw(st.sampled_from(divisors))
    numerator, odds = draw(st.integers(1, 4)), []
    for _ in range(count):
        odds.append(f"{numerator}:{stake_units}")
        numerator += draw(st.sampled_from([0, 1, 2, 3, 10, 100]))
    return odds
