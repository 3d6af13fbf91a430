"""`pitbook drill`: the dealer's school in the terminal."""
