"""Who may come in, how that is proved, and what each may ask for."""
