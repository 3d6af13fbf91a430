"""The house: ledger, people, tables, nights and the server. The core never imports it."""
