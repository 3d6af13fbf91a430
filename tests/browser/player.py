"""A player at the page: reads the screen, and acts by mouse, keys or touch."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import count
from typing import Any, Literal, NamedTuple, Protocol

import pytest
from playwright.sync_api import Locator, Page
from tests.browser.visitors import go
from tests.house.web.live_server import SHEETS

Json = dict[str, Any]
Hand = Literal["mouse", "keys", "touch"]
SETTINGS = "pitbook.settings"
INSTANT = {"motion": "instant"}
OUTCOMES = {
    "win": "wins",
    "push": "push",
    "lose": "loses",
    "void": "returned",
    "forfeit": "forfeited",
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
LIMITS = "–"  # An empty circle shows its limits: $5–$500.
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
    """A sheet in the words on its felt."""

    id: str
    main: str
    required: tuple[str, ...]
    optional: tuple[str, ...]
    plays: tuple[str, ...]
    bets: dict[str, Json]
    """A bet that each circle takes, by its title, in the house's words."""


def game_of(sheet: Json) -> Game:
    """A game from the house's list of sheets."""
    titles = [(wager["title"], wager["required"]) for wager in sheet["wagers"].values()]
    (main, _), *sides = titles
    return Game(
        sheet["id"],
        main,
        tuple(title for title, required in sides if required),
        tuple(title for title, required in sides if not required),
        ("Low", "High") if sheet["id"] == DECLARED else ("Fold", "1x", "2x", "3x"),
        {limits["title"]: bet(wager, limits) for wager, limits in sheet["wagers"].items()},
    )


def bet(wager: str, limits: Json) -> Json:
    """One chip, or the minimum if a chip is not allowed."""
    takes = float(limits["min"]) <= float(CHIP) <= float(limits["max"])
    return {"wager": wager, "amount": CHIP if takes else limits["min"]}


def commands_to_deal(game: Game, *more: str) -> list[Json]:
    """The commands of a player until the cards are dealt."""
    bets = [
        {"do": "put-wager", "seat": 1, **game.bets[title]}
        for title in (game.main, *game.required, *more)
    ]
    return [*bets, {"do": "close-betting"}]


def commands_to_finish(game: Game, *more: str, plays: tuple[str, ...] = ()) -> list[Json]:
    """The same, until the round is over."""
    decisions = [
        {"do": "decide", "seat": 1, "play": play.lower()} for play in plays or showdown_plays(game)
    ]
    return [*commands_to_deal(game, *more), *decisions]


def each_kind() -> list[Any]:
    """Every bundled sheet; one of each game stays in `make test`."""
    return [
        pytest.param(sheet, marks=() if sheet in KINDS else (pytest.mark.slow,)) for sheet in SHEETS
    ]


class Hands(Protocol):
    """A way to operate the page."""

    def enter(self, player: Player, game: Game) -> None: ...
    def bet(self, player: Player, title: str) -> None: ...
    def do(self, player: Player, name: str) -> None: ...


class Pointing:
    """A mouse or a finger."""

    def __init__(self, *, touch: bool = False) -> None:
        self.touch = touch
        self.actions = 0

    def press(self, locator: Locator) -> None:
        self.actions += 1
        locator.tap() if self.touch else locator.click()

    def enter(self, player: Player, game: Game) -> None:
        self.press(player.practice(game))

    def bet(self, player: Player, title: str) -> None:
        self.press(player.circle(title))

    def do(self, player: Player, name: str) -> None:
        self.press(player.action(name))


