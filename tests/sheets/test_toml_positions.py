"""Texts with deep keys are refused before parsing, which would take minutes."""

from __future__ import annotations

import time

import pytest
from tests.sheets.samples import CMS, modified_text, text_of

from pitbook.sheets.load import read_sheet
from pitbook.sheets.toml_positions import DEPTH_MAX, key_dots

DEEP = "The text is nested too deeply."


def finding_messages(text: str) -> list[str]:
    return [finding.message for finding in read_sheet(text, "f.toml").findings]


def deep_text(parts: int, keys: int) -> str:
    head = "[" + ".".join(f"h{number % 7}" for number in range(parts)) + "]\n"
    return head + "".join(f"k{key}.{'.'.join('a' * parts)}=1\n" for key in range(keys))


@pytest.mark.parametrize(
    "text",
    [
        deep_text(1_985, 46),  # 189 kB; each line has fewer dots than the limit for one key.
        deep_text(60, 700),
        deep_text(29, 3_000),
        "".join(f"[{'.'.join('a' * 29)}.b{number}]\n" for number in range(3_000)),
        "".join(f"[[{'.'.join('a' * 29)}]]\n" for number in range(3_000)),
        "a = [" + ", ".join("{" + ".".join("a" * 29) + "=1}" for _ in range(3_000)) + "]",
        "x = 1\n" + '"a" . ' * 40 + "b = 1",
        "x = '''\n'''\n" + "'a'." * 40 + "b = 1",
        '"' + "a" * 180_000,
        '"""' * 60_000,
        '"""\\' * 45_000,
        "'''" * 60_000,
        "." * 190_000,
        "a . " * 45_000,
    ],
    ids=lambda text: text[:12],
)
def test_deep_texts_are_refused_quickly(text: str) -> None:
    assert any(_processor_seconds(text) < 1.5 for _ in range(3)), (
        "it took a minute of the one thread for sums"
    )


def _processor_seconds(text: str) -> float:
    """Processor seconds, which depend less on the load of the machine."""
    start = time.process_time()
    assert finding_messages(text)
    return time.process_time() - start


@pytest.mark.parametrize(
    "text",
    [
        f"a{'.a' * (DEPTH_MAX + 1)} = 1",
        f"[a{'.a' * (DEPTH_MAX + 1)}]",
        f"[[ a{' . a' * (DEPTH_MAX + 1)} ]]",
        'x = """\n"quoted" \\""""\n' + "'a'." * 40 + "b = 1",
        "x = '''it''s'''' # '''\n" + '"a.b".' * 40 + "b = 1",
        f"x = [ {{ a{'.a' * 40} = 1 }} ]",
    ],
)
def test_deep_keys_are_refused(text: str) -> None:
    assert finding_messages(text) == [DEEP]


@pytest.mark.parametrize(
    "value",
    [
        "[" + "1.5, " * 5_000 + "2.5]",
        '"' + "." * 5_000 + '"',
        "'" + "a.b." * 3_000 + "'",
        '"""\n' + "and so on...\n" * 1_000 + '"""',
        "'''\n" + "..........\n" * 1_000 + "'''",
        '""" "" \\""" a.b.c' + ".c" * 100 + ' """""',
        "1 # " + "." * 5_000,
        "2018-03-12T07:30:00.5",
    ],
    ids=lambda value: value[:16],
)
def test_dots_outside_keys_are_allowed(value: str) -> None:
    parse_messages = finding_messages(
        modified_text(CMS, ("count = 6", f"count = 6\nmore = {value}"))
    )
    assert len(parse_messages) == 1
    assert parse_messages[0].startswith('There is no field "more" here'), parse_messages


def test_bundled_sheets_have_few_key_dots() -> None:
    assert max(key_dots(text_of(CMS)), default=0) <= 4
    assert key_dots("[a.b.c]\n1.2.3.4 = 1.5\n") == [2, 3]
