"""Pay tables: the line that pays a hand, and the wins that a limit covers."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import groupby

from pitbook.hands.kinds import Kind, atoms, hand_kinds, line_names
from pitbook.money import Odds
from pitbook.sheets.family_registry import family_of
from pitbook.sheets.field_types import Push
from pitbook.sheets.model import Limit, Sheet, SideWager
from pitbook.text import Sentence, say

PayTable = Mapping[str, Odds | Push]

NO_PAYING_HAND, FOLD = "nothing", "fold"  # Outcomes of a wager that no line pays.


@dataclass(frozen=True, eq=False)
class Scope:
    """The outcomes of a pay table: kinds rising in strength, and what each line covers.

    Scopes are cached per kind, so they can serve as cache keys.
    """

    about: str | Callable[[], str]  # What a line names; rendered on demand.
    kinds: tuple[Kind, ...]
    names: tuple[str, ...]
    atoms: Callable[[str], frozenset[str] | None]
    ordered: bool = True

    def subject(self) -> str:
        """What its lines name, in words."""
        return self.about if isinstance(self.about, str) else self.about()

    def covers(self, line: str) -> frozenset[int]:
        """The kinds, by number, that a line covers; empty for an unknown name."""
        return _covered_kinds(self, line)


@lru_cache(maxsize=4096)  # A changed pay table has the same lines.
def _covered_kinds(scope: Scope, line: str) -> frozenset[int]:
    line_atoms = scope.atoms(line) or frozenset()
    return frozenset(number for number, kind in enumerate(scope.kinds) if kind.fits & line_atoms)


@cache
def hand_scope(cards: int, *, many_decks: bool) -> Scope | None:
    """Poker hands of a size, or None if there is no such ranking."""
    names = line_names(cards, many_decks)
    if not names:
        return None
    return Scope(
        lambda: say("findings.pays.hand-of", cards=cards, decks=many_decks),
        hand_kinds(cards, many_decks=many_decks),
        tuple(reversed(names)),
        lambda line: atoms(line, cards, many_decks),
    )


@cache
def match_scope(dealer_cards: int) -> Scope:
    """Matches between a player's ranks and the dealer's cards (MHL-11)."""
    return named_scope("matches", tuple(f"match-{n}" for n in range(dealer_cards + 1)))


def scope_of(sheet: Sheet, wager: str) -> Scope | None:
    """The outcomes that a wager's pay table may list ("main" or a side wager)."""
    return family_of(sheet).scope(sheet, wager)


def pays_of(sheet: Sheet, wager: str) -> PayTable:
    """The pay table in force for a wager: the prose's if the sheet says so."""
    if wager != "main":
        return sheet.side[wager].pays
    prose = sheet.main.prose
    if prose is None or prose.decides != "prose":
        return sheet.main.pays
    return pays_by_prose(sheet)


def pays_by_prose(sheet: Sheet) -> PayTable:
    """The main pay table with lines that the prose contradicts replaced by the prose's."""
    prose, scope = sheet.main.prose, scope_of(sheet, "main")
    assert prose is not None
    assert scope is not None
    prose_atoms = frozenset[str]().union(*(scope.atoms(line) or () for line in prose.pays))
    undisputed = {
        line: pay
        for line, pay in sheet.main.pays.items()
        if not prose_atoms & (scope.atoms(line) or set())
    }
    return undisputed | dict(prose.pays)


def lines_paid(
    pays: PayTable, scope: Scope, several_lines: str = "highest"
) -> tuple[str | None, ...]:
    """For each kind of the scope the line that pays it, or None if it loses (GEN-2)."""
    return _lines_paid(tuple(pays.items()), scope, several_lines)


@lru_cache(maxsize=1024)  # Every round and every advice uses the same few tables.
def _lines_paid(
    table: tuple[tuple[str, Odds | Push], ...], scope: Scope, several_lines: str
) -> tuple[str | None, ...]:
    pays = dict(table)
    covered = {line: scope.covers(line) for line in pays}
    fitting: list[list[str]] = [[] for _ in scope.kinds]
    for line, kinds in covered.items():
        for kind in kinds:
            fitting[kind].append(line)
    if several_lines == "first-listed":
        return tuple(lines[0] if lines else None for lines in fitting)

    def best(lines: list[str]) -> str:
        if len(lines) == 1:
            return lines[0]
        return max(lines, key=lambda line: (pay_value(pays[line]), -len(covered[line])))

    return tuple(best(lines) if lines else None for lines in fitting)


def pay_value(pay: Odds | Push | None) -> Fraction:
    """The player's result per unit staked: loss < push < any odds."""
    if pay is None:
        return Fraction(-1)
    return Fraction(0) if pay == "push" else Fraction(pay.to, pay.one)


def all_pay_tables(sheet: Sheet) -> dict[str, PayTable]:
    """Every pay table in force, main game first."""
    return {wager: pays_of(sheet, wager) for wager in ("main", *sheet.side)}


def settles_after_fold(side: SideWager) -> bool:
    """Whether a side wager stays in action when its player folds."""
    return side.after_fold is None or side.after_fold.plays


def named_scope(about: str, names: tuple[str, ...], *, ordered: bool = True) -> Scope:
    """Outcomes named one by one, rising."""
    kinds = tuple(Kind(name, frozenset({name})) for name in names)

    def line_atoms(line: str) -> frozenset[str] | None:
        return frozenset({line}) if line in names else None

    def subject() -> Sentence:
        return say("findings.pays.about", about=about)

    return Scope(subject, kinds, tuple(reversed(names)), line_atoms, ordered)


def falls_under(limit: Limit, wager: str, line: str, pay: Odds) -> bool:
    """Whether a win counts toward a limit; the main game's wager is "main"."""
    if limit.counts is None:
        return True
    if limit.counts.odds_at_least is not None:
        return limit.counts.odds_at_least <= pay
    return limit.counts.lines is not None and line in limit.counts.lines.get(wager, ())


def lines_under_limit(sheet: Sheet, limit: Limit) -> Iterator[tuple[str, str, Odds]]:
    """The winning lines under a limit: wager, line, odds."""
    for wager, pays in all_pay_tables(sheet).items():
        for line, pay in pays.items():
            if isinstance(pay, Odds) and falls_under(limit, wager, line, pay):
                yield wager, line, pay


_RANKED = re.compile(r"((?:suited-)?pair|high-card)-([^-]+)((?:-flush)?)")


def spans(
    names: Collection[str], all_names: Sequence[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names in runs of one stem, without gaps among all names, falling in strength.

    >>> list(spans({"pair-6", "pair-7", "flush"}, ["flush", "pair-8", "pair-7", "pair-6"]))
    [('flush', ('flush',)), ('pair-6-7', ('pair-7', 'pair-6'))]
    """
    for (selected, _), run in groupby(all_names, key=lambda name: (name in names, stem_of(name))):
        if selected:
            span = tuple(run)
            yield span_name(span, all_names), span


def span_name(run: Sequence[str], all_names: Sequence[str]) -> str:
    """One name for a run of ranked lines, as in "pair-6-10"; only the stem if the run has all of
    them.
    """
    high, low = _RANKED.fullmatch(run[0]), _RANKED.fullmatch(run[-1])
    if len(run) == 1 or not high or not low:
        return run[0]
    if len(run) == sum(stem_of(name) == stem_of(run[0]) for name in all_names):
        return stem_of(run[0])
    return f"{low[1]}-{low[2]}-{high[2]}{high[3]}"


def stem_of(name: str) -> str:
    """A kind's name without its rank."""
    match = _RANKED.fullmatch(name)
    return f"{match[1]}{match[3]}" if match else name
