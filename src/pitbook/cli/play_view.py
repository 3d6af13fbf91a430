"""The terminal of `pitbook play`: keys that are read, and cards and seats as coloured lines."""

from __future__ import annotations

import sys
from typing import Protocol

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pitbook.cards import Card, name
from pitbook.cli.language import money_told, worded
from pitbook.money import Cents
from pitbook.rules.game import Place, Seat
from pitbook.rules.narration import wager_title
from pitbook.rules.round import Round
from pitbook.text import say

CTRL_C, CTRL_D = "\x03", "\x04"


class GoHome(Exception):
    """The player goes home."""


class KeySource(Protocol):
    """Where a player's answers come from."""

    def line(self, prompt: str) -> str:
        """A line of text; raises Leave when there are no more."""

    def key(self, prompt: str) -> str:
        """One key, or the first letter of a line; raises Leave when there are no more."""


def keyboard(out: Console) -> KeySource:
    """The keyboard where there is one, else standard input line by line."""
    return _Terminal(out) if sys.stdin.isatty() and out.is_terminal else _Lines(out)


class _Lines:
    def __init__(self, out: Console) -> None:
        self.out = out

    def line(self, prompt: str) -> str:
        self.out.print(prompt, end="")
        text = sys.stdin.readline()
        if not text:
            raise GoHome
        self.out.print(text.rstrip("\n"))
        return text.strip()

    def key(self, prompt: str) -> str:
        return self.line(prompt)[:1].lower()


class _Terminal:
    def __init__(self, out: Console) -> None:
        self.out = out

    def line(self, prompt: str) -> str:
        try:
            return input(prompt)
        except EOFError:
            raise GoHome from None

    def key(self, prompt: str) -> str:
        self.out.print(prompt, end="")
        sys.stdout.flush()
        pressed = typer.getchar()
        if pressed in (CTRL_C, CTRL_D):
            raise GoHome
        shown = "" if pressed in "\r\n" else pressed
        self.out.print(shown)
        return shown[:1].lower()


SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
INKS = {"c": "green4", "d": "blue3", "h": "red3", "s": "black"}


def card_text(card: Card, console: Console) -> Text:
    """A card face, in four colours where the terminal has them."""
    rank, suit = name(card)[0], name(card)[1]
    symbol = SUITS[suit] if _speaks_symbols(console) else suit
    return Text(f" {'10' if rank == 'T' else rank}{symbol} ", style=f"bold {INKS[suit]} on white")


def back(console: Console) -> Text:
    """A card that lies face down."""
    return Text(" ▒▒ " if _speaks_symbols(console) else " ## ", style="white on dark_red")


def cards_text(cards: tuple[Card, ...], laid: int, console: Console) -> Text:
    """Cards that are turned, then backs for those that are not."""
    faces = [card_text(one, console) for one in cards]
    faces += [back(console) for _ in range(laid - len(cards))]
    return Text(" ").join(faces)


def felt(round: Round, balances: dict[int, Cents], console: Console) -> Table:
    """The board and every seat: cards, wagers, what is left in front of the player."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    for place, pile in zip(round.game.places[1:], round.piles, strict=True):
        cards = cards_text(pile.cards, pile.laid, console)
        table.add_row(_place(place), cards, "", "")
    for seat in round.seats:
        table.add_row(
            worded(say("cli.settle.seat", seat=seat.number)),
            cards_text(seat.cards, seat.laid, console),
            _wagers(round, seat),
            money_told(balances[seat.number]),
        )
    return table


def _place(place: Place) -> str:
    return worded(say("cli.play.place", place=place.id, title=place.title.capitalize()))


def _wagers(round: Round, seat: Seat) -> Text:
    """Each wager with its amount; those a fold has lost are struck through."""
    parts = []
    for wager, amount in seat.main:
        lost = "strike dim" if seat.folded else ""
        parts.append(Text(f"{worded(wager_title(round, wager))} {money_told(amount)}", style=lost))
    for wager, amount in seat.side:
        parts.append(Text(f"{worded(wager_title(round, wager))} {money_told(amount)}"))
    declared = [worded(say("exact.why.play", play=one.said)) for one in seat.plays if one.said]
    said = [worded(say("cli.play.folded"))] if seat.folded else declared
    parts += [Text(one, style="italic") for one in said]
    return Text(", ").join(parts)


def _speaks_symbols(console: Console) -> bool:
    return console.encoding.lower().replace("-", "") == "utf8"