class Typing:
    """The keyboard alone."""

    def __init__(self) -> None:
        self.actions = 0

    def press(self, player: Player, key: str) -> None:
        self.actions += 1
        player.page.keyboard.press(key)

    def reach(self, player: Player, locator: Locator) -> None:
        """Press Tab until the element has the focus."""
        tab_to(locator, lambda: self.press(player, "Tab"), TABS_MAX)

    def enter(self, player: Player, game: Game) -> None:
        self.reach(player, player.practice(game))
        self.press(player, "Enter")

    def bet(self, player: Player, title: str) -> None:
        """Move to the circle with the arrow keys and add a chip."""
        ready(player.circle(title))
        names = player.circles()
        current = next((n for n, name in enumerate(names) if player.is_chosen(name)), 0)
        target = next(n for n, name in enumerate(names) if name.startswith(title))
        for _ in range((target - current) % len(names)):
            self.press(player, "ArrowRight")
        self.press(player, "ArrowUp")

    def do(self, player: Player, name: str) -> None:
        button = ready(player.action(name))
        self.press(player, button.get_attribute("aria-keyshortcuts") or "")


def tab_to(locator: Locator, tab: Callable[[], None], most: int) -> None:
    """Press Tab until the element has the focus; it is located again only if it was redrawn."""
    handle = locator.element_handle()
    for _ in range(most):
        focused = handle.evaluate("one => one.isConnected ? one === document.activeElement : null")
        if focused:
            return
        if focused is None:
            handle = locator.element_handle()
        else:
            tab()
    raise AssertionError(f"{locator} cannot be reached with Tab")


def ready(locator: Locator) -> Locator:
    """The element, once it is enabled."""
    locator.and_(locator.page.locator(':not([aria-disabled="true"]):not([disabled])')).wait_for()
    return locator


