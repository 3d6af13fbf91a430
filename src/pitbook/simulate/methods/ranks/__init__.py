"""Few cards of which the ranks alone are read: every way they can lie is played once."""
