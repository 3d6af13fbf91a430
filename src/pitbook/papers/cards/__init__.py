"""Cards and signs: what lies on the rail, stands at the table and fits a wallet."""
