"""The server with its ledger; `pip install "pitbook[house]"` installs what it needs."""

from pitbook.extras import name_missing_house_packages

name_missing_house_packages()
