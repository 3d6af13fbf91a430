"""How the plays of a decision are put to a person: by which key, and as what beside which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pitbook.rules.game.plays import Play

__all__ = ["KeyedPlay", "choices"]


class KeyedPlay(NamedTuple):
    """A play, the key it is made by, and the play that it only adds a wager to, if it does.

    The key of one that adds is the wager's: pressed first, then the other play's.
    """

    play: Play
    key: str
    plain: Play | None


def choices(plays: Sequence[Play]) -> tuple[KeyedPlay, ...]:
    """The plays in their order, each with the first sign of its name that is no other's key.

    >>> from pitbook.rules.game.plays import FOLD, bets, says
    >>> [one.key for one in choices((FOLD, bets("flop", 1), bets("flop", 10)))]
    ['f', '1', '0']
    >>> [(one.key, one.plain) for one in choices((says("low"), says("low", "double", 1)))]
    [('l', None), ('d', 'low')]
    """
    keys: dict[str, str] = {}
    found = []
    for play in plays:
        plain = _plain(play, plays)
        name = play if plain is None else play.puts[0][0]
        if name not in keys:
            keys[name] = next((sign for sign in name if sign not in keys.values()), "")
        found.append(KeyedPlay(play, keys[name], plain))
    return tuple(found)


def _plain(play: Play, plays: Sequence[Play]) -> Play | None:
    """The play that says the same, and puts nothing on the table."""
    if not play.said or not play.puts:
        return None
    return next((one for one in plays if one.said == play.said and not one.puts), None)
