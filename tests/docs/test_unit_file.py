"""The unit file of docs/server.md: lines enough for the house, and files for nobody else."""

from __future__ import annotations

import configparser
import re
from pathlib import Path

from pitbook.house.web.connections import DESCRIPTORS
from pitbook.house.web.settings import RequestLimits

PAGE = Path(__file__).parents[2] / "docs" / "server.md"


def unit() -> configparser.SectionProxy:
    found = re.search(r"```ini\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    parser = configparser.ConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(found[1])
    return parser["Service"]


def test_the_unit_file_has_files_enough_and_keeps_them_to_itself() -> None:
    service = unit()
    assert int(service["LimitNOFILE"]) == DESCRIPTORS > 10 * RequestLimits().connections_per_address
    assert service["UMask"] == "0077"
    assert service["StateDirectoryMode"] == "0700"
    assert service["WorkingDirectory"] == f"/var/lib/{service['StateDirectory']}"
