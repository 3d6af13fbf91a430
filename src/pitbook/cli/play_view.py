"""Reads keys for `pitbook play`, and renders cards and seats as colored lines."""

from __future__ import annotations

import sys
from typing import Protocol

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pitbook.cards import Card, name
from pitbook.cli.language import format_money, localize
from pitbook.money import Cents
from pitbook.rules.game import Place, Seat
from pitbook.rules.narration import wager_title
from pitbook.rules.round import Round
from pitbook.text import say

CTRL_C, CTRL_D = "\x03", "\x04"


class LeaveTable(Exception):
    """The player leaves."""


class KeySource(Protocol):
    """A source of the player's answers."""

    def line(self, prompt: str) -> str:
        """A line of text; raises LeaveTable at the end of input."""

    def key(self, prompt: str) -> str:
        """One key, or the first letter of a line; raises LeaveTable at the end of input."""


def keyboard(out: Console) -> KeySource:
    """The keyboard, or standard input line by line if there is no terminal."""
    return _Terminal(out) if sys.stdin.isatty() and out.is_terminal else _Lines(out)


class _Lines:
    def __init__(self, out: Console) -> None:
        self.out = out

    def line(self, prompt: str) -> str:
        self.out.print(prompt, end="")
        text = sys.stdin.readline()
        if not text:
            raise LeaveTable
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
            raise LeaveTable from None

    def key(self, prompt: str) -> str:
        self.out.print(prompt, end="")
        sys.stdout.flush()
        pressed = typer.getchar()
        if pressed in (CTRL_C, CTRL_D):
            raise LeaveTable
        echo = "" if pressed in "\r\n" else pressed
        self.out.print(echo)
        return echo[:1].lower()


SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
INKS = {"c": "green4", "d": "blue3", "h": "red3", "s": "black"}


def card_text(card: Card, console: Console) -> Text:
    """A card face, in four colors if the terminal supports them."""
    rank, suit = name(card)[0], name(card)[1]
    symbol = SUITS[suit] if _supports_symbols(console) else suit
    return Text(f" {'10' if rank == 'T' else rank}{symbol} ", style=f"bold {INKS[suit]} on white")


def back(console: Console) -> Text:
    """A face-down card."""
    return Text(" ▒▒ " if _supports_symbols(console) else " ## ", style="white on dark_red")


def cards_text(cards: tuple[Card, ...], card_count: int, console: Console) -> Text:
    """The turned cards, then backs for the others."""
    faces = [card_text(card, console) for card in cards]
    faces += [back(console) for _ in range(card_count - len(cards))]
    return Text(" ").join(faces)


def layout_table(round: Round, balances: dict[int, Cents], console: Console) -> Table:
    """The board and every seat: cards, wagers, and the player's balance."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    for place, pile in zip(round.game.places[1:], round.piles, strict=True):
        cards = cards_text(pile.cards, pile.cards_dealt, console)
        table.add_row(_place(place), cards, "", "")
    for seat in round.seats:
        table.add_row(
            localize(say("cli.settle.seat", seat=seat.number)),
            cards_text(seat.cards, seat.cards_dealt, console),
            _wagers(round, seat),
            format_money(balances[seat.number]),
        )
    return table


def _place(place: Place) -> str:
    return localize(say("cli.play.place", place=place.id, title=place.title.capitalize()))


def _wagers(round: Round, seat: Seat) -> Text:
    """Each wager with its amount; wagers lost by a fold are struck through."""
    parts = []
    for wager, amount in seat.main:
        lost = "strike dim" if seat.folded else ""
        parts.append(
            Text(f"{localize(wager_title(round, wager))} {format_money(amount)}", style=lost)
        )
    for wager, amount in seat.side:
        parts.append(Text(f"{localize(wager_title(round, wager))} {format_money(amount)}"))
    declared = [
        localize(say("exact.why.play", play=play.declaration))
        for play in seat.plays
        if play.declaration
    ]
    notes = [localize(say("cli.play.folded"))] if seat.folded else declared
    parts += [Text(note, style="italic") for note in notes]
    return Text(", ").join(parts)


def _supports_symbols(console: Console) -> bool:
    return console.encoding.lower().replace("-", "") == "utf8"
