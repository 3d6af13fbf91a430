"""Write the OpenAPI document that the page's types are generated from; starts no server."""

from __future__ import annotations

import json
import sys

from pitbook.house.web.app import ROUTERS, DocumentedApi


def main() -> None:
    """Write OpenAPI to standard output."""
    app = DocumentedApi(title="Pitbook", version="0")
    for router in ROUTERS:
        app.include_router(router)
    json.dump(app.openapi(), sys.stdout, indent=1, sort_keys=True)


if __name__ == "__main__":
    main()
