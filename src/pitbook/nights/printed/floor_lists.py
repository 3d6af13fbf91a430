"""Paper for the floor, should screens go dark: who signs in, who sits where, who has what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from pitbook.money import money, spoken
from pitbook.nights.book.state import NightState, Slip
from pitbook.nights.printed.receipts import practice_banner, receipt_text
from pitbook.nights.tournament.state import Tournament
from pitbook.nights.tournament.words import announcement

__all__ = ["count_sheets", "receipt_page", "seat_cards", "sign_in_sheet"]

EMPTY_LINES = 12  # For whoever comes to the door without having entered.
STYLE = """
body { font: 12pt/1.35 Georgia, serif; color: #000; background: #fff; max-width: 48em;
  margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; margin: 0; } h2 { font-size: 1.25em; margin: 0; } p { margin: .2em 0 .8em; }
table { width: 100%; border-collapse: collapse; margin-bottom: 1.5em; }
th, td { border: 1px solid #000; padding: .35em .5em; text-align: left; height: 1.9em; }
th { background: #eee; } td.wide { width: 40%; } td.number { text-align: right; }
section { break-after: page; } section:last-child { break-after: auto; }
.cards { display: grid; grid-template-columns: 1fr 1fr; gap: .8em; }
.card { border: 1px solid #000; border-radius: .5em; padding: .8em; break-inside: avoid;
  display: grid; grid-template-columns: 1fr auto; gap: .3em 1em; overflow-wrap: anywhere; }
.card b { font-size: 1.4em; } .card strong { font-size: 1.7em; } .card img { width: 7.5em; }
.practice { border: 3px double #000; padding: .3em; text-align: center; font-weight: bold; }
pre { font: 12pt/1.5 ui-monospace, Consolas, monospace; white-space: pre-wrap; }
@page { size: letter; margin: 1.5cm; } @media print { body { margin: 0; max-width: none; } }
"""
Picture = Callable[[str], str]  # A player's code as the address of a picture.


def sign_in_sheet(state: NightState, one: Tournament) -> str:
    """Everybody by name with room for a signature, and empty lines for those who come late."""
    names = sorted(one.players, key=str.casefold)
    rows = [(name, spoken(one.players[name].spent), "") for name in names]
    rows += [("", "", "")] * EMPTY_LINES
    table = _table(("Player", "Paid", "Signature"), rows, wide=2)
    told = escape(announcement(one.schedule))
    return _page(state, f"Sign-in: {one.schedule.title}", [*_head(state), f"<p>{told}</p>", table])


def seat_cards(state: NightState, one: Tournament, picture: Picture) -> str:
    """A card for each player to carry to the seat, with the code that the door reads."""
    cards = [_card(state, one, name, picture(name)) for name in _by_seat(one)]
    return _page(
        state,
        f"Seat cards: {one.schedule.title}",
        [*_head(state), '<div class="cards">', *cards, "</div>"],
    )


def count_sheets(state: NightState, one: Tournament) -> str:
    """A sheet for each table: who sits there, what they had, room for what they have."""
    sections = [_counted(state, one, table, names) for table, names in sorted(one.tables.items())]
    return _page(
        state,
        f"Count sheets: {one.schedule.title}",
        [*_head(state), *(sections or ["<p>Nobody has a seat yet.</p>"])],
    )


def receipt_page(state: NightState, slip: Slip) -> str:
    """A slip of the cage, to hand over."""
    text = escape(receipt_text(state, slip))
    return _page(state, f"Receipt {slip.number}", [f"<pre>{text}</pre>"], heading=False)


def _by_seat(one: Tournament) -> list[str]:
    def place(name: str) -> tuple[int, int, str]:
        player = one.players[name]
        return player.table or 0, player.seat or 0, name.casefold()

    return sorted(one.still_in, key=place)


def _card(state: NightState, one: Tournament, name: str, picture: str) -> str:
    player = one.players[name]
    seat = (
        "Seat to be drawn"
        if player.table is None
        else f"<strong>Table {player.table}, seat {player.seat}</strong>"
    )
    practice = "<br>REHEARSAL" if state.rehearsal else ""
    return (
        f'<div class="card"><div><b>{escape(name)}</b>{practice}<br>'
        f"{escape(one.schedule.title)}<br>{seat}"
        f'</div><img src="{escape(picture)}" alt="Check-in code of {escape(name)}"></div>'
    )


def _counted(state: NightState, one: Tournament, table: int, names: Sequence[str]) -> str:
    rows = [
        (str(one.players[name].seat), name, money(one.players[name].chips), "") for name in names
    ]
    grid = _table(("Seat", "Player", "Chips before", "Chips now"), rows, wide=3)
    signed = "<p>Counted by ______________________ at ____________</p>"
    practice = ", rehearsal" if state.rehearsal else ""
    return f"<section><h2>Table {table}{practice}</h2>{grid}{signed}</section>"


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]], *, wide: int) -> str:
    head = "".join(f'<th scope="col">{escape(title)}</th>' for title in titles)
    body = "".join(f"<tr>{''.join(_cells(row, wide))}</tr>\n" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"


def _cells(row: Sequence[str], wide: int) -> Iterator[str]:
    for column, text in enumerate(row):
        kind = ' class="wide"' if column == wide else ""
        yield f"<td{kind}>{escape(text)}</td>"


def _head(state: NightState) -> list[str]:
    where = f"{state.rules.house.name}, for {state.charity}, {state.gaming_date}"
    return [f"<p>{escape(where)}</p>"]


def _page(state: NightState, title: str, body: Iterable[str], *, heading: bool = True) -> str:
    top = f"<h1>{escape(title)}</h1>\n" if heading else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"{practice_banner(state)}{top}{chr(10).join(body)}\n</main>\n</body>\n</html>\n"
    )
