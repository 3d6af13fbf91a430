"""How names are normalized, compared and checked, so that no two people look alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import filterfalse, groupby

from pitbook.sheets.findings import printable
from pitbook.spreadsheet import is_formula
from pitbook.text import Sentence, say

GUEST_PREFIX = "guest-"  # As such names begin; nobody else can have one.
_GUEST_NUMBER = re.compile(rf"{GUEST_PREFIX}[0-9a-f]{{8,}}")


def is_guest_number(name: str) -> bool:
    """Whether a name is a guest's number, so that no sentence says it.

    >>> [is_guest_number(one) for one in ("guest-1f5088fa498fcdef", "guest-ann", "ann")]
    [True, False, False]
    """
    return _GUEST_NUMBER.fullmatch(name) is not None


NAME_MAX = 60
MARK = re.compile(r"\s*\(([0-9]{1,3})\)$")
FIRST_MARK, LAST_MARK = 2, 99
ACCENTS_MAX = 3  # On one letter; more hide it.
SAME_CHARACTER = {  # What a keyboard puts for what was typed.
    **dict.fromkeys(map(ord, "\u2018\u2019\u201b\u02bc\u02b9\u00b4`"), "'"),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-"),
}
# Letters and marks that show nothing; what is not printable is refused anyway.
HIDDEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
TEMPLATE = re.compile(r"\{[{%#]|[$#]\{|<%")  # Where an expression begins in a template.
EAST_ASIAN_SCRIPTS = {
    "HAN",
    "HIRAGANA",
    "KATAKANA",
    "HANGUL",
    "BOPOMOFO",
}  # Written side by side in one word.
LEFT_TO_RIGHT_MARK = (
    "\u200e"  # Unicode's list has what runs from right to left between two of these.
)
# Coptic letters that Unicode's list leaves out; their small forms are as large ones.
COPTIC_LETTERS = dict(zip("ⲀⲂⲈⲎⲒⲔⲘⲚⲞⲢⲤⲦⲨⲬ", "abehikmnopctyx", strict=True))
SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
SCRIPTS_WITH_ACCENTS = (
    "LATIN",
    "GREEK",
    "CYRILLIC",
)  # Scripts whose letters are known without their accents.


def name_error(name: str) -> str | None:
    """Why nobody can have that name, in a sentence; None: somebody can."""
    return format_error(name) or mixed_script_error(name) or title_error("name", name)


@lru_cache(maxsize=10_000)
def format_error(name: str) -> str | None:
    """Why that is no name at all, in a sentence."""
    made = normalize_name(name)
    if is_unstorable(name) or is_unstorable(made):
        return say("identity.names.no-name", name=display_name(name), most=NAME_MAX)
    if HIDDEN.search(name) or HIDDEN.search(made):
        return say("identity.names.unseen", name=display_name(name))
    if _has_too_many_accents(made):
        return say("identity.names.overgrown", name=display_name(name))
    if (mixed := _find_mixed_word(made)) is not None:
        word, scripts = mixed
        return say(
            "identity.names.mixed-word", word=display_name(word), scripts=_script_names(scripts)
        )
    bare = MARK.sub("", made)
    if not any(map(str.isalpha, bare)):
        return say("identity.names.no-letter", name=display_name(name))
    if MARK.search(bare):
        return say("identity.names.two-marks", name=display_name(name))
    if (mark := MARK.search(made)) and not FIRST_MARK <= int(mark[1]) <= LAST_MARK:
        return say("identity.names.odd-mark", name=display_name(name))
    return None


@lru_cache(maxsize=10_000)
def mixed_script_error(name: str) -> str | None:
    """Why a name passes for another in other letters, by UTS #39; old books may have such.

    One script for the whole name, but for Latin beside the scripts of East Asia; one kind of
    digits, beside Latin letters 0 to 9; and not a word in it but letters taken for Latin ones.
    """
    made = normalize_name(name)
    scripts = _scripts(made)
    if len(scripts) > 1 and scripts != {"LATIN", "HAN"}:
        named = _script_names(sorted(one.capitalize() for one in scripts))
        return say("identity.names.mixed", name=display_name(name), scripts=named)
    if len({ord(one) - int(one) for one in filter(str.isdecimal, made)}) > 1:
        return say("identity.names.mixed-digits", name=display_name(name))
    if "LATIN" in scripts and (digit := next(filter(_is_foreign_digit, made), None)):
        return say("identity.names.foreign-digit", name=display_name(name), digit=digit)
    if "LATIN" in scripts:
        return None
    bare = list(_without_accents(made))
    letters = [one for one in bare if _has_script(one)]
    if not letters or not all(map(_latin_lookalike, letters)):
        return None
    reads = "".join(_latin_lookalike(one) or "" if one.isalpha() else one for one in bare)
    (script,) = _script_names([next(iter(scripts), "other").capitalize()])
    return say("identity.names.reads-latin", name=display_name(name), script=script, reads=reads)


def _is_foreign_digit(one: str) -> bool:
    return one.isnumeric() and not one.isascii() and not one.isalpha()


def _script_names(scripts: Iterable[str]) -> tuple[Sentence, ...]:
    return tuple(say("identity.names.script", script=one) for one in scripts)


def is_unstorable(name: str) -> bool:
    """Whether a name cannot stand in a book at all; older ones have all others."""
    fits = 0 < len(name) <= NAME_MAX and name.isprintable() and name == name.strip()
    # A slash would part a wallet from its table, and a request from its sender.
    return not fits or "/" in name


@lru_cache(maxsize=10_000)
def normalize_name(name: str) -> str:
    """A name as it goes on record: one form of each letter, single spaces, its mark as ours are.

    >>> normalize_name("ｚｏｅ(2)"), normalize_name("O\u2019Brien")
    ('zoe (2)', "O'Brien")
    """
    plain = " ".join(unicodedata.normalize("NFKC", name.translate(SAME_CHARACTER)).split())
    if (mark := MARK.search(plain)) and mark.start():
        return f"{plain[: mark.start()]} ({int(mark[1])})"
    return plain


@lru_cache(maxsize=10_000)
def name_key(name: str) -> str:
    """The same for every way to write one person's name.

    >>> name_key("ZOE") == name_key("ｚoe") == "zoe"
    True
    """
    return unicodedata.normalize("NFKC", normalize_name(name).casefold())


@lru_cache(maxsize=10_000)
def confusable_forms(name: str) -> frozenset[str]:
    """What a name can be taken for; two that share one look alike.

    Dots, hyphens, blanks and signs tell nobody apart: a mark does.

    >>> bool(confusable_forms("zoe") & confusable_forms("z\u043ee"))
    True
    >>> bool(confusable_forms("Ian") & confusable_forms("Lan"))
    False
    """
    made = normalize_name(name)
    mark = found[0] if (found := MARK.search(made)) else ""
    made = made.removesuffix(mark)
    small = _letters(_skeleton(name_key(made)).casefold())
    # A capital I reads as an l, but not where a name begins: Ian is not Lan.
    large = "".join(
        one if one == "I" and (at == 0 or made[at - 1] in " -'") else _letter_skeleton(one)
        for at, one in enumerate(made)
    )
    large = _letters(_skeleton(large.casefold()).casefold())
    return frozenset((f"{small}{mark}", f"{large}{mark}"))


def title_error(field: str, title: str) -> Sentence | None:
    """Why a title, or the name of anything, is refused; None if it is fine.

    It is one line with a letter or a digit in it, and neither a formula nor a template.
    """
    if not title.strip():
        return say("identity.titles.empty", field=field)
    if not title.isprintable():
        return say("identity.titles.one-line", field=field)
    if not any(map(str.isalnum, HIDDEN.sub("", title))):
        return say("identity.titles.no-letter", field=field, title=display_name(title))
    if TEMPLATE.search(title):
        return say("identity.titles.template", field=field, title=display_name(title))
    if is_formula(title):
        return say("identity.titles.formula", field=field, title=display_name(title))
    return None


def has_mark(name: str) -> bool:
    """Whether a name has a mark that tells it from another of the same letters."""
    return MARK.search(normalize_name(name)) is not None


def next_mark(name: str, taken: frozenset[str]) -> str:
    """The name with the first mark that nobody has; `taken` are keys."""
    bare = MARK.sub("", normalize_name(name))
    made = (f"{bare} ({number})" for number in range(FIRST_MARK, LAST_MARK + 1))
    return next((one for one in made if name_key(one) not in taken), f"{bare} ({LAST_MARK})")


def display_name(name: str) -> str:
    """A name as a sentence repeats it."""
    return printable(name[:NAME_MAX])


def _has_too_many_accents(name: str) -> bool:
    kinds = list(map(unicodedata.category, unicodedata.normalize("NFD", name)))
    runs = (len(list(run)) for kind, run in groupby(kinds) if kind == "Mn")
    return kinds[:1] == ["Mn"] or "Me" in kinds or max(runs, default=0) > ACCENTS_MAX


def _find_mixed_word(name: str) -> tuple[str, list[str]] | None:
    """A word with letters of several scripts, which no language writes."""
    for word in re.split(r"[\s-]+", name):
        found = _scripts(word)
        if len(found) > 1:
            return word, sorted(one.capitalize() for one in found)
    return None


def _scripts(text: str) -> set[str]:
    """The scripts of a text's letters; some letters belong to several, and tell nothing."""
    return set(map(_script, filter(_has_script, text)))


