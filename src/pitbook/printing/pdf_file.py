"""Edits a PDF file that Typst wrote: sets the producer and blanks two entries Poppler rejects."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import version
from itertools import accumulate

ENTRY = 20  # Bytes of a line in a cross-reference table, which begins with an offset.
DIGITS = 10
# Poppler reports both as errors. False is the default of the first; the second is decoration.
REJECTED = re.compile(rb"/Suspects false|/BorderColor\[[\d. ]+\](?=/BorderStyle)")
METADATA = re.compile(rb"<</Length (\d+)/Type/Metadata/Subtype/XML>>\nstream\n")
INFO = re.compile(rb"/Info (\d+) 0 R")


@cache
def program() -> str:
    """This program and its version, as papers and their metadata name it."""
    return f"Pitbook {version('pitbook')}"


def finish(content: bytes) -> bytes:
    """The file with Pitbook as its producer, and without the entries that Poppler rejects."""
    content = REJECTED.sub(lambda entry: b" " * len(entry[0]), content)
    table = content.rindex(b"xref\n0 ", 0, content.rindex(b"startxref"))
    entries = _read_entries(content, table)
    edits = _name_producer(content, table, entries)
    return _write(content, table, entries, sorted(edits))


def _read_entries(content: bytes, table: int) -> list[bytes]:
    """The lines of the cross-reference table, by object number."""
    first = content.index(b"\n", table + len(b"xref\n")) + 1
    end = content.index(b"trailer", first)
    return [content[row : row + ENTRY] for row in range(first, end, ENTRY)]


Edit = tuple[int, int, bytes]  # From, to, and what replaces the bytes between.


def _name_producer(content: bytes, table: int, entries: list[bytes]) -> list[Edit]:
    """Write the producer into the information dictionary and into the XMP metadata."""
    name = program().encode()
    info_number = INFO.search(content, table)
    metadata = METADATA.search(content)
    assert info_number is not None
    assert metadata is not None
    info = content.index(b"<<", int(entries[int(info_number[1])][:DIGITS])) + len(b"<<")
    xmp = content.index(b"<xmp:CreatorTool>", metadata.end())
    element = b"<pdf:Producer>" + name + b"</pdf:Producer>"
    length = str(int(metadata[1]) + len(element)).encode()
    return [
        (info, info, b"/Producer(" + name + b")"),
        (*metadata.span(1), length),
        (xmp, xmp, element),
    ]


def _write(content: bytes, table: int, entries: list[bytes], edits: list[Edit]) -> bytes:
    """Apply edits, which precede the cross-reference table, and rewrite the table with the new
    offsets.
    """
    shifts = [0, *accumulate(len(text) - (end - start) for start, end, text in edits)]

    def move_entry(entry: bytes) -> bytes:
        offset = int(entry[:DIGITS])
        shift = shifts[sum(start < offset for start, _, _ in edits)]
        return b"%010d" % (offset + shift) + entry[DIGITS:]

    body, done = bytearray(), 0
    for start, end, text in edits:
        body += content[done:start] + text
        done = end
    body += content[done:table]
    rows = b"".join(map(move_entry, entries))
    trailer = content[content.index(b"trailer", table) : content.rindex(b"startxref")]
    pointer = b"startxref\n%d\n%%%%EOF" % len(body)
    return bytes(body) + b"xref\n0 %d\n" % len(entries) + rows + trailer + pointer
