"""A player at the page: what lies there is read off the screen, and hands do what hands can do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import count
from typing import Any, Literal, NamedTuple, Protocol

import pytest
from playwright.sync_api import Locator, Page
from tests.browser.visitors import go
from tests.house.web.live import SHEETS

Json = dict[str, Any]
Hand = Literal["mouse", "keys", "touch"]
SETTINGS = "pitbook.settings"
INSTANT = {"motion": "instant"}
OUTCOMES = {
    "win": "wins",
    "push": "pushes",
    "lose": "loses",
    "void": "goes back",
    "forfeit": "is forfeited",
}
RANKS = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
]
CARD = re.compile(
    rf"(?:(?:{'|'.join(RANKS)}) of (?:clubs|diamonds|hearts|spades))?(?:, )?(?:face down)?"
)
LIMITS = "–"  # An empty circle has its limits printed in it: $5–$500.
CHIP = "5.00"
DECLARED = "catfish-bend/matchem-hi-lo"  # Its hands are declared; all others are bet on.
KINDS = (
    "catfish-bend/mississippi-stud",
    DECLARED,
    "louisiana-stud/stax-required",
)
TABS_MAX = 80
NUMBERS = count(1)
RETRIES = 3


class Game(NamedTuple):
    """A sheet in the words that stand on its felt."""

    id: str
    main: str
    required: tuple[str, ...]
    optional: tuple[str, ...]
    plays: tuple[str, ...]
    bets: dict[str, Json]
    """A bet that each circle takes, by its title, in the house's words."""


def game_of(named: Json) -> Game:
    """A game out of the house's list of sheets."""
    titles = [(one["title"], one["required"]) for one in named["wagers"].values()]
    (main, _), *sides = titles
    return Game(
        named["id"],
        main,
        tuple(title for title, required in sides if required),
        tuple(title for title, required in sides if not required),
        ("Low", "High") if named["id"] == DECLARED else ("Fold", "1x", "2x", "3x"),
        {one["title"]: bet(wager, one) for wager, one in named["wagers"].items()},
    )


def bet(wager: str, limits: Json) -> Json:
    """One chip, or the least that is taken where a chip is not."""
    takes = float(limits["min"]) <= float(CHIP) <= float(limits["max"])
    return {"wager": wager, "amount": CHIP if takes else limits["min"]}


def dealt(game: Game, *more: str) -> list[Json]:
    """What a player asks of a table until the cards are dealt."""
    bets = [
        {"do": "put-wager", "seat": 1, **game.bets[title]}
        for title in (game.main, *game.required, *more)
    ]
    return [*bets, {"do": "close-betting"}]


def played(game: Game, *more: str, plays: tuple[str, ...] = ()) -> list[Json]:
    """The same, until the round is over."""
    decisions = [{"do": "decide", "seat": 1, "play": play.lower()} for play in plays or whole(game)]
    return [*dealt(game, *more), *decisions]


def each_kind() -> list[Any]:
    """Every bundled sheet, of which one of each game stays in `make test`."""
    return [
        pytest.param(sheet, marks=() if sheet in KINDS else (pytest.mark.slow,)) for sheet in SHEETS
    ]


class Hands(Protocol):
    """A way to use the page."""

    def enter(self, player: Player, game: Game) -> None: ...
    def bet(self, player: Player, title: str) -> None: ...
    def do(self, player: Player, name: str) -> None: ...


class Pointing:
    """A mouse, or a finger."""

    def __init__(self, *, touch: bool = False) -> None:
        self.touch = touch
        self.actions = 0

    def press(self, what: Locator) -> None:
        self.actions += 1
        what.tap() if self.touch else what.click()

    def enter(self, player: Player, game: Game) -> None:
        self.press(player.practise(game))

    def bet(self, player: Player, title: str) -> None:
        self.press(player.circle(title))

    def do(self, player: Player, name: str) -> None:
        self.press(player.action(name))