@cache
def _has_script(letter: str) -> bool:
    return letter.isalpha() and _script(letter) not in ("COMMON", "INHERITED")


@cache
def _script(letter: str) -> str:
    from confusable_homoglyphs import categories  # noqa: PLC0415  Half a megabyte of tables.

    script: str = categories.alias(letter)
    return "HAN" if script in EAST_ASIAN_SCRIPTS else script


def _skeleton(text: str) -> str:
    """Each letter as the one that it looks like, without accents where they are left out."""
    return "".join(map(_skeleton_letter, _without_accents(text)))


@cache
def _letter_skeleton(letter: str) -> str:
    return _skeleton(letter)


def _letters(text: str) -> str:
    """What is left of a name without what stands between its letters; all, where that is all."""
    kept = "".join(filterfalse(_is_separator, text))
    return kept or text


@cache
def _is_separator(one: str) -> bool:
    kind = unicodedata.category(one)
    return kind[0] in "PSZ" or (kind == "Lm" and _script(one) == "COMMON")


def _without_accents(text: str) -> Iterator[str]:
    base = ""
    for one in unicodedata.normalize("NFD", text):
        if not unicodedata.combining(one):
            base = one
        elif _drops_accents(base or one):
            continue
        yield one


@cache
def _drops_accents(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(SCRIPTS_WITH_ACCENTS)


@cache
def _latin_lookalike(letter: str) -> str | None:
    """The letter between A and z that one of another script is taken for.

    What is written from right to left is not read as Latin, however round its letters are.
    """
    if _is_right_to_left(letter):
        return None
    like = _confusables().get(letter, ())
    return next((one for one in like if one.isascii() and one.isalpha()), None)


@cache
def _skeleton_letter(letter: str) -> str:
    """What one letter looks like: the first of all that look the same."""
    letter, table = _full_size(letter), _confusables()
    like = table.get(letter, ())
    if len(like) != 1:  # None, or it is what many others look like.
        return letter
    other = like[0]
    if _is_right_to_left(letter) and not any(map(str.isalnum, other)):
        return letter  # A yod is small, and yet Gal is not Gil.
    first = len(other) > 1 or len(table.get(other, ())) > 1 or other < letter
    return other if first else letter


def _is_right_to_left(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in ("R", "AL")


def _full_size(letter: str) -> str:
    """A small capital as the letter that it is; Unicode's list has but a few of them."""
    known = unicodedata.name(letter, "")
    plain = known.removeprefix(SMALL_CAPITAL)
    return plain.lower() if plain != known and len(plain) == 1 else letter


@cache
def _confusables() -> dict[str, list[str]]:
    """What each letter looks like, by Unicode's list as the library ships it."""
    from confusable_homoglyphs import confusables  # noqa: PLC0415

    ours = {form: [latin] for one, latin in COPTIC_LETTERS.items() for form in (one, one.lower())}
    theirs = {
        letter.strip(LEFT_TO_RIGHT_MARK): [str(one["c"]).strip(LEFT_TO_RIGHT_MARK) for one in like]
        for letter, like in confusables.confusables_data.items()
    }
    return ours | theirs
