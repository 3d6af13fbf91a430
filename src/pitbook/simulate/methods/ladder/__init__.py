"""Own cards and a board opened stage by stage, multiples bet, hands paid by kind."""
