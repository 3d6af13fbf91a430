"""What a command comes to at a table, one module for each kind of act."""