class Typing:
    """Keys alone; eyes say when."""

    def __init__(self) -> None:
        self.actions = 0

    def press(self, player: Player, key: str) -> None:
        self.actions += 1
        player.page.keyboard.press(key)

    def reach(self, player: Player, wanted: Locator) -> None:
        """Tab by tab until something has the focus."""
        tabbed(wanted, lambda: self.press(player, "Tab"), TABS_MAX)

    def enter(self, player: Player, game: Game) -> None:
        self.reach(player, player.practise(game))
        self.press(player, "Enter")

    def bet(self, player: Player, title: str) -> None:
        """Walk to the circle; from the main one on, in the felt's order."""
        ready(player.circle(title))
        names = player.circles()
        here = next((n for n, name in enumerate(names) if player.is_chosen(name)), 0)
        there = next(n for n, name in enumerate(names) if name.startswith(title))
        for _ in range((there - here) % len(names)):
            self.press(player, "ArrowRight")
        self.press(player, "ArrowUp")

    def do(self, player: Player, name: str) -> None:
        shown = ready(player.action(name))
        self.press(player, shown.get_attribute("aria-keyshortcuts") or "")


def tabbed(wanted: Locator, tab: Callable[[], None], most: int) -> None:
    """Tab by tab until something has the focus; it is looked for anew only where it was redrawn."""
    one = wanted.element_handle()
    for _ in range(most):
        focused = one.evaluate("one => one.isConnected ? one === document.activeElement : null")
        if focused:
            return
        if focused is None:
            one = wanted.element_handle()
        else:
            tab()
    raise AssertionError(f"{wanted} cannot be reached with Tab")


def ready(what: Locator) -> Locator:
    """Something that can be used now."""
    what.and_(what.page.locator(':not([aria-disabled="true"]):not([disabled])')).wait_for()
    return what


