"""Lists to print or export: seating, results, registered players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from pitbook.house.nights.state import NightState
from pitbook.house.nights.tournament.board import results
from pitbook.house.nights.tournament.schedule import announcement
from pitbook.house.nights.tournament.state import Tournament
from pitbook.money import money
from pitbook.text import in_language, say
from pitbook.text.catalog import ENGLISH

EMPTY_LINES = 12  # For players who come without having registered.
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
@page { size: letter; margin: 1.5cm; } @media print { body { margin: 0; max-width: none; } }
"""
Picture = Callable[[str], str]  # A player's code as the address of a picture.


def sign_in_sheet(state: NightState, tournament: Tournament, language: str = ENGLISH) -> str:
    """All players by name with room for a signature, and empty lines for late entries."""
    paper = _ListPage(state, language)
    names = sorted((*tournament.players, *tournament.registered), key=str.casefold)
    spent = {name: paper.money(player.spent) for name, player in tournament.players.items()}
    rows = [(name, spent.get(name, ""), "") for name in names]
    rows += [("", "", "")] * EMPTY_LINES
    titles = paper.columns("player", "paid", "signature")
    table = _table(titles, rows, wide=2)
    announcement_text = paper.html_text(announcement(tournament.schedule))
    title = say("nights.papers.sign-in", title=tournament.schedule.title)
    return paper.page(title, [*paper.head(), f"<p>{announcement_text}</p>", table])


def seat_cards(
    state: NightState, tournament: Tournament, picture: Picture, language: str = ENGLISH
) -> str:
    """A card for each player with the seat and the check-in code."""
    paper = _ListPage(state, language)
    cards = [_seat_card(paper, tournament, name, picture(name)) for name in _by_seat(tournament)]
    title = say("nights.papers.seat-cards", title=tournament.schedule.title)
    return paper.page(title, [*paper.head(), '<div class="cards">', *cards, "</div>"])


def count_sheets(state: NightState, tournament: Tournament, language: str = ENGLISH) -> str:
    """A sheet for each table: its players, their last count, and room for the new one."""
    paper = _ListPage(state, language)
    sections = [
        _count_sheet(paper, tournament, table, names)
        for table, names in sorted(tournament.tables.items())
    ]
    nobody = f"<p>{paper.html_text(say('nights.papers.nobody'))}</p>"
    title = say("nights.papers.count-sheets", title=tournament.schedule.title)
    return paper.page(title, [*paper.head(), *(sections or [nobody])])


def results_list(state: NightState, tournament: Tournament, language: str = ENGLISH) -> str:
    """All entrants by place with prizes and payments, to post and to file."""
    paper = _ListPage(state, language)
    rows = [
        (
            str(entrant.place or ""),
            entrant.player,
            *map(paper.money, (entrant.due, entrant.paid)),
            "",
        )
        for entrant in results(tournament)
    ]
    titles = paper.columns("place", "player", "due", "paid", "signature")
    status = say("nights.papers.stands", status=tournament.status, entrants=len(tournament.players))
    summary = f"<p>{paper.html_text(status)}</p>"
    title = say("nights.papers.results", title=tournament.schedule.title)
    return paper.page(title, [*paper.head(), summary, _table(titles, rows, wide=4)])


class _ListPage(NamedTuple):
    """A printed page of a night in one language."""

    state: NightState
    language: str

    def html_text(self, text: str) -> str:
        """A sentence in the page's language, escaped for HTML."""
        return escape(in_language(text, self.language))

    def columns(self, *names: str) -> list[str]:
        titles = (say("nights.papers.column", column=name) for name in names)
        return [in_language(title, self.language) for title in titles]

    def money(self, cents: int) -> str:
        """An amount in the page's language."""
        return in_language(say("words.money", amount=cents), self.language)

    def head(self) -> list[str]:
        """The line with the house, the charity and the date."""
        state = self.state
        names = {"house": state.rules.house.name, "charity": state.charity}
        return [
            f"<p>{self.html_text(say('nights.papers.head', day=state.gaming_date, **names))}</p>"
        ]

    def page(self, title: str, body: Iterable[str]) -> str:
        """The complete HTML page; a rehearsal is marked at the top."""
        heading = self.html_text(title)
        practice = self.html_text(say("nights.receipt.practice"))
        banner = f'<p class="practice">{practice}</p>\n' if self.state.rehearsal else ""
        return (
            f'<!doctype html>\n<html lang="{self.language.partition("/")[0]}">\n'
            '<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{heading}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
            f"{banner}<h1>{heading}</h1>\n{chr(10).join(body)}\n</main>\n</body>\n</html>\n"
        )


def _by_seat(tournament: Tournament) -> list[str]:
    def place(name: str) -> tuple[int, int, str]:
        player = tournament.players[name]
        return player.table or 0, player.seat or 0, name.casefold()

    return sorted(tournament.still_in, key=place)


def _seat_card(paper: _ListPage, tournament: Tournament, name: str, picture: str) -> str:
    player = tournament.players[name]
    seated = say("nights.papers.seat", table=player.table, seat=player.seat)
    seat = (
        paper.html_text(say("nights.papers.to-be-drawn"))
        if player.table is None
        else f"<strong>{paper.html_text(seated)}</strong>"
    )
    rehearsal = paper.html_text(say("nights.papers.rehearsal"))
    practice = f"<br>{rehearsal}" if paper.state.rehearsal else ""
    code = paper.html_text(say("nights.papers.code", player=name))
    return (
        f'<div class="card"><div><b>{escape(name)}</b>{practice}<br>'
        f"{escape(tournament.schedule.title)}<br>{seat}"
        f'</div><img src="{escape(picture)}" alt="{code}"></div>'
    )


def _count_sheet(paper: _ListPage, tournament: Tournament, table: int, names: Sequence[str]) -> str:
    rows = [
        (str(tournament.players[name].seat), name, money(tournament.players[name].chips), "")
        for name in names
    ]
    titles = paper.columns("seat", "player", "chips-before", "chips-now")
    grid = _table(titles, rows, wide=3)
    lines = {"by": "_" * 22, "at": "_" * 12}
    signed = f"<p>{paper.html_text(say('nights.papers.counted-by', **lines))}</p>"
    head = say("nights.papers.table", table=table, practice=paper.state.rehearsal)
    return f"<section><h2>{paper.html_text(head)}</h2>{grid}{signed}</section>"


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]], *, wide: int) -> str:
    head = "".join(f'<th scope="col">{escape(title)}</th>' for title in titles)
    body = "".join(f"<tr>{''.join(_cells(row, wide))}</tr>\n" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"


def _cells(row: Sequence[str], wide: int) -> Iterator[str]:
    for column, text in enumerate(row):
        kind = ' class="wide"' if column == wide else ""
        yield f"<td{kind}>{escape(text)}</td>"
