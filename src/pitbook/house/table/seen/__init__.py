"""What a viewer of a table sees, hears and may do."""