class Player:
    """Somebody in front of one page, with two hands of some kind."""

    def __init__(self, page: Page, hands: Hands | None = None) -> None:
        self.page = page
        self.hands = hands or Pointing()
        self.actions = page.get_by_role("group", name="Actions")
        self.spot = page.get_by_role("region", name=re.compile("^Your spot"))
        self.log = page.get_by_role("log", name="At the table")
        self.beside = page.get_by_role("tabpanel")

    # What is seen ------------------------------------------------------------------------------

    def practise(self, game: Game) -> Locator:
        """The button of a game in the lobby."""
        rules = self.page.locator(f'a[href="/rules/{game.id}"]')
        card = self.page.get_by_role("article").filter(has=rules)
        return card.get_by_role("button", name=re.compile("^Practise"))

    def action(self, name: str) -> Locator:
        """A button below the felt: Deal, Rebet, Undo, Hint, or a play."""
        return self.actions.get_by_role("button", name=re.compile(rf"^{name}\b"))

    def circle(self, title: str) -> Locator:
        """A circle that takes chips."""
        return self.spot.get_by_role("button", name=re.compile(rf"^{re.escape(title)}"))

    def wager(self, title: str) -> Locator:
        """A circle of any kind, those of the streets too."""
        named = re.compile(rf"^{re.escape(title)}\b")
        return self.circle(title).or_(self.spot.get_by_role("img", name=named))

    def circles(self) -> list[str]:
        """The names of those circles, in the felt's order."""
        return [text.strip() for text in self.spot.get_by_role("button").all_inner_texts()]

    def is_chosen(self, name: str) -> bool:
        """Whether arrow keys mean this circle."""
        found = self.spot.locator('button:has(.chosen), button[aria-current="true"]')
        return name in [text.strip() for text in found.all_inner_texts()]

    @property
    def table(self) -> str:
        """The table's name, from the address."""
        return self.page.url.rpartition("/table/")[2].partition("/")[0]

    @property
    def balance(self) -> str:
        """The money in the strip above, as it is written there."""
        return self.page.get_by_role("banner").locator("b").inner_text()

    def cards(self, where: Locator) -> list[str]:
        """The cards that lie somewhere, by their names."""
        names = where.get_by_role("img").evaluate_all(
            "all => all.map(one => one.getAttribute('aria-label'))"
        )
        return [name for name in names if CARD.fullmatch(name or "")]

    @property
    def board(self) -> Locator:
        return self.page.get_by_role("region", name=re.compile("^(Community|Dealer's) cards"))

    def view(self) -> Json:
        """The table as the house tells it to this very player."""
        return self.get(f"/api/tables/{self.table}")

    def get(self, path: str) -> Json:
        """What the house answers this player; a line that was idle may need a second try."""
        answer = self.page.request.get(path, max_retries=RETRIES)
        assert answer.ok, f"{path}: {answer.text()}"
        found: Json = answer.json()
        return found

    # What is done ------------------------------------------------------------------------------

    def sit_down(self, game: Game) -> None:
        """From the address to a seat of one's own."""
        self.page.goto("/")
        self.hands.enter(self, game)
        self.circle(game.main).wait_for()

    def sit(self, game: Game, *done: Json) -> None:
        """To a seat of one's own without the lobby, where this was done before one looked."""
        self.come_to(self.seat(game, *done))

    def seat(self, game: Game, *done: Json) -> str:
        """A table of one's own where this was done, all of it without the page."""
        wish = {"sheet": game.id}
        seated = self.page.request.post("/api/practice", data=wish, max_retries=RETRIES)
        assert seated.status == 201, seated.text()
        table = str(seated.json()["table"])
        for one in done:
            self.command(table, **one)
        return table

    def command(self, table: str, **given: Any) -> None:
        """What this player asks of a table, without the page."""
        asked = {"request": f"own {next(NUMBERS)}", "command": given}
        path = f"/api/tables/{table}/commands"
        answer = self.page.request.post(path, data=asked, max_retries=RETRIES)
        assert answer.ok, f"{given}: {answer.text()}"

    def come_to(self, table: str) -> None:
        """To a table by its address."""
        self.page.goto(f"/table/{table}")
        self.actions.wait_for()

    def walk_to(self, table: str) -> None:
        """The same from elsewhere in the page, which is not loaded again."""
        go(self.page, f"/table/{table}")
        self.actions.wait_for()

    def bet(self, game: Game, *more: str) -> None:
        """The main wager, what the sheet requires, and more."""
        for title in (game.main, *game.required, *more):
            self.hands.bet(self, title)
            self.circle(title).filter(has_not_text=LIMITS).wait_for()

    def deal(self) -> None:
        self.hands.do(self, "Deal")

    def play(self, *plays: str) -> None:
        """Decisions, each when the felt asks for it; nobody bets on a card before it is seen."""
        asked = ""
        for play in plays:
            asked = self.asked(after=asked)
            self.hands.do(self, play)

    def asked(self, after: str = "") -> str:
        """What the felt asks for, once that is something new."""
        other = f"(?!{re.escape(after)}$)" if after else ""
        caption = self.page.get_by_text(re.compile(rf"^{other}.+: your decision$"))
        caption.wait_for()
        return caption.inner_text().strip()

    def rebet(self) -> None:
        self.hands.do(self, "Rebet")

    def settled(self) -> None:
        """Returns when the round is over and its result is shown."""
        ready(self.action("Rebet"))

    def round(self, game: Game, *more: str, street: str = "1x") -> None:
        """A whole round, from the bets to the result."""
        self.bet(game, *more)
        self.deal()
        self.play(*whole(game, street))
        self.settled()


def whole(game: Game, street: str = "1x") -> tuple[str, ...]:
    """Plays that see a round of a game to its showdown."""
    return ("High",) if "High" in game.plays else (street,) * 3


def spoken(amount: str) -> str:
    """An amount as the page writes it: "1234.50" is $1,234.50, and "10.00" is $10."""
    whole, cents = amount.removeprefix("-").split(".")
    sign = "−\u2060" if amount.startswith("-") else ""
    return f"{sign}${int(whole):,}{'' if cents == '00' else f'.{cents}'}"


def keep_settings(page: Page, **settings: object) -> None:
    """Settings as the browser would have kept them from an earlier visit."""
    kept = json.dumps(settings)
    if page.url.startswith("http"):
        page.evaluate("([name, kept]) => { localStorage[name] = kept; }", [SETTINGS, kept])
    else:
        first = f"if (location.host) localStorage['{SETTINGS}'] ??= {json.dumps(kept)}"
        page.context.add_init_script(first)