class Player:
    """A player at one page, operating it in some way."""

    def __init__(self, page: Page, hands: Hands | None = None) -> None:
        self.page = page
        self.hands = hands or Pointing()
        self.actions = page.get_by_role("group", name="Actions")
        self.spot = page.get_by_role("region", name=re.compile("^Your seat"))
        self.log = page.get_by_role("log", name="Table log")
        self.side_panel = page.get_by_role("tabpanel")

    # What is seen ------------------------------------------------------------------------------

    def practice(self, game: Game) -> Locator:
        """A game's practice button in the lobby."""
        rules = self.page.locator(f'a[href="/rules/{game.id}"]')
        card = self.page.get_by_role("article").filter(has=rules)
        return card.get_by_role("button", name=re.compile("^Practice"))

    def action(self, name: str) -> Locator:
        """A button below the felt: Deal, Rebet, Undo, Hint, or a play."""
        return self.actions.get_by_role("button", name=re.compile(rf"^{name}\b"))

    def circle(self, title: str) -> Locator:
        """A circle that takes chips."""
        return self.spot.get_by_role("button", name=re.compile(rf"^{re.escape(title)}"))

    def wager(self, title: str) -> Locator:
        """A circle of any kind, including streets."""
        name_pattern = re.compile(rf"^{re.escape(title)}\b")
        return self.circle(title).or_(self.spot.get_by_role("img", name=name_pattern))

    def circles(self) -> list[str]:
        """The names of the circles in layout order."""
        return [text.strip() for text in self.spot.get_by_role("button").all_inner_texts()]

    def is_chosen(self, name: str) -> bool:
        """Whether the arrow keys act on this circle."""
        chosen = self.spot.locator('button:has(.chosen), button[aria-current="true"]')
        return name in [text.strip() for text in chosen.all_inner_texts()]

    @property
    def table(self) -> str:
        """The table's name, from the address."""
        return self.page.url.rpartition("/table/")[2].partition("/")[0]

    @property
    def balance(self) -> str:
        """The balance shown in the banner."""
        return self.page.get_by_role("banner").locator("b").inner_text()

    def cards(self, where: Locator) -> list[str]:
        """The names of the cards in a region."""
        names = where.get_by_role("img").evaluate_all(
            "all => all.map(one => one.getAttribute('aria-label'))"
        )
        return [name for name in names if CARD.fullmatch(name or "")]

    @property
    def board(self) -> Locator:
        return self.page.get_by_role("region", name=re.compile("^(Community|Dealer's) cards"))

    def view(self) -> Json:
        """The player's view of the table."""
        return self.get(f"/api/tables/{self.table}")

    def get(self, path: str) -> Json:
        """Get a path as this player; an idle connection may need a retry."""
        answer = self.page.request.get(path, max_retries=RETRIES)
        assert answer.ok, f"{path}: {answer.text()}"
        reply: Json = answer.json()
        return reply

    # What is done ------------------------------------------------------------------------------

    def sit_down(self, game: Game) -> None:
        """Go from the lobby to a practice seat."""
        self.page.goto("/")
        self.hands.enter(self, game)
        self.circle(game.main).wait_for()

    def sit(self, game: Game, *commands: Json) -> None:
        """Open a practice table after these commands, skipping the lobby."""
        self.come_to(self.seat(game, *commands))

    def seat(self, game: Game, *commands: Json) -> str:
        """Create a practice table and send these commands, without the page."""
        request = {"sheet": game.id}
        reply = self.page.request.post("/api/practice", data=request, max_retries=RETRIES)
        assert reply.status == 201, reply.text()
        table = str(reply.json()["table"])
        for command in commands:
            self.command(table, **command)
        return table

    def command(self, table: str, **given: Any) -> None:
        """Send this player's command to a table, without the page."""
        payload = {"request": f"own {next(NUMBERS)}", "command": given}
        path = f"/api/tables/{table}/commands"
        answer = self.page.request.post(path, data=payload, max_retries=RETRIES)
        assert answer.ok, f"{given}: {answer.text()}"

    def come_to(self, table: str) -> None:
        """Open a table by its address."""
        self.page.goto(f"/table/{table}")
        self.actions.wait_for()

    def walk_to(self, table: str) -> None:
        """Navigate to a table within the page, without a reload."""
        go(self.page, f"/table/{table}")
        self.actions.wait_for()

    def bet(self, game: Game, *more: str) -> None:
        """Place the main wager, the required ones, and more."""
        for title in (game.main, *game.required, *more):
            self.hands.bet(self, title)
            self.circle(title).filter(has_not_text=LIMITS).wait_for()

    def deal(self) -> None:
        self.hands.do(self, "Deal")

    def play(self, *plays: str) -> None:
        """Make decisions, each when the felt asks for it."""
        caption = ""
        for play in plays:
            caption = self.wait_for_decision(after=caption)
            self.hands.do(self, play)

    def wait_for_decision(self, after: str = "") -> str:
        """Wait for a new decision on the felt; returns its caption."""
        other = f"(?!{re.escape(after)}$)" if after else ""
        caption = self.page.get_by_text(re.compile(rf"^{other}.+: your turn$"))
        caption.wait_for()
        return caption.inner_text().strip()

    def rebet(self) -> None:
        self.hands.do(self, "Rebet")

    def wait_for_result(self) -> None:
        """Wait until the round is over and its result is shown."""
        ready(self.action("Rebet"))

    def round(self, game: Game, *more: str, street: str = "1x") -> None:
        """Play a whole round, from the bets to the result."""
        self.bet(game, *more)
        self.deal()
        self.play(*showdown_plays(game, street))
        self.wait_for_result()


def showdown_plays(game: Game, street: str = "1x") -> tuple[str, ...]:
    """Plays that take a round of a game to its showdown."""
    return ("High",) if "High" in game.plays else (street,) * 3


def format_amount(amount: str) -> str:
    """An amount as the page formats it: "1234.50" is $1,234.50, and "10.00" is $10."""
    whole, cents = amount.removeprefix("-").split(".")
    sign = "−\u2060" if amount.startswith("-") else ""
    return f"{sign}${int(whole):,}{'' if cents == '00' else f'.{cents}'}"


def keep_settings(page: Page, **settings: object) -> None:
    """Store settings as if from an earlier visit."""
    stored = json.dumps(settings)
    if page.url.startswith("http"):
        page.evaluate("([name, kept]) => { localStorage[name] = kept; }", [SETTINGS, stored])
    else:
        first = f"if (location.host) localStorage['{SETTINGS}'] ??= {json.dumps(stored)}"
        page.context.add_init_script(first)
