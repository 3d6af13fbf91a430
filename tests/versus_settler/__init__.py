"""Ten games settled again from their rules alone, by one who had not read the family."""
