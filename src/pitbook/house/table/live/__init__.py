"""Tables in use: mailboxes, the house of all tables, the cage and the pit."""
