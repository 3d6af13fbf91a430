"""The live table: commands in, facts to the ledger, versioned events out."""
