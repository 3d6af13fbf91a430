"""The API's description as the page's types are made from it, without a house that is open."""

from __future__ import annotations

import json
import sys

from pitbook.house.web.app import ROUTERS, Described


def main() -> None:
    """Write OpenAPI to standard output."""
    app = Described(title="Pitbook", version="0")
    for router in ROUTERS:
        app.include_router(router)
    json.dump(app.openapi(), sys.stdout, indent=1, sort_keys=True)


if __name__ == "__main__":
    main()
