"""Hands for each line of a pay table, each followed by near misses."""

from __future__ import annotations

# Two hole cards, three community cards, and the kind of the five.
FIVE_CARDS = [
    ("As Ks", "Qs Js Ts", "royal-flush"),
    ("Qh Th", "Ah Jh Kh", "royal-flush"),
    ("9s Ks", "Qs Js Ts", "straight-flush"),
    ("As 2s", "3s 4s 5s", "straight-flush"),
    ("As Kd", "Qs Js Ts", "straight"),
    ("9s Kd", "Qs Js Ts", "straight"),
    ("As Ks", "Qs Js 9s", "flush"),
    ("9c 9d", "9h 9s 2c", "four-of-a-kind"),
    ("2c 3d", "2h 2s 2d", "four-of-a-kind"),
    ("9c 9d", "9h 2s 2c", "full-house"),
    ("2c 3d", "3h 2s 2d", "full-house"),
    ("9c 9d", "9h 2s 3c", "three-of-a-kind"),
    ("2c 4d", "2h 2s 3d", "three-of-a-kind"),
    ("Ah 9h", "7h 4h 2h", "flush"),
    ("7d 5d", "4d 3d 2d", "flush"),
    ("Ah 9h", "7h 4h 2c", "nothing"),
    ("9c 8d", "7h 6s 5c", "straight"),
    ("Ac 2d", "3h 4s 5c", "straight"),
    ("Ac Kd", "Qh Js Tc", "straight"),
    ("9c 8d", "7h 6s 4c", "nothing"),
    ("Kc Ad", "2h 3s 4c", "nothing"),
    ("9c 9d", "8h 8s 2c", "two-pair"),
    ("2c 2d", "3h 3s Ac", "two-pair"),
    ("Ac Kd", "Qh Js 9c", "nothing"),
]

# Every pair, weakest first, with cards that add nothing.
PAIRS = [
    ("2", "2c 2d", "4h 7s 9c"),
    ("3", "3c 3d", "4h 7s 9c"),
    ("4", "4c 4d", "2h 7s 9c"),
    ("5", "5c Kd", "5h 7s 9c"),
    ("6", "6c Kd", "6h 7s 9c"),
    ("7", "Ac Kd", "2h 7s 7c"),
    ("8", "8c 8d", "2h 4s Jc"),
    ("9", "9c Ad", "9h 4s Jc"),
    ("10", "Tc Td", "2h 4s Jc"),
    ("J", "Jc Jd", "2h 4s Tc"),
    ("Q", "Qc 5d", "Qh 4s Tc"),
    ("K", "2c 5d", "Kh Ks Tc"),
    ("A", "Ac Ad", "2h 4s Tc"),
]

# Three cards of one deck.
THREE_CARDS = [
    ("7s 8s 9s", "straight-flush"),
    ("As 2s 3s", "straight-flush"),
    ("Qd Kd Ad", "straight-flush"),
    ("7s 8s 9d", "straight"),
    ("7s 8s Ts", "flush"),
    ("7s 7d 7c", "three-of-a-kind"),
    ("As Ad Ac", "three-of-a-kind"),
    ("7s 7d 8c", "pair"),
    ("As 2d 3c", "straight"),
    ("Qs Kd Ac", "straight"),
    ("Ks Ad 2c", "nothing"),
    ("7s 8d Tc", "nothing"),
    ("2h 9h Kh", "flush"),
    ("2h 9h Kd", "nothing"),
    ("2s 2d Ac", "pair"),
    ("As Ad 2c", "pair"),
    ("2s 3d 5c", "nothing"),
]

# Three cards of six decks: the same card may occur two or three times.
THREE_CARDS_OF_SIX_DECKS = [
    ("9h 9h 9h", "suited-three-of-a-kind"),
    ("9h 9h 9d", "three-of-a-kind"),
    ("9h 9d 9c", "three-of-a-kind"),
    ("7s 8s 9s", "straight-flush"),
    ("7s 8s 9d", "straight"),
    ("As 2d 3c", "straight"),
    ("Qs Kd Ac", "straight"),
    ("Ks Ad 2c", "nothing"),
    ("7s 8d Tc", "nothing"),
    ("9h 9h 2c", "suited-pair"),
    ("9h 9h 2h", "suited-pair"),
    ("9h 9d 2h", "pair"),
    ("9h 7h 2h", "flush"),
    ("9h 7h 2d", "nothing"),
    ("Ac Ad Kh", "pair"),
    ("Jc Qd 9h", "nothing"),
]
