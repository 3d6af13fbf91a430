"""How names are normalized, compared and checked, so that no two people look alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import filterfalse, groupby

from pitbook.text import Sentence, say
from pitbook.text.user_input import HIDDEN, printable, title_error

GUEST_PREFIX = "guest-"  # Reserved for guests.
_GUEST_NUMBER = re.compile(rf"{GUEST_PREFIX}[0-9a-f]{{8,}}")


def is_guest_number(name: str) -> bool:
    """Whether a name is a guest's number, which messages do not show.

    >>> [is_guest_number(name) for name in ("guest-1f5088fa498fcdef", "guest-ann", "ann")]
    [True, False, False]
    """
    return _GUEST_NUMBER.fullmatch(name) is not None


NAME_MAX = 60
MARK = re.compile(r"\s*\(([0-9]{1,3})\)$")
FIRST_MARK, LAST_MARK = 2, 99
ACCENTS_MAX = 3  # On one letter; more would hide it.
SAME_CHARACTER = {  # Typographic variants of a quote and a hyphen.
    **dict.fromkeys(map(ord, "\u2018\u2019\u201b\u02bc\u02b9\u00b4`"), "'"),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-"),
}
# May be mixed within a word.
EAST_ASIAN_SCRIPTS = {"HAN", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"}
LEFT_TO_RIGHT_MARK = "\u200e"  # Unicode's list puts right-to-left text between two of these.
# Coptic letters missing from Unicode's list; small forms look the same.
COPTIC_LETTERS = dict(zip("ⲀⲂⲈⲎⲒⲔⲘⲚⲞⲢⲤⲦⲨⲬ", "abehikmnopctyx", strict=True))
SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
# Scripts whose letters are recognizable without accents.
SCRIPTS_WITH_ACCENTS = "LATIN", "GREEK", "CYRILLIC"


def name_error(name: str) -> str | None:
    """Why the name is not allowed, as a message; None if it is fine."""
    return format_error(name) or mixed_script_error(name) or title_error("name", name)


@lru_cache(maxsize=10_000)
def format_error(name: str) -> str | None:
    """Why this cannot be a name at all, as a message; None if it is fine."""
    normalized = normalize_name(name)
    if is_unstorable(name) or is_unstorable(normalized):
        return say("identity.names.no-name", name=display_name(name), most=NAME_MAX)
    if HIDDEN.search(name) or HIDDEN.search(normalized):
        return say("identity.names.unseen", name=display_name(name))
    if _has_too_many_accents(normalized):
        return say("identity.names.overgrown", name=display_name(name))
    if (mixed := _find_mixed_word(normalized)) is not None:
        word, scripts = mixed
        return say(
            "identity.names.mixed-word", word=display_name(word), scripts=_script_names(scripts)
        )
    bare = MARK.sub("", normalized)
    if not any(map(str.isalpha, bare)):
        return say("identity.names.no-letter", name=display_name(name))
    if MARK.search(bare):
        return say("identity.names.two-marks", name=display_name(name))
    if (mark := MARK.search(normalized)) and not FIRST_MARK <= int(mark[1]) <= LAST_MARK:
        return say("identity.names.odd-mark", name=display_name(name))
    return None


@lru_cache(maxsize=10_000)
def mixed_script_error(name: str) -> str | None:
    """Why a name could pass for another in other letters, by UTS #39; old ledgers may have such.

    A name uses one script, except that Latin may stand beside East Asian scripts, and one kind of
    digits, beside Latin letters only 0 to 9. It must not consist only of letters that look Latin.
    """
    normalized = normalize_name(name)
    scripts = _scripts(normalized)
    if len(scripts) > 1 and scripts != {"LATIN", "HAN"}:
        named = _script_names(sorted(script.capitalize() for script in scripts))
        return say("identity.names.mixed", name=display_name(name), scripts=named)
    if len({ord(digit) - int(digit) for digit in filter(str.isdecimal, normalized)}) > 1:
        return say("identity.names.mixed-digits", name=display_name(name))
    if "LATIN" in scripts and (digit := next(filter(_is_foreign_digit, normalized), None)):
        return say("identity.names.foreign-digit", name=display_name(name), digit=digit)
    if "LATIN" in scripts:
        return None
    letters_and_signs = list(_without_accents(normalized))
    letters = [character for character in letters_and_signs if _has_script(character)]
    if not letters or not all(map(_latin_lookalike, letters)):
        return None
    reads = "".join(
        _latin_lookalike(character) or "" if character.isalpha() else character
        for character in letters_and_signs
    )
    (script,) = _script_names([next(iter(scripts), "other").capitalize()])
    return say("identity.names.reads-latin", name=display_name(name), script=script, reads=reads)


def _is_foreign_digit(character: str) -> bool:
    return character.isnumeric() and not character.isascii() and not character.isalpha()


def _script_names(scripts: Iterable[str]) -> tuple[Sentence, ...]:
    return tuple(say("identity.names.script", script=script) for script in scripts)


def is_unstorable(name: str) -> bool:
    """Whether the ledger cannot store the name; the only rule for names of older ledgers."""
    is_name = 0 < len(name) <= NAME_MAX and name.isprintable() and name == name.strip()
    # A slash separates wallet and table, and request and sender.
    return not is_name or "/" in name


@lru_cache(maxsize=10_000)
def normalize_name(name: str) -> str:
    """A name as recorded: NFKC, single spaces, and a standard form of the mark.

    >>> normalize_name("ｚｏｅ(2)"), normalize_name("O\u2019Brien")
    ('zoe (2)', "O'Brien")
    """
    plain = " ".join(unicodedata.normalize("NFKC", name.translate(SAME_CHARACTER)).split())
    if (mark := MARK.search(plain)) and mark.start():
        return f"{plain[: mark.start()]} ({int(mark[1])})"
    return plain


@lru_cache(maxsize=10_000)
def name_key(name: str) -> str:
    """The same key for every way to write one person's name.

    >>> name_key("ZOE") == name_key("ｚoe") == "zoe"
    True
    """
    return unicodedata.normalize("NFKC", normalize_name(name).casefold())


@lru_cache(maxsize=10_000)
def confusable_forms(name: str) -> frozenset[str]:
    """Forms a name can be mistaken for; two names that share one look alike.

    Dots, hyphens, blanks and signs do not distinguish names; a mark does.

    >>> bool(confusable_forms("zoe") & confusable_forms("z\u043ee"))
    True
    >>> bool(confusable_forms("Ian") & confusable_forms("Lan"))
    False
    """
    base = normalize_name(name)
    mark = match[0] if (match := MARK.search(base)) else ""
    base = base.removesuffix(mark)
    small = _letters(_lookalike_form(name_key(base)).casefold())
    # A capital I looks like an l, but not at the start of a name: Ian is not Lan.
    large = "".join(
        letter if letter == "I" and (at == 0 or base[at - 1] in " -'") else _letter_skeleton(letter)
        for at, letter in enumerate(base)
    )
    large = _letters(_lookalike_form(large.casefold()).casefold())
    return frozenset((f"{small}{mark}", f"{large}{mark}"))


def has_mark(name: str) -> bool:
    """Whether a name has a mark, as in "Zoe (2)"."""
    return MARK.search(normalize_name(name)) is not None


def next_mark(name: str, marks_taken: frozenset[str]) -> str:
    """The name with the first free mark; `marks_taken` are the marks in use."""
    bare = MARK.sub("", normalize_name(name))
    marked = (f"{bare} ({number})" for number in range(FIRST_MARK, LAST_MARK + 1))
    return next(
        (marked_name for marked_name in marked if name_key(marked_name) not in marks_taken),
        f"{bare} ({LAST_MARK})",
    )


def display_name(name: str) -> str:
    """A name, shortened and escaped for messages."""
    return printable(name[:NAME_MAX])


def _has_too_many_accents(name: str) -> bool:
    kinds = list(map(unicodedata.category, unicodedata.normalize("NFD", name)))
    runs = (len(list(run)) for kind, run in groupby(kinds) if kind == "Mn")
    return kinds[:1] == ["Mn"] or "Me" in kinds or max(runs, default=0) > ACCENTS_MAX


def _find_mixed_word(name: str) -> tuple[str, list[str]] | None:
    """The first word with letters of several scripts, which no language writes."""
    for word in re.split(r"[\s-]+", name):
        scripts = _scripts(word)
        if len(scripts) > 1:
            return word, sorted(script.capitalize() for script in scripts)
    return None


def _scripts(text: str) -> set[str]:
    """The scripts of a text's letters, ignoring letters that belong to several."""
    return set(map(_script, filter(_has_script, text)))


