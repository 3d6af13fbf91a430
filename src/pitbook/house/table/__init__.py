"""Live tables: commands in, facts to the ledger, versioned events out."""
