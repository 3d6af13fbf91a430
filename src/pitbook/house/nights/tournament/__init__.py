"""Tournaments of a night: who is in for what, where they sit, what the clock says, who is paid."""