@cache
def _has_script(letter: str) -> bool:
    return letter.isalpha() and _script(letter) not in ("COMMON", "INHERITED")


@cache
def _script(letter: str) -> str:
    from confusable_homoglyphs import categories  # noqa: PLC0415  Half a megabyte of tables.

    script: str = categories.alias(letter)
    return "HAN" if script in EAST_ASIAN_SCRIPTS else script


def _lookalike_form(text: str) -> str:
    """Each letter replaced by the one it looks like, without accents where they are dropped."""
    return "".join(map(_skeleton_letter, _without_accents(text)))


@cache
def _letter_skeleton(letter: str) -> str:
    return _lookalike_form(letter)


def _letters(text: str) -> str:
    """A name without separators, or unchanged if it has nothing else."""
    bare = "".join(filterfalse(_is_separator, text))
    return bare or text


@cache
def _is_separator(character: str) -> bool:
    kind = unicodedata.category(character)
    return kind[0] in "PSZ" or (kind == "Lm" and _script(character) == "COMMON")


def _without_accents(text: str) -> Iterator[str]:
    base = ""
    for character in unicodedata.normalize("NFD", text):
        if not unicodedata.combining(character):
            base = character
        elif _drops_accents(base or character):
            continue
        yield character


@cache
def _drops_accents(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(SCRIPTS_WITH_ACCENTS)


@cache
def _latin_lookalike(letter: str) -> str | None:
    """The Latin letter that a letter of another script looks like.

    Letters written from right to left are not read as Latin, however similar.
    """
    if _is_right_to_left(letter):
        return None
    like = _confusables().get(letter, ())
    return next((alike for alike in like if alike.isascii() and alike.isalpha()), None)


@cache
def _skeleton_letter(letter: str) -> str:
    """The first of all letters that look like this one."""
    letter, table = _full_size(letter), _confusables()
    like = table.get(letter, ())
    if len(like) != 1:  # None, or the letter that others look like.
        return letter
    other = like[0]
    if _is_right_to_left(letter) and not any(map(str.isalnum, other)):
        return letter  # A yod is small, and yet Gal is not Gil.
    first = len(other) > 1 or len(table.get(other, ())) > 1 or other < letter
    return other if first else letter


def _is_right_to_left(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in ("R", "AL")


def _full_size(letter: str) -> str:
    """A small capital as a normal letter; Unicode's list covers only a few."""
    full_name = unicodedata.name(letter, "")
    plain = full_name.removeprefix(SMALL_CAPITAL)
    return plain.lower() if plain != full_name and len(plain) == 1 else letter


@cache
def _confusables() -> dict[str, list[str]]:
    """What each letter looks like, by Unicode's list of confusables."""
    from confusable_homoglyphs import confusables  # noqa: PLC0415

    added_letters = {
        form: [latin]
        for letter, latin in COPTIC_LETTERS.items()
        for form in (letter, letter.lower())
    }
    unicode_letters = {
        letter.strip(LEFT_TO_RIGHT_MARK): [
            str(alike["c"]).strip(LEFT_TO_RIGHT_MARK) for alike in like
        ]
        for letter, like in confusables.confusables_data.items()
    }
    return added_letters | unicode_letters
