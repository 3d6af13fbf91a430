"""Books on both databases, as the ledger's own tests have them."""

from tests.house.ledger.conftest import empty_book, ledger_url, postgres_book, sqlite_url

__all__ = ["empty_book", "ledger_url", "postgres_book", "sqlite_url"]
