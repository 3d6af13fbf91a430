"""The unit file of docs/server.md: enough file descriptors, and private files."""

from __future__ import annotations

import configparser
import re
from pathlib import Path

from pitbook.house.settings import RequestLimits
from pitbook.house.web.connections import DESCRIPTORS

PAGE = Path(__file__).parents[2] / "docs" / "server.md"


def unit() -> configparser.SectionProxy:
    match = re.search(r"```ini\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert match
    parser = configparser.ConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(match[1])
    return parser["Service"]


def test_unit_file_has_enough_descriptors_and_private_files() -> None:
    service = unit()
    assert int(service["LimitNOFILE"]) == DESCRIPTORS > 10 * RequestLimits().connections_per_address
    assert service["UMask"] == "0077"
    assert service["StateDirectoryMode"] == "0700"
    assert service["WorkingDirectory"] == f"/var/lib/{service['StateDirectory']}"
