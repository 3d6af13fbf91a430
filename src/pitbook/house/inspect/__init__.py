"""Reports over the ledger for inspectors and the pit."""
